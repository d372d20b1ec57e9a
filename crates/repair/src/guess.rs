//! Values of a change with which runs pass.
//!
//! With all inputs of a run and the point of a change fixed, whether the run passes depends only on the value of the change. The term for this is
//! small, so the solver can have one for each run, over the same bits of the value.

use super::Refusal;
use super::encoded_program::EncodedProgram;
use super::numbers::is_value;
use super::runs::{Change, Run};
use super::specialise::specialise;
use nub_bitvec::{TermId, Value};
use nub_c_ir::GlobalId;
use nub_cnf::Lit;
use nub_sat::SatAnswer;
use rustc_hash::FxHashMap;

impl EncodedProgram<'_> {
    /// A literal that is true for those values of the last change with which this run passes. The value itself is not fixed, and neither are other
    /// entries of the table.
    pub fn passes_by_value(&mut self, table: &[Change], run: &Run) -> Result<Lit, Refusal> {
        let Some(last) = table.last() else { return Ok(self.violates) };
        let extra = last.extra.map_or(0, |(number, _)| number + 1);
        let root = self.at_site(last.site, extra);
        let mut map = self.fixed_values(table);
        let open = self.entries.get(table.len() - 1).and_then(|entry| self.slots.get(&entry.value));
        open.into_iter().for_each(|slot| drop(map.remove(&slot.term)));
        for (index, _) in &self.inputs {
            map.insert(self.unrolled.inputs[*index].term, run.values[*index].clone());
        }
        let term = specialise(&mut self.unrolled.pool, root, &map);
        self.lit(term)
    }

    /// Values of the inputs of tables: these changes and no others.
    pub(super) fn fixed_values(&self, table: &[Change]) -> FxHashMap<TermId, Value> {
        let mut map: FxHashMap<TermId, Value> = FxHashMap::default();
        for (at, entry) in self.entries.iter().enumerate() {
            let Some(change) = table.get(at) else {
                self.put(&mut map, entry.site, 0);
                continue;
            };
            self.put(&mut map, entry.site, change.site as u128 + 1);
            for (key, value) in entry.keys.iter().zip(&change.keys) {
                self.put(&mut map, *key, *value);
            }
            let (number, value) = change.extra.map_or((0, 0), |(number, value)| (number + 1, value));
            self.put(&mut map, entry.extra, number as u128);
            self.put(&mut map, entry.extra_key, value);
            self.put(&mut map, entry.value, change.value);
        }
        map
    }

    fn put(&self, map: &mut FxHashMap<TermId, Value>, global: GlobalId, value: u128) {
        if let Some(slot) = self.slots.get(&global) {
            let width = self.unrolled.pool.width(slot.term);
            map.insert(slot.term, Value::from_bits((0..width).map(|bit| value >> bit & 1 == 1)));
        }
    }

    /// `passes` where all entries are for one site; much smaller than for all sites.
    fn at_site(&mut self, site: usize, extra: usize) -> TermId {
        if let Some(found) = self.specialised.get(&(site, extra)) {
            return *found;
        }
        let mut map = FxHashMap::default();
        if let [only] = self.entries {
            self.put(&mut map, only.site, site as u128 + 1);
            self.put(&mut map, only.extra, extra as u128);
        }
        let found = specialise(&mut self.unrolled.pool, self.passes, &map);
        self.specialised.insert((site, extra), found);
        found
    }

    /// A value for the last change of a table with which all these literals are true, preferably one that appears in the program. `None` if this is
    /// unknown.
    pub fn value(&mut self, table: &[Change], wanted: &[Lit]) -> Option<Option<u128>> {
        let (entry, site) = (table.len().saturating_sub(1), table.last().map_or(0, |change| change.site));
        let slot = self.entries.get(entry).and_then(|entry| self.slots.get(&entry.value));
        let bits = slot.map(|slot| slot.bits.clone()).unwrap_or_default();
        let named = self.named_values(entry, site, &bits);
        let mut answer = SatAnswer::Unsat;
        for guess in named.map(Some).into_iter().chain([None]) {
            let assumptions: Vec<Lit> = wanted.iter().copied().chain(guess).collect();
            answer = self.ask(&assumptions);
            if answer == SatAnswer::Sat {
                break;
            }
        }
        match answer {
            SatAnswer::Unsat => Some(None),
            SatAnswer::Unknown(_) => None,
            SatAnswer::Sat => {
                let mut value = 0;
                for (at, bit) in bits.iter().enumerate() {
                    value |= u128::from(self.solver.value(*bit)) << at;
                }
                Some(Some(value))
            }
        }
    }

    /// A literal that implies that the value of the first entry is a number of the program, in the representation of the site's value. `None` for
    /// other entries.
    fn named_values(&mut self, entry: usize, site: usize, bits: &[Lit]) -> Option<Lit> {
        if entry > 0 || bits.is_empty() {
            return None;
        }
        let representation = self.float(site).map_or(0, |float| float.width());
        if let Some(named) = self.named.get(&representation) {
            return Some(*named);
        }
        let any = self.solver.new_var();
        let mut clause = vec![!any];
        for number in self.numbers(site).to_vec() {
            let is_it = self.solver.new_var();
            is_value(bits, number).for_each(|bit| self.solver.add(&[!is_it, bit]));
            clause.push(is_it);
        }
        self.solver.add(&clause);
        self.named.insert(representation, any);
        Some(any)
    }
}
