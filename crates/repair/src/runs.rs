//! Runs the instrumented program in the interpreter: what sites read and compute, and how the run ends with a change.

use super::edits::Broken;
use super::effects::{self, HandedOn};
use super::site_tables::{Instrumented, Told};
use super::target::{Target, passed};
use nub_bitvec::Value;
use nub_c_ir::interp::{Effect, RunOutcome, RuntimeValue as Seen, TraceEvent};
use nub_c_ir::{FunctionId, GlobalId, InterpreterLimits, PlaceBase, Program, Recording, RunInputs, run};
use rustc_hash::FxHashMap;

/// Steps of one run. Runs within the bounds of the loops are far shorter; others are cut off.
pub(super) const MAX_STEPS: u64 = 200_000;

/// A run, as values of the inputs of a copy and as inputs of the interpreter.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub values: Vec<Value>,
    pub inputs: RunInputs,
}

/// An entry of a table: at this point, the site has this value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// The position of the site.
    pub site: usize,
    pub keys: Vec<u128>,
    /// A visible variable and its value.
    pub extra: Option<(usize, u128)>,
    pub value: u128,
}

/// One evaluation of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instance {
    pub site: usize,
    pub keys: Vec<u128>,
    pub visible: Vec<u128>,
    /// The value of the expression, without any change.
    pub now: u128,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Passes,
    Fails,
    /// It is ignored: an assumption is violated, or a limit is reached.
    Other,
}

/// The interpreter with one instrumented program.
pub(super) struct Stage<'i> {
    pub instrumented: &'i Instrumented,
    pub start: FunctionId,
    pub target: &'i Target,
    /// For each function: whether it is program code.
    pub is_program: &'i [bool],
    /// What passing runs hand on, which is not a result.
    pub handed_on: &'i HandedOn,
    /// Steps of one run.
    pub max_steps: u64,
}

/// How far a run of a program without tables may go, and what it records.
pub(super) fn limits(recording: Recording) -> InterpreterLimits {
    InterpreterLimits { steps: MAX_STEPS, recording, ..InterpreterLimits::default() }
}

impl End {
    pub fn of(target: &Target, outcome: &RunOutcome) -> End {
        if passed(outcome) {
            End::Passes
        } else if target.fails(outcome) {
            End::Fails
        } else {
            End::Other
        }
    }
}

/// What the specification sees of a run: names, each with its value. What does not exist has no entry.
pub(super) type Output = Vec<(String, Seen)>;

/// What functions of the program return to the specification, and what they change in memory that it can read: globals, structures, what is behind
/// pointers. If the program never returns, the final content of the first globals. The run records control and watches the program.
pub(super) fn seen(run: &nub_c_ir::interp::InterpretedRun, is_program: &[bool], n_globals: usize) -> Output {
    let mut stack: Vec<FunctionId> = Vec::new();
    let (mut seen, mut n_returns, mut n_effects) = (Vec::new(), 0, 0);
    let is_program =
        |id: Option<&FunctionId>| id.is_some_and(|id| is_program.get(id.index()).copied().unwrap_or(false));
    for event in &run.trace {
        match event {
            TraceEvent::Call { function, .. } => stack.push(*function),
            TraceEvent::Return { value, .. } => {
                let from = stack.pop();
                // The function that runs start in sees what the others do, even if it is a suspect itself.
                let is_seen = !is_program(stack.last()) || stack.len() == 1;
                if is_program(from.as_ref()) && is_seen {
                    n_returns += 1;
                    seen.extend(value.clone().map(|value| (format!("return {n_returns}"), value)));
                }
            }
            TraceEvent::Effects { changed, .. } => {
                n_effects += 1;
                let part = |effect: &Effect| {
                    (effects::place(n_effects, &effect.name), Seen::Record(effect.bytes.clone()))
                };
                seen.extend(changed.iter().map(part));
            }
            _ => {}
        }
    }
    if n_returns == 0 {
        let globals = run.globals.iter().take(n_globals).enumerate();
        seen.extend(globals.map(|(at, bytes)| (format!("global {at}"), Seen::Record(bytes.clone()))));
    }
    seen
}

/// Functions whose effects are seen when they return to others: the program. The function that runs start in is not included if it calls some.
pub(super) fn watched(program: &Program, start: FunctionId, is_program: &[bool]) -> Vec<bool> {
    let mut watched = is_program.to_vec();
    let called = program.callees(program.function(start));
    let has_others = called.iter().any(|(callee, _)| is_program.get(callee.index()) == Some(&true));
    if let Some(is_watched) = watched.get_mut(start.index()).filter(|_| has_others) {
        *is_watched = false;
    }
    watched
}

impl Stage<'_> {
    fn limits(&self, recording: Recording) -> InterpreterLimits {
        let Instrumented { entries, told, .. } = self.instrumented;
        let has_tables = !entries.is_empty() || !told.is_empty();
        let ignored = if has_tables { self.target.ignored() } else { Vec::new() };
        InterpreterLimits { steps: self.max_steps, ignored, ..limits(recording) }
    }

    fn end(&self, outcome: &RunOutcome) -> End {
        End::of(self.target, outcome)
    }

    /// Whether the run calls a function of the program. True if there is none except the one that runs start in.
    pub fn calls_program(&self, run: &nub_c_ir::interp::InterpretedRun) -> bool {
        let is_program = |id: FunctionId| id != self.start && self.is_program.get(id.index()) == Some(&true);
        let called = self.instrumented.program.callees(self.instrumented.program.function(self.start));
        let is_called =
            |event: &TraceEvent| matches!(event, TraceEvent::Call { function, .. } if is_program(*function));
        !called.iter().any(|(callee, _)| is_program(*callee)) || run.trace.iter().any(is_called)
    }

    /// How a run ends with these changes.
    pub fn end_with(&self, inputs: &RunInputs, table: &[Change]) -> End {
        let inputs = self.inputs(inputs, table);
        let limits = self.limits(Recording::Nothing);
        self.end(&run(&self.instrumented.program, self.start, &inputs, &limits).outcome)
    }

    /// The rule of C that a run violates, and where.
    pub fn undefined_at(&self, inputs: &RunInputs) -> Option<Broken> {
        let limits = self.limits(Recording::Nothing);
        match run(&self.instrumented.program, self.start, inputs, &limits).outcome {
            RunOutcome::Undefined(kind, site) => {
                Some(Broken { kind, function: site.function, origin: site.origin })
            }
            _ => None,
        }
    }

    /// The evaluations of sites with these changes, in order of execution.
    pub fn instances(&self, inputs: &RunInputs, table: &[Change]) -> (End, Vec<Instance>) {
        let inputs = self.inputs(inputs, table);
        let limits = self.limits(Recording::Everything);
        let run = run(&self.instrumented.program, self.start, &inputs, &limits);
        (self.end(&run.outcome), self.told(&run.trace))
    }

    fn told(&self, trace: &[TraceEvent]) -> Vec<Instance> {
        let mut functions: FxHashMap<u32, FunctionId> = FxHashMap::default();
        let mut found = Vec::new();
        let (mut keys, mut visible) = (Vec::new(), Vec::new());
        for event in trace {
            match event {
                TraceEvent::Call { frame, function } => {
                    functions.insert(*frame, *function);
                }
                TraceEvent::Assign { frame, target, value, .. } => {
                    let PlaceBase::Local(local) = target.base else { continue };
                    let Some(function) = functions.get(frame) else { continue };
                    let Some((site, told)) = self.instrumented.told.get(&(*function, local)) else {
                        continue;
                    };
                    let bits = if let Seen::Int(bits) = value { *bits } else { 0 };
                    match told {
                        Told::Operand(_) => keys.push(bits),
                        Told::Visible(_) => visible.push(bits),
                        Told::Now => {
                            let (keys, visible) = (std::mem::take(&mut keys), std::mem::take(&mut visible));
                            found.push(Instance { site: *site, keys, visible, now: bits });
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// How a run ends with these changes, and what the specification sees of it.
    pub fn output(&self, inputs: &RunInputs, table: &[Change]) -> (End, Output) {
        let (end, output, _) = self.measured(inputs, table);
        (end, output)
    }

    /// The same, and how many steps it took.
    pub fn measured(&self, inputs: &RunInputs, table: &[Change]) -> (End, Output, u64) {
        let (end, output, run) = self.watched(inputs, table);
        (end, self.handed_on.without(output), run.n_steps)
    }

    /// How a run ends, everything that can be seen of it, and the run.
    pub fn watched(
        &self,
        inputs: &RunInputs,
        table: &[Change],
    ) -> (End, Output, nub_c_ir::interp::InterpretedRun) {
        let inputs = self.inputs(inputs, table);
        let watched = watched(&self.instrumented.program, self.start, self.is_program);
        let limits = InterpreterLimits { watched, ..self.limits(Recording::Control) };
        let run = run(&self.instrumented.program, self.start, &inputs, &limits);
        let n_known = self.instrumented.program.globals.len() - self.n_slots();
        (self.end(&run.outcome), seen(&run, self.is_program, n_known), run)
    }

    fn n_slots(&self) -> usize {
        self.instrumented.entries.iter().map(|entry| entry.keys.len() + 4).sum()
    }

    fn inputs(&self, inputs: &RunInputs, table: &[Change]) -> RunInputs {
        let program = &self.instrumented.program;
        let mut inputs = inputs.clone();
        for (at, entry) in self.instrumented.entries.iter().enumerate() {
            let mut set = |global: GlobalId, value: u128| {
                inputs.globals.push((global, bytes(program, global, value)));
            };
            let Some(change) = table.get(at) else {
                set(entry.site, 0);
                continue;
            };
            set(entry.site, change.site as u128 + 1);
            set(entry.value, change.value);
            entry.keys.iter().zip(&change.keys).for_each(|(key, value)| set(*key, *value));
            let (number, value) = change.extra.map_or((0, 0), |(number, value)| (number as u128 + 1, value));
            set(entry.extra, number);
            set(entry.extra_key, value);
        }
        inputs
    }
}

/// A number as the bytes of a global integer.
pub(super) fn bytes(program: &Program, global: GlobalId, value: u128) -> Vec<Option<u32>> {
    let size = program.types.size_of(program.globals[global.index()].ty).unwrap_or(0);
    let char_bits = program.model.char_bits;
    let byte = |at: u64| {
        let shifted = u32::try_from(at).ok().and_then(|at| value.checked_shr(at * char_bits)).unwrap_or(0);
        Some(nub_c_ir::ints::truncate(shifted, char_bits) as u32)
    };
    (0..size).map(byte).collect()
}
