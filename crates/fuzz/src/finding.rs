//! What is wrong with a run, and how bad that is.

mod about;

use serde::{Deserialize, Serialize};

use crate::answers::PrintedAnswer;

pub use about::{About, about};

/// How it is known that an answer is wrong, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// The input was built to have this answer.
    Construction,
    /// A model that our evaluator confirmed: the input is satisfiable.
    Model,
    /// The built-in solver proved it unsatisfiable, and the proof was checked.
    Proof,
    /// The built-in solver, whose `unsat` was not proved. It decides which solver to suspect, but never a
    /// report.
    BuiltIn,
    /// The solver itself answers `sat` once the values of another solver's model are put in.
    Witness,
    /// The same solver under other options. It is only certain that one of its answers is wrong.
    Options,
}

impl Authority {
    /// A phrase for the title.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Authority::Construction => "by construction",
            Authority::Model => "model checked by the built-in evaluator",
            Authority::Proof => "proof of the built-in solver checked",
            Authority::BuiltIn => "according to the built-in solver",
            Authority::Witness => "its own answer when the values of another solver's model are asserted",
            Authority::Options => "its own answer under other options",
        }
    }
}

/// The kind of a finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// `sat` for `unsat` or the other way round.
    WrongAnswer {
        /// What the solver said.
        said: PrintedAnswer,
        /// What is right.
        truth: PrintedAnswer,
        /// How that is known.
        by: Authority,
    },
    /// Two solvers contradict each other, and it is unknown which one is wrong.
    Disagreement {
        /// What this solver said.
        said: PrintedAnswer,
        /// What the other said.
        other: PrintedAnswer,
        /// The other's name.
        other_name: String,
    },
    /// A model that does not satisfy the input.
    InvalidModel,
    /// An unsat core that is satisfiable.
    BadCore,
    /// A proof that does not check.
    BadProof,
    /// A sanitizer's report.
    Sanitizer,
    /// A failed internal check of the program.
    Assertion,
    /// The program was killed by a signal or an uncaught exception.
    Crash,
    /// Memory ran out where others need little.
    Memory,
    /// Time ran out where others need little.
    Hang,
    /// Too much output.
    Flood,
    /// A regular end without an answer.
    Garbage,
    /// An error on input that others accept.
    Error,
}

/// How bad a finding is; greater is worse. The order follows the maintainers' request in cvc5 issue 5734:
/// unsoundness first, since a user cannot notice it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingSeverity {
    /// An error on valid input.
    Error,
    /// No answer.
    Garbage,
    /// Too much output.
    Flood,
    /// A hang.
    Hang,
    /// Memory.
    Memory,
    /// The program was killed by a signal.
    Crash,
    /// A failed assertion.
    Assertion,
    /// A sanitizer's report.
    Sanitizer,
    /// A bad core or proof.
    Evidence,
    /// An invalid model.
    Model,
    /// One of two solvers is unsound, but it is unknown which.
    Disagreement,
    /// Answered `sat` on an unsatisfiable input.
    SolutionUnsound,
    /// Answered `unsat` on a satisfiable input: a verifier would call a faulty program correct.
    RefutationUnsound,
}

/// Something wrong with one run of one solver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The solver's name.
    pub solver: String,
    /// What it is.
    pub kind: FindingKind,
    /// The normalised message; may be empty.
    pub message: String,
    /// The normalised stack, innermost frame first; may be empty.
    pub stack: Vec<String>,
}

/// Characters of a message in a title.
const MAX_TITLE_MESSAGE: usize = 100;

impl Finding {
    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> FindingSeverity {
        match &self.kind {
            FindingKind::WrongAnswer { said: PrintedAnswer::Unsat, .. } => FindingSeverity::RefutationUnsound,
            FindingKind::WrongAnswer { .. } => FindingSeverity::SolutionUnsound,
            FindingKind::Disagreement { .. } => FindingSeverity::Disagreement,
            FindingKind::InvalidModel => FindingSeverity::Model,
            FindingKind::BadCore | FindingKind::BadProof => FindingSeverity::Evidence,
            FindingKind::Sanitizer => FindingSeverity::Sanitizer,
            FindingKind::Assertion => FindingSeverity::Assertion,
            FindingKind::Crash => FindingSeverity::Crash,
            FindingKind::Memory => FindingSeverity::Memory,
            FindingKind::Hang => FindingSeverity::Hang,
            FindingKind::Flood => FindingSeverity::Flood,
            FindingKind::Garbage => FindingSeverity::Garbage,
            FindingKind::Error => FindingSeverity::Error,
        }
    }

    /// One line that describes it.
    #[must_use]
    pub fn title(&self) -> String {
        let what = match &self.kind {
            FindingKind::WrongAnswer { said, truth, by: by @ (Authority::Witness | Authority::Options) } => {
                format!("contradicts itself: answers {said}, and {truth} ({})", by.text())
            }
            FindingKind::WrongAnswer { said, truth, by } => {
                format!("answers {said}, but the input is {truth} ({})", by.text())
            }
            FindingKind::Disagreement { said, other, other_name } => {
                format!("two solvers disagree: it answers {said}, {other_name} answers {other}")
            }
            kind => kind.words().to_owned(),
        };
        let message: String = self.message.chars().take(MAX_TITLE_MESSAGE).collect();
        match (message.is_empty(), self.stack.first()) {
            (false, _) => format!("{}: {what}: {message}", self.solver),
            (true, Some(frame)) => format!("{}: {what} in {frame}", self.solver),
            (true, None) => format!("{}: {what}", self.solver),
        }
    }
}

impl FindingKind {
    /// Whether each run that shows it takes the full time limit.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(self, FindingKind::Hang | FindingKind::Memory | FindingKind::Flood)
    }

    /// A short description.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            FindingKind::WrongAnswer { .. } => "wrong answer",
            FindingKind::Disagreement { .. } => "disagreement",
            FindingKind::InvalidModel => "invalid model",
            FindingKind::BadCore => "unsat core is satisfiable",
            FindingKind::BadProof => "proof does not check",
            FindingKind::Sanitizer => "sanitizer report",
            FindingKind::Assertion => "failed assertion",
            FindingKind::Crash => "crash",
            FindingKind::Memory => "runs out of memory",
            FindingKind::Hang => "reaches the time limit",
            FindingKind::Flood => "prints too much output",
            FindingKind::Garbage => "ends without an answer",
            FindingKind::Error => "error on valid input",
        }
    }

    /// One word for names of folders.
    #[must_use]
    pub fn slug(&self) -> &'static str {
        match self {
            FindingKind::WrongAnswer { .. } => "wrong",
            FindingKind::Disagreement { .. } => "disagreement",
            FindingKind::InvalidModel => "model",
            FindingKind::BadCore => "core",
            FindingKind::BadProof => "proof",
            FindingKind::Sanitizer => "sanitizer",
            FindingKind::Assertion => "assertion",
            FindingKind::Crash => "crash",
            FindingKind::Memory => "memory",
            FindingKind::Hang => "hang",
            FindingKind::Flood => "flood",
            FindingKind::Garbage => "garbage",
            FindingKind::Error => "error",
        }
    }
}
