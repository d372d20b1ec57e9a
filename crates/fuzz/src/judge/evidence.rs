//! Right answers with wrong evidence.

use super::{CoreVerdict, ModelVerdict, ProofVerdict, RunView};
use crate::answers::Answer;
use crate::finding::{Finding, Kind};

/// The finding of a run whose model, core or proof is wrong. Whether the answer is right is judged elsewhere.
pub(super) fn finding(run: &RunView) -> Option<Finding> {
    let last = run.observation.reading.answers.len().checked_sub(1)?;
    let (kind, message) = match (run.claim(last)?, run.model, run.core, &run.proof) {
        (Answer::Sat, Some(ModelVerdict::Invalid), ..) => (Kind::InvalidModel, String::new()),
        (Answer::Unsat, _, Some(CoreVerdict::Sat), _) => (Kind::BadCore, String::new()),
        (Answer::Unsat, _, _, Some(ProofVerdict::Wrong(why))) => (Kind::BadProof, why.clone()),
        _ => return None,
    };
    Some(Finding { solver: run.solver.to_owned(), kind, message, stack: Vec::new() })
}
