//! A request as the page's forms show it.
//!
//! The page names programs and files; a request of the command line has commands and paths. The form is read-only: options
//! without a field are in the command line, which is shown next to it.

use crate::request::{
    CoverJob, ExplainJob, FailingRunOptions, FuzzJob, JobRequest, PassingRunOptions, ReduceJob,
};
use crate::sanitize::sanitize;
use crate::vocabulary::Vocabulary;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// The content of a form.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JobForm {
    /// The file that the job is about, as the user wrote it; empty for a campaign.
    pub file: String,
    /// Fields by their names in the page, with `kind`.
    pub fields: Value,
    /// Programs that the form names, with their commands.
    pub programs: Vec<(String, String)>,
}

/// The form of a request. For kinds without a view, only the kind.
pub fn job_form(request: &JobRequest) -> JobForm {
    match request {
        JobRequest::Reduce(job) => reduce(job),
        JobRequest::Compare(job) => {
            let strategies: Vec<&str> = job.strategies.iter().map(|name| name.word()).collect();
            let form = reduce(&job.reduction);
            let program = form.fields["program"].clone();
            let fields =
                json!({ "kind": "compare", "file": form.file, "program": program, "strategies": strategies });
            JobForm { fields, ..form }
        }
        JobRequest::Cover(job) => cover(job),
        JobRequest::Explain(job) => explain(job),
        JobRequest::Fuzz(job) => fuzz(job),
        other => JobForm { fields: json!({ "kind": other.kind() }), ..JobForm::default() },
    }
}

/// Fields that differ from the defaults of the form.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn new(kind: &str) -> Fields {
        Fields::default().with("kind", kind)
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Fields {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn some<T: Into<Value>>(self, name: &str, value: Option<T>) -> Fields {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}

fn shown(path: &Path) -> String {
    sanitize(path.as_os_str().as_encoded_bytes())
}

fn reduce(job: &ReduceJob) -> JobForm {
    let (oracle, search) = (&job.oracle, &job.search);
    let words = job.command.iter().map(|word| sanitize(word.as_encoded_bytes()));
    let command = words.collect::<Vec<_>>().join(" ");
    let script = oracle.test.as_deref().map(shown);
    let program = script.unwrap_or_else(|| command.clone());
    let file = shown(&job.input);
    let fields = Fields::new("reduce")
        .with("file", file.as_str())
        .with("program", program.as_str())
        .with("strategy", search.strategies().into_iter().map(Vocabulary::word).collect::<Vec<_>>().join(","))
        .with("ignore_output", oracle.ignore_out && oracle.ignore_err)
        .with("hang", oracle.hang)
        .with("simplify", search.simplifies())
        .some("match_out", oracle.match_out.clone())
        .some("match_err", oracle.match_err.clone())
        .some("cross_check", oracle.cross_check.clone())
        .some("timeout", seconds(oracle.timeout))
        .some("memory", oracle.memory)
        .some("max_time", seconds(search.max_time))
        .some("max_runs", search.max_asks)
        .some("jobs", search.jobs)
        .some("seed", Some(search.seed).filter(|seed| *seed != 0));
    JobForm { file, fields: Value::Object(fields.0), programs: vec![(program, command)] }
}

fn cover(job: &CoverJob) -> JobForm {
    let function = &job.function;
    let file = shown(&function.input);
    let criterion = function.criterion.first().map(|criterion| criterion.word());
    let fields = Fields::new("cover")
        .with("file", file.as_str())
        .with("globals", function.globals)
        .with("mcdc", function.mcdc.word())
        .some("function", function.function.clone())
        .some("criterion", criterion)
        .some("unwind", function.unwind)
        .some("max_time", seconds(function.max_time))
        .some("max_tests", job.max_tests);
    JobForm { file, fields: Value::Object(fields.0), programs: Vec::new() }
}

fn explain(job: &ExplainJob) -> JobForm {
    let (failing, passing) = (&job.failing, &job.passing);
    let (usual_failing, usual_passing) = (FailingRunOptions::default(), PassingRunOptions::default());
    let file = shown(&job.input);
    let fields = Fields::new("explain")
        .with("file", file.as_str())
        .with("assume", passing.assume.clone())
        .with("trust", passing.trust.clone())
        .some("function", job.function.clone())
        .some("property", failing.property.clone())
        .some("unwind", Some(failing.unwind).filter(|unwind| *unwind != usual_failing.unwind))
        .some("closest", Some(passing.closest).filter(|closest| *closest != usual_passing.closest));
    JobForm { file, fields: Value::Object(fields.0), programs: Vec::new() }
}

fn fuzz(job: &FuzzJob) -> JobForm {
    // `NAME=COMMAND`, or a command alone.
    let named = |text: &String| match text.split_once('=') {
        Some((name, command)) => (name.to_owned(), command.to_owned()),
        None => (text.clone(), text.clone()),
    };
    let programs: Vec<(String, String)> = job.solvers.solvers.iter().map(named).collect();
    let names: Vec<&str> = programs.iter().map(|(name, _)| name.as_str()).collect();
    let specs: Vec<&str> = job.inputs.generate.iter().map(|given| given.spec.as_str()).collect();
    let fields = Fields::new("fuzz")
        .with("solvers", names)
        .with("generate", specs.join(" "))
        .with("timeout", job.solvers.timeout.as_secs_f64())
        .some("seed", Some(job.inputs.seed).filter(|seed| *seed != 0))
        .some("max_time", seconds(job.max_time))
        .some("max_inputs", job.max_inputs)
        .some("max_groups", job.max_groups);
    JobForm { file: String::new(), fields: Value::Object(fields.0), programs }
}
