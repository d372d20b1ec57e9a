//! `nub reduce IN... --compare-strategies`: several strategies on the same files, in the tables of [Vida08] §5.
//!
//! Every strategy starts from the original, with one worker, and nothing is written. Answers are shared between strategies, so that
//! the comparison costs less than its parts; each strategy's count includes the answers it shared, and those it knew.
//!
//! A file on which nothing can be compared is named, and the others go on.

use super::args::{FormatName, ReduceArgs, SearchArgs, SimplifyChoice, StrategyName};
use super::{Job, format, paths};
use crate::comparison::{csv, tables};
use crate::exit::{Exit, Failure};
use nub_oracle::{Answer, Oracle, Verdict};
use nub_process::Cancel;
use nub_reduce::search::Search;
use nub_reduce::strategies::dag::CHAIN;
use nub_reduce::{Config, Quiet, Stats};
use nub_report::{Comparison, FailedFile, Outcome, Row, Subject};
use nub_store::{AfterRun, RunFolder};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a run with a time limit looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// What is compared.
#[derive(Clone, Debug)]
struct Contestant {
    /// Its name in the tables.
    name: String,
    /// Its options.
    search: SearchArgs,
}

/// A file, and what came of it.
type FileResults = (&'static str, Subject, Vec<(Contestant, Outcome)>);

impl Job<'_> {
    /// Runs every strategy on every file and prints the tables.
    pub(super) fn compare(&self) -> Result<Exit, Failure> {
        let inputs: Vec<&PathBuf> =
            std::iter::once(&self.args.input).chain(&self.args.more).chain(&self.args.search.and).collect();
        let mut comparison: Option<Comparison> = None;
        let mut failures: Vec<(String, Failure)> = Vec::new();
        for input in inputs {
            let results = self.compare_on(input).and_then(|results| add(&mut comparison, results));
            if self.interrupt.signal().is_some() {
                return Err(Failure::new(Exit::Environment, "interrupted"));
            }
            if let Err(failure) = results {
                self.reporter.warn(&format!("{}: {}", input.display(), failure.message));
                failures.push((input.display().to_string(), failure));
            }
        }
        let exit = failures.first().map_or(Exit::Done, |(_, failure)| failure.exit);
        let Some(mut comparison) = comparison else {
            return Err(failures.into_iter().next().map_or_else(|| Failure::usage("no files"), named));
        };
        comparison.failed = failures
            .into_iter()
            .map(|(path, failure)| FailedFile { path, message: failure.message })
            .collect();
        match (self.args.output.json, self.args.search.csv) {
            (true, _) => self.reporter.line(&comparison.to_line()),
            (_, true) => self.reporter.line(csv(&comparison).trim_end()),
            _ => self.reporter.line(tables(&comparison).trim_end()),
        }
        Ok(exit)
    }

    fn compare_on(&self, input: &Path) -> Result<FileResults, Failure> {
        let original = paths::read_input(input)?;
        let format = format::choose(self.args, input, &original)?;
        let paths = paths::Paths::new(self.args)?;
        let folder = nub_reduce::session::open_folder(&paths.run_folder, nub_reduce::session::Start::Fresh)?;
        let result = self.contest(input, &original, format, &folder);
        folder.finish(AfterRun::Remove)?;
        result
    }

    fn contest(
        &self,
        input: &Path,
        original: &[u8],
        format: FormatName,
        folder: &RunFolder,
    ) -> Result<FileResults, Failure> {
        let contestants = contestants(&self.args.search, format)?;
        let (oracle, _) = self.start_oracle(folder, original, input)?;
        let oracle = Shared { oracle: &oracle, known: Mutex::default() };
        let mut subject = None;
        let mut outcomes = Vec::new();
        for contestant in contestants {
            let args = ReduceArgs { search: contestant.search.clone(), ..self.args.clone() };
            let (search, _) = format::search(&args, format, original, super::keep_patterns(&args)?)?;
            let (unit, size) = measure(search.as_ref(), original);
            let path = input.display().to_string();
            let (_, before) =
                subject.get_or_insert((unit, Subject { path, size, bytes: original.len() as u64 }));
            let outcome = self.run_one(search.as_ref(), original, &oracle, before);
            if self.interrupt.signal().is_some() {
                return Err(Failure::new(Exit::Environment, "interrupted"));
            }
            let simplify = if contestant.search.simplifies() { " --simplify" } else { "" };
            self.reporter.note(&format!(
                "{}: {}{simplify}: {} {unit} left, {} asks",
                input.display(),
                contestant.name,
                outcome.size,
                outcome.asks
            ));
            outcomes.push((contestant, outcome));
        }
        let (unit, subject) = subject.ok_or_else(|| Failure::usage("no strategy fits"))?;
        Ok((unit, subject, outcomes))
    }

    fn run_one(
        &self,
        search: &dyn Search,
        original: &[u8],
        oracle: &dyn Oracle,
        before: &Subject,
    ) -> Outcome {
        let config =
            Config { max_asks: self.args.search.max_asks, seed: self.args.search.seed, ..Config::default() };
        let found =
            self.within_max_time(|cancel| search.run(original.to_vec(), oracle, config, cancel, &mut Quiet));
        let Stats { asks, cached, .. } = found.stats;
        let (_, size) = measure(search, &found.best);
        Outcome::new(before, size, found.best.len() as u64, (asks + cached, cached), found.stop.is_none())
    }

    /// Runs something under `--max-time`, which holds for each strategy on each file; a signal ends it as well.
    fn within_max_time<T>(&self, work: impl FnOnce(&Cancel) -> T) -> T {
        let Some(limit) = self.args.search.max_time else { return work(&self.search) };
        let (cancel, all) = (Cancel::new(), self.search.clone());
        let (done, end) = channel::<()>();
        let timer = cancel.clone();
        let start = Instant::now();
        std::thread::spawn(move || {
            while start.elapsed() < limit && !all.is_cancelled() {
                let left = limit.saturating_sub(start.elapsed()).min(POLL);
                if end.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            timer.cancel();
        });
        let result = work(&cancel);
        drop(done);
        result
    }
}

/// The failure of a file, with its name.
fn named((path, failure): (String, Failure)) -> Failure {
    let has_name = failure.message.contains(&path);
    let message = if has_name { failure.message } else { format!("{path}: {}", failure.message) };
    Failure { message, ..failure }
}

/// The last and finest of what people count in the format.
fn measure(search: &dyn Search, text: &[u8]) -> (&'static str, u64) {
    search.measure(text).pop().unwrap_or(("bytes", text.len() as u64))
}

/// Adds a file to the tables. Files of different formats are not counted alike.
fn add(comparison: &mut Option<Comparison>, (unit, subject, outcomes): FileResults) -> Result<(), Failure> {
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

/// Those asked for; all that fit the format and the chain of §4.4 if none is. Algorithms on graphs come with and without
/// simplification, unless one of them is asked for.
fn contestants(search: &SearchArgs, format: FormatName) -> Result<Vec<Contestant>, Failure> {
    let named = search.compare_strategies.as_deref().unwrap_or_default();
    let is_list = matches!(format, FormatName::Dimacs | FormatName::Text);
    let mut all: Vec<Contestant> = match named {
        [] => fitting(format).iter().map(|&name| single(search, name)).collect(),
        names => names.iter().map(|&name| single(search, name)).collect(),
    };
    if named.is_empty() && !is_list {
        let combine = CHAIN.iter().filter_map(|&algorithm| StrategyName::of(algorithm)).collect();
        all.insert(
            all.len() - 1,
            Contestant { name: "all chained".to_owned(), search: SearchArgs { combine, ..plain(search) } },
        );
    }
    let mut with_variants = Vec::new();
    for contestant in all {
        let is_on_graph =
            contestant.search.strategy.algorithm().is_some() || !contestant.search.combine.is_empty();
        let variants: &[SimplifyChoice] = match search.simplify {
            _ if !is_on_graph || is_list => &[SimplifyChoice::Off],
            Some(SimplifyChoice::On) => &[SimplifyChoice::On],
            Some(SimplifyChoice::Off) => &[SimplifyChoice::Off],
            None => &[SimplifyChoice::Off, SimplifyChoice::On],
        };
        for &variant in variants {
            let search = SearchArgs { simplify: Some(variant), ..contestant.search.clone() };
            format::check_strategy(&search, format)?;
            with_variants.push(Contestant { name: contestant.name.clone(), search });
        }
    }
    Ok(with_variants)
}

/// What can be compared on a format, `auto` last.
fn fitting(format: FormatName) -> &'static [StrategyName] {
    use StrategyName::{
        Auto, Bfs, Changeref, ChangerefPlus, Ddmin, Ddsmt, Deltabtor, Hdd, HddPlus, HddStar, Lw, Sound,
    };
    match format {
        FormatName::Dimacs | FormatName::Text => &[Ddmin, Auto],
        FormatName::Btor | FormatName::Btor2 => {
            &[Lw, Bfs, Ddmin, Hdd, HddPlus, HddStar, Changeref, ChangerefPlus, Deltabtor, Auto]
        }
        FormatName::Smtlib | FormatName::Auto => {
            &[Lw, Bfs, Ddmin, Hdd, HddPlus, HddStar, Changeref, ChangerefPlus, Deltabtor, Ddsmt, Sound, Auto]
        }
    }
}

fn single(search: &SearchArgs, strategy: StrategyName) -> Contestant {
    let recursive = search.recursive && strategy == StrategyName::Sound;
    let name = format!("{}{}", strategy.word(), if recursive { " --recursive" } else { "" });
    Contestant { name, search: SearchArgs { strategy, recursive, ..plain(search) } }
}

/// The options that all strategies share.
fn plain(search: &SearchArgs) -> SearchArgs {
    let (strategy, combine) = (StrategyName::Auto, Vec::new());
    SearchArgs { strategy, combine, recursive: false, compare_strategies: None, ..search.clone() }
}

/// Remembers every sure answer.
struct Shared<'o> {
    oracle: &'o dyn Oracle,
    known: Mutex<FxHashMap<[u8; 32], Verdict>>,
}

impl Oracle for Shared<'_> {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> Answer {
        let key = *blake3::hash(candidate).as_bytes();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(verdict) = known().get(&key) {
            return Answer::free(verdict.clone());
        }
        let answer = self.oracle.ask(candidate, cancel);
        if answer.verdict.is_sure() {
            known().insert(key, answer.verdict.clone());
        }
        answer
    }
}
