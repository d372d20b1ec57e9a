//! Runs as values of the inputs of a copy.

use super::encoded_program::EncodedProgram;
use super::runs::Run;
use nub_bitvec::{TermId, Value, evaluate};
use nub_c_ir::RunInputs;
use nub_unroll::{InputPart, InputPlace, InputVariable, interpreter_inputs};

impl EncodedProgram<'_> {
    /// A run from values of all inputs; those of tables are ignored. `None` if the interpreter cannot be given such inputs.
    pub fn run(&self, values: Vec<Value>) -> Option<Run> {
        let inputs = interpreter_inputs(self.program, &self.unrolled, &self.unrolled.assignment(&values))?;
        Some(Run { values, inputs })
    }

    /// All inputs zero.
    pub(super) fn zeros(&self) -> Vec<Value> {
        let zero = |input: &InputVariable| Value::zero(self.unrolled.pool.width(input.term));
        self.unrolled.inputs.iter().map(zero).collect()
    }

    /// A run of another unrolling of the same program, with these inputs, as a run of this one. Values that are read come in the order in which they
    /// are read.
    pub fn adopt(&self, other: &[InputVariable], run: &Run) -> Run {
        let mut values = self.zeros();
        let mut reads = run.inputs.values.iter();
        for (index, _) in &self.inputs {
            let input = &self.unrolled.inputs[*index];
            if matches!(input.place, InputPlace::Read { .. }) {
                if self.is_true(input.guard, &values)
                    && let Some(read) = reads.next()
                {
                    let width = self.unrolled.pool.width(input.term);
                    values[*index] =
                        Value::from_bits((0..width).map(|bit| bit < 128 && read >> bit & 1 == 1));
                }
                continue;
            }
            let is_same = |candidate: &InputVariable| {
                candidate.place == input.place && part(&candidate.part) == part(&input.part)
            };
            if let Some(at) = other.iter().position(is_same) {
                values[*index] = run.values[at].clone();
            }
        }
        Run { values, inputs: run.inputs.clone() }
    }

    /// A run from inputs of the interpreter; `None` if some input is not a value that is read.
    pub fn adopt_reads(&self, inputs: &RunInputs) -> Option<Run> {
        let is_read = |index: usize| matches!(self.unrolled.inputs[index].place, InputPlace::Read { .. });
        let all_read = self.inputs.iter().all(|(index, _)| is_read(*index));
        all_read.then(|| self.adopt(&[], &Run { values: Vec::new(), inputs: inputs.clone() }))
    }

    fn is_true(&self, term: TermId, values: &[Value]) -> bool {
        match self.unrolled.pool.value(term) {
            Some(value) => !value.is_zero(),
            None => evaluate(&self.unrolled.pool, &self.unrolled.assignment(values), &[term])[0].is_true(),
        }
    }
}

/// Parts of inputs are equal if they are of the same kind.
fn part(part: &InputPart) -> u8 {
    match part {
        InputPart::Value => 0,
        InputPart::NotNull => 1,
        InputPart::Function(_) => 2,
        InputPart::LeadsTo(_) | InputPart::Element(_) => 3,
        InputPart::Member(..) => 4,
    }
}
