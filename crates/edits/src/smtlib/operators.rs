//! Replaces an operator by a shorter one with the same argument and result sorts.
//!
//! ```text
//! (bvsle x y)   =>   (= x y)        (bvashr x y)   =>   (bvor x y)
//! ```
//!
//! Whether the sorts fit is left to the check of the whole candidate, which is exact; only operators of the same
//! theory, and `=`, are offered.

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::ops::{self, OperatorOrigin, SmtOp};
use nub_smtlib::{NodeId, SortId};

/// Limit on the shorter operators tried per application.
const MAX_CHOICES: usize = 3;
/// The pass does nothing on files with more terms.
const MAX_TERMS: usize = 2_000;

/// See the module.
pub struct SmtOperators;

impl Pass<SmtView> for SmtOperators {
    fn name(&self) -> &'static str {
        "operators"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.terms().nth(MAX_TERMS).is_some() {
            return Vec::new();
        }
        let applications = view.terms().filter(|&term| view.tree().is_list(term));
        applications.flat_map(|term| choices(view, term)).collect()
    }
}

fn choices(view: &SmtView, term: NodeId) -> Vec<Edit> {
    let Some(head) = view.analysis().head(term) else { return Vec::new() };
    let Some(op) = head.op.filter(|_| head.first_index.is_none()) else { return Vec::new() };
    let args: Vec<NodeId> = view.args(term).collect();
    let mut fitting: Vec<&SmtOp> =
        ops::all().iter().copied().filter(|other| fits(op, other, args.len())).collect();
    fitting.sort_by_key(|other| other.name.len());
    let names = fitting.into_iter().map(|other| other.name).take(MAX_CHOICES);
    let mut edits: Vec<Edit> =
        names.map(|name| Edit::replace(view.span(head.symbol), name.as_bytes())).collect();
    edits.extend(equality(view, term, head.symbol, &args));
    edits
}

/// `=` accepts any two terms of one sort; the check of the candidate rejects other cases.
fn equality(view: &SmtView, term: NodeId, head: NodeId, args: &[NodeId]) -> Option<Edit> {
    let same = args.len() >= 2
        && args.iter().all(|&arg| view.sort(arg).is_some() && view.sort(arg) == view.sort(args[0]));
    (same && view.sort(term) == Some(SortId::BOOL) && view.span(head).len() > 1)
        .then(|| Edit::replace(view.span(head), b"=".as_slice()))
}

fn fits(op: &SmtOp, other: &SmtOp, n_args: usize) -> bool {
    other.name.len() < op.name.len()
        && other.origin == OperatorOrigin::Standard
        && other.indices.1 == 0
        && n_args >= usize::from(other.min_args)
        && other.max_args().is_none_or(|max| n_args <= max)
        && other.signature == op.signature
}
