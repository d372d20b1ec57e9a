//! Comparisons: several strategies on the same files, in the tables of [Vida08] §5.
//!
//! Every strategy starts from the original, with one worker, and nothing is written. Answers are shared between strategies, so that
//! the comparison takes less time than its parts; each strategy's count includes shared and already known answers.
//!
//! A file on which nothing can be compared is reported, and the comparison continues with the others.

use super::compared_steps::{SavedTime, StepWatch};
use super::{html, strategy};
use super::{keep_patterns, oracle, paths, start_oracle};
use crate::failure::Failure;
use crate::fleet::RunSite;
use crate::format::FileFormat;
use crate::handle::Job;
use crate::request::{CompareJob, ReduceJob, SearchOptions, Simplification, StrategyName};
use crate::result::{CompareResult, JobResult};
use crate::timer::Timer;
use crate::vocabulary::Vocabulary;
use nub_oracle::{Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use nub_reduce::search::Search;
use nub_reduce::strategies::dag::CHAIN;
use nub_reduce::{ReduceConfig, ReductionStats};
use nub_report::{ComparedFile, ComparedRun, Comparison, FailedFile, JobEvent, Row, StrategyOutcome};
use nub_store::{AfterRun, RunFolder};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A strategy that is compared.
#[derive(Clone, Debug)]
struct Contestant {
    /// Its name in the tables.
    name: String,
    /// Its options.
    search: SearchOptions,
}

/// The results of a file.
struct FileResults {
    unit: &'static str,
    subject: ComparedFile,
    outcomes: Vec<(Contestant, StrategyOutcome)>,
}

/// Runs every strategy on every file.
pub(crate) fn compare(job: &Job, request: &CompareJob) -> Result<JobResult, Failure> {
    let inputs: Vec<&PathBuf> = std::iter::once(&request.reduction.input).chain(&request.more).collect();
    html::check_comparison(request)?;
    let contest = Contest { job, request };
    let mut comparison: Option<Comparison> = None;
    let mut failures: Vec<(String, Failure)> = Vec::new();
    for input in inputs {
        let results = contest.on_file(input).and_then(|results| add(&mut comparison, results));
        if job.control.is_cancelled() {
            return Err(Failure::environment("interrupted"));
        }
        if let Err(failure) = results {
            job.events.warn(format!("{}: {}", input.display(), failure.message));
            failures.push((input.display().to_string(), failure));
        }
    }
    let first_failure = failures.first().map(|(_, failure)| failure.kind);
    let Some(mut comparison) = comparison else {
        return Err(failures.into_iter().next().map_or_else(|| Failure::usage("no files"), named));
    };
    comparison.failed =
        failures.into_iter().map(|(path, failure)| FailedFile { path, message: failure.message }).collect();
    html::write_comparison(job, request, &comparison)?;
    Ok(JobResult::Compare(CompareResult { comparison, first_failure }))
}

/// A running comparison.
struct Contest<'a> {
    job: &'a Job,
    request: &'a CompareJob,
}

impl Contest<'_> {
    fn on_file(&self, input: &Path) -> Result<FileResults, Failure> {
        let reduction = &self.request.reduction;
        let original = paths::read_input(self.job, input)?;
        let format = strategy::read_as(reduction, input, &original)?;
        let paths = paths::Paths::new(reduction)?;
        let folder =
            nub_reduce::session::open_folder(&paths.run_folder, nub_reduce::session::ReductionStart::Fresh)?;
        let result = self.strategies(input, &original, format, &folder);
        folder.finish(AfterRun::Remove)?;
        result
    }

    fn strategies(
        &self,
        input: &Path,
        original: &[u8],
        format: FileFormat,
        folder: &RunFolder,
    ) -> Result<FileResults, Failure> {
        let reduction = &self.request.reduction;
        let contestants = contestants(self.request, format)?;
        let spec = oracle::Spec::new(reduction, input);
        let (oracle, _) = start_oracle(self.job, &RunSite::Here, spec, folder, original)?;
        let oracle = Shared { oracle: &oracle, known: Mutex::default(), saved: SavedTime::default() };
        let mut subject = None;
        let mut outcomes = Vec::new();
        for contestant in contestants {
            let request = ReduceJob { search: contestant.search.clone(), ..reduction.clone() };
            let search =
                strategy::search(self.job, &request, format, original, keep_patterns(&request.search)?)?
                    .search;
            let (unit, size) = measure(search.as_ref(), original);
            let path = input.display().to_string();
            let (_, before) =
                subject.get_or_insert((unit, ComparedFile { path, size, bytes: original.len() as u64 }));
            let outcome = self.run_one(&contestant.name, search.as_ref(), original, &oracle, before);
            if self.job.control.is_cancelled() {
                return Err(Failure::environment("interrupted"));
            }
            self.job.events.send(JobEvent::Compared(Box::new(ComparedRun {
                file: before.clone(),
                unit: unit.to_owned(),
                strategy: contestant.name.clone(),
                simplify: contestant.search.simplifies(),
                outcome: outcome.clone(),
            })));
            let simplify = if contestant.search.simplifies() { " --simplify" } else { "" };
            self.job.events.note(format!(
                "{}: {}{simplify}: {} {unit} left, {} asks",
                input.display(),
                contestant.name,
                outcome.size,
                outcome.asks
            ));
            outcomes.push((contestant, outcome));
        }
        let (unit, subject) = subject.ok_or_else(|| Failure::usage("no strategy fits"))?;
        Ok(FileResults { unit, subject, outcomes })
    }

    /// Under `--max-time`, which applies to each strategy on each file; stopping the job ends it too.
    fn run_one(
        &self,
        name: &str,
        search: &dyn Search,
        original: &[u8],
        oracle: &Shared<'_>,
        before: &ComparedFile,
    ) -> StrategyOutcome {
        let options = &self.request.reduction.search;
        let config =
            ReduceConfig { max_asks: options.max_asks, seed: options.seed, ..ReduceConfig::default() };
        let cancel = self.job.control.child();
        let timer = Timer::within(options.max_time, &cancel);
        let mut watch = StepWatch::new(self.job, name, before.bytes, &oracle.saved);
        let found = search.run(original.to_vec(), oracle, config, &cancel, &mut watch);
        drop(timer);
        let ReductionStats { asks, cached, .. } = found.stats;
        let (_, size) = measure(search, &found.best);
        StrategyOutcome {
            known: cached,
            bytes: found.best.len() as u64,
            ended: found.stop.is_none(),
            seconds: watch.seconds(),
            steps: watch.into_steps(),
            ..StrategyOutcome::new(before, size, asks + cached)
        }
    }
}

/// The failure of a file, with its name.
fn named((path, failure): (String, Failure)) -> Failure {
    let has_name = failure.message.contains(&path);
    let message = if has_name { failure.message } else { format!("{path}: {}", failure.message) };
    Failure { message, ..failure }
}

/// The last and finest measure of the format.
fn measure(search: &dyn Search, text: &[u8]) -> (&'static str, u64) {
    search.measure(text).pop().unwrap_or(("bytes", text.len() as u64))
}

/// Adds a file to the tables. Files of different formats have different units.
fn add(comparison: &mut Option<Comparison>, results: FileResults) -> Result<(), Failure> {
    let FileResults { unit, subject, outcomes } = results;
    let all = comparison.get_or_insert_with(|| Comparison::new(unit, Vec::new()));
    if all.unit != unit {
        return Err(Failure::usage(format!("its {unit} cannot be compared with {}", all.unit)));
    }
    all.files.push(subject);
    for (contestant, outcome) in outcomes {
        let simplify = contestant.search.simplifies();
        let known =
            all.rows.iter_mut().find(|row| row.strategy == contestant.name && row.simplify == simplify);
        match known {
            Some(row) => row.results.push(outcome),
            None => all.rows.push(Row { strategy: contestant.name, simplify, results: vec![outcome] }),
        }
    }
    Ok(())
}

/// The requested strategies; by default, all that fit the format and the chain of §4.4. Algorithms on graphs run with
/// and without simplification, unless one of the two is requested.
fn contestants(request: &CompareJob, format: FileFormat) -> Result<Vec<Contestant>, Failure> {
    let (search, named) = (&request.reduction.search, &request.strategies[..]);
    let is_list = strategy::is_list(format);
    let mut all: Vec<Contestant> = match named {
        [] => fitting(format).iter().map(|&name| single(search, name)).collect(),
        names => names.iter().map(|&name| single(search, name)).collect(),
    };
    if named.is_empty() && !is_list {
        let combine = CHAIN.iter().filter_map(|&algorithm| StrategyName::of(algorithm)).collect();
        all.insert(
            all.len() - 1,
            Contestant { name: "all chained".to_owned(), search: SearchOptions { combine, ..plain(search) } },
        );
    }
    let mut with_variants = Vec::new();
    for contestant in all {
        let is_on_graph =
            contestant.search.strategy.algorithm().is_some() || !contestant.search.combine.is_empty();
        let variants: &[Simplification] = match search.simplify {
            _ if !is_on_graph || is_list => &[Simplification::Off],
            Some(Simplification::On) => &[Simplification::On],
            Some(Simplification::Off) => &[Simplification::Off],
            None => &[Simplification::Off, Simplification::On],
        };
        for &variant in variants {
            let search = SearchOptions { simplify: Some(variant), ..contestant.search.clone() };
            strategy::check_strategy(&search, format)?;
            with_variants.push(Contestant { name: contestant.name.clone(), search });
        }
    }
    Ok(with_variants)
}

/// What can be compared on a format, `auto` last.
fn fitting(format: FileFormat) -> &'static [StrategyName] {
    use StrategyName::{
        Auto, Bfs, Changeref, ChangerefPlus, Ddmin, Ddsmt, Deltabtor, Hdd, HddPlus, HddStar, Lw, Sound,
    };
    match format {
        FileFormat::Dimacs | FileFormat::Text | FileFormat::C => &[Ddmin, Auto],
        FileFormat::Btor | FileFormat::Btor2 => {
            &[Lw, Bfs, Ddmin, Hdd, HddPlus, HddStar, Changeref, ChangerefPlus, Deltabtor, Auto]
        }
        FileFormat::Smt2 => {
            &[Lw, Bfs, Ddmin, Hdd, HddPlus, HddStar, Changeref, ChangerefPlus, Deltabtor, Ddsmt, Sound, Auto]
        }
    }
}

fn single(search: &SearchOptions, strategy: StrategyName) -> Contestant {
    let recursive = search.recursive && strategy == StrategyName::Sound;
    let name = format!("{}{}", strategy.word(), if recursive { " --recursive" } else { "" });
    Contestant { name, search: SearchOptions { strategy, recursive, ..plain(search) } }
}

/// The options that all strategies share.
fn plain(search: &SearchOptions) -> SearchOptions {
    let (strategy, combine) = (StrategyName::Auto, Vec::new());
    SearchOptions { strategy, combine, recursive: false, ..search.clone() }
}

/// Remembers every sure answer.
struct Shared<'o> {
    oracle: &'o dyn Oracle,
    known: Mutex<FxHashMap<[u8; 32], (Verdict, Duration)>>,
    saved: SavedTime,
}

impl Oracle for Shared<'_> {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        let key = *blake3::hash(candidate).as_bytes();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((verdict, time)) = known().get(&key) {
            self.saved.add(*time);
            return OracleAnswer::free(verdict.clone());
        }
        // The time that the caller waits, not just the run: the next caller would wait as long.
        let started = Instant::now();
        let answer = self.oracle.ask(candidate, cancel);
        if answer.verdict.is_sure() {
            known().insert(key, (answer.verdict.clone(), started.elapsed()));
        }
        answer
    }
}
