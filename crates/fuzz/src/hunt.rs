//! Runs a campaign: workers take units and reductions, one thread records the results.

use crate::KnownState;
use crate::bench::{Bench, RunLimits};
use crate::campaign::book::Entry;
use crate::campaign::{Campaign, CampaignError, News};
use crate::examine::{Examined, ReproducedFinding, Trouble, UnitPlan, examine};
use crate::reduction::{NotReduced, Reduced, ReductionEffort, reduce};
use crate::tally::Tally;
use nub_process::{Cancel, CommandRunner};
use nub_reduce::Quiet;
use nub_store::StoreError;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many results may wait to be recorded.
const MAX_WAITING: usize = 64;

/// The settings of a hunt.
pub struct Conduct<'a> {
    /// Workers.
    pub jobs: usize,
    /// Limits of one run.
    pub limits: RunLimits,
    /// How much a reduction may cost.
    pub effort: ReductionEffort,
    /// Maximum number of units, including those of earlier runs; `None` to run until it is stopped.
    pub max_units: Option<u64>,
    /// Maximum number of groups.
    pub max_groups: Option<usize>,
    /// Starts no more units; running reductions continue.
    pub enough: &'a Cancel,
    /// Ends everything soon.
    pub cancel: &'a Cancel,
    /// Time since the start. The only clock here.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Other machines that examine and reduce, instead of this one.
    pub elsewhere: Option<&'a dyn HuntElsewhere>,
}

/// Examines units and reduces findings on other machines. Each call blocks until its answer; workers call it in parallel.
pub trait HuntElsewhere: Sync {
    /// How many units are examined together.
    fn n_units(&self) -> usize;
    /// Examines units; returns their results in order.
    fn examine(&self, units: &[u64], cancel: &Cancel) -> Vec<(u64, Result<Examined, Trouble>)>;
    /// Reduces a finding.
    fn reduce(
        &self,
        found: &ReproducedFinding,
        effort: ReductionEffort,
        cancel: &Cancel,
    ) -> Result<Reduced, NotReduced>;
}

/// Why a hunt ended early.
#[derive(Debug)]
pub enum HuntError {
    /// The campaign's files cannot be written.
    Campaign(CampaignError),
    /// A unit could not be run.
    Trouble(Trouble),
}

impl<E: Into<CampaignError>> From<E> for HuntError {
    fn from(error: E) -> HuntError {
        HuntError::Campaign(error.into())
    }
}

/// Notified of events by the recording thread.
pub trait Audience {
    /// A unit is done; `tally` is the sum of all.
    fn counted(&mut self, tally: &Tally, n_groups: usize, n_reducing: usize);
    /// Something was found.
    fn found(&mut self, entry: &Entry, news: &News);
    /// The reduction of a group has finished. The campaign's folder is final for this group.
    fn reduced(&mut self, entry: &Entry);
    /// A group could not be reproduced and is withdrawn.
    fn withdrawn(&mut self, entry: &Entry);
}

enum Task {
    /// One unit, or on other machines a range of them.
    Units(Vec<u64>),
    Reduce(usize, Box<ReproducedFinding>),
}

enum Done {
    Unit(u64, Result<Examined, Trouble>),
    Reduced(usize, Result<Reduced, NotReduced>),
    /// A worker could not start.
    Failed(StoreError),
}

/// What workers share.
struct Board {
    next_unit: u64,
    done_before: BTreeSet<u64>,
    reductions: VecDeque<(usize, Box<ReproducedFinding>)>,
    /// Reductions in which every ask takes the full time limit.
    slow_reductions: VecDeque<(usize, Box<ReproducedFinding>)>,
    /// When the current one of these started, if any.
    slow_since: Option<Duration>,
    /// The total time they have taken.
    slow_spent: Duration,
    n_running: usize,
    /// No more units.
    is_closed: bool,
    /// No units for now: there are enough groups unless some of those that wait for their reduction are
    /// twins.
    is_paused: bool,
}

impl Board {
    /// The next task. Reductions first: a reduced file is worth more than another input.
    fn take(&mut self, conduct: &Conduct) -> Option<Task> {
        if conduct.cancel.is_cancelled() {
            return None;
        }
        let reduction = self.reductions.pop_front().or_else(|| self.take_slow(conduct));
        let task = match reduction {
            Some((number, found)) => Task::Reduce(number, found),
            None => {
                if self.is_closed || self.is_paused || conduct.enough.is_cancelled() {
                    return None;
                }
                let units = self.take_units(conduct);
                if units.is_empty() {
                    return None;
                }
                Task::Units(units)
            }
        };
        self.n_running += match &task {
            Task::Units(units) => units.len(),
            Task::Reduce(..) => 1,
        };
        Some(task)
    }

    /// The next units that no earlier run has done.
    fn take_units(&mut self, conduct: &Conduct) -> Vec<u64> {
        let most = conduct.elsewhere.map_or(1, |elsewhere| elsewhere.n_units().max(1));
        let mut units = Vec::with_capacity(most);
        while units.len() < most {
            while self.done_before.remove(&self.next_unit) {
                self.next_unit += 1;
            }
            if self.is_exhausted(conduct) {
                break;
            }
            units.push(self.next_unit);
            self.next_unit += 1;
        }
        units
    }

    /// A reduction of a hang: one at a time, and for at most a quarter of the time, as long as there are inputs
    /// to try.
    fn take_slow(&mut self, conduct: &Conduct) -> Option<(usize, Box<ReproducedFinding>)> {
        let now = (conduct.clock)();
        let is_closed = self.is_closed || self.is_paused || conduct.enough.is_cancelled();
        let is_rest = is_closed || self.is_exhausted(conduct);
        if self.slow_since.is_some() || !is_rest && self.slow_spent * SLOW_SHARE > now {
            return None;
        }
        let taken = self.slow_reductions.pop_front()?;
        self.slow_since = Some(now);
        Some(taken)
    }

    fn is_exhausted(&self, conduct: &Conduct) -> bool {
        conduct.max_units.is_some_and(|most| self.next_unit >= most)
    }

    /// Adds a reduction.
    fn push(&mut self, number: usize, found: Box<ReproducedFinding>) {
        if found.finding.kind.is_slow() {
            self.slow_reductions.push_back((number, found))
        } else {
            self.reductions.push_back((number, found))
        }
    }

    /// Whether there is nothing left to do.
    fn is_over(&self) -> bool {
        self.n_running == 0 && self.reductions.is_empty() && self.slow_reductions.is_empty()
    }
}

/// Reductions of hangs take at most one second in this many.
const SLOW_SHARE: u32 = 4;

/// How long an idle worker waits for a reduction.
const IDLE: Duration = Duration::from_millis(20);

/// Runs until it is stopped or a limit is reached.
pub fn hunt(
    plan: &UnitPlan,
    campaign: &mut Campaign,
    runner: &dyn CommandRunner,
    conduct: &Conduct,
    audience: &mut dyn Audience,
) -> Result<(), HuntError> {
    let board = Mutex::new(Board {
        next_unit: 0,
        done_before: campaign.state().units.keys().copied().collect(),
        reductions: VecDeque::new(),
        slow_reductions: VecDeque::new(),
        slow_since: None,
        slow_spent: Duration::ZERO,
        n_running: 0,
        is_closed: false,
        is_paused: false,
    });
    for number in campaign.state().book.pending() {
        if let Some(found) = campaign.member(number) {
            lock(&board).push(number, Box::new(found));
        }
    }
    let temp = campaign.temp_root().to_owned();
    let (sender, receiver) = sync_channel(MAX_WAITING);
    std::thread::scope(|scope| {
        for number in 0..conduct.jobs.max(1) {
            let (board, temp, sender) = (&board, &temp, sender.clone());
            scope.spawn(move || work(plan, runner, conduct, board, temp, number, &sender));
        }
        drop(sender);
        let mut keeper = Keeper { plan, campaign, conduct, board: &board, audience };
        let mut result = Ok(());
        // After an error the workers are told to stop, and the channel is drained so that none waits for us.
        for done in receiver {
            if result.is_ok() {
                result = keeper.take(done);
                if result.is_err() {
                    lock(&board).is_closed = true;
                    conduct.cancel.cancel();
                }
            }
        }
        result
    })
}

fn lock<'a>(board: &'a Mutex<Board>) -> std::sync::MutexGuard<'a, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(
    plan: &UnitPlan,
    runner: &dyn CommandRunner,
    conduct: &Conduct,
    board: &Mutex<Board>,
    temp: &Path,
    number: usize,
    sender: &SyncSender<Done>,
) {
    let bench = |number| Bench::new(runner, temp, number, conduct.limits, conduct.cancel);
    let own = match bench(number) {
        Ok(bench) => bench,
        Err(error) => return drop(sender.send(Done::Failed(error))),
    };
    let mut source = plan.source.clone();
    loop {
        // Under one lock: whether the hunt is over must be judged by the same state as the task.
        let (task, is_over) = {
            let mut board = lock(board);
            (board.take(conduct), board.is_over())
        };
        let all_done: Vec<Done> = match task {
            None if conduct.cancel.is_cancelled() || is_over => return,
            // A running unit may lead to a reduction.
            None => {
                std::thread::sleep(IDLE);
                continue;
            }
            Some(Task::Units(units)) => match conduct.elsewhere {
                Some(elsewhere) => {
                    let done = elsewhere.examine(&units, conduct.cancel).into_iter();
                    done.map(|(unit, result)| Done::Unit(unit, result)).collect()
                }
                None => {
                    let here = |unit: u64| Done::Unit(unit, examine(plan, &mut source, &own, unit));
                    units.into_iter().map(here).collect()
                }
            },
            Some(Task::Reduce(group, found)) => {
                let cancel = conduct.cancel;
                vec![match (conduct.elsewhere, bench(number + conduct.jobs)) {
                    (Some(elsewhere), _) => {
                        Done::Reduced(group, elsewhere.reduce(&found, conduct.effort, cancel))
                    }
                    (None, Ok(bench)) => {
                        Done::Reduced(group, reduce(plan, bench, &found, conduct.effort, cancel, &mut Quiet))
                    }
                    (None, Err(error)) => Done::Failed(error),
                }]
            }
        };
        for done in all_done {
            if sender.send(done).is_err() {
                return;
            }
        }
    }
}

/// Records the results.
struct Keeper<'a, 'b> {
    plan: &'a UnitPlan,
    campaign: &'a mut Campaign,
    conduct: &'a Conduct<'b>,
    board: &'a Mutex<Board>,
    audience: &'a mut dyn Audience,
}

impl Keeper<'_, '_> {
    fn take(&mut self, done: Done) -> Result<(), HuntError> {
        let result = match done {
            Done::Unit(unit, Ok(examined)) => self.unit(unit, examined),
            Done::Unit(_, Err(Trouble::Cancelled)) => Ok(()),
            Done::Unit(_, Err(trouble)) => Err(HuntError::Trouble(trouble)),
            Done::Reduced(number, result) => self.reduced(number, result),
            Done::Failed(error) => Err(error.into()),
        };
        let mut board = lock(self.board);
        // A worker that could not start has taken no task.
        board.n_running = board.n_running.saturating_sub(1);
        result
    }

    fn unit(&mut self, unit: u64, examined: Examined) -> Result<(), HuntError> {
        for found in &examined.found {
            let news = self.campaign.record_finding(unit, found)?;
            let number = match news {
                News::Counted | News::Again(_) => continue,
                News::New(number) | News::Known(number) | News::Regression(number) | News::Member(number) => {
                    number
                }
            };
            self.audience.found(&self.campaign.state().book.entries()[number], &news);
            lock(self.board).push(number, Box::new(found.clone()));
        }
        self.campaign.record_unit(unit, examined, (self.conduct.clock)())?;
        self.count();
        Ok(())
    }

    fn reduced(&mut self, number: usize, result: Result<Reduced, NotReduced>) -> Result<(), HuntError> {
        if self.campaign.state().book.entries()[number].finding.kind.is_slow() {
            let mut board = lock(self.board);
            let since = board.slow_since.take().unwrap_or_default();
            board.slow_spent += (self.conduct.clock)().saturating_sub(since);
        }
        // It was stopped before its end, and is repeated when the campaign continues.
        if self.conduct.cancel.is_cancelled() || matches!(result, Err(NotReduced::Cancelled)) {
            return Ok(());
        }
        self.campaign.record_reduced(self.plan, number, result)?;
        let entry = &self.campaign.state().book.entries()[number];
        if entry.is_withdrawn() {
            self.audience.withdrawn(entry);
            self.count();
            return Ok(());
        }
        let is_twin = entry.small.as_ref().is_some_and(|small| !small.twin.is_empty());
        if entry.finding.is_coarse() && !is_twin {
            let news = match self.campaign.known_state(entry) {
                None => News::New(number),
                Some(KnownState::Known) => News::Known(number),
                Some(KnownState::Fixed) => News::Regression(number),
            };
            self.audience.found(entry, &news);
        }
        if !is_twin {
            self.audience.reduced(entry);
        }
        self.count();
        Ok(())
    }

    fn count(&mut self) {
        let state = self.campaign.state();
        let n_groups = state.book.n_settled();
        if let Some(most) = self.conduct.max_groups {
            lock(self.board).is_paused = state.book.by_severity().len() >= most;
            if n_groups >= most {
                self.conduct.enough.cancel();
            }
        }
        let n_reducing = state.book.pending().len();
        self.audience.counted(&state.tally, n_groups, n_reducing);
    }
}
