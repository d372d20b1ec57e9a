//! The substitutions of ddSMT ([Niemetz13] §2.2), as data for its `substitute` (fig. 8, in `reduce`).
//!
//! ddSMT removes command-level scopes and commands, and replaces terms by simpler ones. Unlike the passes of
//! `auto`, nothing here keeps the script legal: "the elimination of commands is solely tied to the exit code".

mod by_child;
mod by_value;
mod commands;
mod scopes;

pub use by_child::ChildChoice;
pub use by_value::{Of, ReplacementValue};
pub use commands::{CommandFilter, commands};
pub use scopes::{scope_levels, scopes};

use super::SmtView;
use crate::dag::DagSubstitution;
use nub_smtlib::{CommandKind, NodeId};

/// One step of the term substitution: which terms to replace, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubstitutionStep {
    /// By a simpler expression.
    Value(Of, ReplacementValue),
    /// By one of its children.
    Child(ChildChoice),
}

/// The steps in the order of §2.2.
pub const STEPS: &[(&str, SubstitutionStep)] = &[
    ("bv-zero", SubstitutionStep::Value(Of::BitVec, ReplacementValue::Zero)),
    ("bv-fresh", SubstitutionStep::Value(Of::BitVec, ReplacementValue::Fresh)),
    ("int-zero", SubstitutionStep::Value(Of::Int, ReplacementValue::Zero)),
    ("int-fresh", SubstitutionStep::Value(Of::Int, ReplacementValue::Fresh)),
    ("real-zero", SubstitutionStep::Value(Of::Real, ReplacementValue::Zero)),
    ("real-fresh", SubstitutionStep::Value(Of::Real, ReplacementValue::Fresh)),
    ("bvor-zero", SubstitutionStep::Child(ChildChoice::BvOrZero)),
    ("bvand-one", SubstitutionStep::Child(ChildChoice::BvAndOne)),
    ("let-body", SubstitutionStep::Child(ChildChoice::Let)),
    ("bool-false", SubstitutionStep::Value(Of::Bool, ReplacementValue::False)),
    ("bool-true", SubstitutionStep::Value(Of::Bool, ReplacementValue::True)),
    ("bool-fresh", SubstitutionStep::Value(Of::Bool, ReplacementValue::Fresh)),
    ("or-false", SubstitutionStep::Child(ChildChoice::OrFalse)),
    ("and-true", SubstitutionStep::Child(ChildChoice::AndTrue)),
    ("store-array", SubstitutionStep::Child(ChildChoice::Store)),
    ("ite-left", SubstitutionStep::Child(ChildChoice::IteLeft)),
    ("ite-right", SubstitutionStep::Child(ChildChoice::IteRight)),
];

impl SubstitutionStep {
    /// The substitutions of this step in the commands of one kind, in preorder.
    pub fn items(self, view: &SmtView, kind: CommandKind) -> Vec<DagSubstitution> {
        match self {
            SubstitutionStep::Value(of, value) => by_value::items(view, kind, of, value),
            SubstitutionStep::Child(shape) => by_child::items(view, kind, shape),
        }
    }
}

/// Where to insert declarations of fresh variables: before the first command that is not part of the preamble.
pub fn declaration_place(view: &SmtView) -> u32 {
    use CommandKind::{SetInfo, SetLogic, SetOption};
    let mut others =
        view.commands().iter().filter(|(_, kind)| !matches!(kind, SetInfo | SetLogic | SetOption));
    others.next().map_or(view.text().len() as u32, |(node, _)| view.span(*node).start)
}

/// The terms in the commands of one kind, in preorder.
fn terms_of(view: &SmtView, kind: CommandKind) -> impl Iterator<Item = NodeId> + '_ {
    let commands = view.commands().iter().filter(move |(_, other)| *other == kind);
    commands.flat_map(|(node, _)| view.tree().subtree(*node)).filter(|&node| view.is_term(node))
}
