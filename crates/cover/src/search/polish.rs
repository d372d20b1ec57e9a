//! Readable values: with the goals of a test fixed, each input becomes as small or as close to a constant of the source as possible.

use super::explorer::{Evaluate, Explorer, Reply};
use super::guess::Guess;
use super::knowledge::Behaviour;
use super::problem::{AtomId, ProgramInput, SuiteObjective};
use nub_bitvec::Value;
use nub_cnf::Lit;
use nub_sat::SatLimits;

/// Conflicts for one value. Where a division must be solved again, giving up is better.
const CONFLICTS: u64 = 60;
/// Values tried for one input before it is made small bit by bit.
const MAX_VALUES: usize = 40;

/// Numbers that are tried first: 0, 1, -1, then constants of the source and their neighbours, small magnitude first.
#[derive(Clone, Debug, Default)]
pub struct Favourites {
    numbers: Vec<i128>,
    /// All constants of the source.
    constants: Vec<i128>,
}

impl Favourites {
    /// Uses these constants of the source.
    pub fn new(constants: &[i128]) -> Favourites {
        let near = constants.iter().flat_map(|n| [n.checked_sub(1), Some(*n), n.checked_add(1)]).flatten();
        let mut numbers: Vec<i128> = near.chain([0, 1, -1]).collect();
        numbers.sort_unstable_by_key(|n| (n.unsigned_abs(), *n < 0));
        numbers.dedup();
        Favourites { numbers, constants: constants.to_vec() }
    }

    /// The same numbers, but more constants.
    #[must_use]
    pub fn with_constants(self, constants: Vec<i128>) -> Favourites {
        Favourites { constants, ..self }
    }

    /// The constants of the source, as often as they occur: there may be more of them than are tried first.
    pub fn constants(&self) -> &[i128] {
        &self.constants
    }

    /// All numbers.
    pub fn numbers(&self) -> &[i128] {
        &self.numbers
    }

    /// Those that an input can have.
    pub fn values(&self, input: &ProgramInput) -> impl Iterator<Item = Value> + use<'_> {
        let (width, is_signed) = (input.bits.len() as u32, input.is_signed);
        let fits = move |n: &i128| match (is_signed, width) {
            (_, 127..) => true,
            (true, _) => (-(1i128 << (width - 1))..1i128 << (width - 1)).contains(n),
            (false, _) => (0..1i128 << width).contains(n),
        };
        self.numbers.iter().copied().filter(fits).map(move |n| to_value(n, width))
    }
}

/// The low bits of a number.
pub fn to_value(number: i128, width: u32) -> Value {
    Value::from_bits((0..width).map(|bit| number >> bit.min(127) & 1 == 1))
}

/// Changes the inputs of tests so that together they still reach all the goals.
pub fn polish(
    explorer: &mut Explorer<'_>,
    tests: Vec<Behaviour>,
    goals: &[&SuiteObjective],
    favourites: &Favourites,
    limits: &SatLimits,
) -> Vec<Behaviour> {
    if let Some(evaluate) = explorer.evaluation() {
        let try_run = |inputs: Vec<Value>, duty: &[AtomId]| {
            evaluate.run(inputs).filter(|run| duty.iter().all(|atom| run.has(*atom)))
        };
        let trials = RunTrials { try_run: &try_run, may_have: Some(evaluate) };
        return polish_by_trying(trials, &explorer.problem().inputs, tests, goals, favourites, limits);
    }
    let duties = duties(&tests, goals);
    let limits = limits.with_conflicts(CONFLICTS);
    let mut polished = Vec::with_capacity(tests.len());
    for (test, duty) in tests.into_iter().zip(duties) {
        polished.push(polish_one(explorer, test, &duty, favourites, &limits));
    }
    polished
}

/// A run with these inputs, found without a solver; `None` if it is not valid, or lacks one of the atoms. It may really have more atoms than it
/// lists.
pub type TryRun<'t> = &'t dyn Fn(Vec<Value>, &[AtomId]) -> Option<Behaviour>;

/// How runs are tried.
#[derive(Clone, Copy)]
pub struct RunTrials<'t> {
    /// One run.
    pub try_run: TryRun<'t>,
    /// Excludes most runs of a batch at little cost, if there is a way.
    pub may_have: Option<Evaluate<'t>>,
}

/// The same without a solver.
pub fn polish_by_trying(
    trials: RunTrials<'_>,
    inputs: &[ProgramInput],
    tests: Vec<Behaviour>,
    goals: &[&SuiteObjective],
    favourites: &Favourites,
    limits: &SatLimits,
) -> Vec<Behaviour> {
    let duties = duties(&tests, goals);
    let guess = Guess { trials, inputs, favourites, limits };
    tests.into_iter().zip(duties).map(|(test, duty)| guess.polish(test, &duty)).collect()
}

/// For each test the atoms that it must keep: for each goal one pair is selected, and for each atom one test.
fn duties(tests: &[Behaviour], goals: &[&SuiteObjective]) -> Vec<Vec<AtomId>> {
    let n_with = |atom: AtomId| tests.iter().filter(|test| test.has(atom)).count();
    let mut wanted: Vec<AtomId> = Vec::new();
    for goal in goals {
        match goal {
            SuiteObjective::Atom(atom) => wanted.push(*atom),
            SuiteObjective::Pairs(pairs) => {
                let reached = pairs.iter().filter(|pair| pair.iter().all(|atom| n_with(*atom) > 0));
                // The pair that adds least to what is already required.
                let cost = |pair: &&[AtomId; 2]| pair.iter().filter(|atom| !wanted.contains(atom)).count();
                wanted.extend(reached.min_by_key(cost).into_iter().flatten());
            }
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    // What only one test has comes first; the rest goes where it costs least: to a test that already has duties.
    wanted.sort_by_key(|atom| n_with(*atom));
    let mut duties = vec![Vec::new(); tests.len()];
    for atom in wanted {
        let burdened = |index: &usize| (duties[*index].len(), std::cmp::Reverse(*index));
        if let Some(test) = (0..tests.len()).filter(|index| tests[*index].has(atom)).max_by_key(burdened) {
            duties[test].push(atom);
        }
    }
    duties
}

fn polish_one(
    explorer: &mut Explorer<'_>,
    mut test: Behaviour,
    duty: &[AtomId],
    favourites: &Favourites,
    limits: &SatLimits,
) -> Behaviour {
    let mut fixed: Vec<Lit> = Vec::new();
    for (index, input) in explorer.problem().inputs.iter().enumerate() {
        let fix = |value: &Value| -> Vec<Lit> {
            input.bits.iter().zip(value.bits()).map(|(bit, is_one)| bit.negated_if(!is_one)).collect()
        };
        let mut chosen = None;
        let rounded = input.float.as_ref().map(|choice| choice.rounded(&test.inputs[index]));
        let values = input.pleasant(favourites).take(MAX_VALUES).chain(rounded.into_iter().flatten());
        for value in values {
            if limits.cancel.is_cancelled() {
                return test;
            }
            if test.inputs[index] == value {
                chosen = Some(value);
                break;
            }
            if let Reply::Run(run) = explorer.ask_with(duty, &[fixed.clone(), fix(&value)].concat(), limits) {
                test = run;
                chosen = Some(value);
                break;
            }
        }
        // Fewer bits do not make a float more readable.
        if chosen.is_none() && input.float.is_none() {
            test = shrink(explorer, test, duty, &fixed, index, limits);
        }
        fixed.extend(fix(&test.inputs[index]));
    }
    test
}

/// Makes bits equal to the sign, or zero, starting from the top.
fn shrink(
    explorer: &mut Explorer<'_>,
    mut test: Behaviour,
    duty: &[AtomId],
    fixed: &[Lit],
    index: usize,
    limits: &SatLimits,
) -> Behaviour {
    let input = &explorer.problem().inputs[index];
    let mut assumed = fixed.to_vec();
    let mut sign = false;
    for (position, bit) in input.bits.iter().enumerate().rev() {
        let is_sign = input.is_signed && position + 1 == input.bits.len();
        let wanted = bit.negated_if(!sign);
        let has = |test: &Behaviour| test.inputs[index].bit(position as u32);
        if has(&test) != sign {
            let asked = [assumed.clone(), vec![wanted]].concat();
            if let Reply::Run(run) = explorer.ask_with(duty, &asked, limits) {
                test = run;
            }
        }
        if is_sign {
            sign = has(&test);
        }
        assumed.push(bit.negated_if(!has(&test)));
    }
    test
}
