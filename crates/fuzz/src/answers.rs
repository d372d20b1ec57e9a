//! Reads what a solver printed, without trusting it.
//!
//! A [`PrintedAnswers`] lists the answers of one script in order, and the positions of the models and cores that follow
//! them. Reading never fails: unknown lines are counted. Input may be any bytes, and reading takes linear time.
//!
//! | language | answers | models |
//! |---|---|---|
//! | SMT-LIB | `sat`, `unsat`, `unknown`, `timeout` | the s-expression of `get-model` |
//! | BTOR, BTOR2 | the same, or exit status 10 and 20 when nothing is printed | all lines up to the next answer |
//! | DIMACS | `s SATISFIABLE` and so on, or exit status 10 and 20 | the `v` lines |

mod batch;
mod dimacs;
mod elements;
mod lines;
mod smtlib;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use nub_process::ProcessEnd;
use serde::{Deserialize, Serialize};

pub use batch::{marker, split_batch};
pub use elements::elements;

/// How many errors of one output are kept; a solver may repeat one for each line of its input.
const MAX_ERRORS: usize = 64;
/// How many characters of one error are kept.
const MAX_ERROR_CHARS: usize = 200;
/// How many characters are read before masking, which shortens a text, but not this much.
const MAX_RAW_CHARS: usize = 2_000;
/// Exit status of solvers that follow the SAT competition: satisfiable.
const EXIT_SAT: i32 = 10;
/// The same: unsatisfiable.
const EXIT_UNSAT: i32 = 20;

/// A solver's answer to one `check-sat`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrintedAnswer {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// The solver gave up.
    Unknown,
}

impl PrintedAnswer {
    /// Whether it claims something: `sat` or `unsat`.
    #[must_use]
    pub fn is_definite(self) -> bool {
        self != PrintedAnswer::Unknown
    }
}

impl fmt::Display for PrintedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PrintedAnswer::Sat => "sat",
            PrintedAnswer::Unsat => "unsat",
            PrintedAnswer::Unknown => "unknown",
        })
    }
}

/// A word that is not an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not an answer: expected sat, unsat or unknown")]
pub struct NoAnswer(String);

impl FromStr for PrintedAnswer {
    type Err = NoAnswer;

    fn from_str(text: &str) -> Result<PrintedAnswer, NoAnswer> {
        match text {
            "sat" => Ok(PrintedAnswer::Sat),
            "unsat" => Ok(PrintedAnswer::Unsat),
            "unknown" => Ok(PrintedAnswer::Unknown),
            _ => Err(NoAnswer(text.chars().take(40).collect())),
        }
    }
}

/// The language of the input. It decides how output is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// SMT-LIB 2.
    SmtLib,
    /// BTOR of 2008.
    Btor,
    /// BTOR2.
    Btor2,
    /// DIMACS cnf.
    Dimacs,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::SmtLib, Language::Btor, Language::Btor2, Language::Dimacs];

    /// Its name in option tables and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::SmtLib => "smtlib",
            Language::Btor => "btor",
            Language::Btor2 => "btor2",
            Language::Dimacs => "dimacs",
        }
    }
}

/// What one script printed, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrintedAnswers {
    /// The answers.
    pub answers: Vec<PrintedAnswer>,
    /// Models: index of the answer each follows, and where it is in the output.
    pub models: Vec<(usize, Range<usize>)>,
    /// Unsat cores and failed assumptions: index of the answer, and the elements as printed.
    pub cores: Vec<(usize, Vec<String>)>,
    /// Errors, masked, at most 64.
    pub errors: Vec<String>,
    /// How often the solver printed `unsupported`.
    pub unsupported: usize,
    /// Lines or s-expressions that are none of these.
    pub other: usize,
}

impl PrintedAnswers {
    /// Index of the last answer, which the following output belongs to.
    fn last(&self) -> Option<usize> {
        self.answers.len().checked_sub(1)
    }

    /// Records an error, up to the limit.
    pub(crate) fn note_error(&mut self, text: &str) {
        if self.errors.len() < MAX_ERRORS {
            let text: String = text.chars().take(MAX_RAW_CHARS).collect();
            let masked = nub_oracle::mask_names(&text, &nub_oracle::MaskedNames::default());
            self.errors.push(masked.chars().take(MAX_ERROR_CHARS).collect());
        }
    }
}

/// Reads what one script printed on standard output. `end` is used only if no answer was printed.
#[must_use]
pub fn read_answers(stdout: &[u8], language: Language, end: ProcessEnd) -> PrintedAnswers {
    let mut reading = match language {
        Language::SmtLib => smtlib::read(stdout),
        Language::Btor | Language::Btor2 => lines::read(stdout),
        Language::Dimacs => dimacs::read(stdout),
    };
    if reading.answers.is_empty() && language != Language::SmtLib {
        match end {
            ProcessEnd::Exit(EXIT_SAT) => reading.answers.push(PrintedAnswer::Sat),
            ProcessEnd::Exit(EXIT_UNSAT) => reading.answers.push(PrintedAnswer::Unsat),
            _ => {}
        }
    }
    reading
}

/// An answer as solvers print it on a line of its own.
fn answer_of(line: &[u8]) -> Option<PrintedAnswer> {
    match line {
        b"sat" => Some(PrintedAnswer::Sat),
        b"unsat" => Some(PrintedAnswer::Unsat),
        b"unknown" | b"timeout" => Some(PrintedAnswer::Unknown),
        _ => None,
    }
}

/// Lines that do not concern the input: acknowledgements, comments, warnings.
fn is_noise(line: &[u8]) -> bool {
    let starts_with_warning = line.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"warning"));
    line.is_empty() || line == b"success" || line.starts_with(b";") || starts_with_warning
}
