//! A program under test.

use crate::options::{OptionSet, PROOF_HOLE, Table};
use crate::{Batch, FuzzInput, Language};
use nub_oracle::shell_word;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Stands for the input's path in a command.
const HOLE: &str = "{}";

/// One unit in this many asks for models, if that is an option and not a command in the input.
const MODEL_PERIOD: u64 = 3;
/// The same for proofs.
const PROOF_PERIOD: u64 = 2;

/// The file of a proof, beside the input.
pub(crate) const PROOF_FILE: &str = "proof.drat";

/// The role of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverRole {
    /// It may be wrong.
    Tested,
    /// The built-in solver: its answers are checked, so it decides who is wrong.
    Reference,
}

/// How a solver gets its input.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Feed {
    /// By the path of a file.
    #[default]
    File,
    /// On standard input, unless its command has a place for the path.
    Stdin,
}

/// A solver: how it is called, and what is known about it.
#[derive(Clone, Debug)]
pub struct FuzzedSolver {
    /// Shown to users, and part of the key of a group.
    pub name: String,
    /// Program and arguments. The program has an absolute path or is on `PATH`; `{}` is the input; without it the input
    /// is appended.
    pub command: Vec<String>,
    /// How it gets its input.
    pub feed: Feed,
    /// Where it runs; `None`: in the folder of its input.
    pub folder: Option<PathBuf>,
    /// Tested or trusted.
    pub role: SolverRole,
    /// Options that may be tried, and facts: languages, batches, models.
    pub table: Table,
    /// What it prints with `--version`.
    pub version: String,
}

impl FuzzedSolver {
    /// Whether it reads inputs of a language.
    pub fn reads(&self, language: Language) -> bool {
        self.table.languages().contains(&language)
    }

    /// Whether it supports an input: the built-in solver supports bit-vectors, floats, arrays and functions.
    pub fn takes(&self, input: &FuzzInput) -> bool {
        let is_script = input.language == Language::SmtLib;
        self.reads(input.language)
            && (self.role == SolverRole::Tested || !is_script || has_own_logic(&input.text))
    }

    /// How inputs of a language can be joined for it.
    pub fn batch(&self, language: Language) -> Batch {
        if language == Language::SmtLib { self.table.batch() } else { Batch::None }
    }

    /// Arguments that request models and proofs, each with its period in units.
    pub(crate) fn evidence(&self, language: Language) -> Vec<(u64, &[String])> {
        let asking = [(MODEL_PERIOD, self.table.model(language)), (PROOF_PERIOD, self.table.proof(language))];
        asking.into_iter().filter(|(_, args)| !args.is_empty()).collect()
    }

    /// Program and arguments for an input, with options.
    pub fn words(&self, options: &OptionSet, language: Language, file: &Path) -> (OsString, Vec<OsString>) {
        let given = &self.command[1..];
        let proof = file.with_file_name(PROOF_FILE);
        let fill = |word: &String| {
            let filled = word.replace(PROOF_HOLE, &proof.to_string_lossy());
            OsString::from(filled.replace(HOLE, &file.to_string_lossy()))
        };
        let mut args: Vec<OsString> = given.iter().map(fill).collect();
        // Options come before a path at the end, and after one in the middle: solvers accept both.
        args.extend(self.table.always(language).iter().map(OsString::from));
        args.extend(options.args.iter().flatten().map(fill));
        if !self.has_hole(options) && self.feed == Feed::File {
            args.push(file.as_os_str().to_owned());
        }
        (OsString::from(&self.command[0]), args)
    }

    fn has_hole(&self, options: &OptionSet) -> bool {
        self.command[1..].iter().chain(options.args.iter().flatten()).any(|word| word.contains(HOLE))
    }

    /// Whether the input comes on standard input.
    pub(crate) fn is_fed(&self, options: &OptionSet) -> bool {
        self.feed == Feed::Stdin && !self.has_hole(options)
    }

    /// The command on a file as a shell line.
    pub fn shell_line(&self, options: &OptionSet, language: Language, file: &str) -> String {
        let (program, args) = self.words(options, language, Path::new(file));
        let words = std::iter::once(program).chain(args);
        let line = words.map(|word| shell_word(&word)).collect::<Vec<_>>().join(OsStr::new(" "));
        let line = line.to_string_lossy().into_owned();
        if self.is_fed(options) {
            format!("{line} < {}", shell_word(OsStr::new(file)).to_string_lossy())
        } else {
            line
        }
    }
}

/// Logics of the built-in solver.
const OWN_LOGICS: [&[u8]; 9] =
    [b"QF_BV", b"QF_ABV", b"QF_UFBV", b"QF_AUFBV", b"QF_UF", b"QF_AX", b"QF_FP", b"QF_BVFP", b"QF_ABVFP"];

fn has_own_logic(text: &[u8]) -> bool {
    const COMMAND: &[u8] = b"(set-logic ";
    let Some(at) = memchr::memmem::find(text, COMMAND) else { return true };
    let rest = &text[at + COMMAND.len()..];
    let end = rest.iter().position(|&byte| byte == b')').unwrap_or(rest.len());
    OWN_LOGICS.contains(&rest[..end].trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver(command: &[&str]) -> FuzzedSolver {
        FuzzedSolver {
            name: "s".into(),
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            feed: Feed::File,
            folder: None,
            role: SolverRole::Tested,
            table: Table::default(),
            version: String::new(),
        }
    }

    #[test]
    fn the_built_in_solver_is_asked_what_it_can_answer() {
        let built_in = FuzzedSolver { role: SolverRole::Reference, ..solver(&["nub"]) };
        let script = |text: &str| FuzzInput {
            seed: 0,
            text: text.into(),
            language: Language::SmtLib,
            status: None,
            origin: crate::InputOrigin::Generated,
        };
        assert!(built_in.takes(&script("(set-logic QF_ABV)")) && built_in.takes(&script("(check-sat)")));
        assert!(built_in.takes(&script("(set-logic QF_FP)")) && !built_in.takes(&script("(set-logic ALL)")));
        assert!(solver(&["z3"]).takes(&script("(set-logic ALL)")));
    }

    #[test]
    fn the_input_comes_last_or_where_the_braces_are() {
        let options = OptionSet { args: vec![vec!["-x".into(), "1".into()]] };
        let line = |command: &[&str]| solver(command).shell_line(&options, Language::Btor, "it's.btor");
        assert_eq!(line(&["z3", "-st"]), r"z3 -st -x 1 'it'\''s.btor'");
        assert_eq!(line(&["sh", "-c", "z3 < {}"]), r"sh -c 'z3 < it'\''s.btor' -x 1");
        let proof = OptionSet { args: vec![vec!["--text".into(), "{}".into(), "{proof}".into()]] };
        let line = solver(&["cadical"]).shell_line(&proof, Language::Dimacs, "d/a.cnf");
        assert_eq!(line, "cadical --text d/a.cnf d/proof.drat");
        let fed = FuzzedSolver { feed: Feed::Stdin, ..solver(&["z3", "-in"]) };
        assert_eq!(fed.shell_line(&options, Language::SmtLib, "a b.smt2"), "z3 -in -x 1 < 'a b.smt2'");
        let placed = FuzzedSolver { feed: Feed::Stdin, ..solver(&["z3", "{}"]) };
        assert_eq!(placed.shell_line(&OptionSet::default(), Language::SmtLib, "a.smt2"), "z3 a.smt2");
    }
}
