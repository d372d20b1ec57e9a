//! Table 2.1 of the thesis: node types in groups whose operand and result widths are related in the same way.
//!
//! A kind is an operator in a group (`eq` is in two: on words and on arrays). The options determine once which kinds
//! are possible; all possible kinds are equally likely.

use crate::config::GenerateConfig;
use nub_btor::{Sort, Tag};
use nub_random::Rng;

/// A row of the table. In the examples `n`, `m` are widths of bit-vectors and `A` is a sort of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorGroup {
    /// `n n -> n`
    Arithmetic,
    /// `n n -> 1`
    Compare,
    /// `n -> 1`; only in the old format.
    Nego,
    /// `1 1 -> 1`
    Logic,
    /// `n -> x`, `x < n`
    Slice,
    /// `n -> x`, `x > n`
    Extend,
    /// `2^n n -> 2^n`
    Shift,
    /// `-> n`
    Constant,
    /// `A n -> m`
    Read,
    /// `A n m -> A`
    Write,
    /// `n -> 1`, `n > 1`
    Reduce,
    /// `n -> n`
    Unary,
    /// `m n -> m + n`
    Concat,
    /// `1 n n -> n`
    Cond,
    /// `1 A A -> A`
    ArrayCond,
    /// `A A -> 1`
    ArrayCompare,
}

/// The table. Overflow predicates are listed as comparisons, because their widths are related in the same way.
const TABLE: &[(OperatorGroup, &[Tag])] = {
    use Tag::*;
    &[
        (OperatorGroup::Arithmetic, &[Udiv, Sdiv, Add, Sub, Urem, Srem, Smod, Mul]),
        (OperatorGroup::Compare, &[Usubo, Ssubo, Sdivo, Uaddo, Saddo, Smulo, Umulo]),
        (OperatorGroup::Compare, &[Ulte, Slte, Ult, Slt, Ugt, Sgt, Eq, Neq, Ugte, Sgte]),
        (OperatorGroup::Logic, LOGIC),
        (OperatorGroup::Slice, &[Slice]),
        (OperatorGroup::Extend, &[Uext, Sext]),
        (OperatorGroup::Shift, &[Sll, Srl, Sra, Rol, Ror]),
        (OperatorGroup::Constant, &[Const, Consth, Constd, Zero]),
        (OperatorGroup::Read, &[Read]),
        (OperatorGroup::Write, &[Write]),
        (OperatorGroup::Reduce, REDUCTIONS),
        (OperatorGroup::Unary, &[Not, Neg]),
        (OperatorGroup::Concat, &[Concat]),
        (OperatorGroup::Cond, &[Ite]),
        // Not in the table, but in version 2 of the format, which the thesis' generator supports.
        (OperatorGroup::ArrayCond, &[Acond]),
        (OperatorGroup::ArrayCompare, &[Eq, Neq]),
    ]
};

/// Operators of the format that are not in the table.
const MORE: &[(OperatorGroup, &[Tag])] = {
    use Tag::*;
    &[
        (OperatorGroup::Constant, &[One, Ones]),
        (OperatorGroup::Unary, &[Inc, Dec, Proxy]),
        (OperatorGroup::Arithmetic, &[And, Or, Xor, Xnor, Nand, Nor]),
    ]
};

/// Operators that merge the remaining bits.
pub const LOGIC: &[Tag] =
    &[Tag::Or, Tag::Implies, Tag::Iff, Tag::Xor, Tag::Xnor, Tag::And, Tag::Nand, Tag::Nor];
/// Operators of the reduction layer.
pub const REDUCTIONS: &[Tag] = &[Tag::Redxor, Tag::Redand, Tag::Redor];

/// An operator, and the row it is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperatorKind {
    /// The row.
    pub group: OperatorGroup,
    /// The operator.
    pub tag: Tag,
}

/// The sorts of the operands and the result of a new node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeSignature {
    /// The result.
    pub sort: Sort,
    /// The first `n_operands` of these are the operands.
    operands: [Sort; 3],
    n_operands: usize,
    /// As in [`crate::FormulaNode::params`].
    pub params: [u32; 2],
}

impl NodeSignature {
    fn new(sort: Sort, given: &[Sort]) -> NodeSignature {
        let mut operands = [Sort::BIT; 3];
        operands[..given.len()].copy_from_slice(given);
        NodeSignature { sort, operands, n_operands: given.len(), params: [0; 2] }
    }

    /// The operands.
    pub fn operands(&self) -> &[Sort] {
        &self.operands[..self.n_operands]
    }
}

impl OperatorGroup {
    /// True if the leading operand is an array.
    pub fn is_on_arrays(self) -> bool {
        matches!(
            self,
            OperatorGroup::Read
                | OperatorGroup::Write
                | OperatorGroup::ArrayCond
                | OperatorGroup::ArrayCompare
        )
    }

    /// The minimum and maximum width of the leading operand (for constants: of the result). `None` if the options
    /// allow no width.
    pub fn widths(self, config: &GenerateConfig) -> Option<(u32, u32)> {
        let (min, max) = (config.minwidth, config.maxwidth);
        let range = match self {
            OperatorGroup::Logic => (1, 1),
            OperatorGroup::Slice => (min + 1, max),
            OperatorGroup::Extend => (min, max - 1),
            OperatorGroup::Concat => (min, max.saturating_sub(min)),
            OperatorGroup::Reduce => (min.max(2), max),
            OperatorGroup::Shift => (min.max(2).next_power_of_two(), 1 << max.ilog2()),
            _ => (min, max),
        };
        (range.0 <= range.1).then_some(range)
    }

    /// Whether a bit-vector of this width can be the leading operand.
    pub fn takes_width(self, width: u32, config: &GenerateConfig) -> bool {
        let in_range = self.widths(config).is_some_and(|(low, high)| (low..=high).contains(&width));
        in_range && (self != OperatorGroup::Shift || width.is_power_of_two())
    }

    /// A random width of the leading operand. The group must be possible.
    pub fn random_width(self, config: &GenerateConfig, rng: &mut Rng) -> u32 {
        let (low, high) = self.widths(config).unwrap_or((1, 1));
        match self {
            OperatorGroup::Shift => 1 << rng.between(low.ilog2(), high.ilog2()),
            _ => rng.between(low, high),
        }
    }

    /// The sorts of a node whose leading operand has this sort (section 2.3: "choosing the width of the first child
    /// implies the width of the other input and the output").
    pub fn signature(self, operand: Sort, config: &GenerateConfig, rng: &mut Rng) -> NodeSignature {
        let width = operand.width();
        match (self, operand) {
            (OperatorGroup::Read, Sort::Array { index, element }) => {
                NodeSignature::new(Sort::Bits(element), &[operand, Sort::Bits(index)])
            }
            (OperatorGroup::Write, Sort::Array { index, element }) => {
                NodeSignature::new(operand, &[operand, Sort::Bits(index), Sort::Bits(element)])
            }
            (OperatorGroup::Arithmetic, _) => NodeSignature::new(operand, &[operand, operand]),
            (OperatorGroup::Compare | OperatorGroup::Logic | OperatorGroup::ArrayCompare, _) => {
                NodeSignature::new(Sort::BIT, &[operand, operand])
            }
            (OperatorGroup::Nego | OperatorGroup::Reduce, _) => NodeSignature::new(Sort::BIT, &[operand]),
            (OperatorGroup::Shift, _) => NodeSignature::new(operand, &[operand, Sort::Bits(width.ilog2())]),
            (OperatorGroup::Constant, _) => NodeSignature::new(operand, &[]),
            (OperatorGroup::Cond | OperatorGroup::ArrayCond, _) => {
                NodeSignature::new(operand, &[Sort::BIT, operand, operand])
            }
            (OperatorGroup::Concat, _) => {
                let other = rng.between(config.minwidth, config.maxwidth - width);
                NodeSignature::new(Sort::Bits(width + other), &[operand, Sort::Bits(other)])
            }
            (OperatorGroup::Slice, _) => {
                let to = rng.between(config.minwidth, width - 1);
                slice(width, to, rng)
            }
            (OperatorGroup::Extend, _) => extension(width, rng.between(width + 1, config.maxwidth)),
            (OperatorGroup::Unary | OperatorGroup::Read | OperatorGroup::Write, _) => {
                NodeSignature::new(operand, &[operand])
            }
        }
    }
}

/// A slice of `to` bits at a random position.
pub fn slice(width: u32, to: u32, rng: &mut Rng) -> NodeSignature {
    let lower = rng.between(0, width - to);
    let params = [lower + to - 1, lower];
    NodeSignature { params, ..NodeSignature::new(Sort::Bits(to), &[Sort::Bits(width)]) }
}

/// An extension to `to` bits. The file contains the number of added bits.
pub fn extension(width: u32, to: u32) -> NodeSignature {
    NodeSignature { params: [to - width, 0], ..NodeSignature::new(Sort::Bits(to), &[Sort::Bits(width)]) }
}

/// All operators that can be generated, in the order of the table; operators on both words and arrays are listed once.
pub fn all_tags() -> Vec<Tag> {
    let mut all: Vec<Tag> = Vec::new();
    for &tag in TABLE.iter().chain(MORE).flat_map(|(_, tags)| *tags) {
        if !all.contains(&tag) {
            all.push(tag);
        }
    }
    all
}

/// The rows of the table without constants: operators of one row are similar.
pub fn tag_rows() -> Vec<Vec<Tag>> {
    let rows = TABLE.iter().chain(MORE).filter(|(group, _)| *group != OperatorGroup::Constant);
    rows.map(|(_, tags)| tags.to_vec()).collect()
}

/// The kinds that these options allow, in the order of the table.
pub fn possible_kinds(config: &GenerateConfig) -> Vec<OperatorKind> {
    let nego: &[(OperatorGroup, &[Tag])] = &[(OperatorGroup::Nego, &[Tag::Nego])];
    let rows = TABLE.iter().chain(if config.more_ops { MORE } else { &[] }).chain(if config.oldformat {
        nego
    } else {
        &[]
    });
    let is_possible = |group: OperatorGroup| {
        if group.is_on_arrays() { config.n_arrays() > 0 } else { group.widths(config).is_some() }
    };
    let possible = rows.filter(|(group, _)| is_possible(*group));
    let kinds =
        possible.flat_map(|(group, tags)| tags.iter().map(|&tag| OperatorKind { group: *group, tag }));
    kinds.filter(|kind| config.only.is_empty() || config.only.contains(&kind.tag)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_options_leave_fewer_kinds() {
        let all = possible_kinds(&GenerateConfig::default()).len();
        assert_eq!(all, 8 + 17 + 8 + 3 + 5 + 4 + 2 + 3 + 2 + 1 + 1 + 1 + 2);
        let has = |config: &GenerateConfig, tag| possible_kinds(config).iter().any(|kind| kind.tag == tag);
        let bits = GenerateConfig { maxwidth: 1, noarrays: true, ..GenerateConfig::default() };
        for tag in [Tag::Slice, Tag::Uext, Tag::Sll, Tag::Redor, Tag::Concat, Tag::Read, Tag::Acond] {
            assert!(!has(&bits, tag) && has(&GenerateConfig::default(), tag), "{tag:?}");
        }
        let threes = GenerateConfig { minwidth: 3, maxwidth: 3, ..GenerateConfig::default() };
        assert!(!has(&threes, Tag::Sll) && has(&threes, Tag::Redor) && has(&threes, Tag::Read));
        assert!(has(&GenerateConfig { oldformat: true, ..GenerateConfig::default() }, Tag::Nego));
        assert!(has(&GenerateConfig { more_ops: true, ..GenerateConfig::default() }, Tag::Proxy));
    }

    #[test]
    fn signatures_keep_to_the_widths() {
        let mut rng = Rng::new(7);
        for (minwidth, maxwidth) in [(1, 4), (3, 7), (5, 5), (1, 1), (2, 64)] {
            let config = GenerateConfig { minwidth, maxwidth, ..GenerateConfig::default() };
            for kind in possible_kinds(&config) {
                for _ in 0..50 {
                    let width = kind.group.random_width(&config, &mut rng);
                    let operand = if kind.group.is_on_arrays() {
                        Sort::Array { index: 3, element: width }
                    } else {
                        Sort::Bits(width)
                    };
                    let signature = kind.group.signature(operand, &config, &mut rng);
                    let result = signature.sort.width();
                    assert!(result == 1 || (minwidth..=maxwidth).contains(&result), "{kind:?} {signature:?}");
                    assert!(signature.operands().iter().all(|sort| sort.width() >= 1));
                    assert_eq!(signature.operands().len(), crate::dag::arity(kind.tag), "{kind:?}");
                }
            }
        }
    }
}
