//! Exit codes: one table for all commands, and the error that carries one.
//!
//! | code | means |
//! |---|---|
//! | 0 | done |
//! | 1 | done, and the answer is "not reduced", "less covered than asked for", "nothing to explain" |
//! | 2 | wrong use, bad input |
//! | 3 | refused: the oracle does not fail, the run folder is in use |
//! | 4 | environment: disk, permissions |
//! | 5 | internal: a bug in nub |
//! | 10 | `nub solve`: satisfiable |
//! | 20 | `nub solve`: unsatisfiable |
//! | signal | a run stopped by SIGINT, SIGTERM or SIGHUP ends with that signal's status |

use nub_report::Place;
use nub_store::{ErrorKind, StoreError};

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything that was asked for.
    Done,
    /// Done, and nothing smaller was found; less is covered than was asked for; there is nothing to explain.
    NotReduced,
    /// Wrong use or bad input.
    Usage,
    /// nub declines to start.
    Refused,
    /// Disk, permissions and the like.
    Environment,
    /// A bug in nub.
    Internal,
    /// The last answer of `nub solve` is sat.
    Satisfiable,
    /// The last answer of `nub solve` is unsat.
    Unsatisfiable,
    /// Stopped by this signal, which `main` raises again.
    Signal(i32),
}

impl Exit {
    /// The code for the shell. A signal has none: the process dies of it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::NotReduced => 1,
            Exit::Usage => 2,
            Exit::Refused => 3,
            Exit::Environment => 4,
            Exit::Internal => 5,
            Exit::Satisfiable => 10,
            Exit::Unsatisfiable => 20,
            Exit::Signal(signal) => 128 + signal as u8,
        }
    }
}

/// An error a user can act on.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Fixes the exit code.
    pub exit: Exit,
    /// What failed and why; one sentence without a full stop.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// Where, for messages about a file's content.
    pub place: Option<Place>,
    /// The line with a caret, ready to print.
    pub snippet: Option<String>,
}

impl Failure {
    /// An error of this class.
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into(), hint: None, place: None, snippet: None }
    }

    /// Wrong use or bad input.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, message)
    }

    /// The same with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let exit = match error.kind() {
            ErrorKind::Refused => Exit::Refused,
            ErrorKind::Environment => Exit::Environment,
        };
        let hint = error.hint().map(str::to_owned);
        Failure { hint, ..Failure::new(exit, error.to_string()) }
    }
}
