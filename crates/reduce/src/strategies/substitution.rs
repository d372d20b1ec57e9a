//! A set of simultaneous substitutions: splices, and declarations of the fresh variables among them.

use crate::{Engine, SubjectFormat};
use nub_edits::dag::DagSubstitution;
use nub_edits::{Edit, MergedEdits};
use nub_text::Span;

/// A set of substitutions on the current view.
#[derive(Clone, Default)]
pub(super) struct State {
    splices: MergedEdits,
    declarations: Vec<u8>,
}

impl State {
    /// Adds substitutions; `None` if every place is already substituted.
    pub(super) fn with<'s>(&self, more: impl IntoIterator<Item = &'s DagSubstitution>) -> Option<State> {
        let mut state = self.clone();
        let mut has_grown = false;
        for substitution in more {
            if state.splices.add(&substitution.edit) {
                has_grown = true;
                state.declarations.extend(substitution.declaration.iter().flatten());
            }
        }
        has_grown.then_some(state)
    }

    /// Whether everything that an edit touches is already substituted.
    pub(super) fn covers(&self, edit: &Edit) -> bool {
        edit.splices.iter().all(|splice| self.splices.covers(splice.span))
    }

    /// Whether there are no substitutions.
    pub(super) fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The splices, with the declarations at their place.
    pub(super) fn splices(&self, declaration_place: u32) -> MergedEdits {
        let mut splices = self.splices.clone();
        if !self.declarations.is_empty() {
            let place = Span { start: declaration_place, end: declaration_place };
            splices.add(&Edit::replace(place, self.declarations.as_slice()));
        }
        splices
    }

    /// The candidate.
    pub(super) fn bytes<F: SubjectFormat>(&self, engine: &Engine<'_, F>, declaration_place: u32) -> Vec<u8> {
        engine.spliced(&self.splices(declaration_place))
    }
}
