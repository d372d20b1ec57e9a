//! Replacements and redirections that apply together.

use super::{Dag, DagEdge, DagNode, DagSubstitution, Replacement};
use crate::{Edit, MergedEdits};
use nub_text::Span;
use std::collections::BTreeMap;

/// Changes to the nodes and edges of one version of a subject.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// The replacements of nodes.
    pub replaced: BTreeMap<DagNode, Replacement>,
    /// The new targets of edges, by parent and index of the operand.
    pub redirected: BTreeMap<(DagNode, usize), DagEdge>,
}

impl Changes {
    /// With more nodes replaced; `None` if all of them are already replaced.
    pub fn with(&self, more: impl IntoIterator<Item = (DagNode, Replacement)>) -> Option<Changes> {
        let mut changes = self.clone();
        let before = changes.replaced.len();
        for (node, with) in more {
            changes.replaced.entry(node).or_insert(with);
        }
        (changes.replaced.len() > before).then_some(changes)
    }

    /// With an edge redirected.
    #[must_use]
    pub fn with_edge(&self, parent: DagNode, index: usize, target: DagEdge) -> Changes {
        let mut changes = self.clone();
        changes.redirected.insert((parent, index), target);
        changes
    }

    /// Writes each change by the edit of [`Dag::replace`] or [`Dag::redirect`].
    pub fn one_by_one(&self, dag: &impl Dag, protected: &[Span]) -> (MergedEdits, Vec<u8>) {
        let (mut splices, mut declarations) = (MergedEdits::default(), Vec::new());
        let replaced = self.replaced.iter().filter_map(|(&node, &with)| dag.replace(node, with));
        let redirected = self.redirected.iter();
        let redirected =
            redirected.filter_map(|(&(parent, index), &target)| dag.redirect(parent, index, target));
        for DagSubstitution { edit, declaration } in replaced.chain(redirected.map(DagSubstitution::from)) {
            if is_free(&edit, protected) && splices.add(&edit) {
                declarations.extend(declaration.into_iter().flatten());
            }
        }
        (splices, declarations)
    }
}

/// Whether an edit touches none of the spans, which are sorted and disjoint.
pub fn is_free(edit: &Edit, protected: &[Span]) -> bool {
    edit.splices.iter().all(|splice| {
        let first = protected.partition_point(|place| place.end <= splice.span.start);
        protected[first..]
            .iter()
            .take_while(|place| place.start <= splice.span.end)
            .all(|place| !splice.span.overlaps(*place))
    })
}
