//! What a test does, computed from the terms: an evaluator that knows nothing of clauses.

use crate::encode::Encoded;
use crate::search::Behaviour;
use nub_bitvec::{Assignment, Datum, TermId, Value, evaluate};
use nub_c_ir::{Program, StopKind};
use nub_unroll::Unrolled;

/// How a run ends, and with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It returns, with this value unless it is `void` or a structure.
    Returned(Option<Value>),
    /// It stops the program.
    Stopped(StopKind),
}

impl End {
    /// In words.
    pub fn plain(&self) -> String {
        match self {
            End::Returned(Some(value)) => format!("the function returns {}", value.to_decimal()),
            End::Returned(None) => "the function returns".to_owned(),
            End::Stopped(StopKind::Abort) => "the program aborts".to_owned(),
            End::Stopped(StopKind::Exit) => "the program exits".to_owned(),
            End::Stopped(StopKind::AssertFailed) => "an assertion fails".to_owned(),
        }
    }
}

/// What was seen of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// How it ends.
    pub end: End,
    /// What the calls before the last one returned.
    pub earlier: Vec<Option<Value>>,
    /// Values of [`Unrolled::outputs`], in their order.
    pub outputs: Vec<Value>,
    /// By input: does the run get to where it is read?
    pub is_read: Vec<bool>,
    /// The calls of stubs that it makes, in order.
    pub stub_calls: Vec<SeenCall>,
}

/// A call of a stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenCall {
    /// Which of [`Unrolled::stub_calls`].
    pub index: usize,
    /// What the stub sees; absent where nothing can be read.
    pub values: Vec<Option<Value>>,
}

/// Evaluates a test. An error is a difference between the clauses and the terms: a defect of this program.
pub fn observe(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    test: &Behaviour,
) -> Result<Observed, String> {
    let mut assignment = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(&test.inputs) {
        assignment.set(input.term, Datum::Bits(value.clone()));
    }
    let truth = |terms: &[TermId]| -> Vec<bool> {
        evaluate(&unrolled.pool, &assignment, terms).iter().map(Datum::is_true).collect()
    };
    check_events(program, encoded, test, &truth)?;
    check_guards(unrolled, &truth)?;
    // All at once: they share most of what is below them.
    let terms: Vec<TermId> =
        unrolled.outputs.iter().map(|output| output.term).chain(unrolled.result).collect();
    let found = evaluate(&unrolled.pool, &assignment, &terms);
    let mut outputs: Vec<Value> = found.iter().map(|value| value.bits().clone()).collect();
    let result = unrolled.result.and_then(|_| outputs.pop());
    let end = if truth(&[unrolled.returned])[0] {
        End::Returned(result)
    } else {
        let guards: Vec<TermId> = unrolled.stops.iter().map(|stop| stop.guard).collect();
        let stop =
            truth(&guards).iter().position(|holds| *holds).ok_or("a test neither returns nor stops")?;
        End::Stopped(unrolled.stops[stop].kind)
    };
    let guards: Vec<TermId> = unrolled.inputs.iter().map(|input| input.guard).collect();
    let is_read = truth(&guards);
    let value = |term: TermId| evaluate(&unrolled.pool, &assignment, &[term]).remove(0).bits().clone();
    let mut returned = Vec::new();
    for call in &unrolled.calls {
        if truth(&[call.returned])[0] {
            returned.push(call.result.map(value));
        }
    }
    // The last one is how the run ends, unless it ends in one that does not return.
    if matches!(end, End::Returned(_)) {
        returned.pop();
    }
    let stub_calls = stub_calls(unrolled, &assignment);
    Ok(Observed { end, earlier: returned, outputs, is_read, stub_calls })
}

/// The calls of stubs that a run makes, with what they see.
fn stub_calls(unrolled: &Unrolled, assignment: &Assignment) -> Vec<SeenCall> {
    let guards: Vec<TermId> = unrolled.stub_calls.iter().map(|call| call.guard).collect();
    let is_made = evaluate(&unrolled.pool, assignment, &guards);
    let mut found = Vec::new();
    for (index, call) in unrolled.stub_calls.iter().enumerate() {
        if !is_made[index].is_true() {
            continue;
        }
        let terms = call.values.iter().flat_map(|seen| [seen.exists, seen.term.unwrap_or(seen.exists)]);
        let values = evaluate(&unrolled.pool, assignment, &terms.collect::<Vec<_>>());
        let values = values
            .chunks(2)
            .zip(&call.values)
            .map(|(pair, seen)| (pair[0].is_true() && seen.term.is_some()).then(|| pair[1].bits().clone()));
        found.push(SeenCall { index, values: values.collect() });
    }
    found
}

fn check_events(
    program: &Program,
    encoded: &Encoded,
    test: &Behaviour,
    truth: &impl Fn(&[TermId]) -> Vec<bool>,
) -> Result<(), String> {
    let terms: Vec<TermId> = encoded.events.values().map(|(term, _)| *term).collect();
    for ((event, (_, atom)), holds) in encoded.events.iter().zip(truth(&terms)) {
        if holds != test.has(*atom) {
            let what = event.plain(program);
            return Err(format!("the clauses and the terms disagree about {what}"));
        }
    }
    Ok(())
}

fn check_guards(unrolled: &Unrolled, truth: &impl Fn(&[TermId]) -> Vec<bool>) -> Result<(), String> {
    let over: Vec<TermId> = unrolled.leaving().collect();
    if truth(&over).contains(&true) {
        return Err("a test leaves the bound".to_owned());
    }
    let checks = unrolled.checks.iter().map(|check| (check.guard, check.condition));
    let all: Vec<(TermId, TermId)> =
        checks.chain(unrolled.assumes.iter().map(|assume| (assume.guard, assume.condition))).collect();
    let guards = truth(&all.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let conditions = truth(&all.iter().map(|pair| pair.1).collect::<Vec<_>>());
    match guards.iter().zip(&conditions).any(|(guard, condition)| *guard && !condition) {
        true => Err("a test breaks a check or an assumption".to_owned()),
        false => Ok(()),
    }
}
