//! Patterns and replacements.

use super::{Number, Read, Reader, Side, Term, VariableKind, determined_by, is_reserved};
use nub_smtlib::{NodeId, NodeKind, ops};
use nub_text::Diagnostic;

impl Reader<'_> {
    /// The pattern; records which variables and numbers it determines.
    pub(super) fn pattern(&mut self, node: NodeId) -> Read<Term> {
        let term = self.term(node, Side::Pattern, 0)?;
        if matches!(term, Term::Variable(_)) {
            return self.error(node, "a pattern that is a variable matches every term", "name an operator");
        }
        for at in 0..self.variables.len() {
            if !self.in_pattern[at] {
                let message = format!("the pattern does not have the variable `{}`", self.variables[at].name);
                return self.error(node, message, "use it, or remove its declaration");
            }
            let mut found = Vec::new();
            determined_by(&self.variables[at].sort, &mut found);
            // The width cannot be determined from an empty rest.
            if self.variables[at].kind != VariableKind::Rest {
                found.into_iter().for_each(|number| self.determined[number] = true);
            }
        }
        if let Some(at) = self.determined.iter().position(|is_known| !is_known) {
            let message = format!("the pattern does not determine `{}`", self.numbers[at].text);
            return self.error(node, message, "use it as an index, or as the width of a variable");
        }
        Ok(term)
    }

    pub(super) fn term(&mut self, node: NodeId, side: Side, depth: usize) -> Read<Term> {
        self.check_depth(node, depth)?;
        match self.tree.kind(node) {
            NodeKind::List => self.list(node, side, depth),
            NodeKind::Symbol => self.symbol(node, side),
            NodeKind::Numeral | NodeKind::Decimal | NodeKind::String => Ok(Term::Literal(self.word(node))),
            NodeKind::Binary => self.literal(node, 2, 1),
            NodeKind::Hex => self.literal(node, 16, 4),
            NodeKind::Quoted | NodeKind::Keyword => self.error(
                node,
                "not a term",
                "a term is a variable, a literal or an application of an operator",
            ),
        }
    }

    fn literal(&self, node: NodeId, radix: u32, bits: usize) -> Read<Term> {
        let digits = self.word(node)[2..].to_owned();
        match i128::from_str_radix(&digits, radix) {
            Ok(value) if digits.len() * bits < 126 => {
                let width = Number::Const((digits.len() * bits) as i128);
                Ok(Term::Bits { value: Number::Const(value), width })
            }
            _ => self.error(node, "this literal is too wide", "literals of rules have less than 126 bits"),
        }
    }

    fn symbol(&mut self, node: NodeId, side: Side) -> Read<Term> {
        let text = self.word(node);
        if let Some(at) = self.variables.iter().position(|variable| variable.name == text) {
            if self.variables[at].kind == VariableKind::Rest {
                return self.error(
                    node,
                    format!("`{text}` is a rest: it is not one term"),
                    "put it among arguments",
                );
            }
            if side == Side::Pattern {
                self.in_pattern[at] = true;
            }
            return Ok(Term::Variable(at));
        }
        if self.numbers.iter().any(|number| number.text == text) {
            return self.error(
                node,
                format!("`{text}` is an index, not a term"),
                "`(bits i n)` is the literal",
            );
        }
        self.check_operator(node, &text)?;
        Ok(Term::Apply { op: text, indices: Vec::new(), args: Vec::new() })
    }

    fn check_operator(&self, node: NodeId, text: &str) -> Read<()> {
        if ops::by_name(text.as_bytes()).is_some() {
            return Ok(());
        }
        if is_reserved(text) {
            return self.error(
                node,
                format!("`{text}` is not supported in rules"),
                "terms of rules have no binders",
            );
        }
        let hint = format!("declare it, as in `({text} Bool)`, or check the spelling of the operator");
        self.error(node, format!("`{text}` is neither declared nor an operator of SMT-LIB"), &hint)
    }

    fn list(&mut self, node: NodeId, side: Side, depth: usize) -> Read<Term> {
        let parts = self.children(node);
        let Some(&head) = parts.first() else {
            return self.error(node, "`()` is not a term", "an application has an operator");
        };
        if self.slice(head) == b"_" {
            return self.indexed_constant(node, &parts);
        }
        if self.slice(head) == b"bits" {
            return self.bits(node, &parts, side);
        }
        let (op, indices) = self.operator(head, side)?;
        let args = self.arguments(&parts[1..], side, depth)?;
        if args.is_empty() {
            return self.error(node, "an application without arguments", "write the symbol without brackets");
        }
        Ok(Term::Apply { op, indices, args })
    }

    /// `(_ bv5 n)`.
    fn indexed_constant(&mut self, node: NodeId, parts: &[NodeId]) -> Read<Term> {
        let value = parts.get(1).and_then(|&name| self.word(name).strip_prefix("bv")?.parse::<i128>().ok());
        match (value, parts) {
            (Some(value), [_, _, width]) if value < 1 << 125 => {
                let width = self.number(*width, 0)?;
                Ok(Term::Bits { value: Number::Const(value), width })
            }
            _ => self.error(
                node,
                "not a constant of rules",
                "`(_ bv5 n)` is; `(bits EXPR n)` in a replacement",
            ),
        }
    }

    /// `(bits EXPR n)`: the literal with this value, modulo 2^n.
    fn bits(&mut self, node: NodeId, parts: &[NodeId], side: Side) -> Read<Term> {
        let &[_, value, width] = parts else {
            return self.error(node, "`bits` takes a value and a width", "as in `(bits (+ (value a) 1) n)`");
        };
        if side == Side::Pattern {
            let hint = "declare a :literal and say in :when what its value is";
            return self.error(node, "`bits` is for replacements", hint);
        }
        Ok(Term::Bits { value: self.number(value, 0)?, width: self.number(width, 0)? })
    }

    /// `op` or `(_ op i j)`.
    fn operator(&mut self, head: NodeId, side: Side) -> Read<(String, Vec<Number>)> {
        if self.is_symbol(head) {
            let text = self.word(head);
            self.check_operator(head, &text)?;
            return Ok((text, Vec::new()));
        }
        let parts = self.children(head);
        let words: Vec<&[u8]> = parts.iter().take(1).map(|&part| self.slice(part)).collect();
        let [b"_"] = words[..] else {
            return self.error(head, "not an operator", "an operator is a symbol, or `(_ symbol index ...)`");
        };
        let Some(&symbol) = parts.get(1).filter(|&&symbol| self.is_symbol(symbol)) else {
            return self.error(head, "`(_ ...)` without an operator", "as in `(_ extract i j)`");
        };
        let text = self.word(symbol);
        self.check_operator(symbol, &text)?;
        let mut indices = Vec::new();
        for &index in &parts[2..] {
            let number = self.number(index, 0)?;
            if let (Number::Name(at), Side::Pattern) = (&number, side) {
                self.determined[*at] = true;
            }
            indices.push(number);
        }
        Ok((text, indices))
    }

    fn arguments(&mut self, nodes: &[NodeId], side: Side, depth: usize) -> Read<Vec<Term>> {
        let mut args = Vec::new();
        let mut n_rests = 0;
        for &node in nodes {
            let text = self.word(node);
            let rest = self
                .variables
                .iter()
                .position(|variable| variable.name == text && variable.kind == VariableKind::Rest);
            let Some(at) = rest.filter(|_| self.is_symbol(node)) else {
                args.push(self.term(node, side, depth + 1)?);
                continue;
            };
            n_rests += 1;
            if side == Side::Pattern && (n_rests > 1 || std::mem::replace(&mut self.in_pattern[at], true)) {
                let message = "a pattern has one rest per application, and each rest once";
                return Err(Diagnostic::error(self.tree.span(node), message).with_hint("make it two rules"));
            }
            args.push(Term::Variable(at));
        }
        Ok(args)
    }
}
