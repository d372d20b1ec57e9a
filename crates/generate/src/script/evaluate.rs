//! Values of terms, for scripts that are satisfiable by construction: every constant gets a random value, and every assertion
//! that is false under these values is negated.

use super::arena::TermIdx;
use super::builder::Builder;
use super::catalog::OpRef;
use super::literals;
use super::theories::Fragment;
use super::universe::Universe;
use crate::error::Mistake;
use nub_bitvec::{ArrayValue, Assignment, Datum, Op, Pool, Sort, TermId, Value, evaluate};
use nub_smtlib::ops::Associativity;
use nub_smtlib::{SmtSort, SortId};

/// The terms of a script, as terms for our evaluator.
#[derive(Default)]
pub(super) struct Evaluation {
    pool: Pool,
    /// By term of the script.
    terms: Vec<Option<TermId>>,
    model: Assignment,
}

impl Evaluation {
    pub(super) fn term(&self, term: TermIdx) -> Option<TermId> {
        self.terms.get(term.index()).copied().flatten()
    }

    pub(super) fn set(&mut self, term: TermIdx, value: TermId) {
        if self.terms.len() <= term.index() {
            self.terms.resize(term.index() + 1, None);
        }
        self.terms[term.index()] = Some(value);
    }

    /// The application of an operator to arguments; its attribute determines how more than two are combined.
    fn apply(&mut self, op: OpRef, indices: &[u32], args: &[TermId]) -> Result<TermId, Mistake> {
        if let ([arg], [by], Some(rotation)) = (args, indices, rotation(op)) {
            return self.rotate(*arg, *by, rotation);
        }
        let meaning =
            Op::from_smtlib(op.name).ok_or_else(|| Mistake::new(format!("no value for {}", op.name)))?;
        let mut pair = |a: TermId, b: TermId| Ok(self.pool.apply(meaning, &[a, b], &[])?);
        match (op.attribute, args) {
            (Associativity::LeftAssoc, [first, rest @ ..]) if !rest.is_empty() => {
                rest.iter().try_fold(*first, |all, arg| pair(all, *arg))
            }
            (Associativity::RightAssoc, [rest @ .., last]) => {
                rest.iter().rev().try_fold(*last, |all, arg| pair(*arg, all))
            }
            (Associativity::Chainable, _) => {
                let links: Result<Vec<TermId>, Mistake> =
                    args.windows(2).map(|link| pair(link[0], link[1])).collect();
                self.all(&links?)
            }
            (Associativity::Pairwise, _) => {
                let mut links = Vec::new();
                for (at, a) in args.iter().enumerate() {
                    for b in &args[at + 1..] {
                        links.push(pair(*a, *b)?);
                    }
                }
                self.all(&links)
            }
            _ => Ok(self.pool.apply(meaning, args, indices)?),
        }
    }

    fn all(&mut self, links: &[TermId]) -> Result<TermId, Mistake> {
        let start = self.pool.truth(true);
        links.iter().try_fold(start, |all, link| Ok(self.pool.apply(Op::And, &[all, *link], &[])?))
    }

    /// A rotation by a constant amount, which the evaluator's operator takes as a term.
    fn rotate(&mut self, arg: TermId, by: u32, rotation: Op) -> Result<TermId, Mistake> {
        let width = self.pool.width(arg);
        let amount = Value::from_u64(width, u64::from(by % width));
        let amount = self.pool.constant(amount);
        Ok(self.pool.apply(rotation, &[arg, amount], &[])?)
    }

    fn is_true(&self, term: TermIdx) -> Option<bool> {
        let root = self.term(term)?;
        evaluate(&self.pool, &self.model, &[root]).first().map(Datum::is_true)
    }

    /// The bits of a term.
    pub(super) fn value(&self, term: TermIdx) -> Option<Value> {
        let root = self.term(term)?;
        match evaluate(&self.pool, &self.model, &[root]).pop()? {
            Datum::Bits(value) => Some(value),
            Datum::Array(_) => None,
        }
    }

    /// Records a value.
    pub(super) fn set_value(&mut self, term: TermIdx, value: Value) {
        let value = self.pool.constant(value);
        self.set(term, value);
    }
}

/// The rotation that corresponds to an indexed operator of SMT-LIB.
fn rotation(op: OpRef) -> Option<Op> {
    match op.name {
        "rotate_left" => Some(Op::Rol),
        "rotate_right" => Some(Op::Ror),
        _ => None,
    }
}

fn sort_of(universe: &Universe, sort: SortId) -> Option<Sort> {
    match universe.get(sort) {
        SmtSort::Bool => Some(Sort::BIT),
        SmtSort::BitVec(width) => Some(Sort::Bits(*width)),
        SmtSort::Array(index, element) => {
            let (index, element) = (sort_of(universe, *index)?, sort_of(universe, *element)?);
            Some(Sort::Array { index: index.bits()?, element: element.bits()? })
        }
        _ => None,
    }
}

impl Builder<'_> {
    /// Records the value of a literal.
    pub(super) fn evaluate_literal(&mut self, term: TermIdx, text: &str, sort: SortId) {
        let float = self.float_literal_value(text, sort);
        let Some(evaluation) = &mut self.evaluation else { return };
        let width = self.universe.width(sort);
        let value = match (text, text.get(..2)) {
            _ if float.is_some() => float,
            ("true", _) => Some(Value::from(true)),
            ("false", _) => Some(Value::from(false)),
            (_, Some("#b")) => Value::parse_binary(&text.as_bytes()[2..]),
            (_, Some("#x")) => Value::parse_hex(width, &text.as_bytes()[2..]),
            // `(_ bv5 8)`
            _ => {
                let digits = text.trim_start_matches("(_ bv").split(' ').next().unwrap_or_default();
                Value::parse_decimal(width, digits.as_bytes())
            }
        };
        if let Some(value) = value {
            evaluation.set_value(term, value);
        }
    }

    /// Chooses a random value for a constant.
    pub(super) fn evaluate_constant(&mut self, term: TermIdx, sort: SortId) {
        if self.evaluation.is_none() {
            return;
        }
        let float = self.random_float_value(sort);
        let Some(evaluation) = &mut self.evaluation else { return };
        if let Some(value) = float {
            evaluation.set_value(term, value);
            return;
        }
        let Some(sort) = sort_of(&self.universe, sort) else { return };
        if let Sort::Bits(width) = sort
            && self.config.theories.has(Fragment::Fp)
        {
            // Operations on floats are evaluated immediately, so their operands must be, too.
            evaluation.set_value(term, literals::bits(&mut self.rng, width));
            return;
        }
        let variable = evaluation.pool.var(sort);
        let value = match sort {
            Sort::Bits(width) => Datum::Bits(literals::bits(&mut self.rng, width)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, literals::bits(&mut self.rng, element));
                for _ in 0..self.rng.below(4) {
                    let at = literals::bits(&mut self.rng, index);
                    array.write(at, literals::bits(&mut self.rng, element));
                }
                Datum::Array(array)
            }
        };
        evaluation.model.set(variable, value);
        evaluation.set(term, variable);
    }

    /// Records the value of an application.
    pub(super) fn evaluate_application(&mut self, term: TermIdx, op: OpRef, indices: &[u32]) {
        let Some(evaluation) = &mut self.evaluation else { return };
        let args: Option<Vec<TermId>> =
            self.arena.args(term).iter().map(|arg| evaluation.term(*arg)).collect();
        let value = match args {
            Some(args) => evaluation.apply(op, indices, &args),
            None => Err(Mistake::new(format!("{} has an argument without a value", op.name))),
        };
        match value {
            Ok(value) => evaluation.set(term, value),
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
            }
        }
    }

    /// Whether a term is true, if values are known.
    pub(super) fn is_true(&self, term: TermIdx) -> Option<bool> {
        self.evaluation.as_ref().and_then(|evaluation| evaluation.is_true(term))
    }

    /// The term, or its negation if it is false under the chosen values.
    pub(super) fn made_true(&mut self, term: TermIdx) -> TermIdx {
        if self.is_true(term) != Some(false) {
            return term;
        }
        self.apply(self.catalog.core.not, &[], &[term], SortId::BOOL)
    }
}
