//! The reduction rules of SMT-Reducer ([Mafteiu20] table 3.1): rewrites that preserve the meaning of a term.
//!
//! Each rule is a file. If the printed row is not an equivalence, the file says so and implements the sound reading.
//! Every rule lowers the number of nodes of the term, so any sequence of them ends.

mod and_or_nesting;
mod binder;
mod double_negation;
#[cfg(test)]
mod law;
mod negated_comparison;
mod negated_constant;
mod neutral;
mod operator_nesting;
mod plus_zero;
mod syntactic_sugar;
mod times_one;
mod times_zero;

use super::SmtView;
use crate::Edit;
use nub_smtlib::NodeId;
use nub_text::Span;

/// A rule.
pub struct SoundRule {
    /// Short name, as shown in reports.
    pub name: &'static str,
    apply: fn(&SmtView, NodeId) -> Option<Edit>,
}

impl SoundRule {
    /// Applies the rule at exactly this term, if possible.
    pub fn at(&self, view: &SmtView, term: NodeId) -> Option<Edit> {
        (self.apply)(view, term)
    }

    /// Applies the rule wherever possible in the subtree, outermost first: "otherwise, we attempt the same reduction
    /// on the children" (§3.4). The edits are disjoint.
    pub fn outermost(&self, view: &SmtView, node: NodeId) -> Vec<Edit> {
        let end = view.tree().after(node);
        let mut edits = Vec::new();
        let mut next = node;
        while next < end {
            match view.is_term(next).then(|| self.at(view, next)).flatten() {
                Some(edit) => {
                    edits.push(edit);
                    next = view.tree().after(next);
                }
                None => next = NodeId(next.0 + 1),
            }
        }
        edits
    }

    /// Applies the rule at every possible term of the subtree, as separate edits.
    pub fn everywhere(&self, view: &SmtView, node: NodeId) -> Vec<Edit> {
        let terms = view.tree().subtree(node).filter(|&term| view.is_term(term));
        terms.filter_map(|term| self.at(view, term)).collect()
    }
}

/// The rules in the order of §4.3.
pub static RULES: &[SoundRule] = &[
    SoundRule { name: "and-or-nesting", apply: and_or_nesting::apply },
    SoundRule { name: "operator-nesting", apply: operator_nesting::apply },
    SoundRule { name: "syntactic-sugar", apply: syntactic_sugar::apply },
    SoundRule { name: "double-negation", apply: double_negation::apply },
    SoundRule { name: "negated-comparison", apply: negated_comparison::apply },
    SoundRule { name: "negated-constant", apply: negated_constant::apply },
    SoundRule { name: "times-zero", apply: times_zero::apply },
    SoundRule { name: "times-one", apply: times_one::apply },
    SoundRule { name: "plus-zero", apply: plus_zero::apply },
    SoundRule { name: "binder", apply: binder::apply },
];

/// The built-in operator of `(op a…)` and its arguments; not for `((_ op i) a…)` and similar.
fn application(view: &SmtView, term: NodeId) -> Option<(&'static str, Vec<NodeId>)> {
    let head = view.analysis().head(term)?;
    if view.tree().first_child(term) != Some(head.symbol) || head.decl.is_some() {
        return None;
    }
    Some((head.op?.name, view.args(term).collect()))
}

/// Inlines arguments that apply the same operator.
fn flatten(view: &SmtView, op: &str, args: &[NodeId]) -> Option<Edit> {
    let mut cuts = Vec::new();
    for &arg in args {
        let Some((inner, parts)) = application(view, arg) else { continue };
        if let (true, Some(&first), Some(&last)) = (inner == op, parts.first(), parts.last()) {
            let (whole, first, last) = (view.span(arg), view.span(first), view.span(last));
            cuts.push((Span { start: whole.start, end: first.start }, Vec::new()));
            cuts.push((Span { start: last.end, end: whole.end }, Vec::new()));
        }
    }
    (!cuts.is_empty()).then(|| Edit::of(cuts))
}

/// True if a term names something: removing it would lose the name.
pub(super) fn gives_names(view: &SmtView, node: NodeId) -> bool {
    memchr::memmem::find(view.slice(node), b":named").is_some()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::render;

    const DECLARATIONS: &str = "(declare-const a Int)(declare-const b Int)(declare-const c Int)(declare-const r Real)\
        (declare-const p Bool)(declare-const q Bool)(declare-const s Bool)(declare-fun f (Int) Int)";

    /// Applies the rule with this name outermost first, once; `None` if it does not apply.
    pub(super) fn once(rule: &str, term: &str) -> Option<String> {
        let text = format!("{DECLARATIONS}(assert {term})").into_bytes();
        let view = SmtView::new(&text);
        assert!(view.analysis().errors().is_empty(), "{term}");
        let rule = RULES.iter().find(|other| other.name == rule).unwrap();
        let (assert, _) = *view.commands().last().unwrap();
        let edits = rule.outermost(&view, assert);
        if edits.is_empty() {
            return None;
        }
        let splices: Vec<_> = edits.into_iter().flat_map(|edit| edit.splices).collect();
        let after = render(&text, &splices);
        assert!(SmtView::new(&after).analysis().errors().is_empty(), "{term}");
        let after = String::from_utf8(after).unwrap();
        Some(after[DECLARATIONS.len() + "(assert ".len()..after.len() - 1].to_owned())
    }

    #[track_caller]
    pub(super) fn check(rule: &str, before: &str, after: &str) {
        assert_eq!(once(rule, before).as_deref(), Some(after));
    }

    #[track_caller]
    pub(super) fn check_stays(rule: &str, term: &str) {
        assert_eq!(once(rule, term), None);
    }

    #[test]
    fn a_declared_symbol_is_no_operator() {
        let text = b"(declare-fun and (Bool) Bool)(declare-const p Bool)(assert (and p))";
        let view = SmtView::new(text);
        let (assert, _) = view.commands()[2];
        assert!(RULES[0].everywhere(&view, assert).is_empty());
    }
}
