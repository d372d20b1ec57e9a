//! Explanations: why an assertion fails, by the closest run that passes.

mod native;
mod options;
mod rank;
mod score;
mod shared_objects;
pub mod values;
mod write;

use crate::c_program::LoadedProgram;
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::{ExplainJob, ProgramOptions};
use crate::result::{ExplainResult, JobResult};
use crate::sanitize::sanitize;
use crate::similar_names::did_you_mean;
use nub_c_ir::FunctionId;
use nub_explain::output::{self, ExplainReport};
use nub_explain::{ExplainOptions, ExplainRefusal, cause, properties, unwritten_as_inputs, with_errors};
use nub_report::explain::{cause_json, properties_json};
use nub_report::{Document, JobEvent};
use nub_sat::Bounds;
use std::sync::Arc;
use std::time::Instant;

/// A program, its entry function, and the deadline of its explanation.
#[derive(Clone, Copy)]
pub(crate) struct FailureCase<'a> {
    request: &'a ExplainJob,
    loaded: &'a Arc<LoadedProgram>,
    function: FunctionId,
    deadline: Option<Instant>,
}

impl FailureCase<'_> {
    /// Whether the total time limit is reached.
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }
}

/// Explains a failure. Nothing is reported or written before both runs were replayed. If the job is told to stop, the search ends with
/// what is known.
pub(crate) fn explain(job: &Job, request: &ExplainJob) -> Result<JobResult, Failure> {
    let _timer = job.limit(request.max_time);
    let (loaded, options) = job.control.while_reading(|| load(job, request))?;
    let function = function(&loaded, request)?;
    if let Some(answer) = question(request, &loaded, function, &options)
        .map_err(|refusal| failure(request, &loaded, refusal))?
    {
        return Ok(JobResult::Explain(Box::new(answer)));
    }
    let deadline = request.max_time.map(|time| job.started + time);
    tell(job, &FailureCase { request, loaded: &loaded, function, deadline }, &options)
}

/// The program, with the requested conditions inserted into its text.
fn load(job: &Job, request: &ExplainJob) -> Result<(Arc<LoadedProgram>, ExplainOptions), Failure> {
    let file = file_name(request);
    let program = ProgramOptions { checks: request.failing.kinds.clone(), ..request.program.clone() };
    let mut loaded = LoadedProgram::read(job, &request.input, &program)?;
    let marked = with_errors(loaded.source(&file), &request.failing.error_labels);
    if let Some((text, program)) = marked.map_err(|refusal| failure(request, &loaded, refusal))? {
        loaded.replace(text, program);
    }
    let start = function(&loaded, request)?;
    loaded.program.give_room(start);
    let options = options::options(job, request, &loaded, start)?;
    if request.failing.uninitialised_inputs {
        let opened = unwritten_as_inputs(loaded.source(&file), start, &options);
        if let Some((text, program)) = opened.map_err(|refusal| failure(request, &loaded, refusal))? {
            loaded.replace(text, program);
        }
    }
    let start = function(&loaded, request)?;
    loaded.program.give_room(start);
    Ok((Arc::new(loaded), options))
}

fn tell(job: &Job, case: &FailureCase, options: &ExplainOptions) -> Result<JobResult, Failure> {
    let FailureCase { request, loaded, function, .. } = *case;
    let file = file_name(request);
    let source = loaded.source(&file);
    let bounds = Arc::clone(&options.bounds);
    let telling = job.searching_with(move || doing(&bounds), "Ctrl-C shows the best so far");
    let (found, options) = shared_objects::explanation(case, &file, options)
        .map_err(|refusal| failure(request, loaded, refusal))?;
    drop(telling);
    let mut suite = native::suite(loaded, function, &found);
    let compiled = native::replay(job, case, &found, &mut suite)?;
    let (ranking, no_ranking) = match rank::ranking(job, case, &found, &options) {
        Ok(ranking) => (ranking, None),
        Err(reason) => (None, Some(reason.to_string())),
    };
    job.check_sat_solver()?;
    let reference = score::reference(request, source, function, &found, ranking.as_ref())?;
    let report = ExplainReport { ranking, no_ranking, reference, ..ExplainReport::new(found, compiled) };
    if let Ok(content) = serde_json::to_value(&report) {
        job.events.send(JobEvent::Document(Document { of: "explain".to_owned(), content }));
    }
    // The result is reported even if a file cannot be written.
    let unwritten = write::write_all(request, &report, &suite, job).err();
    Ok(JobResult::Explain(Box::new(ExplainResult::Report { report: Box::new(report), unwritten })))
}

/// What is known about the closest run during the search.
fn doing(bounds: &Bounds) -> String {
    match bounds.get() {
        (lower, Some(upper)) if lower < upper => {
            format!("closest run so far: distance {upper}, at least {lower}")
        }
        (_, Some(upper)) => format!("closest run: distance {upper}"),
        (_, None) => "searching for a failing run".to_owned(),
    }
}

/// Answers only which properties there are, or whether the failure has a certain cause, if that was
/// requested.
fn question(
    request: &ExplainJob,
    loaded: &LoadedProgram,
    function: FunctionId,
    options: &ExplainOptions,
) -> Result<Option<ExplainResult>, ExplainRefusal> {
    let file = file_name(request);
    let source = loaded.source(&file);
    if request.failing.list {
        let list = properties(source, function, options)?;
        let (text, json) = (output::properties(&list), properties_json(&list));
        return Ok(Some(ExplainResult::Answer { text, json }));
    }
    let Some(predicate) = &request.failing.cause else { return Ok(None) };
    let read = values::predicate(predicate).map_err(|error| ExplainRefusal::Predicate {
        message: format!("--cause {predicate}: {error}"),
        hint: None,
    })?;
    let predicate = options::placed(request, loaded, &read);
    let found = cause(source, function, &predicate, options)?;
    let (text, json) = (output::cause_text(&found), cause_json(&found));
    Ok(Some(ExplainResult::Answer { text, json }))
}

fn function(loaded: &LoadedProgram, request: &ExplainJob) -> Result<FunctionId, Failure> {
    let main = loaded.program.function_by_name("main").filter(|_| request.function.is_none());
    main.map_or_else(|| loaded.function(request.function.as_deref()), Ok)
}

fn failure(request: &ExplainJob, loaded: &LoadedProgram, refusal: ExplainRefusal) -> Failure {
    let usage = || Failure::usage(refusal.to_string());
    match &refusal {
        ExplainRefusal::Unsupported(found) => loaded.failure(found),
        ExplainRefusal::TooLarge(_) => usage().with_hint("a smaller --unwind may help"),
        ExplainRefusal::Internal(message) => Failure::new(FailureKind::Internal, message.clone()),
        ExplainRefusal::UnknownProperty(_) => usage().with_hint("--list names them"),
        ExplainRefusal::UnknownInput { name, known } if known.is_empty() => usage()
            .with_hint(format!("there are none: `{name}` is neither a parameter nor read from outside")),
        ExplainRefusal::UnknownInput { name, known } => {
            usage().with_hint(did_you_mean(known.iter().map(String::as_str), name))
        }
        ExplainRefusal::Predicate { hint: Some(hint), .. } => usage().with_hint(hint.clone()),
        ExplainRefusal::InputsTooLong { unwind } => {
            usage().with_hint(format!("--unwind {} follows it further", unwind.saturating_mul(2).max(1)))
        }
        ExplainRefusal::InputsPass => {
            usage().with_hint("give fewer --input values; the rest are searched for")
        }
        ExplainRefusal::Stopped(_) if request.max_time.is_some() => {
            usage().with_hint("--max-time N gives it more seconds")
        }
        _ => usage(),
    }
}

/// The name of the file, for messages.
fn file_name(request: &ExplainJob) -> String {
    sanitize(request.input.as_os_str().as_encoded_bytes())
}
