//! A product with a one.
//!
//! ```text
//! (* 2 1)    =>  2
//! (* a 1 b)  =>  (* a b)
//! ```
//!
//! Only if the sort of the product does not change: `(* i 1.0)` with an integer i is a real number for the solvers that
//! accept it.

use super::neutral::without;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    without(view, term, "*", 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn ones_go() {
        check("times-one", "(= a (* 2 1))", "(= a 2)");
        check("times-one", "(= a (* b 1 c 1))", "(= a (* b c))");
        check("times-one", "(= a (* 1 b))", "(= a b)");
        check("times-one", "(= a (* 1 1))", "(= a 1)");
        check("times-one", "(= r (* 1.0 r))", "(= r r)");
        check_stays("times-one", "(= r (* a 1.0))");
        check_stays("times-one", "(= a (* b 11))");
        check_stays("times-one", "(= a (+ b 1))");
    }
}
