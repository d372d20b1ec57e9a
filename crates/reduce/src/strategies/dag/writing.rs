//! Writes changes of a graph as a candidate.

use super::Simplify;
use crate::SubjectFormat;
use nub_edits::dag::{Changes, Dag, simplify};
use nub_edits::{Edit, MergedEdits, render};
use nub_text::Span;

/// How constants are written where they are nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zeros {
    /// One zero for each width, as the thesis has it.
    Shared,
    /// Each replaced node becomes a constant in its place, as the passes of `auto` would write it.
    InPlace,
}

/// How changes of one parsed subject are written.
pub(super) struct Writing {
    pub(super) simplify: Simplify,
    pub(super) zeros: Zeros,
    /// Spans that must not be changed, in order.
    pub(super) protected: Vec<Span>,
}

impl Writing {
    pub(super) fn new<F: SubjectFormat>(
        format: &F,
        view: &F::View,
        simplify: Simplify,
        zeros: Zeros,
    ) -> Writing {
        Writing { simplify, zeros, protected: format.protected(view) }
    }

    /// The subject with the changes, without nodes that are no longer referenced, simplified on request.
    pub(super) fn candidate<F>(&self, format: &F, view: &F::View, changes: &Changes) -> Vec<u8>
    where
        F: SubjectFormat,
        F::View: Dag,
    {
        let bytes = format.render(view, &self.written(format, view, changes, &self.protected));
        if self.simplify == Simplify::Off {
            return bytes;
        }
        let view = format.read(bytes);
        let splices = self.written(format, &view, &simplify(&view), &format.protected(&view));
        render(format.text(&view), &splices.splices())
    }

    fn written<F>(&self, format: &F, view: &F::View, changes: &Changes, protected: &[Span]) -> MergedEdits
    where
        F: SubjectFormat,
        F::View: Dag,
    {
        let (mut splices, declarations) = match self.zeros {
            Zeros::Shared => view.write(changes, protected),
            Zeros::InPlace => changes.one_by_one(view, protected),
        };
        if !declarations.is_empty() {
            let place = view.declaration_place();
            splices.add(&Edit::replace(Span { start: place, end: place }, declarations));
        }
        format.clean_up(view, &mut splices);
        splices
    }
}
