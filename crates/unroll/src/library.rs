//! Results of library functions in a run, computed by the library of this machine.

use crate::unrolled::Unrolled;
use crate::{terms, to_bits};
use nub_bitvec::{Assignment, Datum, TermId, Value, evaluate};
use nub_c_ir::floats::{self, FloatOperand};
use nub_c_ir::{FloatEncoding, FloatOperator, MathFunction, NumberFormat};

/// A call of a function of `math.h` whose result is a variable: what the library returns for these operands is known only by calling it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryCall {
    /// The function.
    pub function: MathFunction,
    /// How operands and result are represented.
    pub encoding: FloatEncoding,
    /// The operands.
    pub args: Vec<TermId>,
    /// The result: any value that the function may return.
    pub result: TermId,
    /// The variable that the result is built from; in runs on this machine, the result itself.
    pub variable: TermId,
}

impl Unrolled {
    /// The assignment of a run with these values of all inputs. O(inputs + calls * terms).
    pub fn assignment(&self, inputs: &[Value]) -> Assignment {
        let mut assignment = Assignment::new();
        for (input, value) in self.inputs.iter().zip(inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        self.add_library_results(&mut assignment);
        assignment
    }

    /// Adds the results of functions such as `sin` in the run with these inputs. O(calls * terms).
    pub fn add_library_results(&self, assignment: &mut Assignment) {
        for call in &self.library_calls {
            let args: Vec<u128> =
                evaluate(&self.pool, assignment, &call.args).iter().map(|arg| to_bits(arg.bits())).collect();
            assignment.set(call.variable, Datum::Bits(call.returned(&args)));
        }
    }
}

impl LibraryCall {
    /// What the function returns for operands.
    fn returned(&self, args: &[u128]) -> Value {
        let format = NumberFormat::Float(self.encoding);
        let operands: Vec<FloatOperand> =
            args.iter().map(|bits| FloatOperand { bits: *bits, format }).collect();
        let bits = floats::apply(FloatOperator::Library(self.function), format, &operands);
        terms::value(self.encoding.width(), bits)
    }
}
