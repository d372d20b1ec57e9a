//! Gives values a simpler sort if no operator depends on their sort.
//!
//! ```text
//! (declare-sort Elem 0)                                   (declare-sort Elem 0)
//! (declare-fun f (Elem) (_ BitVec 32))                    (declare-fun f (Bool) Bool)
//! (declare-const x Elem)                             =>   (declare-const x Bool)
//! (assert (distinct (f x) (_ bv7 32) (_ bv0 32)))         (assert (distinct (f x) true false))
//! ```
//!
//! A class of values that is only used with `=`, `distinct`, `ite`, binders, applications of declared functions, `select` and
//! `store` can as well be Boolean, an integer, or of a declared sort, whichever is shorter. Literals
//! become the two simplest values: zero and empty ones become `false` or `0`, others `true` or `1`.
//!
//! Indices and elements of arrays are left to [`super::array_sorts`].

use super::SmtView;
use super::retype::{Listing, Model, SiteIndex, Target, Var};
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, DeclKind, SmtSort};
use std::cmp::Reverse;

/// See the module.
pub struct Retype;

impl Pass<SmtView> for Retype {
    fn name(&self) -> &'static str {
        "retype"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let Some(mut model) = Model::new(view) else { return Vec::new() };
        let index = model.by_class();
        let classes = classes(&mut model, &index, |model, class| !model.is_array_part(class));
        let targets: Vec<Target> =
            [Some(boolean()), integer(view), declared(view)].into_iter().flatten().collect();
        list(&model, &index, &classes, &targets)
    }
}

/// `Bool`
pub(super) fn boolean() -> Target {
    Target { sort: b"Bool".into(), literals: Some((b"false", b"true")) }
}

/// `Int`, in logics that have it.
pub(super) fn integer(view: &SmtView) -> Option<Target> {
    let target = Target { sort: b"Int".into(), literals: Some((b"0", b"1")) };
    has_logic(view, &[b"IA", b"IRA", b"IDL"]).then_some(target)
}

/// True if no logic is set, or one whose name contains one of these theories.
pub(super) fn has_logic(view: &SmtView, theories: &[&[u8]]) -> bool {
    let logic = view.commands().iter().find(|&&(_, kind)| kind == CommandKind::SetLogic);
    let Some(name) = logic.and_then(|&(command, _)| view.tree().child(command, 1)) else { return true };
    let name = view.slice(name);
    let has = |theory: &&[u8]| memchr::memmem::find(name, theory).is_some();
    name.ends_with(b"ALL") || name.ends_with(b"ALL_SUPPORTED") || theories.iter().any(has)
}

/// The first sort without parameters that the script declares, if it is declared before it is needed.
fn declared(view: &SmtView) -> Option<Target> {
    let &(first, _) = view.commands().iter().find(|(_, kind)| kind.declares())?;
    let mut decls = view.analysis().decls().iter();
    let decl = decls.find(|decl| decl.kind == DeclKind::Sort && decl.owner == first && decl.arity == 0)?;
    Some(Target { sort: view.slice(decl.name).into(), literals: None })
}

/// Classes that can have another sort, most used first.
pub(super) fn classes(
    model: &mut Model<'_>,
    index: &SiteIndex,
    wanted: impl Fn(&mut Model<'_>, Var) -> bool,
) -> Vec<Var> {
    let mut classes = model.free_classes(index);
    classes.retain(|&(class, _)| wanted(model, class));
    classes.sort_by_key(|&(class, n_sites)| (Reverse(n_sites), class));
    classes.into_iter().map(|(class, _)| class).collect()
}

/// All classes to the first target, then to the second, and so on. Edits of different classes are independent: a
/// place depends on one class, or is inside a sort that is replaced as a whole.
pub(super) fn list(model: &Model<'_>, index: &SiteIndex, classes: &[Var], targets: &[Target]) -> Vec<Edit> {
    let mut listing = Listing::default();
    for target in targets {
        for &class in classes {
            if listing.is_full() {
                break;
            }
            // Both are simplest sorts; neither is simpler than the other.
            if !matches!(model.sort(class), SmtSort::Bool | SmtSort::Int) {
                listing.push(model.replace(index, class, target));
            }
        }
    }
    listing.into_edits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MergedEdits, render};

    #[test]
    fn values_that_nothing_computes_with() {
        let before = "(declare-sort Elem 0)(declare-fun f (Elem) (_ BitVec 32))(declare-const x Elem)\
            (assert (distinct (f x) (_ bv7 32) (_ bv0 32)))";
        let after = "(declare-sort Elem 0)(declare-fun f (Bool) Bool)(declare-const x Bool)\
            (assert (distinct (f x) true false))";
        let view = SmtView::new(before.as_bytes());
        let mut merged = MergedEdits::default();
        Retype.edits(&view).iter().for_each(|edit| _ = merged.add(edit));
        let got = String::from_utf8(render(before.as_bytes(), &merged.splices())).unwrap();
        assert_eq!(got, after);
    }

    #[test]
    fn logics_without_integers() {
        let text = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= x x))";
        let view = SmtView::new(text.as_bytes());
        let edits = Retype.edits(&view);
        assert_eq!(edits.len(), 1);
        assert_eq!(&*edits[0].splices[0].text, b"Bool");
    }

    #[test]
    fn operators_keep_their_sorts() {
        let text =
            "(declare-const x Real)(declare-const y (_ BitVec 8))(assert (< x 1.0))(assert (bvult y y))";
        assert!(Retype.edits(&SmtView::new(text.as_bytes())).is_empty());
    }
}
