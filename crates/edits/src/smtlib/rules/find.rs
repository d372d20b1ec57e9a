//! Matches a pattern against a term.
//!
//! Matching is syntactic, with three exceptions: a bit-vector literal matches in any notation, a variable that occurs twice
//! matches terms that differ only in layout, and sorts are compared as sorts.

use super::number::{Leaves, Number};
use super::{Instance, ParsedRule, SortForm, Term, VariableKind};
use crate::smtlib::SmtView;
use nub_bitvec::Value;
use nub_smtlib::{Head, NodeId, NodeKind, SmtSort, SortId};

/// The values of a rule's variables.
pub(super) struct Found {
    terms: Vec<Option<Vec<NodeId>>>,
    numbers: Vec<Option<i128>>,
    sorts: Vec<Option<SortId>>,
    /// Index expressions of the pattern with their required values.
    deferred: Vec<(Number, i128)>,
}

/// Matches the pattern at a term. The condition must also hold.
pub(super) fn find(rule: &ParsedRule, view: &SmtView, term: NodeId) -> Option<Found> {
    // Most terms are rejected here, before anything is allocated.
    if let Term::Apply { op, .. } = &rule.pattern
        && view.op_name(term) != Some(op.as_str())
    {
        return None;
    }
    let mut found = Found {
        terms: vec![None; rule.variables.len()],
        numbers: vec![None; rule.numbers.len()],
        sorts: vec![None; rule.sorts.len()],
        deferred: Vec::new(),
    };
    found.matches(rule, view, &rule.pattern, term)?;
    let numbers: Vec<i128> = found.numbers.iter().copied().collect::<Option<_>>()?;
    let value = |at: usize| found.value(view, at);
    let leaves = Leaves { numbers: &numbers, value: &value };
    let is_right = found.deferred.iter().all(|(number, wanted)| number.eval(&leaves) == Some(*wanted));
    (is_right && rule.condition.holds(&leaves)).then_some(found)
}

impl Found {
    /// The nodes of a variable.
    pub(super) fn nodes(&self, variable: usize) -> &[NodeId] {
        self.terms[variable].as_deref().unwrap_or_default()
    }

    /// Widths and indices.
    pub(super) fn numbers(&self) -> Option<Vec<i128>> {
        self.numbers.iter().copied().collect()
    }

    /// The value of a literal, if it fits.
    pub(super) fn value(&self, view: &SmtView, variable: usize) -> Option<i128> {
        bits_of(view, *self.nodes(variable).first()?)?.to_decimal().parse().ok()
    }

    /// The match as an instance of the rule.
    pub(super) fn instance(&self, rule: &ParsedRule) -> Option<Instance> {
        let lengths = (0..rule.variables.len()).map(|at| self.nodes(at).len()).collect();
        Some(Instance { numbers: self.numbers()?, lengths })
    }

    fn matches(&mut self, rule: &ParsedRule, view: &SmtView, pattern: &Term, node: NodeId) -> Option<()> {
        match pattern {
            Term::Variable(at) => self.bind(rule, view, *at, node),
            Term::Bits { value, width } => {
                let bits = bits_of(view, node)?;
                self.is_number(width, bits.width().into())?;
                let Number::Const(value) = value else { return None };
                (bits.to_decimal() == value.to_string()).then_some(())
            }
            Term::Literal(text) => is_same_literal(view, node, text.as_bytes()).then_some(()),
            Term::Apply { op, indices, args } => {
                let head = view.analysis().head(node)?;
                if head.decl.is_some() || head.op?.name != op {
                    return None;
                }
                self.indices(view, &head, indices)?;
                let is_list = view.tree().is_list(node) && view.tree().first_child(node) != Some(head.symbol)
                    || view.head_symbol(node).is_some_and(|symbol| symbol == op.as_bytes());
                match args.is_empty() {
                    true => (!view.tree().is_list(node)).then_some(()),
                    false if !is_list => None,
                    false => self.arguments(rule, view, args, &view.args(node).collect::<Vec<_>>()),
                }
            }
        }
    }

    fn arguments(
        &mut self,
        rule: &ParsedRule,
        view: &SmtView,
        args: &[Term],
        nodes: &[NodeId],
    ) -> Option<()> {
        let rest = args.iter().position(|arg| rest_of(rule, arg).is_some());
        let Some(at) = rest else {
            if args.len() != nodes.len() {
                return None;
            }
            return args.iter().zip(nodes).try_for_each(|(arg, &node)| self.matches(rule, view, arg, node));
        };
        let n_after = args.len() - at - 1;
        let n_rest = nodes.len().checked_sub(at + n_after)?;
        let (before, others) = nodes.split_at(at);
        let (middle, after) = others.split_at(n_rest);
        let variable = rest_of(rule, &args[at])?;
        for &node in middle {
            self.fits(view, &rule.variables[variable].sort, view.sort(node)?)?;
        }
        self.terms[variable] = Some(middle.to_vec());
        let pairs = args[..at].iter().zip(before).chain(args[at + 1..].iter().zip(after));
        pairs.into_iter().try_for_each(|(arg, &node)| self.matches(rule, view, arg, node))
    }

    fn bind(&mut self, rule: &ParsedRule, view: &SmtView, at: usize, node: NodeId) -> Option<()> {
        let variable = &rule.variables[at];
        if let Some([earlier]) = self.terms[at].as_deref() {
            return is_same(view, *earlier, node).then_some(());
        }
        if variable.kind == VariableKind::Literal && !is_literal(view, node) {
            return None;
        }
        self.fits(view, &variable.sort, view.sort(node)?)?;
        self.terms[at] = Some(vec![node]);
        Some(())
    }

    fn indices(&mut self, view: &SmtView, head: &Head, indices: &[Number]) -> Option<()> {
        let mut next = head.first_index;
        for index in indices {
            let node = next?;
            let value: i128 = std::str::from_utf8(view.slice(node)).ok()?.parse().ok()?;
            self.is_number(index, value)?;
            let after = view.tree().after(node);
            let is_sibling =
                after.index() < view.tree().len() && view.tree().parent(after) == view.tree().parent(node);
            next = is_sibling.then_some(after);
        }
        next.is_none().then_some(())
    }

    /// Binds a name; any other expression is compared when all names are known.
    fn is_number(&mut self, number: &Number, value: i128) -> Option<()> {
        match number {
            Number::Const(wanted) => (*wanted == value).then_some(()),
            Number::Name(at) => match self.numbers[*at] {
                Some(wanted) => (wanted == value).then_some(()),
                None => {
                    self.numbers[*at] = Some(value);
                    Some(())
                }
            },
            other => {
                self.deferred.push((other.clone(), value));
                Some(())
            }
        }
    }

    fn fits(&mut self, view: &SmtView, form: &SortForm, sort: SortId) -> Option<()> {
        let is = |wanted: SortId| (sort == wanted).then_some(());
        match (form, view.analysis().sorts().get(sort)) {
            (SortForm::Named(name), _) => is(match *name {
                "Bool" => SortId::BOOL,
                "Int" => SortId::INT,
                "Real" => SortId::REAL,
                "String" => SortId::STRING,
                "RegLan" => SortId::REGLAN,
                _ => SortId::ROUNDING_MODE,
            }),
            (SortForm::BitVec(number), &SmtSort::BitVec(width)) => self.is_number(number, width.into()),
            (SortForm::Float(exponent, significand), &SmtSort::Float(e, s)) => {
                self.is_number(exponent, e.into())?;
                self.is_number(significand, s.into())
            }
            (SortForm::Array(index, element), &SmtSort::Array(i, e)) => {
                self.fits(view, index, i)?;
                self.fits(view, element, e)
            }
            (SortForm::Any(at), _) => match self.sorts[*at] {
                Some(wanted) => is(wanted),
                None => {
                    self.sorts[*at] = Some(sort);
                    Some(())
                }
            },
            _ => None,
        }
    }
}

fn rest_of(rule: &ParsedRule, term: &Term) -> Option<usize> {
    match term {
        Term::Variable(at) if rule.variables[*at].kind == VariableKind::Rest => Some(*at),
        _ => None,
    }
}

/// True if the tokens are the same.
fn is_same(view: &SmtView, a: NodeId, b: NodeId) -> bool {
    let tree = view.tree();
    tree.size(a) == tree.size(b)
        && tree.subtree(a).zip(tree.subtree(b)).all(|(a, b)| {
            tree.kind(a) == tree.kind(b)
                && if tree.is_list(a) { tree.size(a) == tree.size(b) } else { view.slice(a) == view.slice(b) }
        })
}

fn is_literal(view: &SmtView, node: NodeId) -> bool {
    match view.tree().kind(node) {
        NodeKind::Numeral | NodeKind::Decimal | NodeKind::Hex | NodeKind::Binary | NodeKind::String => true,
        NodeKind::Symbol => matches!(view.slice(node), b"true" | b"false"),
        _ => bits_of(view, node).is_some(),
    }
}

/// True for a numeral, decimal or string with the same value; leading zeros are ignored.
fn is_same_literal(view: &SmtView, node: NodeId, text: &[u8]) -> bool {
    let strip = |text: &[u8]| -> Vec<u8> {
        let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
        let is_all = text.get(zeros).is_none_or(|byte| !byte.is_ascii_digit());
        text[if is_all { zeros.saturating_sub(1) } else { zeros }..].to_vec()
    };
    match view.tree().kind(node) {
        NodeKind::Numeral | NodeKind::Decimal => strip(view.slice(node)) == strip(text),
        NodeKind::String => view.slice(node) == text,
        _ => false,
    }
}

/// The value of a bit-vector literal in any notation.
pub(super) fn bits_of(view: &SmtView, node: NodeId) -> Option<Value> {
    let text = view.slice(node);
    match view.tree().kind(node) {
        NodeKind::Binary => Value::parse_binary(&text[2..]),
        NodeKind::Hex => Value::parse_hex(u32::try_from(text.len() - 2).ok()?.checked_mul(4)?, &text[2..]),
        NodeKind::List => {
            let parts: Vec<NodeId> = view.tree().children(node).collect();
            let [head, name, width] = parts[..] else { return None };
            let digits = view.slice(name).strip_prefix(b"bv")?;
            if view.slice(head) != b"_" || view.sort(node).is_none() {
                return None;
            }
            let width = std::str::from_utf8(view.slice(width)).ok()?.parse().ok()?;
            (width <= MAX_WIDTH).then(|| Value::parse_decimal(width, digits)).flatten()
        }
        _ => None,
    }
}

/// Limit on the widths of literals: a file may contain `(_ bv1 4000000000)`.
const MAX_WIDTH: u32 = 1 << 16;
