//! More rounds of loops, as long as a closer run is possible (section 3.3 of the paper).
//!
//! A run with more rounds than the bound differs in the guard of each round that the run that fails does not have. So a run at distance `d`
//! rules out all runs with `d` rounds more or beyond, and the bound need not be raised further. The run that fails is the same in
//! each unrolling; the values of rounds that it does not come to are compared as well, as always.

use crate::attempt;
use crate::failing::Failing;
use crate::options::Options;
use crate::scene::Scene;
use crate::session::Refusal;
use crate::story::{Note, Story};
use crate::system::{System, all_hold};
use nub_bitvec::{Op, TermId, Value};
use nub_sat::{Answer, Limits};
use nub_unroll::InputPlace;

/// Inputs that are read, beyond which a run is not carried over to another unrolling: each costs an evaluation.
const MAX_READS: usize = 256;

/// The story, or a better one with more rounds.
pub(crate) fn closer(
    scene: &mut Scene<'_>,
    failing: &Failing,
    story: Story,
    options: &Options,
) -> Result<Story, Refusal> {
    let mut best = story;
    let first = scene.unwind;
    let mut is_open = passes_beyond(scene, &options.limits)?;
    let mut rounds = 0;
    while is_open && first + rounds < options.max_unwind && (rounds as usize) + 1 < best.distance.upper {
        rounds += 1;
        let config = nub_unroll::Config { unwind: first + rounds, ..options.unroll.clone() };
        let Ok(mut longer) = Scene::new(scene.source, scene.unrolled.function, &config) else { break };
        let Some(failing) = carried(scene, failing, &mut longer) else { break };
        let found = match attempt::within(&mut longer, &failing, options) {
            Ok(found) => found,
            Err(Refusal::Stopped(_)) => break,
            Err(other) => return Err(other),
        };
        if let Some(found) = found.filter(|found| found.distance.upper < best.distance.upper) {
            best = found;
            best.notes.push(Note::MoreRounds);
        }
        is_open = passes_beyond(&mut longer, &options.limits)?;
    }
    if is_open && (rounds as usize) + 1 < best.distance.upper {
        best.notes.push(Note::BoundReached);
    }
    Ok(best)
}

/// Some run meets a bound, and nothing is broken up to there. Unknown counts as no: then nobody looks further.
fn passes_beyond(scene: &mut Scene<'_>, limits: &Limits) -> Result<bool, Refusal> {
    let unrolled = &mut scene.unrolled;
    if unrolled.over.is_empty() {
        return Ok(false);
    }
    let asserts = unrolled.asserts.iter().map(|found| (found.guard, found.condition));
    let checks = unrolled.checks.iter().map(|found| (found.guard, found.condition));
    let assumes = unrolled.assumes.iter().map(|found| (found.guard, found.condition));
    let list: Vec<(TermId, TermId)> = asserts.chain(checks).chain(assumes).collect();
    let holds = all_hold(&mut unrolled.pool, list);
    let mut any = unrolled.pool.truth(false);
    for over in &unrolled.over {
        any = unrolled.pool.mk(Op::Or, &[any, over.guard]);
    }
    let both = unrolled.pool.mk(Op::And, &[holds, any]);
    let mut system = System::new();
    let lit = system.lit(&unrolled.pool, both)?;
    Ok(system.solver.solve(&[lit], limits) == Answer::Sat)
}

/// The same run in another unrolling. Inputs of the start have the same names; values that are read come in the same order.
fn carried(from: &Scene<'_>, failing: &Failing, to: &mut Scene<'_>) -> Option<Failing> {
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
    let zero = |input: &nub_unroll::Input| Value::zero(to.unrolled.pool.width(input.term));
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
