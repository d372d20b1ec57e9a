//! Merges edits: the union of their splices, if that makes sense.

use crate::{Edit, Splice};
use nub_text::Span;
use std::collections::BTreeMap;

/// A set of splices that grows edit by edit and stays disjoint.
///
/// A splice inside an existing one is subsumed; one that covers others replaces them; two that partly overlap
/// conflict, and the later edit is omitted as a whole. Adding costs O(log n) per splice.
#[derive(Clone, Default)]
pub struct MergedEdits {
    by_start: BTreeMap<u32, Splice>,
}

impl MergedEdits {
    /// Adds an edit. Returns false and changes nothing if it conflicts, or adds nothing new.
    pub fn add(&mut self, edit: &Edit) -> bool {
        let mut fresh = false;
        for splice in &edit.splices {
            match self.relation(splice) {
                Relation::Conflict => return false,
                Relation::Subsumed => {}
                Relation::New => fresh = true,
            }
        }
        if !fresh {
            return false;
        }
        for splice in &edit.splices {
            if self.relation(splice) == Relation::New {
                self.insert(splice);
            }
        }
        true
    }

    /// Whether an edit conflicts with one already added.
    pub fn conflicts_with(&self, edit: &Edit) -> bool {
        edit.splices.iter().any(|splice| self.relation(splice) == Relation::Conflict)
    }

    fn relation(&self, splice: &Splice) -> Relation {
        let span = splice.span;
        for (_, other) in self.touching(span) {
            if span.is_empty() && other.span.is_empty() {
                return if other.text == splice.text { Relation::Subsumed } else { Relation::Conflict };
            }
            if other.span == span {
                return if other.text == splice.text { Relation::Subsumed } else { Relation::Conflict };
            }
            if other.span.contains(span) {
                return Relation::Subsumed;
            }
            if !span.contains(other.span) {
                return Relation::Conflict;
            }
        }
        Relation::New
    }

    /// Splices that share a byte with `span`, or are at the same position if both are empty.
    fn touching(&self, span: Span) -> impl Iterator<Item = (&u32, &Splice)> {
        let before = self.by_start.range(..span.start).next_back();
        let end = span.end.max(span.start + 1);
        before
            .into_iter()
            .filter(move |(_, other)| other.span.end > span.start)
            .chain(self.by_start.range(span.start..end))
    }

    fn insert(&mut self, splice: &Splice) {
        let covered: Vec<u32> =
            self.by_start.range(splice.span.start..splice.span.end).map(|(&at, _)| at).collect();
        for at in covered {
            self.by_start.remove(&at);
        }
        self.by_start.insert(splice.span.start, splice.clone());
    }

    /// True if every byte of `span` is removed.
    pub fn covers(&self, span: Span) -> bool {
        self.covering(span).is_some()
    }

    /// The splice that removes every byte of `span`.
    pub fn covering(&self, span: Span) -> Option<&Splice> {
        let (_, splice) = self.by_start.range(..=span.start).next_back()?;
        (splice.span.contains(span) && !splice.span.is_empty()).then_some(splice)
    }

    /// True if nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// The splices, sorted and disjoint.
    pub fn splices(&self) -> Vec<Splice> {
        self.by_start.values().cloned().collect()
    }

    /// The splices, sorted and disjoint, without copying.
    pub fn iter(&self) -> impl Iterator<Item = &Splice> {
        self.by_start.values()
    }
}

#[derive(PartialEq, Eq)]
enum Relation {
    New,
    Subsumed,
    Conflict,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn replace(start: usize, end: usize, text: &str) -> Edit {
        Edit::replace(Span::new(start, end), text.as_bytes())
    }

    #[test]
    fn disjoint_nested_and_overlapping() {
        let mut merged = MergedEdits::default();
        assert!(merged.add(&replace(2, 4, "x")));
        assert!(merged.add(&replace(6, 8, "")));
        assert!(!merged.add(&replace(3, 7, "y")), "overlaps in part");
        assert!(merged.conflicts_with(&replace(3, 7, "y")) && merged.conflicts_with(&replace(2, 4, "y")));
        assert!(!merged.conflicts_with(&replace(2, 3, "z")) && !merged.conflicts_with(&replace(1, 9, "w")));
        assert!(!merged.add(&replace(2, 3, "z")), "subsumed");
        assert!(merged.add(&replace(1, 9, "w")), "covers both");
        assert_eq!(render(b"0123456789", &merged.splices()), b"0 w 9");
    }

    #[test]
    fn parts_kept_inside_parts() {
        // (f (g a)) -> (g a) and (g a) -> a together give a.
        let mut merged = MergedEdits::default();
        assert!(merged.add(&Edit::keep_part(Span::new(0, 9), Span::new(3, 8))));
        assert!(merged.add(&Edit::keep_part(Span::new(3, 8), Span::new(6, 7))));
        assert_eq!(render(b"(f (g a))", &merged.splices()), b"a");
    }
}
