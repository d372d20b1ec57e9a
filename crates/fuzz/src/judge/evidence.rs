//! Judges correct answers with wrong evidence.

use super::{CoreVerdict, ModelVerdict, ProofVerdict, RunView};
use crate::answers::PrintedAnswer;
use crate::finding::{Finding, FindingKind};

/// The finding of a run whose model, core or proof is wrong. Whether the answer is right is judged elsewhere.
pub(super) fn finding(run: &RunView) -> Option<Finding> {
    let last = run.observation.reading.answers.len().checked_sub(1)?;
    let (kind, message) = match (run.claim(last)?, run.model, run.core, &run.proof) {
        (PrintedAnswer::Sat, Some(ModelVerdict::Invalid), ..) => (FindingKind::InvalidModel, String::new()),
        (PrintedAnswer::Unsat, _, Some(CoreVerdict::Sat), _) => (FindingKind::BadCore, String::new()),
        (PrintedAnswer::Unsat, _, _, Some(ProofVerdict::Wrong(why))) => (FindingKind::BadProof, why.clone()),
        _ => return None,
    };
    Some(Finding { solver: run.solver.to_owned(), kind, message, stack: Vec::new() })
}
