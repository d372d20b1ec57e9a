//! Makes a node a constant or a variable: what only it needs goes along.
//!
//! ```text
//! 5 add 8 3 4        =>        5 zero 8
//! ```

use super::View;
use super::band::Band;
use crate::dag::{Dag, Node, Replacement};
use crate::{Edit, Pass};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Which nodes.
    pub band: Band,
    /// By what.
    pub with: Replacement,
}

impl Pass<View> for Constants {
    fn name(&self) -> &'static str {
        match self.with {
            Replacement::Zero => "zeros",
            Replacement::Ones => "ones",
            Replacement::Variable => "variables",
        }
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let nodes = self.band.nodes(view).into_iter();
        nodes
            .filter_map(|line| view.replace(Node(line.index() as u32), self.with))
            .map(|one| one.edit)
            .collect()
    }
}
