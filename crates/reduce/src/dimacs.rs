//! DIMACS (cnf, wcnf, qdimacs) as a [`SubjectFormat`].

use crate::{AllowedCandidates, Keep, SubjectFormat};
use nub_dimacs::{DimacsKind, FaultSet};
use nub_edits::MergedEdits;
use nub_edits::dimacs::{DimacsView, clean_up, render};
use nub_text::Span;

/// DIMACS files. Candidates may have only kinds of faults that the original has. Numbers in the header that are
/// correct stay correct in every candidate, whatever the options.
pub struct Dimacs {
    kind: DimacsKind,
    /// Kinds of faults that a candidate may have; `None` for any.
    allowed: Option<FaultSet>,
    keep: Keep,
}

impl Dimacs {
    /// The format for this original.
    pub fn new(original: &[u8], kind: DimacsKind, candidates: AllowedCandidates) -> Dimacs {
        let allowed = match candidates {
            AllowedCandidates::WellFormed => {
                Some(nub_dimacs::DimacsFile::read(original.to_vec(), kind).fault_kinds())
            }
            AllowedCandidates::Any => None,
        };
        Dimacs { kind, allowed, keep: Keep::nothing() }
    }

    /// Protects clauses, blocks, comments and other lines.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Dimacs {
        self.keep = keep;
        self
    }
}

impl SubjectFormat for Dimacs {
    type View = DimacsView;

    fn read(&self, bytes: Vec<u8>) -> DimacsView {
        DimacsView::new(bytes, self.kind)
    }

    fn text<'v>(&self, view: &'v DimacsView) -> &'v [u8] {
        view.text()
    }

    fn clean_up(&self, view: &DimacsView, splices: &mut MergedEdits) -> bool {
        clean_up(view, splices, &self.protected(view))
    }

    fn render(&self, view: &DimacsView, splices: &MergedEdits) -> Vec<u8> {
        render(view, splices, &self.protected(view))
    }

    /// The header is adjusted and empty blocks are removed, so the length is not known in advance.
    fn least_len(&self, _view: &DimacsView, _splices: &MergedEdits) -> usize {
        0
    }

    fn is_valid(&self, view: &DimacsView) -> bool {
        self.allowed.is_none_or(|allowed| view.file().fault_kinds().is_within(allowed))
    }

    fn measure(&self, view: &DimacsView) -> Vec<(&'static str, u64)> {
        let n_literals: usize = view.file().clauses().iter().map(|clause| clause.len()).sum();
        vec![
            ("variables", view.occurrences().vars().count() as u64),
            ("clauses", view.file().clauses().len() as u64),
            ("literals", n_literals as u64),
        ]
    }

    fn protected(&self, view: &DimacsView) -> Vec<Span> {
        self.keep.spans(view.text(), || {
            let file = view.file();
            let clauses = file.clauses().iter().map(|clause| clause.span);
            let blocks = file.blocks().iter().map(|block| block.span);
            clauses.chain(blocks).chain(file.comments().iter().chain(file.others()).copied())
        })
    }
}
