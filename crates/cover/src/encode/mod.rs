//! From the unrolled function to clauses: the problem that `search` solves.

mod beyond;
mod boundaries;
mod events;
mod facts;
mod later;
mod routes;

use crate::goals::{EvaluationMode, Route, RunEvent, SourceGoal};
use crate::search::{AtomId, LibraryFunction, Problem, ProgramInput, SuiteObjective};
use crate::undefined::{StaticCheck, first_failures};
use boundaries::{AskedBoundary, asked_boundaries, boundary_term};
pub(crate) use events::Events;
use events::any;
pub use facts::{EvaluationFacts, Fact};
use facts::{outcome_term, own_evaluations};
use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::{CheckKind, CheckSet, ConditionTest, FloatChoice, IntKind, Program, float_constants};
use nub_cnf::{Cnf, Lit, LiteralUse, Sink, TermEncoder, TooLarge};
use nub_sat::SatLimits;
use nub_unroll::{Assumption, InputPart, InputPlace, Property, Unrolled, WorldAssumption};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// At most this many clauses of [`Request::more`].
const MAX_MORE_CLAUSES: usize = 600_000;

/// A problem, and what its atoms represent.
pub struct Encoded {
    /// What is searched.
    pub problem: Problem,
    /// The term and atom of each event. Events that are the same in all runs share an atom.
    pub events: BTreeMap<RunEvent, (TermId, AtomId)>,
    /// What the events of paths mean.
    pub routes: Vec<Route>,
    /// Literals of single conditions, for reasons.
    pub facts: Vec<EvaluationFacts>,
    /// Checks of the source, if requested.
    pub checks: Vec<StaticCheck>,
    /// The run exceeds the bound of a loop or of recursion. `None` if there is no such bound.
    pub loops: Option<Lit>,
    /// The run violates an assumption: a literal for each.
    pub departures: Vec<(Assumption, Lit)>,
    /// In the open world: no rule is violated but that a value which was never written is read. Absent if no run reads one.
    pub otherwise_defined: Option<Lit>,
    /// Literals of the first entries of [`Request::more`], up to where there would be too many clauses.
    pub more: Vec<Lit>,
}

/// What is reported about undefined behaviour and other requested checks. Tests never have undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UndefinedBehaviour {
    /// Nothing.
    #[default]
    Excluded,
    /// Lists which places of these kinds can be reached, with inputs.
    Listed(CheckSet),
}

/// Why there are no clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// There would be too many.
    TooLarge(TooLarge),
    /// The time limit was reached.
    TimeOver,
}

impl From<TooLarge> for Obstacle {
    fn from(error: TooLarge) -> Obstacle {
        Obstacle::TooLarge(error)
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::TooLarge(error) => error.fmt(f),
            Obstacle::TimeOver => f.write_str("time limit reached while building the clauses"),
        }
    }
}

/// Encodes the events of some goals as clauses; those of several criteria at once if they evaluate conditions alike. Only what an event or a check
/// depends on becomes clauses.
pub fn encode<'g>(
    program: &Program,
    unrolled: &mut Unrolled,
    goals: impl IntoIterator<Item = &'g SourceGoal>,
    routes: &[Route],
    evaluation: EvaluationMode,
    undefined: UndefinedBehaviour,
    limits: &SatLimits,
) -> Result<Encoded, Obstacle> {
    let wanted = goals.into_iter().flat_map(|goal| goal.ways.iter().flatten().copied()).collect();
    let request = Request { events: wanted, more: &[], routes, evaluation, undefined };
    encode_events(program, unrolled, request, limits)
}

/// What is encoded as clauses.
pub(crate) struct Request<'r> {
    /// Events, each an atom.
    pub events: Vec<RunEvent>,
    /// Other one-bit terms. They are encoded in this order, as long as there are not too many clauses.
    pub more: &'r [TermId],
    /// What the events of paths mean.
    pub routes: &'r [Route],
    /// How conditions are evaluated.
    pub evaluation: EvaluationMode,
    /// Whether undefined behaviour is listed.
    pub undefined: UndefinedBehaviour,
}

/// Encodes some events as clauses.
pub(crate) fn encode_events(
    program: &Program,
    unrolled: &mut Unrolled,
    request: Request<'_>,
    limits: &SatLimits,
) -> Result<Encoded, Obstacle> {
    encode_extensible(program, unrolled, request, limits).map(|(encoded, _)| encoded)
}

/// The same, with what is needed to add clauses for other terms later.
pub(crate) fn encode_extensible(
    program: &Program,
    unrolled: &mut Unrolled,
    request: Request<'_>,
    limits: &SatLimits,
) -> Result<(Encoded, TermEncoder), Obstacle> {
    let Request { events: mut wanted, more, routes, evaluation, undefined } = request;
    wanted.sort_unstable();
    wanted.dedup();
    let mut events = Events::new(program, unrolled, routes, evaluation);
    let terms: Vec<TermId> = wanted.iter().map(|event| events.term(&mut unrolled.pool, *event)).collect();
    let mut encoder = Encoder { cnf: Cnf::new(), terms: TermEncoder::new(), limits };
    let inputs = encoder.inputs(program, unrolled)?;
    let over = encoder.over(unrolled)?;
    let (loops, departures) = (encoder.loops(unrolled)?, encoder.departures(unrolled)?);
    let outside = encoder.outside(unrolled)?;
    let defined = encoder.all_hold(
        unrolled,
        |unrolled| unrolled.rules().map(|check| (check.guard, check.condition)).collect(),
        outside,
    )?;
    let otherwise_defined = encoder.otherwise_defined(unrolled)?;
    let assumed = encoder.all_hold(
        unrolled,
        |unrolled| unrolled.assumes.iter().map(|assume| (assume.guard, assume.condition)).collect(),
        outside,
    )?;
    let mut atoms = Vec::new();
    let mut known: FxHashMap<Lit, AtomId> = FxHashMap::default();
    let mut table = BTreeMap::new();
    for (event, term) in wanted.into_iter().zip(terms) {
        let lit = encoder.lit(unrolled, term, LiteralUse::Any)?;
        let atom = *known.entry(lit).or_insert_with(|| {
            atoms.push(lit);
            AtomId(atoms.len() as u32 - 1)
        });
        table.insert(event, (term, atom));
    }
    let facts = encoder.facts(program, unrolled, &asked_boundaries(program, unrolled, table.keys()))?;
    let checks = match undefined {
        UndefinedBehaviour::Excluded => Vec::new(),
        UndefinedBehaviour::Listed(kinds) => encoder.checks(program, unrolled, kinds)?,
    };
    let more = encoder.more(unrolled, more)?;
    let library = encoder.library(unrolled)?;
    let problem = Problem { cnf: encoder.cnf, atoms, assumed, defined, over, inputs, library };
    let routes = routes.to_vec();
    let events = table;
    let encoded =
        Encoded { problem, events, routes, facts, checks, loops, departures, otherwise_defined, more };
    Ok((encoded, encoder.terms))
}

impl Encoded {
    /// A goal in terms of atoms. A pair of two equal atoms becomes one atom.
    pub fn goal(&self, goal: &SourceGoal) -> SuiteObjective {
        let atom = |event: &RunEvent| self.events[event].1;
        match goal.ways.as_slice() {
            [way] if way.len() == 1 => SuiteObjective::Atom(atom(&way[0])),
            ways => {
                let pairs = ways.iter().filter_map(|way| match way.as_slice() {
                    [event] => Some([atom(event); 2]),
                    [first, second] => Some([atom(first), atom(second)]),
                    _ => None,
                });
                SuiteObjective::Pairs(pairs.collect())
            }
        }
    }
}

struct Encoder<'l> {
    cnf: Cnf,
    terms: TermEncoder,
    limits: &'l SatLimits,
}

impl Encoder<'_> {
    /// The literal of a term of one bit.
    fn lit(&mut self, unrolled: &Unrolled, term: TermId, wanted: LiteralUse) -> Result<Lit, Obstacle> {
        let cancel = &self.limits.cancel;
        if cancel.is_cancelled() {
            return Err(Obstacle::TimeOver);
        }
        let mut is_over = || cancel.is_cancelled();
        let lit = self.terms.lit_unless(&unrolled.pool, term, wanted, &mut self.cnf, &mut is_over)?;
        lit.ok_or(Obstacle::TimeOver)
    }

    fn inputs(&mut self, program: &Program, unrolled: &Unrolled) -> Result<Vec<ProgramInput>, Obstacle> {
        let mut inputs = Vec::with_capacity(unrolled.inputs.len());
        let constants = float_constants(program, unrolled.function);
        for input in &unrolled.inputs {
            let bits = self.terms.bits(&unrolled.pool, input.term, LiteralUse::Any, &mut self.cnf)?;
            let is_signed = program.types.int_format(input.ty).is_some_and(|format| format.is_signed);
            // Prefer a pointer that is not null.
            let favourite = match input.part {
                _ if input.place == InputPlace::Calls => Some(Value::one(unrolled.pool.width(input.term))),
                InputPart::NotNull => Some(Value::one(1)),
                // And one that points to an object of its own.
                InputPart::LeadsTo(_) => Some(Value::zero(1)),
                _ => None,
            };
            let is_value = input.part == InputPart::Value;
            let encoding = program.types.float_format(input.ty).filter(|_| is_value);
            let float = encoding.map(|encoding| FloatChoice::new(encoding, &constants));
            let is_letter = is_value && program.types.int_kind(input.ty) == Some(IntKind::Char);
            inputs.push(ProgramInput { bits, is_signed, favourite, float, is_letter });
        }
        Ok(inputs)
    }

    /// Calls of library functions that something depends on.
    fn library(&mut self, unrolled: &Unrolled) -> Result<Vec<LibraryFunction>, Obstacle> {
        let mut found = Vec::new();
        // Last to first: operands of later calls may need earlier ones.
        for call in unrolled.library_calls.iter().rev() {
            let has_literals = |(term, ..): &(TermId, u32, Lit)| *term == call.variable;
            if !self.terms.var_lits(&unrolled.pool).iter().any(has_literals) {
                continue;
            }
            let mut bits =
                |term: TermId| self.terms.bits(&unrolled.pool, term, LiteralUse::Any, &mut self.cnf);
            let args = call.args.iter().map(|arg| bits(*arg)).collect::<Result<Vec<_>, _>>()?;
            let result = bits(call.result)?;
            found.push(LibraryFunction { function: call.function, encoding: call.encoding, args, result });
        }
        Ok(found)
    }

    /// The run exceeds the bound of a loop, or uses memory outside what pointers are given.
    fn over(&mut self, unrolled: &mut Unrolled) -> Result<Option<Lit>, Obstacle> {
        let guards = unrolled.leaving().collect();
        self.any(unrolled, guards)
    }

    /// The run leaves the model, and its checks mean nothing from there on. In the open world they still do: what is unknown is assumed to be valid.
    fn outside(&mut self, unrolled: &mut Unrolled) -> Result<Option<Lit>, Obstacle> {
        if unrolled.world == WorldAssumption::Open {
            return Ok(None);
        }
        let guards = unrolled.departures.iter().map(|departure| departure.guard).collect();
        self.any(unrolled, guards)
    }

    fn loops(&mut self, unrolled: &mut Unrolled) -> Result<Option<Lit>, Obstacle> {
        let guards = unrolled.over.iter().map(|over| over.guard).collect();
        self.any(unrolled, guards)
    }

    fn departures(&mut self, unrolled: &mut Unrolled) -> Result<Vec<(Assumption, Lit)>, Obstacle> {
        let mut guards: BTreeMap<Assumption, Vec<TermId>> = BTreeMap::new();
        for departure in &unrolled.departures {
            guards.entry(departure.from.clone()).or_default().push(departure.guard);
        }
        let mut found = Vec::with_capacity(guards.len());
        for (assumption, guards) in guards {
            found.extend(self.any(unrolled, guards)?.map(|lit| (assumption, lit)));
        }
        Ok(found)
    }

    fn any(&mut self, unrolled: &mut Unrolled, guards: Vec<TermId>) -> Result<Option<Lit>, Obstacle> {
        let any_guard = any(&mut unrolled.pool, &guards);
        if unrolled.pool.value(any_guard).is_some_and(|value| value.is_zero()) {
            return Ok(None);
        }
        self.lit(unrolled, any_guard, LiteralUse::Any).map(Some)
    }

    /// A literal that implies that each condition holds where its guard does. Runs outside the memory behind input pointers are unknown from there
    /// on, so nothing is required of them.
    fn all_hold(
        &mut self,
        unrolled: &mut Unrolled,
        list: impl Fn(&Unrolled) -> Vec<(TermId, TermId)>,
        outside: Option<Lit>,
    ) -> Result<Lit, Obstacle> {
        let all = self.cnf.new_var();
        for (guard, condition) in list(unrolled) {
            let holds = unrolled.pool.mk(Op::Implies, &[guard, condition]);
            let lit = self.lit(unrolled, holds, LiteralUse::Positive)?;
            let clause: Vec<Lit> = [!all, lit].into_iter().chain(outside).collect();
            self.cnf.add(&clause);
        }
        Ok(all)
    }

    fn otherwise_defined(&mut self, unrolled: &mut Unrolled) -> Result<Option<Lit>, Obstacle> {
        let is_read = |check: &Property<CheckKind>| check.kind == CheckKind::Uninitialised;
        if unrolled.world != WorldAssumption::Open || !unrolled.checks.iter().any(is_read) {
            return Ok(None);
        }
        let others = |unrolled: &Unrolled| {
            let rules = unrolled.rules().filter(|check| !is_read(check));
            rules.map(|check| (check.guard, check.condition)).collect()
        };
        self.all_hold(unrolled, others, None).map(Some)
    }

    /// Encodes other terms, until there are enough clauses.
    fn more(&mut self, unrolled: &Unrolled, terms: &[TermId]) -> Result<Vec<Lit>, Obstacle> {
        let enough = self.cnf.n_clauses() + MAX_MORE_CLAUSES;
        let mut found = Vec::with_capacity(terms.len());
        for term in terms {
            if self.cnf.n_clauses() > enough {
                break;
            }
            found.push(self.lit(unrolled, *term, LiteralUse::Any)?);
        }
        Ok(found)
    }

    fn checks(
        &mut self,
        program: &Program,
        unrolled: &mut Unrolled,
        kinds: CheckSet,
    ) -> Result<Vec<StaticCheck>, Obstacle> {
        let mut all = Vec::new();
        let found = first_failures(program, unrolled).into_iter().filter(|(kind, ..)| kinds.contains(*kind));
        for (kind, position, term) in found {
            let broken = self.lit(unrolled, term, LiteralUse::Positive)?;
            all.push(StaticCheck { kind, position, term, broken });
        }
        Ok(all)
    }

    /// Their terms are parts of the events' terms, so this adds little.
    fn facts(
        &mut self,
        program: &Program,
        unrolled: &mut Unrolled,
        asked: &[AskedBoundary],
    ) -> Result<Vec<EvaluationFacts>, Obstacle> {
        let mut all = Vec::new();
        for (evaluation, found) in own_evaluations(program, unrolled) {
            let outcome =
                outcome_term(&mut unrolled.pool, &program.decisions[found.decision.index()], &found);
            let mut conditions = Vec::with_capacity(found.conditions.len());
            let mut boundaries = Vec::new();
            for condition in &found.conditions {
                let test = ConditionTest { decision: found.decision, condition: condition.condition };
                for asked in asked.iter().filter(|asked| asked.test == test) {
                    let Some(operands) = condition.operands else { continue };
                    let term = boundary_term(&mut unrolled.pool, asked.format, operands, asked.boundary);
                    let event = RunEvent::Boundary(test, asked.boundary);
                    boundaries.push((event, self.lit(unrolled, term, LiteralUse::Any)?));
                }
                conditions.push(Fact {
                    test,
                    evaluated: self.lit(unrolled, condition.evaluated, LiteralUse::Any)?,
                    value: self.lit(unrolled, condition.value, LiteralUse::Any)?,
                });
            }
            let reach = self.lit(unrolled, found.reach, LiteralUse::Any)?;
            let outcome = outcome.map(|term| self.lit(unrolled, term, LiteralUse::Any)).transpose()?;
            let mut outcomes = Vec::with_capacity(found.outcomes.len());
            for (outcome, guard) in &found.outcomes {
                outcomes.push((*outcome, self.lit(unrolled, *guard, LiteralUse::Any)?));
            }
            let decision = found.decision;
            all.push(EvaluationFacts {
                evaluation,
                decision,
                reach,
                conditions,
                boundaries,
                outcome,
                outcomes,
            });
        }
        Ok(all)
    }
}
