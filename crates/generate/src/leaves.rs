//! The leaves of the graph.

use crate::builder::Generator;
use crate::dag::FormulaState;
use nub_bitvec::Value;
use nub_btor::{BtorNodeId, Sort, Tag};

/// How often, in percent, a state has an initial value; and is an array, if arrays are allowed.
const INIT_PERCENT: u32 = 75;
const ARRAY_STATE_PERCENT: u32 = 20;

impl Generator {
    /// Adds states, variables and arrays, as many as the options say, of random widths.
    pub(crate) fn leaves(&mut self) {
        for _ in 0..self.config.states {
            self.state();
        }
        for _ in 0..self.config.vars {
            let width = self.random_width();
            self.add_leaf(Tag::Var, Sort::Bits(width));
        }
        for _ in 0..self.config.consts {
            // Zeros are twice as likely: rewrite rules look for them.
            let tag = self.rng.pick(&[Tag::Zero, Tag::Zero, Tag::One, Tag::Ones, Tag::Const]);
            let width = self.random_width();
            self.constant(tag, width);
        }
        for _ in 0..self.config.n_arrays() {
            let sort = self.random_array_sort();
            self.add_leaf(Tag::Array, sort);
        }
    }

    /// Variables for a CNF without operators.
    pub(crate) fn one_bit_variables(&mut self) {
        for _ in 0..self.config.vars.max(1) {
            self.add_leaf(Tag::Var, Sort::BIT);
        }
    }

    fn random_array_sort(&mut self) -> Sort {
        let element = self.random_width();
        Sort::Array { index: self.rng.between(1, self.config.arrmaxwidth), element }
    }

    /// A state. Its initial value precedes it, as BTOR2 requires.
    fn state(&mut self) {
        let is_array = self.config.n_arrays() > 0 && self.rng.percent(ARRAY_STATE_PERCENT);
        let sort = if is_array { self.random_array_sort() } else { Sort::Bits(self.random_width()) };
        // A constant of the element sort initialises an array.
        let has_init = self.rng.percent(INIT_PERCENT);
        let init = has_init.then(|| self.constant(Tag::Const, sort.width()));
        let node = self.add_leaf(Tag::State, sort);
        self.dag.states.push(FormulaState { node, init, next: None });
        if let Some(init) = init {
            self.candidates.take(init);
        }
    }

    /// A constant in this notation.
    pub(crate) fn constant(&mut self, tag: Tag, width: u32) -> BtorNodeId {
        if matches!(tag, Tag::Zero | Tag::One | Tag::Ones) {
            return self.add_leaf(tag, Sort::Bits(width));
        }
        let value = self.random_value(width);
        let place = self.dag.values.len() as u32;
        self.dag.values.push(value);
        let id = self.dag.next_id();
        self.add_leaf(tag, Sort::Bits(width));
        self.dag.nodes[id.index()].params[0] = place;
        id
    }

    /// Random bits.
    pub(crate) fn random_value(&mut self, width: u32) -> Value {
        random_value(&mut self.rng, width)
    }
}

/// Random bits; 64 per call of the random number generator.
pub(crate) fn random_value(rng: &mut nub_random::Rng, width: u32) -> Value {
    if width <= u64::BITS {
        return Value::from_u64(width, rng.bits());
    }
    let mut word = 0;
    let bits = (0..width).map(|bit| {
        if bit % u64::BITS == 0 {
            word = rng.bits();
        }
        word >> (bit % u64::BITS) & 1 == 1
    });
    Value::from_bits(bits)
}
