//! A negated negation.
//!
//! ```text
//! (not (not (< a b)))  =>  (< a b)
//! ```

use super::application;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let outer = negated(view, term)?;
    let inner = negated(view, outer)?;
    Some(Edit::keep_part(view.span(term), view.span(inner)))
}

/// The argument of a `not`.
pub(super) fn negated(view: &SmtView, term: NodeId) -> Option<NodeId> {
    match application(view, term)? {
        ("not", args) if args.len() == 1 => Some(args[0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn twice() {
        check("double-negation", "(not (not (< a b)))", "(< a b)");
        check("double-negation", "(not (not (not (not p))))", "(not (not p))");
        check_stays("double-negation", "(not (and (not p)))");
    }
}
