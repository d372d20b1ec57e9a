//! A negated comparison.
//!
//! ```text
//! (not (< a b))  =>  (>= a b)      (not (>= a b))       =>  (< a b)
//! (not (= a b))  =>  (distinct a b)    (not (distinct a b)) =>  (= a b)
//! ```
//!
//! Table 3.1 does not limit the number of arguments. For more than two it is not an equivalence: `(not (< a b c))` says that at least one
//! link of the chain is broken, `(>= a b c)` that both are; likewise for `=`. So exactly two arguments are required.
//! In its example `(not (=> a b)) -> (< a b)`, `=>` must mean `>=`: the negation of an implication is not a comparison.
//!
//! `distinct` makes the text one byte longer than `not` over `=`; the strategy keeps the smallest state it has seen.

use super::application;
use super::double_negation::negated;
use crate::smtlib::SmtView;
use crate::{Edit, Splice};
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let inner = negated(view, term)?;
    let (op, args) = application(view, inner)?;
    let opposite: &[u8] = match op {
        "<" => b">=",
        "<=" => b">",
        ">" => b"<=",
        ">=" => b"<",
        "=" => b"distinct",
        "distinct" => b"=",
        _ => return None,
    };
    if args.len() != 2 {
        return None;
    }
    let mut edit = Edit::keep_part(view.span(term), view.span(inner));
    let head = view.tree().first_child(inner)?;
    edit.splices.insert(1, Splice { span: view.span(head), text: opposite.into() });
    Some(edit)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn two_arguments() {
        check("negated-comparison", "(not (< a b))", "(>= a b)");
        check("negated-comparison", "(not (>= r 1.0))", "(< r 1.0)");
        check("negated-comparison", "(or (not (> a b)) (not (<= a b)))", "(or (<= a b) (> a b))");
        check("negated-comparison", "(not (= p q))", "(distinct p q)");
        check("negated-comparison", "(not (distinct a b))", "(= a b)");
    }

    #[test]
    fn chains_stay() {
        check_stays("negated-comparison", "(not (< a b c))");
        check_stays("negated-comparison", "(not (= a b c))");
        check_stays("negated-comparison", "(not (distinct a b c))");
        check_stays("negated-comparison", "(not (=> p q))");
    }
}
