//! Reductions: the smallest file that still shows the failure.
//!
//! In order: read and check the input, check that the result can be written, lock the run folder, run the command on
//! the original ([`oracle`]), search ([`nub_reduce::session`]), report ([`report`]).

mod compare;
mod compared_steps;
mod ddsmt;
mod header;
mod html;
pub(crate) mod oracle;
pub(crate) mod paths;
mod report;
pub(crate) mod strategy;
mod unchecked;
mod watch;

pub(crate) use compare::compare;
pub use ddsmt::{DDSMT_MUTATORS, DDSMT_THEORIES, DdsmtMutator, DdsmtSupport, DdsmtSwitches};

use crate::failure::{Failure, FailureKind};
use crate::fleet::RunSite;
use crate::folder::Earlier;
use crate::format::FileFormat;
use crate::handle::Job;
use crate::request::{JobRequest, ReduceJob, SearchOptions};
use crate::result::{JobResult, ReduceResult};
use crate::timer::Timer;
use nub_oracle::{
    Baseline, Doubt, Oracle, OracleRefusal, Pattern, RealOracle, Reproduction, Seconds, Session, Votes,
    VotingOracle, WatchLevel,
};
use nub_process::Cancel;
use nub_reduce::ReduceConfig;
use nub_reduce::search::Search;
use nub_reduce::session::{
    self, Cancels, Finished, Identity, ReductionPlan, ReductionStart, ResumeError, SessionError,
    UnconfirmedSteps,
};
use nub_report::JobEvent;
use nub_store::{AfterRun, RealFs, RunFolder, commit};
use paths::Paths;
use std::path::Path;
use std::time::Duration;
use strategy::Chosen;
use watch::ProgressWatch;

/// Number of runs after the search: the last step of a search for a hang, the form of the file, and two checks.
const N_LAST_CHECKS: u32 = 4;
/// How long these may take beyond `--max-time`: the time of the runs is not known exactly.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a reduction to its end.
pub(crate) fn reduce(job: &Job, request: &ReduceJob) -> Result<JobResult, Failure> {
    let original = paths::read_input(job, &request.input)?;
    let format = strategy::choose(request, &request.input, &original)?;
    if request.output.unchecked {
        return unchecked::run(job, request, format, &original);
    }
    let keep = keep_patterns(&request.search)?;
    let paths = Paths::new(request)?;
    if request.output.dry_run {
        return dry_run(request);
    }
    check_output(&paths)?;
    html::check(request, &paths.out)?;
    let commands = oracle::invocations(oracle::Spec::new(request, &request.input))?;
    let about = format!("reduce {}", request.input.display());
    let site = RunSite::open(job, &request.fleet, &commands, &about)?;
    Reduction { job, request, original: &original, format, paths: &paths, site }.run(keep)
}

fn dry_run(request: &ReduceJob) -> Result<JobResult, Failure> {
    let spec = oracle::Spec::new(request, &request.input);
    let invocations = oracle::invocations(spec)?;
    let line =
        |invocation: &nub_oracle::Invocation| invocation.shell_line(&request.input, request.oracle.feed());
    Ok(JobResult::Commands(invocations.iter().map(line).collect()))
}

/// One reduction: what is reduced, and its files.
struct Reduction<'a> {
    job: &'a Job,
    request: &'a ReduceJob,
    original: &'a [u8],
    format: FileFormat,
    paths: &'a Paths,
    site: RunSite,
}

/// The oracle, what it did on the original, and the search.
struct Started {
    oracle: RealOracle,
    baseline: Baseline,
    search: Box<dyn Search>,
}

impl Reduction<'_> {
    fn run(&self, keep: Vec<Pattern>) -> Result<JobResult, Failure> {
        let start = if self.request.output.resume { ReductionStart::Resume } else { ReductionStart::Fresh };
        self.note_earlier_run(start);
        let mut result = self.attempt(start, keep.clone());
        // Every step may depend on answers of a worker that is no longer trusted.
        while self.site.must_start_over(self.job)? {
            if self.paths.out.exists() {
                commit(&RealFs, &self.paths.out, self.original)?;
            }
            result = self.attempt(ReductionStart::Fresh, keep.clone());
        }
        result
    }

    fn attempt(&self, start: ReductionStart, keep: Vec<Pattern>) -> Result<JobResult, Failure> {
        let folder = session::open_folder(&self.paths.run_folder, start)?;
        let earlier = if start == ReductionStart::Resume { Earlier::Kept } else { Earlier::Dropped };
        self.job.record_in(folder.path(), JobRequest::Reduce(Box::new(self.request.clone())), earlier);
        let result = self.start(&folder, keep).and_then(|started| self.search(&folder, start, started));
        let after = match &result {
            Ok((_, after)) => *after,
            Err(_) if start == ReductionStart::Resume => AfterRun::Keep,
            Err(_) => AfterRun::Remove,
        };
        folder.finish(after)?;
        result.map(|(result, _)| result)
    }

    /// Reports what happens to an earlier run, so that nothing is dropped or started over silently.
    fn note_earlier_run(&self, start: ReductionStart) {
        let folder = self.paths.run_folder.display();
        match (start, session::has_journal(&self.paths.run_folder)) {
            (ReductionStart::Resume, false) => self
                .job
                .events
                .note(format!("there is no run to resume in {folder}: starting from the original")),
            (ReductionStart::Fresh, true) => self.job.events.note(format!(
                "{folder} contains an interrupted run, which is dropped; --resume would continue it"
            )),
            _ => {}
        }
    }

    /// Runs the command on the original and parses it in parallel.
    fn start(&self, folder: &RunFolder, keep: Vec<Pattern>) -> Result<Started, Failure> {
        std::thread::scope(|scope| {
            let spec = oracle::Spec::new(self.request, &self.request.input);
            let oracle = scope.spawn(move || start_oracle(self.job, &self.site, spec, folder, self.original));
            let Chosen { search, remarks } =
                strategy::search(self.job, self.request, self.format, self.original, keep)?;
            for remark in remarks {
                self.job.events.send(JobEvent::Note(remark));
            }
            let (oracle, baseline) =
                oracle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(Started { oracle, baseline, search })
        })
    }

    fn search(
        &self,
        folder: &RunFolder,
        start: ReductionStart,
        started: Started,
    ) -> Result<(JobResult, AfterRun), Failure> {
        let Started { oracle, baseline, search } = started;
        let reproduction = self.reproduction(&oracle);
        let plan = self.plan(folder, start, search.as_ref(), &oracle, &baseline);
        let begun = report::start(self, &oracle, &baseline, plan.engine.jobs);
        self.job.events.send(JobEvent::Start(begun));
        // The interrupted run has already made the extra runs that detect a flaky oracle; a resumed run makes none.
        let is_resumed = start == ReductionStart::Resume && folder.journal_path().exists();
        let watch = if is_resumed { WatchLevel::Off } else { oracle.watch(baseline.wall) };
        let full_limit = (!oracle.least_share().is_full()).then_some(baseline.time_limit);
        let votes = Votes::default();
        let oracle = VotingOracle::new(oracle, self.original, baseline.stability, votes, watch);
        let oracle = oracle.with_workers(plan.engine.jobs);
        let mut progress = ProgressWatch::new(self.job, self.original.len() as u64);
        let (checks, all) = (self.job.control.child(), self.job.control.child());
        let timers = self.limits(full_limit.unwrap_or(baseline.wall), &checks);
        let cancels = Cancels { search: self.job.control.search(), checks: &checks, all: &all };
        let finished = session::run(&plan, &oracle, &cancels, &mut progress);
        drop(timers);
        self.site.check_trust(self.job)?;
        if let Ok(Finished { unconfirmed: Some(steps), .. }) = &finished {
            self.job.events.note(unconfirmed_note(*steps));
        }
        match finished {
            Ok(finished) => Ok(self.report(folder, search.as_ref(), &finished, &reproduction)),
            Err(SessionError::Resume(ResumeError::Ended)) => {
                // The run to be resumed was killed after its last write.
                self.job.events.note("the earlier run had already finished; this is its result");
                let mut result = report::ended(&self.paths.out, &reproduction);
                result.obstacle = self.write_page(folder, None).err();
                Ok((JobResult::Reduce(Box::new(result)), self.after_clean_end()))
            }
            Err(error) => Err(self.session_failure(error)),
        }
    }

    /// Ends the search early enough for the checks after it, each of which takes `check_time`, and ends the checks if they take too long.
    fn limits(&self, check_time: Duration, checks: &Cancel) -> Option<[Timer; 2]> {
        let left = self.request.search.max_time?.saturating_sub(self.job.started.elapsed());
        let reserved = (check_time * N_LAST_CHECKS).min(left / 2);
        let search = self.job.control.search();
        Some([Timer::start(left - reserved, search), Timer::start(left + GRACE, checks)])
    }

    fn plan<'p>(
        &'p self,
        folder: &'p RunFolder,
        start: ReductionStart,
        search: &'p dyn Search,
        oracle: &RealOracle,
        baseline: &Baseline,
    ) -> ReductionPlan<'p> {
        let (options, output) = (&self.request.search, &self.request.output);
        let reproduction = self.reproduction(oracle);
        let identity = Identity::new(self.original)
            .with("command, options or program", oracle.key(b""))
            .with("strategy", options.strategy_words())
            .with("--max-states", options.max_states.to_string())
            .with("--seed", options.seed.to_string())
            .with("--any", options.any.to_string())
            .with("--pretty", output.pretty.to_string())
            .with("--keep", options.keep.join("\0"))
            .with("--rules", rules_identity(options))
            .with("version of nub", env!("CARGO_PKG_VERSION"));
        let extension = self.request.input.extension().unwrap_or_default().to_string_lossy().into_owned();
        ReductionPlan {
            original: self.original,
            search,
            out: &self.paths.out,
            folder,
            engine: ReduceConfig {
                jobs: options.jobs.map_or_else(|| self.site.n_under_way(baseline.wall), usize::from),
                max_asks: options.max_asks,
                flaky: baseline.stability.is_flaky(),
                seed: options.seed,
                ..ReduceConfig::default()
            },
            // Other text has no comments that we know of.
            header: (!output.no_header && strategy::has_comments(self.format))
                .then(|| header::header(self.format, &reproduction, &self.paths.out)),
            layout: output.layout.map(strategy::layout),
            history: (output.history || output.html.is_some()).then_some(extension),
            identity,
            start,
        }
    }

    fn reproduction(&self, oracle: &RealOracle) -> Reproduction {
        let (out, feed) = (&self.paths.out, self.request.oracle.feed());
        self.site.spell_out(oracle.reproduction(out), out, feed)
    }

    fn after_clean_end(&self) -> AfterRun {
        let keeps = self.request.output.keep_run_folder || self.request.output.history;
        if keeps { AfterRun::Keep } else { AfterRun::Remove }
    }

    fn report(
        &self,
        folder: &RunFolder,
        search: &dyn Search,
        finished: &Finished,
        reproduction: &Reproduction,
    ) -> (JobResult, AfterRun) {
        let is_stopped = self.job.control.is_cancelled();
        let end = report::end(self, search, finished, reproduction);
        let last = JobEvent::End(Box::new(end.clone()));
        let page = self.write_page(folder, Some(&last));
        self.job.events.send(last);
        let mut result = ReduceResult::new(end, finished);
        result.obstacle = result.obstacle.or(page.err());
        let is_over = !is_stopped && result.obstacle.is_none() && finished.unconfirmed.is_none();
        let is_clean = finished.stop.is_none() || is_over;
        let after = if is_clean { self.after_clean_end() } else { AfterRun::Keep };
        (JobResult::Reduce(Box::new(result)), after)
    }

    fn session_failure(&self, error: SessionError) -> Failure {
        let (folder, out) = (self.paths.run_folder.display(), self.paths.out.display());
        match error {
            SessionError::Store(error) => error.into(),
            SessionError::Resume(ResumeError::Differs(part)) => {
                let message = format!("the run in {folder} cannot be continued: the {part} is not the same");
                Failure::new(FailureKind::Refused, message).with_hint("omit --resume to start over")
            }
            SessionError::Resume(ResumeError::Changed | ResumeError::Ended) => {
                Failure::new(FailureKind::Refused, format!("{out} is not what the run in {folder} left"))
                    .with_hint("move it away to continue from the journal, or omit --resume to start over")
            }
        }
    }
}

/// Runs the command on the original.
pub(crate) fn start_oracle(
    job: &Job,
    site: &RunSite,
    spec: oracle::Spec,
    folder: &RunFolder,
    original: &[u8],
) -> Result<(RealOracle, Baseline), Failure> {
    let runner = site.runner(job)?;
    let mut config = oracle::config(spec, &job.context, folder.temp_root())?;
    config.at_once = spec.jobs.map_or_else(|| site.n_under_way(Duration::ZERO), usize::from);
    site.adapt(&mut config);
    let (oracle, baseline) =
        Session::start(config, runner, original, &job.control.child()).map_err(refused)?;
    job.events.detail(format!(
        "the original fails: {} ({}; limit {})",
        baseline.summary,
        Seconds(baseline.wall),
        Seconds(baseline.time_limit)
    ));
    let share = oracle.least_share();
    if !share.is_full() {
        let part = 1 << share.halvings();
        job.events.detail(format!(
            "the search starts with 1/{part} of the time limit; steps are confirmed with the full limit"
        ));
    }
    Ok((oracle, baseline))
}

fn unconfirmed_note(steps: UnconfirmedSteps) -> String {
    let UnconfirmedSteps { n_steps, bytes } = steps;
    let are_steps = if n_steps == 1 { "1 step is" } else { &format!("{n_steps} steps are") };
    format!(
        "{are_steps} not part of the result: there was no time left to confirm a result of {bytes} bytes with the full time limit; use --resume with a longer --max-time"
    )
}

/// The rules by their content: a run cannot be continued with other rules.
fn rules_identity(search: &SearchOptions) -> String {
    let text = search.rules.as_ref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    format!("{} {}", blake3::hash(&text), search.sound_only)
}

fn keep_patterns(search: &SearchOptions) -> Result<Vec<Pattern>, Failure> {
    search.keep.iter().map(|text| oracle::parse_pattern("--keep", text)).collect()
}

/// Checks before any work that the result can be written.
fn check_output(paths: &Paths) -> Result<(), Failure> {
    nub_store::sweep_leftovers(&paths.out);
    nub_store::check_writable(&RealFs, &paths.out)
        .map_err(|error| Failure { kind: FailureKind::Environment, ..Failure::from(error) })?;
    check_folder_parent(&paths.run_folder)
}

fn check_folder_parent(run_folder: &Path) -> Result<(), Failure> {
    let parent = run_folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent {
        Some(parent) if !parent.is_dir() => {
            Err(Failure::environment(format!("{} is not a folder", parent.display()))
                .with_hint("check that the folder exists"))
        }
        _ => Ok(()),
    }
}

/// Why the oracle cannot be used.
pub(crate) fn refused(refusal: OracleRefusal) -> Failure {
    let kind = match &refusal {
        OracleRefusal::Program(_) => FailureKind::Usage,
        OracleRefusal::Doubt(Doubt::Environment(_)) => FailureKind::Environment,
        _ => FailureKind::Refused,
    };
    Failure::new(kind, refusal.to_string()).with_hint(refusal.hint())
}
