//! How to search, and the limits.

use super::polish::Favourites;
use nub_sat::SatLimits;

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct CoverSearchConfig {
    /// For the order in which things are tried. The same seed gives the same tests.
    pub seed: u64,
    /// When to stop searching. The conflicts are a limit for each question.
    pub limits: SatLimits,
    /// When to stop deciding which goals can be reached, if that is earlier.
    pub deciding: Option<SatLimits>,
    /// When to stop checking what was found and making it readable: later than the search.
    pub closing: SatLimits,
    /// Values that inputs should have.
    pub favourites: Favourites,
    /// Whether values are made readable at once.
    pub polishing: Polishing,
    /// What to do if a goal is beyond the bound.
    pub if_beyond: IfBeyond,
    /// What to do first about a gap between the bounds.
    pub gap: GapOrder,
}

/// How a gap between the bounds is closed. Both ways end with the same number of tests, if they end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GapOrder {
    /// Small programs are copied at once; of large ones the bounds are made better first.
    #[default]
    BySize,
    /// The bounds are always made better first.
    BoundsFirst,
}

/// What a search does when it finds that a goal is beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IfBeyond {
    /// It continues: the fewest tests for the other goals are found.
    #[default]
    GoOn,
    /// It ends: a larger bound follows, and the work of finding the fewest tests would be lost.
    End,
}

/// When the values of inputs are made readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Polishing {
    /// As soon as the tests are found.
    #[default]
    AtOnce,
    /// By the caller, with [`polish_suite`].
    Later,
}
