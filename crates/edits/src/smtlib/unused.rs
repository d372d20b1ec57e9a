//! Removes unused declarations.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, DeclId, NodeId};
use rustc_hash::FxHashSet;

/// See the module.
pub struct SmtUnused;

impl Pass<SmtView> for SmtUnused {
    fn name(&self) -> &'static str {
        "unused"
    }

    /// Later declarations first: then the declarations they use can be removed in the same group.
    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let used = used_commands(view);
        let unused =
            view.commands().iter().rev().filter(|(node, kind)| {
                (kind.declares() || *kind == CommandKind::Other) && !used.contains(node)
            });
        unused.map(|(node, _)| view.cut(*node)).collect()
    }
}

/// Commands that declare something which is used outside the command.
fn used_commands(view: &SmtView) -> FxHashSet<NodeId> {
    let analysis = view.analysis();
    let mut used = FxHashSet::default();
    for id in analysis.decl_ids() {
        let command = command_of(view, analysis.decl(id).name);
        if used_outside(view, id, command) {
            used.insert(command);
        }
    }
    used
}

fn used_outside(view: &SmtView, id: DeclId, command: NodeId) -> bool {
    view.analysis().uses(id).iter().any(|&node| !view.tree().is_within(node, command))
}

/// The top-level node that contains a node. A binary search.
pub(super) fn command_of(view: &SmtView, node: NodeId) -> NodeId {
    let commands = view.commands();
    let after = commands.partition_point(|(command, _)| *command <= node);
    commands[after - 1].0
}
