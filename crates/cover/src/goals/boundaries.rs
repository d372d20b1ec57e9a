//! Boundaries of comparisons: for `a > b` a run with `a` equal to `b`, one with `a` just above, one with `a` just below.
//!
//! They are added to the goals of any criterion. Just above is the next value of the common type of the operands: one more for integers,
//! without wrapping around, and the next float up for floats. Both zeros are one value, and a NaN has no neighbours.

use super::{GoalSubject, RunEvent, SourceGoal};
use nub_c_ir::NumberComparison;
use std::cmp::Ordering;

/// Whether comparisons have boundary goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoundaryGoals {
    /// They have none.
    #[default]
    Omitted,
    /// They have, in addition to the goals of the criterion.
    Added,
}

/// The position of the left operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Boundary {
    /// Equal to the right one.
    Equal,
    /// The next value up.
    Above,
    /// The next value down.
    Below,
}

impl Boundary {
    /// All of them.
    pub const ALL: [Boundary; 3] = [Boundary::Equal, Boundary::Above, Boundary::Below];

    /// The last part of the id of a goal.
    fn word(self) -> &'static str {
        match self {
            Boundary::Equal => "equal",
            Boundary::Above => "above",
            Boundary::Below => "below",
        }
    }

    /// The order of the left operand relative to the right one.
    pub fn order(self) -> Ordering {
        match self {
            Boundary::Equal => Ordering::Equal,
            Boundary::Above => Ordering::Greater,
            Boundary::Below => Ordering::Less,
        }
    }
}

/// `just above`.
impl std::fmt::Display for Boundary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Boundary::Equal => "equal",
            Boundary::Above => "just above",
            Boundary::Below => "just below",
        })
    }
}

/// The goals of one comparison; `prefix` is the id of its decision.
pub(super) fn boundary_goals(prefix: &str, found: &NumberComparison) -> [SourceGoal; 3] {
    Boundary::ALL.map(|boundary| {
        let id = format!("{prefix}/c{}/{}", found.test.condition + 1, boundary.word());
        let event = RunEvent::Boundary(found.test, boundary);
        SourceGoal { id, subject: GoalSubject::Event(event), ways: vec![vec![event]] }
    })
}
