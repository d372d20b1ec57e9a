//! The possible futures of a search: a tree of positions, one branch for each verdict on the candidate to be
//! asked.

use super::odds::{After, Event, Odds};
use super::{Key, Position};
use crate::SubjectFormat;
use crate::engine::Strategy;
use nub_oracle::{OracleAnswer, Verdict};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Identifies a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NodeId(u64);

/// A verdict on the candidate of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    node: NodeId,
    fails: bool,
}

struct Node<'e, F: SubjectFormat> {
    position: Position<'e, F>,
    key: Key,
    event: Event,
    /// The position if the candidate fails, and if it passes.
    if_fails: Branch,
    if_passes: Branch,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// Not explored yet.
    Open,
    /// The search is over there, or its next position is unknown.
    Closed,
    To(NodeId),
}

/// The asks and branches that are most likely to be needed.
pub(super) struct Survey {
    /// The best candidate that is not asked yet, and the probability that it is needed.
    pub(super) ask: Option<(NodeId, f64)>,
    /// The best branch that is not explored yet, and its probability.
    pub(super) edge: Option<(Edge, f64)>,
    /// Bytes of all candidates.
    pub(super) n_bytes: usize,
}

/// The tree of possible futures.
pub(super) struct Tree<'e, F: SubjectFormat> {
    nodes: FxHashMap<NodeId, Node<'e, F>>,
    root: Option<NodeId>,
    n_made: u64,
}

impl<F: SubjectFormat> Default for Tree<'_, F> {
    fn default() -> Self {
        Tree { nodes: FxHashMap::default(), root: None, n_made: 0 }
    }
}

impl<'e, F: SubjectFormat> Tree<'e, F> {
    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.root = None;
    }

    /// Called when the search asks for this candidate. If the tree expected another one, it restarts here.
    pub(super) fn be_at(&mut self, key: Key, position: impl FnOnce() -> Position<'e, F>) {
        if self.root.is_some_and(|root| self.nodes.get(&root).is_some_and(|node| node.key == key)) {
            return;
        }
        self.clear();
        self.root = Some(self.add(position(), After::Nothing));
    }

    fn add(&mut self, position: Position<'e, F>, after: After) -> NodeId {
        let id = NodeId(self.n_made);
        self.n_made += 1;
        let event = Event {
            pass: position.asking.pass,
            log_edits: position.run.n_asked().max(1).ilog2(),
            after,
            is_confirmation: position.asking.n_heard > 0,
        };
        let key = Key::of(&position.asking);
        let (if_fails, if_passes) = (Branch::Open, Branch::Open);
        self.nodes.insert(id, Node { position, key, event, if_fails, if_passes });
        id
    }

    /// What is known about the candidate that the search is asking for.
    pub(super) fn event(&self) -> Option<Event> {
        self.nodes.get(&self.root?).map(|node| node.event)
    }

    /// Called when the search has received this verdict: removes all other futures.
    pub(super) fn follow(&mut self, verdict: &Verdict) {
        let Some(root) = self.root.take().and_then(|root| self.nodes.remove(&root)) else { return };
        let (kept, refuted) = match verdict {
            Verdict::Fails => (root.if_fails, root.if_passes),
            Verdict::Passes => (root.if_passes, root.if_fails),
            Verdict::Unsure(_) => return self.clear(),
        };
        self.forget(refuted);
        if let Branch::To(next) = kept {
            self.root = Some(next);
        }
    }

    fn forget(&mut self, branch: Branch) {
        let mut branches = vec![branch];
        while let Some(branch) = branches.pop() {
            if let Branch::To(id) = branch
                && let Some(node) = self.nodes.remove(&id)
            {
                branches.extend([node.if_fails, node.if_passes]);
            }
        }
    }

    /// Visits every node with the probability that it is needed, given the known answers.
    fn walk(
        &self,
        odds: &Odds,
        kept: &FxHashMap<Key, OracleAnswer>,
        mut visit: impl FnMut(NodeId, &Node<'e, F>, f64, Chances),
    ) {
        let mut open: Vec<(NodeId, f64)> = self.root.iter().map(|root| (*root, 1.0)).collect();
        while let Some((id, chance)) = open.pop() {
            let Some(node) = self.nodes.get(&id) else { continue };
            let fails = match kept.get(&node.key).map(|answer| &answer.verdict) {
                Some(Verdict::Fails) => 1.0,
                Some(Verdict::Passes) => 0.0,
                // There is no future after an unsure verdict.
                Some(Verdict::Unsure(_)) => continue,
                None => odds.fails(&node.event),
            };
            let chances = Chances { if_fails: chance * fails, if_passes: chance * (1.0 - fails) };
            visit(id, node, chance, chances);
            for (branch, chance) in [(node.if_fails, chances.if_fails), (node.if_passes, chances.if_passes)] {
                if let Branch::To(next) = branch
                    && chance > 0.0
                {
                    open.push((next, chance));
                }
            }
        }
    }

    /// The runs of all nodes that may be needed, each with its probability.
    pub(super) fn chances(&self, odds: &Odds, kept: &FxHashMap<Key, OracleAnswer>) -> FxHashMap<Key, f64> {
        let mut found: FxHashMap<Key, f64> = FxHashMap::default();
        self.walk(odds, kept, |_, node, chance, _| *found.entry(node.key).or_default() += chance);
        found
    }

    /// What to do next.
    pub(super) fn survey(
        &self,
        odds: &Odds,
        kept: &FxHashMap<Key, OracleAnswer>,
        is_under_way: impl Fn(&Key) -> bool,
    ) -> Survey {
        let mut survey = Survey { ask: None, edge: None, n_bytes: 0 };
        self.walk(odds, kept, |id, node, chance, chances| {
            survey.n_bytes += node.position.asking.bytes.len();
            if !kept.contains_key(&node.key) && !is_under_way(&node.key) {
                raise(&mut survey.ask, id, chance);
            }
            if node.if_fails == Branch::Open {
                raise(&mut survey.edge, Edge { node: id, fails: true }, chances.if_fails);
            }
            if node.if_passes == Branch::Open {
                raise(&mut survey.edge, Edge { node: id, fails: false }, chances.if_passes);
            }
        });
        survey
    }

    /// The candidate of a node of this tree.
    pub(super) fn candidate(&self, id: NodeId) -> (Key, Arc<Vec<u8>>) {
        let node = &self.nodes[&id];
        (node.key, node.position.asking.bytes.clone())
    }

    /// Explores a branch.
    pub(super) fn grow(&mut self, edge: Edge, strategy: Option<Strategy<'e, F>>) {
        let Some(node) = self.nodes.get_mut(&edge.node) else { return };
        let verdict = if edge.fails { Verdict::Fails } else { Verdict::Passes };
        let pass = node.event.pass;
        let next = node.position.after(verdict, strategy);
        let branch = match next {
            Some(position) => {
                let after = match position.asking.pass == pass {
                    false => After::Nothing,
                    true if edge.fails => After::Fails,
                    true => After::Passes,
                };
                Branch::To(self.add(position, after))
            }
            None => Branch::Closed,
        };
        if let Some(node) = self.nodes.get_mut(&edge.node) {
            *(if edge.fails { &mut node.if_fails } else { &mut node.if_passes }) = branch;
        }
    }
}

/// The probabilities of the two branches.
#[derive(Clone, Copy)]
struct Chances {
    if_fails: f64,
    if_passes: f64,
}

fn raise<T>(best: &mut Option<(T, f64)>, item: T, chance: f64) {
    if chance > 0.0 && best.as_ref().is_none_or(|(_, other)| chance > *other) {
        *best = Some((item, chance));
    }
}
