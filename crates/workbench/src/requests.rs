//! Translates forms of the page into requests of `nub_jobs`: names become paths and commands, words become
//! choices.

use crate::answer::RequestRefusal;
use crate::command_line::Names;
use crate::forms::{CompareForm, CoverForm, ExplainForm, Form, FuzzForm, GenerateForm, ReduceForm};
use crate::launch::{Begin, CAMPAIGN, RUN, line_of, result_path};
use nub_jobs::{
    CompareJob, CoverJob, ExplainJob, FailingRunOptions, FailureOptions, FileFormat, FunctionOptions,
    FuzzJob, GenerateJob, GeneratedInputs, GraphOptions, InputOptions, JobRequest, PassingRunOptions,
    ReduceJob, ReduceOutput, ScriptOptions, SearchOptions, Simplification, SolverOptions, StrategyName,
    Vocabulary,
};
use nub_store::{RealFs, commit};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Existing tests of a function, in the folder of a job.
const TESTS: &str = "tests.json";
/// Time for the reduction of one finding.
const REDUCE_TIME: Duration = Duration::from_secs(120);

/// Makes requests for the job in a folder.
pub struct Maker<'shared> {
    /// Files and programs by name.
    pub names: &'shared dyn Names,
    /// The folder of the job.
    pub folder: &'shared Path,
    /// Whether the job is new or continues.
    pub begin: Begin,
}

/// `None` if the field was left empty.
fn given(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn seconds(number: Option<f64>) -> Result<Option<Duration>, RequestRefusal> {
    let made = number.map(Duration::try_from_secs_f64).transpose();
    made.map_err(|_| RequestRefusal::bad("a time is a number of seconds, 0 or more"))
}

/// The choice with a name; the default for an empty name.
fn choice<T: Vocabulary>(name: &str, default: T) -> Result<T, RequestRefusal> {
    if name.is_empty() {
        return Ok(default);
    }
    T::by_word(name)
        .ok_or_else(|| RequestRefusal::bad(format!("there is no `{name}`; choose one of {}", T::words())))
}

impl Maker<'_> {
    /// The request of a form.
    ///
    /// # Errors
    /// If it names something that does not exist.
    pub fn request(&self, form: &Form) -> Result<JobRequest, RequestRefusal> {
        Ok(match form {
            Form::Reduce(form) => JobRequest::Reduce(Box::new(self.reduce(form)?)),
            Form::Compare(form) => JobRequest::Compare(Box::new(self.compare(form)?)),
            Form::Cover(form) => JobRequest::Cover(Box::new(self.cover(form)?)),
            Form::Explain(form) => JobRequest::Explain(Box::new(self.explain(form)?)),
            Form::Fuzz(form) => JobRequest::Fuzz(Box::new(self.fuzz(form)?)),
            Form::Generate(form) => JobRequest::Generate(Box::new(self.generate(form)?)),
        })
    }

    fn path(&self, file: &str) -> Result<PathBuf, RequestRefusal> {
        self.names.path(file).map(PathBuf::from)
    }

    fn command(&self, program: &str) -> Result<Vec<std::ffi::OsString>, RequestRefusal> {
        Ok(self.names.program(program)?.into_iter().map(Into::into).collect())
    }

    fn reduce(&self, form: &ReduceForm) -> Result<ReduceJob, RequestRefusal> {
        let cross =
            if form.cross_check.is_empty() { None } else { Some(line_of(self.names, &form.cross_check)?) };
        Ok(ReduceJob {
            input: self.path(&form.file)?,
            command: self.command(&form.program)?,
            oracle: FailureOptions {
                match_out: given(&form.match_out),
                match_err: given(&form.match_err),
                ignore_out: form.ignore_output,
                ignore_err: form.ignore_output,
                cross_check: cross,
                timeout: seconds(form.timeout)?,
                memory: form.memory,
                hang: form.hang,
                ..FailureOptions::default()
            },
            search: SearchOptions {
                strategy: choice(&form.strategy, StrategyName::Auto)?,
                simplify: form.simplify.then_some(Simplification::On),
                jobs: form.jobs.map(|jobs| u16::try_from(jobs).unwrap_or(u16::MAX)),
                seed: form.seed.unwrap_or_default(),
                max_asks: form.max_runs,
                max_time: seconds(form.max_time)?,
                ..SearchOptions::default()
            },
            output: ReduceOutput {
                out: Some(result_path(self.folder, &form.file)),
                history: true,
                run_folder: Some(self.folder.join(RUN)),
                keep_run_folder: true,
                resume: self.begin == Begin::Resumed,
                ..ReduceOutput::default()
            },
            ..ReduceJob::default()
        })
    }

    fn compare(&self, form: &CompareForm) -> Result<CompareJob, RequestRefusal> {
        let strategies = form.strategies.iter().map(|name| choice(name, StrategyName::Auto));
        Ok(CompareJob {
            reduction: ReduceJob {
                input: self.path(&form.file)?,
                command: self.command(&form.program)?,
                search: SearchOptions {
                    max_asks: form.max_runs,
                    max_time: seconds(form.max_time)?,
                    ..SearchOptions::default()
                },
                ..ReduceJob::default()
            },
            more: Vec::new(),
            strategies: strategies.collect::<Result<_, _>>()?,
        })
    }

    fn cover(&self, form: &CoverForm) -> Result<CoverJob, RequestRefusal> {
        let defaults = FunctionOptions::default();
        let criterion = form.criterion.split(',').filter(|name| !name.is_empty());
        let criterion =
            criterion.map(|name| choice(name, defaults.criterion[0])).collect::<Result<Vec<_>, _>>()?;
        let tests = self.folder.join(TESTS);
        if let Some(given) = form.tests.as_ref().filter(|_| self.folder.is_dir()) {
            commit(&RealFs, &tests, given.to_string().as_bytes())?;
        }
        Ok(CoverJob {
            function: FunctionOptions {
                input: self.path(&form.file)?,
                function: given(&form.function),
                criterion: if criterion.is_empty() { defaults.criterion.clone() } else { criterion },
                mcdc: choice(&form.mcdc, defaults.mcdc)?,
                boundaries: form.boundaries,
                unwind: form.unwind,
                max_time: seconds(form.max_time)?,
                globals: form.globals,
                calls: form.calls.unwrap_or(defaults.calls),
                ..defaults
            },
            tests: form.tests.as_ref().map(|_| tests),
            max_tests: form.max_tests.map(|n_tests| n_tests as usize),
            mutants: form.mutants.then_some(nub_jobs::DEFAULT_MUTANTS),
            // Checking one test while the user types is not worth running a compiler.
            replay: if form.is_probe {
                nub_jobs::CompiledReplay::Never
            } else {
                nub_jobs::CompiledReplay::Possible
            },
            folder: Some(self.folder.to_owned()),
            ..CoverJob::default()
        })
    }

    fn explain(&self, form: &ExplainForm) -> Result<ExplainJob, RequestRefusal> {
        let (failing, passing) = (FailingRunOptions::default(), PassingRunOptions::default());
        Ok(ExplainJob {
            input: self.path(&form.file)?,
            function: given(&form.function),
            failing: FailingRunOptions {
                unwind: form.unwind.unwrap_or(failing.unwind),
                property: given(&form.property),
                ..failing
            },
            passing: PassingRunOptions {
                assume: form.assume.clone(),
                trust: form.trust.clone(),
                closest: form.closest.map_or(passing.closest, |n_runs| n_runs as usize),
                ..passing
            },
            folder: Some(self.folder.to_owned()),
            ..ExplainJob::default()
        })
    }

    fn fuzz(&self, form: &FuzzForm) -> Result<FuzzJob, RequestRefusal> {
        let solver = |name: &String| Ok(format!("{name}={}", line_of(self.names, name)?));
        if form.solvers.is_empty() {
            return Err(RequestRefusal::bad("choose at least one solver"));
        }
        Ok(FuzzJob {
            solvers: SolverOptions {
                solvers: form.solvers.iter().map(solver).collect::<Result<_, RequestRefusal>>()?,
                timeout: seconds(form.timeout)?.unwrap_or(SolverOptions::default().timeout),
                ..SolverOptions::default()
            },
            inputs: InputOptions {
                generate: generated(form)?.into_iter().collect(),
                seed: form.seed.unwrap_or(1),
                ..InputOptions::default()
            },
            max_time: seconds(form.max_time)?,
            max_inputs: form.max_inputs,
            max_groups: form.max_groups.map(|n_groups| n_groups as usize),
            reduce_time: Some(REDUCE_TIME),
            campaign: self.folder.join(CAMPAIGN),
            ..FuzzJob::default()
        })
    }

    fn generate(&self, form: &GenerateForm) -> Result<GenerateJob, RequestRefusal> {
        let defaults = GraphOptions::default();
        Ok(GenerateJob {
            seed: form.seed.unwrap_or_default(),
            to: choice(&form.to, FileFormat::Smt2)?,
            graph: GraphOptions {
                nodes: form.nodes.unwrap_or(defaults.nodes),
                depth: form.depth.unwrap_or(defaults.depth),
                vars: form.vars,
                arrays: form.arrays.unwrap_or(defaults.arrays),
                writes: form.writes.unwrap_or(defaults.writes),
                minwidth: form.minwidth.unwrap_or(defaults.minwidth),
                maxwidth: form.maxwidth,
                arrmaxwidth: form.arrmaxwidth.unwrap_or(defaults.arrmaxwidth),
                dag: form.dag.unwrap_or(defaults.dag),
                all: form.all,
                noarrays: form.noarrays,
                cnf: form.cnf,
                clauses: form.clauses.map_or(defaults.clauses.clone(), |ratio| ratio.to_string()),
                cnfonly: form.cnfonly,
                oldformat: form.oldformat,
                ..defaults
            },
            ..GenerateJob::default()
        })
    }
}

/// What a campaign generates: a format with options that change from seed to seed, or with fixed ones.
fn generated(form: &FuzzForm) -> Result<Option<GeneratedInputs>, RequestRefusal> {
    if form.generate.is_empty() {
        return Ok(None);
    }
    if form.nodes.is_none() && form.vars.is_none() && form.maxwidth.is_none() {
        return Ok(Some(GeneratedInputs { spec: form.generate.clone(), options: None }));
    }
    let (format, theories) = form.generate.split_once(':').unwrap_or((&form.generate, ""));
    let graph = GraphOptions::default();
    let options = GenerateJob {
        to: choice(format, FileFormat::Smt2)?,
        graph: GraphOptions {
            nodes: form.nodes.unwrap_or(graph.nodes),
            vars: form.vars,
            maxwidth: form.maxwidth,
            ..graph
        },
        script: given(theories).map(|theories| ScriptOptions { theories, ..script_defaults() }),
        ..GenerateJob::default()
    };
    Ok(Some(GeneratedInputs {
        spec: crate::command_line::generate_spec(form),
        options: Some(Box::new(options)),
    }))
}

/// Defaults of `nub generate --theories`.
fn script_defaults() -> ScriptOptions {
    ScriptOptions {
        assertions: 6,
        dialect: nub_generate::ScriptDialect::default().to_string(),
        arithmetic: nub_generate::Arithmetic::default().to_string(),
        ..ScriptOptions::default()
    }
}
