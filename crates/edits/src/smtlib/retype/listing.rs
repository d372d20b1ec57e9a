//! Lists edits up to a limit, without duplicates.

use crate::{Edit, pass::MAX_SPLICES};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Limit on the edits listed at once.
const MAX_EDITS: usize = 1000;

/// A list of different edits that do not make the file longer.
#[derive(Default)]
pub(in crate::smtlib) struct Listing {
    edits: Vec<Edit>,
    seen: FxHashSet<u64>,
    n_splices: usize,
}

impl Listing {
    /// True if no more edits are accepted.
    pub(in crate::smtlib) fn is_full(&self) -> bool {
        self.edits.len() >= MAX_EDITS || self.n_splices >= MAX_SPLICES
    }

    /// True if the choice, which determines the edit, has not been seen before.
    pub(in crate::smtlib) fn is_new<T: Hash + ?Sized>(&mut self, choice: &T) -> bool {
        let mut hasher = FxHasher::default();
        choice.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }

    /// Adds an edit, unless it makes the file longer: such an edit could not be accepted.
    pub(in crate::smtlib) fn push(&mut self, edit: Option<Edit>) {
        if let Some(edit) = edit.filter(|edit| edit.gain() >= 0 && !self.is_full()) {
            self.n_splices += edit.splices.len();
            self.edits.push(edit);
        }
    }

    /// The edits, in the order in which they were added.
    pub(in crate::smtlib) fn into_edits(self) -> Vec<Edit> {
        self.edits
    }
}
