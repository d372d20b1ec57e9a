//! The engine, which a strategy drives. It asks in strict order, one candidate after another, and reports what was
//! accepted. With several workers the answers to likely candidates are known before they are asked ([`crate::ahead`]);
//! nothing else changes. Independent of the format.

mod again;
mod answer;
mod judge;
mod learn;
mod log;
mod pass_run;
mod state;

pub(crate) use again::Way;
pub(crate) use answer::{Agreement, Asking, Heard};
pub(crate) use learn::Kind;
pub(crate) use log::{Log, Reply, Strategy};
pub(crate) use pass_run::{PassEnd, PassRun, PassStart};
pub(crate) use state::{Candidate, SearchState};

use crate::ahead::{Ahead, Position};
use crate::groups::{self, Scheme};
use crate::workers::{self, Threads, Workers};
use crate::{AcceptedStep, ReductionObserver, ReductionStats, SubjectFormat};
use nub_edits::Pass;
use nub_oracle::{Oracle, OracleAnswer};
use nub_process::Cancel;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Candidates up to this size are checked to be well-formed before every ask; larger ones only when accepted
/// steps are parsed, which keeps the cost of an ask on a large file close to that of a copy.
const CHECK_BYTES: usize = 1 << 16;
/// The name of a step that undoes others.
pub(crate) const ROLLBACK: &str = "rollback";

/// How to reduce.
#[derive(Clone, Debug)]
pub struct ReduceConfig {
    /// Number of parallel asks. Affects how long a reduction takes, not its result.
    pub jobs: usize,
    /// Maximum number of asks; unneeded speculative ones do not count.
    pub max_asks: Option<u64>,
    /// The oracle is known to be flaky: confirm every step.
    pub flaky: bool,
    /// The order in which the edits of a pass are tried: 0 is the pass's own order, any other number a
    /// shuffle.
    pub seed: u64,
    /// Which steps are asked a second time although the oracle has never contradicted itself.
    pub second_look: SecondLook,
}

/// See [`ReduceConfig::second_look`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SecondLook {
    /// Those that halve the subject: all later asks depend on them.
    #[default]
    AtHalves,
    /// None: the observer confirms the steps.
    Never,
}

impl Default for ReduceConfig {
    fn default() -> ReduceConfig {
        ReduceConfig { jobs: 1, max_asks: None, flaky: false, seed: 0, second_look: SecondLook::default() }
    }
}

/// Why a reduction ended before its fixpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReductionStop {
    /// The user, or a time limit.
    Cancelled,
    /// The limit on asks.
    MaxAsks,
    /// The limit on states of an exhaustive search.
    MaxStates,
    /// A step could not be written to disk.
    Store(String),
    /// The oracle could not run.
    Environment(String),
}

/// A running reduction.
pub struct Engine<'e, F: SubjectFormat> {
    pub(crate) state: SearchState<'e, F>,
    asker: Asker<'e, F>,
    /// `None` for a copy, which reports nothing.
    watch: Option<&'e mut dyn ReductionObserver>,
    /// The replies to the strategy so far; empty without speculative asks.
    log: Log,
    /// The position that a copy has reached.
    found: Option<Position<'e, F>>,
}

/// Who answers asks.
enum Asker<'e, F: SubjectFormat> {
    /// The oracle, on this thread.
    Oracle(&'e dyn Oracle),
    /// Workers, with speculative asks.
    Ahead(Box<Ahead<'e, F>>),
    /// Nobody: this is a copy.
    Nobody,
}

/// How the scheme of a pass is made on the current subject.
pub(crate) type MakeScheme<'s, F> = &'s dyn Fn(&mut SearchState<'_, F>) -> Box<dyn Scheme<F>>;

/// The parts of a run that an engine borrows.
struct Run<'e> {
    oracle: &'e dyn Oracle,
    cancel: &'e Cancel,
    watch: &'e mut dyn ReductionObserver,
}

impl<'e, F: SubjectFormat> Engine<'e, F> {
    /// Runs `work` with an engine on `subject`; workers live as long as it runs. They speculate only within a pass, because
    /// `work` cannot be repeated; see [`Engine::search`].
    pub fn run<T>(
        format: &F,
        oracle: &dyn Oracle,
        subject: Vec<u8>,
        config: ReduceConfig,
        cancel: &Cancel,
        watch: &mut dyn ReductionObserver,
        work: impl FnOnce(&mut Engine<'_, F>) -> T,
    ) -> (T, Vec<u8>, ReductionStats) {
        let run = Run { oracle, cancel, watch };
        Engine::on_threads(format, subject, config, run, None, work)
    }

    /// Runs a strategy with an engine on `subject`. Several workers speculate across its passes.
    pub fn search<S>(
        format: &F,
        oracle: &dyn Oracle,
        subject: Vec<u8>,
        config: ReduceConfig,
        cancel: &Cancel,
        watch: &mut dyn ReductionObserver,
        strategy: &S,
    ) -> (Result<(), ReductionStop>, Vec<u8>, ReductionStats)
    where
        S: Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
    {
        let run = Run { oracle, cancel, watch };
        Engine::on_threads(format, subject, config, run, Some(strategy), strategy)
    }

    /// Like [`Engine::search`], with asks that run on the given workers instead of threads of this process.
    pub fn search_on<S>(
        workers: &mut dyn Workers,
        format: &F,
        subject: Vec<u8>,
        config: ReduceConfig,
        cancel: &Cancel,
        watch: &mut dyn ReductionObserver,
        strategy: &S,
    ) -> (Result<(), ReductionStop>, Vec<u8>, ReductionStats)
    where
        S: Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
    {
        let asker = Asker::Ahead(Box::new(Ahead::new(workers, Some(strategy))));
        let state = SearchState::new(format, subject, config, cancel);
        Engine { state, asker, watch: Some(watch), log: Log::default(), found: None }.finish(strategy)
    }

    fn on_threads<T>(
        format: &F,
        subject: Vec<u8>,
        config: ReduceConfig,
        run: Run<'_>,
        strategy: Option<Strategy<'_, F>>,
        work: impl FnOnce(&mut Engine<'_, F>) -> T,
    ) -> (T, Vec<u8>, ReductionStats) {
        let Run { oracle, cancel, watch } = run;
        let n_slots = config.jobs;
        let state = SearchState::new(format, subject, config, cancel);
        let (log, found) = (Log::default(), None);
        if n_slots <= 1 {
            let asker = Asker::Oracle(oracle);
            return Engine { state, asker, watch: Some(watch), log, found }.finish(work);
        }
        let shared = workers::Shared::default();
        std::thread::scope(|scope| {
            let mut threads = Threads::start(scope, &shared, n_slots, oracle, cancel);
            let asker = Asker::Ahead(Box::new(Ahead::new(&mut threads, strategy)));
            Engine { state, asker, watch: Some(watch), log, found }.finish(work)
        })
    }

    fn finish<T>(mut self, work: impl FnOnce(&mut Engine<'e, F>) -> T) -> (T, Vec<u8>, ReductionStats) {
        let result = work(&mut self);
        self.settle();
        self.rebase();
        let bytes = self.state.format.text(self.state.view()).to_vec();
        if let Asker::Ahead(ahead) = &mut self.asker {
            ahead.finish(&mut self.state.stats);
        }
        (result, bytes, self.state.stats)
    }

    /// An engine without an observer, with the replies of a log.
    fn copy(state: SearchState<'e, F>, log: Log) -> Engine<'e, F> {
        Engine { state, asker: Asker::Nobody, watch: None, log, found: None }
    }

    fn is_copy(&self) -> bool {
        matches!(self.asker, Asker::Nobody)
    }

    /// Whether replies are logged, so that copies can follow.
    fn is_logged(&self) -> bool {
        !matches!(self.asker, Asker::Oracle(_))
    }

    /// The format of subjects.
    pub(crate) fn format(&self) -> &'e F {
        self.state.format
    }

    /// The current subject as passes see it.
    pub fn view(&self) -> &F::View {
        self.state.view()
    }

    /// The current subject.
    pub fn text(&self) -> &[u8] {
        self.state.text()
    }

    /// Counts so far.
    pub fn stats(&self) -> &ReductionStats {
        &self.state.stats
    }

    /// The passes that may run from now on; all if there is no list.
    pub(crate) fn allow(&mut self, names: Option<BTreeSet<&'static str>>) {
        self.state.allowed = names.map(Rc::new);
    }

    /// Runs one pass on the current subject. True if anything was accepted.
    pub fn pass(&mut self, pass: &dyn Pass<F::View>) -> Result<bool, ReductionStop> {
        self.scheme(pass.name(), &|state| groups::of_pass(state, pass))
    }

    /// Runs a scheme as a pass of its own.
    pub(crate) fn scheme(
        &mut self,
        name: &'static str,
        scheme: MakeScheme<'_, F>,
    ) -> Result<bool, ReductionStop> {
        if self.is_copy() {
            return self.replay_scheme(name, scheme);
        }
        let result = self.run_scheme(name, scheme);
        if self.is_logged() {
            self.log.push(Reply::Pass(result.clone()));
        }
        result
    }

    /// Whether a pass may run, or why nothing may.
    fn may_run(&self, name: &'static str) -> Result<bool, ReductionStop> {
        self.state.check_stop()?;
        Ok(self.state.allows(name))
    }

    fn run_scheme(&mut self, name: &'static str, scheme: MakeScheme<'_, F>) -> Result<bool, ReductionStop> {
        if !self.may_run(name)? {
            return Ok(false);
        }
        let start = PassStart::of(&self.state);
        loop {
            let mut run = PassRun::new(name, start, scheme(&mut self.state));
            let result = self.drive(&mut run);
            let end = run.end(&mut self.state, result);
            // The old content is valid and was written before; if the write fails here, the file on disk still fails.
            let _ = self.tell();
            match end {
                PassEnd::Over(result) => return result,
                PassEnd::Rerun if self.is_logged() => self.log.push(Reply::Rerun(start)),
                PassEnd::Rerun => {}
                PassEnd::IllFormed => {
                    // Repeats the pass, checking each candidate.
                    self.state.careful = true;
                    let again = self.run_scheme(name, scheme);
                    self.state.careful = false;
                    return again;
                }
            }
        }
    }

    fn drive(&mut self, run: &mut PassRun<F>) -> Result<(), ReductionStop> {
        while let Some(asking) = run.next(&mut self.state)? {
            let (asking, heard) = self.ask(asking, Some(run))?;
            run.decided(&mut self.state, asking, heard);
            self.tell()?;
        }
        Ok(())
    }

    /// Asks a candidate as often as necessary to decide. Speculative copies follow the pass, if there is one.
    fn ask(
        &mut self,
        mut asking: Asking,
        run: Option<&PassRun<F>>,
    ) -> Result<(Asking, Heard), ReductionStop> {
        loop {
            let (answer, agreement) = self.answer(&asking, run);
            let heard = self.state.hear(&mut asking, &answer, agreement);
            if let Asker::Ahead(ahead) = &self.asker {
                self.state.stats.speculative = ahead.n_in_vain();
            }
            if let Some(watch) = &mut self.watch {
                watch.asked(asking.pass, &self.state.stats);
            }
            match heard? {
                Heard::Again => {}
                heard => return Ok((asking, heard)),
            }
        }
    }

    fn answer(&mut self, asking: &Asking, run: Option<&PassRun<F>>) -> (OracleAnswer, Agreement) {
        let Engine { state, asker, log, .. } = self;
        match asker {
            Asker::Oracle(oracle) => {
                let answer = workers::ask(*oracle, &asking.bytes, state.cancel);
                (answer, agreement(oracle.has_disagreed()))
            }
            Asker::Ahead(ahead) => {
                let position = run.map(|run| {
                    let log = &*log;
                    move || Position {
                        state: state.fork(),
                        log: log.clone(),
                        run: run.fork(),
                        asking: asking.clone(),
                    }
                });
                (ahead.answer(asking, position), agreement(ahead.has_disagreed()))
            }
            Asker::Nobody => unreachable!("a copy asks nobody: its passes return before"),
        }
    }

    /// Reports the last step.
    fn tell(&mut self) -> Result<(), ReductionStop> {
        let Some(pass) = self.state.news.take() else { return Ok(()) };
        let step = AcceptedStep { pass, stats: &self.state.stats };
        match &mut self.watch {
            Some(watch) => watch
                .accepted(&step, &self.state.shared_text())
                .map_err(|error| ReductionStop::Store(error.to_string())),
            None => Ok(()),
        }
    }

    /// Parses the best subject, so that passes see it. False if it turned out to be ill-formed and was
    /// dropped.
    pub(crate) fn rebase(&mut self) -> bool {
        let kept = self.state.rebase();
        // An error can be ignored, as in `run_pass`: the file on disk fails.
        let _ = self.tell();
        kept
    }

    /// Returns an error if the reduction must end.
    pub(crate) fn check_stop(&self) -> Result<(), ReductionStop> {
        self.state.check_stop()
    }
}

fn agreement(has_disagreed: bool) -> Agreement {
    if has_disagreed { Agreement::Broken } else { Agreement::Kept }
}
