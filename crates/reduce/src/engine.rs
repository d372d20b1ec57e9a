//! The engine: subject, asks, acceptance. Format-free.

mod again;
mod judge;
mod learn;

pub(crate) use again::Way;
pub(crate) use learn::Kind;

use crate::cache::Cache;
use crate::groups;
use crate::pool::{self, Done, Pool, Ticket};
use crate::{Format, Stats, Step, Watch, is_smaller};
use nub_edits::{Edit, Grouping, Merged, Pass};
use nub_oracle::{Doubt, Oracle, Verdict};
use nub_process::Cancel;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Candidates up to this size are checked for being well formed before every ask; larger ones when accepted work
/// is read again, which keeps the cost of an ask on a large file near that of a copy.
const CHECK_BYTES: usize = 1 << 16;
/// The name of a step that takes others back.
pub(crate) const ROLLBACK: &str = "rollback";
/// Runs that must agree before a step is accepted from an oracle that has contradicted itself.
const FLAKY_CONFIRMATIONS: usize = 3;

/// How to reduce.
#[derive(Clone, Debug)]
pub struct Config {
    /// Asks at once.
    pub jobs: usize,
    /// Asks after which the reduction stops.
    pub max_asks: Option<u64>,
    /// The oracle is known to be flaky: confirm every step.
    pub flaky: bool,
    /// Order in which edits of a pass are tried: 0 is the pass's own, any other a shuffle.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config { jobs: 1, max_asks: None, flaky: false, seed: 0 }
    }
}

/// Why a reduction ended before its fixpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The user, or a time limit.
    Cancelled,
    /// The limit on asks.
    MaxAsks,
    /// The limit on states of an exhaustive search.
    MaxStates,
    /// A step could not be made durable.
    Store(String),
    /// The oracle could not run.
    Environment(String),
}

/// A reduction under way.
pub struct Engine<'e, F: Format> {
    pub(crate) format: &'e F,
    config: Config,
    cancel: &'e Cancel,
    watch: &'e mut dyn Watch,
    pool: Pool<'e>,
    view: F::View,
    /// Bytes of the last accepted candidate, newer than `view` until the next [`Engine::rebase`].
    best: Option<Vec<u8>>,
    /// The smallest subject that a strategy with an order of its own has left behind ([`Engine::adopt`]).
    smallest: Option<Vec<u8>>,
    /// Subjects to which a second search can go back ([`Engine::again`]).
    trail: again::Trail,
    /// The best subject of earlier searches, until this one has found something smaller.
    bar: Option<Vec<u8>>,
    /// The canonical form of that subject: a search that comes to it has found nothing new.
    end: Option<Vec<u8>>,
    /// The number of asks at which a second search ends.
    ration: Option<u64>,
    cache: Cache,
    learned: learn::Learned,
    stats: Stats,
    /// Steps taken, those of a second search included that nobody was told of.
    n_steps: u64,
    /// Every candidate is checked for being well formed, however large.
    pub(crate) careful: bool,
    /// Edits that failed before in the same surroundings are asked again.
    pub(crate) retry_failed: bool,
    /// The passes that may run; all if there is no list.
    pub(crate) allowed: Option<BTreeSet<&'static str>>,
    /// Passes that never succeed may be left before their last edit ([`Engine::patience`]).
    pub(crate) may_give_up: bool,
    n_unsure: u32,
}

/// What becomes of a candidate that was built but maybe not asked.
pub(crate) enum Candidate {
    /// Not smaller, ill formed, or known to pass.
    Useless,
    /// Worth an ask.
    Ask(Vec<u8>),
}

impl<'e, F: Format> Engine<'e, F> {
    /// Runs `work` with an engine on `subject`; workers live as long as it runs.
    pub fn run<T>(
        format: &F,
        oracle: &dyn Oracle,
        subject: Vec<u8>,
        config: Config,
        cancel: &Cancel,
        watch: &mut dyn Watch,
        work: impl FnOnce(&mut Engine<'_, F>) -> T,
    ) -> (T, Vec<u8>, Stats) {
        let (shared, ends) = pool::channels();
        std::thread::scope(|scope| {
            let pool = Pool::start(scope, &shared, ends, config.jobs.max(1), oracle, cancel);
            let stats = Stats { bytes: subject.len() as u64, ..Stats::default() };
            let mut engine = Engine {
                format,
                config,
                cancel,
                watch,
                pool,
                view: format.read(subject),
                best: None,
                smallest: None,
                trail: again::Trail::default(),
                bar: None,
                end: None,
                ration: None,
                cache: Cache::default(),
                learned: learn::Learned::default(),
                stats,
                n_steps: 0,
                careful: false,
                retry_failed: false,
                allowed: None,
                may_give_up: false,
                n_unsure: 0,
            };
            engine.trail.pass_by(format.text(&engine.view));
            if format.text(&engine.view).len() <= CHECK_BYTES
                && let Some(form) = format.canonical(&engine.view)
            {
                engine.cache.put_subject(&form);
            }
            let result = work(&mut engine);
            engine.settle();
            engine.rebase();
            let bytes = format.text(&engine.view).to_vec();
            (result, bytes, engine.stats)
        })
    }

    /// The current subject as passes see it.
    pub fn view(&self) -> &F::View {
        &self.view
    }

    /// The current subject.
    pub fn text(&self) -> &[u8] {
        self.best.as_deref().unwrap_or_else(|| self.format.text(&self.view))
    }

    /// Counts so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Runs one pass on the current subject. Returns the number of bytes it removed, or zero if only the order
    /// improved, and whether anything was accepted.
    pub fn pass(&mut self, pass: &dyn Pass<F::View>) -> Result<bool, Stop> {
        self.check_stop()?;
        if self.allowed.as_ref().is_some_and(|names| !names.contains(pass.name())) {
            return Ok(false);
        }
        let n_steps = self.n_steps;
        let before = self.stats.bytes;
        let result = match pass.grouping() {
            Grouping::Groups => groups::in_groups(self, pass, false),
            Grouping::Complements => groups::in_groups(self, pass, true),
            Grouping::Single => groups::one_by_one(self, pass),
            Grouping::Bisect => groups::bisect(self, pass),
        };
        self.drain();
        if !self.rebase() && !self.careful {
            // The accepted steps together are ill formed although each looked right: redo, checking each.
            self.careful = true;
            let again = self.pass(pass);
            self.careful = false;
            return again;
        }
        if self.n_steps > n_steps {
            self.end_if_joined();
        }
        let removed = before.saturating_sub(self.stats.bytes);
        self.stats.passes.entry(pass.name()).or_default().bytes += removed;
        result.map(|()| self.n_steps > n_steps)
    }

    /// The edits of a pass on the current subject that may be asked. A panic in the pass costs the pass.
    pub(crate) fn edits(&mut self, pass: &dyn Pass<F::View>) -> Vec<Edit> {
        let Ok(mut edits) = catch_unwind(AssertUnwindSafe(|| pass.edits(&self.view))) else {
            self.stats.panics += 1;
            return Vec::new();
        };
        let protected = self.format.protected(&self.view);
        if !protected.is_empty() {
            edits.retain(|edit| {
                edit.splices.iter().all(|splice| protected.iter().all(|place| !splice.span.overlaps(*place)))
            });
        }
        self.leave_out_failed(pass.name(), &mut edits);
        if self.config.seed != 0 && pass.grouping() != Grouping::Bisect {
            shuffle(&mut edits, self.config.seed);
        }
        edits
    }

    /// Builds the candidate of some splices on the view.
    pub(crate) fn candidate(&mut self, splices: &Merged) -> Candidate {
        let least_len = self.format.least_len(&self.view, splices);
        if least_len > self.text().len() {
            return Candidate::Useless;
        }
        let bytes = self.format.render(&self.view, splices);
        debug_assert!(bytes.len() >= least_len);
        if !is_smaller(&bytes, self.text()) {
            return Candidate::Useless;
        }
        match self.cache.get(&bytes) {
            Some(true) => return Candidate::Ask(bytes),
            Some(false) => {
                self.stats.cached += 1;
                return Candidate::Useless;
            }
            None => {}
        }
        if self.careful || bytes.len() <= CHECK_BYTES {
            let view = self.format.read(bytes.clone());
            if !self.format.is_valid(&view) {
                self.stats.invalid += 1;
                return Candidate::Useless;
            }
            let form = self.format.canonical(&view);
            if form.is_some_and(|form| self.cache.has_passed_alike(&bytes, &form)) {
                self.stats.cached += 1;
                return Candidate::Useless;
            }
        }
        Candidate::Ask(bytes)
    }

    fn is_well_formed(&self, bytes: &[u8]) -> bool {
        self.format.is_valid(&self.format.read(bytes.to_vec()))
    }

    /// True if another ask can start at once.
    pub(crate) fn has_room(&self) -> bool {
        self.pool.has_room()
    }

    /// Starts an ask.
    pub(crate) fn submit(&mut self, bytes: Vec<u8>) -> Ticket {
        self.pool.submit(bytes)
    }

    /// Waits for an answer and counts it. The flag says whether the failure is still there, confirmed where there
    /// is doubt.
    pub(crate) fn take(&mut self, pass: &'static str) -> Result<Option<(Ticket, Vec<u8>, bool)>, Stop> {
        let Some(Done { ticket, bytes, answer }) = self.pool.take() else { return Ok(None) };
        self.count(pass, answer.wall, answer.cpu);
        if self.stats.disagreements == 0 && self.pool.has_disagreed() {
            self.distrust();
        }
        let mut fails = match answer.verdict {
            Verdict::Fails => true,
            Verdict::Passes => false,
            Verdict::Unsure(doubt) => {
                self.unsure(doubt)?;
                return Ok(Some((ticket, bytes, false)));
            }
        };
        if fails && self.is_doubtful(&bytes) {
            fails = self.confirm(pass, &bytes);
        }
        self.n_unsure = 0;
        self.cache.put(&bytes, fails);
        Ok(Some((ticket, bytes, fails)))
    }

    fn count(&mut self, pass: &'static str, wall: std::time::Duration, cpu: std::time::Duration) {
        self.stats.asks += 1;
        self.learned.fade();
        self.stats.oracle_wall += wall;
        self.stats.oracle_cpu += cpu;
        self.stats.passes.entry(pass).or_default().asks += 1;
        self.watch.asked(pass, &self.stats);
    }

    /// Limit on unsure answers in a row: then the environment is broken, and going on would only burn time.
    fn unsure(&mut self, doubt: Doubt) -> Result<(), Stop> {
        const MAX_UNSURE: u32 = 50;
        self.n_unsure += 1;
        match doubt {
            Doubt::Cancelled => Err(Stop::Cancelled),
            Doubt::Environment(text) if self.n_unsure > MAX_UNSURE => Err(Stop::Environment(text)),
            Doubt::Disagreement => {
                self.stats.disagreements += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A step that halves the subject decides what all later asks see, so it is worth a second look; with a flaky
    /// oracle every step is.
    fn is_doubtful(&self, bytes: &[u8]) -> bool {
        self.config.flaky || self.stats.disagreements > 0 || bytes.len() * 2 <= self.text().len()
    }

    /// The oracle is flaky: what it said so far does not count, and every step is confirmed from now on.
    fn distrust(&mut self) {
        self.cache.clear();
        self.stats.disagreements += 1;
    }

    fn confirm(&mut self, pass: &'static str, bytes: &[u8]) -> bool {
        let flaky = self.config.flaky || self.stats.disagreements > 0;
        for _ in 0..if flaky { FLAKY_CONFIRMATIONS - 1 } else { 1 } {
            let answer = self.pool.ask_now(bytes);
            self.count(pass, answer.wall, answer.cpu);
            match answer.verdict {
                Verdict::Fails => {}
                Verdict::Passes => {
                    match self.stats.disagreements {
                        0 => self.distrust(),
                        _ => self.stats.disagreements += 1,
                    }
                    return false;
                }
                Verdict::Unsure(_) => return false,
            }
        }
        true
    }

    /// Makes a candidate the best subject.
    pub(crate) fn accept(&mut self, pass: &'static str, bytes: Vec<u8>) -> Result<(), Stop> {
        debug_assert!(is_smaller(&bytes, self.text()), "every step is smaller");
        self.step_to(pass, bytes)
    }

    fn step_to(&mut self, pass: &'static str, bytes: Vec<u8>) -> Result<(), Stop> {
        self.n_steps += 1;
        self.learned.brighten();
        if self.bar.take_if(|bar| is_smaller(&bytes, bar)).is_some() || self.bar.is_none() {
            self.stats.accepted += 1;
            self.stats.passes.entry(pass).or_default().accepted += 1;
            self.stats.bytes = bytes.len() as u64;
            self.watch.accepted(&Step { pass, stats: &self.stats }, &bytes).map_err(Stop::Store)?;
            self.trail.pass_by(&bytes);
        }
        self.best = Some(bytes);
        Ok(())
    }

    /// Waits for asks nobody is interested in any more.
    pub(crate) fn drain(&mut self) {
        while let Some(done) = self.pool.take() {
            self.count("speculation", done.answer.wall, done.answer.cpu);
            if done.answer.verdict.is_sure() {
                self.cache.put(&done.bytes, done.answer.verdict.fails());
            }
        }
    }

    /// Reads the best subject again, so that passes see it. False if it turned out to be ill formed and was
    /// dropped.
    pub(crate) fn rebase(&mut self) -> bool {
        let Some(bytes) = self.best.take() else { return true };
        // The old view goes before the new one comes: two of them would be the peak of our memory.
        let old = self.format.text(&self.view).to_vec();
        self.view = self.format.read(Vec::new());
        self.view = self.format.read(bytes);
        if self.format.is_valid(&self.view) {
            return true;
        }
        self.view = self.format.read(old);
        self.stats.rollbacks += 1;
        if self.bar.is_some() {
            return false;
        }
        self.stats.bytes = self.format.text(&self.view).len() as u64;
        let step = Step { pass: ROLLBACK, stats: &self.stats };
        // The old content is valid and was durable before; a failing write here leaves a failing file all the same.
        let _ = self.watch.accepted(&step, self.format.text(&self.view));
        false
    }

    /// Ends the reduction if it is time to.
    pub(crate) fn check_stop(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if [self.config.max_asks, self.ration].into_iter().flatten().any(|max| self.stats.asks >= max) {
            return Err(Stop::MaxAsks);
        }
        Ok(())
    }
}

/// Fisher and Yates with a small generator (SplitMix64): the same seed gives the same order everywhere.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        items.swap(last, ((mixed ^ (mixed >> 31)) % (last as u64 + 1)) as usize);
    }
}
