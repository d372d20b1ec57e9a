//! A sum with a zero.
//!
//! ```text
//! (+ 2 0)    =>  2
//! (+ a 0 b)  =>  (+ a b)
//! ```
//!
//! Only if the sort of the sum does not change, as for products with a one.

use super::neutral::without;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    without(view, term, "+", 0)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn zeros_go() {
        check("plus-zero", "(= a (+ 2 0))", "(= a 2)");
        check("plus-zero", "(= a (+ b 0 c 0))", "(= a (+ b c))");
        check("plus-zero", "(= a (+ 0 0))", "(= a 0)");
        check("plus-zero", "(= r (+ 0.0 r))", "(= r r)");
        check_stays("plus-zero", "(= r (+ a 0.0))");
        check_stays("plus-zero", "(= a (+ b 10))");
        check_stays("plus-zero", "(= a (* b 0))");
    }
}
