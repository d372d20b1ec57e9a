//! Pins: asserts that nodes have their values of the planted assignment.
//!
//! ```text
//! 9 mul 4 3 7          is 6 there        12 constd 4 6
//!                                        13 eq 1 9 12
//! ```
//!
//! A formula that is only known to be satisfiable hides most bugs of a solver: another model replaces the
//! one that was lost. If inner nodes are pinned, a node that a solver computes wrongly makes the formula unsatisfiable for it.
//! Leaves are not pinned: otherwise propagating constants would solve everything.

use crate::builder::Generator;
use crate::plant::Planted;
use nub_bitvec::{Datum, Value};
use nub_btor::{BtorNodeId, Ref, Sort, Tag};

impl Generator {
    /// The conjunction of the root and some pins. All of them hold in the assignment.
    pub(crate) fn pin(&mut self, mut root: Ref, planted: &Planted) -> Ref {
        for idx in 0..planted.len() {
            let id = BtorNodeId::new(idx);
            if self.dag.node(id).arity() == 0 || !self.rng.percent(self.config.pins) {
                continue;
            }
            // BTOR has no array constants.
            if let Datum::Bits(value) = planted.value(id) {
                let pin = self.equal(id, value);
                root = self.join(Tag::And, root, pin);
            }
        }
        root
    }

    fn equal(&mut self, id: BtorNodeId, value: Value) -> Ref {
        let sort = self.dag.node(id).sort;
        if sort == Sort::BIT {
            return Ref::from(id) ^ !value.bit(0);
        }
        let place = self.dag.values.len() as u32;
        self.dag.values.push(value);
        let constant = self.dag.push_leaf(Tag::Constd, sort);
        self.dag.nodes[constant.index()].params[0] = place;
        self.join(Tag::Eq, id.into(), constant.into())
    }
}

#[cfg(test)]
mod tests {
    use crate::{ExpectedStatus, GenerateConfig, Generator};
    use nub_btor::Tag;

    /// Only checks which nodes are pinned. `tests/status.rs` checks the models.
    #[test]
    fn with_all_pins_every_word_above_the_leaves_has_one() {
        let config = GenerateConfig {
            pins: 100,
            status: Some(ExpectedStatus::Sat),
            noarrays: true,
            minwidth: 2,
            ..GenerateConfig::default()
        };
        let mut generator = Generator::new(config).unwrap();
        for seed in 0..20 {
            let dag = generator.formula(seed).unwrap();
            let is_pin = |pair: &&[crate::FormulaNode]| pair[0].tag == Tag::Constd && pair[1].tag == Tag::Eq;
            let n_pins = dag.nodes.windows(2).filter(is_pin).count();
            let n_words = dag.nodes.iter().filter(|node| node.arity() > 0 && node.sort.width() > 1).count();
            assert!(n_pins >= n_words && n_words > 10, "{n_pins} pins, {n_words} words");
        }
    }
}
