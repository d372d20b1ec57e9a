//! What the readers of files share: how they are asked, and what they say.

use crate::{BvSolver, Reason, SatLimits};
use nub_bitvec::{Pool, Rewriting, TermId};
use nub_sat::SatSolver;
use nub_sat::proof::{Certificates, CertifyingSolver};
use nub_text::{Diagnostic, Span};

/// The answer to a question of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveVerdict {
    /// There is a model, and the evaluator agrees.
    Sat,
    /// There is none.
    Unsat,
    /// Not found out.
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

/// When a model is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Models {
    /// If the file asks for it.
    #[default]
    OnRequest,
    /// After every `sat`.
    Always,
}

/// Whether `unsat` is proved before it is said.
///
/// A proof is about clauses: that they have no model is derived step by step, and each step is checked. That the clauses
/// mean what the file says is not part of it. Lemmas about arrays are among the clauses; that each is an instance of the
/// axioms is checked on its own, always.
#[derive(Clone, Debug, Default)]
pub enum Proofs {
    /// No.
    #[default]
    None,
    /// Every `unsat` is, and the proof of the last one is left here.
    Checked(Certificates),
}

/// How a file is solved.
#[derive(Clone, Debug, Default)]
pub struct SolveConfig {
    /// When a model is printed.
    pub models: Models,
    /// How terms are simplified.
    pub rewriting: Rewriting,
    /// What each question may cost. Raising its `cancel` ends the file.
    pub limits: SatLimits,
    /// Whether `unsat` is proved.
    pub proofs: Proofs,
}

impl SolveConfig {
    /// A solver without clauses, with proofs if they are wanted.
    pub(crate) fn solver(&self) -> Box<dyn SatSolver> {
        match &self.proofs {
            Proofs::None => self.limits.new_solver(),
            Proofs::Checked(certificates) => {
                // What a program calls unsat is proved in any case, so a lie is known as one before.
                let solver = self.limits.solver.clone().with_full_recheck().new_solver();
                Box::new(CertifyingSolver::new(solver, certificates.clone()))
            }
        }
    }

    /// Says in the last certificate what the literals of variables mean: `name of` a variable, and its bit.
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

/// Takes what is printed, as it comes.
pub type OutputSink<'a> = &'a mut dyn FnMut(&[u8]);

/// The widest bit-vector that a file may have. A width costs nothing to write, and a constant takes an eighth of it in
/// bytes; a circuit of this width is far beyond what can be solved.
pub const MAX_READ_WIDTH: u32 = 1 << 22;

/// A refusal because of a width.
pub(crate) fn too_wide(span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("more than {MAX_READ_WIDTH} bits are not supported"))
}
