//! A function and its mutants over the same inputs, as one problem: that a test kills a mutant is an atom like any other.

use super::rerun::{MutantHost, Rerun};
use super::text::{MutatedText, ProgramMutant};
use crate::encode::{Encoded, Request, UndefinedBehaviour, encode_events};
use crate::goals::{EvaluationMode, RunEvent, SourceGoal};
use crate::measure::Measure;
use crate::search::AtomId;
use nub_bitvec::{Op, Pool, TermId, Value, cone};
use nub_c_ir::{Body, FunctionId, Program};
use nub_cnf::Lit;
use nub_sat::SatLimits;
use nub_unroll::{Twin, UnrollConfig, Unrolled, unroll_twins};

/// Terms of each mutant that become literals.
const TERMS_EACH: usize = 3;

/// The function with its mutants.
pub(super) struct Twins {
    pub program: Program,
    pub unrolled: Unrolled,
    pub encoded: Encoded,
    /// Inputs of the function itself. The inputs after them are read by mutants only: tests leave them zero.
    pub n_own_inputs: usize,
    /// In the order of the text. Those that are not valid C are omitted.
    pub list: Vec<TwinMutant>,
    /// Whether some run of a mutant exceeds the bounds.
    is_any_cut: bool,
    /// Whether the terms decide for all mutants whether a test kills them.
    pub is_exact: bool,
    /// Whether these are all mutants, or as many as are used for selecting values.
    pub is_all: bool,
}

/// A mutant and its literals.
pub(super) struct TwinMutant {
    pub mutant: ProgramMutant,
    pub function: FunctionId,
    /// `None` if it could not be unrolled or encoded.
    pub lits: Option<TwinLits>,
}

/// What the clauses say about a mutant.
#[derive(Clone, Copy)]
pub(super) struct TwinLits {
    /// A test kills it: both runs are defined, within the bounds, and differ in what tests compare.
    pub killed: AtomId,
    /// The same as a term.
    pub term: TermId,
    /// A defined run of the mutant may differ, in anything, or exceeds the bounds.
    pub suspect: Lit,
    /// The same as an atom.
    pub suspected: AtomId,
    /// The same as a term.
    pub suspect_term: TermId,
    /// The mutant has undefined behaviour.
    pub undefined: Lit,
    /// Whether it reads the same inputs as the function while it runs.
    pub reads_alike: bool,
}

/// A program with mutants of one of its functions appended.
pub(super) struct MutatedProgram {
    pub program: Program,
    /// The function itself.
    pub function: FunctionId,
    /// In the order of the text. Those that are not valid C are omitted.
    pub list: Vec<(ProgramMutant, FunctionId)>,
}

impl MutatedProgram {
    /// `None` if the text cannot be read, or the function is not the same as without mutants.
    pub fn read(
        read: &super::ReadText,
        text: MutatedText,
        original: &Program,
        of: FunctionId,
    ) -> Option<MutatedProgram> {
        let names: Vec<String> = text.mutants.iter().map(|mutant| mutant.name.clone()).collect();
        let mut program = read.read(&text.text, &names)?;
        let function = program.function_by_name(&original.function(of).name)?;
        let mut list = Vec::new();
        for mutant in text.mutants {
            let Some(id) = program.function_by_name(&mutant.name) else { continue };
            // No pointer points to it.
            program.functions[id.index()].is_model = true;
            if matches!(program.function(id).body, Body::Defined) && program.refusals(id).is_empty() {
                list.push((mutant, id));
            }
        }
        is_same_function(original, &program, (of, function)).then_some(MutatedProgram {
            program,
            function,
            list,
        })
    }
}

/// Whether the inputs of an unrolled function are the first ones of another.
pub(super) fn has_same_inputs(larger: &Unrolled, own: &Unrolled) -> bool {
    let names = |unrolled: &Unrolled| -> Vec<String> {
        unrolled.inputs.iter().take(own.inputs.len()).map(|input| input.name.clone()).collect()
    };
    names(larger) == names(own)
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
    /// If there are about this many more clauses than for the function alone, nothing is built.
    pub max_clauses: usize,
}

impl Twins {
    /// `None` if the text with mutants cannot be read, or is too large.
    pub fn new(from: Ingredients<'_>, limits: &SatLimits) -> Option<Twins> {
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
        let events: Vec<RunEvent> =
            from.goals.iter().flat_map(|goal| goal.ways.iter().flatten().copied()).collect();
        let undefined = UndefinedBehaviour::Excluded;
        let more = terms(&mut unrolled, n_own_inputs, twins.iter().filter_map(|twin| twin.as_ref().ok()));
        if about_clauses(&unrolled.pool, &more) > from.max_clauses {
            return None;
        }
        let request = Request { events, more: &more, routes: &[], evaluation: from.evaluation, undefined };
        let mut encoded = encode_events(&program, &mut unrolled, request, limits).ok()?;
        let mut lits = encoded.more.clone();
        let mut own_terms = more.iter().step_by(TERMS_EACH).copied();
        let mut own_suspects = more.iter().skip(1).step_by(TERMS_EACH).copied();
        let mut found = Vec::new();
        for ((mutant, function), twin) in list.into_iter().zip(twins) {
            let enough = lits.len() >= TERMS_EACH;
            let own: Vec<Lit> = match &twin {
                Ok(_) if enough => lits.drain(..TERMS_EACH).collect(),
                _ => Vec::new(),
            };
            let lits = twin.ok().filter(|_| !own.is_empty()).map(|twin| TwinLits {
                killed: atom(&mut encoded, own[0]),
                term: own_terms.next().unwrap_or(never),
                suspect: own[1],
                suspected: atom(&mut encoded, own[1]),
                suspect_term: own_suspects.next().unwrap_or(never),
                undefined: own[2],
                reads_alike: twin.reads_alike,
            });
            found.push(TwinMutant { mutant, function, lits });
        }
        Some(Twins { program, unrolled, encoded, n_own_inputs, list: found, is_any_cut, is_exact, is_all })
    }

    /// Whether some runs exceed the bounds of loops or of memory, or violate an assumption.
    pub fn is_bounded(&self) -> bool {
        self.encoded.problem.over.is_some() || self.is_any_cut
    }

    /// A test, to be run in the interpreter; `None` if that is not possible.
    pub fn rerun(&self, inputs: &[Value]) -> Option<Rerun<'_>> {
        let host = MutantHost { program: &self.program, unrolled: &self.unrolled };
        Rerun::new(host, &self.widened(inputs))
    }

    /// The inputs of a test, extended by those that only mutants read.
    pub fn widened(&self, inputs: &[Value]) -> Vec<Value> {
        let others = self.unrolled.inputs.iter().skip(self.n_own_inputs);
        let zeros = others.map(|input| Value::zero(self.unrolled.pool.width(input.term)));
        inputs.iter().take(self.n_own_inputs).cloned().chain(zeros).collect()
    }

    /// The mutants that are in the clauses, in the order of the groups of [`Twins::measure`].
    pub fn lits(&self) -> impl Iterator<Item = TwinLits> + Clone {
        self.list.iter().filter_map(|twin| twin.lits)
    }

    /// Evaluates runs; whether a run kills a mutant is a group of its own.
    pub fn measure(&self) -> Measure<'_> {
        let groups =
            self.lits().map(|lits| vec![(lits.term, lits.killed), (lits.suspect_term, lits.suspected)]);
        Measure::with_groups(&self.unrolled, &self.encoded, &groups.collect::<Vec<_>>())
    }
}

/// The atom of a literal; a new one if no event has it.
fn atom(encoded: &mut Encoded, lit: Lit) -> AtomId {
    let atoms = &mut encoded.problem.atoms;
    let at = atoms.iter().position(|known| *known == lit).unwrap_or_else(|| {
        atoms.push(lit);
        atoms.len() - 1
    });
    AtomId(at as u32)
}

/// A rough, usually too large estimate of how many clauses terms become, since circuits share parts. The result of a function may cost much more than
/// its decisions: a square root that no decision depends on is not in its clauses.
fn about_clauses(pool: &Pool, roots: &[TermId]) -> usize {
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

/// Whether decisions and statements of the function have the numbers that goals use.
fn is_same_function(old: &Program, new: &Program, (of_old, of_new): (FunctionId, FunctionId)) -> bool {
    let decisions = |program: &Program, function: FunctionId| -> Vec<_> {
        let list = program.decisions.iter().enumerate();
        list.filter(|(_, found)| found.function == function).map(|(at, found)| (at, found.span)).collect()
    };
    let statements = |program: &Program, function: FunctionId| -> Vec<_> {
        let list = program.statements.iter().enumerate();
        list.filter(|(_, found)| found.function == function).map(|(at, found)| (at, found.span)).collect()
    };
    decisions(old, of_old) == decisions(new, of_new) && statements(old, of_old) == statements(new, of_new)
}

/// Three for each mutant, see [`TwinLits`].
fn terms<'t>(unrolled: &mut Unrolled, n_own: usize, twins: impl Iterator<Item = &'t Twin>) -> Vec<TermId> {
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
        found.push(killed);
        found.push(and(pool, &[counts, other]));
        found.push(and(pool, &[within, twin.undefined]));
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
