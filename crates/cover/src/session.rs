//! From a function to a report: unroll, encode, search, observe, describe.

mod concrete_runs;

use crate::concrete::Supplement;
use crate::describe::SourceQuotes;
use crate::encode::{Encoded, encode};
use crate::existing::RunRefusal;
use crate::favourites::favourites;
use crate::goals::{
    Criterion, CriterionReading, MAX_PATHS, RunEvent, SourceGoal, decisions, goals, route_goals,
};
use crate::judge::Judge;
use crate::measure::Measure;
use crate::options::{Bounds, CoverOptions, Error, SHORT_CALL, Unwind, patience, unroll_config};
use crate::report::CoverReport;
use crate::routes::{self, MAX_ROUTES, RouteError, Routes};
use crate::sample::sample;
use crate::search::bitset::BitSet;
use crate::search::{AtomId, AtomReach, AtomStatus, Explorer, Knowledge};
use crate::task::{Task, Wanted, existing_tests};
use nub_bitvec::Value;
use nub_c_ir::{DecisionId, FunctionId};
use nub_sat::SatLimits;
use nub_text::Diagnostic;
use nub_unroll::{InputVariable, UnrollConfig, UnrollRefusal, Unrolled, unroll};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Iterations to begin with.
const FIRST_UNWIND: u32 = 2;
/// A function with more terms than this is large: concrete runs come before its unrolling. About a second.
const FIRST_TERMS: usize = 1_000_000;
/// The same for the terms of an unrolling that has ended, and for its clauses: larger bounds, or the solver, may take all the time.
const MANY_TERMS: usize = 500_000;
const MANY_CLAUSES: usize = 500_000;

/// Finds tests for one function; returns a report for each reading.
pub fn cover(
    source: SourceQuotes<'_>,
    function: FunctionId,
    options: &CoverOptions,
) -> Result<Vec<CoverReport>, Error> {
    let refusals = source.program.whole_refusals(function);
    if !refusals.is_empty() {
        return Err(Error::Refused(refusals));
    }
    let lists = goal_lists(source, function, options)?;
    let (first, most) = match options.unwind {
        Unwind::Exactly(bound) => (bound, bound),
        Unwind::UpTo(most) => (FIRST_UNWIND.min(most), most),
    };
    let session = Session { source, function, options, lists: &lists, most, supplement: RefCell::default() };
    session.at(Bounds { unwind: first, doublings: 0 }, &EarlierRound::default())
}

fn goal_lists(
    source: SourceQuotes<'_>,
    function: FunctionId,
    options: &CoverOptions,
) -> Result<Vec<Vec<SourceGoal>>, Error> {
    let mut lists = Vec::new();
    for reading in &options.readings {
        let list = goals(source.program, function, *reading)
            .map_err(|(decision, _)| too_many_ways(source, decision))?;
        lists.push(list);
    }
    Ok(lists)
}

/// The error for a decision that has too many paths for MC/DC.
pub(crate) fn too_many_ways(source: SourceQuotes<'_>, decision: DecisionId) -> Error {
    let span = source.program.decisions[decision.index()].span;
    let message = format!("this decision has more than {MAX_PATHS} paths through it, too many for MC/DC");
    Error::TooManyWays(Diagnostic::error(span, message).with_hint("use --criterion condition-decision"))
}

/// Adds the goals of the path criterion, which depend on how far loops are unrolled.
pub(crate) fn with_routes(
    source: SourceQuotes<'_>,
    unrolled: &mut Unrolled,
    options: &CoverOptions,
    mut lists: Vec<Vec<SourceGoal>>,
) -> Result<(Vec<Vec<SourceGoal>>, Routes), Error> {
    let is_path = |reading: &CriterionReading| reading.criterion == Criterion::Path;
    if !options.readings.iter().any(is_path) {
        return Ok((lists, Routes::default()));
    }
    let function = source.program.function(unrolled.function);
    let routes = routes::find(source.program, unrolled, &options.limits).map_err(|error| match error {
        RouteError::TooLarge(error) => Error::TooLarge(error.to_string()),
        RouteError::TooMany => {
            let message = format!("`{}` has more than {MAX_ROUTES} paths", function.name);
            let hint = "a smaller --unwind, or --criterion mcdc";
            Error::TooManyWays(Diagnostic::error(function.span, message).with_hint(hint))
        }
    })?;
    let decisions = decisions(source.program, unrolled.function);
    for (list, _) in lists.iter_mut().zip(&options.readings).filter(|(_, reading)| is_path(reading)) {
        list.splice(0..0, route_goals(&function.name, &decisions, &routes.list));
    }
    Ok((lists, routes))
}

/// The inputs of a run by name, so that it can be repeated in an unrolling that has other inputs too.
type NamedRun = FxHashMap<String, Value>;

/// Runs that together show everything that any known run shows. O(runs × atoms).
fn telling_runs(unrolled: &Unrolled, known: &Knowledge) -> Vec<NamedRun> {
    let mut seen = BitSet::new(known.n_atoms());
    let mut runs = Vec::new();
    for behaviour in known.behaviours() {
        if !behaviour.atoms.is_subset(&seen) {
            seen.union_with(&behaviour.atoms);
            let names = unrolled.inputs.iter().map(|input| input.name.clone());
            runs.push(names.zip(behaviour.inputs.iter().cloned()).collect());
        }
    }
    runs
}

/// The same run in another unrolling. Inputs that it does not have are 0.
fn inputs_of(unrolled: &Unrolled, run: &NamedRun) -> Vec<Value> {
    let value = |input: &InputVariable| {
        let width = unrolled.pool.width(input.term);
        let known = run.get(&input.name).filter(|value| value.width() == width);
        known.cloned().unwrap_or_else(|| Value::zero(width))
    };
    unrolled.inputs.iter().map(value).collect()
}

/// What a smaller bound has found out.
#[derive(Default)]
struct EarlierRound {
    /// Runs that together reach everything that was reached.
    runs: Vec<NamedRun>,
    /// Events that no run of any length has.
    never: Vec<RunEvent>,
    /// Long calls are cut, because following them took too long.
    max_call_terms: Option<usize>,
    /// Whether there was a smaller bound.
    is_some: bool,
}

/// A function at some bounds, as clauses.
struct Model {
    unrolled: Unrolled,
    lists: Vec<Vec<SourceGoal>>,
    routes: Routes,
    encoded: Encoded,
}

/// Why there are no clauses.
enum NoModel {
    /// Time or memory: with less of the program there may be clauses.
    TooMuch(Error),
    /// Anything else.
    Other(Error),
}

impl NoModel {
    fn error(self) -> Error {
        match self {
            NoModel::TooMuch(error) | NoModel::Other(error) => error,
        }
    }
}

/// A function whose tests are searched.
struct Session<'s> {
    source: SourceQuotes<'s>,
    function: FunctionId,
    options: &'s CoverOptions,
    lists: &'s [Vec<SourceGoal>],
    /// The largest number of iterations of a loop.
    most: u32,
    /// Concrete runs, once they have been tried.
    supplement: RefCell<Option<Supplement<'s>>>,
}

impl<'s> Session<'s> {
    /// Which larger bounds there are.
    fn larger(&self, bounds: Bounds) -> Wanted {
        Wanted {
            rounds: bounds.unwind < self.most,
            memory: self.options.elements(bounds.doublings + 1) > self.options.elements(bounds.doublings),
        }
    }

    fn next(&self, bounds: Bounds, wanted: Wanted) -> Bounds {
        Bounds {
            unwind: if wanted.rounds { (2 * bounds.unwind).min(self.most) } else { bounds.unwind },
            doublings: bounds.doublings + u32::from(wanted.memory),
        }
    }

    /// All criteria at these bounds, or at larger ones where those are needed. The most expensive parts, the fewest tests and what claims depend on,
    /// are computed at the last bounds only; it recurses once for each doubling.
    fn at(&self, bounds: Bounds, earlier: &EarlierRound) -> Result<Vec<CoverReport>, Error> {
        let Session { source, options, .. } = *self;
        let (config, Model { unrolled, lists, routes, encoded }) = match self.model(bounds, earlier) {
            // With larger bounds, what was found with smaller ones is kept.
            Err(NoModel::TooMuch(error)) if !earlier.is_some => return self.by_runs_alone(bounds, error),
            model => model.map_err(NoModel::error)?,
        };
        let is_large = unrolled.pool.len() >= MANY_TERMS || encoded.problem.cnf.n_clauses() >= MANY_CLAUSES;
        if is_large || options.first.cancel.is_cancelled() {
            self.try_runs();
        }
        let evaluation = self.options.evaluation();
        let existing = match existing_tests(source.program, &unrolled, &encoded, &options.existing) {
            // A test of the user may need a larger bound.
            Err(Error::BadTest(_, RunRefusal::Beyond | RunRefusal::Unreached(_)))
                if bounds.unwind < self.most =>
            {
                return self.at(self.next(bounds, self.larger(bounds)), earlier);
            }
            existing => existing?,
        };
        let measure = Measure::new(&unrolled, &encoded);
        let mut explorer =
            Explorer::new(&encoded.problem, options.limits.new_solver()).with_evaluation(&measure);
        self.start(&mut explorer, &unrolled, &measure, earlier);
        for inputs in routes.list.iter().filter_map(|route| route.inputs.clone()) {
            let run = measure.run(inputs).map_err(|why| Error::Internal(why.to_string()))?;
            explorer.known_mut().saw(run);
        }
        refute_again(&encoded, &mut explorer, earlier);
        let judge = Judge::new(source, &unrolled, &config, evaluation, options.undefined, &options.closing);
        let tasks = options.readings.iter().zip(&lists).map(|(reading, list)| Task {
            source,
            unrolled: &unrolled,
            encoded: &encoded,
            reading: *reading,
            goals: list,
            existing: &existing,
            bound: bounds.unwind,
            elements: config.pointers.elements,
            judge: &judge,
            config: &config,
            larger: self.larger(bounds),
            routes_stop: routes.stop.as_ref().filter(|_| reading.criterion == Criterion::Path),
        });
        let tasks: Vec<Task<'_>> = tasks.collect();
        let begun = self.begin(&tasks, &mut explorer, &unrolled, &measure);
        let wanted = begun.iter().fold(Wanted::default(), |all, begun| all.or(begun.wanted));
        if wanted.is_any() && !options.limits.cancel.is_cancelled() {
            let earlier = EarlierRound {
                runs: telling_runs(&unrolled, explorer.known()),
                never: never(&encoded, &explorer),
                max_call_terms: config.limits.max_call_terms,
                is_some: true,
            };
            match self.at(self.next(bounds, wanted), &earlier) {
                // What was found with this bound is kept.
                Err(error) if !matches!(error, Error::Internal(_)) => {}
                found => return found,
            }
        }
        self.finish(&tasks, begun, &mut explorer)
    }

    /// The function at these bounds. If the first ones take too long, calls that are too large are cut, if necessary twice, and they stay cut.
    fn model(&self, bounds: Bounds, earlier: &EarlierRound) -> Result<(UnrollConfig, Model), NoModel> {
        let options = self.options;
        let mut config = unroll_config(self.source, self.function, options, bounds);
        config.limits.max_call_terms = earlier.max_call_terms;
        if earlier.is_some {
            let model = self.model_with(&config, &options.limits)?;
            return Ok((config, model));
        }
        if self.can_try_runs() {
            let mut attempt = UnrollConfig { patience: patience(&options.first), ..config.clone() };
            attempt.limits.max_terms = attempt.limits.max_terms.min(FIRST_TERMS);
            match self.model_with(&attempt, &options.first) {
                Err(NoModel::TooMuch(_)) if !options.limits.cancel.is_cancelled() => self.try_runs(),
                model => return Ok((config, model?)),
            }
        }
        for (limits, max_call_terms) in [(&options.whole, None), (&options.cut, Some(options.max_call_terms))]
        {
            config.limits.max_call_terms = max_call_terms;
            let attempt = UnrollConfig { patience: patience(limits), ..config.clone() };
            match self.model_with(&attempt, limits) {
                Err(NoModel::TooMuch(_)) if !options.limits.cancel.is_cancelled() => {}
                model => return Ok((config, model?)),
            }
        }
        config.limits.max_call_terms = Some(options.max_call_terms / SHORT_CALL);
        let model = self.model_with(&config, &options.limits)?;
        Ok((config, model))
    }

    fn model_with(&self, config: &UnrollConfig, limits: &SatLimits) -> Result<Model, NoModel> {
        let Session { source, function, options, .. } = *self;
        let mut unrolled = unroll(source.program, function, config).map_err(|refusal| {
            let error = Error::Refused(refusal.diagnostics());
            match refusal {
                UnrollRefusal::Limit(..) => NoModel::TooMuch(error),
                UnrollRefusal::Unsupported(_) => NoModel::Other(error),
            }
        })?;
        let (lists, routes) =
            with_routes(source, &mut unrolled, options, self.lists.to_vec()).map_err(NoModel::Other)?;
        let (goals, evaluation) = (lists.iter().flatten(), self.options.evaluation());
        let encoded =
            encode(source.program, &mut unrolled, goals, &routes.list, evaluation, options.undefined, limits)
                .map_err(|error| NoModel::TooMuch(Error::TooLarge(error.to_string())))?;
        Ok(Model { unrolled, lists, routes, encoded })
    }

    /// Random runs, and those that a smaller bound has found: nothing is lost when the time limit is reached.
    fn start(
        &self,
        explorer: &mut Explorer<'_>,
        unrolled: &Unrolled,
        measure: &Measure<'_>,
        earlier: &EarlierRound,
    ) {
        let options = self.options;
        if let Some(evaluate) = explorer.evaluation() {
            let inputs = &explorer.problem().inputs;
            let favourites = favourites(self.source.program, self.function);
            sample(evaluate, inputs, &favourites, options.seed, explorer.known_mut(), &options.limits);
        }
        self.add_runs(explorer, unrolled, measure, &earlier.runs);
    }
}

/// The events that no run of any length has. Paths through the function have other numbers at each bound.
fn never(encoded: &Encoded, explorer: &Explorer<'_>) -> Vec<RunEvent> {
    let is_never = |atom: AtomId| explorer.known().status(atom) == AtomStatus::Infeasible;
    let events = encoded
        .events
        .iter()
        .filter(|(event, (_, atom))| !matches!(event, RunEvent::Route(_)) && is_never(*atom));
    events.map(|(event, _)| *event).collect()
}

/// What no run of any length does need not be proved again for each larger bound.
fn refute_again(encoded: &Encoded, explorer: &mut Explorer<'_>, earlier: &EarlierRound) {
    for (_, atom) in earlier.never.iter().filter_map(|event| encoded.events.get(event)) {
        explorer.known_mut().refuted(*atom, AtomReach::Unbounded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Behaviour;
    use nub_c_ir::{DataModel, lower};

    #[test]
    fn a_run_is_the_same_in_a_larger_unrolling() {
        let text = b"int nondet_int(void); int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += nondet_int(); return s; }";
        let (program, _) = lower(&nub_c_syntax::parse(text).0, &DataModel::lp64());
        let function = program.function_by_name("f").unwrap();
        let unrolled =
            |unwind| unroll(&program, function, &UnrollConfig { unwind, ..UnrollConfig::default() }).unwrap();
        let (small, large) = (unrolled(1), unrolled(3));
        assert!(small.inputs.len() < large.inputs.len());
        let values: Vec<Value> = (0..).zip(&small.inputs).map(|(n, _)| Value::from_u64(32, 7 + n)).collect();
        let mut known = Knowledge::new(2);
        for atom in [0, 0, 1] {
            let mut atoms = BitSet::new(2);
            atoms.insert(atom);
            known.saw(Behaviour { atoms, inputs: values.clone() });
        }
        let runs = telling_runs(&small, &known);
        assert_eq!(runs.len(), 2, "the second shows nothing new");
        for (input, value) in large.inputs.iter().zip(inputs_of(&large, &runs[0])) {
            let before = small.inputs.iter().position(|other| other.name == input.name);
            let expected = before.map_or_else(|| Value::zero(32), |at| values[at].clone());
            assert_eq!(value, expected, "{}", input.name);
        }
    }
}
