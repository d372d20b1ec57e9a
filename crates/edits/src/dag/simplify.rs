//! The optional step after every replacement: applies the rules of fig. 4.2 to the whole graph.
//!
//! ```text
//! 3 zero 1                        1 var 1
//! 4 and 1 1 3          =>         2 var 1
//! 5 or 1 2 -4                     ...            5 is `2 or 1`, all ones
//! ```
//!
//! One sweep from the leaves finds the value of every node, one walk from the roots writes the result: O(nodes + edges).

use super::{Changes, Dag, DagEdge, DagNode, Graph, KnownConstant, Replacement, RuleOutcome, outcome};

/// The value of a node after all rules have been applied below it.
#[derive(Clone, Copy)]
enum Amount {
    /// The node itself.
    Node,
    Constant(KnownConstant),
    /// A node below, possibly complemented.
    Alias(DagEdge),
}

/// The changes after applying all rules as long as any matches. Empty if none does.
pub fn simplify(dag: &impl Dag) -> Changes {
    let graph = Graph::new(dag);
    let amounts = amounts(dag, &graph);
    changes(dag, &graph, &amounts)
}

fn amounts<D: Dag>(dag: &D, graph: &Graph) -> Vec<Amount> {
    let mut amounts = vec![Amount::Node; dag.n_nodes()];
    // Deepest first: every operand is deeper than the node that uses it.
    let mut order = graph.pre_order().to_vec();
    order.sort_by_key(|&node| std::cmp::Reverse(graph.depth(node)));
    for node in order {
        amounts[node.index()] = match dag.constant(node) {
            Some(constant) => Amount::Constant(constant),
            None => by_rule(dag, graph, &amounts, node).unwrap_or(Amount::Node),
        };
    }
    amounts
}

fn by_rule<D: Dag>(dag: &D, graph: &Graph, amounts: &[Amount], node: DagNode) -> Option<Amount> {
    let operator = dag.operator(node)?;
    let edges = graph.children(node);
    let operands: Vec<Option<KnownConstant>> = edges.iter().map(|&edge| constant(amounts, edge)).collect();
    let (index, negated) = match outcome(operator, &operands)? {
        RuleOutcome::Constant(constant) => return Some(Amount::Constant(constant)),
        RuleOutcome::Operand(index) => (index, false),
        RuleOutcome::Complement(index) => (index, true),
    };
    let edge = follow(amounts, edges[index]);
    let negated = negated ^ edge.negated;
    if let Amount::Constant(constant) = amounts[edge.to.index()] {
        return Some(Amount::Constant(if negated { constant.negated() } else { constant }));
    }
    (D::NEGATED_EDGES || !negated).then_some(Amount::Alias(DagEdge { to: edge.to, negated }))
}

fn constant(amounts: &[Amount], edge: DagEdge) -> Option<KnownConstant> {
    let edge = follow(amounts, edge);
    match amounts[edge.to.index()] {
        Amount::Constant(constant) if edge.negated => Some(constant.negated()),
        Amount::Constant(constant) => Some(constant),
        _ => None,
    }
}

/// The target of an edge after following aliases. Aliases are created bottom up, so one step is enough.
fn follow(amounts: &[Amount], edge: DagEdge) -> DagEdge {
    match amounts[edge.to.index()] {
        Amount::Alias(alias) => DagEdge { to: alias.to, negated: edge.negated ^ alias.negated },
        _ => edge,
    }
}

fn changes<D: Dag>(dag: &D, graph: &Graph, amounts: &[Amount]) -> Changes {
    let mut changes = Changes::default();
    let mut seen = vec![false; dag.n_nodes()];
    let mut stack: Vec<DagNode> = graph.roots().to_vec();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        if let Amount::Constant(constant) = amounts[node.index()] {
            let with = if constant == KnownConstant::Zero { Replacement::Zero } else { Replacement::Ones };
            if dag.replace(node, with).is_some() {
                changes.replaced.insert(node, with);
            }
            continue;
        }
        for (index, &edge) in graph.children(node).iter().enumerate() {
            let target = follow(amounts, edge);
            let can_be = target != edge && dag.redirect(node, index, target).is_some();
            if can_be {
                changes.redirected.insert((node, index), target);
            }
            stack.push(if can_be { target.to } else { edge.to });
        }
    }
    changes
}
