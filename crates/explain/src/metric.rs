//! The distance of two runs that are given by their inputs.

use crate::bounded_program::BoundedProgram;
use crate::convention::Counted;
use crate::given_inputs::given;
use crate::options::ExplainOptions;
use crate::session::{ExplainRefusal, refuse};
use crate::trust::Trusted;
use crate::values::Seen;
use nub_bitvec::Value;
use nub_c_ir::FunctionId;
use nub_c_ir::ProgramSource;

/// The distance of two runs: the sum of the weights of the values that differ, counting all code. It is a metric on runs up to the bounds as long as
/// all weights are positive: it is zero only for runs that agree in every value, symmetric, and satisfies the triangle inequality. Inputs that are
/// not named are zero.
pub fn distance(
    source: ProgramSource<'_>,
    function: FunctionId,
    options: &ExplainOptions,
    runs: [&[(String, i128)]; 2],
) -> Result<usize, ExplainRefusal> {
    refuse(source, function)?;
    let bounded = BoundedProgram::new(source, function, &options.unroll)?;
    let counted = Counted::new(source.program, &bounded.unrolled, &Trusted::default(), &options.weights);
    let mut seen = Vec::with_capacity(2);
    for run in runs {
        let zero = |input: &nub_unroll::InputVariable| Value::zero(bounded.unrolled.pool.width(input.term));
        let mut inputs: Vec<Value> = bounded.unrolled.inputs.iter().map(zero).collect();
        for (index, value) in given(&bounded, run)? {
            inputs[index] = value;
        }
        seen.push(Seen::new(&bounded.unrolled, &counted.positions, &inputs).values);
    }
    let pairs = seen[0].iter().zip(&seen[1]).zip(&counted.weights);
    Ok(pairs.filter(|((a, b), _)| a != b).map(|(_, weight)| *weight as usize).sum())
}
