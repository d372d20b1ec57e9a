//! Applications of built-in operators: chooses by the sorts of the arguments between floats, arrays with few indices, and the rest.

use super::floats::{Argument, FloatSort};
use super::operators::Application;
use super::slots;
use super::source::Slots;
use super::terms::Terms;
use nub_bitvec::float::Rational;
use nub_bitvec::{Op, Sort, TermId};
use nub_smtlib::ops::Theory;
use nub_smtlib::{self as smt, NodeId, NodeKind, SortId};
use nub_text::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Limit on the power of two by which a real constant may be scaled.
const MAX_SCALE: i32 = 1 << 20;
/// Limit on the nesting of signs and quotients in a real constant.
const MAX_REAL_DEPTH: usize = 64;

/// A constant of sort `Real` or `Int`: it is evaluated, not translated.
fn is_number(sort: &smt::SmtSort) -> bool {
    matches!(sort, smt::SmtSort::Real | smt::SmtSort::Int)
}

impl Terms<'_> {
    fn smt_sort_of(&self, node: NodeId) -> &smt::SmtSort {
        self.source.analysis.sorts().get(self.smt_sort(node))
    }

    /// The arguments of an application that become terms.
    pub(super) fn translated_arguments(&self, node: NodeId) -> Vec<NodeId> {
        let is_float = self.source.analysis.head(node).and_then(|head| head.op).is_some_and(is_float_op);
        let arguments = self.source.tree().children(node).skip(1);
        arguments.filter(|argument| !(is_float && is_number(self.smt_sort_of(*argument)))).collect()
    }

    /// A built-in operator applied to translated arguments, in order.
    pub(super) fn apply_built_in(
        &mut self,
        node: NodeId,
        op: &'static nub_smtlib::SmtOp,
        args: &[TermId],
        indices: &[u32],
    ) -> Result<TermId> {
        if is_float_op(op) {
            return self.apply_float(node, op, args, indices);
        }
        let is_list = self.source.tree().is_list(node);
        let first = if is_list { self.source.tree().children(node).nth(1) } else { None };
        let array = match op.name {
            "const" => self.smt_sort(node),
            _ => first.map_or(SortId::UNKNOWN, |first| self.smt_sort(first)),
        };
        let slots = self.source.slots(array);
        match (op.name, args, slots) {
            ("select", [array, index], Some(Slots { n_slots, .. })) => {
                return Ok(slots::select(&mut self.pool, *array, *index, n_slots));
            }
            ("store", [array, index, value], Some(Slots { n_slots, .. })) => {
                return Ok(slots::store(&mut self.pool, *array, [*index, *value], n_slots));
            }
            ("const", [value], Some(Slots { n_slots, .. })) => {
                return Ok(slots::constant(&mut self.pool, *value, n_slots));
            }
            ("=" | "distinct", [_, _, ..], None) => self.witness_differences(array, args),
            _ => {}
        }
        let sort = self.source.sort_of(node)?;
        let made = self.operators.apply(&mut self.pool, &Application { op, args, indices, sort });
        let term = made.map_err(|error| self.source.refuse(node, error.to_string()))?;
        if op.name == "select" {
            self.restrict(term, self.smt_sort(node));
        }
        Ok(term)
    }

    fn apply_float(
        &mut self,
        node: NodeId,
        op: &'static nub_smtlib::SmtOp,
        args: &[TermId],
        indices: &[u32],
    ) -> Result<TermId> {
        let mut terms = args.iter();
        let mut arguments = Vec::new();
        // `RNE` and `(_ +oo 8 24)` have no arguments.
        let nodes: Vec<NodeId> =
            if args.is_empty() { Vec::new() } else { self.source.tree().children(node).skip(1).collect() };
        for argument in nodes {
            let sort = self.smt_sort_of(argument).clone();
            arguments.push(match sort {
                sort if is_number(&sort) => Argument::Real(self.real(argument, 0)?),
                smt::SmtSort::RoundingMode => Argument::Mode(next(&mut terms)),
                smt::SmtSort::Float(..) => {
                    let format = self.source.format(self.smt_sort(argument));
                    let format =
                        format.ok_or_else(|| self.source.refuse(argument, "this format is not supported"))?;
                    Argument::Float(next(&mut terms), format)
                }
                _ => Argument::Bits(next(&mut terms)),
            });
        }
        self.scale(node, &mut arguments)?;
        let format = self.source.format(self.smt_sort(node));
        let made = self.floats.apply(&mut self.pool, op.name, &arguments, format, indices);
        made.map_err(|error| self.source.refuse(node, error.to_string()))
    }

    /// `(to_fp m r k)` is `(to_fp m r * 2^k)` in z3.
    fn scale(&self, node: NodeId, arguments: &mut Vec<Argument>) -> Result<()> {
        let [Argument::Mode(_), Argument::Real(_), Argument::Real(_)] = &arguments[..] else { return Ok(()) };
        let refusal = || self.source.refuse(node, "this exponent is not supported");
        let last = self.source.tree().children(node).last().ok_or_else(refusal)?;
        let exponent = self.integer(last).filter(|exponent| exponent.abs() <= MAX_SCALE);
        arguments.pop();
        if let (Some(Argument::Real(number)), Some(exponent)) = (arguments.last_mut(), exponent) {
            *number = number.scaled(exponent);
            return Ok(());
        }
        Err(refusal())
    }

    /// `5`, `(- 5)`
    fn integer(&self, node: NodeId) -> Option<i32> {
        let tree = self.source.tree();
        let text = |node: NodeId| std::str::from_utf8(self.source.script.slice(node)).ok();
        if tree.is_list(node) {
            let parts: Vec<NodeId> = tree.children(node).collect();
            let [minus, number] = parts[..] else { return None };
            let number: i32 = text(number)?.parse().ok()?;
            (text(minus)? == "-").then_some(-number)
        } else {
            text(node)?.parse().ok()
        }
    }

    /// A constant: digits, a sign, a quotient.
    fn real(&self, node: NodeId, depth: usize) -> Result<Rational> {
        let tree = self.source.tree();
        let refusal = || self.source.refuse(node, "only constants are supported as real numbers");
        if matches!(tree.kind(node), NodeKind::Numeral | NodeKind::Decimal) {
            return Rational::from_decimal(self.source.script.slice(node)).ok_or_else(refusal);
        }
        if !tree.is_list(node) || depth >= MAX_REAL_DEPTH {
            return Err(refusal());
        }
        let parts: Vec<NodeId> = tree.children(node).collect();
        let (head, parts) = parts.split_first().ok_or_else(refusal)?;
        let numbers: Vec<Rational> =
            parts.iter().map(|part| self.real(*part, depth + 1)).collect::<Result<_>>()?;
        match (self.source.script.slice(*head), &numbers[..]) {
            (b"-", [number]) => Ok(number.neg()),
            (b"to_real", [number]) => Ok(number.clone()),
            (b"/", [number, divisor]) => number.div(divisor).ok_or_else(refusal),
            _ => Err(refusal()),
        }
    }

    /// Adds the condition that a term has a value of its sort, if its bits allow other values.
    pub(super) fn restrict(&mut self, term: TermId, sort: SortId) {
        let of = match self.source.analysis.sorts().get(sort) {
            smt::SmtSort::RoundingMode => Some(FloatSort::Mode),
            smt::SmtSort::Float(..) => self.source.format(sort).map(FloatSort::Float),
            smt::SmtSort::Array(..) => {
                if let Some(slots) = self.source.slots(sort) {
                    for element in slots::elements(&mut self.pool, term, slots.n_slots) {
                        self.restrict(element, slots.element);
                    }
                }
                None
            }
            _ => None,
        };
        if let Some(of) = of {
            self.floats.restrict(&mut self.pool, term, of);
        }
    }

    /// Arrays of floats that differ must differ in a float at a float index: bit patterns that do not represent floats do not count. Every model
    /// can be extended to arrays without such patterns.
    fn witness_differences(&mut self, array: SortId, args: &[TermId]) {
        let smt::SmtSort::Array(index, element) = self.source.analysis.sorts().get(array) else { return };
        let (index, element) = (*index, *element);
        let has_spare_bits = [index, element].iter().any(|sort| {
            let sort = self.source.analysis.sorts().get(*sort);
            matches!(sort, smt::SmtSort::Float(..) | smt::SmtSort::RoundingMode | smt::SmtSort::Array(..))
        });
        let Some(width) = self.source.width(index).filter(|_| has_spare_bits) else { return };
        for (at, &a) in args.iter().enumerate() {
            for &b in &args[at + 1..] {
                let same = self.pool.mk(Op::Eq, &[a, b]);
                if self.pool.value(same).is_some() {
                    continue;
                }
                let place = self.pool.var(Sort::Bits(width));
                self.restrict(place, index);
                let reads = [a, b].map(|array| self.pool.mk(Op::Read, &[array, place]));
                reads.iter().for_each(|read| self.restrict(*read, element));
                let differ = self.pool.mk(Op::Ne, &reads);
                let condition = self.pool.mk(Op::Or, &[same, differ]);
                self.floats.add_condition(same, condition);
            }
        }
    }
}

fn next(terms: &mut std::slice::Iter<'_, TermId>) -> TermId {
    *terms.next().expect("every argument that is not a real constant was translated")
}

fn is_float_op(op: &nub_smtlib::SmtOp) -> bool {
    op.theory == Theory::FloatingPoint
}
