//! Removes lines.

use super::PlainView;
use crate::units::cuts;
use crate::{Edit, Grouping, Pass};

/// See the module.
pub struct Lines;

impl Pass<PlainView> for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        cuts(view.lines())
    }
}
