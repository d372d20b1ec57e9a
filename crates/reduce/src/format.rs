//! What the engine must know of a file format.

use nub_edits::MergedEdits;
use nub_text::Span;
use std::sync::Arc;

/// A file format: how to read a subject, what goes along with a cut, what counts as well formed.
pub trait SubjectFormat: Sync {
    /// What passes list their edits on.
    type View: Sync;

    /// Reads a subject. Total: every sequence of bytes has a view.
    fn read(&self, bytes: Vec<u8>) -> Self::View;

    /// As [`SubjectFormat::read`], of bytes that others keep too. A format whose views can share them overrides this: copies of large subjects are
    /// much of what a reduction needs.
    fn read_shared(&self, bytes: Arc<Vec<u8>>) -> Self::View {
        self.read(Arc::unwrap_or_clone(bytes))
    }

    /// The bytes a view was read from.
    fn text<'v>(&self, view: &'v Self::View) -> &'v [u8];

    /// The same, for others to keep.
    fn shared_text(&self, view: &Self::View) -> Arc<Vec<u8>> {
        Arc::new(self.text(view).to_vec())
    }

    /// Adds what becomes useless by the splices chosen so far (a declaration whose last use goes). Returns true if
    /// anything was added.
    fn clean_up(&self, view: &Self::View, splices: &mut MergedEdits) -> bool;

    /// What no root reaches: the algorithms on graphs start without it. Nothing where the format knows of no roots.
    fn unreached(&self, _view: &Self::View) -> MergedEdits {
        MergedEdits::default()
    }

    /// The bytes of a candidate: the subject with the splices done. A format where a cut here must be followed by a
    /// change there (counts in a header) makes that change too, whatever the splices are.
    fn render(&self, view: &Self::View, splices: &MergedEdits) -> Vec<u8> {
        nub_edits::render(self.text(view), &splices.splices())
    }

    /// A length that no candidate of these splices comes below, found without building it. Most edits of a large subject
    /// that make it longer can be left out by that; building each would cost a copy. A format whose [`SubjectFormat::render`]
    /// does more than the splices overrides this, too.
    fn least_len(&self, view: &Self::View, splices: &MergedEdits) -> usize {
        let change = |splice: &nub_edits::Splice| splice.text.len() as i64 - splice.span.len() as i64;
        let change: i64 = splices.iter().map(change).sum();
        self.text(view).len().saturating_add_signed(change as isize)
    }

    /// Whether a subject is as well formed as the one the reduction started with.
    fn is_valid(&self, view: &Self::View) -> bool;

    /// What a subject says apart from its writing, if the format knows: layout, names, numbering, order. A candidate is not
    /// asked if one with the same canonical form has passed.
    fn canonical(&self, _view: &Self::View) -> Option<Vec<u8>> {
        None
    }

    /// Bytes on either side of a splice by which an edit that failed is recognised in a later round. More of them, and
    /// changes nearby make it worth another ask.
    fn context(&self) -> usize {
        24
    }

    /// What people count in a subject beside its bytes, with names for the summary.
    fn measure(&self, _view: &Self::View) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Places no edit may touch.
    fn protected(&self, view: &Self::View) -> Vec<Span>;
}
