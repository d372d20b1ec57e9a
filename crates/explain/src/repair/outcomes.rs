//! Outcomes that a repair takes away.
//!
//! A weak property is satisfied by a program that never does what the property is about: one that never warns, never moves, never pays. A repair
//! of that kind shows on runs that pass. Some of them end with a value with which no run ends any more, and all of these now end as
//! other runs did before. The share of runs that it changes need not be large, since most runs do nothing of interest to begin with.
//!
//! A value that gives way to a new one is not taken away, since `return 3` for `return 2` may be what is right. But a property that
//! knows 2 alone is satisfied by any other number as well, so this counts as a large change.

use super::damage::Passing;
use nub_c_ir::interp::Value as Seen;

/// What one place of the output holds at the end of a run.
type End = Option<Seen>;

/// Runs that make an outcome worth keeping; fewer may be there by chance.
const MIN_RUNS: usize = 3;
/// Places of the output that are looked at.
const MAX_PLACES: usize = 16;
/// Values at one place. With more it is a quantity, and no value of it stands for something that the program does.
const MAX_VALUES: usize = 8;
/// Runs with one outcome that are tried, to see whether they end with another.
const MAX_TRIED: usize = 24;

/// What a change does to the ways in which passing runs end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Loss {
    /// For each of them some run still ends so.
    Nothing,
    /// All runs that ended with some value end with another, and one of these values is new.
    Replaced,
    /// All runs that ended with some value now end as others did before.
    Taken,
}

/// A value at a place of the output, and the passing runs that end with it.
struct Outcome {
    place: usize,
    value: End,
    runs: Vec<usize>,
}

/// What passing runs end with.
#[derive(Default)]
pub(super) struct Outcomes {
    found: Vec<Outcome>,
}

impl Outcomes {
    /// O(n) for a bounded number of values.
    pub fn new(passing: &[Passing]) -> Outcomes {
        let mut found: Vec<Outcome> = Vec::new();
        for (number, run) in passing.iter().enumerate() {
            for (place, value) in run.output.iter().enumerate().take(MAX_PLACES) {
                let mut same = found.iter_mut().filter(|outcome| outcome.place == place);
                match same.find(|outcome| outcome.value == *value) {
                    Some(outcome) => outcome.runs.push(number),
                    None => {
                        let n_values = found.iter().filter(|outcome| outcome.place == place).count();
                        if n_values <= MAX_VALUES {
                            found.push(Outcome { place, value: value.clone(), runs: vec![number] });
                        }
                    }
                }
            }
        }
        let n_values = |place: usize| found.iter().filter(|outcome| outcome.place == place).count();
        let is_few: Vec<bool> = (0..MAX_PLACES).map(|place| n_values(place) <= MAX_VALUES).collect();
        found.retain(|outcome| is_few[outcome.place]);
        Outcomes { found }
    }

    fn is_known(&self, place: usize, value: &End) -> bool {
        self.found.iter().any(|outcome| outcome.place == place && outcome.value == *value)
    }

    /// What a change does to the outcomes, the worst of it. `end` says how a passing run ends with the change.
    ///
    /// Cost: one run per outcome if nothing is lost, which is the rule.
    pub fn loss(&self, mut end: impl FnMut(usize) -> Vec<End>) -> Loss {
        let common = self.found.iter().filter(|outcome| outcome.runs.len() >= MIN_RUNS);
        common.map(|outcome| self.loss_of(outcome, &mut end)).max().unwrap_or(Loss::Nothing)
    }

    fn loss_of(&self, outcome: &Outcome, mut end: impl FnMut(usize) -> Vec<End>) -> Loss {
        let mut loss = Loss::Taken;
        for run in &outcome.runs {
            match end(*run).get(outcome.place) {
                Some(after) if *after == outcome.value => return Loss::Nothing,
                Some(after) if !self.is_known(outcome.place, after) => loss = Loss::Replaced,
                _ => {}
            }
        }
        if self.is_moved(outcome, end) { Loss::Nothing } else { loss }
    }

    /// Runs that ended otherwise now end with this outcome.
    fn is_moved(&self, outcome: &Outcome, mut end: impl FnMut(usize) -> Vec<End>) -> bool {
        let others =
            self.found.iter().filter(|other| other.place == outcome.place && other.value != outcome.value);
        let runs = others.flat_map(|other| other.runs.iter().take(MAX_TRIED));
        runs.into_iter().any(|run| end(*run).get(outcome.place) == Some(&outcome.value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::Run;
    use super::*;
    use nub_c_ir::Inputs;

    fn runs(outputs: &[u128]) -> Vec<Passing> {
        let run = Run { values: Vec::new(), inputs: Inputs::default() };
        outputs
            .iter()
            .map(|bits| Passing { run: run.clone(), output: vec![Some(Seen::Int(*bits))], class: 0 })
            .collect()
    }

    fn loss(before: &[u128], after: &[u128]) -> Loss {
        Outcomes::new(&runs(before)).loss(|run| vec![Some(Seen::Int(after[run]))])
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
