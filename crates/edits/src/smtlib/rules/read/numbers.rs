//! Integer expressions and conditions.

use super::{Read, Reader, VariableKind};
use crate::smtlib::rules::SortForm;
use crate::smtlib::rules::number::{Comparison, Condition, Number, Operator};
use nub_smtlib::{NodeId, NodeKind};

const NUMBERS: &str =
    "numbers are numerals, widths, indices, `(value k)` of a literal, and `+ - * div mod pow2` of these";

impl Reader<'_> {
    pub(super) fn number(&mut self, node: NodeId, depth: usize) -> Read<Number> {
        self.check_depth(node, depth)?;
        match self.tree.kind(node) {
            NodeKind::Numeral => match self.word(node).parse::<u64>() {
                Ok(value) => Ok(Number::Const(value.into())),
                Err(_) => self.error(node, "this number is too large", "numerals of rules are below 2^64"),
            },
            NodeKind::Symbol => {
                let text = self.word(node);
                match self.numbers.iter().position(|number| number.text == text) {
                    Some(at) => Ok(Number::Name(at)),
                    None => self.error(
                        node,
                        format!("`{text}` is not a width or an index"),
                        &format!("declare it: `({text} :index)`"),
                    ),
                }
            }
            NodeKind::List => self.number_of(node, depth),
            _ => self.error(node, "not a number", NUMBERS),
        }
    }

    fn number_of(&mut self, node: NodeId, depth: usize) -> Read<Number> {
        let parts = self.children(node);
        let Some((&head, args)) = parts.split_first() else {
            return self.error(node, "not a number", NUMBERS);
        };
        let operator = match self.slice(head) {
            b"value" => return self.value(node, args),
            b"+" => Operator::Add,
            b"-" => Operator::Sub,
            b"*" => Operator::Mul,
            b"div" => Operator::Div,
            b"mod" => Operator::Mod,
            b"pow2" => Operator::Pow2,
            _ => return self.error(head, "not an operator of numbers", NUMBERS),
        };
        let mut numbers = Vec::new();
        for &arg in args.iter().take(super::MAX_NAMES) {
            numbers.push(self.number(arg, depth + 1)?);
        }
        let is_right = match operator {
            Operator::Pow2 => args.len() == 1,
            Operator::Div | Operator::Mod => args.len() == 2,
            _ => (2..=super::MAX_DEPTH - depth).contains(&args.len()),
        };
        if !is_right {
            return self.error(node, "a wrong number of arguments", NUMBERS);
        }
        if operator == Operator::Pow2 {
            let bits = numbers.swap_remove(0);
            return Ok(Number::Of(operator, Box::new([bits.clone(), bits])));
        }
        let of = |a, b| Number::Of(operator, Box::new([a, b]));
        Ok(numbers.into_iter().reduce(of).unwrap_or(Number::Const(0)))
    }

    fn value(&self, node: NodeId, args: &[NodeId]) -> Read<Number> {
        let hint = "`(value k)` needs a variable declared as `(k (_ BitVec n) :literal)`";
        let &[name] = args else { return self.error(node, "`value` takes one variable", hint) };
        let text = self.word(name);
        let is_literal = |at: &usize| {
            let variable = &self.variables[*at];
            variable.kind == VariableKind::Literal && matches!(variable.sort, SortForm::BitVec(_))
        };
        match self.variables.iter().position(|variable| variable.name == text).filter(is_literal) {
            Some(at) => Ok(Number::Value(at)),
            None => self.error(name, format!("`{text}` is not a bit-vector literal"), hint),
        }
    }

    pub(super) fn condition(&mut self, node: NodeId, depth: usize) -> Read<Condition> {
        const CONDITIONS: &str = "conditions are `=`, `distinct`, `<`, `<=`, `>`, `>=` of numbers, and `and`, `or`, `not` of these";
        self.check_depth(node, depth)?;
        if self.slice(node) == b"true" {
            return Ok(Condition::True);
        }
        let parts = self.children(node);
        let Some((&head, args)) = parts.split_first() else {
            return self.error(node, "not a condition", CONDITIONS);
        };
        if args.len() > super::MAX_NAMES {
            return self.error(node, "too many arguments", CONDITIONS);
        }
        let (comparison, is_swapped) = match (self.slice(head), args.len()) {
            (b"and" | b"or" | b"not", n) => {
                let is_and = self.slice(head) == b"and";
                let is_not = self.slice(head) == b"not";
                if n == 0 || (is_not && n != 1) {
                    return self.error(node, "a wrong number of arguments", CONDITIONS);
                }
                let mut all = Vec::new();
                for &arg in args {
                    all.push(self.condition(arg, depth + 1)?);
                }
                return Ok(match (is_not, is_and) {
                    (true, _) => Condition::Not(Box::new(all.swap_remove(0))),
                    (_, true) => Condition::And(all),
                    _ => Condition::Or(all),
                });
            }
            (b"=", 2) => (Comparison::Equal, false),
            (b"distinct", 2) => (Comparison::Distinct, false),
            (b"<", 2) => (Comparison::Less, false),
            (b"<=", 2) => (Comparison::LessEqual, false),
            (b">", 2) => (Comparison::Less, true),
            (b">=", 2) => (Comparison::LessEqual, true),
            _ => return self.error(node, "not a condition", CONDITIONS),
        };
        let (first, second) = (self.number(args[0], depth + 1)?, self.number(args[1], depth + 1)?);
        let (first, second) = if is_swapped { (second, first) } else { (first, second) };
        Ok(Condition::Compare(comparison, first, second))
    }
}
