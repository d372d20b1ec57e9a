//! The main loop: adds nodes of random kinds until there are enough, or the graph is deep enough.

use crate::builder::Generator;
use crate::config::ExpectedStatus;
use crate::kinds::{OperatorGroup, OperatorKind};
use nub_btor::{BtorNodeId, Sort, Tag};

impl Generator {
    /// Adds nodes until the number of nodes or the depth is reached, and everything that the options require exists.
    pub(crate) fn grow(&mut self) {
        self.want();
        if !self.config.per_layer.is_empty() {
            return self.grow_in_layers();
        }
        while let Some(kind) = self.wanted.pop_front() {
            self.add_kind(kind);
        }
        while self.dag.len() < self.n_wanted_nodes() && self.max_depth < self.config.depth {
            if self.config.twins > 0 && self.rng.percent(self.config.twins) && self.add_twin() {
                continue;
            }
            let kind = self.rng.pick(&self.kinds);
            self.add_kind(kind);
        }
    }

    /// The number of nodes at which to stop. A contradiction contains everything twice, so half is enough for it.
    pub(crate) fn n_wanted_nodes(&self) -> usize {
        let nodes = self.config.nodes as usize;
        if self.config.status == Some(ExpectedStatus::Unsat) { nodes / 2 } else { nodes }
    }

    /// Schedules what must come first: writes, then one node of each kind if all are required.
    fn want(&mut self) {
        if self.config.all {
            self.wanted.extend(&self.kinds);
            self.rng.shuffle(self.wanted.make_contiguous());
        }
        if self.config.n_arrays() > 0 {
            for _ in 0..self.config.writes {
                self.wanted.push_front(OperatorKind { group: OperatorGroup::Write, tag: Tag::Write });
            }
        }
    }

    fn add_kind(&mut self, kind: OperatorKind) {
        let OperatorKind { group, tag } = kind;
        let operand = if group.is_on_arrays() {
            self.random_array()
        } else {
            Sort::Bits(group.random_width(&self.config, &mut self.rng))
        };
        if group == OperatorGroup::Constant {
            self.constant(tag, operand.width());
        } else {
            self.add_over(kind, operand);
        }
    }

    /// Adds an operator whose leading operand has this sort.
    pub(crate) fn add_over(
        &mut self,
        OperatorKind { group, tag }: OperatorKind,
        operand: Sort,
    ) -> BtorNodeId {
        let signature = group.signature(operand, &self.config, &mut self.rng);
        let children = self.children(&signature);
        let node = self.node(tag, &signature, children);
        self.add(node)
    }

    /// The sort of some array. There is one: kinds on arrays are only possible if there are arrays.
    pub(crate) fn random_array(&mut self) -> Sort {
        let array = self.rng.pick(self.candidates.arrays());
        self.dag.node(array).sort
    }
}
