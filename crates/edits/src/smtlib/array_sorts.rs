//! Gives indices and elements of arrays a simpler sort.
//!
//! ```text
//! (declare-const a (Array (_ BitVec 32) (_ BitVec 8)))       (declare-const a (Array Bool Bool))
//! (declare-const i (_ BitVec 32))                       =>   (declare-const i Bool)
//! (assert (= (select a i) #x2a))                             (assert (= (select a i) true))
//! ```
//!
//! Like [`super::retype_sorts`], for classes of values that are an index or element of some array. If operators work on
//! them, [`super::bv_width`] narrows them instead.

use super::SmtView;
use super::retype::{Model, Target};
use super::retype_sorts::{boolean, classes, has_logic, integer, list};
use crate::{Edit, Pass};

/// See the module.
pub struct ArraySorts;

impl Pass<SmtView> for ArraySorts {
    fn name(&self) -> &'static str {
        "array-sorts"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let Some(mut model) = Model::new(view) else { return Vec::new() };
        let index = model.by_class();
        let classes = classes(&mut model, &index, |model, class| model.is_array_part(class));
        // Some solvers only support arrays of bit-vectors.
        let bit = Target { sort: b"(_ BitVec 1)".into(), literals: Some((b"#b0", b"#b1")) };
        let bit = Some(bit).filter(|_| has_logic(view, &[b"BV"]));
        let targets: Vec<Target> = [Some(boolean()), integer(view), bit].into_iter().flatten().collect();
        list(&model, &index, &classes, &targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MergedEdits, render};

    fn merged(text: &str) -> String {
        let mut merged = MergedEdits::default();
        ArraySorts.edits(&SmtView::new(text.as_bytes())).iter().for_each(|edit| _ = merged.add(edit));
        String::from_utf8(render(text.as_bytes(), &merged.splices())).unwrap()
    }

    #[test]
    fn index_and_element() {
        let before = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-const i (_ BitVec 32))\
            (assert (= (select a i) (_ bv42 8)))";
        let after = "(declare-const a (Array Bool Bool))(declare-const i Bool)(assert (= (select a i) true))";
        assert_eq!(merged(before), after);
    }

    #[test]
    fn arithmetic_keeps_the_index() {
        let before = "(declare-const a (Array (_ BitVec 32) (Array Real Real)))(declare-const i (_ BitVec 32))\
            (assert (= (select a (bvadd i i)) (select a i)))";
        let after = "(declare-const a (Array (_ BitVec 32) Bool))(declare-const i (_ BitVec 32))\
            (assert (= (select a (bvadd i i)) (select a i)))";
        assert_eq!(merged(before), after);
    }

    #[test]
    fn constant_arrays() {
        let before =
            "(declare-const i (_ BitVec 4))(assert (= i (select ((as const (Array Int (_ BitVec 4))) i) 3)))";
        let after = "(declare-const i Bool)(assert (= i (select ((as const (Array Int Bool)) i) 3)))";
        assert_eq!(merged(before), after);
    }
}
