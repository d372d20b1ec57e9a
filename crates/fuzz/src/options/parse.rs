//! Reading a table of options.

use std::str::FromStr;

use super::{Batch, Choice, PROOF_HOLE, Table, Values};
use crate::answers::Language;

/// The words that may start a line.
const LINE_KEYS: &str =
    "program, languages, batch, always, model, proof, time-limit, memory-limit, hidden-signals, option";
/// The words that may follow a semicolon.
const CLAUSE_KEYS: &str = "values, range, languages, logics, conflicts, requires";

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TableError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: TableFault,
}

/// What is wrong with a line, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableFault {
    /// A word with nothing after it.
    #[error("`{0}` needs something after it")]
    NothingAfter(String),
    /// An unknown word at the start of the line.
    #[error("`{0}` is unknown: expected one of {LINE_KEYS}")]
    UnknownLine(String),
    /// An unknown word after a semicolon.
    #[error("`{0}` is unknown after a semicolon: expected one of {CLAUSE_KEYS}")]
    UnknownClause(String),
    /// A semicolon at the end.
    #[error("nothing after the semicolon")]
    EmptyClause,
    /// Not a number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// Not a language.
    #[error("`{0}` is not a language: expected smtlib, btor, btor2 or dimacs")]
    NotALanguage(String),
    /// No language where one is needed.
    #[error("a language is missing")]
    NoLanguage,
    /// A language without arguments.
    #[error("arguments are missing after the language")]
    NoArguments,
    /// Not a way to join scripts.
    #[error("`{0}` does not say how to join scripts: expected reset, pushpop or none")]
    NotABatch(String),
    /// The place for a value is missing: one of these texts.
    #[error("{0} must appear where its value goes")]
    NoHole(String),
    /// An option without a name.
    #[error("an option needs a name")]
    NoOptionName,
    /// An option without arguments.
    #[error("option `{0}` needs its arguments after the name")]
    NoOptionArguments(String),
    /// An option that occurs twice.
    #[error("option `{0}` is given twice")]
    Twice(String),
    /// An option with a place for a value, and no values.
    #[error("option `{0}` has `{{}}` and needs `values` or `range`")]
    NoValues(String),
    /// An option with values, and no place for them.
    #[error("option `{0}` has values, but no `{{}}` to put them")]
    NoPlaceForValues(String),
    /// A range with one end.
    #[error("a range has two ends")]
    OpenRange,
    /// A range that is empty or too wide.
    #[error("`{0} {1}` is not a range: the first end is the smaller, and they are less than 2^32 apart")]
    NotARange(i64, i64),
    /// An option refers to itself or to an unknown option.
    #[error("option `{option}` names `{other}`, which is not another option")]
    NotAnotherOption {
        /// The option.
        option: String,
        /// The name that it mentions.
        other: String,
    },
}

impl Table {
    /// Reads a table; the format is described at the head of `options.rs`.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Table, TableError> {
        let mut table = Table::default();
        let mut lines = Vec::new();
        for (line_idx, line) in text.lines().enumerate() {
            let line = without_comment(line);
            let at = |fault| TableError { line: line_idx + 1, fault };
            if let Some((key, rest)) = split_word(line) {
                read_line(&mut table, key, rest).map_err(at)?;
                if key == "option" {
                    lines.push(line_idx + 1);
                }
            }
        }
        check_names(&table, &lines)?;
        Ok(table)
    }
}

/// `#` at the start of a line or after white space; solvers may have it inside an argument.
fn without_comment(line: &str) -> &str {
    let is_start = |(idx, _): &(usize, &str)| line[..*idx].ends_with(char::is_whitespace) || *idx == 0;
    line.match_indices('#').find(is_start).map_or(line, |(idx, _)| &line[..idx])
}

fn split_word(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    Some(line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim())))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn read_line(table: &mut Table, key: &str, rest: &str) -> Result<(), TableFault> {
    if rest.is_empty() {
        return Err(TableFault::NothingAfter(key.to_owned()));
    }
    match key {
        "program" => table.programs.extend(words(rest)),
        "languages" => table.languages = languages(rest)?,
        "batch" => table.batch = batch(rest)?,
        "always" => table.always.push(args_of_language(rest)?),
        "model" => table.model.push(args_of_language(rest)?),
        "proof" => {
            with_hole(rest, &[PROOF_HOLE])?;
            table.proof.push(args_of_language(rest)?);
        }
        "time-limit" => table.time_limit = with_hole(rest, &["{seconds}", "{milliseconds}"])?,
        "memory-limit" => table.memory_limit = with_hole(rest, &["{megabytes}"])?,
        "hidden-signals" => {
            table.hidden_signals = rest.split_whitespace().map(number).collect::<Result<_, _>>()?
        }
        "option" => {
            let choice = choice(rest)?;
            if table.options.iter().any(|other| other.name == choice.name) {
                return Err(TableFault::Twice(choice.name));
            }
            table.options.push(choice);
        }
        _ => return Err(TableFault::UnknownLine(key.to_owned())),
    }
    Ok(())
}

fn number<N: FromStr>(word: &str) -> Result<N, TableFault> {
    word.parse().map_err(|_| TableFault::NotANumber(word.to_owned()))
}

fn languages(text: &str) -> Result<Vec<Language>, TableFault> {
    text.split_whitespace().map(language).collect()
}

fn language(word: &str) -> Result<Language, TableFault> {
    let found = Language::ALL.into_iter().find(|language| language.name() == word);
    found.ok_or_else(|| TableFault::NotALanguage(word.to_owned()))
}

fn batch(text: &str) -> Result<Batch, TableFault> {
    match text {
        "none" => Ok(Batch::None),
        "reset" => Ok(Batch::Reset),
        "pushpop" => Ok(Batch::PushPop),
        _ => Err(TableFault::NotABatch(text.to_owned())),
    }
}

fn args_of_language(text: &str) -> Result<(Language, Vec<String>), TableFault> {
    let (word, args) = split_word(text).ok_or(TableFault::NoLanguage)?;
    if args.is_empty() {
        return Err(TableFault::NoArguments);
    }
    Ok((language(word)?, words(args)))
}

fn with_hole(text: &str, holes: &[&str]) -> Result<Vec<String>, TableFault> {
    if holes.iter().any(|hole| text.contains(hole)) {
        Ok(words(text))
    } else {
        Err(TableFault::NoHole(holes.join(" or ")))
    }
}

fn choice(text: &str) -> Result<Choice, TableFault> {
    // A semicolon inside an argument is part of it; one by itself separates.
    let mut clauses = text.split(" ; ").map(str::trim);
    let (name, args) = clauses.next().and_then(split_word).ok_or(TableFault::NoOptionName)?;
    if args.is_empty() {
        return Err(TableFault::NoOptionArguments(name.to_owned()));
    }
    let mut choice = Choice {
        name: name.to_owned(),
        args: words(args),
        values: Values::Flag,
        languages: Vec::new(),
        logics: Vec::new(),
        conflicts: Vec::new(),
        requires: Vec::new(),
    };
    for clause in clauses {
        let (key, rest) = split_word(clause).ok_or(TableFault::EmptyClause)?;
        read_clause(&mut choice, key, rest)?;
    }
    let has_hole = choice.args.iter().any(|arg| arg.contains("{}"));
    match (has_hole, choice.values == Values::Flag) {
        (true, true) => Err(TableFault::NoValues(name.to_owned())),
        (false, false) => Err(TableFault::NoPlaceForValues(name.to_owned())),
        _ => Ok(choice),
    }
}

fn read_clause(choice: &mut Choice, key: &str, rest: &str) -> Result<(), TableFault> {
    if rest.is_empty() {
        return Err(TableFault::NothingAfter(key.to_owned()));
    }
    match key {
        "values" => choice.values = Values::Words(words(rest)),
        "range" => choice.values = range(rest)?,
        "languages" => choice.languages = languages(rest)?,
        "logics" => choice.logics = words(rest),
        "conflicts" => choice.conflicts = words(rest),
        "requires" => choice.requires = words(rest),
        _ => return Err(TableFault::UnknownClause(key.to_owned())),
    }
    Ok(())
}

fn range(text: &str) -> Result<Values, TableFault> {
    let Some((low, high)) = split_word(text).filter(|(_, high)| !high.is_empty()) else {
        return Err(TableFault::OpenRange);
    };
    let (low, high): (i64, i64) = (number(low)?, number(high)?);
    // The width must fit the random numbers.
    if low <= high && high.checked_sub(low).is_some_and(|width| width < i64::from(u32::MAX)) {
        Ok(Values::Range(low, high))
    } else {
        Err(TableFault::NotARange(low, high))
    }
}

/// Names after `conflicts` and `requires` must exist; `lines` are those of the options.
fn check_names(table: &Table, lines: &[usize]) -> Result<(), TableError> {
    for (choice, line) in table.options.iter().zip(lines) {
        for name in choice.conflicts.iter().chain(&choice.requires) {
            if *name == choice.name || !table.options.iter().any(|other| other.name == *name) {
                let (option, other) = (choice.name.clone(), name.clone());
                return Err(TableError {
                    line: *line,
                    fault: TableFault::NotAnotherOption { option, other },
                });
            }
        }
    }
    Ok(())
}
