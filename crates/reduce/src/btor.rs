//! BTOR and BTOR2 as a [`SubjectFormat`].

use crate::{AllowedCandidates, Keep, SubjectFormat};
use nub_btor::{BtorDialect, FaultKinds, Tag};
use nub_edits::MergedEdits;
use nub_edits::btor::{BtorView, canonical, clean_up, unreached};
use nub_text::Span;

/// BTOR or BTOR2. Candidates may have only kinds of faults that the original has.
pub struct Btor {
    dialect: BtorDialect,
    /// Kinds of faults that a candidate may have; `None` for any.
    allowed: Option<FaultKinds>,
    keep: Keep,
}

impl Btor {
    /// The format for this original.
    pub fn new(original: &[u8], dialect: BtorDialect, candidates: AllowedCandidates) -> Btor {
        let allowed = match candidates {
            AllowedCandidates::WellFormed => Some(BtorView::new(original, dialect).file().fault_kinds()),
            AllowedCandidates::Any => None,
        };
        Btor { dialect, allowed, keep: Keep::nothing() }
    }

    /// Protects lines.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Btor {
        self.keep = keep;
        self
    }
}

impl SubjectFormat for Btor {
    type View = BtorView;

    fn read(&self, bytes: Vec<u8>) -> BtorView {
        BtorView::new(&bytes, self.dialect)
    }

    fn text<'v>(&self, view: &'v BtorView) -> &'v [u8] {
        view.text()
    }

    fn clean_up(&self, view: &BtorView, splices: &mut MergedEdits) -> bool {
        clean_up(view, splices, &self.protected(view))
    }

    fn unreached(&self, view: &BtorView) -> MergedEdits {
        unreached(view, &self.protected(view))
    }

    fn is_valid(&self, view: &BtorView) -> bool {
        self.allowed.is_none_or(|allowed| view.file().fault_kinds().is_subset(allowed))
    }

    fn canonical(&self, view: &BtorView) -> Option<Vec<u8>> {
        Some(canonical(view))
    }

    /// Four bytes are enough for the id of a line; the lines around an edit say nothing about it.
    fn context(&self) -> usize {
        4
    }

    /// Live nodes as [Vida08] counts them: every line that a root or property reaches, except sorts. A file without roots has none.
    fn measure(&self, view: &BtorView) -> Vec<(&'static str, u64)> {
        let dead = unreached(view, &[]);
        let is_live = |line: nub_btor::LineId| !dead.covers(view.line(line).span);
        let n_nodes = view.lines().filter(|&line| view.tag(line) != Some(Tag::Sort) && is_live(line)).count();
        vec![("nodes", n_nodes as u64)]
    }

    fn protected(&self, view: &BtorView) -> Vec<Span> {
        self.keep.spans(view.text(), || view.lines().map(|line| view.line(line).span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_live_nodes() {
        let n_nodes = |text: &str, dialect| {
            let format = Btor::new(text.as_bytes(), dialect, AllowedCandidates::Any);
            format.measure(&format.read(text.as_bytes().to_vec()))
        };
        let nodes = "1 var 8\n2 not 8 1\n3 redor 1 2\n4 var 8\n";
        assert_eq!(n_nodes(&format!("{nodes}5 root 1 3\n"), BtorDialect::Btor), [("nodes", 4)]);
        assert_eq!(n_nodes(nodes, BtorDialect::Btor), [("nodes", 0)]);
        let nodes = "1 sort bitvec 1\n2 state 1\n3 next 1 2 -2\n";
        assert_eq!(n_nodes(&format!("{nodes}4 bad 2\n"), BtorDialect::Btor2), [("nodes", 3)]);
        assert_eq!(n_nodes(nodes, BtorDialect::Btor2), [("nodes", 0)]);
    }
}
