//! Which runs of one input are findings.
//!
//! The rules, in order:
//!
//! 1. A run that died, hung or flooded is judged by that alone (`broken.rs`).
//! 2. A run that rejected the input is judged by that alone: after an error a solver continues with the rest of the
//!    script, and its answers are to a different problem. If *every* solver rejects the input, the fault is ours.
//! 3. The answers of the others are compared question by question (`truth.rs`). The right answer is decided by the
//!    status known by construction, otherwise by a checked model, otherwise by the built-in solver. A majority is
//!    not evidence. `:status` of a file is ignored: it was correct for the file before it was mutated.
//! 4. Correct answers may come with wrong evidence: invalid models, satisfiable cores, proofs that do not
//!    check.
//!
//! `unknown` is never wrong. A run has at most one finding, the worst.

mod broken;
mod evidence;
mod rejected;
mod truth;

use std::time::Duration;

use crate::answers::PrintedAnswer;
use crate::fate::{Fate, Observation};
use crate::finding::Finding;

pub use rejected::{ErrorClass, class_of_error};

/// The verdict of our evaluator on a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelVerdict {
    /// It satisfies the input.
    Valid,
    /// It does not.
    Invalid,
    /// The evaluator does not support something in it.
    Unsupported,
}

/// The verdict of a second check of an unsat core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoreVerdict {
    /// The core is unsatisfiable, as it should be.
    Unsat,
    /// The core is satisfiable.
    Sat,
}

/// The verdict of our checker on a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofVerdict {
    /// It shows that the input is unsatisfiable.
    Valid,
    /// It does not, for this reason.
    Wrong(String),
}

/// One run of one solver on the input.
#[derive(Clone, Debug)]
pub struct RunView<'a> {
    /// The solver's name.
    pub solver: &'a str,
    /// Its options as text; empty for none.
    pub options: String,
    /// Whether it is the built-in solver.
    pub is_reference: bool,
    /// What was seen.
    pub observation: &'a Observation,
    /// The verdict on the model after its last answer, if there is one.
    pub model: Option<ModelVerdict>,
    /// The same for the unsat core.
    pub core: Option<CoreVerdict>,
    /// The same for the proof of its `unsat`.
    pub proof: Option<ProofVerdict>,
}

/// One input and all its runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct FuzzCase<'a> {
    /// The answer by construction, for inputs with one question.
    pub status: Option<PrintedAnswer>,
    /// The time limit of a run; without it a hanging run's own time.
    pub limit: Option<Duration>,
    /// The runs.
    pub runs: &'a [RunView<'a>],
}

/// The judgement on the runs of an input.
#[derive(Clone, PartialEq, Debug)]
pub enum Judgement {
    /// Nothing to report.
    Clean,
    /// Findings, each with the index of its run, by index.
    Findings(Vec<(usize, Finding)>),
    /// The input is invalid, which is a bug in nub; contains the reason.
    OurFault(String),
}

/// How a run ended, for counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// It answered `sat` or `unsat` at least once, and never `unknown`.
    Answered,
    /// It answered `unknown` at least once.
    Unknown,
    /// It ended without answers.
    Silent,
    /// It does not know the logic, a theory, a command or an option.
    NotSupported,
    /// It reported an error.
    Rejected,
    /// Time ran out.
    Timeout,
    /// It died, or ran out of something else.
    Broken,
    /// It was stopped.
    Cancelled,
}

/// How a run ended.
#[must_use]
pub fn standing(observation: &Observation) -> Standing {
    match observation.fate {
        Fate::Cancelled => return Standing::Cancelled,
        // A crash message outranks the limit.
        Fate::Hang if observation.message.is_none() => return Standing::Timeout,
        Fate::Hang | Fate::Signal(_) | Fate::Memory | Fate::Flood => return Standing::Broken,
        Fate::Ended if observation.message.is_some() => return Standing::Broken,
        Fate::Ended => {}
    }
    let reading = &observation.reading;
    match rejected::worst_class(reading) {
        Some(ErrorClass::Rejected) => Standing::Rejected,
        Some(ErrorClass::NotSupported) => Standing::NotSupported,
        _ if reading.answers.is_empty() => Standing::Silent,
        _ if reading.answers.iter().all(|answer| answer.is_definite()) => Standing::Answered,
        _ => Standing::Unknown,
    }
}

impl RunView<'_> {
    /// Whether its answers may be compared.
    fn speaks(&self) -> bool {
        matches!(standing(self.observation), Standing::Answered | Standing::Unknown)
    }

    /// Whether this is the last `check-sat` that it answered, which model and core belong to.
    fn is_last(&self, question: usize) -> bool {
        question + 1 == self.observation.reading.answers.len()
    }

    /// Its answer to a question, unless `unknown`.
    fn claim(&self, question: usize) -> Option<PrintedAnswer> {
        let answer = self.observation.reading.answers.get(question).copied();
        answer.filter(|answer| self.speaks() && answer.is_definite())
    }

    /// The solver's name with its options.
    fn full_name(&self) -> String {
        format!("{} {}", self.solver, self.options).trim_end().to_owned()
    }
}

/// Judges all runs of one input. O(runs^2 · questions), both small.
#[must_use]
pub fn judge(case: &FuzzCase) -> Judgement {
    if let Some(fault) = rejected::our_fault(case).or_else(|| truth::our_fault(case)) {
        return Judgement::OurFault(fault);
    }
    let mut findings: Vec<Option<Finding>> = vec![None; case.runs.len()];
    for (run_idx, run) in case.runs.iter().enumerate() {
        let found = match standing(run.observation) {
            Standing::Cancelled | Standing::NotSupported => None,
            Standing::Timeout | Standing::Broken => broken::finding(case, run_idx),
            Standing::Rejected => rejected::finding(case, run_idx),
            Standing::Silent => broken::silence(case, run_idx),
            Standing::Answered | Standing::Unknown => {
                evidence::finding(run).or_else(|| broken::missing_answers(case, run_idx))
            }
        };
        findings[run_idx] = found;
    }
    for (run_idx, finding) in truth::wrong_answers(case) {
        let worst = &mut findings[run_idx];
        if worst.as_ref().is_none_or(|old| old.severity() < finding.severity()) {
            *worst = Some(finding);
        }
    }
    let found: Vec<(usize, Finding)> =
        findings.into_iter().enumerate().filter_map(|(run_idx, finding)| Some((run_idx, finding?))).collect();
    if found.is_empty() { Judgement::Clean } else { Judgement::Findings(found) }
}
