//! Passing runs, to see what a repair breaks.
//!
//! A weak specification accepts a repair that disables the program. Passing runs are generated near the failing ones, and the share of them whose
//! output a repair changes is its damage. With a complete specification it is 0.

use super::effects::HandedOn;
use super::encoded_program::EncodedProgram;
use super::runs::{End, Output, Run, Stage};
use nub_c_ir::floats::{self, FloatOperand};
use nub_c_ir::{
    Argument, FloatEncoding, FloatOperator, FunctionId, LocalKind, NumberFormat, Program, RunInputs, TypeId,
};
use nub_random::Rng;
use nub_sat::SatLimits;
use nub_unroll::{InputPlace, InputVariable, Unrolled};

/// Attempts per requested run.
const MAX_ATTEMPTS: usize = 5;
/// Total steps. Inputs far from those of a short run may make loops long.
const MAX_STEPS: u64 = 1_000_000;
/// Outputs that are distinguished.
pub(super) const MAX_CLASSES: usize = 16;
/// Inputs that are changed at once.
const MAX_CHANGES: usize = 6;

/// Which inputs are floats, and how they are represented.
#[derive(Default)]
pub(super) struct InputFormats {
    /// For values that are read, in the order of a run that reads all.
    reads: Vec<Option<FloatEncoding>>,
    /// For arguments.
    arguments: Vec<Option<FloatEncoding>>,
}

impl InputFormats {
    /// The formats for an unrolled program and the function that runs start in.
    pub fn new(program: &Program, start: FunctionId, unrolled: &Unrolled) -> InputFormats {
        let is_read = |input: &&InputVariable| matches!(input.place, InputPlace::Read { .. });
        let float = |ty: TypeId| program.types.float_format(ty);
        let params = program.function(start).locals.iter();
        let params = params.filter(|local| local.kind == LocalKind::Parameter);
        InputFormats {
            reads: unrolled.inputs.iter().filter(is_read).map(|input| float(input.ty)).collect(),
            arguments: params.map(|local| float(local.ty)).collect(),
        }
    }
}

/// A passing run, with its output.
pub(super) struct Passing {
    pub run: Run,
    pub output: Output,
    /// Runs of one class have the same output; up to [`MAX_CLASSES`] classes. Known once the runs are [`balanced`].
    pub class: usize,
}

/// Up to `most` passing runs, and how many runs were tried. Also what the passing runs hand on, which is not part of their outputs. The same
/// counterexamples give the same runs.
pub(super) fn passing(
    stage: &Stage<'_>,
    failing: &[Run],
    formats: &InputFormats,
    most: usize,
    limits: &SatLimits,
) -> (Vec<Passing>, HandedOn, usize) {
    let (mut found, mut idle, mut handed_on) = (Vec::new(), Vec::new(), HandedOn::default());
    let mut random = Rng::new(0);
    let (mut n_runs, mut n_steps) = (0, 0);
    let is_open = |n_runs: usize, n_steps: u64| n_runs < most * MAX_ATTEMPTS && n_steps < MAX_STEPS;
    let is_stopped = || limits.cancel.is_cancelled();
    while found.len() < most && is_open(n_runs, n_steps) && !failing.is_empty() && !is_stopped() {
        let near = &failing[random.below(failing.len())];
        let inputs = changed(&near.inputs, failing, formats, &mut random);
        let (end, output, run) = stage.watched(&inputs, &[]);
        (n_runs, n_steps) = (n_runs + 1, n_steps + run.n_steps);
        if end == End::Passes {
            handed_on.add(&run);
            // A harness that returns before it calls the program says nothing about the program.
            let list = if stage.calls_program(&run) { &mut found } else { &mut idle };
            list.push(Passing { run: Run { values: Vec::new(), inputs }, output, class: 0 });
        }
    }
    if found.is_empty() {
        found = idle;
        found.truncate(most);
    }
    for passing in &mut found {
        passing.output = handed_on.without(std::mem::take(&mut passing.output));
    }
    (found, handed_on, n_runs)
}

/// The runs in an order in which those with different outputs alternate: the first few then represent everything that the program does, even if
/// nearly all runs have the same output. O(n) for few different outputs.
pub(super) fn balanced(runs: Vec<Passing>) -> Vec<Passing> {
    let mut classes: Vec<Vec<Passing>> = Vec::new();
    for run in runs {
        let known = classes.iter().position(|class| class[0].output == run.output);
        match known.or((classes.len() == MAX_CLASSES).then_some(MAX_CLASSES - 1)) {
            Some(class) => classes[class].push(Passing { class, ..run }),
            None => classes.push(vec![Passing { class: classes.len(), ..run }]),
        }
    }
    let mut classes: Vec<_> = classes.into_iter().map(Vec::into_iter).collect();
    let mut found = Vec::new();
    loop {
        let n_before = found.len();
        found.extend(classes.iter_mut().filter_map(Iterator::next));
        if found.len() == n_before {
            return found;
        }
    }
}

impl Passing {
    /// The run as one of a copy; without values if the copy has inputs other than values that are read.
    pub fn adopted(&self, copy: &EncodedProgram<'_>) -> Passing {
        let run = copy.adopt_reads(&self.run.inputs);
        Passing {
            run: run.unwrap_or_else(|| self.run.clone()),
            output: self.output.clone(),
            class: self.class,
        }
    }
}

/// Gives some inputs the value they have in another counterexample, a value close by, or a small one.
fn changed(inputs: &RunInputs, others: &[Run], formats: &InputFormats, random: &mut Rng) -> RunInputs {
    let mut inputs = inputs.clone();
    let n_inputs = inputs.values.len() + inputs.arguments.len();
    let n_changes = 1 + random.below(n_inputs.clamp(1, MAX_CHANGES));
    for _ in 0..n_changes {
        let at = random.below(n_inputs.max(1));
        let other = &others[random.below(others.len())].inputs;
        if let Some(value) = inputs.values.get_mut(at) {
            *value = match formats.reads.get(at).copied().flatten() {
                Some(float) => {
                    // Floats are compared with each other, so a value may be that of another input.
                    let from = random.below(formats.reads.len());
                    let from = if formats.reads[from] == Some(float) { from } else { at };
                    new_float(*value, other.values.get(from).copied(), float, random)
                }
                None => new_value(*value, other.values.get(at).copied(), random),
            };
            continue;
        }
        let at = at.saturating_sub(inputs.values.len());
        match (inputs.arguments.get_mut(at), formats.arguments.get(at).copied().flatten()) {
            (Some(Argument::Int(bits)), Some(float)) => *bits = new_float(*bits, None, float, random),
            (Some(argument), _) => change_argument(argument, random),
            (None, _) => {}
        }
    }
    inputs
}

fn change_argument(argument: &mut Argument, random: &mut Rng) {
    match argument {
        Argument::Int(bits) => *bits = new_value(*bits, None, random),
        Argument::Object(bytes) | Argument::Record(bytes) if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] = bytes[at].map(|byte| new_value(u128::from(byte), None, random) as u32 & 0xff);
        }
        _ => {}
    }
}

/// The interpreter cuts all values to the width of their type.
fn new_value(old: u128, other: Option<u128>, random: &mut Rng) -> u128 {
    match random.below(7) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => u128::from(random.below(2_u64)),
        3 => u128::from(random.below(1000_u64)),
        4 => u128::from(random.below(100_000_u64)),
        5 => old.wrapping_add(u128::from(random.below(200_u64))).wrapping_sub(100),
        _ => other.unwrap_or(old ^ 1),
    }
}

/// The same for a float: a neighbour, a small number, the other sign, the limits of its format.
fn new_float(old: u128, other: Option<u128>, float: FloatEncoding, random: &mut Rng) -> u128 {
    let exact = |value: f64| {
        let operand = FloatOperand {
            bits: u128::from(value.to_bits()),
            format: NumberFormat::Float(FloatEncoding::DOUBLE),
        };
        floats::apply(FloatOperator::FromNumber, NumberFormat::Float(float), &[operand])
    };
    // Small multiples of 1/8 have few bits, so they exist in every format.
    let eighths = |n: u64| n as f64 / 8.0;
    let special = [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE];
    match random.below(8) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => exact(eighths(random.below(80_u64))),
        3 => exact(eighths(random.below(8000_u64)) - 500.0),
        4 => exact(special[random.below(special.len())]),
        5 => old ^ float.sign_mask(),
        6 => exact(f64::from_bits(random.bits())),
        _ => other.unwrap_or(old ^ 1),
    }
}
