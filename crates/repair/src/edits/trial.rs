//! Every edit on the known runs.

use super::candidates::{Edit, EditKind, Statement, candidates};
use super::proof::Outcome;
use super::schema::{Schema, schema};
use crate::RepairSettings;
use crate::damage::{MAX_CLASSES, Passing};
use crate::outcomes::{Loss, Outcomes};
use crate::runs::{End, Output, Run, bytes, limits, seen, watched};
use crate::search::Problem;
use crate::worth::MAX_DAMAGE;
use nub_c_ir::ProgramSource;
use nub_c_ir::{GlobalId, InterpreterLimits, Recording, RunInputs};
use nub_c_syntax::TranslationUnit;
use nub_report::ranking::RepairProof;
use nub_sat::certify::CertificationResult;

/// Total instructions of all runs with edits.
const MAX_STEPS: u64 = 60_000_000;
/// How much longer than the longest known run a run with an edit may be. Edits can make loops infinite.
const MAX_LONGER: u64 = 4;
/// Passing runs that must still pass with every edit of interest.
const N_KEPT: usize = 8;
/// Edits of one kind and statement that are examined more closely, and passing runs for that.
const MAX_CLOSER: usize = 2;
const N_SAMPLE: usize = 48;
/// For floating-point arithmetic, where many questions stay unanswered, so that only runs can decide.
const N_FLOAT_SAMPLE: usize = 400;
/// Edits of one kind and statement to choose from, if the few runs do not decide.
const MAX_COMPARED: usize = 8;

/// Runs that are known.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub failing: &'a [Run],
    pub passing: &'a [Passing],
}

/// An edit, and what it does to the known runs.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub edit: Edit,
    /// Its number in the program with all edits of its statement.
    pub number: usize,
    /// For each failing run: whether it passes with the edit.
    pub repaired: Vec<bool>,
    /// Share of passing runs whose output changes; at first measured on a few of them.
    pub damage: f64,
    /// What it does to the outcomes of passing runs.
    pub loss: Loss,
    pub outcome: Outcome,
    /// Share of passing runs in which its statement has another value.
    pub altered: f64,
    /// Whether it gives both outcomes to a decision of the statement that has the same outcome in all known runs.
    pub wakes: bool,
    /// Whether it disables its statement.
    pub is_vacuous: bool,
    /// Whether it is undecided, and all runs that are known in the end pass with it.
    pub is_likely: bool,
    /// The edit that repairs the program together with this one, by its position in the list.
    pub partner: Option<usize>,
}

impl Tried {
    /// Whether it alone makes the program right, and disables nothing.
    pub fn is_enough(&self) -> bool {
        self.is_proved() && !self.is_vacuous && self.partner.is_none()
    }

    /// Whether it changes too much to be called small, whatever its text.
    pub fn is_large(&self) -> bool {
        self.damage > MAX_DAMAGE || self.loss != Loss::Nothing
    }

    /// What is known about the program with this edit.
    pub fn proof(&self) -> RepairProof {
        match &self.outcome {
            Outcome::Repairs { is_complete, premises } => RepairProof::Edited {
                is_complete: *is_complete,
                checked: CertificationResult::NotChecked,
                premises: premises.clone(),
            },
            Outcome::Fails(_) | Outcome::Open => RepairProof::NotTried,
        }
    }

    /// Whether no run fails with this edit, or with this and its partner.
    pub fn is_proved(&self) -> bool {
        matches!(self.outcome, Outcome::Repairs { .. })
    }
}

/// Which edits are of interest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Those that repair all failing runs.
    All,
    /// Those that repair some of them and not all.
    Some,
}

/// Where edits are made, and what they have to repair.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub source: ProgramSource<'a>,
    /// The parsed text.
    pub unit: &'a TranslationUnit,
    pub problem: &'a Problem<'a>,
    pub statements: &'a [Statement],
    /// Which edits are made.
    pub kinds: &'a [EditKind],
    /// For each global: whether program code uses it.
    pub is_used: &'a [bool],
    pub known: Known<'a>,
    pub settings: &'a RepairSettings,
}

/// Small edits of the statements that repair runs and break none of a few passing ones, those that change least first, and for each statement the
/// program with its edits.
///
/// Cost: for each statement the program is read once, and each edit is run until it is refuted.
pub(super) fn tried<'a>(task: Task<'a>, wanted: Wanted) -> (Vec<Tried>, Vec<Option<Schema>>, Trial<'a>) {
    let Task { source, problem, statements, known, settings, .. } = task;
    let mut edits = candidates(task.unit, source.program, task.is_used, statements, task.kinds);
    edits.sort_by_key(|edit| edit.statement);
    let outcomes = Outcomes::new(known.passing);
    let n_sample = if source.program.computes_floats() { N_FLOAT_SAMPLE } else { N_SAMPLE };
    let mut trial = Trial { problem, known, outcomes, n_sample, max_steps: 0, n_steps: 0, n_runs: 0 };
    let mut found: Vec<Tried> = Vec::new();
    let mut schemas: Vec<Option<Schema>> = statements.iter().map(|_| None).collect();
    for list in edits.chunk_by(|a, b| a.statement == b.statement) {
        let is_over = settings.limits.cancel.is_cancelled() || trial.n_steps > MAX_STEPS;
        let schema = if is_over { None } else { schema(source, problem, list.to_vec()) };
        found.extend(schema.iter().flat_map(|schema| trial.statement(schema, wanted)));
        schemas[list[0].statement] = schema;
    }
    found.sort_by(|a, b| {
        let key = |tried: &Tried| (tried.edit.kind, tried.loss);
        key(a).cmp(&key(b)).then(a.damage.total_cmp(&b.damage))
    });
    (found, schemas, trial)
}

/// Runs programs with many edits in the interpreter.
pub(super) struct Trial<'a> {
    problem: &'a Problem<'a>,
    known: Known<'a>,
    outcomes: Outcomes,
    /// Passing runs for a closer examination.
    n_sample: usize,
    /// Instructions of one run.
    max_steps: u64,
    n_steps: u64,
    pub n_runs: usize,
}

impl Trial<'_> {
    /// The edits of one statement that are of interest.
    fn statement(&mut self, schema: &Schema, wanted: Wanted) -> Vec<Tried> {
        self.measure(schema);
        let n_sample = self.known.passing.len().clamp(1, N_KEPT);
        let tried = (0..schema.edits.len()).filter_map(|number| {
            let repaired = self.repaired(schema, number, wanted)?;
            let n_changed = self.damage(schema, number)?;
            let loss = self.loss(schema, number);
            (loss != Loss::Taken).then(|| Tried {
                edit: schema.edits[number].clone(),
                number,
                repaired,
                damage: n_changed as f64 / n_sample as f64,
                loss,
                outcome: Outcome::Open,
                altered: 1.0,
                wakes: false,
                is_vacuous: false,
                is_likely: false,
                partner: None,
            })
        });
        let mut tried: Vec<Tried> = tried.collect();
        // For each kind, those that change least.
        tried.sort_by(|a, b| {
            let key = |tried: &Tried| (tried.edit.kind, tried.loss);
            key(a).cmp(&key(b)).then(a.damage.total_cmp(&b.damage)).then(a.number.cmp(&b.number))
        });
        let mut chosen = Vec::new();
        while let Some(first) = tried.first() {
            let n_same = tried.iter().take_while(|other| other.edit.kind == first.edit.kind).count();
            let rest = tried.split_off(n_same);
            chosen.extend(self.chosen(schema, tried));
            tried = rest;
        }
        chosen
    }

    /// Those edits of one kind that change least. If a few runs do not decide, more are used, and an edit with which one fails is dropped.
    fn chosen(&mut self, schema: &Schema, mut same: Vec<Tried>) -> Vec<Tried> {
        if same.len() > MAX_CLOSER {
            same.truncate(MAX_COMPARED);
            let mut compared: Vec<(f64, Tried)> = Vec::with_capacity(same.len());
            for tried in same {
                let share = self.share(schema, tried.number);
                compared.extend(share.map(|share| (share, tried)));
            }
            compared.sort_by(|a, b| a.1.loss.cmp(&b.1.loss).then(a.0.total_cmp(&b.0)));
            same = compared.into_iter().map(|(_, tried)| tried).collect();
        }
        same.truncate(MAX_CLOSER);
        same
    }

    /// The damage to more passing runs; `None` if one of them fails, or one of some others that must pass. The latter are tried first: they failed
    /// with an edit that was just as promising.
    pub fn closer(&mut self, schema: &Schema, tried: &Tried, others: &[Run]) -> Option<f64> {
        let passes = |run: &Run| self.play(schema, Some(tried.number), &run.inputs).0 == End::Passes;
        if !others.iter().rev().all(passes) {
            return None;
        }
        self.share(schema, tried.number)
    }

    /// The share of passing runs whose output changes with an edit; `None` if one fails. For each class of runs a sample represents the others.
    fn share(&mut self, schema: &Schema, number: usize) -> Option<f64> {
        let passing = self.known.passing;
        let mut n_all = [0_usize; MAX_CLASSES];
        passing.iter().for_each(|run| n_all[run.class] += 1);
        let (mut n_tried, mut n_changed) = ([0_usize; MAX_CLASSES], [0_usize; MAX_CLASSES]);
        for run in passing.iter().take(self.n_sample) {
            let (end, output) = self.play(schema, Some(number), &run.run.inputs);
            if end != End::Passes {
                return None;
            }
            n_tried[run.class] += 1;
            n_changed[run.class] += usize::from(output != run.output);
        }
        let changed = (0..MAX_CLASSES)
            .filter(|class| n_tried[*class] > 0)
            .map(|class| n_all[class] as f64 * n_changed[class] as f64 / n_tried[class] as f64);
        Some(changed.fold(0.0, |sum, changed| sum + changed) / passing.len().max(1) as f64)
    }

    /// Measures how long runs are without any edit.
    fn measure(&mut self, schema: &Schema) {
        let before = std::mem::replace(&mut self.max_steps, MAX_STEPS);
        let mut longest = 0;
        for run in self.known.failing {
            let n_steps = self.n_steps;
            self.play(schema, None, &run.inputs);
            longest = longest.max(self.n_steps - n_steps);
        }
        self.max_steps = before.max(MAX_LONGER * longest);
    }

    /// Which failing runs an edit repairs; `None` if that is not of interest.
    fn repaired(&mut self, schema: &Schema, number: usize, wanted: Wanted) -> Option<Vec<bool>> {
        let mut repaired = Vec::with_capacity(self.known.failing.len());
        for run in self.known.failing {
            let is_repaired = self.play(schema, Some(number), &run.inputs).0 == End::Passes;
            if wanted == Wanted::All && !is_repaired {
                return None;
            }
            repaired.push(is_repaired);
        }
        let is_some = repaired.contains(&true) && repaired.contains(&false);
        (wanted == Wanted::All || is_some).then_some(repaired)
    }

    /// How many of a few passing runs change their output with an edit; `None` if one fails.
    fn damage(&mut self, schema: &Schema, number: usize) -> Option<usize> {
        let passing = self.known.passing;
        let mut n_changed = 0;
        for passing in passing.iter().take(N_KEPT) {
            let (end, output) = self.play(schema, Some(number), &passing.run.inputs);
            if end != End::Passes {
                return None;
            }
            n_changed += usize::from(output != passing.output);
        }
        Some(n_changed)
    }

    /// What an edit does to the outcomes of passing runs.
    fn loss(&mut self, schema: &Schema, number: usize) -> Loss {
        let outcomes = std::mem::take(&mut self.outcomes);
        let passing = self.known.passing;
        let end = |run: usize| self.play(schema, Some(number), &passing[run].run.inputs).1;
        let loss = outcomes.loss(end);
        self.outcomes = outcomes;
        loss
    }

    /// How a run ends with an edit, and what the specification sees of it.
    fn play(&mut self, schema: &Schema, number: Option<usize>, inputs: &RunInputs) -> (End, Output) {
        let Schema { program, selector, start, is_program, .. } = schema;
        let mut inputs = inputs.clone();
        // The selector is the first object.
        inputs.globals.iter_mut().for_each(|(global, _)| *global = GlobalId(global.0 + 1));
        let chosen = number.map_or(0, |number| number as u128 + 1);
        inputs.globals.push((*selector, bytes(program, *selector, chosen)));
        let target = &self.problem.target;
        let (steps, watched) = (self.max_steps, watched(program, *start, is_program));
        let limits = InterpreterLimits { steps, watched, ..limits(Recording::Control) };
        let mut run = nub_c_ir::run(program, *start, &inputs, &limits);
        self.n_steps += run.n_steps;
        self.n_runs += 1;
        run.globals.remove(selector.index());
        let n_globals = run.globals.len();
        let output = self.problem.handed_on.without(seen(&run, is_program, n_globals));
        (End::of(target, &run.outcome), output)
    }
}
