//! A function and its mutants over the same inputs, as terms: enough to evaluate runs of all of them. Clauses are another matter (`twins`,
//! `one_mutant`), because most mutants are never asked about.

use super::mutated_program::{MutatedProgram, has_same_inputs};
use super::text::{MutatedText, ProgramMutant};
use crate::goals::{EvaluationMode, RunEvent, SourceGoal};
use nub_bitvec::{Op, Pool, TermId, Value, cone};
use nub_c_ir::{FunctionId, Program};
use nub_unroll::{Twin, UnrollConfig, Unrolled, unroll_twins};

/// The function with its mutants.
pub(super) struct TwinTerms {
    pub program: Program,
    pub unrolled: Unrolled,
    /// What the goals are about.
    pub events: Vec<RunEvent>,
    pub evaluation: EvaluationMode,
    /// Inputs of the function itself. The inputs after them are read by mutants only: tests leave them zero.
    pub n_own_inputs: usize,
    /// In the order of the text. Those that are not valid C are omitted.
    pub list: Vec<TermMutant>,
    /// Whether some run of a mutant exceeds the bounds.
    pub is_any_cut: bool,
    /// Whether the terms decide for all mutants whether a test kills them.
    pub is_exact: bool,
    /// Whether these are all mutants, or as many as are used for selecting values.
    pub is_all: bool,
}

/// A mutant and its terms.
pub(super) struct TermMutant {
    pub mutant: ProgramMutant,
    pub function: FunctionId,
    /// `None` if it could not be unrolled.
    pub terms: Option<MutantTerms>,
}

/// What a run says about a mutant.
#[derive(Clone, Copy)]
pub(super) struct MutantTerms {
    /// A test kills it: both runs are defined, within the bounds, and differ in what tests compare.
    pub killed: TermId,
    /// A defined run of the mutant may differ, in anything, or exceeds the bounds.
    pub suspect: TermId,
    /// The mutant has undefined behaviour.
    pub undefined: TermId,
    /// Whether it reads the same inputs as the function while it runs.
    pub reads_alike: bool,
}

/// What the twins are built from.
pub(super) struct Ingredients<'i> {
    /// How a changed text is read: the text, and the names of the functions that are new.
    pub read: &'i super::ReadText,
    pub text: MutatedText,
    /// The program without mutants, and its unrolled function.
    pub program: &'i Program,
    pub unrolled: &'i Unrolled,
    pub config: &'i UnrollConfig,
    pub goals: &'i [SourceGoal],
    pub evaluation: EvaluationMode,
}

impl TwinTerms {
    /// `None` if the text with mutants cannot be read, or is too large.
    pub fn new(from: Ingredients<'_>) -> Option<TwinTerms> {
        let (original, of) = (from.program, from.unrolled.function);
        let is_all = from.text.mutants.len() >= super::N_SHARPENING || from.text.is_all;
        let MutatedProgram { program, function, list } =
            MutatedProgram::read(from.read, from.text, original, of)?;
        let ids: Vec<FunctionId> = list.iter().map(|(_, id)| *id).collect();
        let (mut unrolled, twins) = unroll_twins(&program, function, &ids, from.config).ok()?;
        let n_own_inputs = from.unrolled.inputs.len();
        let never = unrolled.pool.truth(false);
        let is_any_cut = twins.iter().flatten().any(|twin| twin.leaves != never);
        let is_known = |twin: &Twin| [twin.leaves, twin.may_differ] == [never; 2] && twin.reads_alike;
        let is_exact = twins.iter().all(|twin| twin.as_ref().is_ok_and(is_known));
        if !has_same_inputs(&unrolled, from.unrolled) {
            return None;
        }
        let twins_found = twins.iter().filter_map(|twin| twin.as_ref().ok());
        let mut found = terms(&mut unrolled, n_own_inputs, twins_found).into_iter();
        let with_terms = |((mutant, function), twin): ((ProgramMutant, FunctionId), Result<Twin, _>)| {
            let terms = twin.is_ok().then(|| found.next()).flatten();
            TermMutant { mutant, function, terms }
        };
        let list = list.into_iter().zip(twins).map(with_terms).collect();
        let events = from.goals.iter().flat_map(|goal| goal.ways.iter().flatten().copied()).collect();
        let evaluation = from.evaluation;
        Some(TwinTerms {
            program,
            unrolled,
            events,
            evaluation,
            n_own_inputs,
            list,
            is_any_cut,
            is_exact,
            is_all,
        })
    }

    /// The inputs of a test, extended by those that only mutants read.
    pub fn widened(&self, inputs: &[Value]) -> Vec<Value> {
        widened(&self.unrolled, self.n_own_inputs, inputs)
    }
}

/// The first inputs of a test, extended by zeros.
pub(super) fn widened(unrolled: &Unrolled, n_own_inputs: usize, inputs: &[Value]) -> Vec<Value> {
    let others = unrolled.inputs.iter().skip(n_own_inputs);
    let zeros = others.map(|input| Value::zero(unrolled.pool.width(input.term)));
    inputs.iter().take(n_own_inputs).cloned().chain(zeros).collect()
}

/// A rough, usually too large estimate of how many clauses terms become, since circuits share parts. The result of a function may cost much more than
/// its decisions: a square root that no decision depends on is not in its clauses.
pub(super) fn about_clauses(pool: &Pool, roots: &[TermId]) -> usize {
    let of = |id: TermId| {
        let width = pool.width(id) as usize;
        match pool.term(id).op() {
            Op::Const | Op::Var | Op::Slice | Op::Concat | Op::Uext | Op::Sext | Op::Not => 0,
            Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => 8 * width * width,
            Op::Shl | Op::Lshr | Op::Ashr => 4 * width * (width.ilog2() as usize + 1),
            _ => 4 * pool.args(id).map(|arg| pool.width(arg) as usize).max().unwrap_or(width),
        }
    };
    cone(pool, roots).into_iter().map(of).sum()
}

/// For each mutant.
fn terms<'t>(
    unrolled: &mut Unrolled,
    n_own: usize,
    twins: impl Iterator<Item = &'t Twin>,
) -> Vec<MutantTerms> {
    let others: Vec<TermId> = unrolled.inputs.iter().skip(n_own).map(|input| input.term).collect();
    let pool = &mut unrolled.pool;
    let mut all_zero = pool.truth(true);
    for term in others {
        let width = pool.width(term);
        let zero = pool.constant(Value::zero(width));
        let is_zero = pool.mk(Op::Eq, &[term, zero]);
        all_zero = pool.mk(Op::And, &[all_zero, is_zero]);
    }
    let mut found = Vec::new();
    for twin in twins {
        let defined = pool.not(twin.undefined);
        let within = pool.not(twin.leaves);
        let counts = and(pool, &[defined, twin.assumed]);
        let killed = and(pool, &[counts, within, twin.differs, all_zero]);
        let other = or(pool, &[twin.differs, twin.may_differ, twin.leaves]);
        let suspect = and(pool, &[counts, other]);
        let undefined = and(pool, &[within, twin.undefined]);
        found.push(MutantTerms { killed, suspect, undefined, reads_alike: twin.reads_alike });
    }
    found
}

fn and(pool: &mut Pool, terms: &[TermId]) -> TermId {
    let all = pool.truth(true);
    terms.iter().fold(all, |all, term| pool.mk(Op::And, &[all, *term]))
}

fn or(pool: &mut Pool, terms: &[TermId]) -> TermId {
    let none = pool.truth(false);
    terms.iter().fold(none, |any, term| pool.mk(Op::Or, &[any, *term]))
}
