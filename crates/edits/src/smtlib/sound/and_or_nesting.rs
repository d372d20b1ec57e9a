//! `and` and `or` with one argument, or nested in themselves.
//!
//! ```text
//! (and a)           =>  a              (or a)          =>  a
//! (and (and a b) c) =>  (and a b c)    (or a (or b c)) =>  (or a b c)
//! ```
//!
//! Both rows of table 3.1; its example `(and (and (or a) b) c)` takes two applications to become `(and a b c)`. One
//! level is removed at a time, as in figure 3.2.

use super::{application, flatten};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let (op @ ("and" | "or"), args) = application(view, term)? else { return None };
    match args[..] {
        [only] => Some(Edit::keep_part(view.span(term), view.span(only))),
        _ => flatten(view, op, &args),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn one_argument() {
        check("and-or-nesting", "(and p)", "p");
        check("and-or-nesting", "(or (and p))", "(and p)");
        check("and-or-nesting", "(= p (and q))", "(= p q)");
    }

    #[test]
    fn more_arguments() {
        check("and-or-nesting", "(and (and (or p) q) s)", "(and (or p) q s)");
        check("and-or-nesting", "(and (or p) q s)", "(and p q s)");
        check("and-or-nesting", "(or p (or q s) (or p q))", "(or p q s p q)");
        check_stays("and-or-nesting", "(and p (or q s))");
    }
}
