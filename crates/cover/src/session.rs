//! From a function to a report: unroll, encode, search, observe, describe.

use crate::describe::SourceQuotes;
use crate::encode::encode;
use crate::existing::{Measure, RunRefusal};
use crate::favourites::favourites;
use crate::goals::{
    Criterion, CriterionReading, EvaluationMode, MAX_PATHS, SourceGoal, decisions, goals, route_goals,
};
use crate::judge::Judge;
use crate::options::{Bounds, CoverOptions, Error, Following, Unwind, unroll_config};
use crate::report::CoverReport;
use crate::routes::{self, MAX_ROUTES, RouteError, Routes};
use crate::sample::sample;
use crate::search::bitset::BitSet;
use crate::search::{Explorer, Knowledge};
use crate::task::{Task, Wanted, existing_tests};
use nub_bitvec::Value;
use nub_c_ir::{DecisionId, FunctionId};
use nub_text::Diagnostic;
use nub_unroll::{InputVariable, UnrollRefusal, Unrolled, unroll};
use rustc_hash::FxHashMap;

/// Rounds to begin with.
const FIRST_UNWIND: u32 = 2;
/// Finds tests for one function, for each reading a report.
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
    let (mut bound, most) = match options.unwind {
        Unwind::Exactly(bound) => (bound, bound),
        Unwind::UpTo(most) => (FIRST_UNWIND.min(most), most),
    };
    let mut best: Option<Vec<CoverReport>> = None;
    let (mut doublings, mut runs, mut following) = (0, Vec::new(), Following::Quickly);
    loop {
        let larger = Wanted {
            rounds: bound < most,
            memory: options.elements(doublings + 1) > options.elements(doublings),
        };
        let bounds = Bounds { unwind: bound, doublings, following };
        let is_over = || options.limits.cancel.is_cancelled();
        let wanted = match round(source, function, options, &lists, (bounds, larger), &runs) {
            Ok(found) => {
                best = Some(found.reports);
                runs = found.runs;
                found.wanted
            }
            // What was found with a smaller bound stays. A test of the user may need a larger one.
            Err(Error::BadTest(_, RunRefusal::Beyond)) if bound < most => {
                Wanted { rounds: true, memory: true }
            }
            Err(error) => match (best, following.fewer()) {
                (Some(reports), _) if !matches!(error, Error::Internal(_)) => return Ok(reports),
                (None, Some(fewer))
                    if matches!(error, Error::Refused(_) | Error::TooLarge(_)) && !is_over() =>
                {
                    (best, following) = (None, fewer);
                    continue;
                }
                _ => return Err(error),
            },
        };
        let is_partial = matches!(following, Following::UpTo(_));
        following = Following::All;
        if is_partial && !is_over() {
            continue;
        }
        let more_rounds = wanted.rounds && larger.rounds;
        let more_memory = wanted.memory && larger.memory;
        if !(more_rounds || more_memory) || is_over() {
            return Ok(best.unwrap_or_default());
        }
        bound = if more_rounds { (2 * bound).min(most) } else { bound };
        doublings += u32::from(more_memory);
    }
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

/// A decision that MC/DC cannot list.
pub(crate) fn too_many_ways(source: SourceQuotes<'_>, decision: DecisionId) -> Error {
    let span = source.program.decisions[decision.index()].span;
    let message = format!("this decision has more than {MAX_PATHS} paths through it, too many for MC/DC");
    Error::TooManyWays(Diagnostic::error(span, message).with_hint("use --criterion condition-decision"))
}

/// Fills in the goals of the path criterion, which depend on how far loops are unrolled.
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

/// All criteria at one bound.
struct RoundResult {
    reports: Vec<CoverReport>,
    wanted: Wanted,
    runs: Vec<NamedRun>,
}

/// The inputs of a run by name, for an unrolling that has others beside them.
type NamedRun = FxHashMap<String, Value>;

/// Runs that together show all that any known run shows. O(runs × atoms).
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

/// The same run in another unrolling. What it has not said is 0.
fn inputs_of(unrolled: &Unrolled, run: &NamedRun) -> Vec<Value> {
    let value = |input: &InputVariable| {
        let width = unrolled.pool.width(input.term);
        let known = run.get(&input.name).filter(|value| value.width() == width);
        known.cloned().unwrap_or_else(|| Value::zero(width))
    };
    unrolled.inputs.iter().map(value).collect()
}

fn round(
    source: SourceQuotes<'_>,
    function: FunctionId,
    options: &CoverOptions,
    lists: &[Vec<SourceGoal>],
    (bounds, larger): (Bounds, Wanted),
    earlier: &[NamedRun],
) -> Result<RoundResult, Error> {
    let config = unroll_config(source, function, options, bounds);
    let mut unrolled = unroll(source.program, function, &config)
        .map_err(|refusal: UnrollRefusal| Error::Refused(refusal.diagnostics()))?;
    let evaluation =
        options.readings.first().map_or(EvaluationMode::ShortCircuit, |reading| reading.evaluation);
    let (lists, routes) = with_routes(source, &mut unrolled, options, lists.to_vec())?;
    let goals = lists.iter().flatten();
    let encoded = encode(
        source.program,
        &mut unrolled,
        goals,
        &routes.list,
        evaluation,
        options.undefined,
        &options.limits,
    )
    .map_err(|error| Error::TooLarge(error.to_string()))?;
    let measure = Measure::new(&unrolled, &encoded);
    let evaluate = |inputs| measure.run(inputs).ok();
    let mut explorer =
        Explorer::new(&encoded.problem, options.limits.new_solver()).with_evaluation(&evaluate);
    let existing = existing_tests(&unrolled, &encoded, &options.existing)?;
    if let Some(evaluate) = explorer.evaluation() {
        let widths: Vec<u32> = unrolled.inputs.iter().map(|input| unrolled.pool.width(input.term)).collect();
        let favourites = favourites(source.program, function);
        sample(evaluate, &widths, &favourites, options.seed, explorer.known_mut(), &options.limits);
    }
    // What a smaller bound has reached is not lost when time is up.
    for run in earlier.iter().filter_map(|run| evaluate(inputs_of(&unrolled, run))) {
        explorer.known_mut().saw(run);
    }
    for inputs in routes.list.iter().filter_map(|route| route.inputs.clone()) {
        let run = measure.run(inputs).map_err(|why| Error::Internal(why.to_string()))?;
        explorer.known_mut().saw(run);
    }
    let judge = Judge::new(source, &unrolled, &config, evaluation, options.undefined, &options.closing);
    let mut result = RoundResult { reports: Vec::new(), wanted: Wanted::default(), runs: Vec::new() };
    for (reading, list) in options.readings.iter().zip(&lists) {
        let task = Task {
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
            larger,
            routes_stop: routes.stop.as_ref().filter(|_| reading.criterion == Criterion::Path),
        };
        let (report, wanted) = task.run(&mut explorer, options)?;
        result.reports.push(report);
        result.wanted.rounds |= wanted.rounds;
        result.wanted.memory |= wanted.memory;
    }
    result.runs = telling_runs(&unrolled, explorer.known());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Behaviour;
    use nub_c_ir::{DataModel, lower};
    use nub_unroll::UnrollConfig;

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
