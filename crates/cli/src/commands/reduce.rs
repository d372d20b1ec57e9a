//! `nub reduce IN -- CMD`: the smallest file that still shows the failure.
//!
//! In order: read and check the input, see that the result can be written, lock the run folder, run the command on the
//! original ([`oracle`]), search ([`nub_reduce::session`]), report ([`report`]).

pub mod args;
mod compare;
mod format;
mod header;
pub mod oracle;
pub mod paths;
mod report;

use crate::exit::{Exit, Failure};
use crate::progress::{Progress, Talk};
use crate::reporter::{Form, Reporter};
use crate::signals::Interrupt;
use args::{FormatName, ReduceArgs};
use nub_oracle::{
    Baseline, Doubt, Pattern, RealOracle, Refusal, Reproduction, Seconds, Session, Votes, VotingOracle, Watch,
};
use nub_process::{Cancel, Runner};
use nub_reduce::Config;
use nub_reduce::search::Search;
use nub_reduce::session::{self, Cancels, Finished, Identity, Plan, ResumeError, SessionError, Start};
use nub_store::{AfterRun, RealFs, RunFolder};
use paths::Paths;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command and reports what went wrong.
pub fn run(args: &ReduceArgs) -> Exit {
    let job = match Job::new(args) {
        Ok(job) => job,
        Err(failure) => return reporter(args, Vec::new()).failure(&in_manner(args, failure)),
    };
    let exit = job.reduce().unwrap_or_else(|failure| match job.interrupt.signal() {
        Some(signal) => Exit::Signal(signal),
        None => job.reporter.failure(&in_manner(args, failure)),
    });
    match job.reporter.is_broken() {
        true => Exit::Signal(signal_hook::consts::SIGPIPE),
        false => exit,
    }
}

/// A hint about options that ddSMT's command line lacks says whose they are.
fn in_manner(args: &ReduceArgs, mut failure: Failure) -> Failure {
    let is_foreign =
        |hint: &String| hint.contains("--") || hint.contains("nub reduce") || hint.contains("-o");
    if args.output.manner.is_ddsmt() {
        failure.hint = failure.hint.map(|hint| match is_foreign(&hint) {
            true => format!("`nub reduce` has options for this: {hint}"),
            false => hint,
        });
    }
    failure
}

/// The search alone, for a run without an oracle.
pub fn unchecked_search(args: &ReduceArgs, original: &[u8]) -> Result<Box<dyn Search>, Failure> {
    let format = format::choose(args, &args.input, original)?;
    format::search(args, format, original, keep_patterns(args)?).map(|(search, _)| search)
}

fn reporter(args: &ReduceArgs, cancels: Vec<Cancel>) -> Reporter {
    let form = match (args.output.json, args.output.manner.is_ddsmt()) {
        (true, _) => Form::Json,
        (_, true) => Form::Silent,
        _ => Form::Text,
    };
    let talk = match (args.output.quiet, args.output.verbose) {
        (true, _) => Talk::Quiet,
        (false, true) => Talk::Verbose,
        (false, false) => Talk::Normal,
    };
    Reporter::new(form, talk, args.output.color, cancels)
}

/// One reduction: options, streams, and who may stop it.
struct Job<'a> {
    args: &'a ReduceArgs,
    reporter: Reporter,
    start: Instant,
    search: Cancel,
    all: Cancel,
    interrupt: Interrupt,
}

impl<'a> Job<'a> {
    fn new(args: &'a ReduceArgs) -> Result<Job<'a>, Failure> {
        let (search, all) = (Cancel::new(), Cancel::new());
        let both = vec![search.clone(), all.clone()];
        let interrupt = Interrupt::watch(both.clone())
            .map_err(|error| Failure::new(Exit::Environment, format!("cannot watch for signals: {error}")))?;
        Ok(Job { args, reporter: reporter(args, both), start: Instant::now(), search, all, interrupt })
    }

    fn reduce(&self) -> Result<Exit, Failure> {
        let args = self.args;
        if args.search.is_comparison() {
            return self.compare();
        }
        if !args.more.is_empty() {
            return Err(Failure::usage("several files are for --compare-strategies alone")
                .with_hint("the command comes after `--`; one file is reduced at a time"));
        }
        let original = paths::read_input(&args.input)?;
        let format = format::choose(args, &args.input, &original)?;
        let keep = keep_patterns(args)?;
        let paths = Paths::new(args)?;
        if args.output.dry_run {
            return self.dry_run();
        }
        check_output(&paths)?;
        let start = if args.output.resume { Start::Resume } else { Start::Fresh };
        self.note_earlier_run(&paths, start);
        let folder = session::open_folder(&paths.run_folder, start)?;
        let result = self.start(&folder, &original, (format, keep)).and_then(|(oracle, baseline, search)| {
            let search = search.as_ref();
            let subject = Subject { original: &original, format, search, paths: &paths, folder: &folder };
            self.search(&subject, start, oracle, &baseline)
        });
        let after = match &result {
            Ok((_, after)) => *after,
            Err(_) if start == Start::Resume => AfterRun::Keep,
            Err(_) => AfterRun::Remove,
        };
        folder.finish(after)?;
        result.map(|(exit, _)| exit)
    }

    /// Says what becomes of an earlier run: nothing is dropped, and nothing begun anew, without a word.
    fn note_earlier_run(&self, paths: &Paths, start: Start) {
        let folder = paths.run_folder.display();
        match (start, session::has_journal(&paths.run_folder)) {
            (Start::Resume, false) => {
                self.reporter
                    .note(&format!("there is no run to resume in {folder}: starting from the original"));
            }
            (Start::Fresh, true) => {
                self.reporter.note(&format!(
                    "{folder} holds an interrupted run, which is dropped; --resume goes on with it"
                ));
            }
            _ => {}
        }
    }

    fn spec<'s>(&'s self, input: &'s Path) -> oracle::Spec<'s> {
        oracle::Spec { oracle: &self.args.oracle, command: &self.args.command, input }
    }

    fn dry_run(&self) -> Result<Exit, Failure> {
        for invocation in oracle::invocations(self.spec(&self.args.input))? {
            self.reporter.text(&invocation.shell_line(&self.args.input, self.args.oracle.stdin));
        }
        Ok(Exit::Done)
    }

    /// Runs the command on the original and, meanwhile, reads it.
    fn start(
        &self,
        folder: &RunFolder,
        original: &[u8],
        (format, keep): (FormatName, Vec<Pattern>),
    ) -> Result<(RealOracle, Baseline, Box<dyn Search>), Failure> {
        std::thread::scope(|scope| {
            let oracle = scope.spawn(|| self.start_oracle(folder, original, &self.args.input));
            let (search, remarks) = format::search(self.args, format, original, keep)?;
            for (remark, is_note) in remarks {
                if is_note { self.reporter.note(&remark) } else { self.reporter.detail(&remark) }
            }
            let (oracle, baseline) =
                oracle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((oracle, baseline, search))
        })
    }

    /// Runs the command on the original.
    fn start_oracle(
        &self,
        folder: &RunFolder,
        original: &[u8],
        input: &Path,
    ) -> Result<(RealOracle, Baseline), Failure> {
        let runner = Runner::new()
            .map_err(|error| Failure::new(Exit::Environment, format!("cannot run programs here: {error}")))?;
        let config = oracle::config(self.spec(input), folder.temp_root())?;
        let (oracle, baseline) =
            Session::start(config, Arc::new(runner), original, &self.all).map_err(refused)?;
        self.reporter.detail(&format!(
            "the original fails: {} ({}; limit {})",
            baseline.summary,
            Seconds(baseline.wall),
            Seconds(baseline.time_limit)
        ));
        Ok((oracle, baseline))
    }

    fn search(
        &self,
        subject: &Subject,
        start: Start,
        oracle: RealOracle,
        baseline: &Baseline,
    ) -> Result<(Exit, AfterRun), Failure> {
        let reproduction = oracle.reproduction(&subject.paths.out);
        let plan = self.plan(subject, start, &oracle, baseline, &reproduction);
        let n_jobs = plan.engine.jobs;
        self.reporter.event(|| report::start(self.args, subject, &oracle, baseline, n_jobs));
        // A run that is resumed had its probation: what it accepted is not asked again.
        let is_resumed = start == Start::Resume && subject.folder.journal_path().exists();
        let watch = if is_resumed { Watch::Off } else { oracle.watch(baseline.wall) };
        let votes = (Votes::default(), watch);
        let oracle = VotingOracle::new(oracle, subject.original, baseline.stability, votes);
        let reporter = self.reporter.clone();
        let on_step =
            move |step: &nub_reduce::Step, seconds| reporter.event(|| report::accepted(step, seconds));
        let n_bytes = subject.original.len() as u64;
        let mut progress = Progress::new(self.reporter.talk(), n_bytes, self.start, Box::new(on_step));
        self.start_timer();
        let cancels = Cancels { search: &self.search, all: &self.all };
        let finished = session::run(&plan, &oracle, &cancels, &mut progress);
        progress.clear();
        match finished {
            Ok(finished) => self.report(subject, &finished, &reproduction),
            Err(SessionError::Resume(ResumeError::Ended)) => Ok(self.report_ended(subject, &reproduction)),
            Err(error) => Err(session_failure(error, subject)),
        }
    }

    fn plan<'p>(
        &self,
        subject: &Subject<'p>,
        start: Start,
        oracle: &RealOracle,
        baseline: &Baseline,
        reproduction: &Reproduction,
    ) -> Plan<'p> {
        let search = &self.args.search;
        let jobs = search.jobs.map_or_else(all_cores, usize::from);
        let flaky = baseline.stability.is_flaky();
        let identity = Identity::new(subject.original)
            .with("command, options or program", oracle.key(b""))
            .with("strategy", search.strategy_words())
            .with("--max-states", search.max_states.to_string())
            .with("--seed", search.seed.to_string())
            .with("--any", search.any.to_string())
            .with("--pretty", self.args.output.pretty.to_string())
            .with("--keep", search.keep.join("\0"))
            .with("--rules", rules_identity(search))
            .with("version of nub", env!("CARGO_PKG_VERSION"));
        let extension = self.args.input.extension().unwrap_or_default().to_string_lossy().into_owned();
        Plan {
            original: subject.original,
            search: subject.search,
            out: &subject.paths.out,
            folder: subject.folder,
            engine: Config { jobs, max_asks: search.max_asks, flaky, seed: search.seed },
            // Other text has no comments that we know of.
            header: (!self.args.output.no_header && subject.format != FormatName::Text)
                .then(|| header::header(subject.format, reproduction, &subject.paths.out)),
            layout: self.args.output.manner.layout(),
            history: self.args.output.history.then_some(extension),
            identity,
            start,
        }
    }

    /// Below this layer there is no clock: the time limit is a cancellation.
    fn start_timer(&self) {
        let Some(limit) = self.args.search.max_time else { return };
        let search = self.search.clone();
        let left = limit.saturating_sub(self.start.elapsed());
        std::thread::spawn(move || {
            std::thread::sleep(left);
            search.cancel();
        });
    }

    /// The run to be resumed was killed after its last write.
    fn report_ended(&self, subject: &Subject, reproduction: &Reproduction) -> (Exit, AfterRun) {
        self.reporter.note("the earlier run had come to its end; this is its result");
        report::last_lines(&self.reporter, &subject.paths.out, reproduction);
        (Exit::Done, self.after_clean_end())
    }

    fn after_clean_end(&self) -> AfterRun {
        let keeps = self.args.output.keep_run_folder || self.args.output.history;
        if keeps { AfterRun::Keep } else { AfterRun::Remove }
    }

    fn report(
        &self,
        subject: &Subject,
        finished: &Finished,
        reproduction: &Reproduction,
    ) -> Result<(Exit, AfterRun), Failure> {
        let reason = report::reason(finished, self.interrupt.signal());
        let seconds = self.start.elapsed().as_secs_f64();
        let end = report::end(subject, finished, reason, reproduction, seconds);
        self.reporter.event(|| nub_report::Event::End(Box::new(end.clone())));
        report::talk(&self.reporter, &end, finished);
        let exit = report::exit(&end, finished, self.interrupt.signal(), &self.reporter);
        let is_clean = finished.stop.is_none() || exit == Exit::Done || exit == Exit::NotReduced;
        Ok((exit, if is_clean { self.after_clean_end() } else { AfterRun::Keep }))
    }
}

/// What is reduced, and its files.
struct Subject<'a> {
    original: &'a [u8],
    format: FormatName,
    search: &'a dyn Search,
    paths: &'a Paths,
    folder: &'a RunFolder,
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn session_failure(error: SessionError, subject: &Subject) -> Failure {
    let folder = subject.paths.run_folder.display();
    let out = subject.paths.out.display();
    match error {
        SessionError::Store(error) => error.into(),
        SessionError::Resume(ResumeError::Differs(part)) => {
            let message = format!("the run in {folder} cannot be continued: the {part} is not the same");
            Failure::new(Exit::Refused, message).with_hint("leave --resume away to start anew")
        }
        SessionError::Resume(ResumeError::Changed | ResumeError::Ended) => {
            Failure::new(Exit::Refused, format!("{out} is not what the run in {folder} left"))
                .with_hint("move it away to continue from the journal, or leave --resume away to start anew")
        }
    }
}

/// The rules by their content: a run cannot go on with others.
fn rules_identity(search: &args::SearchArgs) -> String {
    let text = search.rules.as_ref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    format!("{} {}", blake3::hash(&text), search.sound_only)
}

fn keep_patterns(args: &ReduceArgs) -> Result<Vec<Pattern>, Failure> {
    args.search.keep.iter().map(|text| oracle::parse_pattern("--keep", text)).collect()
}

/// Before any work: can the result be written?
fn check_output(paths: &Paths) -> Result<(), Failure> {
    nub_store::sweep_leftovers(&paths.out);
    nub_store::check_writable(&RealFs, &paths.out)
        .map_err(|error| Failure { exit: Exit::Environment, ..Failure::from(error) })?;
    check_folder_parent(&paths.run_folder)
}

fn check_folder_parent(run_folder: &Path) -> Result<(), Failure> {
    let parent = run_folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent {
        Some(parent) if !parent.is_dir() => {
            Err(Failure::new(Exit::Environment, format!("{} is not a folder", parent.display()))
                .with_hint("check that the folder exists"))
        }
        _ => Ok(()),
    }
}

/// Why the oracle cannot be used.
pub fn refused(refusal: Refusal) -> Failure {
    let exit = match &refusal {
        Refusal::Program(_) => Exit::Usage,
        Refusal::Doubt(Doubt::Environment(_)) => Exit::Environment,
        _ => Exit::Refused,
    };
    Failure::new(exit, refusal.to_string()).with_hint(refusal.hint())
}
