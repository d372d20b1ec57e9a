//! Skips operators whose result has another sort than their arguments, where hoisting is impossible.
//!
//! ```text
//! (= (f x) (g y))                       =>  (= x y)             both sides at once
//! (= (str.len s) 3)                     =>  (= s "")            a value where nothing has the new sort
//! (bvult (f x) #b01)                    =>  (= x false)         any predicate can become an equation
//! (declare-fun p (Int) Bool)                (declare-fun p (S) Bool)
//! (assert (p (f x)))                    =>  (assert (p x))      the parameter follows
//! ```

use super::SmtView;
use super::symbols::application;
use super::values::{sort_text, values};
use crate::{Edit, MergedEdits, Pass};
use nub_smtlib::{DeclId, DeclKind, NodeId, SortId};

/// Limit on the sorts tried per equation, predicate or parameter.
const MAX_SORTS: usize = 3;
/// The pass does nothing on files with more terms.
const MAX_TERMS: usize = 2_000;

/// See the module.
pub struct SmtBypass;

impl Pass<SmtView> for SmtBypass {
    fn name(&self) -> &'static str {
        "bypass"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.terms().nth(MAX_TERMS).is_some() {
            return Vec::new();
        }
        let functions =
            view.analysis().decl_ids().filter(|&id| view.analysis().decl(id).kind == DeclKind::Fun);
        let mut edits: Vec<Edit> = functions.flat_map(|id| parameters(view, id)).collect();
        edits.extend(view.terms().flat_map(|term| equations(view, term)));
        edits.extend(view.terms().flat_map(|term| predicates(view, term)));
        edits
    }
}

/// The sorts of the arguments of some terms, without the sort of the terms themselves.
fn sorts_below(view: &SmtView, terms: &[NodeId]) -> Vec<SortId> {
    let own = terms.first().and_then(|&term| view.sort(term));
    let mut sorts: Vec<SortId> = Vec::new();
    for arg in terms.iter().flat_map(|&term| view.args(term)) {
        if let Some(sort) = view.sort(arg).filter(|&sort| Some(sort) != own && !sorts.contains(&sort)) {
            sorts.push(sort);
        }
    }
    sorts.truncate(MAX_SORTS);
    sorts
}

/// The first argument of a term that has the sort and can replace the term.
fn part(view: &SmtView, term: NodeId, sort: SortId) -> Option<NodeId> {
    view.args(term).find(|&arg| view.sort(arg) == Some(sort) && view.needs().can_replace(arg, term))
}

/// Applies `=` and `distinct` to the arguments of their arguments.
fn equations(view: &SmtView, term: NodeId) -> Vec<Edit> {
    if !matches!(view.op_name(term), Some("=" | "distinct")) {
        return Vec::new();
    }
    let sides: Vec<NodeId> = view.args(term).collect();
    sorts_below(view, &sides).into_iter().filter_map(|sort| step_down(view, &sides, sort)).collect()
}

/// Replaces each term by a part of it that has this sort, or by a value.
fn step_down(view: &SmtView, terms: &[NodeId], sort: SortId) -> Option<Edit> {
    let mut merged = MergedEdits::default();
    for &term in terms {
        let edit = match part(view, term, sort) {
            Some(part) => Edit::keep_part(view.span(term), view.span(part)),
            None => Edit::replace(view.span(term), values(view, sort, term).into_iter().next()?),
        };
        if !merged.add(&edit) {
            return None;
        }
    }
    Some(Edit { splices: merged.splices() })
}

/// Replaces a predicate on terms that are not Boolean by an equation between one of them and a value.
fn predicates(view: &SmtView, term: NodeId) -> Vec<Edit> {
    let is_equation = matches!(view.op_name(term), Some("=" | "distinct"));
    if is_equation || view.sort(term) != Some(SortId::BOOL) || view.analysis().head(term).is_none() {
        return Vec::new();
    }
    let edits = sorts_below(view, &[term]).into_iter().filter_map(|sort| {
        let part = part(view, term, sort)?;
        let value = values(view, sort, term).into_iter().next()?;
        let mut edit = Edit::keep_part(view.span(term), view.span(part));
        let [before, after] = &mut edit.splices[..] else { return None };
        before.text = b"(= ".as_slice().into();
        after.text = [b" ", &value[..], b")"].concat().into();
        (edit.gain() > 0).then_some(edit)
    });
    edits.collect()
}

/// Changes the sort of a parameter to that of the arguments' arguments.
fn parameters(view: &SmtView, id: DeclId) -> Vec<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let applications: Option<Vec<NodeId>> =
        analysis.uses(id).iter().map(|&symbol| application(view, id, symbol)).collect();
    let Some(applications) = applications.filter(|_| !decl.params.is_empty()) else { return Vec::new() };
    let Some(list) = tree.child(decl.owner, 2).filter(|&list| tree.is_list(list)) else { return Vec::new() };
    let mut edits = Vec::new();
    for (at, parameter) in tree.children(list).enumerate() {
        let args: Option<Vec<NodeId>> = applications.iter().map(|&term| tree.child(term, at + 1)).collect();
        let Some(args) = args else { continue };
        edits.extend(sorts_below(view, &args).into_iter().filter_map(|sort| {
            let mut edit = step_down(view, &args, sort)?;
            edit.splices.extend(Edit::replace(view.span(parameter), sort_text(view, sort)?).splices);
            edit.splices.sort_by_key(|splice| splice.span);
            Some(edit)
        }));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(declarations: &str, body: &str, expected: &[(&str, &str)]) {
        let view = SmtView::new(format!("{declarations}(assert {body})").as_bytes());
        let texts: Vec<String> = SmtBypass
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap())
            .collect();
        let expected: Vec<String> =
            expected.iter().map(|(before, body)| format!("{before}(assert {body})")).collect();
        assert_eq!(texts, expected, "{body}");
        for text in texts {
            let errors = SmtView::new(text.as_bytes()).analysis().errors().len();
            assert_eq!(errors, 0, "{text}");
        }
    }

    #[test]
    fn both_sides_of_an_equation() {
        let text = "(declare-const s String)(declare-const t String)";
        check(text, "(= (str.len s) (str.len t))", &[(text, "(= s t)")]);
        check(text, "(= (str.len s) 3)", &[(text, "(= s \"\")")]);
        check(text, "(= s (str.++ s t))", &[]);
    }

    #[test]
    fn a_predicate_becomes_an_equation() {
        let text = "(declare-const s String)";
        check(text, "(str.prefixof s \"longer than that\")", &[(text, "(= s \"\")")]);
    }

    #[test]
    fn a_parameter_follows_its_arguments() {
        let before = "(declare-sort S 0)(declare-fun f (S) Int)(declare-fun p (Int) Bool)(declare-const x S)";
        let after = "(declare-sort S 0)(declare-fun f (S) Int)(declare-fun p (S) Bool)(declare-const x S)";
        check(before, "(p (f x))", &[(after, "(p x)")]);
        check(before, "(and (p (f x)) (p 0))", &[(after, "(and (p x) (p x))")]);
    }
}
