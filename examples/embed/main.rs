//! A program that runs a reduction and a coverage through `nub-jobs` and prints what happens.
//!
//! `cargo run -p nub-jobs --example embed -- FOLDER` writes its two inputs into FOLDER and works there. A page, an editor or a worker
//! on another machine does the same with other requests and another way to show events.

use nub_jobs::{
    CompiledReplay, CoverJob, Failure, FunctionOptions, JobContext, JobEvent, JobRequest, JobResult, Phase,
    ReduceJob, SearchOptions, start,
};
use std::path::Path;

/// A line too many makes `grep` fail: which ones?
const LIST: &str = "first\nsecond\nneedle\nthird\nfourth\n";
const PROGRAM: &str = "int clamp(int x, int most) { if (x < 0 || x > most) return most; return x; }\n";

/// Runs both jobs in a folder. `show` gets one line per event.
pub fn embed(folder: &Path, show: &mut dyn FnMut(String)) -> Result<(), Failure> {
    let context = JobContext::in_folder(folder.to_owned())?;
    let reduction = ReduceJob {
        input: "list.txt".into(),
        command: vec!["grep".into(), "needle".into()],
        search: SearchOptions { jobs: Some(1), ..SearchOptions::default() },
        ..ReduceJob::default()
    };
    if let JobResult::Reduce(result) = run(JobRequest::Reduce(Box::new(reduction)), &context, show)? {
        show(format!("the smallest file is {}; see it with: {}", result.output, result.reproduce));
    }
    let coverage = CoverJob {
        function: FunctionOptions { input: "clamp.c".into(), ..FunctionOptions::default() },
        replay: CompiledReplay::Never,
        folder: Some("clamp.job".into()),
        ..CoverJob::default()
    };
    if let JobResult::Cover(reports) = run(JobRequest::Cover(Box::new(coverage)), &context, show)? {
        for report in &reports {
            show(format!("{} tests cover {}", report.tests.len(), report.function));
        }
    }
    Ok(())
}

/// Starts a job, shows its events, and waits for its result. Any thread could stop or pause it by `handle.control()`.
fn run(
    request: JobRequest,
    context: &JobContext,
    show: &mut dyn FnMut(String),
) -> Result<JobResult, Failure> {
    show(format!("{} starts", request.kind()));
    let handle = start(request, context.clone());
    let control = handle.control();
    for event in handle.events() {
        match event {
            JobEvent::Progress(_) => {}
            JobEvent::Accepted(step) => show(format!("{} bytes left after {}", step.bytes, step.pass)),
            event => show(event.to_line()),
        }
    }
    let end = handle.join();
    show(format!("exit code {}", end.exit_code()));
    assert_eq!(control.state().phase, Phase::Ended);
    end.result
}

/// Writes the inputs.
#[allow(clippy::disallowed_methods)] // An example may write its own files.
pub fn prepare(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("list.txt"), LIST)?;
    std::fs::write(folder.join("clamp.c"), PROGRAM)
}

#[allow(clippy::print_stdout, clippy::disallowed_methods, dead_code)] // This is a program; the test calls `embed`.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "nub-embed".into());
    prepare(Path::new(&folder))?;
    embed(&std::path::absolute(folder)?, &mut |line| println!("{line}"))
        .map_err(|failure| failure.message)?;
    Ok(())
}
