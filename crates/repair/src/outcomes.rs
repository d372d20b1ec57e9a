//! Outcomes that a repair removes.
//!
//! A weak property is satisfied by a program that never does what the property is about: one that never warns, never moves, never pays. Such a repair
//! shows in passing runs. Some of them ended with a value that no run has any more, and all of these now end as other runs did before. The share of
//! runs that it changes need not be large, since most runs do nothing of interest to begin with.
//!
//! A value that is replaced by a new one is not removed, since `return 3` for `return 2` may be right. But a property that only mentions 2 is
//! satisfied by any other number as well, so this counts as a large change.

use super::damage::Passing;
use super::runs::Output;
use nub_c_ir::interp::RuntimeValue as Seen;
use std::collections::BTreeSet;

/// An outcome of at least this many runs must be kept; fewer may be there by chance.
const MIN_RUNS: usize = 3;
/// At most this many places of the output are examined.
const MAX_PLACES: usize = 48;
/// At most this many values at one place. With more it is a quantity, and no single value represents something that the program does.
const MAX_VALUES: usize = 8;
/// At most this many runs with one outcome are tried, to see whether they end with another.
const MAX_TRIED: usize = 24;

/// A place of the output: a value, a byte of memory, or whether there is one at all.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Spot {
    place: String,
    /// The byte, if it is one of memory that differs between runs.
    byte: Option<usize>,
}

/// What a spot holds at the end of a run; `None` if the program did not write that place.
type End = Option<Seen>;

impl Spot {
    fn end(&self, output: &Output) -> End {
        let (_, value) = output.iter().find(|(place, _)| *place == self.place)?;
        match (value, self.byte) {
            (Seen::Record(bytes), Some(at)) => Some(Seen::Int(u128::from(bytes.get(at).copied().flatten()?))),
            // Memory as a whole: it was written.
            (Seen::Record(_), None) => Some(Seen::Int(1)),
            (value, _) => Some(value.clone()),
        }
    }
}

/// The spots of some runs: values and memory as a whole, then the bytes that are not the same in all of them. O(bytes).
fn spots(passing: &[Passing]) -> Vec<Spot> {
    let (mut whole, mut bytes) = (BTreeSet::new(), BTreeSet::new());
    for (place, value) in passing.iter().flat_map(|run| &run.output) {
        whole.insert(Spot { place: place.clone(), byte: None });
        let Seen::Record(mine) = value else { continue };
        let first = passing.iter().find_map(|run| run.output.iter().find(|(other, _)| other == place));
        let Some((_, Seen::Record(others))) = first else { continue };
        let differs = |at: &usize| mine.get(*at) != others.get(*at);
        let found = (0..mine.len()).filter(differs).map(|at| Spot { place: place.clone(), byte: Some(at) });
        bytes.extend(found.take(MAX_PLACES));
    }
    whole.into_iter().chain(bytes).take(MAX_PLACES).collect()
}

/// What a change does to the outcomes of passing runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Loss {
    /// Every outcome still occurs in some run.
    Nothing,
    /// All runs that ended with some value end with another, and one of these values is new.
    Replaced,
    /// All runs that ended with some value now end as others did before.
    Taken,
}

/// A value at a spot, and the passing runs that end with it.
struct Outcome {
    spot: usize,
    value: End,
    runs: Vec<usize>,
}

/// The outcomes of passing runs.
#[derive(Default)]
pub(super) struct Outcomes {
    spots: Vec<Spot>,
    found: Vec<Outcome>,
}

impl Outcomes {
    /// O(n) for a bounded number of values.
    pub fn new(passing: &[Passing]) -> Outcomes {
        let spots = spots(passing);
        let mut found: Vec<Outcome> = Vec::new();
        for (spot, place) in spots.iter().enumerate() {
            let mut own: Vec<Outcome> = Vec::new();
            for (number, run) in passing.iter().enumerate() {
                let value = place.end(&run.output);
                let n_values = own.len();
                match own.iter_mut().find(|outcome| outcome.value == value) {
                    Some(outcome) => outcome.runs.push(number),
                    None if n_values <= MAX_VALUES => own.push(Outcome { spot, value, runs: vec![number] }),
                    None => break,
                }
            }
            found.extend(if own.len() <= MAX_VALUES { own } else { Vec::new() });
        }
        Outcomes { spots, found }
    }

    fn is_known(&self, spot: usize, value: &End) -> bool {
        self.found.iter().any(|outcome| outcome.spot == spot && outcome.value == *value)
    }

    /// The worst that a change does to an outcome. `end` returns how a passing run ends with the change.
    ///
    /// Cost: one run per outcome if nothing is lost, the usual case.
    pub fn loss(&self, mut end: impl FnMut(usize) -> Output) -> Loss {
        // Several outcomes of one run are often needed together.
        let mut known: Vec<(usize, Output)> = Vec::new();
        let mut end = |run: usize| match known.iter().find(|(number, _)| *number == run) {
            Some((_, output)) => output.clone(),
            None => {
                let output = end(run);
                known.push((run, output.clone()));
                output
            }
        };
        let common = self.found.iter().filter(|outcome| outcome.runs.len() >= MIN_RUNS);
        common.map(|outcome| self.loss_of(outcome, &mut end)).max().unwrap_or(Loss::Nothing)
    }

    fn loss_of(&self, outcome: &Outcome, mut end: impl FnMut(usize) -> Output) -> Loss {
        let mut loss = Loss::Taken;
        for run in &outcome.runs {
            let after = self.spots[outcome.spot].end(&end(*run));
            if after == outcome.value {
                return Loss::Nothing;
            }
            // Memory that is no longer written has no new value.
            if after.is_some() && !self.is_known(outcome.spot, &after) {
                loss = Loss::Replaced;
            }
        }
        if self.is_moved(outcome, end) { Loss::Nothing } else { loss }
    }

    /// Whether runs that ended otherwise now end with this outcome.
    fn is_moved(&self, outcome: &Outcome, mut end: impl FnMut(usize) -> Output) -> bool {
        let others =
            self.found.iter().filter(|other| other.spot == outcome.spot && other.value != outcome.value);
        let runs = others.flat_map(|other| other.runs.iter().take(MAX_TRIED));
        runs.into_iter().any(|run| self.spots[outcome.spot].end(&end(*run)) == outcome.value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::Run;
    use super::*;
    use nub_c_ir::RunInputs;

    fn output(bits: u128) -> Output {
        vec![("return 1".to_owned(), Seen::Int(bits))]
    }

    fn runs(outputs: &[u128]) -> Vec<Passing> {
        let run = Run { values: Vec::new(), inputs: RunInputs::default() };
        outputs.iter().map(|bits| Passing { run: run.clone(), output: output(*bits), class: 0 }).collect()
    }

    fn loss(before: &[u128], after: &[u128]) -> Loss {
        Outcomes::new(&runs(before)).loss(|run| output(after[run]))
    }

    #[test]
    fn an_outcome_is_taken_if_its_runs_end_as_others_did() {
        let before = [0, 0, 0, 0, 1, 1, 1, 2];
        let loss = |after: &[u128]| loss(&before, after);
        assert_eq!(loss(&[0, 0, 0, 0, 0, 0, 0, 2]), Loss::Taken, "no run ends with 1");
        assert_eq!(loss(&before), Loss::Nothing);
        assert_eq!(loss(&[0, 0, 0, 0, 1, 0, 0, 2]), Loss::Nothing, "one is left");
        assert_eq!(loss(&[0, 0, 0, 1, 0, 0, 0, 2]), Loss::Nothing, "another run has it");
        assert_eq!(loss(&[0, 0, 0, 0, 3, 0, 0, 2]), Loss::Replaced, "3 stands for 1");
        assert_eq!(loss(&[0, 0, 0, 0, 1, 1, 1, 0]), Loss::Nothing, "a single run may be an accident");
    }

    /// A byte with two values loses an outcome if it is no longer written, or always has the same value. A byte that is 7 in all runs has none to
    /// lose.
    #[test]
    fn memory_that_is_not_written_any_more_is_taken() {
        let memory = |bytes: &[u32]| {
            let bytes = bytes.iter().map(|byte| Some(*byte)).collect();
            vec![("1 0:check:c".to_owned(), Seen::Record(bytes))]
        };
        let run = Run { values: Vec::new(), inputs: RunInputs::default() };
        let passing: Vec<Passing> = (0..8)
            .map(|number| Passing { run: run.clone(), output: memory(&[number % 2, 7]), class: 0 })
            .collect();
        let outcomes = Outcomes::new(&passing);
        assert_eq!(outcomes.loss(|_| Vec::new()), Loss::Taken, "nothing is done");
        assert_eq!(outcomes.loss(|run| passing[run].output.clone()), Loss::Nothing);
        assert_eq!(outcomes.loss(|_| memory(&[0, 7])), Loss::Taken, "the first byte is never 1");
        assert_eq!(
            outcomes.loss(|run| memory(&[run as u32 % 2, 9])),
            Loss::Nothing,
            "7 is not an outcome, as it is always there"
        );
    }

    #[test]
    fn a_quantity_has_no_outcomes() {
        let before: Vec<u128> = (0..40).map(|number| number % 10).collect();
        let without_3: Vec<u128> =
            before.iter().map(|number| if *number == 3 { 4 } else { *number }).collect();
        assert_eq!(loss(&before, &without_3), Loss::Nothing);
        let few = |list: &[u128]| list.iter().map(|number| number / 2).collect::<Vec<u128>>();
        assert_eq!(loss(&few(&before), &vec![0; 40]), Loss::Taken, "5 values are few");
    }
}
