//! Arrays with few indices, represented by bit-vectors of all their elements.

use nub_bitvec::{Op, Pool, TermId, Value};

/// The elements, in the order of their indices.
pub(super) fn elements(pool: &mut Pool, array: TermId, n_slots: u32) -> Vec<TermId> {
    let width = pool.width(array) / n_slots;
    (0..n_slots).map(|slot| pool.slice(array, (slot + 1) * width - 1, slot * width)).collect()
}

fn is_at(pool: &mut Pool, index: TermId, slot: usize) -> TermId {
    let number = pool.constant(Value::from_u64(pool.width(index), slot as u64));
    pool.mk(Op::Eq, &[number, index])
}

fn joined(pool: &mut Pool, elements: &[TermId]) -> TermId {
    let (&first, others) = elements.split_first().expect("there is an index");
    others.iter().fold(first, |low, high| pool.mk(Op::Concat, &[*high, low]))
}

/// `select`
pub(super) fn select(pool: &mut Pool, array: TermId, index: TermId, n_slots: u32) -> TermId {
    let elements = elements(pool, array, n_slots);
    let mut chosen = elements[elements.len() - 1];
    for (slot, element) in elements.iter().enumerate().rev().skip(1) {
        let is_here = is_at(pool, index, slot);
        chosen = pool.mk(Op::Ite, &[is_here, *element, chosen]);
    }
    chosen
}

/// `store`
pub(super) fn store(pool: &mut Pool, array: TermId, [index, value]: [TermId; 2], n_slots: u32) -> TermId {
    let mut elements = elements(pool, array, n_slots);
    for (slot, element) in elements.iter_mut().enumerate() {
        let is_here = is_at(pool, index, slot);
        *element = pool.mk(Op::Ite, &[is_here, value, *element]);
    }
    joined(pool, &elements)
}

/// `((as const …) v)`
pub(super) fn constant(pool: &mut Pool, value: TermId, n_slots: u32) -> TermId {
    joined(pool, &vec![value; n_slots as usize])
}
