//! Why a goal is not covered, in source terms.
//!
//! A goal that no run reaches contradicts what must be true for control to reach it. The solver gets the literals of the goal, without control, and
//! the conditions that control implies; a smallest contradictory subset of them is the reason.

use crate::describe::{EventWords, SourceQuotes};
use crate::encode::{Encoded, EvaluationFacts};
use crate::goals::{CriterionReading, RouteId, RunEvent, SourceGoal, Turn, paths};
use crate::search::{AtomStatus, Explorer, GoalState, Propagator};
use nub_bitvec::{Assignment, Datum, TermId, evaluate};
use nub_c_ir::{CheckKind, ConditionTest, DecisionId, DecisionOutcome, Recording};
use nub_cnf::Lit;
use nub_report::counted;
use nub_sat::SatLimits;
use nub_unroll::{Bounded, Unrolled, interpreter_inputs};

/// Conflicts for one question. A reason helps the user; it is not a proof.
const CONFLICTS: u64 = 5_000;
/// The reason if no other condition is needed.
const BY_ITSELF: &str = "impossible for all inputs";
/// At most this many iterations of a loop are considered for one reason.
const MAX_ROUNDS: usize = 8;

/// Finds reasons for one function.
pub struct Reasons<'r, 'p> {
    /// The source to quote from.
    pub source: SourceQuotes<'r>,
    /// The unrolled function.
    pub unrolled: &'r Unrolled,
    /// Its clauses.
    pub encoded: &'r Encoded,
    /// How conditions are evaluated.
    pub reading: CriterionReading,
    /// The bound of the loops.
    pub bound: u32,
    /// Elements behind each pointer.
    pub elements: u64,
    /// The solver to ask.
    pub explorer: &'r mut Explorer<'p>,
    /// Finds what control implies.
    pub engine: Propagator,
    /// When to stop.
    pub limits: SatLimits,
}

impl Reasons<'_, '_> {
    /// The reason for one goal; `None` if it is covered.
    pub fn reason(&mut self, goal: &SourceGoal, state: &GoalState) -> Option<String> {
        match state {
            GoalState::Covered(_) => None,
            GoalState::LeftOut => Some("another test would be necessary".to_owned()),
            GoalState::Open => Some("undecided: time limit reached".to_owned()),
            GoalState::BeyondBound => Some(self.beyond()),
            GoalState::Undefined => self.undefined(goal),
            GoalState::Infeasible => Some(self.infeasible(goal)),
        }
    }

    /// Which bounds are exceeded by the runs that might reach it.
    fn beyond(&self) -> String {
        let overs = &self.unrolled.over;
        let has_addresses = overs.iter().any(|over| over.bounded == Bounded::Address);
        let is_unmodelled =
            overs.iter().any(|over| matches!(over.bounded, Bounded::Unmodelled | Bounded::Large));
        let is_variadic = self.source.program.takes_argument_list(self.unrolled.function);
        let is_memory = self.unrolled.departures.iter().any(|found| found.from.is_bound());
        let is_long_call = overs.iter().any(|over| over.bounded == Bounded::LongCall);
        let is_loops =
            overs.iter().any(|over| over.bounded.can_be_raised() || over.bounded == Bounded::Callee);
        let mut bounds = Vec::new();
        if is_loops || !is_memory && !has_addresses && !is_unmodelled && !is_long_call {
            bounds.push(format!("up to {} of each loop", counted(self.bound, "iteration")));
        }
        if is_memory {
            bounds.push(format!("{} behind each pointer", counted(self.elements, "element")));
        }
        let within =
            if bounds.is_empty() { String::new() } else { format!(" with {}", bounds.join(" and ")) };
        let without = if is_long_call {
            " without a call that is too large to be followed to its end"
        } else if is_unmodelled {
            " without code that is not modelled"
        } else if has_addresses && is_variadic {
            " without reading variable arguments that tests do not pass"
        } else if has_addresses {
            " without using memory at an address computed from numbers"
        } else {
            ""
        };
        format!("no run{within} reaches it{without}")
    }

    /// Names the rule that one run violates which reaches it, and says whether the violation comes after it was reached. What is proved is only that
    /// every such run violates some rule.
    fn undefined(&mut self, goal: &SourceGoal) -> Option<String> {
        let event = self.blamed(goal)?;
        let run = self.explorer.undefined_run(self.encoded.events[&event].1, &self.limits)?;
        let mut assignment = Assignment::new();
        for (input, value) in self.unrolled.inputs.iter().zip(&run.inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        self.unrolled.add_library_results(&mut assignment);
        let holds = |term: TermId| evaluate(&self.unrolled.pool, &assignment, &[term])[0].is_true();
        let broken = self.unrolled.rules().find(|check| holds(check.guard) && !holds(check.condition))?;
        let program = self.source.program;
        let place = program.line_text(self.unrolled.function, self.unrolled.position_of(program, broken));
        let before = if self.is_reached_before(event, &assignment) { ", after it was reached" } else { "" };
        let rule = check_text(broken.kind);
        Some(format!("every run that reaches it has undefined behaviour: {rule} in {place}{before}"))
    }

    /// Whether the interpreter, which stops where behaviour is undefined, reaches the event.
    fn is_reached_before(&self, event: RunEvent, values: &Assignment) -> bool {
        let (program, function) = (self.source.program, self.unrolled.function);
        let Some(inputs) = interpreter_inputs(program, self.unrolled, values) else { return false };
        let limits = nub_c_ir::InterpreterLimits {
            recording: Recording::Comparisons,
            ignored: CheckKind::EXTRA.to_vec(),
            ..nub_c_ir::InterpreterLimits::default()
        };
        let run = nub_c_ir::run(program, function, &inputs, &limits);
        crate::replay::events(program, function, &self.encoded.routes, &run.trace).contains(&event)
    }

    /// The event that cannot happen. For a pair, the half that cannot happen on any path, if there is one.
    fn blamed(&self, goal: &SourceGoal) -> Option<RunEvent> {
        let known = self.explorer.known();
        let is_infeasible =
            |event: &RunEvent| known.status(self.encoded.events[event].1) == AtomStatus::Infeasible;
        for side in [0, 1] {
            let mut events = goal.ways.iter().filter_map(|way| way.get(side));
            if events.clone().all(is_infeasible) {
                return events.next().copied();
            }
        }
        goal.ways.iter().flatten().copied().find(is_infeasible)
    }

    fn infeasible(&mut self, goal: &SourceGoal) -> String {
        let Some(event) = self.blamed(goal) else {
            return "no two paths through the decision show it".to_owned();
        };
        let what = self.words().event(event);
        let is_subject = goal.ways.len() == 1 && goal.ways[0].len() == 1;
        match self.exclusion(event) {
            why if is_subject => why,
            why if why == BY_ITSELF => format!("it needs {what}, which is {why}"),
            why => format!("it needs {what}, which is impossible: {why}"),
        }
    }

    /// Why an event cannot happen.
    fn exclusion(&mut self, event: RunEvent) -> String {
        let decision = match event {
            RunEvent::Statement(_) => return "no run reaches it".to_owned(),
            RunEvent::Route(route) => return self.impossible_turn(route),
            RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _) => decision,
            RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) => test.decision,
        };
        if let RunEvent::Condition(test, _) = event {
            let condition =
                &self.source.program.decisions[decision.index()].conditions[test.condition as usize];
            if condition.constant.is_some() {
                return "it is a constant".to_owned();
            }
        }
        let evaluations: Vec<EvaluationFacts> =
            self.encoded.facts.iter().filter(|facts| facts.decision == decision).cloned().collect();
        match evaluations.as_slice() {
            [] => self.not_reached(decision),
            [only] => self
                .contradiction(event, only)
                .unwrap_or_else(|| "proved by the solver, without a short reason".to_owned()),
            all => self.in_rounds(event, all),
        }
    }

    /// Why an event cannot happen, if its decision is evaluated repeatedly: the reason for all evaluations if they have the same, otherwise that for
    /// the first.
    fn in_rounds(&mut self, event: RunEvent, rounds: &[EvaluationFacts]) -> String {
        let some = &rounds[..rounds.len().min(MAX_ROUNDS)];
        let found: Option<Vec<String>> = some.iter().map(|round| self.contradiction(event, round)).collect();
        let is_loop = self.unrolled.max_calls <= 1;
        let round = if is_loop { "iteration of the loop" } else { "evaluation" };
        match found.as_deref() {
            Some(all) if all.iter().all(|reason| reason == BY_ITSELF) => {
                format!("in no {round}, whatever the inputs are")
            }
            Some([first, rest @ ..]) if rest.iter().all(|other| other == first) => {
                format!("in every {round}, {first}")
            }
            Some([first, ..]) => format!("proved for every {round}; in the first, {first}"),
            _ => format!("proved for every {round}"),
        }
    }

    /// Why the last turn of a path cannot be taken: the fewest turns before it that exclude it.
    fn impossible_turn(&mut self, id: RouteId) -> String {
        let turns = &self.encoded.routes[id.index()].turns;
        let lit = |turn: &Turn| {
            let facts = self.encoded.facts.iter().find(|facts| facts.evaluation == turn.evaluation)?;
            facts.outcomes.iter().find(|(outcome, _)| *outcome == turn.outcome).map(|(_, lit)| *lit)
        };
        // The last ones are dropped first: the turn itself must stay.
        let lits: Vec<(Lit, &Turn)> =
            turns.iter().rev().filter_map(|turn| Some((lit(turn)?, turn))).collect();
        let problem = &self.encoded.problem;
        let mut all: Vec<Lit> = lits.iter().map(|(lit, _)| *lit).collect();
        all.extend([problem.assumed, problem.defined]);
        let Some(core) = self.explorer.smallest_core(&all, &self.limits.with_conflicts(CONFLICTS)) else {
            return "proved by the solver, without a short reason".to_owned();
        };
        let earlier = lits.iter().skip(1).filter(|(lit, _)| core.contains(lit));
        let mut parts: Vec<String> = earlier.map(|(_, turn)| self.words().turn(turn)).collect();
        parts.reverse();
        parts.extend(core.contains(&problem.assumed).then(|| "the assumptions hold".to_owned()));
        parts.extend(core.contains(&problem.defined).then(|| "behaviour is defined".to_owned()));
        if parts.is_empty() {
            "the last outcome is impossible".to_owned()
        } else {
            format!("the last outcome is impossible if {}", parts.join(" and "))
        }
    }

    fn words(&self) -> EventWords<'_> {
        EventWords { source: self.source, routes: &self.encoded.routes, evaluation: self.reading.evaluation }
    }

    fn not_reached(&self, decision: nub_c_ir::DecisionId) -> String {
        match self.source.program.decisions[decision.index()].enclosing {
            Some((around, outcome)) => {
                let text = self.words().event(RunEvent::Outcome(around, outcome));
                format!("control reaches it only if {text}, which is impossible")
            }
            None => "control never reaches it".to_owned(),
        }
    }

    /// A smallest set of conditions, implied by control, that excludes the event.
    fn contradiction(&mut self, event: RunEvent, facts: &EvaluationFacts) -> Option<String> {
        let program = self.source.program;
        let path = match event {
            RunEvent::Path(decision, index) => {
                let ways = paths(&program.decisions[decision.index()], self.reading.evaluation).ok()?;
                Some(ways.get(index as usize)?.values.clone())
            }
            _ => None,
        };
        let local = facts.local(program, event, path.as_deref())?;
        let control = match event {
            RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) => facts
                .conditions
                .iter()
                .find(|fact| fact.test == test)
                .map_or(facts.reach, |fact| fact.evaluated),
            _ => facts.reach,
        };
        let implied = match self.implied(control, event) {
            Some(implied) => implied,
            None => return Some(self.not_reached(facts.decision)),
        };
        let problem = &self.encoded.problem;
        let given: Vec<Lit> = implied.iter().map(|(lit, _)| *lit).collect();
        let all = [&local[..], &given, &[problem.assumed, problem.defined]].concat();
        let core = self.explorer.smallest_core(&all, &self.limits.with_conflicts(CONFLICTS))?;
        let mut parts: Vec<String> = Vec::new();
        for (_, event) in implied.iter().filter(|(lit, _)| core.contains(lit) && !local.contains(lit)) {
            parts.push(self.words().event(*event));
        }
        parts.extend(core.contains(&problem.assumed).then(|| "the assumptions hold".to_owned()));
        parts.extend(core.contains(&problem.defined).then(|| "behaviour is defined".to_owned()));
        Some(if parts.is_empty() {
            BY_ITSELF.to_owned()
        } else {
            format!("control reaches it only if {}", parts.join(" and "))
        })
    }

    /// What has been evaluated to a fixed value when control is there: conditions, then whole decisions, since the last ones are dropped first.
    /// `None` if control is never there. Equal literals count once, for the first place.
    fn implied(&mut self, control: Lit, event: RunEvent) -> Option<Vec<(Lit, RunEvent)>> {
        let facts = &self.encoded.facts;
        let mut found: Vec<(Lit, RunEvent)> = Vec::new();
        let is_possible = self.engine.probe(&[control], |implied| {
            let mut see = |evaluated: Lit, lit: Lit, event: &dyn Fn(bool) -> RunEvent| {
                let value = implied.is_true(lit);
                let is_fixed = implied.is_true(evaluated) && (value || implied.is_true(!lit));
                let lit = lit.negated_if(!value);
                if is_fixed && !found.iter().any(|(known, _)| *known == lit) {
                    found.push((lit, event(value)));
                }
            };
            for fact in
                facts.iter().flat_map(|facts| &facts.conditions).filter(|fact| is_before(fact.test, event))
            {
                see(fact.evaluated, fact.value, &|value| RunEvent::Condition(fact.test, value));
            }
            for facts in facts.iter().filter(|facts| facts.decision != decision_of(event)) {
                let outcome = |value| if value { DecisionOutcome::True } else { DecisionOutcome::False };
                let Some(lit) = facts.outcome else { continue };
                see(facts.reach, lit, &|value| RunEvent::Outcome(facts.decision, outcome(value)));
            }
        });
        is_possible.then_some(found)
    }
}

fn decision_of(event: RunEvent) -> DecisionId {
    match event {
        RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _) => decision,
        RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) => test.decision,
        RunEvent::Statement(_) | RunEvent::Route(_) => DecisionId(u32::MAX),
    }
}

/// A condition is not a reason for itself, nor for its decision.
fn is_before(test: ConditionTest, event: RunEvent) -> bool {
    match event {
        RunEvent::Condition(own, _) | RunEvent::Boundary(own, _) => test != own,
        _ => test.decision != decision_of(event),
    }
}

/// A description of a rule.
pub fn check_text(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Overflow => "signed overflow",
        CheckKind::ShiftAmount => "a shift amount out of range",
        CheckKind::ShiftBase => "a left shift of a negative number, or one that overflows",
        CheckKind::DivisionByZero => "division by zero",
        CheckKind::Bounds => "an index out of bounds",
        CheckKind::ArrayLength => "a variable-length array without elements",
        CheckKind::Null => "a null pointer",
        CheckKind::Pointer => "a pointer to no object",
        CheckKind::Uninitialised => "a value that was never written, or is not valid for its type",
        CheckKind::FloatConversion => {
            "a floating-point number that does not fit the integer type it is converted to"
        }
        CheckKind::Overlap => "a copy between overlapping memory",
        CheckKind::Free => "an invalid free",
        CheckKind::Unreachable => "a missing return value",
        CheckKind::Nan => "a NaN produced from numbers",
        CheckKind::Infinity => "an infinity produced from finite numbers",
        CheckKind::Precision => "a conversion to a float that changes the number",
    }
}
