//! The comment at the top of the result: how to reproduce, in one short line.

use super::args::FormatName;
use std::path::Path;

/// Longest header, newline included.
const MAX_BYTES: usize = 64;
/// Shortest part of a command that is still worth showing.
const MIN_COMMAND: usize = 12;

/// `; nub: z3 model_validate=true bug.reduced.smt2 -> SIGSEGV`, newline included. DIMACS comments begin with `c`.
///
/// `reproduction` is the oracle's own description, `COMMAND  # WHAT`. A program given by an absolute path is shown without its folder; what is too
/// long is cut, the command first, since the report around the file has it in full.
pub fn header(format: FormatName, reproduction: &str, out: &Path) -> Vec<u8> {
    let mark = if format == FormatName::Dimacs { "c" } else { ";" };
    let (command, what) = reproduction.rsplit_once("  # ").unwrap_or((reproduction, "fails"));
    let what = what.split(": ").next().unwrap_or(what);
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let command = shorten_paths(command, &out.to_string_lossy(), &name);
    let what = cut(&one_line(what), 20);
    let room = MAX_BYTES.saturating_sub("; nub:  -> \n".len() + what.len()).max(MIN_COMMAND);
    format!("{mark} nub: {} -> {what}\n", cut(&one_line(&command), room)).into_bytes()
}

/// The program and the result by their base names.
fn shorten_paths(command: &str, out: &str, name: &str) -> String {
    let command = command.replace(out, name);
    match command.split_once(' ') {
        Some((program, rest)) => format!("{} {rest}", base(program)),
        None => base(&command).to_owned(),
    }
}

/// A relative path means something beside the file; an absolute one only on this machine.
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

    fn header_of(reproduction: &str) -> String {
        String::from_utf8(header(FormatName::Smtlib, reproduction, Path::new("/tmp/x/bug.reduced.smt2")))
            .unwrap()
    }

    #[test]
    fn one_short_line() {
        let text = header_of("/opt/z3/bin/z3 a=true /tmp/x/bug.reduced.smt2  # SIGSEGV: some text");
        assert_eq!(text, "; nub: z3 a=true bug.reduced.smt2 -> SIGSEGV\n");
        let long = header_of(&format!("z3 {} /tmp/x/bug.reduced.smt2  # exit 1\nfoo", "option ".repeat(40)));
        assert!(long.len() <= MAX_BYTES && long.lines().count() == 1, "{long}");
    }
}
