//! `nub reduce IN --compare-strategies`: several strategies on the same files, in the tables of seed 000 §5.
//!
//! Every strategy starts from the original, with one worker, and nothing is written. Answers are shared between strategies, so that
//! the comparison costs less than its parts; each strategy's count includes the answers it shared.

use super::args::{FormatName, StrategyName};
use super::{Job, format, paths};
use crate::comparison::{csv, tables};
use crate::exit::{Exit, Failure};
use nub_oracle::{Answer, Oracle, Verdict};
use nub_process::Cancel;
use nub_reduce::search::Search;
use nub_reduce::strategies::dag::{ALGORITHMS, Algorithm, CHAIN};
use nub_reduce::{Config, Quiet, Stats};
use nub_report::{Comparison, Outcome, Row, Subject};
use nub_store::{AfterRun, RunFolder};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its name in the tables.
    pub name: String,
    /// The algorithms on graphs it is made of; none for `auto`.
    pub algorithms: Vec<Algorithm>,
}

impl Job<'_> {
    /// Runs every strategy on every file and prints the tables.
    pub(super) fn compare(&self) -> Result<Exit, Failure> {
        let inputs = std::iter::once(&self.args.input).chain(&self.args.search.and);
        let mut comparison: Option<Comparison> = None;
        for input in inputs {
            self.compare_on(input, &mut comparison)?;
        }
        let Some(comparison) = comparison else { return Ok(Exit::Done) };
        match (self.args.output.json, self.args.search.csv) {
            (true, _) => self.reporter.line(&comparison.to_line()),
            (_, true) => self.reporter.line(csv(&comparison).trim_end()),
            _ => self.reporter.line(tables(&comparison).trim_end()),
        }
        Ok(Exit::Done)
    }

    fn compare_on(&self, input: &Path, comparison: &mut Option<Comparison>) -> Result<(), Failure> {
        let original = paths::read_input(input)?;
        let format = format::choose(self.args, &original)?;
        let paths = paths::Paths::new(self.args)?;
        let folder = nub_reduce::session::open_folder(&paths.run_folder, nub_reduce::session::Start::Fresh)?;
        let result = self.contest(input, &original, format, &folder, comparison);
        folder.finish(AfterRun::Remove)?;
        result
    }

    fn contest(
        &self,
        input: &Path,
        original: &[u8],
        format: FormatName,
        folder: &RunFolder,
        comparison: &mut Option<Comparison>,
    ) -> Result<(), Failure> {
        let (oracle, _) = self.start_oracle(folder, original, input)?;
        let oracle = Shared { oracle: &oracle, known: Mutex::default() };
        for (index, contestant) in
            contestants(self.args.search.compare_strategies.as_deref().unwrap_or_default(), format)?
                .into_iter()
                .enumerate()
        {
            let search = format::contestant(self.args, format, original, &contestant)?;
            let (unit, before) = measure(search.as_ref(), original);
            let all = comparison.get_or_insert_with(|| Comparison::new(unit, Vec::new()));
            if index == 0 {
                let bytes = original.len() as u64;
                all.files.push(Subject { path: input.display().to_string(), size: before, bytes });
            }
            let outcome = self.run_one((&contestant, search.as_ref()), original, &oracle, all);
            if self.interrupt.signal().is_some() {
                return Err(Failure::new(Exit::Environment, "interrupted"));
            }
            let (asks, left) = (outcome.asks, outcome.size);
            self.reporter.note(&format!(
                "{}: {}: {left} {unit} left, {asks} asks",
                input.display(),
                contestant.name
            ));
            add(all, &contestant, self.args.search.simplify && !contestant.algorithms.is_empty(), outcome);
        }
        Ok(())
    }

    fn run_one(
        &self,
        (contestant, search): (&Contestant, &dyn Search),
        original: &[u8],
        oracle: &dyn Oracle,
        all: &Comparison,
    ) -> Outcome {
        let config =
            Config { max_asks: self.args.search.max_asks, seed: self.args.search.seed, ..Config::default() };
        let found = search.run(original.to_vec(), oracle, config, &self.search, &mut Quiet);
        let Stats { asks, cached, .. } = found.stats;
        // The cache is a part of `auto`. The thesis had none: its algorithms are counted as they were there.
        let calls = if contestant.algorithms.is_empty() { asks } else { asks + cached };
        let (_, size) = measure(search, &found.best);
        let before = all.files.last().expect("the file was pushed before its first strategy ran");
        Outcome::new(before, size, found.best.len() as u64, (calls, cached), found.stop.is_none())
    }
}

/// The last and finest of what people count in the format.
fn measure(search: &dyn Search, text: &[u8]) -> (&'static str, u64) {
    search.measure(text).pop().unwrap_or(("bytes", text.len() as u64))
}

fn add(comparison: &mut Comparison, contestant: &Contestant, simplify: bool, outcome: Outcome) {
    let known = comparison.rows.iter_mut().find(|row| row.strategy == contestant.name);
    match known {
        Some(row) => row.results.push(outcome),
        None => {
            comparison.rows.push(Row { strategy: contestant.name.clone(), simplify, results: vec![outcome] })
        }
    }
}

/// Those asked for; all algorithms of the thesis, their chain and `auto` if none is.
fn contestants(names: &[StrategyName], format: FormatName) -> Result<Vec<Contestant>, Failure> {
    let named =
        |algorithm: Algorithm| Contestant { name: algorithm.name().to_owned(), algorithms: vec![algorithm] };
    let auto = Contestant { name: "auto".to_owned(), algorithms: Vec::new() };
    if matches!(format, FormatName::Dimacs | FormatName::Text) {
        return Ok(vec![auto]);
    }
    if names.is_empty() {
        let chain = Contestant { name: "all chained".to_owned(), algorithms: CHAIN.to_vec() };
        return Ok(ALGORITHMS.into_iter().map(named).chain([chain, auto]).collect());
    }
    let one = |name: &StrategyName| match name {
        StrategyName::Auto => Ok(auto.clone()),
        name => name.algorithm().map(named).ok_or_else(|| {
            Failure::usage(format!("{} cannot be compared with algorithms on graphs", name.word()))
        }),
    };
    names.iter().map(one).collect()
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
