//! The width rules, shared by the reader and the builder.

use crate::{BtorDialect, FaultKind, Sort, Tag, WidthRule};

/// Which part of a line breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The whole operator.
    Operator,
    /// The reference with this index, from 0.
    Arg(usize),
    /// The number with this index, from 0.
    Param(usize),
}

/// Why operands do not fit their operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The rule that is broken.
    pub kind: FaultKind,
    /// The part that breaks it.
    pub blame: Blame,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl Misfit {
    #[cold]
    fn new(kind: FaultKind, blame: Blame, message: String) -> Misfit {
        Misfit { kind, blame, message }
    }
}

/// A misfit of the operand `arg`, or of the operator.
#[cold]
pub(crate) fn misfit(kind: FaultKind, arg: Option<usize>, message: String) -> Misfit {
    Misfit::new(kind, arg.map_or(Blame::Operator, Blame::Arg), message)
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

/// Number of references of an operator node.
pub(crate) fn n_args(tag: Tag) -> usize {
    match tag.rule() {
        WidthRule::Leaf | WidthRule::Constant | WidthRule::None => 0,
        WidthRule::Reduce | WidthRule::Slice | WidthRule::Extend => 1,
        WidthRule::Bit | WidthRule::Equal | WidthRule::Shift | WidthRule::Concat | WidthRule::Read => 2,
        WidthRule::Ite | WidthRule::Write => 3,
        WidthRule::Same | WidthRule::Compare => match tag.op().shape {
            crate::LineShape::Nodes(n) => n as usize,
            _ => 0,
        },
    }
}

/// Number of numeric parameters of an operator node.
pub(crate) fn n_params(tag: Tag) -> usize {
    match tag.rule() {
        WidthRule::Slice => 2,
        WidthRule::Extend => 1,
        _ => 0,
    }
}

/// The sort of an operator applied to operands of these sorts, by the rules that both formats share: reductions of one bit
/// and shift amounts of either kind are accepted.
pub(crate) fn result_sort(tag: Tag, args: &[Sort], params: &[u64]) -> Result<Sort, Misfit> {
    let (has, takes) = ((args.len(), params.len()), (n_args(tag), n_params(tag)));
    if has != takes || takes.0 == 0 {
        let message = format!("{tag:?} takes {} operands and {} numbers", takes.0, takes.1);
        return Err(Misfit::new(FaultKind::WrongArity, Blame::Operator, message));
    }
    match tag.rule() {
        WidthRule::Same => same_width(args).map(Sort::Bits),
        WidthRule::Compare => same_width(args).map(|_| Sort::BIT),
        WidthRule::Reduce => bits(args, 0).map(|_| Sort::BIT),
        WidthRule::Bit => one_bit(args, 0).and_then(|()| one_bit(args, 1)).map(|()| Sort::BIT),
        WidthRule::Equal => same_sort(args, 0, 1).map(|()| Sort::BIT),
        WidthRule::Shift => shift(args),
        WidthRule::Concat => {
            let sum = u64::from(bits(args, 0)?) + u64::from(bits(args, 1)?);
            width(sum, Blame::Operator).map(Sort::Bits)
        }
        WidthRule::Slice => slice(bits(args, 0)?, params[0], params[1]),
        WidthRule::Extend => {
            let sum = u64::from(bits(args, 0)?).saturating_add(params[0]);
            width(sum, Blame::Param(0)).map(Sort::Bits)
        }
        WidthRule::Ite => {
            one_bit(args, 0)?;
            same_sort(args, 1, 2)?;
            Ok(args[1])
        }
        WidthRule::Read => element(args).map(Sort::Bits),
        WidthRule::Write => write(args),
        // Excluded above: these take no operands.
        WidthRule::Leaf | WidthRule::Constant | WidthRule::None => Ok(Sort::BIT),
    }
}

/// The additional rules of one format. Must only be called if [`result_sort`] succeeded.
pub(crate) fn check_dialect(tag: Tag, args: &[Sort], dialect: BtorDialect) -> Result<(), Misfit> {
    match (tag.rule(), dialect) {
        (WidthRule::Reduce, BtorDialect::Btor) if args[0] == Sort::BIT => {
            let message = "a reduction of one bit is not allowed in BTOR".to_owned();
            Err(Misfit::new(FaultKind::ReducedOneBit, Blame::Arg(0), message))
        }
        (WidthRule::Shift, _) => {
            let fits = match dialect {
                BtorDialect::Btor => args[1].bits() == log2(args[0].width()),
                BtorDialect::Btor2 => args[1] == args[0],
            };
            if fits { Ok(()) } else { Err(shift_misfit(args)) }
        }
        _ => Ok(()),
    }
}

/// The exponent if `width` is a power of two of at least 2: the width of a BTOR shift amount.
pub(crate) fn log2(width: u32) -> Option<u32> {
    (width >= 2 && width.is_power_of_two()).then(|| width.trailing_zeros())
}

#[inline]
fn bits(args: &[Sort], at: usize) -> Result<u32, Misfit> {
    args[at].bits().ok_or_else(|| {
        let message = format!("expected a bit-vector, found {}", args[at]);
        Misfit::new(FaultKind::WrongSort, Blame::Arg(at), message)
    })
}

#[inline]
fn one_bit(args: &[Sort], at: usize) -> Result<(), Misfit> {
    match bits(args, at)? {
        1 => Ok(()),
        width => {
            let message = format!("expected 1 bit, found {width}");
            Err(Misfit::new(FaultKind::WrongWidth, Blame::Arg(at), message))
        }
    }
}

#[inline]
fn same_width(args: &[Sort]) -> Result<u32, Misfit> {
    let width = bits(args, 0)?;
    for at in 1..args.len() {
        expect_width(args, at, width, "the first operand has")?;
    }
    Ok(width)
}

#[inline]
fn expect_width(args: &[Sort], at: usize, width: u32, because: &str) -> Result<(), Misfit> {
    let found = bits(args, at)?;
    if found == width {
        return Ok(());
    }
    let message = format!("{because} {}, this one {}", Sort::Bits(width), Sort::Bits(found));
    Err(Misfit::new(FaultKind::WrongWidth, Blame::Arg(at), message))
}

#[inline]
fn same_sort(args: &[Sort], left: usize, right: usize) -> Result<(), Misfit> {
    if args[left] == args[right] {
        return Ok(());
    }
    let kind = if args[left].is_array() == args[right].is_array() {
        FaultKind::WrongWidth
    } else {
        FaultKind::WrongSort
    };
    let message = format!("operands of different sorts: {} and {}", args[left], args[right]);
    Err(Misfit::new(kind, Blame::Arg(right), message))
}

fn shift(args: &[Sort]) -> Result<Sort, Misfit> {
    let (width, amount) = (bits(args, 0)?, bits(args, 1)?);
    if amount == width || Some(amount) == log2(width) {
        return Ok(args[0]);
    }
    Err(shift_misfit(args))
}

#[cold]
fn shift_misfit(args: &[Sort]) -> Misfit {
    let message = format!("an amount of {} does not fit a shift of {}", args[1], args[0]);
    Misfit::new(FaultKind::ShiftWidth, Blame::Arg(1), message)
}

fn slice(width: u32, upper: u64, lower: u64) -> Result<Sort, Misfit> {
    if upper >= u64::from(width) {
        let message = format!("bit {upper} is not in an operand of {}", Sort::Bits(width));
        return Err(Misfit::new(FaultKind::SliceOutOfRange, Blame::Param(0), message));
    }
    if lower > upper {
        let message = format!("the lower bound {lower} is above the upper bound {upper}");
        return Err(Misfit::new(FaultKind::SliceOutOfRange, Blame::Param(1), message));
    }
    Ok(Sort::Bits((upper - lower + 1) as u32))
}

fn width(width: u64, blame: Blame) -> Result<u32, Misfit> {
    if width <= u64::from(BtorDialect::MAX_WIDTH) {
        return Ok(width as u32);
    }
    Err(Misfit::new(FaultKind::HugeWidth, blame, format!("the result would have {width} bits")))
}

/// The element width of an array that is read, after checking the index.
fn element(args: &[Sort]) -> Result<u32, Misfit> {
    let Sort::Array { index, element } = args[0] else {
        let message = format!("expected an array, found {}", args[0]);
        return Err(Misfit::new(FaultKind::WrongSort, Blame::Arg(0), message));
    };
    expect_width(args, 1, index, "the array has indices of")?;
    Ok(element)
}

fn write(args: &[Sort]) -> Result<Sort, Misfit> {
    let width = element(args)?;
    expect_width(args, 2, width, "the array has elements of")?;
    Ok(args[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Sort = Sort::Array { index: 3, element: 8 };
    const B1: Sort = Sort::BIT;
    const B3: Sort = Sort::Bits(3);
    const B8: Sort = Sort::Bits(8);
    const HUGE: Sort = Sort::Bits(BtorDialect::MAX_WIDTH);

    #[test]
    fn results() {
        let cases: &[(Tag, &[Sort], &[u64], Sort)] = &[
            (Tag::Add, &[B8, B8], &[], B8),
            (Tag::Ult, &[B8, B8], &[], B1),
            (Tag::Redor, &[B1], &[], B1),
            (Tag::Eq, &[A, A], &[], B1),
            (Tag::Sll, &[B8, B3], &[], B8),
            (Tag::Sll, &[B8, B8], &[], B8),
            (Tag::Rol, &[B1, B1], &[], B1),
            (Tag::Concat, &[B8, B3], &[], Sort::Bits(11)),
            (Tag::Slice, &[B8], &[7, 0], B8),
            (Tag::Uext, &[B3], &[5], B8),
            (Tag::Uext, &[B3], &[0], B3),
            (Tag::Ite, &[B1, A, A], &[], A),
            (Tag::Read, &[A, B3], &[], B8),
            (Tag::Write, &[A, B3, B8], &[], A),
        ];
        for (tag, args, params, sort) in cases {
            assert_eq!(result_sort(*tag, args, params).as_ref(), Ok(sort), "{tag:?}");
        }
    }

    #[test]
    fn misfits_name_the_operand() {
        use FaultKind::*;
        type Case = (Tag, &'static [Sort], &'static [u64], FaultKind, Blame);
        let cases: &[Case] = &[
            (Tag::Add, &[B8, B3], &[], WrongWidth, Blame::Arg(1)),
            (Tag::Add, &[A, B3], &[], WrongSort, Blame::Arg(0)),
            (Tag::Add, &[B8], &[], WrongArity, Blame::Operator),
            (Tag::Implies, &[B1, B8], &[], WrongWidth, Blame::Arg(1)),
            (Tag::Eq, &[A, B8], &[], WrongSort, Blame::Arg(1)),
            (Tag::Sll, &[B3, B1], &[], ShiftWidth, Blame::Arg(1)),
            (Tag::Slice, &[B8], &[8, 0], SliceOutOfRange, Blame::Param(0)),
            (Tag::Slice, &[B8], &[1, 2], SliceOutOfRange, Blame::Param(1)),
            (Tag::Concat, &[HUGE, B1], &[], HugeWidth, Blame::Operator),
            (Tag::Sext, &[B1], &[u64::MAX], HugeWidth, Blame::Param(0)),
            (Tag::Ite, &[B8, A, A], &[], WrongWidth, Blame::Arg(0)),
            (Tag::Read, &[B8, B3], &[], WrongSort, Blame::Arg(0)),
            (Tag::Write, &[A, B8, B8], &[], WrongWidth, Blame::Arg(1)),
            (Tag::Write, &[A, B3, A], &[], WrongSort, Blame::Arg(2)),
            (Tag::Var, &[], &[], WrongArity, Blame::Operator),
        ];
        for (tag, args, params, kind, blame) in cases {
            let misfit = result_sort(*tag, args, params).unwrap_err();
            assert_eq!((misfit.kind, misfit.blame), (*kind, *blame), "{tag:?}: {misfit}");
        }
    }

    #[test]
    fn what_the_formats_differ_in() {
        assert!(check_dialect(Tag::Redor, &[B1], BtorDialect::Btor2).is_ok());
        assert_eq!(
            check_dialect(Tag::Redor, &[B1], BtorDialect::Btor).unwrap_err().kind,
            FaultKind::ReducedOneBit
        );
        assert!(check_dialect(Tag::Sll, &[B8, B3], BtorDialect::Btor).is_ok());
        assert!(check_dialect(Tag::Sll, &[B8, B3], BtorDialect::Btor2).is_err());
        assert!(check_dialect(Tag::Sll, &[B8, B8], BtorDialect::Btor).is_err());
        assert!(check_dialect(Tag::Sll, &[B8, B8], BtorDialect::Btor2).is_ok());
    }
}
