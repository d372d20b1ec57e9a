//! Completes a set of tests that is one test short: a test is replaced by one that does what only that test did, and in addition something that no test does.
//!
//! The local search of `select` exchanges known runs. Where it ends, the missing run is not known, but it is clear what the run would have to do, and a
//! climb can aim at that. Needs that stay unmet gain weight, so that other tests are replaced and the search leaves local minima.

use super::batch::PricedNeed;
use super::bitset::BitSet;
use super::climb::Climb;
use super::knowledge::Behaviour;
use super::pool::RunPool;
use nub_random::Rng;
use nub_sat::SatLimits;

/// Climbs per call.
const N_CLIMBS: usize = 100;
/// Of this many tests, the one that alone meets the least weight is replaced.
const N_CHOICES: usize = 2;
/// The weight of each need at first.
const FIRST_WEIGHT: u64 = 4;
/// Needs that are unmet gain weight after this many climbs. Sooner, tests would be replaced by worse ones before others were tried.
const N_SAME_WEIGHTS: usize = 30;
/// A walk goes on unless another one has that many fewer unmet needs.
const MAX_FARTHER: usize = 6;

/// Tests that meet almost all needs.
pub(super) struct Mend {
    tests: Vec<Behaviour>,
    /// By test: the needs that it meets.
    met: Vec<BitSet>,
    /// By need: the number of tests that meet it.
    n_meeting: Vec<u32>,
    /// By need.
    weights: Vec<u64>,
    /// The test that was replaced last.
    last: usize,
    /// The last tests with the fewest unmet needs so far, and that number.
    best: (usize, Vec<Behaviour>),
}

impl Mend {
    /// Starts from these tests.
    pub fn new(pool: &RunPool, tests: Vec<Behaviour>) -> Mend {
        let met: Vec<BitSet> = tests.iter().map(|test| pool.met_with(&test.atoms)).collect();
        let mut n_meeting = vec![0; pool.needs().len()];
        met.iter().flat_map(BitSet::iter).for_each(|need| n_meeting[need] += 1);
        let weights = vec![FIRST_WEIGHT; n_meeting.len()];
        let best = (usize::MAX, Vec::new());
        let mut made = Mend { tests, met, weights, n_meeting, last: usize::MAX, best };
        made.remember();
        made
    }

    fn remember(&mut self) {
        let n_unmet = self.n_unmet();
        // Also if it is equal: tests that could not be completed are not tried forever.
        if n_unmet <= self.best.0 {
            self.best = (n_unmet, self.tests.clone());
        }
    }

    /// The number of tests.
    pub fn n_tests(&self) -> usize {
        self.tests.len()
    }

    /// The number of needs that no test meets.
    pub fn n_unmet(&self) -> usize {
        self.n_meeting.iter().filter(|n| **n == 0).count()
    }

    /// The tests with the fewest unmet needs so far.
    pub fn best(&self) -> &[Behaviour] {
        &self.best.1
    }

    /// The better one of two walks: this one may have left good tests for a while.
    pub fn or_better(self, other: Mend) -> Mend {
        let is_far = self.n_unmet() > other.n_unmet() + MAX_FARTHER;
        let best = if self.best.0 <= other.best.0 { self.best.clone() } else { other.best.clone() };
        Mend { best, ..if is_far { other } else { self } }
    }

    /// Replaces tests until all needs are met or the climbs are used up. Returns the runs that were found.
    pub fn run(
        &mut self,
        climb: &Climb<'_>,
        pool: &RunPool,
        rng: &mut Rng,
        limits: &SatLimits,
    ) -> Vec<Behaviour> {
        let mut found = Vec::new();
        for count in 1..=N_CLIMBS {
            if self.n_unmet() == 0 || self.tests.len() < 2 || limits.cancel.is_cancelled() {
                break;
            }
            found.extend(self.replace(climb, pool, rng));
            self.remember();
            if count % N_SAME_WEIGHTS == 0 {
                let unmet = self.weights.iter_mut().zip(&self.n_meeting).filter(|(_, n)| **n == 0);
                unmet.for_each(|(weight, _)| *weight += 1);
            }
        }
        found
    }

    /// Replaces one test, if a run is found that is worth no less. Returns the run.
    fn replace(&mut self, climb: &Climb<'_>, pool: &RunPool, rng: &mut Rng) -> Option<Behaviour> {
        let own = |test: usize| -> u64 { self.only(test).map(|need| self.weights[need]).sum() };
        let drawn = (0..N_CHOICES).map(|_| rng.below(self.tests.len())).filter(|test| *test != self.last);
        let out = drawn.min_by_key(|test| own(*test))?;
        // The run should meet the needs that no other test meets. Each has its weight.
        let unmet: Vec<usize> = (0..self.n_meeting.len()).filter(|need| self.n_meeting[*need] == 0).collect();
        let wanted: Vec<PricedNeed<'_>> = unmet
            .iter()
            .copied()
            .chain(self.only(out))
            .map(|need| PricedNeed { atoms: &pool.needs()[need].atoms, price: self.weights[need] as f64 })
            .collect();
        let need = unmet[rng.below(unmet.len())];
        // From the test itself and from runs that meet an unmet need.
        let start = |rng: &mut Rng| if rng.below(2) == 0 { pool.meeting(need, rng) } else { None };
        let test = &self.tests[out];
        let starts: Vec<&Behaviour> = (0..climb.n_together()).map(|_| start(rng).unwrap_or(test)).collect();
        let other = |rng: &mut Rng| pool.meeting(need, rng).unwrap_or(test).inputs.as_slice();
        let climbed = climb.from(&starts, other, &wanted, rng);
        let climbed = climbed.into_iter().max_by(|a, b| a.worth.total_cmp(&b.worth))?;
        let run = climbed.run;
        if climbed.worth >= own(out) as f64 {
            let met = pool.met_with(&run.atoms);
            self.met[out].iter().for_each(|need| self.n_meeting[need] -= 1);
            met.iter().for_each(|need| self.n_meeting[need] += 1);
            (self.met[out], self.tests[out], self.last) = (met, run.clone(), out);
        }
        Some(run)
    }

    /// Needs that only this test meets.
    fn only(&self, test: usize) -> impl Iterator<Item = usize> {
        self.met[test].iter().filter(|need| self.n_meeting[*need] == 1)
    }
}
