//! Works for other machines.

use super::failure;
use super::login::needed_address;
use crate::failure::Failure;
use crate::fuzz::elsewhere::{FuzzTasks, OWN, TASK as FUZZ};
use crate::handle::Job;
use crate::project::{COVER_TASK as COVER, CoverTasks};
use crate::request::WorkerJob;
use crate::result::JobResult;
use crate::words;
use nub_fleet::{FleetProgram, MachineLimits, TaskError, TaskHandler, WorkerNews, WorkerOptions};
use nub_process::Cancel;
use nub_report::counted;
use nub_store::TempRoot;
use std::path::Path;
use std::sync::Arc;

/// Takes leases until told to stop.
pub(crate) fn worker(job: &Job, request: &WorkerJob) -> Result<JobResult, Failure> {
    let temp = TempRoot::open(&job.context.temp)?;
    let settings = &job.context.settings;
    let (programs, runner) = (programs(job)?, job.context.runner()?);
    let options = WorkerOptions {
        address: needed_address(&request.fleet, &job.context)?,
        slots: request.jobs.unwrap_or_else(crate::all_cores),
        programs: programs.clone(),
        folder: job.context.folder.clone(),
        search_path: job.context.search_path.clone(),
        temp: temp.path().to_owned(),
        limits: MachineLimits {
            wall: settings.time("limits.timeout"),
            memory: settings
                .number::<u64>("limits.memory")
                .map(|megabytes| megabytes.saturating_mul(1 << 20)),
        },
        tasks: Arc::new(AllTasks {
            fuzz: FuzzTasks::new(job.context.clone(), programs, runner.clone(), temp.path().join("fuzz")),
            cover: CoverTasks::new(job.context.clone(), runner.clone(), temp.path().to_owned()),
        }),
        runner,
    };
    let timer = job.limit(request.max_time);
    nub_fleet::work(options, job.control.search(), &mut |news| tell(job, &news)).map_err(failure)?;
    drop(timer);
    Ok(JobResult::Told)
}

/// What a worker does besides running registered programs.
struct AllTasks {
    fuzz: FuzzTasks,
    cover: CoverTasks,
}

impl TaskHandler for AllTasks {
    fn kinds(&self) -> Vec<String> {
        [FUZZ, COVER].map(str::to_owned).to_vec()
    }

    fn run(&self, kind: &str, body: &[u8], file: &[u8], cancel: &Cancel) -> Result<Vec<u8>, TaskError> {
        match kind {
            FUZZ => self.fuzz.run(body, cancel),
            COVER => self.cover.run(body, file, cancel),
            _ => Err(TaskError::UnknownKind(kind.to_owned())),
        }
    }
}

/// The programs of `nub.toml`. A path is relative to the folder of that file.
fn programs(job: &Job) -> Result<Vec<FleetProgram>, Failure> {
    let mut programs = Vec::new();
    for (key, setting) in job.context.settings.iter() {
        let Some(name) = key.strip_prefix("programs.") else { continue };
        let mut words = words::split(&setting.value)
            .map_err(|error| Failure::usage(format!("{key} in {}: {error}", setting.file.display())))?;
        let home = setting.file.parent().unwrap_or(Path::new("."));
        if let Some(first) = words.first_mut().filter(|word| word.to_string_lossy().contains('/')) {
            *first = home.join(&*first).into_os_string();
        }
        programs.push(FleetProgram { name: name.to_owned(), words });
    }
    if programs.is_empty() {
        job.events
            .warn("nub.toml registers no program: this worker can cover functions, and run nothing else");
    }
    // nub itself, for campaigns, which use its generator and built-in solver, and for coverage.
    if programs.iter().all(|program| program.name != OWN) {
        let words = vec![job.context.program.clone().into_os_string(), "solve".into()];
        programs.push(FleetProgram { name: OWN.to_owned(), words });
    }
    Ok(programs)
}

fn tell(job: &Job, news: &WorkerNews) {
    match news {
        WorkerNews::Joined(hello) => {
            let offered: Vec<String> = hello.programs.iter().map(super::offered).collect();
            job.events.note(format!(
                "joined as {} with {}: {}",
                hello.worker.0,
                counted(hello.slots, "slot"),
                offered.join("; ")
            ));
        }
        WorkerNews::Helps(host) => job.events.note(format!("working on a run of {host}")),
        WorkerNews::Done(host) => job.events.note(format!("the run of {host} is over")),
        WorkerNews::OtherBuild(program) => {
            job.events.note(format!("a run needs a build of `{program}` that this worker does not have"));
        }
        WorkerNews::Quarantined(host) => job
            .events
            .warn(format!("two other workers contradicted this worker: the run of {host} no longer uses it")),
        WorkerNews::Back => job.events.note("connected again"),
    }
}
