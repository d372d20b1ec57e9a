//! Pushes negations inwards.
//!
//! ```text
//! (not (and (not a) b))       =>   (or a (not b))       double negations cancel at once
//! (not (forall ((x S)) t))    =>   (exists ((x S)) (not t))
//! ```

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;

/// Over `and` and `or`.
pub struct DeMorgan;

impl Pass<SmtView> for DeMorgan {
    fn name(&self) -> &'static str {
        "de-morgan"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| push(view, term)).take(MAX_EDITS).collect()
    }
}

/// Over quantifiers.
pub struct NegatedQuantifiers;

impl Pass<SmtView> for NegatedQuantifiers {
    fn name(&self) -> &'static str {
        "negated-quantifiers"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| over_quantifier(view, term)).take(MAX_EDITS).collect()
    }
}

/// The argument of a negation.
fn negated(view: &SmtView, term: NodeId) -> Option<NodeId> {
    let mut args = view.args(term);
    let inner = args.next()?;
    (view.op_name(term) == Some("not") && args.next().is_none()).then_some(inner)
}

fn push(view: &SmtView, term: NodeId) -> Option<Edit> {
    let inner = negated(view, term)?;
    let dual = match view.op_name(inner)? {
        "and" => "or",
        "or" => "and",
        _ => return None,
    };
    let mut text = format!("({dual}").into_bytes();
    for arg in view.args(inner) {
        match negated(view, arg) {
            Some(part) => text.extend([b" ", view.slice(part)].concat()),
            None => text.extend([b" (not ", view.slice(arg), b")"].concat()),
        }
    }
    text.push(b')');
    Some(Edit::replace(view.span(term), text))
}

fn over_quantifier(view: &SmtView, term: NodeId) -> Option<Edit> {
    let inner = negated(view, term)?;
    let dual: &[u8] = match view.head_symbol(inner)? {
        b"forall" => b"exists",
        b"exists" => b"forall",
        _ => return None,
    };
    let (variables, body) = (view.tree().child(inner, 1)?, view.tree().child(inner, 2)?);
    let text = [b"(", dual, b" ", view.slice(variables), b" (not ", view.slice(body), b"))"].concat();
    Some(Edit::replace(view.span(term), text))
}
