//! What must not be changed.

use nub_text::Span;

/// Predicates on the text of a unit of the format: a command, a line, a clause. A unit for which one holds is not
/// touched by any edit.
#[derive(Default)]
pub struct Keep {
    predicates: Vec<Predicate>,
}

type Predicate = Box<dyn Fn(&[u8]) -> bool + Sync>;

impl Keep {
    /// Protects nothing.
    pub fn nothing() -> Keep {
        Keep::default()
    }

    /// Protects the units for which one predicate holds.
    pub fn matching(predicate: impl Fn(&[u8]) -> bool + Sync + 'static) -> Keep {
        Keep { predicates: vec![Box::new(predicate)] }
    }

    /// Adds a predicate.
    pub fn add(&mut self, predicate: impl Fn(&[u8]) -> bool + Sync + 'static) {
        self.predicates.push(Box::new(predicate));
    }

    /// The units that stay, sorted; those that overlap are joined. Costs nothing if there is no predicate.
    pub fn spans<I: IntoIterator<Item = Span>>(&self, text: &[u8], units: impl FnOnce() -> I) -> Vec<Span> {
        if self.predicates.is_empty() {
            return Vec::new();
        }
        let is_kept = |span: &Span| self.predicates.iter().any(|predicate| predicate(span.slice(text)));
        let mut kept: Vec<Span> = units().into_iter().filter(is_kept).collect();
        kept.sort_unstable();
        kept.dedup_by(|next, span| {
            let joins = next.overlaps(*span);
            if joins {
                span.end = span.end.max(next.end);
            }
            joins
        });
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_units_are_sorted_and_disjoint() {
        let keep = Keep::matching(|unit| !unit.contains(&b'-'));
        let text = b"abcdefgh-j";
        let units = [(4, 6), (8, 10), (0, 4), (1, 3), (3, 4)].map(|(start, end)| Span::new(start, end));
        assert_eq!(keep.spans(text, || units), [Span::new(0, 4), Span::new(4, 6)]);
        assert_eq!(Keep::nothing().spans(text, || units), []);
    }
}
