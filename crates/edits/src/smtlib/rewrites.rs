//! Small rewrites that shrink a term and keep its sort.
//!
//! ```text
//! (not (not t))          =>  t                  (=> a b)            =>  (or a b)
//! (= t false)            =>  (not t)            (xor a b)           =>  (= a b)
//! (not (and a b))        =>  (or a b)           (ite c a b)         =>  (= c a), (or c b); a, b by hoisting
//! (distinct a b)         =>  (= a b), (not (= a b))                 (not (distinct a b))  =>  (= a b)
//! (>= t 1)               =>  (> t 0)            (< (- 1) t)         =>  (<= 0 t)
//! (_ FloatingPoint 8 24) =>  Float32            (bvnot (bvneg t))   =>  t (by hoisting)
//! ```
//!
//! They need not be equivalences: the oracle decides. What hoisting and `operators` already do is not repeated.

use super::SmtView;
use crate::{Edit, Pass, Splice};
use nub_smtlib::{NodeId, SmtSort, SortId};

/// The pass does nothing on files with more terms.
const MAX_TERMS: usize = 20_000;

/// See the module.
pub struct Rewrites;

impl Pass<SmtView> for Rewrites {
    fn name(&self) -> &'static str {
        "rewrites"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.terms().nth(MAX_TERMS).is_some() {
            return Vec::new();
        }
        let mut edits: Vec<Edit> = view.terms().flat_map(|term| rewrites(view, term)).collect();
        edits.extend(short_float_sorts(view));
        edits
    }
}

/// Only short names of floating-point sorts.
pub struct ShortFloatSorts;

impl Pass<SmtView> for ShortFloatSorts {
    fn name(&self) -> &'static str {
        "short-float-sorts"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        short_float_sorts(view)
    }
}

fn rewrites(view: &SmtView, term: NodeId) -> Vec<Edit> {
    let args: Vec<NodeId> = view.args(term).collect();
    let (Some(head), Some(name)) = (view.tree().first_child(term), view.head_symbol(term)) else {
        return Vec::new();
    };
    let call = |name: &str| Edit::replace(view.span(head), name.as_bytes());
    match (name, &args[..]) {
        (b"=>", [_, ..]) => vec![call("or")],
        (b"xor", [_, _]) => vec![call("=")],
        (b"distinct", [_, last]) => vec![call("="), negated(view, (head, *last), "not (=")],
        (b"=", [left, right]) => negate_equation(view, term, *left, *right).into_iter().collect(),
        (b"not", [inner]) => drop_inner_operator(view, term, *inner).into_iter().collect(),
        (b"ite", [_, a, b]) if view.sort(term) == Some(SortId::BOOL) => conditions(view, [head, *a, *b]),
        (b"<" | b"<=" | b">" | b">=", [left, right]) => {
            shift_bound(view, head, [*left, *right]).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// `(f a b)` as `(not (= a b))`: the head changes, and a closing bracket is added.
fn negated(view: &SmtView, (head, last): (NodeId, NodeId), text: &str) -> Edit {
    let mut edit = Edit::replace(view.span(head), text.as_bytes());
    let end = view.span(last).end;
    edit.splices.push(Splice { span: nub_text::Span { start: end, end }, text: b")".as_slice().into() });
    edit
}

/// `(ite c a b)` as `(= c a)` and `(or c b)`.
fn conditions(view: &SmtView, [head, a, b]: [NodeId; 3]) -> Vec<Edit> {
    let without = |name: &str, part: NodeId| {
        Edit::try_of([(view.span(head), name.as_bytes().to_vec()), (view.cut_span(part), Vec::new())])
    };
    [without("=", b), without("or", a)].into_iter().flatten().collect()
}

/// A bound of one or minus one becomes zero: `(>= t 1)` is `(> t 0)` over the integers.
fn shift_bound(view: &SmtView, head: NodeId, sides: [NodeId; 2]) -> Option<Edit> {
    let is_strict = !view.slice(head).ends_with(b"=");
    let bound: &[u8] = if is_strict { b"(- 1)" } else { b"1" };
    let at = sides.into_iter().find(|&side| view.slice(side) == bound)?;
    // A bound of minus one can become zero only on the smaller side: `(< (- 1) t)`, `(> t (- 1))`.
    let is_lesser = (at == sides[0]) == view.slice(head).starts_with(b"<");
    let operator: &[u8] = match (view.slice(head), is_lesser) {
        (b">=", true) => b">",
        (b"<=", true) => b"<",
        (b">", true) => b">=",
        (b"<", true) => b"<=",
        _ => return None,
    };
    Some(Edit::of([(view.span(head), operator.to_vec()), (view.span(at), b"0".to_vec())]))
}

fn negate_equation(view: &SmtView, term: NodeId, left: NodeId, right: NodeId) -> Option<Edit> {
    let other = match (view.slice(left), view.slice(right)) {
        (b"false" | b"true", _) => right,
        (_, b"false" | b"true") => left,
        _ => return None,
    };
    Some(Edit::replace(view.span(term), [b"(not ", view.slice(other), b")"].concat()))
}

/// De Morgan without the negations inside: `(not (and a b))` to `(or a b)`.
fn drop_inner_operator(view: &SmtView, term: NodeId, inner: NodeId) -> Option<Edit> {
    let dual: &[u8] = match view.head_symbol(inner)? {
        b"and" => b"or",
        b"or" => b"and",
        b"<" => b">=",
        b"<=" => b">",
        b">" => b"<=",
        b">=" => b"<",
        b"distinct" if view.args(inner).count() == 2 => b"=",
        _ => return None,
    };
    let head = view.tree().first_child(inner)?;
    let mut edit = Edit::keep_part(view.span(term), view.span(inner));
    edit.splices.push(Splice { span: view.span(head), text: dual.into() });
    edit.splices.sort_by_key(|splice| splice.span);
    Some(edit)
}

/// `(_ FloatingPoint 8 24)` as `Float32` and similar.
fn short_float_sorts(view: &SmtView) -> Vec<Edit> {
    let mut edits = Vec::new();
    for node in view.tree().nodes().filter(|&node| view.tree().is_list(node)) {
        let Some(sort) = view.analysis().sort_value(node) else { continue };
        let name: &[u8] = match view.analysis().sorts().get(sort) {
            SmtSort::Float(5, 11) => b"Float16",
            SmtSort::Float(8, 24) => b"Float32",
            SmtSort::Float(11, 53) => b"Float64",
            SmtSort::Float(15, 113) => b"Float128",
            _ => continue,
        };
        edits.push(Edit::replace(view.span(node), name));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(term: &str, expected: &[&str]) {
        let before = "(declare-const x Int)(declare-const p Bool)(assert ";
        let view = SmtView::new(format!("{before}{term})").as_bytes());
        let texts: Vec<String> = Rewrites
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap())
            .map(|text| text[before.len()..text.len() - 1].to_owned())
            .collect();
        assert_eq!(texts, expected, "{term}");
    }

    #[test]
    fn shorter_and_of_the_same_sort() {
        check("(distinct x 0)", &["(= x 0)", "(not (= x 0))"]);
        check("(not (distinct x 0))", &["(= x 0)", "(not (= x 0))", "(not (not (= x 0)))"]);
        check("(distinct x 0 1)", &[]);
        check("(ite p p true)", &["(= p p)", "(or p true)"]);
        check("(= p false)", &["(not p)"]);
        check("(not (< x 2))", &["(>= x 2)"]);
    }

    #[test]
    fn bounds_move_to_zero() {
        check("(>= x 1)", &["(> x 0)"]);
        check("(<= 1 x)", &["(< 0 x)"]);
        check("(> x (- 1))", &["(>= x 0)"]);
        check("(< (- 1) x)", &["(<= 0 x)"]);
        check("(<= x 1)", &[]);
        check("(> x 1)", &[]);
    }
}
