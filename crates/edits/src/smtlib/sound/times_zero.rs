//! A product with a zero.
//!
//! ```text
//! (* 2 0)    =>  0
//! (* x 0.0)  =>  0.0
//! ```
//!
//! The whole product is zero, because all functions of SMT-LIB are total: even `(* (/ x 0.0) 0.0)` is zero. Factors that
//! name something (`:named`) are not removed. An integer zero in a product of reals becomes `0.0`, so that the
//! sort does not change.

use super::neutral::{is_number, is_numeric};
use super::{application, gives_names};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let ("*", args) = application(view, term)? else { return None };
    let zero = *args.iter().find(|&&arg| is_number(view, arg, 0))?;
    if !is_numeric(view, term) || gives_names(view, term) {
        return None;
    }
    let text = if view.sort(zero) == view.sort(term) { view.slice(zero) } else { b"0.0" };
    Some(Edit::replace(view.span(term), text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn the_whole_product() {
        check("times-zero", "(= a (* 2 0))", "(= a 0)");
        check("times-zero", "(= a (* b 0 (f c)))", "(= a 0)");
        check("times-zero", "(= r (* r 0.0))", "(= r 0.0)");
        check("times-zero", "(= r (* r 0))", "(= r 0.0)");
    }

    #[test]
    fn what_stays() {
        check_stays("times-zero", "(= a (* b 10))");
        check_stays("times-zero", "(= a (+ b 0))");
        check_stays("times-zero", "(= a (* 0 (! b :named n)))");
    }
}
