//! Numbers as literals, and numbers that a program names.

use super::sites::Site;
use nub_c_ir::{ExprKind, Program, ints};
use nub_cnf::Lit;

/// Numbers of the program that are tried as values.
const MAX_NUMBERS: usize = 256;

/// How many bits of the slots a site reads.
pub(super) struct Widths {
    pub value: u32,
    pub keys: Vec<u32>,
}

pub(super) fn widths(program: &Program, site: &Site) -> Widths {
    let width = |ty| program.types.int_format(ty).map_or(u32::MAX, |format| format.width);
    let value = if site.is_truth { 1 } else { width(site.ty) };
    Widths { value, keys: site.operands.iter().map(|operand| width(operand.ty)).collect() }
}

/// Numbers that stand in the program, sorted, with their signs as 64 bits. The largest are left out if there are many.
pub(super) fn numbers(program: &Program) -> Vec<u128> {
    let mut found = Vec::new();
    for expr in program.functions.iter().flat_map(|function| &function.exprs) {
        if let ExprKind::Int(bits) = expr.kind
            && let Some(format) = program.types.int_format(expr.ty)
        {
            let number = ints::to_signed(bits, format.width);
            found.push(ints::from_signed(number, 64));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_NUMBERS);
    found
}

/// Literals that say that bits are this number.
pub(super) fn is_value(bits: &[Lit], value: u128) -> impl Iterator<Item = Lit> + '_ {
    bits.iter().enumerate().map(move |(at, bit)| bit.negated_if(at >= 128 || value >> at & 1 == 0))
}
