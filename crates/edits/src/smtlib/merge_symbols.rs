//! Merges two declared symbols of the same signature, or a declared sort into another one.
//!
//! ```text
//! (declare-const x Int) (declare-const y Int)        (declare-const x Int)
//! (assert (= x (f y)))                          =>   (assert (= x (f x)))
//! (declare-sort S 0) (declare-const a S)        =>   (declare-const a Int)
//! ```

use super::View;
use super::retype_sorts::has_logic;
use crate::{Edit, Pass};
use nub_smtlib::{Decl, DeclId, DeclKind, SortId};
use nub_text::Span;

/// Partners tried per symbol.
const MAX_PARTNERS: usize = 3;

/// See the module.
pub struct MergeSymbols;

impl Pass<View> for MergeSymbols {
    fn name(&self) -> &'static str {
        "merge-symbols"
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let analysis = view.analysis();
        let mut edits = Vec::new();
        let mut earlier: Vec<DeclId> = Vec::new();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            match decl.kind {
                DeclKind::Fun if decl.result != SortId::UNKNOWN => {
                    let partners = earlier.iter().rev().filter(|&&other| is_same(decl, analysis.decl(other)));
                    edits.extend(partners.take(MAX_PARTNERS).filter_map(|&other| merge(view, id, other)));
                    earlier.push(id);
                }
                DeclKind::Sort if decl.arity == 0 => {
                    edits.extend(sorts(view).iter().filter_map(|sort| replace(view, id, sort.as_bytes())));
                }
                _ => {}
            }
        }
        edits
    }
}

/// Sorts that may stand for a declared one.
fn sorts(view: &View) -> &'static [&'static str] {
    if has_logic(view, &[b"IA", b"IRA", b"IDL"]) { &["Int", "Bool"] } else { &["Bool"] }
}

/// Same signature, and the partner is visible wherever the symbol is.
fn is_same(decl: &Decl, other: &Decl) -> bool {
    decl.params == other.params && decl.result == other.result && other.scope.1 >= decl.scope.1
}

fn merge(view: &View, id: DeclId, other: DeclId) -> Option<Edit> {
    let analysis = view.analysis();
    let name = view.slice(analysis.decl(other).name);
    let hidden = analysis.decls().iter().any(|decl| decl.is_local() && view.slice(decl.name) == name);
    if hidden { None } else { replace(view, id, name) }
}

fn replace(view: &View, id: DeclId, name: &[u8]) -> Option<Edit> {
    let analysis = view.analysis();
    let uses = analysis.uses(id).iter().map(|&node| (view.span(node), name.to_vec()));
    let cut: (Span, Vec<u8>) = (view.cut_span(analysis.decl(id).owner), Vec::new());
    Edit::try_of(uses.chain([cut]))
}
