//! The search, over abstract atoms: the fewest runs of a program that reach all goals, with proof.
//!
//! [`cover`] does everything. The upper bound comes from runs that are grown as far as possible (`grow`) and a set cover over them (`choose`), or
//! from filling as many tests as the lower bound says (`slots`); the lower bound comes from a clique of needs of which no run meets two (`needs`,
//! `propagate`, `clique`), which is also the certificate. Where a gap remains, `narrow` makes it smaller, by weights of needs (`weigh`, `oracle`,
//! `fractional`, `simplex`, `rounding`, `weighted_sum`), by many runs (`climb`, `batch`, `neighbours`, `boundary_values`) and a selection among them (`pool`, `dive`, `partner`, `select`, `mend`), and by exchanging tests (`exchange`); `copies`
//! closes it. `polish` makes the values readable, and `guess` does so without the solver.

mod batch;
pub mod bitset;
mod boundary_values;
pub mod certificate;
pub mod choose;
mod climb;
mod clique;
mod config;
pub mod copies;
mod cover;
mod dive;
mod exchange;
mod explorer;
mod fractional;
mod grade;
mod grow;
mod guess;
mod knowledge;
mod library;
mod mend;
mod narrow;
mod needs;
mod neighbours;
mod oracle;
mod partner;
mod polish;
mod pool;
mod problem;
mod propagate;
mod rounding;
mod select;
mod simplex;
mod slots;
mod suite;
mod weigh;
mod weighted_sum;

pub use batch::{PricedNeed, RunBatch};
pub(crate) use boundary_values::BoundaryValues;
pub use certificate::MinimumCertificate;
pub use config::{CoverSearchConfig, GapOrder, IfBeyond, Polishing};
pub use cover::{best_grade, cover};
pub(crate) use explorer::load;
pub use explorer::{Evaluate, Explorer, Reply, RunEvaluator};
pub use grow::decide;
pub use knowledge::{AtomReach, AtomStatus, Behaviour, Knowledge, is_covered, union};
pub use library::LibraryFunction;
pub use neighbours::{Neighbours, random_value};
pub use polish::{Favourites, RunTrials, TryRun, polish, polish_by_trying, to_value};
pub use problem::{AtomId, Need, Problem, ProgramInput, SuiteObjective};
pub use propagate::Propagator;
pub use suite::{CoveringSuite, GoalState, MinimumProof, polish_suite, show_again, shown_by};
pub use weigh::Weighting;
