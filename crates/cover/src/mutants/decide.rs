//! The state of each mutant: killed by a test, equivalent, or undecided; and the fewest additional tests that kill the rest.

use super::rerun::{MAX_STEPS, Rerun, Verdict};
use super::twins::{TwinLits, TwinMutant};
use super::{MutantsFound, Session};
use crate::report::{MutantReport, MutantState, MutationReport};
use crate::search::{self, Behaviour, Explorer, Reply, SuiteObjective};
use nub_cnf::Lit;
use nub_report::counted;
use nub_sat::{SatLimits, SatStop};

/// Conflicts for one question about a mutant.
const CONFLICTS: u64 = 200_000;

/// What is known about a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// Tests that kill it, from 0.
    Killed(Vec<usize>),
    /// A test can kill it.
    Differs,
    Other(MutantState, String),
}

impl Session<'_> {
    /// Decides each mutant, and finds additional tests that kill those that survive these tests. `most`: no set of as many tests kills more.
    pub fn decide(
        &self,
        explorer: &mut Explorer<'_>,
        tests: &[Behaviour],
        most: Option<usize>,
    ) -> MutantsFound {
        let reruns: Vec<Option<Rerun<'_>>> =
            tests.iter().map(|test| self.twins.rerun(&test.inputs)).collect();
        let limits = self.config.limits.with_conflicts(CONFLICTS);
        let mut fates: Vec<Fate> = Vec::new();
        for twin in &self.twins.list {
            let killers = self.killers(twin, &reruns, 0);
            fates.push(if killers.is_empty() {
                self.without_tests(explorer, twin, &limits)
            } else {
                Fate::Killed(killers)
            });
        }
        let n_first = fates.iter().filter(|fate| matches!(fate, Fate::Killed(_))).count();
        let (more, lower) = self.fewest(explorer, &fates);
        let is_confirmed = self.confirm(&mut fates, tests.len(), &more);
        let more = if more.is_empty() {
            Some(Vec::new())
        } else {
            super::narrowed(self.task, self.twins.n_own_inputs, &more)
        };
        let report = self.report(&fates, n_first);
        let more = more.unwrap_or_default();
        let is_minimal = lower >= more.len() && is_confirmed;
        let report = MutationReport {
            more_tests: more.len(),
            lower_bound: lower.min(more.len()),
            is_minimal,
            is_most: most == Some(n_first),
            ..report
        };
        MutantsFound { more, report }
    }

    /// The fewest tests that kill the mutants that survive and can be killed, and a lower bound on their number.
    fn fewest(&self, explorer: &mut Explorer<'_>, fates: &[Fate]) -> (Vec<Behaviour>, usize) {
        let survivors = self.twins.list.iter().zip(fates).filter(|(_, fate)| **fate == Fate::Differs);
        let goals: Vec<SuiteObjective> = survivors
            .filter_map(|(twin, _)| twin.lits)
            .map(|lits| SuiteObjective::Atom(lits.killed))
            .collect();
        if goals.is_empty() {
            return (Vec::new(), 0);
        }
        let config =
            search::CoverSearchConfig { polishing: search::Polishing::AtOnce, ..self.config.clone() };
        let suite = search::cover(explorer, &goals, &config);
        (suite.tests, suite.lower)
    }

    /// Lets the interpreter confirm what the additional tests kill. False if it does not confirm everything.
    fn confirm(&self, fates: &mut [Fate], n_before: usize, more: &[Behaviour]) -> bool {
        let reruns: Vec<Option<Rerun<'_>>> = more.iter().map(|test| self.twins.rerun(&test.inputs)).collect();
        let mut is_confirmed = true;
        for (twin, fate) in self.twins.list.iter().zip(fates).filter(|(_, fate)| **fate == Fate::Differs) {
            let killers = self.killers(twin, &reruns, n_before);
            *fate = if killers.is_empty() {
                is_confirmed = false;
                let why = "a test should tell it apart, but the interpreter does not confirm that";
                Fate::Other(MutantState::Undecided, why.to_owned())
            } else {
                Fate::Killed(killers)
            };
        }
        is_confirmed
    }

    /// Whether any test can kill it.
    fn without_tests(&self, explorer: &mut Explorer<'_>, twin: &TwinMutant, limits: &SatLimits) -> Fate {
        let undecided = |why: &str| Fate::Other(MutantState::Undecided, why.to_owned());
        let Some(lits) = twin.lits else { return undecided("too large to be compared") };
        match explorer.ask(&[lits.killed], limits) {
            Reply::Run(_) => Fate::Differs,
            Reply::Unknown(SatStop::Conflicts) => undecided("the comparison is too hard"),
            Reply::Unknown(_) => undecided("time limit reached"),
            Reply::None if !lits.reads_alike => {
                undecided("it reads other inputs while it runs; no test found tells it apart")
            }
            Reply::None => self.never_killed(explorer, lits, limits),
        }
    }

    /// No test kills it: is it equivalent?
    fn never_killed(&self, explorer: &mut Explorer<'_>, lits: TwinLits, limits: &SatLimits) -> Fate {
        let problem = &self.twins.encoded.problem;
        let mut always: Vec<Lit> = problem.always().to_vec();
        always.extend(problem.over.map(|over| !over));
        let mut is_refuted = |lit: Lit| explorer.is_refuted(&[always.clone(), vec![lit]].concat(), limits);
        let (state, why) = match (is_refuted(lits.suspect), is_refuted(lits.undefined)) {
            (Some(true), Some(false)) => {
                (MutantState::Undefined, "differs only where its behaviour is undefined (proved)".to_owned())
            }
            (Some(true), Some(true)) if problem.over.is_some() => {
                (MutantState::BeyondBound, format!("no run within {} tells it apart (proved)", self.bounds()))
            }
            (Some(true), Some(true)) if self.task.judge.is_closed() => {
                (MutantState::Equivalent, "no input tells it apart (proved)".to_owned())
            }
            (Some(true), Some(true)) => {
                let why = "no test tells it apart (proved for the inputs that tests can have)";
                (MutantState::Equivalent, why.to_owned())
            }
            (Some(false), _) => {
                let why = "no test tells it apart (proved); it may differ beyond the bounds, or in what tests do not compare";
                (MutantState::BeyondBound, why.to_owned())
            }
            _ => (MutantState::Undecided, "time limit reached".to_owned()),
        };
        Fate::Other(state, why)
    }

    fn bounds(&self) -> String {
        let (iterations, elements) =
            (counted(self.task.bound, "iteration"), counted(self.task.elements, "element"));
        format!("{iterations} of each loop and {elements} behind each pointer")
    }

    fn report(&self, fates: &[Fate], n_first: usize) -> MutationReport {
        let name = &self.twins.program.function(self.twins.unrolled.function).name;
        let mut list = Vec::with_capacity(fates.len());
        for (number, (twin, fate)) in self.twins.list.iter().zip(fates).enumerate() {
            let (state, tests, reason) = match fate {
                Fate::Killed(tests) => {
                    (MutantState::Killed, tests.iter().map(|test| test + 1).collect(), None)
                }
                Fate::Other(state, why) => (*state, Vec::new(), Some(why.clone())),
                // Confirmed or not, it was decided.
                Fate::Differs => (MutantState::Undecided, Vec::new(), None),
            };
            let mutant = &twin.mutant;
            list.push(MutantReport {
                id: format!("{name}/m{}", number + 1),
                line: mutant.line,
                column: mutant.column,
                was: mutant.was.clone(),
                now: mutant.now.clone(),
                state,
                tests,
                reason,
            });
        }
        let n = |state: MutantState| list.iter().filter(|mutant| mutant.state == state).count();
        MutationReport {
            killed: n_first,
            differ: n(MutantState::Killed),
            equivalent: n(MutantState::Equivalent),
            undefined: n(MutantState::Undefined),
            beyond_bound: n(MutantState::BeyondBound),
            undecided: n(MutantState::Undecided),
            is_bounded: self.twins.is_bounded(),
            max_steps: MAX_STEPS,
            more_tests: 0,
            lower_bound: 0,
            is_minimal: false,
            is_most: false,
            mutants: list,
        }
    }

    /// The tests from number `first` on that kill a mutant, as far as time allows.
    fn killers(&self, twin: &TwinMutant, reruns: &[Option<Rerun<'_>>], first: usize) -> Vec<usize> {
        let is_killer = |rerun: &Option<Rerun<'_>>| match rerun {
            Some(rerun) if !self.config.closing.cancel.is_cancelled() => {
                matches!(rerun.verdict(twin.function), Verdict::Killed | Verdict::TimedOut)
            }
            _ => false,
        };
        (first..).zip(reruns).filter(|(_, rerun)| is_killer(rerun)).map(|(number, _)| number).collect()
    }
}
