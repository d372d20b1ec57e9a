//! A kind of edit.

use crate::Edit;

/// The approximate number of edits that a pass lists at once: some 2 MB. They are listed again after any of them has succeeded. Asking
/// this many one by one takes hours, and if a file is still that large then, whole kinds of edits are given up.
pub(crate) const MAX_EDITS: usize = 1 << 14;

/// The approximate number of splices in all listed edits: bounds memory if every edit touches many places.
pub(crate) const MAX_SPLICES: usize = 1 << 16;

/// How the engine may combine the edits of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// Independent edits: asked in groups; disjoint successes add up.
    Groups,
    /// As `Groups`; if no group succeeds, the complements are also asked.
    Complements,
    /// Each edit changes the whole subject: asked one at a time, and listed again after a success.
    Single,
    /// Ordered from the most to the least powerful, each implying the next: bisection finds the most powerful one that still
    /// fails.
    Bisect,
}

/// A generator of edits of one kind on views of type `V`.
pub trait Pass<V>: Send + Sync {
    /// Short name, as shown in reports and used on the command line.
    fn name(&self) -> &'static str;

    /// The edits, best first. A function of the view alone.
    fn edits(&self, view: &V) -> Vec<Edit>;

    /// How they may be combined.
    fn grouping(&self) -> Grouping {
        Grouping::Groups
    }
}
