//! Edges of control dependence.

use super::calls::Code;
use super::{Draft, Node};
use nub_c_ir::Program;
use nub_c_ir::analysis::deciding;

/// Adds an edge from each branch to what it decides. Cost: blocks times the depth of the post-dominator tree.
pub(super) fn edges(program: &Program, body: &Code, draft: &mut Draft) {
    let function = program.function(body.id);
    for (block, deciding) in deciding(function).iter().enumerate() {
        for branch in deciding {
            let Some(from) = body.accesses[*branch].last() else { continue };
            let targets: Vec<Node> = body.accesses[block].iter().map(|access| access.node).collect();
            targets.into_iter().for_each(|to| draft.edge(from.node, to));
        }
    }
}
