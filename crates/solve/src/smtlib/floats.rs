//! Floating point: operators of the theory as operations of `nub_bitvec::float`, and conditions on variables.

use super::operators::OperatorError;
use nub_bitvec::float::{
    Float, FloatFormat, FloatOp, FloatOperation, FloatTerms, Rational, RoundingMode, Signedness,
    is_canonical, is_mode,
};
use nub_bitvec::{Op, Pool, TermId, cone};
use rustc_hash::FxHashSet;

/// A sort of this theory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatSort {
    Float(FloatFormat),
    Mode,
}

/// What an argument is.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Mode(TermId),
    Float(TermId, FloatFormat),
    Bits(TermId),
    Real(Rational),
}

/// Floats of a script.
#[derive(Default)]
pub(super) struct Floats {
    pub(super) terms: FloatTerms,
    /// Pairs of a term and a condition that excludes bit patterns that do not represent values of the term's sort. It applies if the term is used.
    conditions: Vec<(TermId, TermId)>,
    stated: FxHashSet<TermId>,
}

impl Floats {
    /// Adds the condition that a term, which is a variable or an element of an array, has a value of a sort.
    pub(super) fn restrict(&mut self, pool: &mut Pool, term: TermId, sort: FloatSort) {
        let condition = match sort {
            FloatSort::Float(format) => is_canonical(pool, format, term),
            FloatSort::Mode => is_mode(pool, term),
        };
        self.add_condition(term, condition);
    }

    /// Adds a condition for a term. It must hold in some model whenever there is a model, and is only stated if the term is used.
    pub(super) fn add_condition(&mut self, term: TermId, condition: TermId) {
        self.conditions.push((term, condition));
    }

    /// Conditions that some roots need and that have not been stated yet.
    pub(super) fn new_conditions(&mut self, pool: &Pool, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        loop {
            let all: Vec<TermId> = roots.iter().chain(&found).copied().collect();
            let below: FxHashSet<TermId> = cone(pool, &all).into_iter().collect();
            let n_before = found.len();
            for (term, condition) in &self.conditions {
                if below.contains(term) && self.stated.insert(*condition) {
                    found.push(*condition);
                }
            }
            if found.len() == n_before {
                return found;
            }
        }
    }

    /// Allows conditions to be stated again.
    pub(super) fn forget_stated(&mut self) {
        self.stated.clear();
    }

    fn make(&mut self, pool: &mut Pool, op: FloatOp, format: FloatFormat, args: &[TermId]) -> TermId {
        self.terms.apply(pool, FloatOperation { op, format }, args)
    }

    /// Applies an operator of the theory. `format` is that of the result, if it is a float; `indices` are those of the operator.
    pub(super) fn apply(
        &mut self,
        pool: &mut Pool,
        name: &'static str,
        args: &[Argument],
        format: Option<FloatFormat>,
        indices: &[u32],
    ) -> Result<TermId, OperatorError> {
        if let Some(mode) = RoundingMode::from_smtlib(name).filter(|_| args.is_empty()) {
            return Ok(pool.constant(mode.code()));
        }
        if let Some(constant) =
            format.filter(|_| args.is_empty()).and_then(|format| Float::named(name, format))
        {
            return Ok(pool.constant(constant.bits().clone()));
        }
        let refusal = || OperatorError::FloatArguments(name);
        match (name, args) {
            ("fp", [Argument::Bits(sign), Argument::Bits(exponent), Argument::Bits(fraction)]) => {
                let high = pool.mk(Op::Concat, &[*sign, *exponent]);
                let bits = pool.mk(Op::Concat, &[high, *fraction]);
                Ok(self.make(pool, FloatOp::FromBits, format.ok_or_else(refusal)?, &[bits]))
            }
            ("to_fp" | "to_fp_bv", [Argument::Bits(bits)]) => {
                Ok(self.make(pool, FloatOp::FromBits, format.ok_or_else(refusal)?, &[*bits]))
            }
            (
                "to_fp" | "to_fp_fp" | "to_fp_real" | "to_fp_signed" | "to_fp_unsigned",
                [Argument::Mode(mode), of],
            ) => {
                let signedness =
                    if name == "to_fp_unsigned" { Signedness::Unsigned } else { Signedness::Signed };
                Ok(self.converted(pool, format.ok_or_else(refusal)?, *mode, (of, signedness)))
            }
            ("fp.to_ubv" | "fp.to_sbv", [Argument::Mode(mode), Argument::Float(of, format)]) => {
                let signedness = if name == "fp.to_ubv" { Signedness::Unsigned } else { Signedness::Signed };
                let width = *indices.first().ok_or_else(refusal)?;
                Ok(self.make(pool, FloatOp::ToInteger(signedness, width), *format, &[*mode, *of]))
            }
            ("fp.lt" | "fp.leq" | "fp.gt" | "fp.geq" | "fp.eq", [Argument::Float(..), ..]) => {
                self.chain(pool, name, args).ok_or_else(refusal)
            }
            _ => self.plain(pool, name, args).ok_or_else(refusal),
        }
    }

    /// Operators on floats of one format, with or without a mode.
    fn plain(&mut self, pool: &mut Pool, name: &str, args: &[Argument]) -> Option<TermId> {
        let op = FloatOp::from_smtlib(name)?;
        let (format, terms) = floats(args)?;
        let operation = FloatOperation { op, format };
        let has_mode = matches!(args.first(), Some(Argument::Mode(_)));
        let fits = terms.len() == operation.operand_widths().len() && has_mode == operation.has_mode();
        fits.then(|| self.make(pool, op, format, &terms))
    }

    /// Comparisons of adjacent arguments.
    fn chain(&mut self, pool: &mut Pool, name: &str, args: &[Argument]) -> Option<TermId> {
        let (format, terms) = floats(args)?;
        let mut all = pool.truth(true);
        for pair in terms.windows(2) {
            let (op, pair) = match name {
                "fp.lt" => (FloatOp::Less, [pair[0], pair[1]]),
                "fp.gt" => (FloatOp::Less, [pair[1], pair[0]]),
                "fp.leq" => (FloatOp::AtMost, [pair[0], pair[1]]),
                "fp.geq" => (FloatOp::AtMost, [pair[1], pair[0]]),
                _ => (FloatOp::Equal, [pair[0], pair[1]]),
            };
            let link = self.make(pool, op, format, &pair);
            all = pool.mk(Op::And, &[all, link]);
        }
        Some(all)
    }

    fn converted(
        &mut self,
        pool: &mut Pool,
        format: FloatFormat,
        mode: TermId,
        (of, signedness): (&Argument, Signedness),
    ) -> TermId {
        match of {
            Argument::Float(of, from) => self.make(pool, FloatOp::FromFloat(*from), format, &[mode, *of]),
            Argument::Bits(of) | Argument::Mode(of) => {
                let op = FloatOp::FromInteger(signedness, pool.width(*of));
                self.make(pool, op, format, &[mode, *of])
            }
            Argument::Real(number) => rounded(pool, format, mode, number),
        }
    }
}

/// A real constant, rounded by a mode that may be a variable: each mode has its own value.
fn rounded(pool: &mut Pool, format: FloatFormat, mode: TermId, number: &Rational) -> TermId {
    let mut chosen = None;
    for known in RoundingMode::ALL.into_iter().rev() {
        let value = pool.constant(number.round(format, known).bits().clone());
        chosen = Some(match chosen {
            None => value,
            Some(others) => {
                let code = pool.constant(known.code());
                let is_known = pool.mk(Op::Eq, &[code, mode]);
                pool.mk(Op::Ite, &[is_known, value, others])
            }
        });
    }
    chosen.expect("there are five modes")
}

/// The terms of a mode and floats, and the common format of the floats.
fn floats(args: &[Argument]) -> Option<(FloatFormat, Vec<TermId>)> {
    let mut format = None;
    let mut terms = Vec::with_capacity(args.len());
    for arg in args {
        match arg {
            Argument::Mode(term) => terms.push(*term),
            Argument::Float(term, of) if format.is_none_or(|format| format == *of) => {
                format = Some(*of);
                terms.push(*term);
            }
            _ => return None,
        }
    }
    Some((format?, terms))
}
