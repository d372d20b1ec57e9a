//! The substitutions of ddSMT ([Niemetz13] §2.2), as data for its `substitute` (fig. 8, in `reduce`).
//!
//! ddSMT eliminates command-level scopes and commands, and replaces terms by simpler ones. Unlike the passes of
//! `auto` nothing here keeps the script legal: "the elimination of commands is solely tied to the exit code".

mod by_child;
mod by_value;
mod commands;
mod scopes;

pub use by_child::Shape;
pub use by_value::{Of, Value};
pub use commands::{CommandFilter, commands};
pub use scopes::{scope_levels, scopes};

use super::View;
use crate::dag::Substitution;
use nub_smtlib::{CommandKind, NodeId};

/// One step of the term substitution: which terms, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// By an expression that is simpler.
    Value(Of, Value),
    /// By one of its children.
    Child(Shape),
}

/// The steps in the order of §2.2.
pub const STEPS: &[(&str, Step)] = &[
    ("bv-zero", Step::Value(Of::BitVec, Value::Zero)),
    ("bv-fresh", Step::Value(Of::BitVec, Value::Fresh)),
    ("int-zero", Step::Value(Of::Int, Value::Zero)),
    ("int-fresh", Step::Value(Of::Int, Value::Fresh)),
    ("real-zero", Step::Value(Of::Real, Value::Zero)),
    ("real-fresh", Step::Value(Of::Real, Value::Fresh)),
    ("bvor-zero", Step::Child(Shape::BvOrZero)),
    ("bvand-one", Step::Child(Shape::BvAndOne)),
    ("let-body", Step::Child(Shape::Let)),
    ("bool-false", Step::Value(Of::Bool, Value::False)),
    ("bool-true", Step::Value(Of::Bool, Value::True)),
    ("bool-fresh", Step::Value(Of::Bool, Value::Fresh)),
    ("or-false", Step::Child(Shape::OrFalse)),
    ("and-true", Step::Child(Shape::AndTrue)),
    ("store-array", Step::Child(Shape::Store)),
    ("ite-left", Step::Child(Shape::IteLeft)),
    ("ite-right", Step::Child(Shape::IteRight)),
];

impl Step {
    /// What the step can substitute in the commands of one kind, in preorder.
    pub fn items(self, view: &View, kind: CommandKind) -> Vec<Substitution> {
        match self {
            Step::Value(of, value) => by_value::items(view, kind, of, value),
            Step::Child(shape) => by_child::items(view, kind, shape),
        }
    }
}

/// Where declarations of fresh variables go: before the first command that is no preamble.
pub fn declaration_place(view: &View) -> u32 {
    use CommandKind::{SetInfo, SetLogic, SetOption};
    let mut others =
        view.commands().iter().filter(|(_, kind)| !matches!(kind, SetInfo | SetLogic | SetOption));
    others.next().map_or(view.text().len() as u32, |(node, _)| view.span(*node).start)
}

/// The terms in the commands of one kind, in preorder.
fn terms_of(view: &View, kind: CommandKind) -> impl Iterator<Item = NodeId> + '_ {
    let commands = view.commands().iter().filter(move |(_, other)| *other == kind);
    commands.flat_map(|(node, _)| view.tree().subtree(*node)).filter(|&node| view.is_term(node))
}
