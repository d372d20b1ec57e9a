//! Narrows bit-vectors through the whole file.
//!
//! ```text
//! (declare-const x (_ BitVec 32))                 (declare-const x (_ BitVec 1))
//! (declare-const y (_ BitVec 64))                 (declare-const y (_ BitVec 1))
//! (assert (= ((_ zero_extend 32) x) y))      =>   (assert (= ((_ zero_extend 0) x) y))
//! (assert (bvult x #x0000002b))                   (assert (bvult x #b1))
//! ```
//!
//! A width changes together with all widths that depend on it, and literals and indices are adjusted, so the file stays
//! well sorted. First everything at once is made as narrow as possible, then half as wide; then smaller and smaller groups of
//! classes are made as narrow as possible, down to single ones; finally, single classes lose half of their bits, a quarter, a
//! sixteenth and so on if they are wide, or one bit.
//!
//! Extensions by zero bits and extractions of everything stay: they have the sort of their argument, so another
//! pass removes them unless the failure needs them.

use super::SmtView;
use super::retype::{Dim, Measure, Narrowing};
use crate::smaller_numbers::narrower;
use crate::{Edit, Grouping, Pass};
use std::cmp::Reverse;

/// See the module.
pub struct BvWidth;

impl Pass<SmtView> for BvWidth {
    fn name(&self) -> &'static str {
        "bv-width"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let Some(mut narrowing) = Narrowing::new(view) else { return Vec::new() };
        let mut dims: Vec<Dim> =
            narrowing.dims().filter(|&dim| narrowing.measure(dim) == Measure::Bits).collect();
        if dims.is_empty() {
            return Vec::new();
        }
        // Equal widths are adjacent, so that groups consist of what a reader would call one kind of value.
        dims.sort_by_key(|&dim| (Reverse(narrowing.value(dim)), Reverse(narrowing.n_sites(dim)), dim));
        narrowing.bit_vectors_to(|_| 1);
        narrowing.bit_vectors_to(|width| width.div_ceil(2));
        in_groups(&mut narrowing, &dims);
        one_by_one(&mut narrowing, &dims, |width| width / 2);
        wide_ones(&mut narrowing, &dims);
        one_by_one(&mut narrowing, &dims, |width| width - 1);
        narrowing.into_edits()
    }

    /// An edit changes widths that others also change: the list is rebuilt after each success.
    fn grouping(&self) -> Grouping {
        Grouping::Single
    }
}

fn in_groups(narrowing: &mut Narrowing<'_>, dims: &[Dim]) {
    let mut size = dims.len();
    loop {
        for group in dims.chunks(size) {
            if narrowing.is_full() {
                return;
            }
            let choice: Vec<(Dim, u32)> = group.iter().map(|&dim| (dim, 1)).collect();
            narrowing.narrow(&choice);
        }
        if size == 1 {
            return;
        }
        size = size.div_ceil(2);
    }
}

fn one_by_one(narrowing: &mut Narrowing<'_>, dims: &[Dim], wanted: impl Fn(u32) -> u32) {
    for &dim in dims {
        if narrowing.is_full() {
            return;
        }
        let choice = [(dim, wanted(narrowing.value(dim)))];
        narrowing.narrow(&choice);
    }
}

fn wide_ones(narrowing: &mut Narrowing<'_>, dims: &[Dim]) {
    for &dim in dims {
        for width in narrower(narrowing.value(dim)) {
            if narrowing.is_full() {
                return;
            }
            narrowing.narrow(&[(dim, width)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn all(text: &str) -> Vec<String> {
        let view = SmtView::new(text.as_bytes());
        let edits = BvWidth.edits(&view);
        edits.iter().map(|edit| String::from_utf8(render(text.as_bytes(), &edit.splices)).unwrap()).collect()
    }

    #[test]
    fn everything_at_once() {
        let before = "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 64))\
            (assert (= ((_ zero_extend 32) x) y))(assert (bvult x #x0000002b))";
        let after = "(declare-const x (_ BitVec 1))(declare-const y (_ BitVec 1))\
            (assert (= ((_ zero_extend 0) x) y))(assert (bvult x #b1))";
        assert_eq!(all(before)[0], after);
    }

    #[test]
    fn parts_of_a_concatenation() {
        let before =
            "(declare-const x (_ BitVec 8))(declare-const z (_ BitVec 16))(assert (= (concat x x) z))";
        let got = all(before);
        assert_eq!(
            got[0],
            "(declare-const x (_ BitVec 1))(declare-const z (_ BitVec 2))(assert (= (concat x x) z))"
        );
        assert_eq!(
            got[1],
            "(declare-const x (_ BitVec 4))(declare-const z (_ BitVec 8))(assert (= (concat x x) z))"
        );
    }

    #[test]
    fn extraction_follows_its_source() {
        let before = "(declare-fun f ((_ BitVec 8)) Bool)(declare-const x (_ BitVec 32))\
            (assert (f ((_ extract 31 24) x)))";
        let got = all(before);
        assert!(got.contains(
            &"(declare-fun f ((_ BitVec 8)) Bool)(declare-const x (_ BitVec 16))(assert (f ((_ extract 15 8) x)))"
                .to_string()
        ));
        assert!(got.contains(
            &"(declare-fun f ((_ BitVec 1)) Bool)(declare-const x (_ BitVec 32))(assert (f ((_ extract 24 24) x)))"
                .to_string()
        ));
    }

    #[test]
    fn fixed_by_what_is_not_understood() {
        assert!(all("(declare-const x (_ BitVec 8))(assert (mystery x))").is_empty());
        assert!(all("(declare-const x (_ BitVec 8))(assert (= (lambda ((y Int)) x) z))").is_empty());
    }
}
