//! The comment at the top of the result: how to reproduce, in one short line per command.

use crate::format::FileFormat;
use nub_oracle::{Reproduction, ReproductionCommand};
use std::path::Path;

/// Longest line, newline included.
const MAX_BYTES: usize = 64;
/// Longest text about what a command shows.
const MAX_SHOWS: usize = 20;

/// Comments, newlines included, with a second line for the command of a cross-check:
///
/// ```text
/// ; nub: z3 model_validate=true bug.reduced.smt2 -> unsat
/// ; nub: cvc5 bug.reduced.smt2 -> sat
/// ```
///
/// DIMACS comments begin with `c`. A program given by an absolute path is shown without its folder; what is too long
/// is cut, the command first, since the report contains it in full.
pub fn header(format: FileFormat, reproduction: &Reproduction, out: &Path) -> Vec<u8> {
    let mark = if format == FileFormat::Dimacs { "c" } else { ";" };
    let commands = std::iter::once(&reproduction.command).chain(&reproduction.beside);
    commands
        .map(|command| format!("{mark} nub: {}\n", one_command(command, out)))
        .collect::<String>()
        .into_bytes()
}

fn one_command(command: &ReproductionCommand, out: &Path) -> String {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let line = one_line(&shorten_paths(&command.line, &out.to_string_lossy(), &name));
    let shows = cut(&one_line(&command.shows), MAX_SHOWS);
    let arrow = if shows.is_empty() { "" } else { " -> " };
    let room = MAX_BYTES - "; nub: \n".len() - arrow.len() - MAX_SHOWS.min(shows.len());
    format!("{}{arrow}{shows}", cut(&line, room))
}

/// The program and the result by their base names.
fn shorten_paths(command: &str, out: &str, name: &str) -> String {
    let command = command.replace(out, name);
    match command.split_once(' ') {
        Some((program, rest)) => format!("{} {rest}", base(program)),
        None => base(&command).to_owned(),
    }
}

/// A relative path is meaningful next to the file; an absolute one only on this machine.
fn base(program: &str) -> &str {
    if program.starts_with('/') { program.rsplit('/').next().unwrap_or(program) } else { program }
}

/// A comment must not end early.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let mut end = max_bytes.saturating_sub("...".len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(command: (&str, &str), beside: Option<(&str, &str)>) -> String {
        let command_of = |(line, shows): (&str, &str)| ReproductionCommand {
            line: line.to_owned(),
            shows: shows.to_owned(),
        };
        let reproduction = Reproduction { command: command_of(command), beside: beside.map(command_of) };
        let out = Path::new("/tmp/x/bug.reduced.smt2");
        String::from_utf8(header(FileFormat::Smt2, &reproduction, out)).unwrap()
    }

    #[test]
    fn one_short_line() {
        let text = header_of(("/opt/z3/bin/z3 a=true /tmp/x/bug.reduced.smt2", "SIGSEGV"), None);
        assert_eq!(text, "; nub: z3 a=true bug.reduced.smt2 -> SIGSEGV\n");
        let long = format!("z3 {} /tmp/x/bug.reduced.smt2", "option ".repeat(40));
        let text = header_of((&long, "exit 1\nfoo"), None);
        assert!(text.len() <= MAX_BYTES && text.lines().count() == 1, "{text}");
    }

    #[test]
    fn a_second_line_for_the_second_command() {
        let text = header_of(("z3 bug.smt2", "unsat"), Some(("/usr/bin/cvc5 -q bug.smt2", "sat")));
        assert_eq!(text, "; nub: z3 bug.smt2 -> unsat\n; nub: cvc5 -q bug.smt2 -> sat\n");
        let text = header_of(("z3 bug.smt2", "2 times as long"), Some(("cvc5 bug.smt2", "")));
        assert_eq!(text, "; nub: z3 bug.smt2 -> 2 times as long\n; nub: cvc5 bug.smt2\n");
    }
}
