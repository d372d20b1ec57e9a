//! SMT-LIB as a [`SubjectFormat`].

use crate::{AllowedCandidates, Keep, SubjectFormat};
use nub_edits::MergedEdits;
use nub_edits::smtlib::{SmtView, Violations, clean_up, unreached, up_to_names};
use nub_text::Span;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// SMT-LIB scripts. Candidates must be as well-formed as the original.
pub struct SmtLib {
    /// Whether the original was well sorted: then every candidate is, too.
    strict: bool,
    /// Symbols that the original uses without a known declaration: operators of a dialect.
    unknown: FxHashSet<Vec<u8>>,
    /// Rules of the standard that the original violates.
    violations: Violations,
    keep: Keep,
    /// The parsed original, for the first [`SubjectFormat::read`]: parsing 5 MB takes a tenth of a second.
    original: Mutex<Option<SmtView>>,
}

impl SmtLib {
    /// The format for this original.
    pub fn new(original: &[u8], candidates: AllowedCandidates) -> SmtLib {
        let view = SmtView::new(original);
        let unknown = view.analysis().unknown().iter().map(|&node| view.slice(node).to_vec()).collect();
        let violations = Violations::of(&view);
        let strict = candidates == AllowedCandidates::WellFormed && is_clean(&view);
        SmtLib { strict, unknown, violations, keep: Keep::nothing(), original: Mutex::new(Some(view)) }
    }

    /// Protects commands.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> SmtLib {
        self.keep = keep;
        self
    }

    /// Whether candidates must be well-sorted.
    pub fn is_strict(&self) -> bool {
        self.strict
    }
}

fn is_clean(view: &SmtView) -> bool {
    view.bracket_errors().is_empty() && view.analysis().errors().is_empty()
}

impl SubjectFormat for SmtLib {
    type View = SmtView;

    fn read(&self, bytes: Vec<u8>) -> SmtView {
        self.read_shared(Arc::new(bytes))
    }

    fn read_shared(&self, bytes: Arc<Vec<u8>>) -> SmtView {
        let mut original = self.original.lock().unwrap_or_else(PoisonError::into_inner);
        original.take_if(|view| *view.text() == **bytes).unwrap_or_else(|| SmtView::read(bytes))
    }

    fn text<'v>(&self, view: &'v SmtView) -> &'v [u8] {
        view.text()
    }

    fn shared_text(&self, view: &SmtView) -> Arc<Vec<u8>> {
        view.script().shared_text()
    }

    fn clean_up(&self, view: &SmtView, splices: &mut MergedEdits) -> bool {
        clean_up(view, splices, &self.protected(view))
    }

    fn unreached(&self, view: &SmtView) -> MergedEdits {
        unreached(view, &self.protected(view))
    }

    fn is_valid(&self, view: &SmtView) -> bool {
        !self.strict
            || (is_clean(view)
                && Violations::of(view).is_within(self.violations)
                && view.analysis().unknown().iter().all(|&node| self.unknown.contains(view.slice(node))))
    }

    fn canonical(&self, view: &SmtView) -> Option<Vec<u8>> {
        Some(up_to_names(view))
    }

    /// Counts the terms that commands other than declarations use, directly or indirectly.
    fn measure(&self, view: &SmtView) -> Vec<(&'static str, u64)> {
        let dead = unreached(view, &[]);
        let n_terms = view.terms().filter(|&term| !dead.covers(view.span(term))).count();
        vec![("commands", view.commands().len() as u64), ("terms", n_terms as u64)]
    }

    fn protected(&self, view: &SmtView) -> Vec<Span> {
        self.keep.spans(view.text(), || view.commands().iter().map(|(node, _)| view.span(*node)))
    }
}
