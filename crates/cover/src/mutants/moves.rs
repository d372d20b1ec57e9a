//! Values that notice faults, found by trying: evaluating a run is cheap where a question to the solver is not.
//!
//! A move gives one input of one test, or two, another value: a constant of the source or its neighbour, the next number, a number of another test
//! or of another input, or one by chance. It is kept if all goals are still reached and no fewer mutants are told apart, so that the search
//! leaves plateaus. All runs are remembered, and in the end the best choice among them is made.

use super::aim::Aim;
use crate::sample::random;
use crate::search::{Behaviour, Favourites, Knowledge, ProgramInput, SearchRng};
use nub_bitvec::Value;
use nub_sat::SatLimits;

/// Values of one input that are tried first.
const MAX_PLEASANT: usize = 128;
/// A search ends after this many moves in a row for each test that told no other mutant apart.
const MAX_IDLE_EACH: usize = 300;

/// What a run does, found without a solver.
pub(super) trait RunTrial {
    /// The goals that it reaches; none if it does not count.
    fn reach(&self, inputs: Vec<Value>) -> Option<Behaviour>;

    /// The same run with the mutants that it tells apart; none if that cannot be found out.
    fn tell_apart(&self, run: Behaviour) -> Option<Behaviour>;
}

/// A search by moves.
pub(super) struct Moves<'m> {
    pub aim: Aim<'m>,
    pub trial: &'m dyn RunTrial,
    /// Those that may change: the first ones of a run.
    pub inputs: &'m [ProgramInput],
    pub favourites: &'m Favourites,
    pub limits: &'m SatLimits,
}

impl Moves<'_> {
    /// Improves the tests with up to `n_tries` moves. They reach the same goals.
    pub fn improve(
        &self,
        tests: &mut Vec<Behaviour>,
        known: &mut Knowledge,
        n_tries: usize,
        rng: &mut SearchRng,
    ) {
        if tests.is_empty() || self.inputs.is_empty() {
            return;
        }
        let pleasant: Vec<Vec<Value>> = (self.inputs.iter())
            .map(|input| input.pleasant(self.favourites).take(MAX_PLEASANT).collect())
            .collect();
        let mut best = self.aim.worth_of(tests);
        let mut n_idle = 0;
        for _ in 0..n_tries {
            let is_over = best.0 == self.aim.kills.len() || n_idle > MAX_IDLE_EACH * tests.len();
            if is_over || self.limits.cancel.is_cancelled() {
                break;
            }
            n_idle += 1;
            let at = rng.below(tests.len());
            let inputs = self.moved(tests, at, &pleasant, rng);
            if inputs == tests[at].inputs {
                continue;
            }
            let Some(run) = self.trial.reach(inputs) else { continue };
            let mut all = self.aim.others(tests, at);
            all.union_with(&run.atoms);
            if !self.aim.is_reached(&all) {
                continue;
            }
            let Some(run) = self.trial.tell_apart(run) else { continue };
            all.union_with(&run.atoms);
            known.saw(run.clone());
            let now = self.aim.worth(&all);
            if now >= best {
                n_idle = if now > best { 0 } else { n_idle };
                best = now;
                tests[at] = run;
            }
        }
        self.aim.choose(known, tests, self.limits);
    }

    /// The inputs of a test with one or two of them changed.
    fn moved(
        &self,
        tests: &[Behaviour],
        at: usize,
        pleasant: &[Vec<Value>],
        rng: &mut SearchRng,
    ) -> Vec<Value> {
        let mut inputs = tests[at].inputs.clone();
        for _ in 0..1 + usize::from(rng.below(3) == 0) {
            let changed = rng.below(self.inputs.len());
            let old = &inputs[changed];
            let new = match rng.below(8) {
                0..=2 if !pleasant[changed].is_empty() => {
                    pleasant[changed][rng.below(pleasant[changed].len())].clone()
                }
                3 | 4 => next_to(old, rng),
                5 => match inputs[rng.below(self.inputs.len())].clone() {
                    other if other.width() == old.width() && rng.below(2) == 0 => next_to(&other, rng),
                    other if other.width() == old.width() => other,
                    _ => next_to(old, rng),
                },
                6 => tests[rng.below(tests.len())].inputs[changed].clone(),
                _ => random(rng, self.favourites.numbers(), old.width()),
            };
            inputs[changed] = new;
        }
        inputs
    }
}

/// One more or one less, or the same with one bit changed.
fn next_to(value: &Value, rng: &mut SearchRng) -> Value {
    let one = Value::from_u64(value.width(), 1);
    match rng.below(3) {
        0 => value.add(&one),
        1 => value.sub(&one),
        _ => {
            let flipped = rng.below(value.width() as usize);
            Value::from_bits(value.bits().enumerate().map(|(at, bit)| bit != (at == flipped)))
        }
    }
}
