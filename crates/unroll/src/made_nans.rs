//! NaNs that arithmetic produces, where the program observes their bits.
//!
//! C does not say which sign and which payload such a NaN has (C17 F.2.1, IEEE 754-2019 6.2 and 6.3), and machines differ: x86 produces a negative
//! one, ARM a positive one, and both may propagate the payload of an operand. Comparisons and arithmetic do not see the difference; `signbit`,
//! `copysign` and code that reads the bytes as a number do. So each result that such code reads has a variable that says which bits of its NaN differ
//! from the model; it is zero in the runs that tests are made from. A proof that needs it to be zero names [`Assumption::Nans`], and no test depends
//! on it ([`crate::open_values`]). NaNs that are inputs or constants keep all their bits, whatever copies them.
//!
//! Cost: nothing until the bits of a result of arithmetic are observed.

use crate::config::Beyond;
use crate::machine::Machine;
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::float::{FloatOp, FloatOperation};
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::{FloatEncoding, NumberFormat, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Results of arithmetic, and those whose bits were observed.
#[derive(Debug, Default)]
pub(crate) struct MadeNans {
    /// Results that may be such a NaN.
    made: FxHashMap<TermId, FloatEncoding>,
    /// For those that were observed, which bits differ.
    flips: BTreeMap<TermId, TermId>,
    /// Terms as they are observed, bit by bit.
    seen: FxHashMap<TermId, TermId>,
    /// Terms that contain no bit of such a result.
    bare: FxHashSet<TermId>,
}

impl Machine<'_> {
    /// Records the result of arithmetic on these operands. An operation that returns its operand has produced nothing.
    pub(crate) fn note_made(&mut self, term: TermId, encoding: FloatEncoding, operands: &[TermId]) {
        let is_number = terms::known(&self.pool, term).is_some_and(|bits| !encoding.decode(bits).is_nan());
        if is_number || operands.contains(&term) || self.made_nans.made.insert(term, encoding).is_some() {
            return;
        }
        // A constant may have been observed before.
        if self.made_nans.seen.contains_key(&term) || self.made_nans.bare.contains(&term) {
            self.made_nans.seen.clear();
            self.made_nans.bare.clear();
        }
    }

    /// Whether some bits of a term are those of a result of arithmetic.
    pub(crate) fn has_made_bits(&mut self, term: TermId) -> bool {
        let mut todo = vec![self.plain(term)];
        let mut visited = FxHashSet::default();
        while let Some(term) = todo.pop() {
            if self.made_nans.made.contains_key(&term) {
                return true;
            }
            if !self.made_nans.bare.contains(&term) && visited.insert(term) {
                todo.extend(self.carried(term));
            }
        }
        self.made_nans.bare.extend(visited);
        false
    }

    /// The value of a term for code that observes its bits one by one.
    pub(crate) fn seen_bits(&mut self, root: TermId) -> TermId {
        if self.made_nans.made.is_empty() || self.excludes_nans() {
            return root;
        }
        let plain = self.plain(root);
        let mut todo = vec![plain];
        while let Some(&term) = todo.last() {
            if self.made_nans.seen.contains_key(&term) {
                todo.pop();
                continue;
            }
            if let Some(encoding) = self.made_nans.made.get(&term).copied() {
                let seen = self.any_nan(term, encoding);
                self.made_nans.seen.insert(term, seen);
                continue;
            }
            let n_before = todo.len();
            let below = self.carried(term);
            todo.extend(below.into_iter().filter(|arg| !self.made_nans.seen.contains_key(arg)));
            if todo.len() == n_before {
                let seen = self.with_seen_args(term);
                self.made_nans.seen.insert(term, seen);
            }
        }
        let seen = self.made_nans.seen[&plain];
        if seen == plain { root } else { seen }
    }

    /// The value of a term for code that reads it as a number of a type. A float of the format that arithmetic produced is passed on unchanged; any
    /// other type reads its bits one by one.
    pub(crate) fn bits_seen_as(&mut self, term: TermId, ty: TypeId) -> TermId {
        match self.program.types.number_format(ty) {
            Some(NumberFormat::Float(encoding)) if self.is_handed_on(term, encoding) => term,
            Some(_) => self.seen_bits(term),
            None => term,
        }
    }

    /// Whether all bits of results of arithmetic in a term occur as whole results, of one format.
    fn is_handed_on(&mut self, root: TermId, encoding: FloatEncoding) -> bool {
        if self.made_nans.made.is_empty() {
            return true;
        }
        let mut todo = vec![self.plain(root)];
        let mut visited = FxHashSet::default();
        while let Some(term) = todo.pop() {
            match self.made_nans.made.get(&term).copied() {
                Some(made) if made == encoding => {}
                Some(_) => return false,
                None if self.pool.op(term) == Op::Ite => {
                    todo.extend(self.carried(term).into_iter().filter(|arg| visited.insert(*arg)));
                }
                None if self.has_made_bits(term) => return false,
                None => {}
            }
        }
        true
    }

    /// Our models of `frexp`, `ldexp`, `nextafter` and similar functions only observe the bits of numbers, after they have handled NaNs.
    fn excludes_nans(&self) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let function = &self.program.functions[frame.function.index()];
        let is_of_numbers = |name: &str| function.name.starts_with(name);
        function.is_model && ["nub_exponent", "nextafter"].into_iter().any(is_of_numbers)
    }

    /// Arguments whose bits are bits of the term: those of operations that only copy, extract, concatenate and select.
    fn carried(&self, term: TermId) -> Vec<TermId> {
        let found = self.pool.term(term);
        match found.op() {
            Op::Ite => vec![found.arg(1), found.arg(2)],
            Op::Concat | Op::Slice | Op::Uext | Op::Sext | Op::Not => found.args().collect(),
            _ => Vec::new(),
        }
    }

    fn with_seen_args(&mut self, id: TermId) -> TermId {
        let term = *self.pool.term(id);
        let carried = self.carried(id);
        let skipped = term.args().count() - carried.len();
        let mut args: Vec<TermId> = term.args().take(skipped).collect();
        args.extend(carried.iter().map(|arg| self.made_nans.seen[arg]));
        if term.args().eq(args.iter().copied()) {
            return id;
        }
        let indices: Vec<u32> = (0..term.op().info().shape.n_indices()).map(|at| term.index(at)).collect();
        self.pool.mk_indexed(term.op(), &args, &indices)
    }

    /// A result of arithmetic with any sign and payload, if it is a NaN.
    fn any_nan(&mut self, term: TermId, encoding: FloatEncoding) -> TermId {
        let is_nan = self.is_nan_term(term, encoding);
        if self.config.pointers.beyond == Beyond::Nothing {
            self.depart(Assumption::Nans, is_nan);
            return term;
        }
        let width = encoding.width();
        let flips = self.pool.var(Sort::Bits(width));
        self.made_nans.flips.insert(term, flips);
        let free = terms::constant(&mut self.pool, width, free_bits(encoding));
        let free_flips = self.pool.mk(Op::And, &[flips, free]);
        let none = terms::constant(&mut self.pool, width, 0);
        let flips = self.pool.mk(Op::Ite, &[is_nan, free_flips, none]);
        let is_other = self.pool.mk(Op::Redor, &[flips]);
        self.depart(Assumption::Nans, is_other);
        self.pool.mk(Op::Xor, &[term, flips])
    }

    pub(crate) fn is_nan_term(&mut self, term: TermId, encoding: FloatEncoding) -> TermId {
        let (term, format) = self.unpacked(term, encoding);
        self.floats.apply(&mut self.pool, FloatOperation { op: FloatOp::IsNan, format }, &[term])
    }

    /// Other NaNs for all results that were observed: negative ones, as on x86, and NaNs that are all different.
    pub(crate) fn other_nans(&mut self) -> Vec<FxHashMap<TermId, TermId>> {
        let seen: Vec<(FloatEncoding, TermId)> =
            (self.made_nans.flips.iter()).map(|(term, flips)| (self.made_nans.made[term], *flips)).collect();
        if seen.is_empty() {
            return Vec::new();
        }
        let (mut negative, mut distinct) = (FxHashMap::default(), FxHashMap::default());
        for (number, (encoding, flips)) in (1..).zip(seen) {
            let (width, sign) = (encoding.width(), encoding.sign_mask());
            negative.insert(flips, terms::constant(&mut self.pool, width, sign));
            let bits = (number | if number % 2 == 0 { sign } else { 0 }) & free_bits(encoding);
            distinct.insert(flips, terms::constant(&mut self.pool, width, bits));
        }
        vec![negative, distinct]
    }
}

/// Bits that may be anything in a NaN that arithmetic produces: the sign, and what is below the quiet bit.
fn free_bits(encoding: FloatEncoding) -> u128 {
    let quiet = 1_u128 << (encoding.values.fraction_bits() - 1);
    encoding.sign_mask() | (quiet - 1)
}
