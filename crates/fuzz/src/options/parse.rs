//! Reading a table of options.

use std::str::FromStr;

use super::{Batch, Choice, PROOF_HOLE, Table, Values};
use crate::answers::Language;

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TableError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
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
            let at = |reason| TableError { line: line_idx + 1, reason };
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

fn read_line(table: &mut Table, key: &str, rest: &str) -> Result<(), String> {
    if rest.is_empty() {
        return Err(format!("`{key}` needs something after it"));
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
                return Err(format!("option `{}` is given twice", choice.name));
            }
            table.options.push(choice);
        }
        _ => {
            let keys = "program, languages, batch, always, model, proof, time-limit, memory-limit, hidden-signals, option";
            return Err(format!("`{key}` is unknown: expected one of {keys}"));
        }
    }
    Ok(())
}

fn number<N: FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number"))
}

fn languages(text: &str) -> Result<Vec<Language>, String> {
    text.split_whitespace().map(language).collect()
}

fn language(word: &str) -> Result<Language, String> {
    let found = Language::ALL.into_iter().find(|language| language.name() == word);
    found.ok_or_else(|| format!("`{word}` is not a language: expected smtlib, btor, btor2 or dimacs"))
}

fn batch(text: &str) -> Result<Batch, String> {
    match text {
        "none" => Ok(Batch::None),
        "reset" => Ok(Batch::Reset),
        "pushpop" => Ok(Batch::PushPop),
        _ => Err(format!("`{text}` does not say how to join scripts: expected reset, pushpop or none")),
    }
}

fn args_of_language(text: &str) -> Result<(Language, Vec<String>), String> {
    let (word, args) = split_word(text).ok_or("a language is missing")?;
    if args.is_empty() {
        return Err("arguments are missing after the language".to_owned());
    }
    Ok((language(word)?, words(args)))
}

fn with_hole(text: &str, holes: &[&str]) -> Result<Vec<String>, String> {
    if holes.iter().any(|hole| text.contains(hole)) {
        Ok(words(text))
    } else {
        Err(format!("{} must appear where its value goes", holes.join(" or ")))
    }
}

fn choice(text: &str) -> Result<Choice, String> {
    // A semicolon inside an argument is part of it; one by itself separates.
    let mut clauses = text.split(" ; ").map(str::trim);
    let (name, args) = clauses.next().and_then(split_word).ok_or("an option needs a name")?;
    if args.is_empty() {
        return Err(format!("option `{name}` needs its arguments after the name"));
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
        let (key, rest) = split_word(clause).ok_or("nothing after the semicolon")?;
        read_clause(&mut choice, key, rest)?;
    }
    let has_hole = choice.args.iter().any(|arg| arg.contains("{}"));
    match (has_hole, choice.values == Values::Flag) {
        (true, true) => Err(format!("option `{name}` has `{{}}` and needs `values` or `range`")),
        (false, false) => Err(format!("option `{name}` has values, but no `{{}}` to put them")),
        _ => Ok(choice),
    }
}

fn read_clause(choice: &mut Choice, key: &str, rest: &str) -> Result<(), String> {
    if rest.is_empty() {
        return Err(format!("`{key}` needs something after it"));
    }
    match key {
        "values" => choice.values = Values::Words(words(rest)),
        "range" => choice.values = range(rest)?,
        "languages" => choice.languages = languages(rest)?,
        "logics" => choice.logics = words(rest),
        "conflicts" => choice.conflicts = words(rest),
        "requires" => choice.requires = words(rest),
        _ => {
            let keys = "values, range, languages, logics, conflicts, requires";
            return Err(format!("`{key}` is unknown after a semicolon: expected one of {keys}"));
        }
    }
    Ok(())
}

fn range(text: &str) -> Result<Values, String> {
    let Some((low, high)) = split_word(text).filter(|(_, high)| !high.is_empty()) else {
        return Err("a range has two ends".to_owned());
    };
    let (low, high): (i64, i64) = (number(low)?, number(high)?);
    // The width must fit the random numbers.
    if low <= high && high.checked_sub(low).is_some_and(|width| width < i64::from(u32::MAX)) {
        Ok(Values::Range(low, high))
    } else {
        Err(format!(
            "`{low} {high}` is not a range: the first end is the smaller, and they are less than 2^32 apart"
        ))
    }
}

/// Names after `conflicts` and `requires` must exist; `lines` are those of the options.
fn check_names(table: &Table, lines: &[usize]) -> Result<(), TableError> {
    for (choice, line) in table.options.iter().zip(lines) {
        for name in choice.conflicts.iter().chain(&choice.requires) {
            if *name == choice.name || !table.options.iter().any(|other| other.name == *name) {
                let reason = format!("option `{}` names `{name}`, which is not another option", choice.name);
                return Err(TableError { line: *line, reason });
            }
        }
    }
    Ok(())
}
