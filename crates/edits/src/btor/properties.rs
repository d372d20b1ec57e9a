//! Cuts roots and properties, and what states are assigned.
//!
//! ```text
//! 7 constraint 5
//! 8 next 2 3 6          =>
//! 9 bad 4                             9 bad 4
//! ```

use super::View;
use crate::{Edit, Grouping, Pass};
use nub_btor::{LineId, Tag};

/// Which lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Properties {
    /// `root`, `constraint`, `bad`, `fair`, `justice`, `output`.
    Roots,
    /// `init`, `next`, `anext`: the state is free then.
    Assignments,
}

impl Pass<View> for Properties {
    fn name(&self) -> &'static str {
        match self {
            Properties::Roots => "properties",
            Properties::Assignments => "assignments",
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let is_wanted = |line: &LineId| match self {
            Properties::Roots => view.tag(*line).is_some_and(Tag::is_property),
            Properties::Assignments => matches!(view.tag(*line), Some(Tag::Init | Tag::Next | Tag::Anext)),
        };
        view.lines().filter(is_wanted).map(|line| view.cut_property(line)).collect()
    }
}
