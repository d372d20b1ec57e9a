//! Outcomes as solvers produce them, and helpers to judge them.

use std::time::Duration;

use nub_fuzz::{Finding, FuzzCase, Judgement, Language, Observation, RunView, judge, observe};
use nub_process::{CapturedOutput, ProcessEnd, ProcessOutcome, Usage};

/// What a run printed and how it ended, as the judge sees it.
pub fn seen(end: ProcessEnd, stdout: &[u8], stderr: &[u8], language: Language) -> Observation {
    seen_after(end, stdout, stderr, language, 10)
}

/// The same, after this many milliseconds.
pub fn seen_after(
    end: ProcessEnd,
    stdout: &[u8],
    stderr: &[u8],
    language: Language,
    millis: u64,
) -> Observation {
    let output = |bytes: &[u8]| CapturedOutput { bytes: bytes.to_vec(), total: bytes.len() as u64 };
    let wall = Duration::from_millis(millis);
    let usage = Usage { wall, cpu: wall, ..Usage::default() };
    observe(&ProcessOutcome { end, stdout: output(stdout), stderr: output(stderr), usage }, language)
}

/// A run of a solver.
pub fn run<'a>(solver: &'a str, observation: &'a Observation) -> RunView<'a> {
    RunView {
        solver,
        options: String::new(),
        is_reference: false,
        observation,
        model: None,
        core: None,
        proof: None,
    }
}

/// The findings of some runs, without more knowledge.
pub fn findings(runs: &[RunView]) -> Vec<(usize, Finding)> {
    match judge(&FuzzCase { runs, ..FuzzCase::default() }) {
        Judgement::Clean => Vec::new(),
        Judgement::Findings(found) => found,
        Judgement::OurFault(fault) => panic!("our fault: {fault}"),
    }
}

/// The one finding of one run.
pub fn only_finding(solver: &str, observation: &Observation) -> Finding {
    let mut found = findings(&[run(solver, observation)]);
    assert_eq!(found.len(), 1, "{observation:?}");
    found.remove(0).1
}
