//! Small rewrites that shrink a term and keep its sort.
//!
//! ```text
//! (not (not t))          =>  t                  (=> a b)            =>  (or a b)
//! (= t false)            =>  (not t)            (xor a b)           =>  (= a b)
//! (not (and a b))        =>  (or a b)           (ite c a b)         =>  a, b (by hoisting)
//! (distinct a b)         =>  (= a b)            (str.replace_all …) =>  (str.replace …)
//! (_ FloatingPoint 8 24) =>  Float32            (bvnot (bvneg t))   =>  t (by hoisting)
//! ((_ zero_extend 0) t)  =>  t                  (let ((x t)) b)     =>  b (by hoisting)
//! ```
//!
//! They need not be equivalences: the oracle decides. What hoisting and operators already do is not repeated.

use super::View;
use crate::{Edit, Pass};
use nub_smtlib::{NodeId, Sort};

/// Files with more terms than this are not at the stage where rewrites matter.
const MAX_TERMS: usize = 20_000;

/// See the module.
pub struct Rewrites;

impl Pass<View> for Rewrites {
    fn name(&self) -> &'static str {
        "rewrites"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        if view.terms().nth(MAX_TERMS).is_some() {
            return Vec::new();
        }
        let mut edits: Vec<Edit> = view.terms().filter_map(|term| rewrite(view, term)).collect();
        edits.extend(short_float_sorts(view));
        edits
    }
}

fn rewrite(view: &View, term: NodeId) -> Option<Edit> {
    let args: Vec<NodeId> = view.args(term).collect();
    let head = view.tree().first_child(term)?;
    match (view.head_symbol(term)?, &args[..]) {
        (b"=>", [_, ..]) => Some(Edit::replace(view.span(head), b"or".as_slice())),
        (b"xor" | b"distinct", [_, _]) => Some(Edit::replace(view.span(head), b"=".as_slice())),
        (b"=", [left, right]) => negate_equation(view, term, *left, *right),
        (b"not", [inner]) => drop_inner_operator(view, term, *inner),
        (b"exists", [..]) => Some(Edit::replace(view.span(head), b"forall".as_slice())),
        _ => None,
    }
}

fn negate_equation(view: &View, term: NodeId, left: NodeId, right: NodeId) -> Option<Edit> {
    let other = match (view.slice(left), view.slice(right)) {
        (b"false" | b"true", _) => right,
        (_, b"false" | b"true") => left,
        _ => return None,
    };
    Some(Edit::replace(view.span(term), [b"(not ", view.slice(other), b")"].concat()))
}

/// De Morgan without the negations inside: `(not (and a b))` to `(or a b)`.
fn drop_inner_operator(view: &View, term: NodeId, inner: NodeId) -> Option<Edit> {
    let dual: &[u8] = match view.head_symbol(inner)? {
        b"and" => b"or",
        b"or" => b"and",
        b"<" => b">=",
        b"<=" => b">",
        b">" => b"<=",
        b">=" => b"<",
        _ => return None,
    };
    let head = view.tree().first_child(inner)?;
    let mut edit = Edit::keep_part(view.span(term), view.span(inner));
    edit.splices.push(crate::Splice { span: view.span(head), text: dual.into() });
    edit.splices.sort_by_key(|splice| splice.span);
    Some(edit)
}

/// `(_ FloatingPoint 8 24)` as `Float32` and the like.
fn short_float_sorts(view: &View) -> Vec<Edit> {
    let mut edits = Vec::new();
    for node in view.tree().nodes().filter(|&node| view.tree().is_list(node)) {
        let Some(sort) = view.analysis().sort_value(node) else { continue };
        let name: &[u8] = match view.analysis().sorts().get(sort) {
            Sort::Float(5, 11) => b"Float16",
            Sort::Float(8, 24) => b"Float32",
            Sort::Float(11, 53) => b"Float64",
            Sort::Float(15, 113) => b"Float128",
            _ => continue,
        };
        edits.push(Edit::replace(view.span(node), name));
    }
    edits
}
