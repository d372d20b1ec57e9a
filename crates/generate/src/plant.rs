//! Satisfiable by construction: a random assignment is drawn, and only what holds in it is asserted.
//!
//! The evaluator is that of `nub_btor`, so that no rule of an operator is written twice.

use crate::builder::Generator;
use crate::error::Mistake;
use crate::leaves::random_value;
use crate::model::to_model;
use crate::rng::Rng;
use nub_bitvec::{ArrayValue, Datum};
use nub_btor::Sort;
use nub_btor::eval::evaluate;

/// Elements of a random array that differ from the others, at most.
const MAX_EXCEPTIONS: u32 = 8;

impl Generator {
    /// By node: whether a one-bit node holds in a random assignment.
    pub(crate) fn plant(&mut self) -> Result<Vec<bool>, Mistake> {
        let (model, refs) = to_model(&self.dag)?;
        let rng = &mut self.rng;
        let values = evaluate(&model, |leaf| random_datum(model.node(leaf).sort, rng))?;
        Ok(refs.iter().map(|&of| values.is_set(of)).collect())
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
