//! Constants of the source: values that tests should have.

use crate::search::Favourites;
use nub_c_ir::{ExprKind, FunctionId, Program, TerminatorKind, ints};

/// More constants would cost more than they improve the tests.
const MAX_CONSTANTS: usize = 64;

/// The integer constants of a function, labels of `switch` included.
pub fn favourites(program: &Program, function: FunctionId) -> Favourites {
    let all = constants(program, function);
    let mut numbers = all.clone();
    numbers.sort_unstable_by_key(|number| (number.unsigned_abs(), *number < 0));
    numbers.dedup();
    numbers.truncate(MAX_CONSTANTS);
    Favourites::new(&numbers).with_constants(all)
}

/// The same as they occur, with repetitions.
pub(crate) fn constants(program: &Program, function: FunctionId) -> Vec<i128> {
    let function = program.function(function);
    let mut numbers: Vec<i128> = Vec::new();
    for expr in &function.exprs {
        if let (ExprKind::Int(bits), Some(format)) = (&expr.kind, program.types.int_format(expr.ty)) {
            let is_signed = format.is_signed || *bits > i128::MAX as u128;
            numbers.push(if is_signed { ints::to_signed(*bits, format.width) } else { *bits as i128 });
        }
    }
    for block in &function.blocks {
        if let TerminatorKind::Switch { value, cases, .. } = &block.terminator.kind {
            let width = program.types.int_format(function.expr(*value).ty).map_or(32, |format| format.width);
            numbers.extend(cases.iter().map(|case| ints::to_signed(case.low, width)));
        }
    }
    numbers
}
