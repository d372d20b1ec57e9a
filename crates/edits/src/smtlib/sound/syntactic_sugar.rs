//! A conjunction of comparisons that form a chain.
//!
//! ```text
//! (and (< a b) (< b c))    =>  (< a b c)
//! (and (= a b) p (= b c))  =>  (and (= a b c) p)
//! ```
//!
//! Table 3.1 prints `(and (f a b) (f x z)) -> (f a b x z)` for a binary function f, with the example
//! `(and (+ 1 2) (+ 3 4)) -> (+ 1 2 3 4)`. That is not an equivalence, and the example is ill sorted: a chain also compares b
//! with x. The sound reading is SMT-LIB's own meaning of `:chainable`: the last argument of one comparison must be the
//! first of the other. `distinct` is pairwise, not chainable, and is not changed.

use super::{application, gives_names};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;
use nub_text::Span;
use rustc_hash::FxHashMap;

/// A comparison of the conjunction.
struct Link {
    node: NodeId,
    op: &'static str,
    args: Vec<NodeId>,
}

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let ("and", args) = application(view, term)? else { return None };
    let links: Vec<Link> = args.iter().filter_map(|&arg| link(view, arg)).collect();
    let (left, right) = joint(view, &links)?;
    let joined = join(view, left, right);
    if args.len() == 2 {
        return Some(Edit::replace(view.span(term), joined));
    }
    Some(Edit::of([(view.span(left.node), joined), (view.cut_span(right.node), Vec::new())]))
}

fn link(view: &SmtView, node: NodeId) -> Option<Link> {
    let (op @ ("<" | "<=" | ">" | ">=" | "="), args) = application(view, node)? else { return None };
    (args.len() >= 2 && !gives_names(view, node)).then_some(Link { node, op, args })
}

/// Two comparisons such that one ends with the term with which the other begins. Their order does not matter to `and`. Uses
/// hashing, because conjunctions can be long.
fn joint<'l>(view: &SmtView, links: &'l [Link]) -> Option<(&'l Link, &'l Link)> {
    let mut by_first: FxHashMap<(&str, &[u8]), &Link> = FxHashMap::default();
    for link in links {
        by_first.entry((link.op, view.slice(link.args[0]))).or_insert(link);
    }
    links.iter().find_map(|left| {
        let last = left.args.last()?;
        let right = by_first.get(&(left.op, view.slice(*last)))?;
        (left.node != right.node).then_some((left, *right))
    })
}

fn join(view: &SmtView, left: &Link, right: &Link) -> Vec<u8> {
    let end = left.args.iter().map(|&arg| view.span(arg).end).max().unwrap_or(0);
    let head = Span { start: view.span(left.node).start, end };
    let tail = Span { start: view.span(right.args[1]).start, end: view.span(right.node).end };
    [head.slice(view.text()), b" ", tail.slice(view.text())].concat()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn chains() {
        check("syntactic-sugar", "(and (< a b) (< b c))", "(< a b c)");
        check("syntactic-sugar", "(and (< b c) (< a b))", "(< a b c)");
        check("syntactic-sugar", "(and (= a b) p (= b c 1))", "(and (= a b c 1) p)");
        check("syntactic-sugar", "(and (= a (f b)) (= (f b) c))", "(= a (f b) c)");
    }

    #[test]
    fn what_is_no_chain_stays() {
        check_stays("syntactic-sugar", "(and (< a b) (< a c))");
        check_stays("syntactic-sugar", "(and (< a b) (<= b c))");
        check_stays("syntactic-sugar", "(and (distinct a b) (distinct b c))");
        check_stays("syntactic-sugar", "(or (< a b) (< b c))");
        check_stays("syntactic-sugar", "(and (= a a) p)");
    }
}
