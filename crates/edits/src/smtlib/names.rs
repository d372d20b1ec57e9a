//! Shortens names, as the last step.
//!
//! ```text
//! (declare-const long_name Int)      (declare-const a Int)
//! (assert (= long_name 1))      =>   (assert (= a 1))
//! ```
//!
//! First all names at once, then one by one. The new names are not used elsewhere, not even by an operator.

use super::SmtView;
use crate::{Edit, Grouping, Pass};
use nub_smtlib::{DeclId, DeclKind};
use nub_text::Span;
use rustc_hash::FxHashSet;

/// Limit on the declarations renamed one by one.
const MAX_SINGLE: usize = 200;

/// See the module.
pub struct SmtNames;

impl Pass<SmtView> for SmtNames {
    fn name(&self) -> &'static str {
        "names"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Groups
    }

    /// Groups of renamings never conflict: the new names are all different.
    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let taken: FxHashSet<&[u8]> = view
            .tree()
            .nodes()
            .filter(|&node| view.tree().is_symbol(node))
            .map(|node| view.slice(node))
            .collect();
        let mut fresh = fresh_names().filter(|name| !taken.contains(name.as_slice()) && !is_reserved(name));
        let mut ids: Vec<DeclId> = analysis.decl_ids().collect();
        ids.sort_by_key(|&id| std::cmp::Reverse(analysis.uses(id).len()));
        let mut edits = Vec::new();
        for id in ids {
            let decl = analysis.decl(id);
            let old = view.slice(decl.name);
            if old.len() == 1 || is_used_inside_a_name(view, id) {
                continue;
            }
            let Some(new) = fresh.next().filter(|new| new.len() < old.len()) else { break };
            let mut places: Vec<Span> = analysis.uses(id).iter().map(|&node| view.span(node)).collect();
            places.push(view.span(decl.name));
            places.sort_unstable();
            places.dedup();
            edits.extend(Edit::try_of(places.into_iter().map(|span| (span, new.clone()))));
        }
        if edits.len() > MAX_SINGLE {
            let all = edits.into_iter().flat_map(|edit| edit.splices);
            return Edit::try_of(all.map(|splice| (splice.span, splice.text))).into_iter().collect();
        }
        edits
    }
}

/// A constructor `C` is also named by z3's tester `is-C`.
fn is_used_inside_a_name(view: &SmtView, id: DeclId) -> bool {
    let decl = view.analysis().decl(id);
    decl.kind == DeclKind::Constructor
        && view.analysis().uses(id).iter().any(|&node| view.slice(node) != view.slice(decl.name))
}

fn is_reserved(name: &[u8]) -> bool {
    nub_smtlib::ops::by_name(name).is_some() || matches!(name, b"as" | b"is" | b"if")
}

/// a, b, …, z, A, …, Z, aa, ab, …
fn fresh_names() -> impl Iterator<Item = Vec<u8>> {
    let letters: Vec<u8> = (b'a'..=b'z').chain(b'A'..=b'Z').collect();
    (0usize..).map(move |mut n| {
        let mut name = Vec::new();
        loop {
            name.push(letters[n % letters.len()]);
            if n < letters.len() {
                break;
            }
            n = n / letters.len() - 1;
        }
        name.reverse();
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_order_of_length() {
        let names: Vec<Vec<u8>> = fresh_names().take(54).collect();
        assert_eq!(names[0], b"a");
        assert_eq!(names[51], b"Z");
        assert_eq!(names[52..], [b"aa".to_vec(), b"ab".to_vec()]);
    }
}
