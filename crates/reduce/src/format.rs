//! What the engine needs to know about a file format.

use nub_edits::MergedEdits;
use nub_text::Span;
use std::sync::Arc;

/// Which candidates may be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllowedCandidates {
    /// Only candidates that are as well-formed as the original.
    WellFormed,
    /// Also ill-formed ones (`--any`).
    Any,
}

/// A file format: how to parse a subject, what is removed together with a cut, what counts as well-formed.
pub trait SubjectFormat: Sync {
    /// What passes list their edits on.
    type View: Sync;

    /// Parses a subject. Never fails: every sequence of bytes has a view.
    fn read(&self, bytes: Vec<u8>) -> Self::View;

    /// Like [`SubjectFormat::read`], for shared bytes. A format whose views can share them overrides this: copies of large subjects take
    /// much of a reduction's memory.
    fn read_shared(&self, bytes: Arc<Vec<u8>>) -> Self::View {
        self.read(Arc::unwrap_or_clone(bytes))
    }

    /// The bytes a view was read from.
    fn text<'v>(&self, view: &'v Self::View) -> &'v [u8];

    /// The same as shared bytes.
    fn shared_text(&self, view: &Self::View) -> Arc<Vec<u8>> {
        Arc::new(self.text(view).to_vec())
    }

    /// Adds the removal of what the chosen splices make useless (a declaration whose last use is removed), unless it is
    /// protected. Returns true if anything was added.
    fn clean_up(&self, view: &Self::View, splices: &mut MergedEdits) -> bool;

    /// Removes what no root and no protected place reaches: the algorithms on graphs start without it. Empty if the format has no roots.
    fn unreached(&self, _view: &Self::View) -> MergedEdits {
        MergedEdits::default()
    }

    /// The bytes of a candidate: the subject with the splices applied. A format in which a cut requires a change
    /// elsewhere (counts in a header) makes that change too.
    fn render(&self, view: &Self::View, splices: &MergedEdits) -> Vec<u8> {
        nub_edits::render(self.text(view), &splices.splices())
    }

    /// A lower bound on the length of the candidate with these splices, computed without building it. It excludes most edits
    /// that lengthen a large subject, each of which would otherwise cost a copy. A format whose [`SubjectFormat::render`]
    /// does more than apply the splices must override this too.
    fn least_len(&self, view: &Self::View, splices: &MergedEdits) -> usize {
        let change = |splice: &nub_edits::Splice| splice.text.len() as i64 - splice.span.len() as i64;
        let change: i64 = splices.iter().map(change).sum();
        self.text(view).len().saturating_add_signed(change as isize)
    }

    /// Whether a subject is as well-formed as the original.
    fn is_valid(&self, view: &Self::View) -> bool;

    /// The subject without what does not change its meaning, if the format supports that: layout, names, numbering, order.
    /// A candidate is not asked if one with the same canonical form has passed.
    fn canonical(&self, _view: &Self::View) -> Option<Vec<u8>> {
        None
    }

    /// How many bytes on either side of a splice identify a failed edit in a later round. With more bytes, changes
    /// nearby make the edit count as new.
    fn context(&self) -> usize {
        24
    }

    /// Counts of a subject besides its bytes, with names for the summary.
    fn measure(&self, _view: &Self::View) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Places that no edit, clean-up or rendering may touch: sorted and disjoint.
    fn protected(&self, view: &Self::View) -> Vec<Span>;
}
