//! Table 2.1 of the thesis: node types in groups that the widths of operands and result relate in one way.
//!
//! A kind is an operator in a group (`eq` is in two: on words and on arrays). From the options follows once which kinds
//! are possible at all; then each is as likely as any other.

use crate::config::Config;
use crate::rng::Rng;
use nub_btor::{Sort, Tag};

/// A row of the table. In the examples `n`, `m` are widths of bit-vectors and `A` is a sort of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// `n n -> n`
    Arithmetic,
    /// `n n -> 1`
    Compare,
    /// `n -> 1`; old format alone.
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

/// The table. Overflow tests are comparisons to us: the widths relate alike.
const TABLE: &[(Group, &[Tag])] = {
    use Tag::*;
    &[
        (Group::Arithmetic, &[Udiv, Sdiv, Add, Sub, Urem, Srem, Smod, Mul]),
        (Group::Compare, &[Usubo, Ssubo, Sdivo, Uaddo, Saddo, Smulo, Umulo]),
        (Group::Compare, &[Ulte, Slte, Ult, Slt, Ugt, Sgt, Eq, Neq, Ugte, Sgte]),
        (Group::Logic, LOGIC),
        (Group::Slice, &[Slice]),
        (Group::Extend, &[Uext, Sext]),
        (Group::Shift, &[Sll, Srl, Sra, Rol, Ror]),
        (Group::Constant, &[Const, Consth, Constd, Zero]),
        (Group::Read, &[Read]),
        (Group::Write, &[Write]),
        (Group::Reduce, REDUCTIONS),
        (Group::Unary, &[Not, Neg]),
        (Group::Concat, &[Concat]),
        (Group::Cond, &[Ite]),
        // Not in the table, but in version 2 of the format, which the generator supports.
        (Group::ArrayCond, &[Acond]),
        (Group::ArrayCompare, &[Eq, Neq]),
    ]
};

/// What the format knows beyond the table.
const MORE: &[(Group, &[Tag])] = {
    use Tag::*;
    &[
        (Group::Constant, &[One, Ones]),
        (Group::Unary, &[Inc, Dec, Proxy]),
        (Group::Arithmetic, &[And, Or, Xor, Xnor, Nand, Nor]),
    ]
};

/// Operators that merge what is left.
pub const LOGIC: &[Tag] =
    &[Tag::Or, Tag::Implies, Tag::Iff, Tag::Xor, Tag::Xnor, Tag::And, Tag::Nand, Tag::Nor];
/// Operators of the reduction layer.
pub const REDUCTIONS: &[Tag] = &[Tag::Redxor, Tag::Redand, Tag::Redor];

/// An operator, and the row it is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The row.
    pub group: Group,
    /// The operator.
    pub tag: Tag,
}

/// The sorts of operands and result of a node to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The result.
    pub sort: Sort,
    /// The first `n_operands` of these are the operands.
    operands: [Sort; 3],
    n_operands: usize,
    /// As in [`crate::Node::params`].
    pub params: [u32; 2],
}

impl Signature {
    fn new(sort: Sort, given: &[Sort]) -> Signature {
        let mut operands = [Sort::BIT; 3];
        operands[..given.len()].copy_from_slice(given);
        Signature { sort, operands, n_operands: given.len(), params: [0; 2] }
    }

    /// The operands.
    pub fn operands(&self) -> &[Sort] {
        &self.operands[..self.n_operands]
    }
}

impl Group {
    /// True if the operand that decides is an array.
    pub fn is_on_arrays(self) -> bool {
        matches!(self, Group::Read | Group::Write | Group::ArrayCond | Group::ArrayCompare)
    }

    /// The widths of the operand that decides (for constants: of the result), smallest and largest. `None` if the options
    /// leave none.
    pub fn widths(self, config: &Config) -> Option<(u32, u32)> {
        let (min, max) = (config.minwidth, config.maxwidth);
        let range = match self {
            Group::Logic => (1, 1),
            Group::Slice => (min + 1, max),
            Group::Extend => (min, max - 1),
            Group::Concat => (min, max.saturating_sub(min)),
            Group::Reduce => (min.max(2), max),
            Group::Shift => (min.max(2).next_power_of_two(), 1 << max.ilog2()),
            _ => (min, max),
        };
        (range.0 <= range.1).then_some(range)
    }

    /// Whether a bit-vector of this width can be the operand that decides.
    pub fn takes_width(self, width: u32, config: &Config) -> bool {
        let in_range = self.widths(config).is_some_and(|(low, high)| (low..=high).contains(&width));
        in_range && (self != Group::Shift || width.is_power_of_two())
    }

    /// A random width of the operand that decides. The group must be possible.
    pub fn random_width(self, config: &Config, rng: &mut Rng) -> u32 {
        let (low, high) = self.widths(config).unwrap_or((1, 1));
        match self {
            Group::Shift => 1 << rng.between(low.ilog2(), high.ilog2()),
            _ => rng.between(low, high),
        }
    }

    /// The sorts of a node whose deciding operand has this sort (section 2.3: "choosing the width of the first child
    /// implies the width of the other input and the output").
    pub fn signature(self, operand: Sort, config: &Config, rng: &mut Rng) -> Signature {
        let width = operand.width();
        match (self, operand) {
            (Group::Read, Sort::Array { index, element }) => {
                Signature::new(Sort::Bits(element), &[operand, Sort::Bits(index)])
            }
            (Group::Write, Sort::Array { index, element }) => {
                Signature::new(operand, &[operand, Sort::Bits(index), Sort::Bits(element)])
            }
            (Group::Arithmetic, _) => Signature::new(operand, &[operand, operand]),
            (Group::Compare | Group::Logic | Group::ArrayCompare, _) => {
                Signature::new(Sort::BIT, &[operand, operand])
            }
            (Group::Nego | Group::Reduce, _) => Signature::new(Sort::BIT, &[operand]),
            (Group::Shift, _) => Signature::new(operand, &[operand, Sort::Bits(width.ilog2())]),
            (Group::Constant, _) => Signature::new(operand, &[]),
            (Group::Cond | Group::ArrayCond, _) => Signature::new(operand, &[Sort::BIT, operand, operand]),
            (Group::Concat, _) => {
                let other = rng.between(config.minwidth, config.maxwidth - width);
                Signature::new(Sort::Bits(width + other), &[operand, Sort::Bits(other)])
            }
            (Group::Slice, _) => {
                let to = rng.between(config.minwidth, width - 1);
                slice(width, to, rng)
            }
            (Group::Extend, _) => extension(width, rng.between(width + 1, config.maxwidth)),
            (Group::Unary | Group::Read | Group::Write, _) => Signature::new(operand, &[operand]),
        }
    }
}

/// A slice of `to` bits at a random place.
pub fn slice(width: u32, to: u32, rng: &mut Rng) -> Signature {
    let lower = rng.between(0, width - to);
    let params = [lower + to - 1, lower];
    Signature { params, ..Signature::new(Sort::Bits(to), &[Sort::Bits(width)]) }
}

/// An extension to `to` bits. The number in the file is that of the added bits.
pub fn extension(width: u32, to: u32) -> Signature {
    Signature { params: [to - width, 0], ..Signature::new(Sort::Bits(to), &[Sort::Bits(width)]) }
}

/// All operators that can be generated, in the order of the table; those on words and on arrays once.
pub fn all_tags() -> Vec<Tag> {
    let mut all: Vec<Tag> = Vec::new();
    for &tag in TABLE.iter().chain(MORE).flat_map(|(_, tags)| *tags) {
        if !all.contains(&tag) {
            all.push(tag);
        }
    }
    all
}

/// The rows of the table without constants: operators of a row are much alike, those of different rows are not.
pub fn tag_rows() -> Vec<Vec<Tag>> {
    let rows = TABLE.iter().chain(MORE).filter(|(group, _)| *group != Group::Constant);
    rows.map(|(_, tags)| tags.to_vec()).collect()
}

/// The kinds that these options allow, in the order of the table.
pub fn possible_kinds(config: &Config) -> Vec<Kind> {
    let nego: &[(Group, &[Tag])] = &[(Group::Nego, &[Tag::Nego])];
    let rows = TABLE.iter().chain(if config.more_ops { MORE } else { &[] }).chain(if config.oldformat {
        nego
    } else {
        &[]
    });
    let is_possible = |group: Group| match group.is_on_arrays() {
        true => config.n_arrays() > 0,
        false => group.widths(config).is_some(),
    };
    let possible = rows.filter(|(group, _)| is_possible(*group));
    let kinds = possible.flat_map(|(group, tags)| tags.iter().map(|&tag| Kind { group: *group, tag }));
    kinds.filter(|kind| config.only.is_empty() || config.only.contains(&kind.tag)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_options_leave_fewer_kinds() {
        let all = possible_kinds(&Config::default()).len();
        assert_eq!(all, 8 + 17 + 8 + 3 + 5 + 4 + 2 + 3 + 2 + 1 + 1 + 1 + 2);
        let has = |config: &Config, tag| possible_kinds(config).iter().any(|kind| kind.tag == tag);
        let bits = Config { maxwidth: 1, noarrays: true, ..Config::default() };
        for tag in [Tag::Slice, Tag::Uext, Tag::Sll, Tag::Redor, Tag::Concat, Tag::Read, Tag::Acond] {
            assert!(!has(&bits, tag) && has(&Config::default(), tag), "{tag:?}");
        }
        let threes = Config { minwidth: 3, maxwidth: 3, ..Config::default() };
        assert!(!has(&threes, Tag::Sll) && has(&threes, Tag::Redor) && has(&threes, Tag::Read));
        assert!(has(&Config { oldformat: true, ..Config::default() }, Tag::Nego));
        assert!(has(&Config { more_ops: true, ..Config::default() }, Tag::Proxy));
    }

    #[test]
    fn signatures_keep_to_the_widths() {
        let mut rng = Rng::new(7);
        for (minwidth, maxwidth) in [(1, 4), (3, 7), (5, 5), (1, 1), (2, 64)] {
            let config = Config { minwidth, maxwidth, ..Config::default() };
            for kind in possible_kinds(&config) {
                for _ in 0..50 {
                    let width = kind.group.random_width(&config, &mut rng);
                    let operand = match kind.group.is_on_arrays() {
                        true => Sort::Array { index: 3, element: width },
                        false => Sort::Bits(width),
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
