//! Every edit on the known runs, and the proof for the best of them.

use super::candidates::{Edit, EditKind, Statement, candidates};
use super::proof::{Edited, Outcome};
use super::schema::{Schema, schema};
use super::vacuous::is_vacuous;
use crate::certify::Certified;
use crate::describe::Source;
use crate::repair::damage::Passing;
use crate::repair::ranking::{Effort, Proof};
use crate::repair::runs::{End, Run, bytes, limits, seen};
use crate::repair::search::Problem;
use crate::repair::{Refusal, Settings};
use nub_c_ir::interp::Value as Seen;
use nub_c_ir::{GlobalId, Inputs, Limits, Recording};

/// Instructions of all runs with edits.
const MAX_STEPS: u64 = 60_000_000;
/// How much longer than the longest known run a run may be with an edit. Edits make loops that do not end.
const MAX_LONGER: u64 = 4;
/// Passing runs that every edit of interest has to leave passing.
const N_KEPT: usize = 8;
/// Edits of one kind and statement that are looked at closer, and passing runs for that.
const MAX_CLOSER: usize = 2;
const N_SAMPLE: usize = 48;
/// Proofs that are tried, and those for edits of one statement.
const MAX_PROOFS: usize = 32;
const MAX_PROOFS_PER_STATEMENT: usize = 3;

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
    /// For each run that fails: it passes with the edit.
    pub repaired: Vec<bool>,
    /// Share of passing runs that end otherwise.
    pub damage: f64,
    pub outcome: Outcome,
    /// It switches its statement off.
    pub is_vacuous: bool,
    /// It repairs the program together with another one, by its place in the list.
    pub partner: Option<usize>,
}

impl Tried {
    /// It makes the program right alone, and does not switch anything off.
    pub fn is_enough(&self) -> bool {
        self.is_proved() && !self.is_vacuous && self.partner.is_none()
    }

    /// What is known about the program with this edit.
    pub fn proof(&self) -> Proof {
        match self.outcome {
            Outcome::Repairs { is_complete } => Proof::Edited { is_complete, checked: Certified::NotChecked },
            Outcome::Fails(_) | Outcome::Open => Proof::NotTried,
        }
    }

    /// No run fails with this edit, or with this and its partner.
    pub fn is_proved(&self) -> bool {
        matches!(self.outcome, Outcome::Repairs { .. })
    }
}

/// Which edits are of interest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Those that repair all runs that fail.
    All,
    /// Those that repair some of them and not all.
    Some,
}

/// Where edits are made, and what they have to repair.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub source: Source<'a>,
    pub problem: &'a Problem<'a>,
    pub statements: &'a [Statement],
    /// Which edits are made.
    pub kinds: &'a [EditKind],
    /// For each global: program code uses it.
    pub is_used: &'a [bool],
    pub known: Known<'a>,
    pub settings: &'a Settings,
}

/// Small edits of the statements that repair runs and break none that is known, those that change least first.
///
/// Cost: for each statement the program is read once, and each edit is run until it is refuted.
pub(super) fn tried(task: Task<'_>, wanted: Wanted, effort: &mut Effort) -> Vec<Tried> {
    let Task { source, problem, statements, known, settings, .. } = task;
    let (unit, _) = nub_c_syntax::parse(source.text);
    let mut edits = candidates(&unit, source.program, task.is_used, statements, task.kinds);
    edits.sort_by_key(|edit| edit.statement);
    let mut trial = Trial { problem, known, max_steps: MAX_STEPS, n_steps: 0, n_runs: 0 };
    let mut found: Vec<Tried> = Vec::new();
    for list in edits.chunk_by(|a, b| a.statement == b.statement) {
        let is_over = settings.limits.cancel.is_cancelled() || trial.n_steps > MAX_STEPS;
        let schema = if is_over { None } else { schema(source, problem, list.to_vec()) };
        found.extend(schema.into_iter().flat_map(|schema| trial.statement(&schema, wanted)));
    }
    found.sort_by(|a, b| a.edit.kind.cmp(&b.edit.kind).then(a.damage.total_cmp(&b.damage)));
    effort.n_runs += trial.n_runs;
    found
}

/// Small edits that repair all known runs, with proofs for the best of them.
pub(crate) fn small_edits(task: Task<'_>, effort: &mut Effort) -> Result<Vec<Tried>, Refusal> {
    let mut found = tried(task, Wanted::All, effort);
    prove(task, &mut found, effort)?;
    Ok(found)
}

/// The interpreter with programs of many edits.
struct Trial<'a> {
    problem: &'a Problem<'a>,
    known: Known<'a>,
    /// Instructions of one run.
    max_steps: u64,
    n_steps: u64,
    n_runs: usize,
}

impl Trial<'_> {
    /// The edits of one statement that are of interest.
    fn statement(&mut self, schema: &Schema, wanted: Wanted) -> Vec<Tried> {
        self.measure(schema);
        let tried = (0..schema.edits.len()).filter_map(|number| {
            let repaired = self.repaired(schema, number, wanted)?;
            Some((number, repaired, self.damage(schema, number, 0..N_KEPT)?))
        });
        let mut tried: Vec<(usize, Vec<bool>, usize)> = tried.collect();
        // Of each kind those that change least.
        tried.sort_by_key(|(number, _, n_changed)| (schema.edits[*number].kind, *n_changed, *number));
        let mut n_same = 0;
        let mut last = None;
        tried.retain(|(number, ..)| {
            let kind = Some(schema.edits[*number].kind);
            n_same = if kind == last { n_same + 1 } else { 1 };
            last = kind;
            n_same <= MAX_CLOSER
        });
        let mut found = Vec::new();
        for (number, repaired, n_changed) in tried {
            let Some(more) = self.damage(schema, number, N_KEPT..N_SAMPLE) else { continue };
            let n_sample = self.known.passing.len().clamp(1, N_SAMPLE);
            let damage = (n_changed + more) as f64 / n_sample as f64;
            let edit = schema.edits[number].clone();
            found.push(Tried {
                edit,
                repaired,
                damage,
                outcome: Outcome::Open,
                is_vacuous: false,
                partner: None,
            });
        }
        found
    }

    /// Finds out how long runs are without any edit.
    fn measure(&mut self, schema: &Schema) {
        let mut longest = 0;
        for run in self.known.failing {
            let before = self.n_steps;
            self.play(schema, None, &run.inputs);
            longest = longest.max(self.n_steps - before);
        }
        self.max_steps = MAX_LONGER * longest;
    }

    /// Which runs that fail an edit repairs; `None` if that is not of interest.
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

    /// How many of some passing runs end otherwise with an edit; `None` if one fails.
    fn damage(&mut self, schema: &Schema, number: usize, range: std::ops::Range<usize>) -> Option<usize> {
        let passing = self.known.passing;
        let mut n_changed = 0;
        for passing in &passing[range.start.min(passing.len())..range.end.min(passing.len())] {
            let (end, output) = self.play(schema, Some(number), &passing.run.inputs);
            if end != End::Passes {
                return None;
            }
            n_changed += usize::from(output != passing.output);
        }
        Some(n_changed)
    }

    /// How a run ends with an edit, and what the specification sees of it.
    fn play(&mut self, schema: &Schema, number: Option<usize>, inputs: &Inputs) -> (End, Vec<Option<Seen>>) {
        let Schema { program, selector, start, is_program, .. } = schema;
        let mut inputs = inputs.clone();
        // The selector is the first object.
        inputs.globals.iter_mut().for_each(|(global, _)| *global = GlobalId(global.0 + 1));
        let chosen = number.map_or(0, |number| number as u128 + 1);
        inputs.globals.push((*selector, bytes(program, *selector, chosen)));
        let target = &self.problem.target;
        let limits = Limits { steps: self.max_steps, ..limits(target, Recording::Control) };
        let mut run = nub_c_ir::run(program, *start, &inputs, &limits);
        self.n_steps += run.n_steps;
        self.n_runs += 1;
        run.globals.remove(selector.index());
        let n_globals = run.globals.len();
        (End::of(target, &run.outcome), seen(&run, is_program, n_globals))
    }
}

/// Proves edits, those that change least first. A run that fails all the same is asked of the others too.
fn prove(task: Task<'_>, found: &mut [Tried], effort: &mut Effort) -> Result<(), Refusal> {
    let Task { source, problem, known, settings, .. } = task;
    let passing = known.passing.iter().take(N_SAMPLE).map(|passing| &passing.run);
    let runs: Vec<&Run> = known.failing.iter().chain(passing).collect();
    let mut against: Vec<Run> = Vec::new();
    let mut n_proofs = 0;
    for at in 0..found.len() {
        let statement = found[at].edit.statement;
        let kind = found[at].edit.kind;
        let same =
            found[..at].iter().filter(|other| other.edit.statement == statement && other.edit.kind == kind);
        let is_done = same.clone().any(|other| other.is_proved() && !other.is_vacuous)
            || same.filter(|other| !matches!(other.outcome, Outcome::Open)).count()
                >= MAX_PROOFS_PER_STATEMENT;
        if is_done || n_proofs == MAX_PROOFS || settings.limits.cancel.is_cancelled() {
            continue;
        }
        let Some(edited) = Edited::new(source, problem, &[&found[at].edit]) else { continue };
        if !edited.passes(against.iter()) {
            continue;
        }
        n_proofs += 1;
        let (outcome, n_questions) = edited.prove(settings)?;
        effort.n_questions += n_questions;
        match &outcome {
            Outcome::Fails(run) => against.push(Run::clone(run)),
            Outcome::Repairs { .. } => {
                found[at].is_vacuous =
                    is_vacuous(source, problem, &edited, task.statements[statement], &runs);
            }
            Outcome::Open => {}
        }
        found[at].outcome = outcome;
    }
    Ok(())
}
