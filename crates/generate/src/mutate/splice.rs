//! Changes as splices on the original bytes.

use nub_text::Span;

/// New text that replaces a span; an empty span is an insertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Splice {
    pub(super) span: Span,
    pub(super) text: Vec<u8>,
}

impl Splice {
    pub(super) fn replace(span: Span, text: impl Into<Vec<u8>>) -> Splice {
        Splice { span, text: text.into() }
    }

    pub(super) fn insert(at: u32, text: impl Into<Vec<u8>>) -> Splice {
        Splice { span: Span { start: at, end: at }, text: text.into() }
    }

    pub(super) fn remove(span: Span) -> Splice {
        Splice { span, text: Vec::new() }
    }
}

/// The changes to a file: splices that do not overlap, in the order of the text. Insertions at the same position keep the order in
/// which they were added, and precede a replacement of the text there.
#[derive(Default)]
pub(super) struct Plan {
    splices: Vec<Splice>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// Adds all splices of a mutation, or none: returns false if one of them overlaps an existing splice, or if two of them
    /// overlap each other. O((n + m) log n) for m new splices.
    pub(super) fn add(&mut self, new: Vec<Splice>) -> bool {
        let n_old = self.splices.len();
        self.splices.extend(new);
        // The sort is stable, so the order of insertions is kept.
        let mut order: Vec<usize> = (0..self.splices.len()).collect();
        order.sort_by_key(|&at| (self.splices[at].span.start, self.splices[at].span.end));
        let meets = order.windows(2).any(|pair| {
            let (a, b) = (self.splices[pair[0]].span, self.splices[pair[1]].span);
            b.start < a.end
        });
        if meets {
            self.splices.truncate(n_old);
            return false;
        }
        self.splices.sort_by_key(|splice| (splice.span.start, splice.span.end));
        true
    }

    /// Appends `text` with all changes applied.
    pub(super) fn render(&self, text: &[u8], out: &mut Vec<u8>) {
        let mut done = 0;
        for splice in &self.splices {
            out.extend_from_slice(&text[done..splice.span.start as usize]);
            out.extend_from_slice(&splice.text);
            done = splice.span.end as usize;
        }
        out.extend_from_slice(&text[done..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(plan: &Plan) -> Vec<u8> {
        let mut out = Vec::new();
        plan.render(b"0123456789", &mut out);
        out
    }

    #[test]
    fn what_meets_is_refused_as_a_whole() {
        let mut plan = Plan::default();
        assert!(plan.add(vec![Splice::replace(Span::new(2, 4), "ab"), Splice::insert(6, "c")]));
        assert!(!plan.add(vec![Splice::insert(0, "x"), Splice::insert(3, "y")]));
        assert!(!plan.add(vec![Splice::remove(Span::new(3, 5))]));
        assert!(!plan.add(vec![Splice::remove(Span::new(5, 8))]));
        assert_eq!(render(&plan), b"01ab45c6789");
        assert!(plan.add(vec![Splice::insert(2, "<"), Splice::insert(4, ">"), Splice::insert(6, "d")]));
        assert_eq!(render(&plan), b"01<ab>45cd6789");
    }
}
