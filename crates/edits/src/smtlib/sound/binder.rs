//! Variables of `let`, `forall` and `exists` that are never used.
//!
//! ```text
//! (let ((a 1) (b 2)) (- 5 b))     =>  (let ((b 2)) (- 5 b))
//! (forall ((x Int)) (< a b))      =>  (< a b)
//! ```
//!
//! Sound for quantifiers because every sort of SMT-LIB has an element. A value that names a term (`:named`)
//! is not removed, nor is a quantifier around an annotated body, whose patterns need a quantifier. Table 3.1
//! has sorts instead of values in its `let`; we treat that as a typo.

use super::gives_names;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let quantified = match view.head_symbol(term)? {
        b"let" => false,
        b"forall" | b"exists" => true,
        _ => return None,
    };
    let parts: Vec<NodeId> = view.tree().children(term).take(4).collect();
    let [_, list, body] = parts[..] else { return None };
    let bindings: Vec<NodeId> = view.tree().children(list).collect();
    let kept: Vec<&[u8]> = bindings
        .iter()
        .filter(|&&binding| !is_unused(view, binding))
        .map(|&binding| view.slice(binding))
        .collect();
    if kept.len() == bindings.len() {
        return None;
    }
    if kept.is_empty() {
        let annotated = quantified && view.head_symbol(body) == Some(b"!");
        return (!annotated).then(|| Edit::keep_part(view.span(term), view.span(body)));
    }
    Some(Edit::replace(view.span(list), [b"(", &kept.join(&b' ')[..], b")"].concat()))
}

fn is_unused(view: &SmtView, binding: NodeId) -> bool {
    let analysis = view.analysis();
    let id = view.tree().first_child(binding).and_then(|name| analysis.decl_of(name));
    id.is_some_and(|id| {
        analysis.decl(id).owner == binding && analysis.uses(id).is_empty() && !gives_names(view, binding)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn unused_variables_go() {
        check("binder", "(< a (let ((x 1) (y 2)) (- 5 y)))", "(< a (let ((y 2)) (- 5 y)))");
        check("binder", "(let ((x 1) (y 2)) p)", "p");
        check("binder", "(forall ((x Int) (y Int) (z Int)) (< x z))", "(forall ((x Int) (z Int)) (< x z))");
        check("binder", "(exists ((x Int)) p)", "p");
        check("binder", "(let ((x 1)) (let ((x 2)) (= x a)))", "(let ((x 2)) (= x a))");
    }

    #[test]
    fn what_stays() {
        check_stays("binder", "(let ((x 1)) (= x a))");
        check_stays("binder", "(forall ((x Int)) (! (< x a) :pattern ((f x))))");
        check_stays("binder", "(forall ((x Int)) (! p :pattern ((f a))))");
        check_stays("binder", "(let ((x (! q :named n))) p)");
    }
}
