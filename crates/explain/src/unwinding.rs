//! More iterations of loops, as long as a closer run is possible (section 3.3 of the paper).
//!
//! The paper says when to stop by counting: an unrolling with `j` values differs from a run with `i` of them in at least `j - i`. Here values are
//! compared whether or not a run reaches them, so a longer run need not differ once per iteration: in `while (1) if (x) break;` the guards of all
//! iterations but two are the same. So a lower bound on the distance of a longer run is computed: among runs that exceed a bound, the smallest
//! difference up to that point. What happens later can only add to it, so once it is not less than the known distance, no longer run is closer.
//! Otherwise the next iteration is examined, and the report says so if a limit ends this.
//!
//! Values that both runs reach are counted, and branches that only the longer run takes: these are the same in all unrollings.

use crate::bounded_program::BoundedProgram;
use crate::convention::Counted;
use crate::failing_run::Failing;
use crate::options::ExplainOptions;
use crate::passing_run::within;
use crate::reach::reached;
use crate::render_story::Telling;
use crate::session::ExplainRefusal;
use crate::story::{ExplanationNote, Story};
use crate::sum::Sum;
use crate::system::{System, all_hold};
use crate::trust::Trusted;
use crate::values::Seen;
use nub_bitvec::{Op, TermId, Value};
use nub_sat::{SatAnswer, fewer_than};
use nub_unroll::{InputPlace, SsaAssignment, Unrolled, What};

/// A run with more reads is not carried over to another unrolling: each read costs an evaluation.
const MAX_READS: usize = 256;

/// The closest passing run and its story; `None` if no run passes.
pub(crate) fn story(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    options: &ExplainOptions,
) -> Result<Option<Story>, ExplainRefusal> {
    let found = within(bounded, failing, options)?;
    let is_enough = |found: &Story| !found.notes.contains(&ExplanationNote::NoRunReaches);
    if found.as_ref().is_some_and(is_enough) || bounded.unrolled.over.is_empty() {
        return found.map(|found| closer(bounded, failing, found, options)).transpose();
    }
    further(bounded, failing, found, options)
}

/// The story, or a better one with more iterations.
fn closer(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    story: Story,
    options: &ExplainOptions,
) -> Result<Story, ExplainRefusal> {
    let mut best = story;
    let first = bounded.unwind;
    let mut may_be_closer = is_open(bounded, failing, &best, options)?;
    let mut rounds = 0;
    while may_be_closer && first + rounds < options.max_unwind {
        rounds += 1;
        let config = nub_unroll::UnrollConfig { unwind: first + rounds, ..options.unroll.clone() };
        let Ok(mut longer) = BoundedProgram::new(bounded.source, bounded.unrolled.function, &config) else {
            break;
        };
        let Some(failing) = carried(bounded, failing, &mut longer) else { break };
        // A story costs many questions; first check whether there will be a better one.
        let is_worth = match is_closer(&mut longer, &failing, &best, options) {
            Ok(SatAnswer::Sat) => true,
            Ok(SatAnswer::Unsat) => false,
            Ok(SatAnswer::Unknown(_)) | Err(ExplainRefusal::Stopped(_)) => break,
            Err(other) => return Err(other),
        };
        let found = match is_worth.then(|| within(&mut longer, &failing, options)).transpose() {
            Ok(found) => found.flatten(),
            Err(ExplainRefusal::Stopped(_)) => break,
            Err(other) => return Err(other),
        };
        if let Some(found) = found.filter(|found| found.distance.upper < best.distance.upper) {
            best = found;
            best.notes.push(ExplanationNote::MoreRounds);
        }
        may_be_closer = is_open(&mut longer, &failing, &best, options)?;
    }
    if may_be_closer {
        best.notes.push(ExplanationNote::BoundReached);
    }
    Ok(best)
}

/// A run that passes, or that reaches the property, needs more iterations: they are added until there is one. Without one, `found` is the answer.
fn further(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    found: Option<Story>,
    options: &ExplainOptions,
) -> Result<Option<Story>, ExplainRefusal> {
    let mut best = found;
    for unwind in bounded.unwind + 1..=options.max_unwind {
        let config = nub_unroll::UnrollConfig { unwind, ..options.unroll.clone() };
        let Ok(mut longer) = BoundedProgram::new(bounded.source, bounded.unrolled.function, &config) else {
            break;
        };
        let Some(failing) = carried(bounded, failing, &mut longer) else { break };
        let story = match within(&mut longer, &failing, options) {
            Err(ExplainRefusal::Stopped(_)) if best.is_some() => break,
            story => story?,
        };
        let Some(mut story) = story else { continue };
        story.notes.push(ExplanationNote::MoreRounds);
        if !story.notes.contains(&ExplanationNote::NoRunReaches) {
            return closer(&mut longer, &failing, story, options).map(Some);
        }
        best.get_or_insert(story);
        if longer.unrolled.over.is_empty() {
            break;
        }
    }
    if let Some(best) = &mut best {
        // No run up to this bound reaches it.
        best.notes.extend((!bounded.unrolled.over.is_empty()).then_some(ExplanationNote::BoundReached));
    }
    Ok(best)
}

/// Whether a passing run is closer to the failing run than the best known one. The assumptions of the best one are ignored: they only exclude runs.
fn is_closer(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    best: &Story,
    options: &ExplainOptions,
) -> Result<SatAnswer, ExplainRefusal> {
    let trusted = trusted(bounded, failing, best, options);
    let mut telling = Telling::new(bounded, failing, trusted, options);
    if !best.notes.contains(&ExplanationNote::NoRunReaches) {
        telling.kept.extend(reached(telling.bounded, failing));
    }
    Ok(telling.search(&options.limits)?.is_closer(best.distance.upper, &options.limits))
}

/// What the story trusts: distances must be compared by one metric.
fn trusted(
    bounded: &BoundedProgram<'_>,
    failing: &Failing,
    story: &Story,
    options: &ExplainOptions,
) -> Trusted {
    let program = bounded.source.program;
    let tiers = Trusted::tiers(program, &bounded.unrolled, &failing.property, &options.trust);
    let is_same = |tier: &Trusted| tier.names(program) == story.trusted;
    tiers.into_iter().find(is_same).unwrap_or_default()
}

/// Whether a run that reaches a bound, and violates nothing up to there, may be closer to the failing run than the best known one.
fn is_open(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    best: &Story,
    options: &ExplainOptions,
) -> Result<bool, ExplainRefusal> {
    if bounded.unrolled.over.is_empty() {
        return Ok(false);
    }
    // After the time limit the answer is not used, so the clauses need not be built.
    if options.limits.cancel.is_cancelled() {
        return Ok(true);
    }
    match may_be_closer(bounded, failing, best, options) {
        Err(ExplainRefusal::Stopped(_)) => Ok(true),
        found => found,
    }
}

/// The same for a bound that can be reached. Costs one minimisation.
fn may_be_closer(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    best: &Story,
    options: &ExplainOptions,
) -> Result<bool, ExplainRefusal> {
    let trusted = trusted(bounded, failing, best, options);
    let counted =
        Counted::beside(failing, bounded.source.program, &bounded.unrolled, &trusted, &options.weights);
    let before = Seen::new(&bounded.unrolled, &counted.positions, &failing.inputs);
    let unrolled = &mut bounded.unrolled;
    let asserts = unrolled.asserts.iter().map(|found| (found.guard, found.condition));
    let checks = unrolled.checks.iter().map(|found| (found.guard, found.condition));
    let assumes = unrolled.assumes.iter().map(|found| (found.guard, found.condition));
    let list: Vec<(TermId, TermId)> = asserts.chain(checks).chain(assumes).collect();
    let mut goal = all_hold(&mut unrolled.pool, list);
    let mut any = unrolled.pool.truth(false);
    for over in &unrolled.over {
        any = unrolled.pool.mk(Op::Or, &[any, over.guard]);
    }
    goal = unrolled.pool.mk(Op::And, &[goal, any]);
    let mut system = System::new(&options.limits);
    let goal = system.lit(&unrolled.pool, goal)?;
    let mut sum = Sum::default();
    for (index, &at) in counted.positions.iter().enumerate() {
        let (value, is_executed) = (&before.values[index], before.executed[index]);
        if let Some(differs) = surely_differs(unrolled, at, value, is_executed) {
            let lit = system.lit(&unrolled.pool, differs)?;
            sum.add(&mut system, lit, counted.weights[index]);
        }
    }
    let solver = system.solver.as_mut();
    Ok(fewer_than(solver, sum.lits(), &[goal], best.distance.upper, &options.limits) != SatAnswer::Unsat)
}

/// A value differs from that of the failing run in a way that more iterations cannot undo; `None` if that is impossible.
fn surely_differs(unrolled: &mut Unrolled, at: usize, before: &Value, is_executed: bool) -> Option<TermId> {
    let SsaAssignment { what, term, guard, .. } = unrolled.assignments[at];
    match what {
        // A branch that is not taken up to the bound may be taken later.
        What::Guard(_) => before.is_zero().then_some(term),
        _ if !is_executed => None,
        _ => {
            let constant = unrolled.pool.constant(before.clone());
            let equal = unrolled.pool.mk(Op::Eq, &[term, constant]);
            let differs = unrolled.pool.not(equal);
            Some(unrolled.pool.mk(Op::And, &[guard, differs]))
        }
    }
}

/// The same run in another unrolling. Initial inputs have the same names; values that are read come in the same order.
fn carried(from: &BoundedProgram<'_>, failing: &Failing, to: &mut BoundedProgram<'_>) -> Option<Failing> {
    let is_read = |place: &InputPlace| matches!(place, InputPlace::Read { .. });
    let guards: Vec<TermId> = from.unrolled.inputs.iter().map(|input| input.guard).collect();
    let met = from.are_true(&guards, &failing.inputs);
    let all = from.unrolled.inputs.iter().zip(&failing.inputs).zip(met);
    let mut reads = Vec::new();
    let mut start = Vec::new();
    for ((input, value), is_met) in all {
        if !is_read(&input.place) {
            start.push((input.name.as_str(), value));
        } else if is_met {
            reads.push(value);
        }
    }
    if reads.len() > MAX_READS {
        return None;
    }
    let zero = |input: &nub_unroll::InputVariable| Value::zero(to.unrolled.pool.width(input.term));
    let mut inputs: Vec<Value> = to.unrolled.inputs.iter().map(zero).collect();
    for (index, input) in to.unrolled.inputs.iter().enumerate() {
        if let Some((_, value)) = start.iter().find(|(name, _)| !is_read(&input.place) && *name == input.name)
        {
            inputs[index] = Value::clone(value);
        }
    }
    let mut reads = reads.into_iter().peekable();
    for index in 0..inputs.len() {
        let input = &to.unrolled.inputs[index];
        if reads.peek().is_none() {
            break;
        }
        // Whether a value is read depends on earlier ones only.
        if is_read(&input.place) && to.are_true(&[input.guard], &inputs) == [true] {
            inputs[index] = reads.next().cloned()?;
        }
    }
    let property = to.broken(&failing.property.id, &inputs)?;
    Some(Failing { property, inputs })
}
