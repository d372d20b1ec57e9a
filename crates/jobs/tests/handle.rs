//! Requests as data, and jobs that are stopped, paused and opened again.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests write files and may panic

use nub_jobs::{
    CampaignAction, CampaignJob, CompareJob, ConvertJob, DecodeJob, FailureKind, FuzzJob, JobContext,
    JobEvent, JobFolder, JobRequest, JobResult, Phase, ProjectJob, ReduceJob, RulesJob, SearchOptions,
    SolveJob, UnitJob, start,
};
use nub_report::StopReason;
use std::path::Path;
use std::time::Duration;

fn all_requests() -> Vec<JobRequest> {
    let campaign =
        CampaignJob { campaign: "c".into(), action: CampaignAction::Replay { unit: 3, out: None } };
    vec![
        JobRequest::Reduce(Box::default()),
        JobRequest::Compare(Box::default()),
        JobRequest::Cover(Box::default()),
        JobRequest::Project(Box::default()),
        JobRequest::Unit(UnitJob::default()),
        JobRequest::Encode(Box::default()),
        JobRequest::Decode(DecodeJob::default()),
        JobRequest::Explain(Box::default()),
        JobRequest::Fuzz(Box::default()),
        JobRequest::Campaign(campaign),
        JobRequest::Solve(SolveJob::default()),
        JobRequest::Generate(Box::default()),
        JobRequest::Convert(ConvertJob::default()),
        JobRequest::Doctor(Box::default()),
        JobRequest::Rules(RulesJob::default()),
    ]
}

#[test]
fn requests_are_written_and_read_back() {
    for request in all_requests() {
        let json = serde_json::to_value(&request).unwrap();
        assert_eq!(json["kind"], request.kind());
        assert_eq!(serde_json::from_value::<JobRequest>(json).unwrap(), request);
    }
}

#[test]
fn what_a_request_leaves_out_is_the_default() {
    let short = r#"{"kind": "reduce", "input": "bug.smt2", "command": ["z3"], "search": {"max_time": 1.5}}"#;
    let JobRequest::Reduce(job) = serde_json::from_str(short).unwrap() else { panic!("a reduction") };
    let search = SearchOptions { max_time: Some(Duration::from_millis(1500)), ..SearchOptions::default() };
    assert_eq!(
        *job,
        ReduceJob { input: "bug.smt2".into(), command: vec!["z3".into()], search, ..ReduceJob::default() }
    );
}

/// A list in which `grep` finds one line.
fn reduction(folder: &Path, n_lines: usize) -> JobRequest {
    let mut text: String = (0..n_lines).map(|line| format!("line {line}\n")).collect();
    text.push_str("needle\n");
    std::fs::write(folder.join("list"), text).unwrap();
    let search = SearchOptions { jobs: Some(1), ..SearchOptions::default() };
    let command = vec!["grep".into(), "needle".into()];
    JobRequest::Reduce(Box::new(ReduceJob { input: "list".into(), command, search, ..ReduceJob::default() }))
}

fn context(folder: &Path) -> JobContext {
    JobContext::in_folder(folder.to_owned()).unwrap()
}

#[test]
fn a_paused_job_waits() {
    let folder = tempfile::tempdir().unwrap();
    let handle = start(reduction(folder.path(), 200), context(folder.path()));
    handle.pause();
    // It takes dozens of runs, so it cannot have ended before, and it does not end while paused.
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(handle.state().phase, Phase::Paused);
    handle.resume();
    let end = handle.join();
    assert!(matches!(&end.result, Ok(JobResult::Reduce(result)) if result.is_reduced), "{end:?}");
    assert_eq!(std::fs::read(folder.path().join("list.reduced")).unwrap(), b"needle\n");
    assert!(!folder.path().join("list.reduced.nub").exists(), "the run folder is removed after a clean end");
}

#[test]
fn a_cancelled_job_has_the_best_so_far_and_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let handle = start(reduction(folder.path(), 5_000), context(folder.path()));
    for event in handle.events() {
        if matches!(event, JobEvent::Accepted(_)) {
            handle.cancel();
            break;
        }
    }
    let end = handle.join();
    assert!(end.was_cancelled);
    let Ok(JobResult::Reduce(result)) = end.result else { panic!("{end:?}") };
    assert_eq!(result.end.unwrap().reason, StopReason::Interrupted);
    let opened = JobFolder::open(&folder.path().join("list.reduced.nub")).unwrap();
    assert_eq!(opened.request.kind(), "reduce");
    let is_start = |event: &JobEvent| matches!(event, JobEvent::Start(_));
    assert!(opened.events.iter().any(is_start), "{:?}", opened.events.first());
    assert!(matches!(opened.events.last(), Some(JobEvent::End(_))), "{:?}", opened.events.last());
}

#[test]
fn a_failure_has_a_kind_and_is_the_last_event() {
    let folder = tempfile::tempdir().unwrap();
    let handle = start(
        JobRequest::Solve(SolveJob { input: "none".into(), ..SolveJob::default() }),
        context(folder.path()),
    );
    let events: Vec<JobEvent> = handle.events().iter().collect();
    let end = handle.join();
    assert_eq!(end.result.unwrap_err().kind, FailureKind::Usage);
    assert!(matches!(events.last(), Some(JobEvent::Error(fault)) if fault.exit == 2), "{events:?}");
}

/// Each run has a thread, and tens of thousands of threads exhausted the system and ended the program.
#[test]
fn runs_at_once_have_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    for jobs in [0, u16::MAX] {
        let search = SearchOptions { jobs: Some(jobs), ..SearchOptions::default() };
        let reduction = ReduceJob { input: "list".into(), search, ..ReduceJob::default() };
        let jobs = Some(usize::from(jobs));
        for request in [
            JobRequest::Reduce(Box::new(reduction.clone())),
            JobRequest::Compare(Box::new(CompareJob { reduction, ..CompareJob::default() })),
            JobRequest::Fuzz(Box::new(FuzzJob { jobs, ..FuzzJob::default() })),
            JobRequest::Project(Box::new(ProjectJob { jobs, ..ProjectJob::default() })),
        ] {
            let kind = request.kind();
            let failure = start(request, context(folder.path())).join().result.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Usage, "{kind}");
            assert!(failure.message.contains("from 1 to 1024"), "{kind}: {failure:?}");
        }
    }
}
