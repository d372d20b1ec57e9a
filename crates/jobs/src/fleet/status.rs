//! Shows the workers and runs, and their events.

use super::login::needed_address;
use super::{failure, offered};
use crate::failure::Failure;
use crate::handle::Job;
use crate::request::FleetStatusJob;
use crate::result::JobResult;
use crate::sanitize::sanitize;
use nub_fleet::{Build, FleetStatus, Hello, RunStatus};
use nub_report::{FleetReport, FleetRun, FleetWorker, WorkerProgram, counted};

/// Reports the status once, or events until told to stop.
pub(crate) fn status(job: &Job, request: &FleetStatusJob) -> Result<JobResult, Failure> {
    let address = needed_address(&request.fleet, &job.context)?;
    let status = nub_fleet::look(&address).map_err(failure)?;
    if request.json {
        job.events.output(format!("{}\n", report(status).to_line()).as_bytes());
    } else {
        job.events.output(text(&status).as_bytes())
    }
    if request.follow {
        let mut tell = |line: &[u8]| job.events.output(format!("{}\n", sanitize(line)).as_bytes());
        nub_fleet::follow_events(&address, job.control.search(), &mut tell).map_err(failure)?;
    }
    Ok(JobResult::Told)
}

fn report(status: FleetStatus) -> FleetReport {
    let program = |build: Build| WorkerProgram {
        name: build.name,
        id: build.id.0,
        version: build.version,
        command: build.command,
    };
    let worker = |hello: Hello| FleetWorker {
        name: hello.worker.0,
        host: hello.host,
        nub: hello.nub,
        slots: hello.slots,
        programs: hello.programs.into_iter().map(program).collect(),
    };
    let run = |run: RunStatus| FleetRun {
        name: run.run,
        host: run.host,
        about: run.about,
        asked: run.asked,
        answered: run.answered,
        dropped: run.dropped,
        leases: run.leases,
        leases_again: run.again,
        repeated: run.doubled,
        spot_checks: run.checks,
        quarantined: run.quarantined,
        by_worker: run.by_worker,
    };
    let workers = status.workers.into_iter().map(worker).collect();
    FleetReport::new(workers, status.runs.into_iter().map(run).collect(), status.leases)
}

fn text(status: &FleetStatus) -> String {
    let n_slots: usize = status.workers.iter().map(|hello| hello.slots).sum();
    let mut text = format!(
        "{}, {}; {} waiting or with workers\n",
        counted(status.workers.len(), "worker"),
        counted(n_slots, "slot"),
        counted(status.leases, "lease"),
    );
    status.workers.iter().for_each(|hello| text.push_str(&worker_line(hello)));
    status.runs.iter().for_each(|run| text.push_str(&run_lines(run)));
    text
}

fn worker_line(hello: &Hello) -> String {
    let programs: Vec<String> = hello.programs.iter().map(offered).collect();
    let line = format!(
        "worker {} on {}: {}, nub {}; {}",
        hello.worker.0,
        hello.host,
        counted(hello.slots, "slot"),
        hello.nub,
        programs.join("; ")
    );
    sanitize(line.as_bytes()) + "\n"
}

fn run_lines(run: &RunStatus) -> String {
    let mut line = format!(
        "run {} of {}: {}; {} asked, {} answered, {} dropped; {}, {} sent again; {} spot checks",
        run.run,
        run.host,
        run.about,
        run.asked,
        run.answered,
        run.dropped,
        counted(run.leases, "lease"),
        run.again,
        run.checks
    );
    for worker in &run.quarantined {
        line.push_str(&format!("; quarantined: {worker}"));
    }
    sanitize(line.as_bytes()) + "\n"
}
