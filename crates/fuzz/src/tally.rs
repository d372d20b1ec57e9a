//! What a campaign counts. Tallies are added up: a campaign's is the sum of its units'.

use crate::coverage::points;
use crate::fate::Fate;
use crate::lane::{Lane, Runs, SolverRun};
use crate::{FuzzInput, FuzzedSolver, PrintedAnswer};
use std::collections::{BTreeMap, BTreeSet};

/// Counts of one solver.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SolverTally {
    /// Inputs it was given.
    pub n_inputs: u64,
    /// Programs started; fewer than inputs if they came in batches.
    pub n_starts: u64,
    /// Time in it, in microseconds.
    pub time_us: u64,
    /// Answers `sat` and `unsat`.
    pub n_sat: u64,
    /// See there.
    pub n_unsat: u64,
    /// Answers `unknown`.
    pub n_unknown: u64,
    /// Runs over the time limit.
    pub n_timeouts: u64,
    /// Inputs it says that it cannot do, or gave no answer on.
    pub n_other: u64,
}

/// Counts of a unit, or of a whole campaign.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Inputs made.
    pub n_inputs: u64,
    /// Their bytes.
    pub n_bytes: u64,
    /// Suspicions that did not come back.
    pub n_flaky: u64,
    /// By solver name.
    pub solvers: BTreeMap<String, SolverTally>,
    /// Operators, each with the class of its operand's width.
    pub points: BTreeSet<(String, String)>,
    /// The BLAKE3 hash of all inputs one after the other; of a unit alone. A replay must meet it.
    pub hash: Option<[u8; 32]>,
}

impl Tally {
    /// The counts of inputs before any solver has run.
    pub fn of_inputs(inputs: &[FuzzInput]) -> Tally {
        let mut hasher = blake3::Hasher::new();
        let mut tally = Tally { n_inputs: inputs.len() as u64, ..Tally::default() };
        for input in inputs {
            hasher.update(&input.text);
            tally.n_bytes += input.text.len() as u64;
            let found = points(&input.text, input.language);
            tally.points.extend(found.into_iter().map(|(name, class)| (name, class.to_owned())));
        }
        tally.hash = Some(*hasher.finalize().as_bytes());
        tally
    }

    /// Counts what the solvers did.
    pub fn add_runs(&mut self, solvers: &[FuzzedSolver], lanes: &[Lane], all: &[Runs]) {
        for (lane, runs) in lanes.iter().zip(all) {
            let counts = self.solvers.entry(solvers[lane.solver].name.clone()).or_default();
            counts.n_starts += runs.n_starts;
            counts.time_us += runs.solver_us;
            for run in runs.runs.iter().flatten() {
                counts.add(run);
            }
        }
    }

    /// Adds up. The hash is a unit's own and goes.
    pub fn add(&mut self, other: &Tally) {
        self.n_inputs += other.n_inputs;
        self.n_bytes += other.n_bytes;
        self.n_flaky += other.n_flaky;
        self.points.extend(other.points.iter().cloned());
        self.hash = None;
        for (name, counts) in &other.solvers {
            self.solvers.entry(name.clone()).or_default().add_counts(counts);
        }
    }

    /// Time in all solvers, in microseconds.
    pub fn solver_us(&self) -> u64 {
        self.solvers.values().map(|counts| counts.time_us).sum()
    }

    /// Programs started.
    pub fn n_starts(&self) -> u64 {
        self.solvers.values().map(|counts| counts.n_starts).sum()
    }
}

impl SolverTally {
    /// Names and places of the counts, for the journal.
    pub(crate) fn fields(&mut self) -> [&mut u64; 8] {
        [
            &mut self.n_inputs,
            &mut self.n_starts,
            &mut self.time_us,
            &mut self.n_sat,
            &mut self.n_unsat,
            &mut self.n_unknown,
            &mut self.n_timeouts,
            &mut self.n_other,
        ]
    }

    fn add(&mut self, run: &SolverRun) {
        self.n_inputs += 1;
        let reading = &run.observation.reading;
        for answer in &reading.answers {
            match answer {
                PrintedAnswer::Sat => self.n_sat += 1,
                PrintedAnswer::Unsat => self.n_unsat += 1,
                PrintedAnswer::Unknown => self.n_unknown += 1,
            }
        }
        match run.observation.fate {
            Fate::Hang => self.n_timeouts += 1,
            _ if reading.answers.is_empty() => self.n_other += 1,
            _ => {}
        }
    }

    fn add_counts(&mut self, other: &SolverTally) {
        let mut other = *other;
        for (mine, its) in self.fields().into_iter().zip(other.fields()) {
            *mine += *its;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn tallies_add_up() {
        let input = |text: &[u8]| FuzzInput {
            seed: 1,
            text: text.to_vec(),
            language: Language::Btor,
            status: None,
            origin: crate::InputOrigin::Generated,
        };
        let mut one = Tally::of_inputs(&[input(b"1 var 1\n2 root 1 1\n")]);
        one.solvers.insert("s".into(), SolverTally { n_sat: 2, time_us: 5, ..SolverTally::default() });
        let mut sum = Tally::default();
        sum.add(&one);
        sum.add(&one);
        assert_eq!((sum.n_inputs, sum.n_bytes, sum.solvers["s"].n_sat, sum.solver_us()), (2, 38, 4, 10));
        assert_eq!(sum.points, one.points);
        assert_ne!(one.hash, Tally::of_inputs(&[input(b"1 var 2\n2 root 1 1\n")]).hash);
    }
}
