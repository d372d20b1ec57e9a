//! One change to a subject.

use nub_text::Span;

/// Bytes to remove, and the text that replaces them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// The bytes to remove.
    pub span: Span,
    /// The replacement; empty for a cut.
    pub text: Box<[u8]>,
}

/// Disjoint splices that only make sense together, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Sorted by position, disjoint.
    pub splices: Vec<Splice>,
}

impl Edit {
    /// Removes a span.
    pub fn cut(span: Span) -> Edit {
        Edit::replace(span, Vec::new())
    }

    /// Replaces a span by `text`.
    pub fn replace(span: Span, text: impl Into<Box<[u8]>>) -> Edit {
        Edit { splices: vec![Splice { span, text: text.into() }] }
    }

    /// Replaces the whole by a part of it, by cutting what is around the part, so that edits inside the part stay
    /// independent of this one.
    pub fn keep_part(whole: Span, part: Span) -> Edit {
        debug_assert!(whole.contains(part));
        let before = Span { start: whole.start, end: part.start };
        let after = Span { start: part.end, end: whole.end };
        Edit::of([before, after].into_iter().filter(|span| !span.is_empty()).map(|span| (span, Vec::new())))
    }

    /// Any number of replacements, in any order.
    ///
    /// # Panics
    /// If two of them overlap, which is a bug in the pass.
    pub fn of<T: Into<Box<[u8]>>>(replacements: impl IntoIterator<Item = (Span, T)>) -> Edit {
        Edit::try_of(replacements).expect("the splices of an edit are disjoint")
    }

    /// As [`Edit::of`], or `None` if two of them overlap: for spans from ill-formed input, where a use can
    /// be inside its own declaration.
    pub fn try_of<T: Into<Box<[u8]>>>(replacements: impl IntoIterator<Item = (Span, T)>) -> Option<Edit> {
        let mut splices: Vec<Splice> =
            replacements.into_iter().map(|(span, text)| Splice { span, text: text.into() }).collect();
        splices.sort_by_key(|splice| (splice.span.start, splice.span.end));
        let is_disjoint = splices.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        is_disjoint.then_some(Edit { splices })
    }

    /// The number of bytes saved; negative if the subject grows.
    pub fn gain(&self) -> i64 {
        self.splices.iter().map(|splice| splice.span.len() as i64 - splice.text.len() as i64).sum()
    }
}
