//! Removes cases of `match`: first a pattern becomes a variable, which matches everything, then the other cases are removed.
//!
//! ```text
//! (match l ((nil 0) ((cons h t) 1)))   =>   (match l ((nil 0) (x 1)))   =>   (match l ((x 1)))
//! ```
//!
//! A `match` must name every constructor or have a variable, so a case is removed only if another one matches
//! everything. The last case is removed by hoisting.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{DeclId, DeclKind, NodeId, SmtSort};
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module.
pub struct MatchCases;

impl Pass<SmtView> for MatchCases {
    fn name(&self) -> &'static str {
        "match-cases"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let terms: Vec<NodeId> =
            view.terms().filter(|&term| view.head_symbol(term) == Some(b"match")).collect();
        let fresh = if terms.is_empty() { None } else { unused_name(view) };
        terms.into_iter().flat_map(|term| edits_of(view, term, fresh.as_deref())).collect()
    }
}

fn edits_of(view: &SmtView, term: NodeId, fresh: Option<&[u8]>) -> Vec<Edit> {
    let cases: Vec<(NodeId, NodeId)> = cases(view, term).collect();
    let takes_all = |pattern: NodeId| is_variable(view, pattern);
    let n_general = cases.iter().filter(|(_, pattern)| takes_all(*pattern)).count();
    let others = cases.iter().filter(|(_, pattern)| !takes_all(*pattern) && n_general > 0 || n_general > 1);
    let mut edits: Vec<Edit> = others.map(|(case, _)| view.cut(*case)).collect();
    edits.extend(cases.iter().filter_map(|&(_, pattern)| generalise(view, pattern, fresh)));
    edits
}

/// The cases of a `match` with their patterns.
fn cases(view: &SmtView, term: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
    let tree = view.tree();
    let list = tree.child(term, 2);
    let cases = list.into_iter().flat_map(move |list| tree.children(list));
    cases.filter_map(move |case| Some((case, tree.first_child(case)?)))
}

fn is_variable(view: &SmtView, pattern: NodeId) -> bool {
    let decl = view.analysis().decl_of(pattern);
    decl.is_some_and(|id| {
        let decl = view.analysis().decl(id);
        decl.kind == DeclKind::Pattern && decl.name == pattern
    })
}

/// Replaces a pattern by a variable, if the variables of the pattern are not used.
fn generalise(view: &SmtView, pattern: NodeId, fresh: Option<&[u8]>) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let is_free = |node: NodeId| analysis.decl_of(node).is_none_or(|id| analysis.uses(id).is_empty());
    if is_variable(view, pattern) || !tree.children(pattern).skip(1).all(is_free) {
        return None;
    }
    // The first variable of the pattern has a name that shadows nothing new; a nullary constructor has no variable.
    let name = match tree.child(pattern, 1) {
        Some(variable) => view.slice(variable),
        None => fresh?,
    };
    Some(Edit::replace(view.span(pattern), name))
}

/// A letter that is not used as a name.
fn unused_name(view: &SmtView) -> Option<Vec<u8>> {
    let tree = view.tree();
    let taken: FxHashSet<&[u8]> =
        tree.nodes().filter(|&node| tree.is_symbol(node)).map(|node| view.slice(node)).collect();
    let is_free = |name: &[u8]| !taken.contains(name) && nub_smtlib::ops::by_name(name).is_none();
    (b'a'..=b'z').map(|letter| vec![letter]).find(|name| is_free(name))
}

/// Whether some `match` does not handle all values: no variable, and not all constructors. Linear in the script.
pub(super) fn leaves_values_out(view: &SmtView) -> bool {
    let analysis = view.analysis();
    let matches: Vec<NodeId> =
        view.terms().filter(|&term| view.head_symbol(term) == Some(b"match")).collect();
    if matches.is_empty() {
        return false;
    }
    let mut n_constructors: FxHashMap<DeclId, usize> = FxHashMap::default();
    for decl in analysis.decls().iter().filter(|decl| decl.kind == DeclKind::Constructor) {
        if let Some(datatype) = decl.parent {
            *n_constructors.entry(datatype).or_default() += 1;
        }
    }
    matches.into_iter().any(|term| {
        let sort = view.tree().child(term, 1).and_then(|subject| view.sort(subject));
        match sort.map(|sort| analysis.sorts().get(sort)) {
            Some(SmtSort::User(id, _)) => n_constructors.get(id).is_some_and(|&n| !takes_all(view, term, n)),
            // The analysis could not determine the datatype; other rules report that.
            _ => false,
        }
    })
}

/// Whether there is a variable among the patterns, or a pattern for each constructor.
fn takes_all(view: &SmtView, term: NodeId, n_constructors: usize) -> bool {
    let head = |pattern: NodeId| view.tree().first_child(pattern).unwrap_or(pattern);
    let mut named: FxHashSet<DeclId> = FxHashSet::default();
    for (_, pattern) in cases(view, term) {
        if is_variable(view, pattern) {
            return true;
        }
        named.extend(view.analysis().decl_of(head(pattern)));
    }
    named.len() >= n_constructors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    const LIST: &str = "(declare-datatype L ((nil) (cons (h Int) (t L))))(declare-const l L)";

    fn view_of(term: &str) -> SmtView {
        SmtView::new(format!("{LIST}(assert (= 0 {term}))").as_bytes())
    }

    #[track_caller]
    fn check(term: &str, expected: &[&str]) {
        let view = view_of(term);
        let all = MatchCases.edits(&view);
        let texts = all.iter().map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap());
        let whole = expected.iter().map(|term| format!("{LIST}(assert (= 0 {term}))"));
        assert_eq!(texts.collect::<Vec<_>>(), whole.collect::<Vec<_>>(), "{term}");
    }

    #[test]
    fn first_a_variable_then_the_others_go() {
        check(
            "(match l ((nil 0) ((cons x y) 1)))",
            &["(match l ((a 0) ((cons x y) 1)))", "(match l ((nil 0) (x 1)))"],
        );
        check("(match l ((nil 0) (x 1)))", &["(match l ( (x 1)))", "(match l ((a 0) (x 1)))"]);
        check("(match l (((cons x y) x) (nil 2)))", &["(match l (((cons x y) x) (a 2)))"]);
    }

    #[test]
    fn every_constructor_or_a_variable() {
        let is_whole = |term: &str| !leaves_values_out(&view_of(term));
        assert!(is_whole("(match l ((nil 0) ((cons x y) 1)))"));
        assert!(is_whole("(match l ((nil 0) (z 1)))"));
        assert!(!is_whole("(match l ((nil 0)))"));
        assert!(!is_whole("(match l (((cons x y) 1)))"));
    }
}
