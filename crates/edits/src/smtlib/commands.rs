//! Removes commands that declare nothing: assertions, queries, options.
//!
//! ```text
//! (assert a)      =>   (check-sat)
//! (check-sat)
//! ```
//!
//! Declarations are removed with their last use (clean-up) or by the pass `unused`, so no ask is wasted on a script with an
//! undeclared symbol. `push` and `pop` have their own pass, because they are removed in pairs.

use super::SmtView;
use crate::{Edit, Grouping, Pass};
use nub_smtlib::CommandKind;

/// Which commands to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Commands {
    /// Assertions and similar commands.
    Asserts,
    /// Everything that declares nothing.
    All,
}

impl Pass<SmtView> for Commands {
    fn name(&self) -> &'static str {
        match self {
            Commands::Asserts => "asserts",
            Commands::All => "commands",
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        use CommandKind::*;
        let wanted = |kind: CommandKind| match self {
            Commands::Asserts => matches!(kind, Assert | AssertSoft | Constraint | Rule),
            Commands::All => !kind.declares() && !matches!(kind, Push | Pop),
        };
        view.commands().iter().filter(|(_, kind)| wanted(*kind)).map(|(node, _)| view.cut(*node)).collect()
    }
}
