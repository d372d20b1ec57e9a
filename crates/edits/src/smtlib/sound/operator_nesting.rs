//! Associative operators nested in themselves.
//!
//! ```text
//! (+ (+ 1 2) 0)  =>  (+ 1 2 0)        (* a (* b c))  =>  (* a b c)
//! ```
//!
//! Table 3.1 and §4.3 list `+ * < > >= <= = distinct`. The rule is only sound for `+` and `*`: a comparison within a comparison is
//! about truth values. `(< (< a b) c)` is ill sorted; `(= (= p q) s)` is true for p = q = true, s = true but also
//! for p = false, q = true, s = false, where the chain `(= p q s)` is false; `(distinct (distinct p q) s)` can be true,
//! but there are no three different truth values. So the rule does not apply to comparisons; `syntactic_sugar` handles
//! their chains.

use super::{application, flatten};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let (op @ ("+" | "*"), args) = application(view, term)? else { return None };
    flatten(view, op, &args)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn sums_and_products() {
        check("operator-nesting", "(= a (+ (+ 1 2) 0))", "(= a (+ 1 2 0))");
        check("operator-nesting", "(= a (* b (* b c) (* c)))", "(= a (* b b c c))");
        check_stays("operator-nesting", "(= a (+ (* 1 2) 0))");
        check_stays("operator-nesting", "(= a (- (- 1 2) 0))");
    }

    #[test]
    fn comparisons_stay() {
        check_stays("operator-nesting", "(= (= p q) s)");
        check_stays("operator-nesting", "(distinct (distinct p q) s)");
    }
}
