//! Arrays by lemmas on demand, after Brummayer and Biere, Lemmas on demand for the extensional theory of arrays (JSAT 2009).
//!
//! The SAT solver knows nothing about arrays: a read may have any value, and an equality of arrays any truth value. From its model we
//! compute whether there are arrays that agree with all of them. Each read, and each write at its own index, is an *access*: it says that
//! an array has a certain element at a certain index. Accesses travel ([`travel`](mod@travel)): from a write to the array below
//! and back if the index differs, through the chosen branch of `ite`, across an equality that is true. Two accesses
//! that meet with equal indices and different elements are a conflict. The paths they took are the premises of a lemma that
//! the model violates. If there is no conflict, the accesses define the arrays ([`values`](mod@values)).
//!
//! Extensionality needs one more thing: arrays that are not equal must differ at some index. Each equality gets a *witness*, a fresh
//! index with the lemma that the arrays are equal or their elements at this index differ.
//!
//! This is complete: a lemma is a clause over equalities of finitely many indices, elements, conditions and atoms, none is violated
//! twice, and if none is violated there is a model. A constant array gets an access with its element at an index that is used nowhere or,
//! if there is no such index, at all indices, and an access that arrives at a constant array must have its element.

mod graph;
mod justify;
mod travel;
mod values;

use graph::Graph;
pub(crate) use graph::unnamed;
use nub_bitvec::{Assignment, Op, Pool, Sort, TermId, Value, cone};
use rustc_hash::FxHashMap;
use travel::Travel;

/// What is kept from one question to the next.
#[derive(Default)]
pub(crate) struct Arrays {
    /// The lemma with the witness of each equality.
    witnesses: FxHashMap<TermId, TermId>,
}

impl Arrays {
    /// The lemmas of all equalities of arrays below the roots, and below these lemmas.
    pub(crate) fn witness_lemmas(&mut self, pool: &mut Pool, roots: &[TermId]) -> Vec<TermId> {
        let is_equality = |pool: &Pool, id: TermId| {
            matches!(pool.op(id), Op::Eq | Op::Ne) && pool.args(id).all(|arg| pool.sort(arg).is_array())
        };
        let equalities: Vec<TermId> =
            cone(pool, roots).into_iter().filter(|id| is_equality(pool, *id)).collect();
        // The lemma reads the two arrays and compares elements: it contains no new equality of arrays.
        equalities
            .into_iter()
            .map(|id| *self.witnesses.entry(id).or_insert_with(|| witness_lemma(pool, id)))
            .collect()
    }
}

/// `a = b` or `read(a, k) != read(b, k)`, for a new `k`.
fn witness_lemma(pool: &mut Pool, equality: TermId) -> TermId {
    let term = *pool.term(equality);
    let (a, b) = (term.arg(0), term.arg(1));
    let Sort::Array { index, .. } = pool.sort(a) else { unreachable!("an equality of arrays") };
    let witness = pool.var(Sort::Bits(index));
    let [at_a, at_b] = [a, b].map(|array| pool.mk(Op::Read, &[array, witness]));
    let differ = pool.mk(Op::Ne, &[at_a, at_b]);
    let equal = if term.op() == Op::Eq { equality } else { pool.not(equality) };
    pool.mk(Op::Or, &[equal, differ])
}

/// The result of checking values.
pub(crate) enum Outcome {
    /// Arrays that agree with the values.
    Arrays(Assignment),
    /// There are no such arrays: lemmas that exclude these values, each an instance of the axioms ([`justify`](mod@justify)).
    Lemmas(Vec<TermId>),
    /// A lemma that is not an instance: a defect of this program.
    WrongLemma,
}

/// Whether there are arrays that agree with these values of the terms below the roots.
pub(crate) fn check(pool: &mut Pool, roots: &[TermId], values: &FxHashMap<TermId, Value>) -> Outcome {
    let graph = Graph::new(pool, roots, values);
    let mut travel = Travel::new(&graph, values);
    let conflicts = travel.run();
    if conflicts.is_empty() {
        return Outcome::Arrays(values::array_values(pool, &graph, &travel));
    }
    let lemmas: Vec<travel::Lemma> = conflicts.iter().map(|conflict| travel.lemma(conflict)).collect();
    if !lemmas.iter().all(|lemma| justify::is_instance(pool, lemma)) {
        return Outcome::WrongLemma;
    }
    Outcome::Lemmas(lemmas.iter().map(|lemma| lemma.term(pool)).collect())
}
