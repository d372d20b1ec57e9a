//! BTOR and BTOR2 as a [`Format`].

use crate::{Format, Keep};
use nub_btor::{Dialect, FaultKinds, Tag};
use nub_edits::Merged;
use nub_edits::btor::{View, canonical, clean_up, unreached};
use nub_text::Span;

/// BTOR or BTOR2, held to the standard of the original: no kind of fault that it did not have.
pub struct Btor {
    dialect: Dialect,
    /// Kinds of faults that a candidate may have; `None` for any.
    allowed: Option<FaultKinds>,
    keep: Keep,
}

impl Btor {
    /// The standard of this original. With `any`, candidates may be ill formed.
    pub fn new(original: &[u8], dialect: Dialect, any: bool) -> Btor {
        let allowed = (!any).then(|| View::new(original, dialect).file().fault_kinds());
        Btor { dialect, allowed, keep: Keep::nothing() }
    }

    /// Protects lines.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Btor {
        self.keep = keep;
        self
    }
}

impl Format for Btor {
    type View = View;

    fn read(&self, bytes: Vec<u8>) -> View {
        View::new(&bytes, self.dialect)
    }

    fn text<'v>(&self, view: &'v View) -> &'v [u8] {
        view.text()
    }

    fn clean_up(&self, view: &View, splices: &mut Merged) -> bool {
        clean_up(view, splices)
    }

    fn unreached(&self, view: &View) -> Merged {
        unreached(view)
    }

    fn is_valid(&self, view: &View) -> bool {
        self.allowed.is_none_or(|allowed| view.file().fault_kinds().is_subset(allowed))
    }

    fn canonical(&self, view: &View) -> Option<Vec<u8>> {
        Some(canonical(view))
    }

    /// The id of the line, and little else: what stands on the lines around has nothing to do with it.
    fn context(&self) -> usize {
        4
    }

    /// Nodes as [Vida08] counts them: every line that a root or property reaches, sorts apart. Without roots every line counts.
    fn measure(&self, view: &View) -> Vec<(&'static str, u64)> {
        let dead = if view.n_properties() == 0 { Merged::default() } else { unreached(view) };
        let is_live = |line: nub_btor::LineId| !dead.covers(view.line(line).span);
        let n_nodes = view.lines().filter(|&line| view.tag(line) != Some(Tag::Sort) && is_live(line)).count();
        vec![("nodes", n_nodes as u64)]
    }

    fn protected(&self, view: &View) -> Vec<Span> {
        self.keep.spans(view.text(), || view.lines().map(|line| view.line(line).span))
    }
}
