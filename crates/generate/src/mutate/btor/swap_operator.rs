//! Replaces an operator by another one for the same widths.
//!
//! ```text
//! 4 add 8 2 3   ->   4 srem 8 2 3
//! 5 ult 1 2 3   ->   5 smulo 1 2 3
//! ```

use super::{BtorSeed, Splice, pick};
use nub_btor::{BtorDialect, Sort, Tag, WidthRule, ops};
use nub_random::Rng;

pub(super) fn propose(seed: &BtorSeed, rng: &mut Rng) -> Option<Vec<Splice>> {
    let id = pick(rng, &seed.operators)?;
    let line = seed.file.line(id);
    let (old, result, args) = (line.tag?, line.sort?, seed.args(id)?);
    let dialect = seed.dialect();
    let fitting: Vec<&str> = ops::OPS
        .iter()
        .filter(|op| op.tag != old && op.shape == old.op().shape && op.tag != Tag::Nego)
        .filter(|op| {
            fits(op.rule, &args, result, dialect) && (op.rule == old.rule() || !has_numbers(op.rule))
        })
        .filter_map(|op| op.tag.name(dialect))
        .collect();
    let name = pick(rng, &fitting)?;
    Some(vec![Splice::replace(line.tag_span, name)])
}

/// True for rules whose widths depend on numbers of the line.
fn has_numbers(rule: WidthRule) -> bool {
    matches!(rule, WidthRule::Slice | WidthRule::Extend)
}

/// True if an operator of this rule takes these operands and has this result.
fn fits(rule: WidthRule, args: &[Sort], result: Sort, dialect: BtorDialect) -> bool {
    let is_bit = result == Sort::BIT;
    let same_bits = args.iter().all(|arg| *arg == args[0] && !arg.is_array());
    match rule {
        WidthRule::Same => same_bits && args[0] == result,
        WidthRule::Compare => same_bits && is_bit,
        // BTOR does not allow reductions of a single bit.
        WidthRule::Reduce => {
            is_bit && !args[0].is_array() && (dialect == BtorDialect::Btor2 || args[0] != Sort::BIT)
        }
        WidthRule::Bit => is_bit && args.iter().all(|arg| *arg == Sort::BIT),
        WidthRule::Equal => is_bit && args.iter().all(|arg| *arg == args[0]),
        WidthRule::Shift => match dialect {
            BtorDialect::Btor2 => same_bits && args[0] == result,
            // The shifted operand has a power of two as width, and the amount has its logarithm.
            BtorDialect::Btor => match *args {
                [Sort::Bits(width), Sort::Bits(amount)] => {
                    width >= 2 && amount < u32::BITS && 1 << amount == width && args[0] == result
                }
                _ => false,
            },
        },
        // The rule and the shape do not change: `uext` and `sext`.
        WidthRule::Extend => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn every_operator_at_the_same_widths() {
        let seed = "1 var 8 x\n2 var 3 y\n3 sll 8 1 2\n4 redor 1 3\n5 root 1 4\n";
        let wanted = ["srl", "sra", "rol", "ror"].map(|name| seed.replace("sll", name));
        let all = expect(MutationKind::SwapOperator, seed, &wanted.each_ref().map(String::as_str));
        assert_eq!(all.len(), 4 + 2, "{all:#?}");
    }
}
