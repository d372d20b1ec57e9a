//! Changes of one parsed subject, accepted one after another.

use super::Simplify;
use super::writing::{Writing, Zeros};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Changes, Dag, DagEdge, DagNode, REPLACEMENTS, Replacement, is_free};
use nub_edits::{Edit, MergedEdits};

/// The changes accepted since the subject was parsed, and how to ask for more. All nodes belong to that parsed
/// subject.
pub(super) struct Trial<'t, 'e, F: SubjectFormat> {
    engine: &'t mut Engine<'e, F>,
    algorithm: &'static str,
    writing: Writing,
    changes: Changes,
    /// Size of the parsed subject in bytes.
    before: usize,
}

impl<'t, 'e, F: SubjectFormat> Trial<'t, 'e, F>
where
    F::View: Dag,
{
    pub(super) fn new(
        engine: &'t mut Engine<'e, F>,
        algorithm: &'static str,
        simplify: Simplify,
    ) -> Trial<'t, 'e, F> {
        let before = engine.text().len();
        let writing = Writing::new(engine.format(), engine.view(), simplify, Zeros::Shared);
        Trial { engine, algorithm, writing, changes: Changes::default(), before }
    }

    /// The parsed subject.
    pub(super) fn view(&self) -> &F::View {
        self.engine.view()
    }

    /// Removes what no root reaches, with one ask; if the failure needs it, it stays permanently. The thesis reads the graph
    /// from its root (§4.1.1 step 2), so it never wrote such nodes.
    pub(super) fn drop_unreached(&mut self) -> Result<bool, ReductionStop> {
        let mut splices = MergedEdits::default();
        for splice in self.engine.format().unreached(self.view()).splices() {
            let edit = Edit { splices: vec![splice] };
            if is_free(&edit, &self.writing.protected) {
                splices.add(&edit);
            }
        }
        let bytes = self.engine.spliced(&splices);
        if bytes == self.engine.text() {
            return Ok(false);
        }
        let (bytes, fails) = self.engine.judge(self.algorithm, bytes, Vec::new())?;
        if fails {
            self.engine.adopt(self.algorithm, bytes)?;
            self.changes = Changes::default();
        }
        Ok(fails)
    }

    /// Replaces nodes by zero, by ones, by fresh variables: the first that still fails is kept (§4.1.1, steps a to g).
    pub(super) fn replace(&mut self, nodes: &[DagNode]) -> Result<bool, ReductionStop> {
        let each = REPLACEMENTS.iter().filter_map(|&with| {
            let can_be = |node: &&DagNode| self.can_be(**node, with);
            self.changes.with(nodes.iter().filter(can_be).map(|&node| (node, with)))
        });
        let states = each.collect();
        self.first_failing(states)
    }

    /// Whether this replacement of a node is possible and allowed.
    fn can_be(&self, node: DagNode, with: Replacement) -> bool {
        let replaced = self.view().replace(node, with);
        replaced.is_some_and(|one| is_free(&one.edit, &self.writing.protected))
    }

    /// Redirects an edge if the subject then still fails.
    pub(super) fn redirect(
        &mut self,
        parent: DagNode,
        index: usize,
        target: DagEdge,
    ) -> Result<bool, ReductionStop> {
        let edit = self.view().redirect(parent, index, target);
        if edit.is_none_or(|edit| !is_free(&edit, &self.writing.protected)) {
            return Ok(false);
        }
        self.first_failing(vec![self.changes.with_edge(parent, index, target)])
    }

    /// Keeps the first of the states that fails. A state that equals the current subject, because the replaced node is no
    /// longer part of it, is skipped.
    fn first_failing(&mut self, states: Vec<Changes>) -> Result<bool, ReductionStop> {
        let writing = &self.writing;
        let mut states = states.into_iter();
        let found = self.engine.first_failing(self.algorithm, |engine| {
            states.by_ref().find_map(|changes| {
                let bytes = writing.candidate(engine.format(), engine.view(), &changes);
                (bytes != engine.text()).then_some((changes, bytes))
            })
        })?;
        let Some((changes, bytes)) = found else { return Ok(false) };
        self.engine.adopt(self.algorithm, bytes)?;
        self.changes = changes;
        Ok(true)
    }

    /// Parses what was accepted.
    pub(super) fn end(self) {
        self.engine.end_step(self.algorithm, self.before);
    }
}
