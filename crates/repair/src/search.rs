//! The search as a whole: counterexamples, sites they reach, what each site can repair.

use super::counterexamples::counterexamples;
use super::damage::{InputFormats, Passing, passing};
use super::edits::{Broken, EditKind, Edited, Known, Statement, Task, Tried, pair, rule_edits, small_edits};
use super::edits_first::Trials;
use super::effects::HandedOn;
use super::encoded_program::{EncodedProgram, ProgramQuestion};
use super::gates::Gates;
use super::known_runs::KnownRuns;
use super::point::PointSearch;
use super::rounds::{named, rounds};
use super::runs::{End, MAX_STEPS, Run, Stage};
use super::site_programs::SitePrograms;
use super::site_tables::{Instrumented, Style, instrument};
use super::sites::{Site, sites};
use super::suspects::{Suspicion, changeable, used_globals};
use super::target::Target;
use super::try_site::{Found, Witness, try_site};
use super::undefined::Undefined;
use super::visible::{Visible, visible};
use super::{Refusal, RepairSettings};
use nub_c_ir::ProgramSource;
use nub_c_ir::{FunctionId, Program};
use nub_c_syntax::TranslationUnit;
use nub_report::ranking::{Part, RepairProof, SolvingEffort};
use nub_sat::certify::CertificationResult;
use nub_unroll::{Patience, UnrollConfig, Unrolled};
use rustc_hash::FxHashMap;

/// Sites of one unrolled copy. More need several copies.
const MAX_SITES: usize = 256;
/// How many times longer than a failing run another may be, and how long it may always be. Tables make runs longer too.
const MAX_LONGER: u64 = 64;
const MIN_STEPS: u64 = 20_000;
/// A run that fails with more steps than this is a long one.
const LONG_RUN: u64 = 500;

/// What all steps share.
pub(super) struct Problem<'p> {
    pub program: &'p Program,
    pub start: FunctionId,
    pub config: UnrollConfig,
    pub target: Target,
    pub is_program: Vec<bool>,
    /// What passing runs hand on to later calls, which is not a result.
    pub handed_on: HandedOn,
    /// Steps of one run in the interpreter.
    pub max_steps: u64,
    /// Runs that fail are long: a copy of the program with tables would be large, and questions about it expensive.
    pub is_long: bool,
    /// Runs that break a rule of C without any change, if there are such: they refute no edit.
    pub undefined: Option<Undefined>,
}

impl<'p> Problem<'p> {
    fn new(
        program: &'p Program,
        start: FunctionId,
        suspicion: Suspicion,
        settings: &RepairSettings,
    ) -> Problem<'p> {
        Problem {
            program,
            start,
            // Copies for proofs are not stopped: what is known by then would be lost with them.
            config: UnrollConfig { patience: Patience::default(), ..settings.unroll.clone() },
            target: Target::Assertions(settings.property),
            is_program: changeable(program, start, &settings.trusted, suspicion),
            handed_on: HandedOn::default(),
            max_steps: MAX_STEPS,
            is_long: false,
            undefined: None,
        }
    }

    pub fn stage<'i>(&'i self, instrumented: &'i Instrumented) -> Stage<'i> {
        let Problem { start, target, is_program, handed_on, max_steps, .. } = self;
        Stage { instrumented, start: *start, target, is_program, handed_on, max_steps: *max_steps }
    }

    /// A change may make a loop infinite. A run much longer than the failing ones is cut off, so that it does not use up all the time.
    fn limit_steps(&mut self, base: &Instrumented, failing: &[Run]) {
        let stage = self.stage(base);
        let longest = failing.iter().map(|run| stage.measured(&run.inputs, &[]).2).max().unwrap_or(0);
        self.max_steps = (MAX_LONGER * longest).clamp(MIN_STEPS, MAX_STEPS);
        self.is_long = longest > LONG_RUN;
    }
}

/// A site with everything that is known about it.
pub(super) struct Candidate {
    pub site: Site,
    pub visible: Vec<Visible>,
    pub found: Found,
    /// When it is first executed: the counterexample and the position in it.
    pub first: (usize, usize),
    /// The best small edit of its statement: a position in [`Searched::edits`].
    pub edit: Option<usize>,
}

/// The results of the search.
pub(super) struct Searched<'p> {
    /// The parsed text.
    pub unit: &'p TranslationUnit,
    pub problem: Problem<'p>,
    pub witnesses: Vec<Witness>,
    /// Failing runs of the original program.
    pub failing: Vec<Run>,
    /// Passing runs; those with different outputs alternate.
    pub passing: Vec<Passing>,
    /// Where behaviour is undefined, if that is what fails.
    pub undefined_at: Option<Broken>,
    /// Inputs of the counterexamples by name.
    pub inputs: Vec<Vec<(String, String)>>,
    pub candidates: Vec<Candidate>,
    /// Small edits that repair runs.
    pub edits: Vec<Tried>,
    /// Edits that prevent the violation of a rule of C, the best first: positions in `edits`.
    pub rule_edits: Vec<usize>,
    pub effort: SolvingEffort,
    pub notes: Vec<String>,
}

/// Searches; `None` if no run fails.
pub(super) fn search<'p>(
    source: ProgramSource<'p>,
    unit: &'p TranslationUnit,
    start: FunctionId,
    suspicion: Suspicion,
    settings: &RepairSettings,
) -> Result<Option<Searched<'p>>, Refusal> {
    let program = source.program;
    let mut problem = Problem::new(program, start, suspicion, settings);
    let mut effort = SolvingEffort::default();
    let mut notes = Vec::new();
    let base = instrument(program, start, &[], &[], 0, Style::Plain);
    let question = ProgramQuestion { start, config: &settings.unroll, target: &problem.target };
    let mut copy = EncodedProgram::new(&base, &[], question, settings)?;
    let mut runs = counterexamples(&mut copy, settings.first.clone(), settings.n_counterexamples);
    // The given run may violate a rule of C, and no assertion.
    runs.retain(|run| problem.stage(&base).end_with(&run.inputs, &[]) == End::Fails);
    if runs.is_empty() && copy.is_unplayable {
        return Err(Refusal::NotReplayed);
    }
    if runs.is_empty() {
        problem.target = Target::Checks;
        let question = ProgramQuestion { start, config: &settings.unroll, target: &problem.target };
        copy = EncodedProgram::new(&base, &[], question, settings)?;
        runs = counterexamples(&mut copy, settings.first.clone(), settings.n_counterexamples);
        let what = if program.model.extra_checks.is_empty() { "undefined behaviour" } else { "a check" };
        notes.push(format!("no assertion fails; this is about {what}"));
    }
    if runs.is_empty() {
        let is_stopped = settings.limits.cancel.is_cancelled();
        return if is_stopped { Err(Refusal::Stopped) } else { Ok(None) };
    }
    let stage = problem.stage(&base);
    runs.retain(|run| stage.end_with(&run.inputs, &[]) == End::Fails);
    let Some(first) = runs.first() else { return Err(Refusal::NotReplayed) };
    let undefined_at = stage.undefined_at(&first.inputs);
    effort.n_questions += copy.n_questions;
    problem.limit_steps(&base, &runs);
    let stage = problem.stage(&base);
    let formats = InputFormats::new(program, start, &copy.unrolled);
    let (passing, handed_on, n_tried) =
        passing(&stage, &runs, &formats, settings.n_passing, &settings.limits);
    problem.handed_on = handed_on;
    problem.config.loops.extend(rounds(&copy.unrolled, &problem.config));
    // A repair must not violate another assertion.
    problem.target = match problem.target {
        Target::Assertions(_) => Target::Assertions(None),
        Target::Checks | Target::Anything => Target::Anything,
    };
    let (undefined, n_asked) = Undefined::of(&problem, settings);
    problem.undefined = undefined;
    effort.n_questions += n_asked;
    let inputs = runs.iter().map(|run| named(source, &copy.unrolled, run)).collect();
    effort.n_runs += n_tried + runs.len();
    let computes_floats = copy.computes_floats;
    let base = Base { unrolled: copy.unrolled, runs, passing, suspicion, computes_floats };
    let mut searched = Searched {
        unit,
        problem,
        witnesses: Vec::new(),
        failing: Vec::new(),
        passing: Vec::new(),
        undefined_at,
        inputs,
        candidates: Vec::new(),
        edits: Vec::new(),
        rule_edits: Vec::new(),
        effort,
        notes,
    };
    searched.explore(source, base, settings)?;
    Ok(Some(searched))
}

/// The original program, and failing runs of it.
pub(super) struct Base {
    /// Whether the program computes floats from others.
    pub(super) computes_floats: bool,
    suspicion: Suspicion,
    unrolled: Unrolled,
    pub(super) runs: Vec<Run>,
    pub(super) passing: Vec<Passing>,
}

impl Base {
    /// What is known about sites before any of them is tried.
    fn untried(&self, n_sites: usize) -> (Vec<Found>, Vec<Witness>) {
        let witness = |run: &Run| Witness { run: run.clone(), instances: Vec::new() };
        (vec![Found::default(); n_sites], self.runs.iter().map(witness).collect())
    }
}

impl Searched<'_> {
    /// Finds the sites that counterexamples reach, and tries them.
    pub(super) fn sites(
        &mut self,
        source: ProgramSource<'_>,
        base: &Base,
        trials: Trials,
        settings: &RepairSettings,
    ) -> Result<(), Refusal> {
        let (program, start) = (self.problem.program, self.problem.start);
        let is_program = &self.problem.is_program;
        let is_used = used_globals(program, is_program);
        let mut all =
            sites(program, source.text, start, |id| is_program.get(id.index()).copied().unwrap_or(false));
        if base.suspicion == Suspicion::Holders {
            let gates = Gates::new(program);
            all.retain(|site| !gates.holds(site));
        }
        let none = vec![Vec::new(); all.len()];
        let telling = instrument(program, start, &all, &none, 0, Style::Telling);
        let stage = self.problem.stage(&telling);
        let mut first: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        for (number, run) in base.runs.iter().enumerate() {
            let (_, instances) = stage.instances(&run.inputs, &[]);
            for (at, instance) in instances.iter().enumerate() {
                first.entry(instance.site).or_insert((number, at));
            }
        }
        let executed: Vec<usize> = (0..all.len()).filter(|index| first.contains_key(index)).collect();
        self.effort.n_sites = executed.len();
        self.effort.n_runs += 2 * base.runs.len() + base.passing.len();
        for chunk in executed.chunks(MAX_SITES) {
            let chosen: Vec<Site> = chunk.iter().map(|index| all[*index].clone()).collect();
            let visible: Vec<Vec<Visible>> =
                chosen.iter().map(|site| visible(program, site, &is_used)).collect();
            let (found, witnesses) = match trials {
                Trials::Points => self.chunk(&chosen, &visible, base, settings)?,
                Trials::Nothing => base.untried(chosen.len()),
            };
            if self.witnesses.is_empty() {
                self.witnesses = witnesses;
            }
            for (((site, visible), found), index) in chosen.into_iter().zip(visible).zip(found).zip(chunk) {
                self.candidates.push(Candidate { site, visible, found, first: first[index], edit: None });
            }
        }
        Ok(())
    }

    /// Statements that can repair that many runs, and for each candidate which of them it belongs to. A statement that a run reaches more than once
    /// may be wrong each time, which no change at one point repairs; but an edit may, and so may an edit of the target of an assignment.
    fn statements(&self, n_repairable: usize) -> (Vec<Statement>, Vec<Option<usize>>) {
        let mut statements: Vec<Statement> = Vec::new();
        let mut places = Vec::with_capacity(self.candidates.len());
        for Candidate { site, found, .. } in &self.candidates {
            let statement = Statement { function: site.function, span: site.span };
            let known = statements.iter().position(|other| *other == statement);
            let can_repair =
                found.n_repairable >= n_repairable || !found.is_once || site.part == Part::Assignment;
            let is_wanted = can_repair && site.part != Part::Initialiser;
            if known.is_none() && is_wanted {
                statements.push(statement);
            }
            places.push(known.or(is_wanted.then(|| statements.len() - 1)));
        }
        (statements, places)
    }

    fn task<'a>(
        &'a self,
        source: ProgramSource<'a>,
        statements: &'a [Statement],
        (kinds, is_used): (&'a [EditKind], &'a [bool]),
        settings: &'a RepairSettings,
    ) -> Task<'a> {
        let known = Known { failing: &self.failing, passing: &self.passing };
        Task { source, unit: self.unit, problem: &self.problem, statements, kinds, is_used, known, settings }
    }

    /// A task that needs no list of statements.
    pub(super) fn plain_task<'a>(
        &'a self,
        source: ProgramSource<'a>,
        settings: &'a RepairSettings,
    ) -> Task<'a> {
        self.task(source, &[], (&[], &[]), settings)
    }

    /// Edits that prevent the violation of a rule of C, if that is the failure and program code causes it.
    pub(super) fn rules(
        &mut self,
        source: ProgramSource<'_>,
        settings: &RepairSettings,
    ) -> Result<Vec<Tried>, Refusal> {
        let is_program =
            |broken: &Broken| self.problem.is_program.get(broken.function.index()) == Some(&true);
        let Some(broken) = self.undefined_at.filter(is_program) else { return Ok(Vec::new()) };
        let mut effort = self.effort;
        let found = rule_edits(self.plain_task(source, settings), broken, &mut effort)?;
        self.effort = effort;
        Ok(found)
    }

    /// Tries small edits of the statements that can repair every run.
    pub(super) fn edit(
        &mut self,
        source: ProgramSource<'_>,
        settings: &RepairSettings,
    ) -> Result<(), Refusal> {
        let is_used = used_globals(self.problem.program, &self.problem.is_program);
        let (statements, places) = self.statements(self.witnesses.len());
        let mut effort = self.effort;
        let task = self.task(source, &statements, (&EditKind::ALL, &is_used), settings);
        self.edits = small_edits(task, &mut effort)?;
        self.effort = effort;
        for (candidate, place) in self.candidates.iter_mut().zip(places) {
            let own = |edit: &Tried| Some(edit.edit.statement) == place;
            let is_enough = |edit: &Tried| own(edit) && edit.is_enough();
            let is_best = |edit: &Tried| is_enough(edit) && !edit.is_large();
            let best = self.edits.iter().position(is_best).or_else(|| self.edits.iter().position(is_enough));
            let is_likely = |edit: &Tried| own(edit) && edit.is_likely;
            let other = || self.edits.iter().position(is_likely).or_else(|| self.edits.iter().position(own));
            candidate.edit = best.or_else(other);
        }
        Ok(())
    }

    /// Generates a proof that no run fails with an edit, and checks it.
    pub fn checked(
        &self,
        source: ProgramSource<'_>,
        edit: usize,
        settings: &RepairSettings,
    ) -> Result<RepairProof, Refusal> {
        let edited = Edited::new(source, &self.problem, &[&self.edits[edit].edit]);
        let checked = edited.map_or(Ok(CertificationResult::Wrong), |edited| edited.certified(settings))?;
        Ok(match self.edits[edit].proof() {
            RepairProof::Edited { is_complete, premises, .. } if checked != CertificationResult::Wrong => {
                RepairProof::Edited { is_complete, checked, premises }
            }
            _ => RepairProof::Open { n_entries: 0 },
        })
    }

    /// Looks for two edits that repair the program together, and records them. If there are such, returns whether the proof was checked.
    pub fn pair(
        &mut self,
        source: ProgramSource<'_>,
        settings: &RepairSettings,
    ) -> Result<Option<CertificationResult>, Refusal> {
        if settings.points_only {
            return Ok(None);
        }
        let is_used = used_globals(self.problem.program, &self.problem.is_program);
        let (statements, places) = self.statements(1);
        let mut effort = self.effort;
        let found =
            pair(self.task(source, &statements, (&EditKind::TOKENS, &is_used), settings), &mut effort)?;
        self.effort = effort;
        let Some((found, checked)) = found else { return Ok(None) };
        for (tried, partner) in found.into_iter().zip([1, 0]) {
            let number = self.edits.len();
            for (candidate, place) in self.candidates.iter_mut().zip(&places) {
                if *place == Some(tried.edit.statement) {
                    candidate.edit = Some(number);
                }
            }
            let partner = if partner == 1 { number + 1 } else { number - 1 };
            self.edits.push(Tried { partner: Some(partner), ..tried });
        }
        Ok(Some(checked))
    }

    fn chunk(
        &mut self,
        sites: &[Site],
        visible: &[Vec<Visible>],
        base: &Base,
        settings: &RepairSettings,
    ) -> Result<(Vec<Found>, Vec<Witness>), Refusal> {
        let Problem { program, start, config, target, .. } = &self.problem;
        let plain = instrument(program, *start, sites, visible, 1, Style::Plain);
        let telling = instrument(program, *start, sites, visible, 0, Style::Telling);
        debug_assert_eq!(nub_c_ir::validate(&plain.program), Ok(()));
        let settings = &RepairSettings { limits: settings.point_limits.clone(), ..settings.clone() };
        let cancel = settings.limits.cancel.clone();
        let config =
            &UnrollConfig { patience: Patience::until(move || cancel.is_cancelled()), ..config.clone() };
        let question = ProgramQuestion { start: *start, config, target };
        let copy = match EncodedProgram::new(&plain, sites, question, settings) {
            // Edits need no copy with tables.
            Err(Refusal::Stopped) => return Ok(base.untried(sites.len())),
            copy => copy?,
        };
        let stage = self.problem.stage(&telling);
        let mut library = KnownRuns::default();
        let passing: Vec<Passing> = base.passing.iter().map(|passing| passing.adopted(&copy)).collect();
        let mut witnesses = Vec::with_capacity(base.runs.len());
        for run in &base.runs {
            let run = copy.adopt(&base.unrolled.inputs, run);
            let (_, instances) = stage.instances(&run.inputs, &[]);
            library.add(run.clone(), &instances);
            witnesses.push(Witness { run, instances });
        }
        library.add_passing(&stage, &passing);
        let players = Some(SitePrograms::new(&self.problem, sites, visible));
        let mut lab = PointSearch { copy, stage, players, library, max_rounds: settings.max_rounds };
        let mut found = Vec::with_capacity(sites.len());
        for (number, site) in sites.iter().enumerate() {
            // What is not tried is unknown.
            let is_over = settings.limits.cancel.is_cancelled();
            found.push(if is_over {
                Found::default()
            } else {
                try_site(&mut lab, site, number, &witnesses, settings)?
            });
        }
        for (repair, is_point) in found.iter_mut().flat_map(Found::repairs_mut) {
            let run = &witnesses[repair.witness].run;
            // That it fails without the change was seen before.
            repair.is_replayed = lab.end_with(run, std::slice::from_ref(&repair.change)) == End::Passes;
            if let (true, Some(players)) = (is_point, &mut lab.players) {
                (repair.damage, repair.altered) = lab.library.damage(players, &passing, &repair.change);
            }
        }
        let n_runs = lab.players.as_ref().map_or(0, |players| players.n_runs);
        self.effort.n_runs += n_runs;
        self.effort.n_questions += lab.copy.n_questions;
        Ok((found, witnesses))
    }
}
