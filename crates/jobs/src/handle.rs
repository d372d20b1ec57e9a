//! Starts jobs and waits for their end.

use crate::context::JobContext;
use crate::control::{JobControl, JobState};
use crate::events::EventSink;
use crate::failure::{Failure, FailureKind};
use crate::folder::{Asked, Earlier, EventLog};
use crate::request::JobRequest;
use crate::result::JobResult;
use crate::sat_solver;
use crate::timer::Timer;
use nub_process::Cancel;
use nub_report::JobEvent;
use nub_sat::{SatLimits, SolverFactory};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many events may wait for a slow receiver before the job blocks.
const MAX_WAITING: usize = 1 << 12;
/// The C parser recurses up to a limit, which needs more than the default stack of a thread.
const STACK_BYTES: usize = 64 << 20;

/// A running job.
pub struct JobHandle {
    events: Receiver<JobEvent>,
    control: JobControl,
    thread: JoinHandle<Result<JobResult, Failure>>,
}

/// The end of a job.
#[derive(Debug)]
pub struct JobEnd {
    /// The result, or why there is none.
    pub result: Result<JobResult, Failure>,
    /// Whether it was told to stop.
    pub was_cancelled: bool,
}

impl JobEnd {
    /// The exit code of `nub` for it.
    pub fn exit_code(&self) -> u8 {
        match &self.result {
            Ok(result) => result.exit_code(),
            Err(failure) => failure.kind.exit_code(),
        }
    }
}

/// Starts a job in a thread of its own.
pub fn start(request: JobRequest, context: JobContext) -> JobHandle {
    let (sender, events) = sync_channel(MAX_WAITING);
    let control = JobControl::default();
    let job = Job {
        started: Instant::now(),
        events: EventSink::new(sender, control.clone()),
        control: control.clone(),
        context,
        sat: SolverFactory::built_in(),
    };
    let thread = std::thread::Builder::new()
        .name("nub-job".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || job.run(request))
        .expect("threads can be started");
    JobHandle { events, control, thread }
}

impl JobHandle {
    /// The events, in order. The channel is closed when the job ends.
    pub fn events(&self) -> &Receiver<JobEvent> {
        &self.events
    }

    /// A handle to stop, pause and observe the job from other threads.
    pub fn control(&self) -> JobControl {
        self.control.clone()
    }

    /// Finishes soon, with the best result so far.
    pub fn cancel(&self) {
        self.control.cancel();
    }

    /// Kills all running programs without a grace period. There may be no result.
    pub fn stop_now(&self) {
        self.control.stop_now();
    }

    /// Pauses the work at its next step.
    pub fn pause(&self) {
        self.control.pause();
    }

    /// Continues after a pause.
    pub fn resume(&self) {
        self.control.resume();
    }

    /// What the job is doing.
    pub fn state(&self) -> JobState {
        self.control.state()
    }

    /// Waits for the end. Events that were not received are dropped.
    pub fn join(self) -> JobEnd {
        for _ in &self.events {}
        let result = self.thread.join().unwrap_or_else(|_| Err(gave_up()));
        JobEnd { result, was_cancelled: self.control.is_cancelled() }
    }
}

fn gave_up() -> Failure {
    Failure::new(FailureKind::Internal, "nub stopped; files written so far are complete")
}

/// What a running job uses.
pub(crate) struct Job {
    pub(crate) started: Instant,
    pub(crate) context: JobContext,
    pub(crate) control: JobControl,
    pub(crate) events: EventSink,
    /// The SAT solver that was chosen.
    sat: SolverFactory,
}

impl Job {
    fn run(mut self, mut request: JobRequest) -> Result<JobResult, Failure> {
        if !self.context.is_here() {
            request.paths_mut(&mut |path| self.context.rebase(path));
        }
        let applied = self.context.settings.apply(&mut request).and_then(|()| {
            request.check_jobs()?;
            self.sat = sat_solver::factory(request.sat_solver())?;
            Ok(())
        });
        let result = applied.and_then(|()| self.begin_folder(&request)).and_then(|()| {
            // A panic ends the job, not the program that runs it.
            let result = catch_unwind(AssertUnwindSafe(|| crate::run::run(&self, &request)))
                .unwrap_or_else(|_| Err(gave_up()));
            // The result depends on wrong answers.
            self.check_sat_solver().and(result)
        });
        if let Err(failure) = &result {
            self.events.send(failure.to_event());
        }
        self.control.end();
        result
    }

    /// The limits of a SAT call: none, until it is cancelled.
    pub(crate) fn limits(&self, cancel: Cancel) -> SatLimits {
        SatLimits { cancel, solver: self.sat.clone(), ..SatLimits::none() }
    }

    /// Returns an error if the SAT solver was found to be wrong. Called before results are reported or
    /// written.
    pub(crate) fn check_sat_solver(&self) -> Result<(), Failure> {
        sat_solver::check(&self.sat)
    }

    fn asked<'job>(&'job self, request: &'job JobRequest) -> Asked<'job> {
        Asked { request, command_line: &self.context.command_line, working_folder: &self.context.folder }
    }

    fn begin_folder(&self, request: &JobRequest) -> Result<(), Failure> {
        if let Some(folder) = request.folder() {
            self.events.keep_in(EventLog::create(folder, &self.asked(request))?);
        }
        Ok(())
    }

    /// Keeps request and events in a folder that the job opened itself.
    pub(crate) fn record_in(&self, folder: &Path, request: JobRequest, earlier: Earlier) {
        self.events.keep_in(EventLog::start(folder, &self.asked(&request), earlier));
    }

    /// Ends the search when the total time limit of the job is reached.
    pub(crate) fn limit(&self, time: Option<Duration>) -> Option<Timer> {
        let left = time.map(|time| time.saturating_sub(self.started.elapsed()));
        Timer::within(left, self.control.search())
    }
}
