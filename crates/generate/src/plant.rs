//! Satisfiable by construction: a random assignment is drawn, and only what holds in it is asserted.
//!
//! It uses the evaluator of `nub_btor`, so that no operator is implemented twice.

use crate::builder::Generator;
use crate::error::Mistake;
use crate::leaves::random_value;
use crate::model::to_model;
use nub_bitvec::{ArrayValue, Datum};
use nub_btor::eval::{Values, evaluate};
use nub_btor::{BtorNodeId, Ref, Sort};
use nub_random::Rng;

/// Limit on the elements of a random array that differ from the default.
const MAX_EXCEPTIONS: u32 = 8;

impl Generator {
    /// Draws an assignment, and evaluates all existing nodes.
    pub(crate) fn plant(&mut self) -> Result<Planted, Mistake> {
        let (model, refs) = to_model(&self.dag)?;
        let rng = &mut self.rng;
        let values = evaluate(&model, |leaf| random_datum(model.node(leaf).sort, rng))?;
        Ok(Planted { refs, values })
    }
}

/// The values of all nodes in a random assignment.
pub(crate) struct Planted {
    /// By node of the graph: the reference that represents it in the evaluated model.
    refs: Vec<Ref>,
    values: Values,
}

impl Planted {
    /// The number of nodes that were evaluated.
    pub(crate) fn len(&self) -> usize {
        self.refs.len()
    }

    /// The value of a node.
    pub(crate) fn value(&self, node: BtorNodeId) -> Datum {
        self.values.get(self.refs[node.index()])
    }

    /// Whether a one-bit edge holds.
    pub(crate) fn holds(&self, edge: Ref) -> bool {
        self.values.is_set(self.refs[edge.node().index()]) != edge.negated()
    }
}

/// A random bit-vector, or an array with a few random elements.
pub(crate) fn random_datum(sort: Sort, rng: &mut Rng) -> Datum {
    match sort {
        Sort::Bits(width) => Datum::Bits(random_value(rng, width)),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(index, random_value(rng, element));
            for _ in 0..rng.below(MAX_EXCEPTIONS + 1) {
                array.write(random_value(rng, index), random_value(rng, element));
            }
            Datum::Array(array)
        }
    }
}
