//! Values that C leaves open, and that tests must not depend on.
//!
//! The address of an object ([`crate::seen_addresses`]) and the NaN that an operation produces ([`crate::made_nans`]) differ between machines and
//! between runs. Each such choice is a variable that is zero in the runs that tests are made from. After unrolling, whatever can be observed is
//! computed for some other choices as well. A run for which it differs is a departure: no test, and no minimum, depends on it.
//!
//! Cost: nothing without such variables; otherwise the terms that depend on one are built once more for each other choice.

use crate::machine::Machine;
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Op, Pool, TermId, cone};
use rustc_hash::FxHashMap;

/// Values of the variables of one kind, other than zero.
type OtherChoice = FxHashMap<TermId, TermId>;

impl Machine<'_> {
    /// Runs in which something observable changes with such a choice depart. What is returned, left in memory or passed to a stub may vary without a
    /// departure: it is then not compared.
    pub(crate) fn depart_where_open_values_matter(&mut self) {
        let kinds = [(Assumption::Addresses, self.other_layouts()), (Assumption::Nans, self.other_nans())];
        for (assumption, choices) in kinds {
            let Some(first) = choices.first() else { continue };
            let observed = self.observed(first);
            let matters = self.differences(&observed, &choices);
            let none = self.pool.truth(false);
            let matters = matters.into_iter().fold(none, |any, one| terms::or(&mut self.pool, any, one));
            self.depart(assumption, matters);
            self.note_varying(&choices);
        }
        self.note_pointers_outside();
    }

    /// Records which final values vary with a choice.
    fn note_varying(&mut self, choices: &[OtherChoice]) {
        let mut values = self.final_values();
        let is_made = dependents(&self.pool, &values, &choices[0]);
        values.retain(|value| is_made.binary_search(value).is_ok());
        let varies = self.differences(&values, choices);
        self.out.varying.extend(values.into_iter().zip(varies));
    }

    /// What is returned, left in memory or passed to a stub, each value once.
    pub(crate) fn final_values(&self) -> Vec<TermId> {
        let results = self.out.calls.iter().filter_map(|call| call.result).chain(self.out.result);
        let seen = self.out.stub_calls.iter().flat_map(|call| &call.values).filter_map(|value| value.term);
        let outputs = self.out.outputs.iter().map(|output| output.term);
        let mut values: Vec<TermId> = outputs.chain(results).chain(seen).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// For each term one bit: whether it has another value under another choice.
    fn differences(&mut self, of: &[TermId], choices: &[OtherChoice]) -> Vec<TermId> {
        let mut found = vec![self.pool.truth(false); of.len()];
        for choice in choices {
            let others = substituted(&mut self.pool, of, choice);
            for ((term, other), differs) in of.iter().zip(others).zip(&mut found) {
                let is_other = self.pool.mk(Op::Ne, &[*term, other]);
                *differs = terms::or(&mut self.pool, *differs, is_other);
            }
        }
        found
    }

    /// Terms of everything that control flow depends on, as far as they depend on one of the variables of a choice.
    fn observed(&mut self, choice: &OtherChoice) -> Vec<TermId> {
        let (out, pool) = (&self.out, &mut self.pool);
        let mut found: Vec<TermId> = Vec::new();
        let mut where_it_counts = |guard: TermId, value: TermId| {
            let zero = pool.mk(Op::Xor, &[value, value]);
            found.extend([guard, pool.mk(Op::Ite, &[guard, value, zero])]);
        };
        for decision in &out.decisions {
            for condition in &decision.conditions {
                where_it_counts(condition.evaluated, condition.value);
            }
            decision.outcomes.iter().for_each(|(_, guard)| where_it_counts(*guard, decision.reach));
        }
        out.checks.iter().for_each(|check| where_it_counts(check.guard, check.condition));
        out.asserts.iter().for_each(|assert| where_it_counts(assert.guard, assert.condition));
        out.assumes.iter().for_each(|assume| where_it_counts(assume.guard, assume.condition));
        for call in &out.stub_calls {
            call.values.iter().for_each(|value| where_it_counts(call.guard, value.exists));
        }
        found.extend(out.statements.iter().map(|statement| statement.guard));
        found.extend(out.over.iter().map(|over| over.guard));
        found.extend(out.stops.iter().map(|stop| stop.guard));
        found.extend(out.inputs.iter().map(|input| input.guard));
        found.extend(out.calls.iter().map(|call| call.returned));
        found.push(out.returned);
        found.sort_unstable();
        found.dedup();
        let is_needed = dependents(&self.pool, &found, choice);
        found.retain(|term| is_needed.binary_search(term).is_ok());
        found
    }
}

/// Terms below `roots` that depend on a variable of a choice, ascending. O(terms below).
fn dependents(pool: &Pool, roots: &[TermId], on: &OtherChoice) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for term in cone(pool, roots) {
        if on.contains_key(&term) || pool.args(term).any(|arg| found.binary_search(&arg).is_ok()) {
            found.push(term);
        }
    }
    found
}

/// The terms with variables replaced. O(terms below that depend on one).
fn substituted(pool: &mut Pool, roots: &[TermId], by: &OtherChoice) -> Vec<TermId> {
    let mut known = by.clone();
    for id in cone(pool, roots) {
        let term = *pool.term(id);
        if known.contains_key(&id) || !term.args().any(|arg| known.contains_key(&arg)) {
            continue;
        }
        let args: Vec<TermId> = term.args().map(|arg| known.get(&arg).copied().unwrap_or(arg)).collect();
        let n_indices = term.op().info().shape.n_indices();
        let indices: Vec<u32> = (0..n_indices).map(|index| term.index(index)).collect();
        known.insert(id, pool.mk_indexed(term.op(), &args, &indices));
    }
    roots.iter().map(|root| known.get(root).copied().unwrap_or(*root)).collect()
}
