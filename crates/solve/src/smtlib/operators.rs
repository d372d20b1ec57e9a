//! Applications of built-in operators. Names, arities and the extension to more than two arguments come from the tables of
//! `nub_smtlib` and `nub_bitvec`; this file has the rest.

use nub_bitvec::{Op, Pool, Sort, SortError, TermId};
use nub_smtlib::ops::Associativity;
use rustc_hash::FxHashMap;
use std::fmt;

/// Other names for the same operator.
const ALIASES: &[(&str, &str)] =
    &[("iff", "="), ("==", "="), ("implies", "=>"), ("if", "ite"), ("if_then_else", "ite")];

/// Limit on the pairs of one `distinct`.
const MAX_PAIRS: usize = 1 << 22;

/// An application: an operator of the table, its arguments and indices, and the sort that it has.
pub(super) struct Application<'a> {
    pub(super) op: &'static nub_smtlib::SmtOp,
    pub(super) args: &'a [TermId],
    pub(super) indices: &'a [u32],
    pub(super) sort: Sort,
}

/// Why an application cannot be translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OperatorError {
    /// The solver does not have this operator.
    Unsupported(&'static str),
    /// `bvxnor` with more than two arguments.
    Xnor,
    /// This operator is applied to nothing.
    NoArguments(&'static str),
    /// The sorts of the arguments do not fit.
    Sorts(SortError),
    /// A `distinct` with too many arguments.
    Pairs,
    /// A `const` whose sort is not an array.
    ConstSort,
    /// This floating-point operator does not accept these arguments.
    FloatArguments(&'static str),
    /// This operator cannot be applied, for this reason.
    Application(&'static str, Box<OperatorError>),
}

impl fmt::Display for OperatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperatorError::Unsupported(name) => write!(f, "`{name}` is not supported"),
            OperatorError::Xnor => f.write_str("`bvxnor` takes two arguments"),
            OperatorError::NoArguments(name) => write!(f, "`{name}` has no arguments"),
            OperatorError::Sorts(error) => write!(f, "{error}"),
            OperatorError::Pairs => write!(f, "more than {MAX_PAIRS} pairs are not supported"),
            OperatorError::ConstSort => f.write_str("`const` makes an array"),
            OperatorError::FloatArguments(name) => {
                write!(f, "`{name}` cannot be applied to these arguments")
            }
            OperatorError::Application(name, error) => write!(f, "`{name}` cannot be applied: {error}"),
        }
    }
}

/// Operators by name, looked up once each.
#[derive(Default)]
pub(super) struct Operators {
    known: FxHashMap<&'static str, Option<Op>>,
}

impl Operators {
    fn find(&mut self, name: &'static str) -> Option<Op> {
        *self.known.entry(name).or_insert_with(|| {
            let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
            Op::from_smtlib(alias.map_or(name, |(_, name)| name))
        })
    }

    /// The term of an application, or why it is not supported.
    pub(super) fn apply(&mut self, pool: &mut Pool, of: &Application<'_>) -> Result<TermId, OperatorError> {
        let name = of.op.name;
        match (name, of.args, of.indices) {
            ("true", [], []) => return Ok(pool.truth(true)),
            ("false", [], []) => return Ok(pool.truth(false)),
            ("const", [element], []) => return constant_array(pool, *element, of.sort),
            ("rotate_left", [arg], [by]) => return Ok(rotate_left(pool, *arg, u64::from(*by))),
            ("rotate_right", [arg], [by]) => {
                let width = u64::from(pool.width(*arg));
                return Ok(rotate_left(pool, *arg, width - u64::from(*by) % width));
            }
            ("@bit" | "bit" | "bit2bool", [arg], [at]) => {
                return pool.apply(Op::Slice, &[*arg], &[*at, *at]).map_err(OperatorError::Sorts);
            }
            ("bvumul_noovfl", [a, b], []) => {
                let overflow = pool.apply(Op::Umulo, &[*a, *b], &[]).map_err(OperatorError::Sorts)?;
                return Ok(pool.not(overflow));
            }
            // Solvers disagree about its meaning.
            ("bvxnor", [_, _, _, ..], _) => return Err(OperatorError::Xnor),
            _ => {}
        }
        let op = self.find(name).ok_or(OperatorError::Unsupported(name))?;
        let fixed = op.info().shape.n_args() != 2 || of.op.attribute == Associativity::None;
        let made = match of.args {
            args if fixed => pool.apply(op, args, of.indices).map_err(OperatorError::Sorts),
            [] => Err(OperatorError::NoArguments(name)),
            args => extended(pool, op, of.op.attribute, args),
        };
        made.map_err(|error| OperatorError::Application(name, Box::new(error)))
    }
}

fn apply(pool: &mut Pool, op: Op, a: TermId, b: TermId) -> Result<TermId, OperatorError> {
    pool.apply(op, &[a, b], &[]).map_err(OperatorError::Sorts)
}

/// Applies an operator for two arguments to one or more.
fn extended(
    pool: &mut Pool,
    op: Op,
    attribute: Associativity,
    args: &[TermId],
) -> Result<TermId, OperatorError> {
    match attribute {
        Associativity::RightAssoc => {
            let (&last, others) = args.split_last().ok_or(OperatorError::NoArguments(op.info().name))?;
            others.iter().rev().try_fold(last, |all, arg| apply(pool, op, *arg, all))
        }
        Associativity::Chainable => {
            let mut all = pool.truth(true);
            for pair in args.windows(2) {
                let link = apply(pool, op, pair[0], pair[1])?;
                all = apply(pool, Op::And, all, link)?;
            }
            Ok(all)
        }
        Associativity::Pairwise => pairwise(pool, op, args),
        _ => {
            let (&first, others) = args.split_first().ok_or(OperatorError::NoArguments(op.info().name))?;
            others.iter().try_fold(first, |all, arg| apply(pool, op, all, *arg))
        }
    }
}

fn pairwise(pool: &mut Pool, op: Op, args: &[TermId]) -> Result<TermId, OperatorError> {
    if args.len().saturating_mul(args.len()) / 2 > MAX_PAIRS {
        return Err(OperatorError::Pairs);
    }
    let mut all = pool.truth(true);
    for (at, &a) in args.iter().enumerate() {
        for &b in &args[at + 1..] {
            let link = apply(pool, op, a, b)?;
            all = apply(pool, Op::And, all, link)?;
        }
    }
    Ok(all)
}

fn constant_array(pool: &mut Pool, element: TermId, sort: Sort) -> Result<TermId, OperatorError> {
    let Sort::Array { index, .. } = sort else { return Err(OperatorError::ConstSort) };
    pool.apply(Op::ConstArray, &[element], &[index]).map_err(OperatorError::Sorts)
}

/// Rotates towards the higher bits; the amount is taken modulo the width.
fn rotate_left(pool: &mut Pool, arg: TermId, by: u64) -> TermId {
    let width = pool.width(arg);
    // Less than the width, which fits into 32 bits.
    let by = (by % u64::from(width)) as u32;
    if by == 0 {
        return arg;
    }
    let (low, high) = (pool.slice(arg, width - by - 1, 0), pool.slice(arg, width - 1, width - by));
    pool.mk(Op::Concat, &[low, high])
}
