//! What a campaign counts. Tallies are added up: a campaign's is the sum of its units'.

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
    /// Answers `sat`.
    pub n_sat: u64,
    /// Answers `unsat`.
    pub n_unsat: u64,
    /// Answers `unknown`.
    pub n_unknown: u64,
    /// Runs over the time limit.
    pub n_timeouts: u64,
    /// Inputs that it does not support or gave no answer to.
    pub n_other: u64,
}

/// Inputs with one operator.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct OperatorTally {
    /// Number of such inputs given to a solver.
    pub n_inputs: u64,
    /// How many of them it answered with `sat` or `unsat`.
    pub n_decided: u64,
}

/// The operators of an input, each with the class of its operand's width.
pub type InputPoints = BTreeSet<(String, &'static str)>;

/// Counts of a unit, or of a whole campaign.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Inputs made.
    pub n_inputs: u64,
    /// Their bytes.
    pub n_bytes: u64,
    /// Findings that could not be reproduced.
    pub n_flaky: u64,
    /// By solver name.
    pub solvers: BTreeMap<String, SolverTally>,
    /// By solver name, and operator: what has been tried.
    pub tried: BTreeMap<String, BTreeMap<String, OperatorTally>>,
    /// Operators, each with the class of its operand's width.
    pub points: BTreeSet<(String, String)>,
    /// The BLAKE3 hash of all inputs concatenated; only for a unit. A replay must have the same hash.
    pub hash: Option<[u8; 32]>,
}

impl Tally {
    /// The BLAKE3 hash of inputs concatenated.
    pub fn hash_of(inputs: &[FuzzInput]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        inputs.iter().for_each(|input| _ = hasher.update(&input.text));
        *hasher.finalize().as_bytes()
    }

    /// The counts of inputs before any solver has run. `found` are their operators.
    pub fn of_inputs(inputs: &[FuzzInput], found: &[InputPoints]) -> Tally {
        let points = found.iter().flatten().map(|(name, class)| (name.clone(), (*class).to_owned()));
        Tally {
            n_inputs: inputs.len() as u64,
            n_bytes: inputs.iter().map(|input| input.text.len() as u64).sum(),
            points: points.collect(),
            hash: Some(Tally::hash_of(inputs)),
            ..Tally::default()
        }
    }

    /// Counts what the solvers did.
    pub fn add_runs(
        &mut self,
        solvers: &[FuzzedSolver],
        lanes: &[Lane],
        all: &[Runs],
        found: &[InputPoints],
    ) {
        for (lane, runs) in lanes.iter().zip(all) {
            let counts = self.solvers.entry(solvers[lane.solver].name.clone()).or_default();
            counts.n_starts += runs.n_starts;
            counts.time_us += runs.solver_us;
            let tried = self.tried.entry(solvers[lane.solver].name.clone()).or_default();
            for (run, points) in runs.runs.iter().zip(found) {
                let Some(run) = run else { continue };
                counts.add(run);
                let answers = &run.observation.reading.answers;
                let is_decided = answers.iter().any(|answer| *answer != PrintedAnswer::Unknown);
                let names: BTreeSet<&String> = points.iter().map(|(name, _)| name).collect();
                for name in names {
                    let count = tried.entry(name.clone()).or_default();
                    count.n_inputs += 1;
                    count.n_decided += u64::from(is_decided);
                }
            }
        }
    }

    /// Adds the counts. The hash belongs to one unit and is dropped.
    pub fn add(&mut self, other: &Tally) {
        self.n_inputs += other.n_inputs;
        self.n_bytes += other.n_bytes;
        self.n_flaky += other.n_flaky;
        self.points.extend(other.points.iter().cloned());
        self.hash = None;
        for (name, counts) in &other.solvers {
            self.solvers.entry(name.clone()).or_default().add_counts(counts);
        }
        for (name, operators) in &other.tried {
            let mine = self.tried.entry(name.clone()).or_default();
            for (operator, counts) in operators {
                let sum = mine.entry(operator.clone()).or_default();
                sum.n_inputs += counts.n_inputs;
                sum.n_decided += counts.n_decided;
            }
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
    use crate::coverage::points;

    #[test]
    fn tallies_add_up() {
        let input = |text: &[u8]| FuzzInput {
            seed: 1,
            text: text.to_vec(),
            language: Language::Btor,
            status: None,
            origin: crate::InputOrigin::Generated,
        };
        let of = |text: &[u8]| Tally::of_inputs(&[input(text)], &[points(text, Language::Btor)]);
        let mut one = of(b"1 var 1\n2 root 1 1\n");
        let tried = OperatorTally { n_inputs: 3, n_decided: 1 };
        one.tried.insert("s".into(), BTreeMap::from([("and".to_owned(), tried)]));
        one.solvers.insert("s".into(), SolverTally { n_sat: 2, time_us: 5, ..SolverTally::default() });
        let mut sum = Tally::default();
        sum.add(&one);
        sum.add(&one);
        assert_eq!((sum.n_inputs, sum.n_bytes, sum.solvers["s"].n_sat, sum.solver_us()), (2, 38, 4, 10));
        assert_eq!(sum.points, one.points);
        assert_eq!(sum.tried["s"]["and"], OperatorTally { n_inputs: 6, n_decided: 2 });
        assert_ne!(one.hash, of(b"1 var 2\n2 root 1 1\n").hash);
    }
}
