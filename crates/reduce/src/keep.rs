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

    /// The units that stay. Costs nothing if there is no predicate.
    pub fn spans<I: IntoIterator<Item = Span>>(&self, text: &[u8], units: impl FnOnce() -> I) -> Vec<Span> {
        if self.predicates.is_empty() {
            return Vec::new();
        }
        let is_kept = |span: &Span| self.predicates.iter().any(|predicate| predicate(span.slice(text)));
        units().into_iter().filter(is_kept).collect()
    }
}
