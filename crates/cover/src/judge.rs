//! What the claim that no run reaches a goal depends on.
//!
//! Tests are searched in a closed world: what no input represents is as the program says. A goal that is unreachable there may still be reached by
//! another caller, another file or a device. So each such goal is checked again in the open world ([`nub_unroll::WorldAssumption::Open`]), which
//! contains all real runs. What is refuted there is infeasible for every caller; and where the refutation needs assumptions, the smallest list of
//! them is part of the claim: *infeasible if*.
//!
//! Cost: one more unrolling and encoding, only if some goal is unreachable, and O(assumptions) questions per goal.

use crate::describe::SourceQuotes;
use crate::encode::{Encoded, Request, UndefinedBehaviour, encode_events};
use crate::goals::{EvaluationMode, RunEvent, SourceGoal};
use crate::premises::{choices_of_the_compiler, premise};
use crate::report::{CheckState, CoverState, Premise};
use crate::search::{AtomStatus, Explorer};
use nub_c_ir::{CheckKind, FunctionId, Position, Program};
use nub_cnf::Lit;
use nub_sat::SatLimits;
use nub_unroll::{Patience, UnrollConfig, Unrolled, WorldAssumption, unroll};
use std::collections::BTreeMap;

/// Conflicts for one question. What is not refuted within them counts as depending on everything.
const CONFLICTS: u64 = 50_000;

/// A check of the source.
pub(crate) type Check = (CheckKind, Position);

/// The state to report for a goal that was found in `state`, given what the claim depends on.
pub(crate) fn claim(state: CoverState, ground: &Ground) -> CoverState {
    match state {
        _ if ground.needs_bound => CoverState::BeyondBound,
        // Nothing is proved in the closed world, and the open world was not checked.
        CoverState::BeyondBound if ground.is_unchecked => state,
        CoverState::Undefined if ground.is_about_all_callers() => state,
        CoverState::Infeasible if ground.needs_rules && ground.is_about_all_callers() => {
            CoverState::Undefined
        }
        _ if ground.is_firm() => state,
        _ => CoverState::InfeasibleIf,
    }
}

/// The same for a place where no run violates a rule.
pub(crate) fn claim_of_check(ground: &Ground) -> CheckState {
    match claim(CoverState::Infeasible, ground) {
        CoverState::Infeasible => CheckState::Infeasible,
        CoverState::BeyondBound => CheckState::BeyondBound,
        _ => CheckState::InfeasibleIf,
    }
}

/// What a claim depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ground {
    /// What must hold, none of it redundant.
    pub premises: Vec<Premise>,
    /// Also, loops do not run longer than they are unrolled, or memory is not larger than modelled.
    pub needs_bound: bool,
    /// Also, no value is read that was never written: a run that does so may reach the goal, and is undefined.
    pub needs_rules: bool,
    /// It is unknown what the claim depends on: the open world is too large, or the time limit was reached.
    pub is_unchecked: bool,
}

impl Ground {
    fn unchecked() -> Ground {
        Ground { is_unchecked: true, ..Ground::default() }
    }

    /// Whether it needs no assumption about callers, other files and devices.
    fn is_about_all_callers(&self) -> bool {
        self.premises.is_empty() && !self.is_unchecked
    }

    /// Whether it depends on nothing but the program and the rules of C.
    pub fn is_firm(&self) -> bool {
        *self == Ground::default()
    }

    fn join(&mut self, other: &Ground) {
        self.premises.extend(other.premises.iter().cloned());
        self.premises.sort();
        self.premises.dedup();
        self.needs_bound |= other.needs_bound;
        self.needs_rules |= other.needs_rules;
        self.is_unchecked |= other.is_unchecked;
    }
}

/// The open world of one function, built when it is first needed.
pub(crate) struct Judge<'j> {
    source: SourceQuotes<'j>,
    function: FunctionId,
    config: UnrollConfig,
    evaluation: EvaluationMode,
    undefined: UndefinedBehaviour,
    limits: SatLimits,
    /// Whether the closed world has the same runs as the open one.
    is_closed: bool,
    /// What every claim rests on where the compiler has a choice.
    of_compiler: Vec<Premise>,
}

impl<'j> Judge<'j> {
    /// For a function that was unrolled with this configuration.
    pub fn new(
        source: SourceQuotes<'j>,
        closed: &Unrolled,
        config: &UnrollConfig,
        evaluation: EvaluationMode,
        undefined: UndefinedBehaviour,
        limits: &SatLimits,
    ) -> Judge<'j> {
        let cancel = limits.cancel.clone();
        let patience = Patience::until(move || cancel.is_cancelled());
        let config = UnrollConfig { world: WorldAssumption::Open, patience, ..config.clone() };
        let (function, limits) = (closed.function, limits.with_conflicts(CONFLICTS));
        let of_compiler = choices_of_the_compiler(source.program, function);
        let is_closed = of_compiler.is_empty() && is_self_contained(source, closed);
        Judge { source, function, config, evaluation, undefined, limits, is_closed, of_compiler }
    }

    /// Whether the runs that tests can make are all that there are.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// What claims depend on: those about goals, by the `status` of their events, and those about checks that never fail.
    pub fn judge(
        &self,
        goals: &[SourceGoal],
        is_claimed: impl Fn(usize) -> bool,
        status: impl Fn(RunEvent) -> AtomStatus,
        checks: &[Check],
    ) -> (Vec<Ground>, Vec<Ground>) {
        let claimed: Vec<Option<Vec<RunEvent>>> = goals
            .iter()
            .enumerate()
            .map(|(index, goal)| is_claimed(index).then(|| blamed(goal, &status)))
            .collect();
        let (mut grounds, mut of_checks) = self.in_any_world(&claimed, checks);
        if !self.of_compiler.is_empty() {
            let ground = Ground { premises: self.of_compiler.clone(), ..Ground::default() };
            let claims = grounds.iter_mut().zip(&claimed).filter(|(_, claimed)| claimed.is_some());
            claims.map(|(found, _)| found).chain(&mut of_checks).for_each(|found| found.join(&ground));
        }
        (grounds, of_checks)
    }

    /// What claims depend on, apart from the choices of the compiler.
    fn in_any_world(
        &self,
        claimed: &[Option<Vec<RunEvent>>],
        checks: &[Check],
    ) -> (Vec<Ground>, Vec<Ground>) {
        let n_events = claimed.iter().flatten().flatten().count();
        if self.is_closed || n_events + checks.len() == 0 {
            return (vec![Ground::default(); claimed.len()], vec![Ground::default(); checks.len()]);
        }
        let Some(open) = self.open(claimed) else {
            let grounds = claimed.iter().map(|events| match events {
                Some(_) => Ground::unchecked(),
                None => Ground::default(),
            });
            return (grounds.collect(), vec![Ground::unchecked(); checks.len()]);
        };
        let mut explorer = Explorer::new(&open.encoded.problem, self.limits.new_solver());
        let mut known: BTreeMap<RunEvent, Ground> = BTreeMap::new();
        let mut grounds = Vec::with_capacity(claimed.len());
        for events in claimed {
            let mut ground = Ground::default();
            for event in events.iter().flatten() {
                let of_event = known.entry(*event).or_insert_with(|| open.of_event(&mut explorer, *event));
                ground.join(of_event);
            }
            grounds.push(ground);
        }
        let of_checks = checks.iter().map(|check| open.of_check(&mut explorer, *check)).collect();
        (grounds, of_checks)
    }

    /// The open world as clauses; `None` if it is too large.
    fn open(&self, claimed: &[Option<Vec<RunEvent>>]) -> Option<Open<'j>> {
        let mut unrolled = unroll(self.source.program, self.function, &self.config).ok()?;
        // Paths through the function are numbered as in the closed world.
        let is_kept = |event: &&RunEvent| !matches!(event, RunEvent::Route(_));
        let events: Vec<RunEvent> = claimed.iter().flatten().flatten().filter(is_kept).copied().collect();
        let program = self.source.program;
        let (evaluation, undefined) = (self.evaluation, self.undefined);
        let request = Request { events, more: &[], routes: &[], evaluation, undefined };
        let encoded = encode_events(program, &mut unrolled, request, &self.limits);
        Some(Open { program, encoded: encoded.ok()?, unrolled, limits: self.limits.clone() })
    }
}

/// An open world, and its clauses.
struct Open<'j> {
    program: &'j Program,
    unrolled: Unrolled,
    encoded: Encoded,
    limits: SatLimits,
}

impl Open<'_> {
    fn of_event(&self, explorer: &mut Explorer<'_>, event: RunEvent) -> Ground {
        let problem = &self.encoded.problem;
        match self.encoded.events.get(&event) {
            Some((_, atom)) => {
                let atom = problem.lit(*atom);
                let ground = self.of_literals(explorer, &[problem.assumed, problem.defined, atom]);
                let others = self.encoded.otherwise_defined;
                let needs_rules = others.is_some_and(|others| {
                    self.of_literals(explorer, &[problem.assumed, others, atom]).is_unchecked
                });
                Ground { needs_rules, ..ground }
            }
            None => Ground::unchecked(),
        }
    }

    fn of_check(&self, explorer: &mut Explorer<'_>, (kind, position): Check) -> Ground {
        let checks = &self.encoded.checks;
        match checks.iter().find(|check| check.kind == kind && check.position == position) {
            Some(check) => self.of_literals(explorer, &[self.encoded.problem.assumed, check.broken]),
            // It holds in all runs of the open world.
            None => Ground::default(),
        }
    }

    /// Why these cannot hold together: which assumptions are necessary for it. Bounds are dropped first.
    fn of_literals(&self, explorer: &mut Explorer<'_>, claim: &[Lit]) -> Ground {
        let (rules, others): (Vec<_>, Vec<_>) =
            self.encoded.departures.iter().partition(|(assumption, _)| assumption.is_rule());
        let (bounds, facts): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(assumption, _)| assumption.is_bound());
        let bounds: Vec<Lit> =
            bounds.into_iter().map(|(_, lit)| !*lit).chain(self.encoded.loops.map(|lit| !lit)).collect();
        let not_left = facts.iter().map(|(_, lit)| !*lit);
        let legal = rules.iter().map(|(_, lit)| !*lit);
        let given: Vec<Lit> = claim.iter().copied().chain(legal).collect();
        let granted: Vec<Lit> = not_left.chain(bounds.iter().copied()).collect();
        let Some(core) = explorer.smallest_core_beside(&given, &granted, &self.limits) else {
            return Ground::unchecked();
        };
        let needed = facts.iter().filter(|(_, lit)| core.contains(&!*lit));
        let mut premises: Vec<Premise> =
            needed.map(|(assumption, _)| premise(self.program, &self.unrolled, assumption)).collect();
        premises.sort();
        premises.dedup();
        let needs_bound = bounds.iter().any(|lit| core.contains(lit));
        Ground { premises, needs_bound, needs_rules: false, is_unchecked: false }
    }
}

/// Whether nothing that others could change or share is involved: only integers and constants decide.
fn is_self_contained(source: SourceQuotes<'_>, closed: &Unrolled) -> bool {
    let program = source.program;
    let is_changeable = program.changeable_globals();
    let is_of_caller =
        |object: &nub_unroll::Object| matches!(object.kind, nub_unroll::ObjectKind::Pointee(_));
    let uses = program.named_globals(closed.function);
    closed.departures.is_empty()
        && !closed.leaves_open
        && !closed.checks.iter().any(|check| check.kind == CheckKind::Uninitialised)
        && closed.library_calls.is_empty()
        && program.supplied.is_empty()
        && !closed.objects.iter().any(is_of_caller)
        && !program.compares_functions(closed.function)
        && !uses.iter().any(|id| is_changeable[id.index()])
}

/// For every way to reach a goal, the event that rules it out: the first one that is infeasible, otherwise the first one beyond the bound.
fn blamed(goal: &SourceGoal, status: &impl Fn(RunEvent) -> AtomStatus) -> Vec<RunEvent> {
    let with =
        |way: &Vec<RunEvent>, wanted: AtomStatus| way.iter().copied().find(|event| status(*event) == wanted);
    let of_way = |way: &Vec<RunEvent>| {
        with(way, AtomStatus::Infeasible)
            .or_else(|| with(way, AtomStatus::BeyondBound))
            .or(way.first().copied())
    };
    let mut events: Vec<RunEvent> = goal.ways.iter().filter_map(of_way).collect();
    events.sort_unstable();
    events.dedup();
    events
}
