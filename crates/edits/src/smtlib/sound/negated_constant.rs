//! A negated truth value.
//!
//! ```text
//! (not false)  =>  true        (not true)  =>  false
//! ```

use super::double_negation::negated;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::NodeId;

pub(super) fn apply(view: &SmtView, term: NodeId) -> Option<Edit> {
    let inner = negated(view, term)?;
    let opposite: &[u8] = match view.op_name(inner)? {
        "false" => b"true",
        "true" => b"false",
        _ => return None,
    };
    Some(Edit::replace(view.span(term), opposite))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_stays};

    #[test]
    fn both() {
        check("negated-constant", "(not false)", "true");
        check("negated-constant", "(= (not true) p)", "(= false p)");
        check_stays("negated-constant", "(not p)");
    }
}
