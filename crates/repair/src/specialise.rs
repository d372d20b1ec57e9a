//! Substitutes values for some variables of a term.

use nub_bitvec::{Pool, Term, TermId, Value, cone};
use rustc_hash::FxHashMap;

/// The term with values for some variables. Cost: the terms below it.
pub(super) fn specialise(pool: &mut Pool, root: TermId, values: &FxHashMap<TermId, Value>) -> TermId {
    let order = cone(pool, &[root]);
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for id in order {
        let term = *pool.term(id);
        let image = match values.get(&id) {
            Some(value) => pool.constant(value.clone()),
            None => {
                let args: Vec<TermId> = term.args().map(|arg| new[&arg]).collect();
                let is_same = args.iter().copied().eq(term.args());
                if is_same { id } else { rebuilt(pool, &term, &args) }
            }
        };
        new.insert(id, image);
    }
    new[&root]
}

/// The same operator on other operands, which may be of another pool.
pub(super) fn rebuilt(pool: &mut Pool, term: &Term, args: &[TermId]) -> TermId {
    let n_indices = term.op().info().shape.n_indices();
    let indices: Vec<u32> = (0..n_indices).map(|index| term.index(index)).collect();
    pool.mk_indexed(term.op(), args, &indices)
}
