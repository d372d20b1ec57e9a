//! One solver with one set of options, on the inputs of a unit.

use crate::answers::split_batch;
use crate::batch;
use crate::bench::{Bench, BenchError};
use crate::fate::{Fate, Observation, observe};
use crate::options::OptionSet;
use crate::{FuzzInput, FuzzedSolver, Language};
use nub_process::{CapturedOutput, ProcessEnd, ProcessOutcome};

/// A solver with options.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The number of the solver.
    pub solver: usize,
    /// The options.
    pub options: OptionSet,
}

/// What a solver did with one input.
#[derive(Clone, Debug)]
pub struct SolverRun {
    /// What was observed.
    pub observation: Observation,
    /// Standard output, for models and cores.
    pub stdout: Vec<u8>,
    /// The proof that it wrote, if it was asked for one.
    pub proof: Option<Vec<u8>>,
}

/// All runs of a lane.
pub struct Runs {
    /// One per input; `None` if the solver does not read its language.
    pub runs: Vec<Option<SolverRun>>,
    /// A batch that failed although none of its inputs fails alone.
    pub odd_batch: Option<(Vec<u8>, Observation)>,
    /// Programs that were started.
    pub n_starts: u64,
    /// Time in the solver, in microseconds.
    pub solver_us: u64,
}

/// Runs one solver on all inputs: scripts in batches where it takes them, the rest alone.
pub fn run_lane(
    bench: &Bench,
    solver: &FuzzedSolver,
    lane: &Lane,
    inputs: &[FuzzInput],
) -> Result<Runs, BenchError> {
    let mut runs = Runs { runs: vec![None; inputs.len()], odd_batch: None, n_starts: 0, solver_us: 0 };
    let readable: Vec<usize> = (0..inputs.len()).filter(|&at| solver.takes(&inputs[at])).collect();
    let is_joinable = |at: &usize| {
        let input: &FuzzInput = &inputs[*at];
        batch::is_possible(input.language, solver.batch(input.language)) && batch::can_join(&input.text)
    };
    let (joined, alone): (Vec<usize>, Vec<usize>) = readable.into_iter().partition(is_joinable);
    let lengths: Vec<usize> = joined.iter().map(|&at| inputs[at].text.len()).collect();
    for portion in batch::portions(&lengths) {
        run_batch(bench, solver, lane, inputs, &joined[portion], &mut runs)?;
    }
    for at in alone {
        run_alone(bench, solver, lane, &inputs[at], at, &mut runs)?;
    }
    Ok(runs)
}

fn run_alone(
    bench: &Bench,
    solver: &FuzzedSolver,
    lane: &Lane,
    input: &FuzzInput,
    at: usize,
    runs: &mut Runs,
) -> Result<(), BenchError> {
    let outcome = bench.run(solver, &lane.options, &input.text, input.language)?;
    runs.count(&outcome);
    let proof = if lane.options.asks_for_proof() { bench.proof() } else { None };
    runs.runs[at] = Some(SolverRun { proof, ..run_of(outcome, input.language) });
    Ok(())
}

fn run_batch(
    bench: &Bench,
    solver: &FuzzedSolver,
    lane: &Lane,
    inputs: &[FuzzInput],
    members: &[usize],
    runs: &mut Runs,
) -> Result<(), BenchError> {
    if let &[single] = members {
        return run_alone(bench, solver, lane, &inputs[single], single, runs);
    }
    let texts: Vec<&[u8]> = members.iter().map(|&at| &inputs[at].text[..]).collect();
    let Some(text) = batch::join(&texts, solver.batch(Language::SmtLib)) else { return Ok(()) };
    let outcome = bench.run(solver, &lane.options, &text, Language::SmtLib)?;
    runs.count(&outcome);
    let whole = observe(&outcome, Language::SmtLib);
    let parts = split_batch(&outcome.stdout.bytes, members.len());
    // An error message, a crash or a missing part: it is unknown which script caused it. Running each alone
    // will show it.
    let mut is_odd = whole.fate != Fate::Ended || whole.message.is_some();
    let mut n_bad_alone = 0;
    for (part, &at) in parts.iter().zip(members) {
        match part.filter(|_| whole.message.is_none()).map(|part| part_run(part, &outcome, members.len())) {
            Some(run) if run.observation.reading.errors.is_empty() => runs.runs[at] = Some(run),
            part => {
                is_odd |= part.is_none();
                run_alone(bench, solver, lane, &inputs[at], at, runs)?;
                n_bad_alone += usize::from(runs.runs[at].as_ref().is_some_and(is_bad));
            }
        }
    }
    let is_cut_short = matches!(whole.fate, Fate::Hang | Fate::Cancelled);
    if is_odd && !is_cut_short && n_bad_alone == 0 && runs.odd_batch.is_none() {
        runs.odd_batch = Some((text, whole));
    }
    Ok(())
}

/// Whether a single run explains that a batch with this input ended early: it crashed, or was rejected.
fn is_bad(run: &SolverRun) -> bool {
    let Observation { fate, message, reading, .. } = &run.observation;
    let is_refused = reading.answers.is_empty() || !reading.errors.is_empty() || reading.unsupported > 0;
    *fate != Fate::Ended || message.is_some() || is_refused
}

/// The run of a member of a batch, as if it had run alone. Its time is a share of the batch's.
fn part_run(part: &[u8], outcome: &ProcessOutcome, n_members: usize) -> SolverRun {
    let mut usage = outcome.usage;
    usage.wall /= n_members as u32;
    usage.cpu /= n_members as u32;
    let stdout = CapturedOutput { bytes: part.to_vec(), total: part.len() as u64 };
    run_of(
        ProcessOutcome { end: ProcessEnd::Exit(0), stdout, stderr: CapturedOutput::default(), usage },
        Language::SmtLib,
    )
}

fn run_of(outcome: ProcessOutcome, language: Language) -> SolverRun {
    SolverRun { observation: observe(&outcome, language), stdout: outcome.stdout.bytes, proof: None }
}

impl Runs {
    fn count(&mut self, outcome: &ProcessOutcome) {
        self.n_starts += 1;
        self.solver_us += outcome.usage.wall.as_micros() as u64;
    }
}
