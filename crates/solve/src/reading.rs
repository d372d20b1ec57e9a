//! What the readers of files share: how they are asked, and what they say.

use crate::{Limits, Reason};
use nub_text::{Diagnostic, Span};

/// The answer to a question of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a model, and the evaluator agrees.
    Sat,
    /// There is none.
    Unsat,
    /// Not found out.
    Unknown(Reason),
}

impl Verdict {
    /// As solvers print it.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// When a model is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Models {
    /// If the file asks for it.
    #[default]
    OnRequest,
    /// After every `sat`.
    Always,
}

/// How a file is solved.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// When a model is printed.
    pub models: Models,
    /// What each question may cost. Raising its `cancel` ends the file.
    pub limits: Limits,
}

/// Takes what is printed, as it comes.
pub type Output<'a> = &'a mut dyn FnMut(&[u8]);

/// The widest bit-vector that a file may have. A width costs nothing to write, and a constant takes an eighth of it in
/// bytes; a circuit of this width is far beyond what can be solved.
pub const MAX_READ_WIDTH: u32 = 1 << 22;

/// A refusal because of a width.
pub(crate) fn too_wide(span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("more than {MAX_READ_WIDTH} bits are not supported"))
}
