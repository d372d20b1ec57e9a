//! Limits that no single system call enforces for a whole tree: memory, processor time, tasks.
//!
//! The tree is sampled. The first sample is taken so late that short runs never pay for one; later samples
//! are closer together as a value approaches its limit.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::limits::ProcessLimits;
use crate::outcome::ProcessEnd;
use crate::procfs::{self, Stat};
use crate::tree::{MAX_TREE, Tree};

const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_millis(50);
const SHORTEST: Duration = Duration::from_millis(2);
/// A sample of a large tree takes a while; the pause until the next one is at least this many times as long.
const MIN_REST: u32 = 4;

/// When to sample, and what was seen.
pub(crate) struct Sampler {
    limits: ProcessLimits,
    /// `None` if no limit needs samples.
    due: Option<Instant>,
    last: Totals,
    last_time: Instant,
    /// Largest resident bytes of the tree.
    pub peak_memory: u64,
    /// Largest processor time of the tree.
    pub cpu: Duration,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    memory: u64,
    cpu: Duration,
    tasks: u64,
}

impl Sampler {
    pub(crate) fn new(limits: &ProcessLimits, start: Instant) -> Sampler {
        let is_needed = limits.memory.is_some() || limits.cpu.is_some() || limits.tasks.is_some();
        Sampler {
            limits: *limits,
            due: is_needed.then(|| start + FIRST),
            last: Totals::default(),
            last_time: start,
            peak_memory: 0,
            cpu: Duration::ZERO,
        }
    }

    /// When the next sample is due; `None` if never.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes a sample of the tree that `find` returns; it need not return more than this many processes.
    /// Returns the limit that the tree exceeds.
    pub(crate) fn sample(&mut self, find: impl FnOnce(usize) -> Tree) -> Option<ProcessEnd> {
        let (begin, begin_cpu) = (Instant::now(), thread_cpu());
        let most = self.limits.tasks.map_or(MAX_TREE, |tasks| tasks as usize);
        let Tree { processes: tree, has_more } = find(most);
        if has_more && self.limits.tasks.is_some() {
            return Some(ProcessEnd::TaskLimit);
        }
        let totals = add_up(&tree);
        self.peak_memory = self.peak_memory.max(totals.memory);
        self.cpu = self.cpu.max(totals.cpu);
        let broken = self.broken(&totals, &tree);
        // Processor time, not wall time: when a fork bomb takes the processor from us, we must not wait
        // longer.
        let cost = thread_cpu().saturating_sub(begin_cpu);
        self.due = Some(Instant::now() + self.pause(&totals, begin).max(cost * MIN_REST));
        (self.last, self.last_time) = (totals, begin);
        broken
    }

    fn broken(&self, totals: &Totals, tree: &[Stat]) -> Option<ProcessEnd> {
        if self.limits.memory.is_some_and(|limit| totals.memory > limit && exact_memory(tree) > limit) {
            return Some(ProcessEnd::MemoryLimit);
        }
        if self.limits.tasks.is_some_and(|limit| totals.tasks > u64::from(limit)) {
            return Some(ProcessEnd::TaskLimit);
        }
        self.limits.cpu.is_some_and(|limit| totals.cpu > limit).then_some(ProcessEnd::CpuLimit)
    }

    /// Half of the time after which, at the current rate, the first value reaches its limit.
    fn pause(&self, totals: &Totals, now: Instant) -> Duration {
        let elapsed = (now - self.last_time).as_secs_f64();
        let time_left = |limit: f64, value: f64, before: f64| {
            let rate = (value - before) / elapsed;
            if rate > 0.0 { (limit - value).max(0.0) / rate } else { f64::INFINITY }
        };
        let memory = self.limits.memory.map_or(f64::INFINITY, |limit| {
            time_left(limit as f64, totals.memory as f64, self.last.memory as f64)
        });
        let tasks = self.limits.tasks.map_or(f64::INFINITY, |limit| {
            time_left(f64::from(limit), totals.tasks as f64, self.last.tasks as f64)
        });
        let cpu = self.limits.cpu.map_or(f64::INFINITY, |limit| {
            time_left(limit.as_secs_f64(), totals.cpu.as_secs_f64(), self.last.cpu.as_secs_f64())
        });
        let half = memory.min(tasks).min(cpu) / 2.0;
        Duration::from_secs_f64(half.clamp(SHORTEST.as_secs_f64(), LONGEST.as_secs_f64()))
    }
}

fn thread_cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

fn add_up(tree: &[Stat]) -> Totals {
    let page = rustix::param::page_size() as u64;
    let ticks_per_second = rustix::param::clock_ticks_per_second();
    let sum = |value: fn(&Stat) -> u64| tree.iter().map(value).sum::<u64>();
    let ticks = sum(|stat| stat.cpu_ticks);
    Totals {
        memory: sum(|stat| stat.resident_pages) * page,
        cpu: Duration::from_millis(ticks * 1000 / ticks_per_second.max(1)),
        tasks: sum(|stat| stat.threads),
    }
}

/// Memory with pages shared by several processes counted once.
///
/// The sum of resident sizes counts them for each: a solver that forks four workers after
/// reading its input would seem four times its size. Reading the exact figure walks the page
/// tables, so it is done only when the cheap sum is over the limit.
fn exact_memory(tree: &[Stat]) -> u64 {
    let page = rustix::param::page_size() as u64;
    if let [single] = tree {
        return single.resident_pages * page;
    }
    let exact = |stat: &Stat| procfs::proportional_bytes(stat.pid).unwrap_or(stat.resident_pages * page);
    tree.iter().map(exact).sum()
}
