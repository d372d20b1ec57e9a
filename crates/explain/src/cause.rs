//! Causal dependence (definition 1 of the paper): is a predicate a cause of the failure?
//!
//! In a failing run in which the predicate is true, the failure depends on the predicate if some run without both is closer than all runs that fail
//! without the predicate. Two minimisations decide this. The predicate is true in a run if it is true at some moment when control is at its place.

use crate::bounded_program::BoundedProgram;
use crate::closest_run::{Closest, passes};
use crate::convention::Counted;
use crate::describe::Narrator;
use crate::failing_run::{Failing, Search};
use crate::given_inputs::given;
use crate::insert_conditions::{Insertion, insertion, instrument};
use crate::marks::take_marks;
use crate::options::{ExplainOptions, Predicate, Trust};
use crate::property::chosen;
use crate::render_story::Telling;
use crate::replay::End;
use crate::session::{ExplainRefusal, refuse};
use crate::story::Interval;
use crate::system::System;
use crate::trust::Trusted;
use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::FunctionId;
use nub_c_ir::ProgramSource;
pub use nub_report::explain::{Causal, CausalAnswer, Neighbour};

/// The text that identifies the predicate in the unrolled program.
const MARK: &str = "nub: cause";

/// Decides whether the failure of a property depends on a predicate.
pub fn cause(
    source: ProgramSource<'_>,
    function: FunctionId,
    predicate: &Predicate,
    options: &ExplainOptions,
) -> Result<Causal, ExplainRefusal> {
    refuse(source, function)?;
    let (unit, _) = nub_c_syntax::parse(source.text);
    let mut insertions: Vec<Insertion> = Vec::new();
    for assumed in &options.assume {
        insertions.push(insertion(source, &unit, assumed, "__builtin_assume", "")?);
    }
    insertions.push(insertion(source, &unit, predicate, "__CPROVER_assert", &format!(", \"{MARK}\""))?);
    let changed = instrument(source, &insertions)?;
    let own = changed.function(source, function)?;
    let mut bounded = BoundedProgram::new(changed.source(source), own, &options.unroll)?;
    bounded.original = Some(source);
    let marks = take_marks(&mut bounded, MARK);
    let holds = marks.any(&mut bounded.unrolled.pool).plain;
    let Some(failing) = find_failing(&mut bounded, holds, options)? else {
        return Ok(Causal {
            predicate: predicate.text.clone(),
            property: None,
            failing: None,
            without_both: None,
            without_cause: None,
            answer: CausalAnswer::NeverTogether,
        });
    };
    compare(&mut bounded, &failing, holds, &predicate.text, options)
}

/// A failing run in which the predicate is true.
fn find_failing(
    bounded: &mut BoundedProgram<'_>,
    holds: TermId,
    options: &ExplainOptions,
) -> Result<Option<Failing>, ExplainRefusal> {
    let given = given(bounded, &options.inputs)?;
    let mut system = System::new(&options.limits);
    let lit = system.lit(&bounded.unrolled.pool, holds)?;
    system.solver.add(&[lit]);
    let mut search = Search::new(bounded.source.program, &bounded.unrolled, &mut system, &given)?;
    let all = bounded.instances.clone();
    for list in chosen(&all, &options.properties)? {
        let found = search.find(&mut bounded.unrolled, &mut system, &list, options)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The two minimisations.
fn compare(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    holds: TermId,
    predicate: &str,
    options: &ExplainOptions,
) -> Result<Causal, ExplainRefusal> {
    let trusted = match options.trust {
        Trust::Automatic | Trust::Nothing => Trusted::default(),
        Trust::These(_) => {
            let program = bounded.source.program;
            let mut tiers = Trusted::tiers(program, &bounded.unrolled, &failing.property, &options.trust);
            tiers.swap_remove(0)
        }
    };
    let pass = passes(&mut bounded.unrolled);
    let fail = fails(bounded, &failing.property.id);
    let pool = &mut bounded.unrolled.pool;
    let without = pool.not(holds);
    let goals = [pass, fail].map(|end| pool.mk(Op::And, &[without, end]));
    let telling = Telling::new(bounded, failing, trusted, options);
    let property = Narrator(telling.bounded.source).property(&telling.bounded.unrolled, &failing.property);
    let run = telling.run(&failing.inputs, &End::Fails(failing.property.clone()))?;
    let both = nearest(&telling, goals[0], options)?;
    let alone = nearest(&telling, goals[1], options)?;
    let answer = match (&both, &alone) {
        (None, _) => CausalAnswer::Independent,
        (Some(_), None) => CausalAnswer::Dependent,
        (Some((_, b)), Some((_, other))) if b.upper < other.lower => CausalAnswer::Dependent,
        (Some((_, b)), Some((_, other))) if b.lower >= other.upper => CausalAnswer::Independent,
        _ => CausalAnswer::Unknown,
    };
    let neighbour = |found: Option<(Vec<Value>, Interval)>, end: &dyn Fn(&[Value]) -> Option<End>| {
        let Some((inputs, distance)) = found else { return Ok(None) };
        let Some(end) = end(&inputs) else { return Ok(None) };
        telling.run(&inputs, &end).map(|run| Some(Neighbour { run, distance }))
    };
    let without_both = neighbour(both, &|_| Some(End::Passes))?;
    let id = &failing.property.id;
    let without_cause = neighbour(alone, &|inputs| telling.bounded.broken(id, inputs).map(End::Fails))?;
    let predicate = predicate.to_owned();
    let (property, failing) = (Some(property), Some(run));
    Ok(Causal { predicate, property, failing, without_both, without_cause, answer })
}

/// The property with this name is violated, and nothing before it is.
fn fails(bounded: &mut BoundedProgram<'_>, id: &str) -> TermId {
    let mine: Vec<_> = bounded.instances.iter().filter(|found| found.id == id).cloned().collect();
    let mut before = crate::failing_run::Before::new(&mut bounded.unrolled);
    let mut any = bounded.unrolled.pool.truth(false);
    for property in mine {
        let holds = before.up_to(&mut bounded.unrolled, property.order);
        let pool = &mut bounded.unrolled.pool;
        let broken = property.broken(pool);
        let first = pool.mk(Op::And, &[holds, broken]);
        any = pool.mk(Op::Or, &[any, first]);
    }
    any
}

fn nearest(
    telling: &Telling<'_, '_>,
    goal: TermId,
    options: &ExplainOptions,
) -> Result<Option<(Vec<Value>, Interval)>, ExplainRefusal> {
    let counted: &Counted = &telling.counted;
    let mut unrolled = telling.bounded.unrolled.clone();
    let from = &telling.failing.inputs;
    let program = telling.bounded.source.program;
    let mut search =
        Closest::new(&mut unrolled, program, counted, &telling.before.values, from, goal, &options.limits)?;
    let found = search.next(&unrolled.pool, &options.limits)?;
    Ok(found.map(|found| {
        let distance = Interval { lower: found.lower, upper: found.upper };
        (found.inputs, distance)
    }))
}
