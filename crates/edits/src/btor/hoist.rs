//! Replaces a node by a node below it of the same sort (the `changeref` of [Vida08] §4.3.3, for all edges to
//! the node at once).
//!
//! ```text
//! 5 add 8 3 4
//! 6 ult 1 5 2        =>        6 ult 1 3 2
//! ```

use super::band::BtorBand;
use super::bypass::bypass;
use super::{BtorView, LineRef};
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_btor::LineId;
use std::collections::VecDeque;

/// Limit on the nodes inspected below one node.
const MAX_LOOK: usize = 48;
/// Limit on the replacements offered for one node.
const MAX_OFFERS: usize = 4;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct BtorHoist {
    /// Which nodes to replace.
    pub band: BtorBand,
    /// Which replacements to offer.
    pub reach: HoistReach,
}

/// How far down to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HoistReach {
    /// The first nodes of the same sort on every path down. If such a node cannot replace the node, those below it probably cannot:
    /// they remove even more.
    Nearest,
    /// Also nodes far below.
    Far,
    /// The complements of nodes below.
    Complements,
}

impl Pass<BtorView> for BtorHoist {
    fn name(&self) -> &'static str {
        "hoist"
    }

    /// All first choices, then all second choices, so that a group contains choices for different nodes.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for line in self.band.nodes(view) {
            let offers = match self.reach {
                HoistReach::Nearest => nearest(view, line),
                HoistReach::Far => offers(view, line),
                HoistReach::Complements => complements(view, line),
            };
            let offers = offers.into_iter().enumerate();
            edits.extend(offers.filter_map(|(rank, by)| Some((rank, view.replace_uses(line, by)?))));
            if edits.len() >= MAX_EDITS {
                break;
            }
        }
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// Nodes of the same sort. If many lines are needed only by the node, far ones come first, each with at most half as many such lines as
/// the one before, so that a deep chain is removed in log n steps; then those nearby, level by level.
fn offers(view: &BtorView, line: LineId) -> Vec<LineRef> {
    let mut found: Vec<LineRef> = far(view, line);
    let most = found.len() + MAX_OFFERS;
    let mut level: Vec<LineRef> = vec![line.into()];
    let mut looked = 0;
    while !level.is_empty() && found.len() < most && looked < MAX_LOOK {
        let below: Vec<LineRef> =
            level.iter().flat_map(|above| references(view, above.to)).take(MAX_LOOK).collect();
        looked += below.len();
        let fitting = below.iter().filter(|offer| view.sort(offer.to) == view.sort(line));
        for &offer in fitting {
            if !found.contains(&offer) {
                found.push(offer);
            }
        }
        level = below;
    }
    found.truncate(most);
    found
}

/// Complemented replacements: the nearest nodes below and, if a property uses the node, also those far below.
fn complements(view: &BtorView, line: LineId) -> Vec<LineRef> {
    let is_at_the_top = view.uses(line).iter().all(|at| view.is_root(at.by));
    let offers = if is_at_the_top { offers(view, line) } else { nearest(view, line) };
    offers.into_iter().map(LineRef::complement).collect()
}

/// The first nodes of the same sort on every path down, or what [`super::bypass`] offers.
fn nearest(view: &BtorView, line: LineId) -> Vec<LineRef> {
    let mut found: Vec<LineRef> = Vec::new();
    if let Some(offer) = bypass(view, line) {
        return vec![offer];
    }
    let mut queue: VecDeque<LineRef> = references(view, line).collect();
    let mut looked = 0;
    while let Some(offer) = queue.pop_front()
        && found.len() < MAX_OFFERS
        && looked < MAX_LOOK
    {
        looked += 1;
        if view.sort(offer.to) != view.sort(line) {
            queue.extend(references(view, offer.to));
        } else if !found.contains(&offer) {
            found.push(offer);
        }
    }
    found
}

/// Nodes on the path of the heaviest operands.
fn far(view: &BtorView, line: LineId) -> Vec<LineRef> {
    const MAX_FAR: usize = 8;
    const FAR_SIZE: usize = 8;
    let dominators = view.dominators();
    let mut found = Vec::new();
    let mut limit = dominators.size(line) / 2;
    let mut node = line;
    while limit >= FAR_SIZE && found.len() < MAX_FAR {
        let Some(next) = references(view, node).max_by_key(|next| dominators.size(next.to)) else { break };
        node = next.to;
        if dominators.size(node) <= limit && view.sort(node) == view.sort(line) {
            found.push(next);
            limit = dominators.size(node) / 2;
        }
    }
    found
}

fn references(view: &BtorView, line: LineId) -> impl Iterator<Item = LineRef> + '_ {
    view.nodes_of(line).filter_map(|operand| Some(LineRef { to: operand.line?, negated: operand.negated }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{each, first};

    #[test]
    fn a_node_below_of_the_same_sort() {
        let text = "1 var 8\n2 var 8\n3 add 8 1 -2\n4 ult 1 3 2\n5 root 1 4\n";
        let found = each(&BtorHoist { band: BtorBand::ALL, reach: HoistReach::Far }, text);
        assert_eq!(
            found,
            ["1 var 8\n2 var 8\n4 ult 1 1 2\n5 root 1 4\n", "2 var 8\n4 ult 1 -2 2\n5 root 1 4\n"]
        );
    }

    #[test]
    fn far_down_a_chain_first() {
        let mut text = "1 var 8\n".to_owned();
        (2..40).for_each(|id| text += &format!("{id} not 8 {}\n", id - 1));
        text += "40 redor 1 39\n41 root 1 40\n";
        let found = first(&BtorHoist { band: BtorBand::ALL, reach: HoistReach::Far }, &text);
        assert!(found.lines().count() < 24, "at most half of it is left: {found}");
    }
}
