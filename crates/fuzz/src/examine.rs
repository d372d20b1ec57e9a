//! Examines a unit: runs the inputs of a range of seeds through all solvers and reports what is wrong.
//!
//! Whatever looks wrong is run again, alone and by all solvers, before it counts. What cannot be reproduced is only
//! counted as flaky.

use crate::bench::{Bench, BenchError};
use crate::coverage::points;
use crate::fate::{Fate, Observation, signal_name};
use crate::finding::{Finding, FindingKind};
use crate::groups::normalise_message;
use crate::judge::{FuzzCase, Judgement, RunView, Standing, judge, standing};
use crate::lane::{Lane, Runs, SolverRun, run_lane};
use crate::options::OptionSet;
use crate::support::Support;
use crate::tally::{InputPoints, Tally};
use crate::verify::{core_verdict, model_verdict, proof_verdict};
use crate::vouch::{is_vouched_for, may_be_out_of_place, needs_no_options, with_fitting_questions};
use crate::{FuzzInput, FuzzSource, FuzzedSolver, InputOrigin, Language, SolverRole};

/// Which seeds make a unit, which solvers run on them, and how.
#[derive(Clone)]
pub struct UnitPlan {
    /// The solvers.
    pub solvers: Vec<FuzzedSolver>,
    /// Where inputs come from.
    pub source: FuzzSource,
    /// The seed of the first input of unit 0.
    pub first_seed: u64,
    /// Inputs per unit.
    pub unit_size: u64,
    /// Whether options of the tables are tried.
    pub tries_options: bool,
    /// What the solvers are known to support.
    pub support: Support,
}

/// A finding that was reproduced.
#[derive(Clone, Debug)]
pub struct ReproducedFinding {
    /// What it is.
    pub finding: Finding,
    /// The input; the whole batch if the batch fails although its members do not.
    pub input: FuzzInput,
    /// The options under which it was found.
    pub options: OptionSet,
    /// What each solver answered, for the report: solver with options, answer or end.
    pub said: Vec<(String, String)>,
}

/// The result of a unit.
#[derive(Default)]
pub struct Examined {
    /// What was found, in the order of seeds.
    pub found: Vec<ReproducedFinding>,
    /// Counts.
    pub tally: Tally,
}

/// Why a unit could not be finished.
#[derive(Debug)]
pub enum Trouble {
    /// A solver cannot be run.
    Bench(BenchError),
    /// Every solver rejects an input, or the generator failed: a bug in nub.
    OurFault {
        /// The seed of the input.
        seed: u64,
        /// What the solvers or the generator say.
        message: String,
    },
    /// Another machine could not do it.
    Elsewhere(String),
    /// Stopped from outside; the unit does not count.
    Cancelled,
}

impl From<BenchError> for Trouble {
    fn from(error: BenchError) -> Trouble {
        Trouble::Bench(error)
    }
}

impl UnitPlan {
    /// The inputs of a unit.
    pub fn inputs(&self, source: &mut FuzzSource, unit: u64) -> Result<Vec<FuzzInput>, Trouble> {
        let first = self.first_seed.wrapping_add(unit.wrapping_mul(self.unit_size));
        let mut inputs = Vec::with_capacity(self.unit_size as usize);
        for offset in 0..self.unit_size {
            let seed = first.wrapping_add(offset);
            let made = source.input(seed);
            inputs.extend(made.map_err(|error| Trouble::OurFault { seed, message: error.to_string() })?);
        }
        Ok(inputs)
    }

    /// Which solver runs with which options. If there is no other solver to compare with, the solver also runs without
    /// options, to be compared with itself.
    pub fn lanes(&self, unit: u64, language: Option<Language>) -> Vec<Lane> {
        let reads = |solver: &&FuzzedSolver| language.is_none_or(|language| solver.reads(language));
        let is_alone = self.solvers.iter().filter(reads).count() == 1;
        let mut lanes = Vec::new();
        for (number, solver) in self.solvers.iter().enumerate() {
            let none = OptionSet::default();
            let is_free = self.tries_options && solver.role == SolverRole::Tested;
            let seed = unit ^ (number as u64) << 48;
            let mut options = match language {
                Some(language) if is_free => solver.table.choose(seed, language),
                _ => none.clone(),
            };
            for (period, asking) in language.map_or(Vec::new(), |language| solver.evidence(language)) {
                if solver.role == SolverRole::Tested && unit.is_multiple_of(period) {
                    options.args.push(asking.to_vec());
                }
            }
            if is_alone && options != none {
                lanes.push(Lane { solver: number, options: none });
            }
            lanes.push(Lane { solver: number, options });
        }
        lanes
    }
}

/// The language of all inputs; `None` if there are several, and then no options are tried.
fn language_of(inputs: &[FuzzInput]) -> Option<Language> {
    let first = inputs.first()?.language;
    inputs.iter().all(|input| input.language == first).then_some(first)
}

/// Runs a unit.
pub fn examine(
    plan: &UnitPlan,
    source: &mut FuzzSource,
    bench: &Bench,
    unit: u64,
) -> Result<Examined, Trouble> {
    let inputs = plan.inputs(source, unit)?;
    let found: Vec<InputPoints> = inputs.iter().map(|input| points(&input.text, input.language)).collect();
    let mut examined = Examined { tally: Tally::of_inputs(&inputs, &found), ..Examined::default() };
    let lanes = plan.lanes(unit, language_of(&inputs));
    let mut all: Vec<Runs> = Vec::with_capacity(lanes.len());
    for lane in &lanes {
        all.push(run_lane(bench, &plan.solvers[lane.solver], lane, &inputs)?);
        if bench.is_cancelled() {
            return Err(Trouble::Cancelled);
        }
    }
    examined.tally.add_runs(&plan.solvers, &lanes, &all, &found);
    note_support(plan, &lanes, &inputs, &all);
    for (at, input) in inputs.iter().enumerate() {
        let runs: Vec<Option<&SolverRun>> = all.iter().map(|runs| runs.runs[at].as_ref()).collect();
        let suspects = findings(plan, &lanes, bench, input, &runs)?;
        if !suspects.is_empty() {
            confirm(plan, &lanes, bench, input, &suspects, &mut examined)?;
        }
    }
    for (lane, runs) in lanes.iter().zip(&mut all) {
        if let Some((text, _)) = runs.odd_batch.take() {
            confirm_batch(plan, lane, bench, text, &inputs, &mut examined)?;
        }
    }
    Ok(examined)
}

/// Records that solvers support what they accept without an error.
fn note_support(plan: &UnitPlan, lanes: &[Lane], inputs: &[FuzzInput], all: &[Runs]) {
    for (lane, runs) in lanes.iter().zip(all) {
        for (input, run) in inputs.iter().zip(&runs.runs) {
            let is_fine = |run: &SolverRun| {
                let reading = &run.observation.reading;
                let is_answered =
                    matches!(standing(&run.observation), Standing::Answered | Standing::Unknown);
                is_answered && reading.errors.is_empty()
            };
            if input.language == Language::SmtLib && run.as_ref().is_some_and(is_fine) {
                plan.support.add(&plan.solvers[lane.solver], &input.text);
            }
        }
    }
}

/// Findings, each with the number of its lane.
type Findings = Vec<(usize, Finding)>;

/// What is wrong with the runs on one input: the number of the lane, and the finding.
fn findings(
    plan: &UnitPlan,
    lanes: &[Lane],
    bench: &Bench,
    input: &FuzzInput,
    runs: &[Option<&SolverRun>],
) -> Result<Findings, Trouble> {
    let present: Vec<usize> = (0..runs.len()).filter(|&lane| runs[lane].is_some()).collect();
    let mut views = Vec::with_capacity(present.len());
    for &lane in &present {
        let Some(run) = runs[lane] else { continue };
        let solver = &plan.solvers[lanes[lane].solver];
        views.push(RunView {
            solver: &solver.name,
            options: lanes[lane].options.to_string(),
            is_reference: solver.role == SolverRole::Reference,
            observation: &run.observation,
            model: model_verdict(input, run),
            core: core_verdict(plan, bench, input, run)?,
            proof: proof_verdict(bench, input, solver.role, &lanes[lane].options, run),
        });
    }
    let case = FuzzCase { status: input.status, limit: Some(bench.limits().wall), runs: &views };
    match judge(&case) {
        Judgement::Clean => Ok(Vec::new()),
        Judgement::Findings(found) => {
            // It is not a finding if the built-in solver is slow, or if a solver rejects a feature that only another one has.
            let is_news = |(view, finding): &(usize, Finding)| {
                let solver = &plan.solvers[lanes[present[*view]].solver];
                (solver.role == SolverRole::Tested || !finding.kind.is_slow())
                    && is_vouched_for(input, &finding.kind, views[*view].observation)
                    && (!may_be_out_of_place(&finding.kind)
                        || plan.support.covers(solver, &input.text, input.language))
            };
            let news = found.into_iter().filter(is_news);
            Ok(news.map(|(view, finding)| (present[view], finding)).collect())
        }
        // A file from a user or from a reduction is not guaranteed to be valid.
        Judgement::OurFault(_) if input.origin == InputOrigin::Derived => Ok(Vec::new()),
        Judgement::OurFault(message) => match lone_rejection(&views) {
            Some((view, finding)) => {
                let solver = &plan.solvers[lanes[present[view]].solver];
                let is_news = is_vouched_for(input, &finding.kind, views[view].observation)
                    && plan.support.covers(solver, &input.text, input.language);
                Ok(is_news.then_some((present[view], finding)).into_iter().collect())
            }
            None => Err(Trouble::OurFault { seed: input.seed, message }),
        },
    }
}

/// The error of the only solver. Our own parser has accepted the generated input, so it is one against one, and a campaign
/// of several days must not end because of that: it is a finding, to be examined.
fn lone_rejection(views: &[RunView]) -> Option<(usize, Finding)> {
    let is_lone = views.iter().all(|view| view.solver == views[0].solver);
    let (at, view) =
        views.iter().enumerate().find(|(_, view)| !view.observation.reading.errors.is_empty())?;
    let message = normalise_message(view.observation.reading.errors.first()?);
    let finding =
        Finding { solver: view.solver.to_owned(), kind: FindingKind::Error, message, stack: Vec::new() };
    is_lone.then_some((at, finding))
}

/// Runs all solvers on one input, each alone, and judges the results. The predicate of a reduction uses this
/// too.
pub fn examine_alone(
    plan: &UnitPlan,
    lanes: &[Lane],
    bench: &Bench,
    input: &FuzzInput,
) -> Result<(Findings, Vec<Option<SolverRun>>), Trouble> {
    let inputs = std::slice::from_ref(input);
    let mut runs = Vec::with_capacity(lanes.len());
    for lane in lanes {
        let lane_runs = run_lane(bench, &plan.solvers[lane.solver], lane, inputs)?;
        runs.extend(lane_runs.runs);
        if bench.is_cancelled() {
            return Err(Trouble::Cancelled);
        }
    }
    let views: Vec<Option<&SolverRun>> = runs.iter().map(Option::as_ref).collect();
    let found = findings(plan, lanes, bench, input, &views)?;
    Ok((found, runs))
}

fn confirm(
    plan: &UnitPlan,
    lanes: &[Lane],
    bench: &Bench,
    input: &FuzzInput,
    suspects: &[(usize, Finding)],
    examined: &mut Examined,
) -> Result<(), Trouble> {
    let (again, runs) = examine_alone(plan, lanes, bench, input)?;
    let n_before = examined.found.len();
    for (lane, finding) in again {
        if needs_no_options(&finding.kind) {
            examined.found.extend(without_reasons(plan, lanes, bench, input, (lane, &finding.kind), &runs)?);
            continue;
        }
        examined.found.push(ReproducedFinding {
            finding,
            input: input.clone(),
            options: lanes[lane].options.clone(),
            said: said(plan, lanes, &runs),
        });
    }
    if examined.found.len() == n_before {
        examined.tally.n_flaky += suspects.len() as u64;
    }
    Ok(())
}

/// Repeats a refusal or a limit without possible reasons for it: without options, which the standard does not define and
/// some of which make a solver incomplete, and a refusal also without queries that do not fit the solver's own answers.
fn without_reasons(
    plan: &UnitPlan,
    lanes: &[Lane],
    bench: &Bench,
    input: &FuzzInput,
    (accused, kind): (usize, &FindingKind),
    runs: &[Option<SolverRun>],
) -> Result<Option<ReproducedFinding>, Trouble> {
    let mut lanes = lanes.to_vec();
    lanes[accused].options = OptionSet::default();
    let asks = may_be_out_of_place(kind);
    let fitting = runs[accused]
        .as_ref()
        .filter(|_| asks)
        .and_then(|run| with_fitting_questions(input, &run.observation.reading));
    let input = FuzzInput { text: fitting.unwrap_or_else(|| input.text.clone()), ..input.clone() };
    let (again, runs) = examine_alone(plan, &lanes, bench, &input)?;
    let found = again.into_iter().find(|(lane, finding)| {
        *lane == accused && finding.kind == *kind && (!asks || fits(&input, &runs[*lane]))
    });
    Ok(found.map(|(lane, finding)| ReproducedFinding {
        finding,
        options: lanes[lane].options.clone(),
        said: said(plan, &lanes, &runs),
        input,
    }))
}

/// Whether every query of a script fits the answers of a run.
pub(crate) fn fits(input: &FuzzInput, run: &Option<SolverRun>) -> bool {
    let reading = run.as_ref().map(|run| &run.observation.reading);
    reading.is_some_and(|reading| with_fitting_questions(input, reading).is_none())
}

/// A batch that fails although its members do not: a bug in the solver's incremental mode, with the batch as its
/// input.
fn confirm_batch(
    plan: &UnitPlan,
    lane: &Lane,
    bench: &Bench,
    text: Vec<u8>,
    inputs: &[FuzzInput],
    examined: &mut Examined,
) -> Result<(), Trouble> {
    let seed = inputs.first().map_or(0, |input| input.seed);
    let input =
        FuzzInput { seed, text, language: Language::SmtLib, status: None, origin: InputOrigin::Derived };
    let lanes = [lane.clone()];
    let suspects = [];
    confirm(plan, &lanes, bench, &input, &suspects, examined)
}

/// What a solver did, in a few words.
fn summary(observation: &Observation) -> String {
    let answers: Vec<String> = observation.reading.answers.iter().map(|answer| answer.to_string()).collect();
    let end = match observation.fate {
        Fate::Ended => observation.reading.errors.first().cloned().unwrap_or_default(),
        Fate::Signal(signal) => format!("killed by {}", signal_name(signal)),
        Fate::Hang => "time limit".to_owned(),
        Fate::Memory => "memory limit".to_owned(),
        Fate::Flood => "output limit".to_owned(),
        Fate::Cancelled => "stopped".to_owned(),
    };
    let message = observation.message.as_ref().map_or(String::new(), |message| message.text.clone());
    let parts = [answers.join(" "), end, message];
    let said: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join("; ") }
}

/// One line per solver.
fn said(plan: &UnitPlan, lanes: &[Lane], runs: &[Option<SolverRun>]) -> Vec<(String, String)> {
    let lines = lanes.iter().zip(runs).filter_map(|(lane, run)| {
        let solver = &plan.solvers[lane.solver];
        let name = if lane.options.args.is_empty() {
            solver.name.clone()
        } else {
            format!("{} {}", solver.name, lane.options)
        };
        Some((name, summary(&run.as_ref()?.observation)))
    });
    lines.collect()
}
