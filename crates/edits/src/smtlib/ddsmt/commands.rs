//! Removes commands one by one.
//!
//! ```text
//! (declare-fun x () Int)
//! (assert p)               =>   (check-sat)
//! (check-sat)
//! ```
//!
//! Every command except `set-logic` and `exit`, "which are mandatory for starting and terminating scripts" (§2.2); in the
//! first round only assertions.

use crate::dag::DagSubstitution;
use crate::smtlib::SmtView;
use nub_smtlib::CommandKind;

/// Which commands to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandFilter {
    /// `assert`
    Asserts,
    /// All except `set-logic` and `exit`
    All,
}

/// The commands that may be removed, in order.
pub fn commands(view: &SmtView, filter: CommandFilter) -> Vec<DagSubstitution> {
    let wanted = |kind| match filter {
        CommandFilter::Asserts => kind == CommandKind::Assert,
        CommandFilter::All => !matches!(kind, CommandKind::SetLogic | CommandKind::Exit),
    };
    let commands = view.commands().iter().filter(|(_, kind)| wanted(*kind));
    commands.map(|(node, _)| view.cut(*node).into()).collect()
}
