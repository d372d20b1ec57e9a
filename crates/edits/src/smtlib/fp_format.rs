//! Narrows floating-point formats through the whole file.
//!
//! ```text
//! (declare-const x (_ FloatingPoint 11 53))             (declare-const x Float16)
//! (assert (fp.lt x ((_ to_fp 11 53) RNE 0.5)))     =>   (assert (fp.lt x ((_ to_fp 5 11) RNE 0.5)))
//! (assert (fp.eq x (fp #b0 #b01111111111 #x0…0)))       (assert (fp.eq x (fp #b0 #b01111 #b0000000000)))
//! ```
//!
//! First all formats at once, from the smallest that the standard allows to the common ones, then class by class.
//! Bit-vectors are adjusted if `fp`, `to_fp` from bits or `fp.to_ieee_bv` tie them to a format. Exponents of literals
//! keep their distance to the bias and fractions their high bits, so small numbers keep their value.

use super::SmtView;
use super::retype::{Dim, FpBits, Measure, Narrowing};
use crate::{Edit, Grouping, Pass};

/// Bits of exponent and significand, the smallest first. `Float16` and `Float32` are the shortest to write, and some
/// solvers support no others.
const FORMATS: [FpBits; 5] = [bits(2, 3), bits(3, 5), bits(5, 11), bits(8, 24), bits(11, 53)];
/// Formats with a name. `(_ FloatingPoint 2 3)` is narrower than `Float16`, but longer. So once no literal benefits from it,
/// a wider format gives a smaller file.
const NAMED: [FpBits; 3] = [bits(5, 11), bits(8, 24), bits(11, 53)];

const fn bits(exponent: u32, significand: u32) -> FpBits {
    FpBits { exponent, significand }
}

/// Names of formats are not tried in larger scripts.
const MAX_BYTES: usize = 4_000;

/// See the module.
pub struct FpFormat;

impl Pass<SmtView> for FpFormat {
    fn name(&self) -> &'static str {
        "fp-format"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let Some(mut narrowing) = Narrowing::new(view) else { return Vec::new() };
        let dims: Vec<Dim> =
            narrowing.dims().filter(|&dim| narrowing.measure(dim) != Measure::Bits).collect();
        for format in FORMATS {
            narrow(&mut narrowing, &dims, format);
        }
        // Exponent and significand of a class are adjacent, unless one of them already has its minimum.
        let classes: Vec<&[Dim]> = dims.chunk_by(|&a, &b| is_pair(&narrowing, a, b)).collect();
        if classes.len() > 1 {
            for format in FORMATS {
                classes.iter().for_each(|class| narrow(&mut narrowing, class, format));
            }
        }
        for &dim in &dims {
            let value = narrowing.value(dim);
            narrowing.narrow(&[(dim, value / 2)]);
            narrowing.narrow(&[(dim, value - 1)]);
        }
        if view.text().len() <= MAX_BYTES {
            NAMED.into_iter().for_each(|format| narrowing.floats_to(format));
        }
        narrowing.into_edits()
    }

    /// An edit changes widths that others also change: the list is rebuilt after each success.
    fn grouping(&self) -> Grouping {
        Grouping::Single
    }
}

fn is_pair(narrowing: &Narrowing<'_>, first: Dim, second: Dim) -> bool {
    (narrowing.measure(first), narrowing.measure(second)) == (Measure::Exponent, Measure::Significand)
        && first.next() == second
}

fn narrow(narrowing: &mut Narrowing<'_>, dims: &[Dim], format: FpBits) {
    if narrowing.is_full() {
        return;
    }
    let wanted = |&dim: &Dim| match narrowing.measure(dim) {
        Measure::Exponent => (dim, format.exponent),
        _ => (dim, format.significand),
    };
    let choice: Vec<(Dim, u32)> = dims.iter().map(wanted).collect();
    narrowing.narrow(&choice);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn all(text: &str) -> Vec<String> {
        let view = SmtView::new(text.as_bytes());
        let edits = FpFormat.edits(&view);
        edits.iter().map(|edit| String::from_utf8(render(text.as_bytes(), &edit.splices)).unwrap()).collect()
    }

    #[test]
    fn back_to_a_format_with_a_name() {
        let before = "(declare-const x (_ FloatingPoint 2 3))(assert (fp.eq x (_ +oo 2 3)))";
        let after = "(declare-const x Float16)(assert (fp.eq x (_ +oo 5 11)))";
        assert_eq!(all(before)[0], after);
        let tied = "(declare-const x (_ FloatingPoint 2 3))(assert (fp.eq x (fp #b0 #b01 #b00)))";
        assert_eq!(all(tied), Vec::<String>::new());
    }

    #[test]
    fn formats_and_literals() {
        let before = "(declare-const x (_ FloatingPoint 11 53))(assert (fp.lt x ((_ to_fp 11 53) RNE 0.5)))\
            (assert (fp.eq x (fp #b0 #b01111111111 #x0000000000000)))(assert (fp.eq x (_ +oo 11 53)))";
        let after = "(declare-const x Float16)(assert (fp.lt x ((_ to_fp 5 11) RNE 0.5)))\
            (assert (fp.eq x (fp #b0 #b01111 (_ bv0 10))))(assert (fp.eq x (_ +oo 5 11)))";
        let got = all(before);
        assert!(got.contains(&after.to_string()), "{got:#?}");
        assert!(got[0].starts_with("(declare-const x (_ FloatingPoint 2 3))"), "{}", got[0]);
    }

    #[test]
    fn bits_of_a_float() {
        let before = "(declare-const b (_ BitVec 32))(declare-const c (_ BitVec 32))\
            (assert (fp.isNaN ((_ to_fp 8 24) b)))(assert (= b (bvnot c)))";
        let after = "(declare-const b (_ BitVec 16))(declare-const c (_ BitVec 16))\
            (assert (fp.isNaN ((_ to_fp 5 11) b)))(assert (= b (bvnot c)))";
        assert!(all(before).contains(&after.to_string()));
    }

    #[test]
    fn names_stay_short() {
        let got = all("(declare-const x Float64)(assert (fp.isNaN x))");
        assert_eq!(
            got,
            [
                "(declare-const x Float16)(assert (fp.isNaN x))",
                "(declare-const x Float32)(assert (fp.isNaN x))"
            ]
        );
    }
}
