//! Cuts lines.

use super::View;
use crate::units::cuts;
use crate::{Edit, Grouping, Pass};

/// See the module.
pub struct Lines;

impl Pass<View> for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        cuts(view.lines())
    }
}
