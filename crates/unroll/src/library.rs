//! What functions of the library return in a run: asked of the library on this machine.

use crate::unrolled::{LibraryCall, Unrolled};
use crate::{terms, to_bits};
use nub_bitvec::{Assignment, Datum, Value, evaluate};
use nub_c_ir::floats::{self, FloatOperand};
use nub_c_ir::{FloatOp, NumberFormat};

impl Unrolled {
    /// Adds to the values of inputs what functions such as `sin` return in the run with these inputs. O(calls * terms).
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
        let bits = floats::apply(FloatOp::Library(self.function), format, &operands);
        terms::value(self.encoding.width(), bits)
    }
}
