//! Which functions a call can reach.

use crate::ids::FunctionId;
use crate::ir::{Callee, InstrKind, Program};

/// For each function, whether calls from `start` can reach it. A call through a pointer reaches every function whose address is used.
pub fn reached(program: &Program, start: FunctionId) -> Vec<bool> {
    let mut is_reached = vec![false; program.functions.len()];
    let mut todo = vec![start];
    while let Some(id) = todo.pop() {
        let Some(seen) = is_reached.get_mut(id.index()) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        for instr in program.function(id).blocks.iter().flat_map(|block| &block.instrs) {
            match &instr.kind {
                InstrKind::Call { callee: Callee::Direct(callee), .. } => todo.push(*callee),
                InstrKind::Call { callee: Callee::Pointer(_), .. } => {
                    let taken = program.functions.iter().enumerate().filter(|(_, found)| found.address_taken);
                    todo.extend(taken.map(|(index, _)| FunctionId(index as u32)));
                }
                _ => {}
            }
        }
    }
    is_reached
}
