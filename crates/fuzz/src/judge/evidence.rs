//! Right answers with wrong evidence.

use super::{CoreVerdict, ModelVerdict, RunView};
use crate::answers::Answer;
use crate::finding::{Finding, Kind};

/// The finding of a run whose model or core is wrong. Whether the answer is right is judged elsewhere.
pub(super) fn finding(run: &RunView) -> Option<Finding> {
    let last = run.observation.reading.answers.len().checked_sub(1)?;
    let kind = match (run.claim(last)?, run.model, run.core) {
        (Answer::Sat, Some(ModelVerdict::Invalid), _) => Kind::InvalidModel,
        (Answer::Unsat, _, Some(CoreVerdict::Sat)) => Kind::BadCore,
        _ => return None,
    };
    Some(Finding { solver: run.solver.to_owned(), kind, message: String::new(), stack: Vec::new() })
}
