//! Some random runs, before the solver is asked. Where arithmetic is hard for the solver, or there are many decisions, evaluating is cheap.

use crate::search::{
    AtomId, AtomStatus, BoundaryValues, Evaluate, Favourites, Knowledge, ProgramInput, RunBatch, random_value,
};
use nub_bitvec::Value;
use nub_random::Rng;
use nub_sat::SatLimits;

/// At most this many runs are tried one by one.
const MAX_RUNS: usize = 4_000;
/// It ends after this many consecutive runs that did nothing new.
const MAX_IDLE: usize = 256;
/// The same for batches of runs, which are evaluated together as long as something is open. A run costs a tenth there.
const MAX_BATCHES: usize = 400;
const MAX_IDLE_BATCHES: usize = 100;

/// Adds runs to what is known: small numbers, constants of the source with their multiples and the numbers between them, random bits, and runs that
/// did something new with one or two inputs changed, perhaps to values at which a comparison changes its result. Invalid runs are skipped.
pub fn sample(
    evaluate: Evaluate<'_>,
    inputs: &[ProgramInput],
    favourites: &Favourites,
    seed: u64,
    known: &mut Knowledge,
    limits: &SatLimits,
) {
    let mut sampler = Sampler {
        evaluate,
        widths: inputs.iter().map(|input| input.bits.len() as u32).collect(),
        numbers: favourites.numbers(),
        boundaries: BoundaryValues::new(inputs, favourites.constants()),
        rng: Rng::new(seed),
        news: Vec::new(),
    };
    sampler.one_by_one(known, limits);
    if evaluate.batch_size() == RunBatch::SIZE && !sampler.news.is_empty() && !inputs.is_empty() {
        sampler.in_batches(known, limits);
    }
}

struct Sampler<'s> {
    evaluate: Evaluate<'s>,
    /// By input.
    widths: Vec<u32>,
    /// Constants of the source.
    numbers: &'s [i128],
    boundaries: BoundaryValues,
    rng: Rng,
    /// Runs that did something new.
    news: Vec<Vec<Value>>,
}

impl Sampler<'_> {
    fn one_by_one(&mut self, known: &mut Knowledge, limits: &SatLimits) {
        let mut n_idle = 0;
        for _ in 0..MAX_RUNS {
            if n_idle >= MAX_IDLE || limits.cancel.is_cancelled() {
                return;
            }
            let is_fresh = self.news.is_empty() || self.widths.is_empty() || self.rng.below(2) == 0;
            let inputs = if is_fresh { self.random() } else { self.changed() };
            n_idle += 1;
            let Some(run) = self.evaluate.run(inputs) else { continue };
            if run.atoms.iter().any(|atom| known.status(AtomId(atom as u32)) == AtomStatus::Open) {
                self.news.push(run.inputs.clone());
                n_idle = 0;
            }
            known.saw(run);
        }
    }

    /// Looks for what no run has done so far, and keeps only runs that do it.
    fn in_batches(&mut self, known: &mut Knowledge, limits: &SatLimits) {
        let mut open: Vec<AtomId> = (0..known.n_atoms()).map(|atom| AtomId(atom as u32)).collect();
        let mut n_idle = 0;
        for _ in 0..MAX_BATCHES {
            open.retain(|atom| known.status(*atom) == AtomStatus::Open);
            if open.is_empty() || n_idle >= MAX_IDLE_BATCHES || limits.cancel.is_cancelled() {
                return;
            }
            let inputs: Vec<Vec<Value>> = (0..RunBatch::SIZE).map(|_| self.changed()).collect();
            let batch = self.evaluate.run_batch(&inputs);
            n_idle += 1;
            for atom in &open {
                let found = batch.first_with(*atom).filter(|_| known.status(*atom) == AtomStatus::Open);
                if let Some(run) = found.and_then(|run| self.evaluate.run(inputs[run].clone())) {
                    self.news.push(run.inputs.clone());
                    known.saw(run);
                    n_idle = 0;
                }
            }
        }
    }

    fn random(&mut self) -> Vec<Value> {
        let Sampler { widths, rng, numbers, .. } = self;
        widths.iter().map(|width| random_value(rng, numbers, *width)).collect()
    }

    /// A run that did something new with one input changed, or two: an equation between products often holds at zero, and still does if two factors change.
    fn changed(&mut self) -> Vec<Value> {
        let Sampler { widths, rng, numbers, boundaries, news, .. } = self;
        let mut inputs = news[rng.below(news.len())].clone();
        for _ in 0..1 + rng.below(2) {
            if rng.below(2) == 0 {
                boundaries.change(&mut inputs, rng);
            } else {
                let changed = rng.below(widths.len());
                inputs[changed] = random_value(rng, numbers, widths[changed]);
            }
        }
        inputs
    }
}
