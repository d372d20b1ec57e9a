//! Numbers as literals, and numbers that appear in a program.

use super::sites::Site;
use nub_c_ir::{ExprKind, FloatEncoding, Program, ints};
use nub_cnf::Lit;

/// Numbers of the program that are tried as values.
const MAX_NUMBERS: usize = 256;

/// How many bits of the slots a site reads.
pub(super) struct Widths {
    pub value: u32,
    pub keys: Vec<u32>,
    /// How the value is represented if it is a float.
    pub float: Option<FloatEncoding>,
}

pub(super) fn widths(program: &Program, site: &Site) -> Widths {
    let width = |ty| program.types.number_format(ty).map_or(u32::MAX, |format| format.width());
    let value = if site.is_truth { 1 } else { width(site.ty) };
    Widths {
        value,
        keys: site.operands.iter().map(|operand| width(operand.ty)).collect(),
        float: program.types.float_format(site.ty),
    }
}

/// Numbers that appear in a program, by representation, each list sorted. If there are many, the largest are omitted.
#[derive(Default)]
pub(super) struct NamedNumbers {
    /// Sign-extended to 64 bits.
    integers: Vec<u128>,
    floats: Vec<(FloatEncoding, Vec<u128>)>,
}

impl NamedNumbers {
    /// From all expressions of a program.
    pub fn new(program: &Program) -> NamedNumbers {
        let mut found = NamedNumbers::default();
        for expr in program.functions.iter().flat_map(|function| &function.exprs) {
            let ExprKind::Int(bits) = expr.kind else { continue };
            if let Some(format) = program.types.int_format(expr.ty) {
                let number = ints::to_signed(bits, format.width);
                found.integers.push(ints::from_signed(number, 64));
            } else if let Some(format) = program.types.float_format(expr.ty) {
                match found.floats.iter_mut().find(|(other, _)| *other == format) {
                    Some((_, list)) => list.push(bits),
                    None => found.floats.push((format, vec![bits])),
                }
            }
        }
        let lists = found.floats.iter_mut().map(|(_, list)| list).chain([&mut found.integers]);
        for list in lists {
            list.sort_unstable();
            list.dedup();
            list.truncate(MAX_NUMBERS);
        }
        found
    }

    /// Those of one representation; integers if it is not that of a float.
    pub fn of(&self, float: Option<FloatEncoding>) -> &[u128] {
        let Some(float) = float else { return &self.integers };
        let list = self.floats.iter().find(|(other, _)| *other == float);
        list.map_or(&[], |(_, list)| list.as_slice())
    }
}

/// The position of a value among all of its representation, so that neighbours differ by one. A NaN is beyond the infinities.
pub(super) fn ordinal(float: Option<FloatEncoding>, bits: u128) -> i128 {
    let Some(float) = float else { return ints::to_signed(bits, 64) };
    let magnitude = (bits & (float.sign_mask() - 1)) as i128;
    if bits & float.sign_mask() == 0 { magnitude } else { -magnitude }
}

/// Literals that say that bits are this number.
pub(super) fn is_value(bits: &[Lit], value: u128) -> impl Iterator<Item = Lit> + '_ {
    bits.iter().enumerate().map(move |(at, bit)| bit.negated_if(at >= 128 || value >> at & 1 == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_floats_differ_by_one() {
        let at = |value: f32| ordinal(Some(FloatEncoding::SINGLE), u128::from(value.to_bits()));
        assert_eq!(at(1.0_f32.next_up()) - at(1.0), 1);
        assert_eq!(at(f32::MIN_POSITIVE) - at(f32::MIN_POSITIVE.next_down()), 1);
        assert_eq!((at(0.0), at(-0.0)), (0, 0));
        assert_eq!(at(-1.0_f32.next_up()) - at(-1.0), -1);
        assert!(at(f32::NEG_INFINITY) < at(-1.0) && at(1.0) < at(f32::INFINITY));
    }

    #[test]
    fn numbers_of_a_program_by_representation() {
        let text = b"int f(float x, double y) { return x < 1.5f && y < 2.5 && y > 1.5 ? 7 : -3; }";
        let (unit, _) = nub_c_syntax::parse(text);
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let named = NamedNumbers::new(&program);
        assert_eq!(named.of(Some(FloatEncoding::SINGLE)), [u128::from(1.5_f32.to_bits())]);
        assert_eq!(
            named.of(Some(FloatEncoding::DOUBLE)),
            [1.5_f64, 2.5].map(|value| u128::from(value.to_bits()))
        );
        assert!(named.of(Some(FloatEncoding::EXTENDED)).is_empty());
        assert!(named.of(None).contains(&7));
    }
}
