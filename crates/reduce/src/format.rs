//! What the engine must know of a file format.

use nub_edits::Merged;
use nub_text::Span;

/// A file format: how to read a subject, what goes along with a cut, what counts as well formed.
pub trait Format: Sync {
    /// What passes list their edits on.
    type View: Sync;

    /// Reads a subject. Total: every sequence of bytes has a view.
    fn read(&self, bytes: Vec<u8>) -> Self::View;

    /// The bytes a view was read from.
    fn text<'v>(&self, view: &'v Self::View) -> &'v [u8];

    /// Adds what becomes useless by the splices chosen so far (a declaration whose last use goes). Returns true if
    /// anything was added.
    fn clean_up(&self, view: &Self::View, splices: &mut Merged) -> bool;

    /// Whether a subject is as well formed as the one the reduction started with.
    fn is_valid(&self, view: &Self::View) -> bool;

    /// Places no edit may touch.
    fn protected(&self, view: &Self::View) -> Vec<Span>;
}
