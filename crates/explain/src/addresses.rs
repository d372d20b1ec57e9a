//! Programs whose outcome depends on the addresses of objects.

use nub_c_ir::analysis::reached;
use nub_c_ir::{ExprKind, FunctionId, Program};

/// Whether a run from `start` may use an address as a number. Objects have other addresses in the unrolled program, in the interpreter and in the
/// compiled program, so these may end differently. O(size).
pub fn looks_at_addresses(program: &Program, start: FunctionId) -> bool {
    let functions =
        program.functions.iter().zip(reached(program, start)).filter(|(_, is_reached)| *is_reached);
    let mut exprs = functions.flat_map(|(function, _)| &function.exprs);
    exprs.any(|expr| matches!(expr.kind, ExprKind::PointerToInt(_)))
}
