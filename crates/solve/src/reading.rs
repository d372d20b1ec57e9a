//! What the readers of files share: their configuration and their results.

use crate::{BvSolver, Reason, SatLimits};
use nub_bitvec::{Pool, Rewriting, TermId};
use nub_sat::SatSolver;
use nub_sat::proof::{Certificates, CertifyingSolver};
use nub_text::{Diagnostic, Span};

/// The answer to a question in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveVerdict {
    /// There is a model, and the evaluator has checked it.
    Sat,
    /// There is none.
    Unsat,
    /// Undecided.
    Unknown(Reason),
}

impl SolveVerdict {
    /// As solvers print it.
    pub fn word(&self) -> &'static str {
        match self {
            SolveVerdict::Sat => "sat",
            SolveVerdict::Unsat => "unsat",
            SolveVerdict::Unknown(_) => "unknown",
        }
    }
}

/// When to print a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Models {
    /// If the file requests it.
    #[default]
    OnRequest,
    /// After every `sat`.
    Always,
}

/// Whether `unsat` is proved before it is reported.
///
/// A proof is about clauses: it derives step by step that they have no model, and each step is checked. It does not show that the clauses
/// mean what the file says. Lemmas about arrays are among the clauses; whether each is an instance of the
/// axioms is always checked separately.
#[derive(Clone, Debug, Default)]
pub enum Proofs {
    /// No proofs.
    #[default]
    None,
    /// Every `unsat` is proved, and the proof of the last one is stored here.
    Checked(Certificates),
}

/// How to solve a file.
#[derive(Clone, Debug, Default)]
pub struct SolveConfig {
    /// When to print a model.
    pub models: Models,
    /// How to simplify terms.
    pub rewriting: Rewriting,
    /// Limits on each question. Raising its `cancel` ends the work on the file.
    pub limits: SatLimits,
    /// Whether to prove `unsat`.
    pub proofs: Proofs,
}

impl SolveConfig {
    /// A solver without clauses, with proofs if requested.
    pub(crate) fn solver(&self) -> Box<dyn SatSolver> {
        match &self.proofs {
            Proofs::None => self.limits.new_solver(),
            Proofs::Checked(certificates) => {
                // Every `unsat` of an external program will be proved, so let the built-in solver repeat it: then a wrong answer is
                // detected first.
                let solver = self.limits.solver.clone().with_full_recheck().new_solver();
                Box::new(CertifyingSolver::new(solver, certificates.clone()))
            }
        }
    }

    /// Records in the last certificate what the literals of variables mean: the name of a variable, and its bit.
    pub(crate) fn name_lits(
        &self,
        solver: &BvSolver,
        pool: &Pool,
        name_of: impl Fn(TermId) -> Option<String>,
    ) {
        let Proofs::Checked(certificates) = &self.proofs else { return };
        let lits = solver.var_lits(pool).into_iter();
        let names = lits.filter_map(|(term, bit, lit)| Some((format!("{} {bit}", name_of(term)?), lit)));
        certificates.name(names.collect());
    }
}

/// Receives the output as it is produced.
pub type OutputSink<'a> = &'a mut dyn FnMut(&[u8]);

/// The widest bit-vector that a file may have. Large widths are cheap to write, and a constant takes an eighth of its width in
/// bytes; a circuit of this width is far too large to be solved.
pub const MAX_READ_WIDTH: u32 = 1 << 22;

/// Rejects a width.
pub(crate) fn too_wide(span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("more than {MAX_READ_WIDTH} bits are not supported"))
}
