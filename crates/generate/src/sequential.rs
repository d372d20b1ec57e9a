//! Transition systems: the next values of states, and constraints.

use crate::builder::Generator;
use crate::kinds::{OperatorGroup, OperatorKind};
use nub_btor::{BtorNodeId, Sort, Tag};

/// How often to look for an operator as the next value.
const MAX_DRAWS: usize = 8;

impl Generator {
    /// Gives each state a next value of its sort, preferably one that is not used yet.
    pub(crate) fn next_states(&mut self) {
        for idx in 0..self.dag.states.len() {
            let state = self.dag.states[idx].node;
            let sort = self.dag.node(state).sort;
            let next = self.next_value(state, sort);
            self.candidates.take(next);
            self.dag.states[idx].next = Some(self.edge(next));
        }
    }

    /// An operator of the right sort, or a new one if there is none: a state that is constant or copies a leaf is not interesting.
    fn next_value(&mut self, state: BtorNodeId, sort: Sort) -> BtorNodeId {
        for _ in 0..MAX_DRAWS {
            let next = self.child_or_variable(sort);
            if next != state && self.dag.node(next).arity() > 0 {
                return next;
            }
        }
        let kind = match sort {
            Sort::Array { .. } => OperatorKind { group: OperatorGroup::Write, tag: Tag::Write },
            Sort::Bits(_) => OperatorKind { group: OperatorGroup::Arithmetic, tag: Tag::Add },
        };
        self.add_over(kind, sort)
    }

    /// Turns some open bits into constraints. At least one is left for the property.
    pub(crate) fn set_constraints(&mut self) {
        for _ in 0..self.config.constraints {
            if self.open.len() < 2 {
                let bit = self.child_or_variable(Sort::BIT);
                let bit = self.edge(bit);
                self.dag.constraints.push(bit);
                continue;
            }
            let place = self.rng.below(self.open.len() as u32) as usize;
            let bit = self.open.swap_remove(place).node();
            let bit = self.edge(bit);
            self.dag.constraints.push(bit);
        }
    }
}
