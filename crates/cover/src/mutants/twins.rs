//! A function and its mutants over the same inputs, as one problem: that a test kills a mutant is an atom like any other. It has clauses for all
//! mutants, as claims about all of them need.

use super::rerun::{MutantHost, Rerun};
use super::text::ProgramMutant;
use super::twin_terms::{TermMutant, TwinTerms, widened};
use crate::encode::{Encoded, Request, UndefinedBehaviour, encode_events};
use crate::measure::Measure;
use crate::search::AtomId;
use nub_bitvec::{TermId, Value};
use nub_c_ir::{FunctionId, Program};
use nub_cnf::Lit;
use nub_sat::SatLimits;
use nub_unroll::Unrolled;

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

impl Twins {
    /// `None` if there would be too many clauses.
    pub fn new(from: TwinTerms, limits: &SatLimits) -> Option<Twins> {
        let TwinTerms { program, mut unrolled, events, evaluation, list, .. } = from;
        let TwinTerms { n_own_inputs, is_any_cut, is_exact, is_all, .. } = from;
        let undefined = UndefinedBehaviour::Excluded;
        let terms = list.iter().filter_map(|twin| twin.terms);
        let more: Vec<TermId> =
            terms.flat_map(|terms| [terms.killed, terms.suspect, terms.undefined]).collect();
        let request = Request { events, more: &more, routes: &[], evaluation, undefined };
        let mut encoded = encode_events(&program, &mut unrolled, request, limits).ok()?;
        let mut lits = encoded.more.clone();
        let mut found = Vec::new();
        for TermMutant { mutant, function, terms } in list {
            let enough = lits.len() >= TERMS_EACH;
            let own: Vec<Lit> = match &terms {
                Some(_) if enough => lits.drain(..TERMS_EACH).collect(),
                _ => Vec::new(),
            };
            let lits = terms.filter(|_| !own.is_empty()).map(|terms| TwinLits {
                killed: atom(&mut encoded, own[0]),
                term: terms.killed,
                suspect: own[1],
                suspected: atom(&mut encoded, own[1]),
                suspect_term: terms.suspect,
                undefined: own[2],
                reads_alike: terms.reads_alike,
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
        widened(&self.unrolled, self.n_own_inputs, inputs)
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
