//! `nub FILE`: guesses the command.

use clap::Command;
use nub_jobs::{Failure, FileFormat};
use std::ffi::OsString;
use std::path::Path;

/// What `nub` without arguments shows.
pub const TYPICAL_CALLS: &str = "\
nub reduce bug.smt2 -- z3              shrink a file on which a program fails
nub fuzz -s z3 -s cvc5                 look for bugs in solvers, and shrink the findings
nub explain program.c                  why does an assertion fail, and where is the fault?
nub cover program.c -f function        the fewest tests that cover a function
nub demo                               all of it in a minute, with nothing installed

nub --help lists all commands, nub COMMAND --help the options of one.
";

/// If the first argument is a file and not a command, adds the command: with a command after `--` or a test the file is reduced,
/// a C file is covered, a formula is solved.
pub fn with_command(mut args: Vec<OsString>, commands: &Command) -> Vec<OsString> {
    let Some(first) = args.get(1) else { return args };
    let is_command = first.to_str().is_some_and(|name| commands.find_subcommand(name).is_some());
    if is_command || !Path::new(first).is_file() {
        return args;
    }
    let is_reduction = args.iter().any(|word| word == "--" || word == "--test");
    let command = match (is_reduction, format_of(Path::new(first))) {
        (true, _) => "reduce",
        (false, Some(FileFormat::C)) => "cover",
        (false, Some(FileFormat::Text) | None) => return args,
        (false, Some(_)) => "solve",
    };
    args.insert(1, command.into());
    args
}

/// The error for a first argument that is neither a command nor a file whose command can be guessed.
pub fn unknown_word(word: &Path) -> Failure {
    let shown = word.display();
    if word.is_file() {
        Failure::usage(format!("{shown} is a file, but not in a format that says what to do with it"))
            .with_hint(format!("nub reduce {shown} -- CMD shrinks it; nub --help lists all commands"))
    } else {
        Failure::usage(format!("`{shown}` is neither a command of nub nor a file"))
            .with_hint("nub --help lists all commands")
    }
}

/// The format of a file; `None` if it cannot be read.
fn format_of(path: &Path) -> Option<FileFormat> {
    FileFormat::of_extension(path)
        .filter(|format| *format == FileFormat::C)
        .or_else(|| std::fs::read(path).ok().map(|content| FileFormat::detect(path, &content)))
}
