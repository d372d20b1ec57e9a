//! Changes on one reading of the subject, accepted one after the other.

use super::Simplify;
use crate::{Engine, Format, Stop};
use nub_edits::dag::{Changes, Dag, Edge, Node, REPLACEMENTS, Replacement, is_free, simplify};
use nub_edits::{Edit, Merged, render};
use nub_text::Span;

/// How constants are written where they are nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zeros {
    /// One zero for each width, as the thesis has it.
    Shared,
    /// Each replaced node becomes a constant in its place, as the passes of `auto` would write it.
    InPlace,
}

/// What has been accepted since the subject was read, and how to ask for more. All nodes are those of that reading.
pub(super) struct Trial<'t, 'e, F: Format> {
    engine: &'t mut Engine<'e, F>,
    algorithm: &'static str,
    simplify: Simplify,
    zeros: Zeros,
    changes: Changes,
    /// Places that must stay, in order.
    protected: Vec<Span>,
    /// Bytes of the subject as it was read.
    before: usize,
}

impl<'t, 'e, F: Format> Trial<'t, 'e, F>
where
    F::View: Dag,
{
    pub(super) fn new(
        engine: &'t mut Engine<'e, F>,
        algorithm: &'static str,
        simplify: Simplify,
    ) -> Trial<'t, 'e, F> {
        let before = engine.text().len();
        let mut protected = engine.format.protected(engine.view());
        protected.sort_unstable_by_key(|place| (place.start, place.end));
        let (zeros, changes) = (Zeros::Shared, Changes::default());
        Trial { engine, algorithm, simplify, zeros, changes, protected, before }
    }

    /// With constants written in another way.
    pub(super) fn with_zeros(self, zeros: Zeros) -> Trial<'t, 'e, F> {
        Trial { zeros, ..self }
    }

    /// The subject as it was read.
    pub(super) fn view(&self) -> &F::View {
        self.engine.view()
    }

    /// Takes away what no root reaches, in one ask; if the failure needs it, it stays for good. The thesis reads the graph from
    /// its root (§4.1.1 step 2), so it never wrote such nodes.
    pub(super) fn drop_unreached(&mut self) -> Result<bool, Stop> {
        let mut splices = Merged::default();
        for splice in self.engine.format.unreached(self.view()).splices() {
            let edit = Edit { splices: vec![splice] };
            if is_free(&edit, &self.protected) {
                splices.add(&edit);
            }
        }
        let bytes = self.engine.spliced(&splices);
        self.keep_if_failing(vec![(bytes, Changes::default())])
    }

    /// Replaces nodes by zero, by ones, by fresh variables: the first that still fails is kept (§4.1.1, steps a to g).
    pub(super) fn replace(&mut self, nodes: &[Node]) -> Result<bool, Stop> {
        let each = REPLACEMENTS.iter().filter_map(|&with| {
            let can_be = |node: &&Node| self.can_be(**node, with);
            self.changes.with(nodes.iter().filter(can_be).map(|&node| (node, with)))
        });
        let states = each.collect();
        self.first_failing(states)
    }

    /// Replaces nodes, each by a leaf of its own, if it still fails then. A single one that does not is remembered, so that
    /// the passes on constants need not ask for it again.
    pub(super) fn replace_each(&mut self, nodes: &[(Node, Replacement)]) -> Result<bool, Stop> {
        let Some(changes) =
            self.changes.with(nodes.iter().copied().filter(|&(node, with)| self.can_be(node, with)))
        else {
            return Ok(false);
        };
        if self.first_failing(vec![changes])? {
            return Ok(true);
        }
        if let [(node, with)] = *nodes
            && let Some(substitution) = self.view().replace(node, with)
        {
            self.engine.remember_failure(with.pass(), &substitution.edit);
        }
        Ok(false)
    }

    /// Whether a node can become this, and may.
    fn can_be(&self, node: Node, with: Replacement) -> bool {
        let replaced = self.view().replace(node, with);
        replaced.is_some_and(|one| is_free(&one.edit, &self.protected))
    }

    /// Points an edge elsewhere if it still fails then.
    pub(super) fn redirect(&mut self, parent: Node, index: usize, target: Edge) -> Result<bool, Stop> {
        let edit = self.view().redirect(parent, index, target);
        if edit.is_none_or(|edit| !is_free(&edit, &self.protected)) {
            return Ok(false);
        }
        self.first_failing(vec![self.changes.with_edge(parent, index, target)])
    }

    /// Keeps the first of the states that fails. As many are asked at once as there are workers.
    fn first_failing(&mut self, states: Vec<Changes>) -> Result<bool, Stop> {
        for window in states.chunks(self.engine.jobs()) {
            let candidates: Vec<(Vec<u8>, Changes)> =
                window.iter().map(|changes| (self.candidate(changes), changes.clone())).collect();
            if self.keep_if_failing(candidates)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Asks for candidates, and keeps the first that fails. One that is the subject as it is, because what was replaced is no
    /// part of it any more, is no candidate.
    fn keep_if_failing(&mut self, mut candidates: Vec<(Vec<u8>, Changes)>) -> Result<bool, Stop> {
        candidates.retain(|(bytes, _)| bytes != self.engine.text());
        let (candidates, states): (Vec<_>, Vec<_>) = candidates.into_iter().unzip();
        let answers = self.engine.judge(self.algorithm, candidates)?;
        for (changes, (bytes, fails)) in states.into_iter().zip(answers) {
            if fails {
                self.engine.adopt(self.algorithm, bytes)?;
                self.changes = changes;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The subject with changes, without what nothing refers to any more, simplified if asked for.
    fn candidate(&self, changes: &Changes) -> Vec<u8> {
        let format = self.engine.format;
        let bytes = self.engine.spliced(&self.written(self.view(), changes, &self.protected));
        if self.simplify == Simplify::Off {
            return bytes;
        }
        let view = format.read(bytes);
        let mut protected = format.protected(&view);
        protected.sort_unstable_by_key(|place| (place.start, place.end));
        let splices = self.written(&view, &simplify(&view), &protected);
        render(format.text(&view), &splices.splices())
    }

    fn written(&self, view: &F::View, changes: &Changes, protected: &[Span]) -> Merged {
        let (mut splices, declarations) = match self.zeros {
            Zeros::Shared => view.write(changes, protected),
            Zeros::InPlace => changes.one_by_one(view, protected),
        };
        if !declarations.is_empty() {
            let place = view.declaration_place();
            splices.add(&Edit::replace(Span { start: place, end: place }, declarations));
        }
        self.engine.format.clean_up(view, &mut splices);
        splices
    }

    /// Reads what was accepted.
    pub(super) fn end(self) {
        self.engine.end_step(self.algorithm, self.before);
    }
}
