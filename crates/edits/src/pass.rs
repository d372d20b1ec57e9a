//! A kind of edit.

use crate::Edit;

/// Edits that a pass lists at once, about: some 2 MB. They are listed again when any of them has succeeded; to ask this many
/// one by one takes hours, and a file that is still so large then is one of which whole kinds are given up.
pub(crate) const MAX_EDITS: usize = 1 << 14;

/// Splices in all listed edits, about: bounds memory where every edit touches many places.
pub(crate) const MAX_SPLICES: usize = 1 << 16;

/// How the engine may put the edits of a pass together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// Independent edits: asked in groups, disjoint successes add up.
    Groups,
    /// As `Groups`; if no group succeeds the complements are asked too.
    Complements,
    /// Each edit changes the whole subject: asked one at a time, the list is rebuilt after a success.
    Single,
    /// Ordered from the strongest to the weakest, each implying the next: the strongest that still fails is found
    /// by bisection.
    Bisect,
}

/// A generator of edits of one kind on views of type `V`.
pub trait Pass<V>: Send + Sync {
    /// Short name, as shown in reports and used on the command line.
    fn name(&self) -> &'static str;

    /// The edits, most wanted first. A function of the view alone.
    fn edits(&self, view: &V) -> Vec<Edit>;

    /// How they may be put together.
    fn grouping(&self) -> Grouping {
        Grouping::Groups
    }
}
