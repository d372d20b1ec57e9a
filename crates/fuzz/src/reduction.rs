//! Reduces the input of a finding while the same thing stays wrong.
//!
//! The predicate is the key of the group, not an exit code: a candidate fails only if the accused solver does the same
//! thing again. First options are removed one by one, then the input is reduced, then the options are tried once more.

use crate::bench::Bench;
use crate::decide::decide;
use crate::examine::{ReproducedFinding, Trouble, UnitPlan, examine_alone, fits};
use crate::finding::{Authority, Finding, FindingKind};
use crate::lane::Lane;
use crate::options::OptionSet;
use crate::vouch::may_be_out_of_place;
use crate::{FuzzInput, GroupKey, Groups, InputOrigin, Language, SolverRole};
use nub_oracle::{Doubt, Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use nub_reduce::btor::Btor;
use nub_reduce::dimacs::Dimacs;
use nub_reduce::search::{Search, With};
use nub_reduce::smt::SmtLib;
use nub_reduce::strategies::auto::{ResultLayout, auto};
use nub_reduce::strategies::auto_btor::auto_btor;
use nub_reduce::strategies::auto_dimacs::auto_dimacs;
use nub_reduce::{AllowedCandidates, Engine, ReduceConfig, ReductionObserver};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How much a reduction may cost.
#[derive(Clone, Copy, Debug)]
pub struct ReductionEffort {
    /// Asks.
    pub asks: u64,
    /// Total time of the solvers over all asks.
    pub solver_time: Duration,
}

impl Default for ReductionEffort {
    fn default() -> ReductionEffort {
        ReductionEffort { asks: 20_000, solver_time: Duration::from_secs(120) }
    }
}

/// A reduced finding.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// What is wrong on the reduced file, and which solver is wrong.
    pub finding: Finding,
    /// The smallest input that was found.
    pub text: Vec<u8>,
    /// The options that are needed.
    pub options: OptionSet,
    /// Asks.
    pub n_asks: u64,
    /// True if the search finished; false if a limit was reached or the campaign stopped.
    pub is_whole: bool,
}

/// Why a finding is not reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReduced {
    /// It could not be reproduced, at the start or with its reduced file at the end: it is not a finding.
    Gone,
    /// Only the generator knew the right answer, and not for smaller inputs.
    TruthUnknown,
    /// The campaign is being stopped.
    Cancelled,
}

/// Reduces a finding. `watch` is notified of every step.
pub fn reduce(
    plan: &UnitPlan,
    bench: Bench,
    found: &ReproducedFinding,
    effort: ReductionEffort,
    cancel: &Cancel,
    watch: &mut dyn ReductionObserver,
) -> Result<Reduced, NotReduced> {
    let stop = Cancel::new();
    let mut groups = Groups::new();
    let (key, _) = groups.insert(&found.finding, found.input.language);
    let predicate = Predicate {
        groups,
        key,
        plan,
        bench: Mutex::new(bench),
        finding: &found.finding,
        language: found.input.language,
        accused: accused(plan, &found.finding),
        options: Mutex::new(found.options.clone()),
        spent_us: AtomicU64::new(0),
        n_asks: AtomicU64::new(0),
        effort,
        stop: stop.clone(),
        campaign: cancel,
    };
    match predicate.ask(&found.input.text, cancel).verdict {
        Verdict::Fails => {}
        Verdict::Unsure(_) => return Err(NotReduced::Cancelled),
        Verdict::Passes if is_by_construction(&found.finding.kind) => return Err(NotReduced::TruthUnknown),
        Verdict::Passes => return Err(NotReduced::Gone),
    }
    predicate.drop_options(&found.input.text, cancel);
    let search = search_for(&found.input);
    let config = ReduceConfig { jobs: 1, max_asks: Some(effort.asks), ..ReduceConfig::default() };
    let best = search.run(found.input.text.clone(), &predicate, config, &stop, watch);
    predicate.drop_options(&best.best, cancel);
    let finding = predicate.confirm(&best.best, cancel)?;
    let n_asks = predicate.n_asks.load(Ordering::Relaxed);
    let options = predicate.options.into_inner().unwrap_or_else(|poison| poison.into_inner());
    Ok(Reduced { finding, text: best.best, options, n_asks, is_whole: best.stop.is_none() })
}

fn is_by_construction(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::WrongAnswer { by: Authority::Construction, .. })
}

fn accused(plan: &UnitPlan, finding: &Finding) -> Option<usize> {
    plan.solvers.iter().position(|solver| solver.name == finding.solver)
}

/// Our default strategy for the language.
fn search_for(input: &FuzzInput) -> Box<dyn Search> {
    let text = &input.text[..];
    match input.language {
        Language::SmtLib => Box::new(With {
            format: SmtLib::new(text, AllowedCandidates::WellFormed),
            strategy: |engine: &mut Engine<'_, SmtLib>| auto(engine, ResultLayout::Compact),
        }),
        Language::Btor => Box::new(With {
            format: Btor::new(text, nub_btor::BtorDialect::Btor, AllowedCandidates::WellFormed),
            strategy: auto_btor,
        }),
        Language::Btor2 => Box::new(With {
            format: Btor::new(text, nub_btor::BtorDialect::Btor2, AllowedCandidates::WellFormed),
            strategy: auto_btor,
        }),
        Language::Dimacs => Box::new(With {
            format: Dimacs::new(text, nub_dimacs::DimacsKind::Cnf, AllowedCandidates::WellFormed),
            strategy: auto_dimacs,
        }),
    }
}

/// "The same thing is wrong with this text."
struct Predicate<'a> {
    plan: &'a UnitPlan,
    /// One run at a time.
    bench: Mutex<Bench<'a>>,
    finding: &'a Finding,
    /// Only the finding's group, for comparison.
    groups: Groups,
    key: GroupKey,
    language: Language,
    accused: Option<usize>,
    options: Mutex<OptionSet>,
    spent_us: AtomicU64,
    n_asks: AtomicU64,
    effort: ReductionEffort,
    /// Raised when a limit is reached or the campaign stops: the search ends with its best result.
    stop: Cancel,
    campaign: &'a Cancel,
}

impl Oracle for Predicate<'_> {
    fn ask(&self, candidate: &[u8], _cancel: &Cancel) -> OracleAnswer {
        if self.campaign.is_cancelled() {
            self.stop.cancel();
            return OracleAnswer::free(Verdict::Unsure(Doubt::Cancelled));
        }
        self.n_asks.fetch_add(1, Ordering::Relaxed);
        let options = self.options.lock().unwrap_or_else(|poison| poison.into_inner()).clone();
        let (verdict, time) = self.try_with(candidate, options);
        let spent = self.spent_us.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
        if Duration::from_micros(spent) > self.effort.solver_time {
            self.stop.cancel();
        }
        OracleAnswer::of_one_run(verdict, time, time)
    }
}

impl Predicate<'_> {
    /// The accused with these options, and the other solvers if the finding needs them for comparison.
    fn lanes(&self, options: OptionSet) -> Vec<Lane> {
        let kind = &self.finding.kind;
        let mut lanes = Vec::new();
        for (number, solver) in self.plan.solvers.iter().enumerate() {
            if Some(number) == self.accused {
                if matches!(kind, FindingKind::WrongAnswer { .. }) && !options.args.is_empty() {
                    lanes.push(Lane { solver: number, options: OptionSet::default() });
                }
                lanes.push(Lane { solver: number, options: options.clone() });
            } else if needs_witnesses(kind) || solver.role == SolverRole::Reference && is_checked(kind) {
                lanes.push(Lane { solver: number, options: OptionSet::default() });
            }
        }
        lanes
    }

    fn try_with(&self, text: &[u8], options: OptionSet) -> (Verdict, Duration) {
        let input = self.input(text);
        let lanes = self.lanes(options.clone());
        let bench = self.bench.lock().unwrap_or_else(|poison| poison.into_inner());
        match examine_alone(self.plan, &lanes, &bench, &input) {
            Ok((found, runs)) => {
                let walls = runs.iter().flatten().map(|run| run.observation.wall);
                let is_same = found.iter().any(|(lane, finding)| {
                    Some(lanes[*lane].solver) == self.accused
                        && lanes[*lane].options == options
                        && self.groups.classify(finding, self.language) == self.key
                        && (!may_be_out_of_place(&finding.kind) || fits(&input, &runs[*lane]))
                });
                (if is_same { Verdict::Fails } else { Verdict::Passes }, walls.sum())
            }
            // All solvers reject it: not this finding.
            Err(Trouble::OurFault { .. }) => (Verdict::Passes, Duration::ZERO),
            Err(Trouble::Cancelled) => (Verdict::Unsure(Doubt::Cancelled), Duration::ZERO),
            Err(Trouble::Bench(error)) => {
                (Verdict::Unsure(Doubt::Environment(error.to_string())), Duration::ZERO)
            }
            Err(Trouble::Elsewhere(why)) => (Verdict::Unsure(Doubt::Environment(why)), Duration::ZERO),
        }
    }

    /// Repeats what goes into the report, in new processes, and decides which solver is wrong.
    fn confirm(&self, text: &[u8], cancel: &Cancel) -> Result<Finding, NotReduced> {
        self.n_asks.fetch_add(1, Ordering::Relaxed);
        let options = self.options.lock().unwrap_or_else(|poison| poison.into_inner()).clone();
        match self.try_with(text, options.clone()).0 {
            Verdict::Fails => {}
            Verdict::Passes => return Err(NotReduced::Gone),
            Verdict::Unsure(_) => return Err(NotReduced::Cancelled),
        }
        let input = self.input(text);
        let bench = self.bench.lock().unwrap_or_else(|poison| poison.into_inner());
        match decide(self.plan, &bench, &input, self.finding, &options) {
            Ok(Some(finding)) => Ok(finding),
            Ok(None) => Err(NotReduced::Gone),
            Err(_) if cancel.is_cancelled() => Err(NotReduced::Cancelled),
            Err(_) => Err(NotReduced::Gone),
        }
    }

    fn input(&self, text: &[u8]) -> FuzzInput {
        let (language, origin) = (self.language, InputOrigin::Generated);
        FuzzInput { seed: 0, text: text.to_vec(), language, status: None, origin }
    }

    /// Removes each option that is not needed.
    fn drop_options(&self, text: &[u8], cancel: &Cancel) {
        let mut at = 0;
        loop {
            let current = self.options.lock().unwrap_or_else(|poison| poison.into_inner()).clone();
            if at >= current.args.len() || cancel.is_cancelled() {
                return;
            }
            let mut fewer = current;
            fewer.args.remove(at);
            self.n_asks.fetch_add(1, Ordering::Relaxed);
            match self.try_with(text, fewer.clone()).0 {
                Verdict::Fails => *self.options.lock().unwrap_or_else(|poison| poison.into_inner()) = fewer,
                _ => at += 1,
            }
        }
    }
}

/// Whether a finding depends on the answers of other solvers.
fn needs_witnesses(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::WrongAnswer { .. }
            | FindingKind::Disagreement { .. }
            | FindingKind::Hang
            | FindingKind::Garbage
            | FindingKind::Error
    )
}

/// Whether the built-in solver must check what the accused printed.
fn is_checked(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::BadCore | FindingKind::BadProof)
}
