//! Removes arguments of operators that accept any number of them.
//!
//! ```text
//! (and a b c)   =>   (and a c)
//! (+ x y)       =>   y              (one argument left: the argument itself, if it has the sort of the term)
//! ```

use super::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;
use nub_smtlib::ops::Associativity;

/// See the module.
pub struct Arguments;

impl Pass<SmtView> for Arguments {
    fn name(&self) -> &'static str {
        "arguments"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits = Vec::new();
        for term in view.terms().filter(|&term| view.tree().is_list(term)) {
            if edits.len() >= MAX_EDITS {
                break;
            }
            if let Some(minimum) = minimum(view, term) {
                let args: Vec<NodeId> = view.args(term).collect();
                if args.len() > minimum {
                    edits.extend(args.iter().map(|&arg| view.cut(arg)));
                }
            }
        }
        edits
    }
}

/// The minimum number of arguments of an operator that accepts more.
fn minimum(view: &SmtView, term: NodeId) -> Option<usize> {
    let op = view.analysis().head(term)?.op?;
    (op.attribute != Associativity::None).then_some(op.min_args.max(2) as usize)
}
