//! Merges two declared symbols of the same signature, or replaces a declared sort by another one.
//!
//! ```text
//! (declare-const x Int) (declare-const y Int)        (declare-const x Int)
//! (assert (= x (f y)))                          =>   (assert (= x (f x)))
//! (declare-sort S 0) (declare-const a S)        =>   (declare-const a Int)
//! (declare-datatype D ((c))) (declare-const a D)     (declare-const a Int)
//! ```
//!
//! `RegLan` is also tried: it is the standard sort that solvers support least, and if a failure depends on an unusual sort,
//! any unusual sort may do. But only as the sort of a symbol: cvc5 has no functions, arrays or variables of it.

use super::SmtView;
use super::retype_sorts::has_logic;
use super::unused::command_of;
use crate::{Edit, Pass, pass::MAX_SPLICES};
use nub_smtlib::{Decl, DeclId, DeclKind, NodeId, SortId};
use nub_text::Span;

/// Limit on the partners tried per symbol.
const MAX_PARTNERS: usize = 3;

/// See the module.
pub struct MergeSymbols;

impl Pass<SmtView> for MergeSymbols {
    fn name(&self) -> &'static str {
        "merge-symbols"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let mut edits = Vec::new();
        let mut n_splices = 0;
        let mut earlier: Vec<DeclId> = Vec::new();
        for id in analysis.decl_ids() {
            let n_before = edits.len();
            let decl = analysis.decl(id);
            match decl.kind {
                DeclKind::Fun if decl.result != SortId::UNKNOWN => {
                    let partners = earlier.iter().rev().filter(|&&other| is_same(decl, analysis.decl(other)));
                    edits.extend(partners.take(MAX_PARTNERS).filter_map(|&other| merge(view, id, other)));
                    earlier.push(id);
                }
                DeclKind::Sort if decl.arity == 0 => {
                    edits
                        .extend(sorts(view, id).iter().filter_map(|sort| replace(view, id, sort.as_bytes())));
                }
                DeclKind::Datatype if decl.arity == 0 => {
                    edits.extend(sorts(view, id).iter().filter_map(|sort| replace_datatype(view, id, sort)));
                }
                _ => {}
            }
            n_splices += edits[n_before..].iter().map(|edit| edit.splices.len()).sum::<usize>();
            if n_splices >= MAX_SPLICES {
                break;
            }
        }
        edits
    }
}

/// Sorts that may replace a declared one.
fn sorts(view: &SmtView, id: DeclId) -> Vec<&'static str> {
    let integers = has_logic(view, &[b"IA", b"IRA", b"IDL"]).then_some("Int");
    let has_languages = has_logic(view, &[b"_S"]) && is_of_symbols_only(view, id);
    [integers, Some("Bool"), has_languages.then_some("RegLan")].into_iter().flatten().collect()
}

/// Whether a sort is only used, outside of its own declaration, as in `(declare-const a S)` and `(declare-fun a () S)`.
fn is_of_symbols_only(view: &SmtView, id: DeclId) -> bool {
    let tree = view.tree();
    let own = command_of(view, view.analysis().decl(id).name);
    view.analysis().uses(id).iter().filter(|&&node| !tree.is_within(node, own)).all(|&node| {
        let Some(command) = tree.parent(node) else { return false };
        match view.head_symbol(command) {
            Some(b"declare-const") => true,
            Some(b"declare-fun") => {
                tree.child(command, 2).is_some_and(|list| tree.first_child(list).is_none())
            }
            _ => false,
        }
    })
}

/// Replaces a datatype that is the only one of its command and of which only the name is used.
fn replace_datatype(view: &SmtView, id: DeclId, sort: &str) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let command = command_of(view, analysis.decl(id).name);
    let is_outside = |node: NodeId| !tree.is_within(node, command);
    let parts = analysis.decl_ids().filter(|&part| {
        let name = analysis.decl(part).name;
        part != id && tree.is_within(name, command)
    });
    for part in parts {
        let is_other = analysis.decl(part).kind == DeclKind::Datatype;
        if is_other || analysis.uses(part).iter().any(|&node| is_outside(node)) {
            return None;
        }
    }
    let uses = analysis.uses(id).iter().copied().filter(|&node| is_outside(node));
    let uses = uses.map(|node| (view.span(node), sort.as_bytes().to_vec()));
    Edit::try_of(uses.chain([(view.cut_span(command), Vec::new())]))
}

/// True if the signatures are equal and the partner is visible wherever the symbol is.
fn is_same(decl: &Decl, other: &Decl) -> bool {
    decl.params == other.params && decl.result == other.result && other.scope.1 >= decl.scope.1
}

fn merge(view: &SmtView, id: DeclId, other: DeclId) -> Option<Edit> {
    let analysis = view.analysis();
    let name = view.slice(analysis.decl(other).name);
    let hidden = analysis.decls().iter().any(|decl| decl.is_local() && view.slice(decl.name) == name);
    if hidden { None } else { replace(view, id, name) }
}

fn replace(view: &SmtView, id: DeclId, name: &[u8]) -> Option<Edit> {
    let analysis = view.analysis();
    let uses = analysis.uses(id).iter().map(|&node| (view.span(node), name.to_vec()));
    let cut: (Span, Vec<u8>) = (view.cut_span(analysis.decl(id).owner), Vec::new());
    Edit::try_of(uses.chain([cut]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let view = SmtView::new(text.as_bytes());
        let edits = MergeSymbols.edits(&view);
        let texts = edits.iter().map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap());
        assert_eq!(texts.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn datatypes_of_which_only_the_name_is_used() {
        let text = "(declare-datatype D ((c) (d (e D))))(declare-const a D)";
        let sorts = ["Int", "Bool", "RegLan"].map(|sort| format!("(declare-const a {sort})"));
        check(text, &sorts.each_ref().map(String::as_str));
        check(&format!("{text}(assert (= a c))"), &[]);
        let text = "(declare-datatype D ((c)))(declare-fun f (D) Bool)";
        check(text, &["(declare-fun f (Int) Bool)", "(declare-fun f (Bool) Bool)"]);
        check("(declare-datatypes ((D 0) (E 0)) (((c)) ((d))))(declare-const a D)", &[]);
    }

    #[test]
    fn symbols_of_one_signature() {
        let text = "(declare-const x Int)(declare-const y Int)(assert (< x y))";
        check(text, &["(declare-const x Int)(assert (< x x))"]);
    }
}
