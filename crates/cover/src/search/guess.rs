//! Readable values, found by trying: where the solver would have to solve a division again, evaluating a run is cheap.
//!
//! One input is changed, or one together with a later one, and the run is evaluated. It may miss a value that the solver would find for three at once.

use super::batch::RunBatch;
use super::knowledge::Behaviour;
use super::polish::{Favourites, RunTrials};
use super::problem::{AtomId, ProgramInput};
use nub_bitvec::Value;
use nub_sat::SatLimits;

/// Values tried for one input.
const MAX_VALUES: usize = 40;
/// Runs evaluated for one input together with another.
const MAX_PAIRS: usize = 400;

/// What is needed to find readable values by trying.
pub(super) struct Guess<'g> {
    pub trials: RunTrials<'g>,
    pub inputs: &'g [ProgramInput],
    pub favourites: &'g Favourites,
    pub limits: &'g SatLimits,
}

impl Guess<'_> {
    /// A test with the same duty and more readable values. O(inputs * values + pairs) runs.
    pub fn polish(&self, mut test: Behaviour, duty: &[AtomId]) -> Behaviour {
        for index in 0..self.inputs.len() {
            if self.limits.cancel.is_cancelled() {
                return test;
            }
            test = match self.alone(&test, duty, index).or_else(|| self.with_later(&test, duty, index)) {
                Some(better) => better,
                // Fewer bits do not make a float more readable.
                None if self.inputs[index].float.is_some() => test,
                None => self.shrink(test, duty, index),
            };
        }
        test
    }

    fn values(&self, index: usize) -> impl Iterator<Item = Value> {
        self.inputs[index].pleasant(self.favourites).take(MAX_VALUES)
    }

    /// The run with this value, if it fulfils its duty.
    fn with(&self, inputs: &[Value], index: usize, value: Value, duty: &[AtomId]) -> Option<Behaviour> {
        let mut inputs = inputs.to_vec();
        inputs[index] = value;
        self.run(inputs, duty)
    }

    fn run(&self, inputs: Vec<Value>, duty: &[AtomId]) -> Option<Behaviour> {
        if self.limits.cancel.is_cancelled() { None } else { (self.trials.try_run)(inputs, duty) }
    }

    /// The first value that does; the test itself if it already has that value.
    fn alone(&self, test: &Behaviour, duty: &[AtomId], index: usize) -> Option<Behaviour> {
        let float = self.inputs[index].float.as_ref();
        let rounded = float.map(|choice| choice.rounded(&test.inputs[index]));
        self.values(index).chain(rounded.into_iter().flatten()).find_map(|value| {
            if value == test.inputs[index] {
                Some(test.clone())
            } else {
                self.with(&test.inputs, index, value, duty)
            }
        })
    }

    /// The first value that does if a later input changes too.
    fn with_later(&self, test: &Behaviour, duty: &[AtomId], index: usize) -> Option<Behaviour> {
        let later = index + 1..self.inputs.len();
        let pairs = self.values(index).flat_map(|value| {
            let others = later.clone().flat_map(|other| self.values(other).map(move |its| (other, its)));
            others.map(move |(other, its)| (value.clone(), other, its))
        });
        let mut runs = pairs.take(MAX_PAIRS).map(|(value, other, its)| {
            let mut inputs = test.inputs.clone();
            (inputs[index], inputs[other]) = (value, its);
            inputs
        });
        loop {
            let batch: Vec<Vec<Value>> = runs.by_ref().take(RunBatch::SIZE).collect();
            if batch.is_empty() || self.limits.cancel.is_cancelled() {
                return None;
            }
            let may = self.trials.may_have.map_or(u64::MAX, |evaluate| evaluate.may_have(&batch, duty));
            let tried = (0..).zip(batch).filter(|(at, _)| may >> at & 1 == 1);
            let found = tried.map(|(_, inputs)| inputs).find_map(|inputs| self.run(inputs, duty));
            if found.is_some() {
                return found;
            }
        }
    }

    /// Makes bits equal to the sign, or zero, starting from the top.
    fn shrink(&self, mut test: Behaviour, duty: &[AtomId], index: usize) -> Behaviour {
        let input = &self.inputs[index];
        let n = input.bits.len();
        let mut sign = false;
        for position in (0..n).rev() {
            let value = &test.inputs[index];
            if value.bit(position as u32) != sign {
                let changed = Value::from_bits(
                    value.bits().enumerate().map(|(at, bit)| if at == position { sign } else { bit }),
                );
                if let Some(better) = self.with(&test.inputs, index, changed, duty) {
                    test = better;
                }
            }
            if input.is_signed && position + 1 == n {
                sign = test.inputs[index].bit(position as u32);
            }
        }
        test
    }
}
