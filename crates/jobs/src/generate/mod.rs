//! Well-sorted formulas from a seed, in four formats, and SMT-LIB scripts over all theories.

mod config;
mod solver;
mod source;

use crate::events::EventSink;
use crate::failure::{Failure, FailureKind};
use crate::format::FileFormat;
use crate::handle::Job;
use crate::request::GenerateJob;
use crate::result::JobResult;
use crate::unsynced::Unsynced;
use nub_generate::{
    ConfigError, ExpectedStatus, Files, FormulaStats, GenerateConfig, Mistake, Ratio, bisect, from_table,
};
use nub_process::Cancel;
use nub_store::{commit, create_folder};
use solver::{AskedSolver, SolverAnswer};
use source::FormulaSource;
use std::path::Path;

/// Number of files per step of a bisection. The share is then accurate to about six percentage points.
const N_PROBES: u64 = 60;

/// Generates files.
pub(crate) fn generate(job: &Job, request: &GenerateJob) -> Result<JobResult, Failure> {
    let cancel = job.control.child();
    let (format, mut config) = (request.format()?, request.config()?);
    let script = request.script_config()?;
    check_script_options(request)?;
    if script.is_none() {
        format.check(&config).map_err(bad_option)?;
    }
    last_seed(request)?;
    let solver = solver(job, request, &cancel)?;
    if let Some(wanted) = request.unsat_share {
        config.clauses = ratio_for_share(request, &config, wanted, solver.as_ref(), &job.events)?;
    }
    let files = FormulaSource::new(script, config, format).map_err(bad_option)?;
    let mut session = Session {
        request,
        events: &job.events,
        files,
        stats: FormulaStats::default(),
        answers: Vec::new(),
        wrong: Vec::new(),
    };
    session.write_all(solver.as_ref(), &cancel)?;
    Ok(JobResult::Generated { stats: session.stats() })
}

fn bad_option(error: ConfigError) -> Failure {
    Failure::usage(error.to_string()).with_hint("`nub generate --help` lists the options with their defaults")
}

/// `--theories` generates SMT-LIB and does not support options of graphs and clauses.
fn check_script_options(request: &GenerateJob) -> Result<(), Failure> {
    if request.script.is_none() {
        return Ok(());
    }
    if request.to != FileFormat::Smt2 {
        return Err(Failure::usage("--theories: only SMT-LIB has theories").with_hint("add --to smt2"));
    }
    if request.unsat_share.is_some() {
        return Err(Failure::usage("--unsat-share: a script has no clauses to count")
            .with_hint("--status unsat makes scripts that are unsatisfiable by construction"));
    }
    Ok(())
}

/// The last seed; it must not overflow.
fn last_seed(request: &GenerateJob) -> Result<u64, Failure> {
    request.seed.checked_add(request.count - 1).ok_or_else(|| {
        Failure::usage(format!("--count: there are fewer seeds than that from {} on", request.seed))
    })
}

fn solver(job: &Job, request: &GenerateJob, cancel: &Cancel) -> Result<Option<AskedSolver>, Failure> {
    if request.command.is_empty() {
        return Ok(None);
    }
    if !request.stats && request.unsat_share.is_none() {
        return Err(Failure::usage("a solver is used only with --stats or --unsat-share")
            .with_hint("--stats counts its answers, --unsat-share chooses --clauses with it"));
    }
    AskedSolver::new(job, request, cancel.clone()).map(Some)
}

/// The ratio of clauses per variable for a wanted share of unsatisfiable files.
fn ratio_for_share(
    request: &GenerateJob,
    config: &GenerateConfig,
    wanted: u32,
    solver: Option<&AskedSolver>,
    events: &EventSink,
) -> Result<Ratio, Failure> {
    let Some(solver) = solver else { return ratio_from_table(request, config, wanted, events) };
    let mut failure = None;
    let found = bisect(wanted, |ratio| match unsat_share(request, config, ratio, solver) {
        Ok(share) => Some(share),
        Err(error) => {
            failure = Some(error);
            None
        }
    });
    match (found, failure) {
        (Some(ratio), _) => {
            events.note(format!("clauses per variable: {ratio} (by bisection, {N_PROBES} files per step)"));
            Ok(ratio)
        }
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Failure::usage("--unsat-share: no ratio gives this share")),
    }
}

fn ratio_from_table(
    request: &GenerateJob,
    config: &GenerateConfig,
    wanted: u32,
    events: &EventSink,
) -> Result<Ratio, Failure> {
    let standard = GenerateConfig {
        nodes: config.nodes,
        cnf: true,
        oldformat: config.oldformat,
        ..GenerateConfig::default()
    };
    let is_standard = request.to != FileFormat::Dimacs && *config == standard;
    let found = from_table(config.nodes, wanted).filter(|_| is_standard);
    let ratio = found.ok_or_else(|| {
        Failure::usage("--unsat-share: nothing was measured for this share with these options").with_hint(
            "give a solver to find the ratio with: `nub generate --unsat-share 50 ... -- boolector`",
        )
    })?;
    events.note(format!("clauses per variable: {ratio} (from a table of measurements)"));
    Ok(ratio)
}

/// The share of unsatisfiable files at a ratio, in percent of those that the solver answers.
fn unsat_share(
    request: &GenerateJob,
    config: &GenerateConfig,
    ratio: Ratio,
    solver: &AskedSolver,
) -> Result<u32, Failure> {
    let config = GenerateConfig { clauses: ratio, ..config.clone() };
    let mut files = Files::new(config, request.format()?).map_err(bad_option)?;
    let (mut n_unsat, mut n_answers) = (0u32, 0u32);
    for idx in 0..N_PROBES {
        let text = file(&mut files, request.seed.wrapping_add(idx))?;
        match solver.ask(&text)? {
            SolverAnswer::Other => continue,
            SolverAnswer::Unsat => n_unsat += 1,
            SolverAnswer::Sat => {}
        }
        n_answers += 1;
    }
    (100 * n_unsat).checked_div(n_answers).ok_or_else(|| {
        Failure::new(
            FailureKind::Refused,
            format!("the solver gives no answer at {ratio} clauses per variable"),
        )
        .with_hint("a smaller -n, or a longer --timeout; try the solver on one file first")
    })
}

fn file(files: &mut Files, seed: u64) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    files.write(seed, &mut text).map_err(mistake(seed))?;
    Ok(text)
}

fn script_or_file(source: &mut FormulaSource, seed: u64) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    source.write(seed, &mut text).map_err(mistake(seed))?;
    Ok(text)
}

fn mistake(seed: u64) -> impl FnOnce(Mistake) -> Failure {
    move |mistake| {
        Failure::new(
            FailureKind::Internal,
            format!("seed {seed}: what was generated is not well sorted: {mistake}"),
        )
        .with_hint("this is a bug in nub; options and seed reproduce it")
    }
}

/// One run: the files and their statistics.
struct Session<'a> {
    request: &'a GenerateJob,
    events: &'a EventSink,
    files: FormulaSource,
    stats: FormulaStats,
    answers: Vec<SolverAnswer>,
    /// Seeds with wrong answers of the solver, if the right answer is known.
    wrong: Vec<(u64, SolverAnswer)>,
}

impl Session<'_> {
    fn write_all(&mut self, solver: Option<&AskedSolver>, cancel: &Cancel) -> Result<(), Failure> {
        let output = self.request;
        if let Some(folder) = &output.out {
            create_folder(&Unsynced, folder)?;
        }
        for seed in output.seed..=last_seed(self.request)? {
            if cancel.is_cancelled() {
                break;
            }
            let text = script_or_file(&mut self.files, seed)?;
            // Before anything is written, so that a solver that cannot be run is noticed.
            if output.stats {
                self.count(seed, &text, solver)?;
            }
            match &output.out {
                Some(folder) => self.write_file(folder, seed, &text)?,
                None => self.write_stream(seed, &text),
            }
        }
        Ok(())
    }

    fn write_file(&self, folder: &Path, seed: u64, text: &[u8]) -> Result<(), Failure> {
        let path = folder.join(format!("{seed}.{}", self.request.to.extension()));
        Ok(commit(&Unsynced, &path, text)?)
    }

    fn write_stream(&self, seed: u64, text: &[u8]) {
        if self.request.to == FileFormat::Smt2 && seed != self.request.seed {
            self.events.output(b"(reset)\n");
        }
        self.events.output(text);
    }

    fn count(&mut self, seed: u64, text: &[u8], solver: Option<&AskedSolver>) -> Result<(), Failure> {
        if let Some(dag) = self.files.formula(seed).map_err(mistake(seed))? {
            self.stats.add(dag);
        }
        let Some(solver) = solver else { return Ok(()) };
        let answer = solver.ask(text)?;
        self.answers.push(answer);
        let expected = self.files.status().map(|status| match status {
            ExpectedStatus::Sat => SolverAnswer::Sat,
            ExpectedStatus::Unsat => SolverAnswer::Unsat,
        });
        if answer != SolverAnswer::Other && expected.is_some_and(|expected| expected != answer) {
            self.wrong.push((seed, answer));
        }
        Ok(())
    }

    /// Statistics of the files, if requested.
    fn stats(&self) -> Option<String> {
        if !self.request.stats {
            return None;
        }
        let mut text = if self.stats.n_files > 0 { self.stats.to_string() } else { String::new() };
        if !self.answers.is_empty() {
            text.push_str("answers\n");
            for answer in [SolverAnswer::Sat, SolverAnswer::Unsat, SolverAnswer::Other] {
                let count = self.answers.iter().filter(|given| **given == answer).count();
                let percent = 100 * count / self.answers.len();
                text.push_str(&format!("  {:<13} {count} ({percent} %)\n", answer.name()));
            }
        }
        for (seed, answer) in &self.wrong {
            text.push_str(&format!("wrong answer    seed {seed}: {}\n", answer.name()));
        }
        Some(text)
    }
}
