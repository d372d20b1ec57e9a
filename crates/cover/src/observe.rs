//! What a test does, computed from the terms: an evaluator that is independent of the clauses.

use crate::encode::Encoded;
use crate::search::Behaviour;
use nub_bitvec::{Assignment, Datum, Evaluator, TermId, Value};
use nub_c_ir::{Program, StopKind};
use nub_unroll::Unrolled;
use std::fmt;
use std::ops::Range;

/// How a run ends, and with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// It returns, with this value unless it is `void`, a structure, or a number that is an address.
    Returned(Option<Value>),
    /// It stops the program.
    Stopped(StopKind),
}

impl RunEnd {
    /// A description.
    pub fn plain(&self) -> String {
        match self {
            RunEnd::Returned(Some(value)) => format!("the function returns {}", value.to_decimal()),
            RunEnd::Returned(None) => "the function returns".to_owned(),
            RunEnd::Stopped(StopKind::Abort) => "the program aborts".to_owned(),
            RunEnd::Stopped(StopKind::Exit) => "the program exits".to_owned(),
            RunEnd::Stopped(StopKind::AssertFailed) => "an assertion fails".to_owned(),
        }
    }
}

/// What was observed in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// How it ends.
    pub end: RunEnd,
    /// What the calls before the last one returned.
    pub earlier: Vec<Option<Value>>,
    /// Values of [`Unrolled::outputs`], in their order; absent for what may differ in another run of the test: an address, or a copy of memory
    /// that was never written.
    pub outputs: Vec<Option<Value>>,
    /// For each input, whether the run reads it.
    pub is_read: Vec<bool>,
    /// The calls of stubs that it makes, in order.
    pub stub_calls: Vec<SeenCall>,
}

/// A call of a stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenCall {
    /// Which of [`Unrolled::stub_calls`].
    pub index: usize,
    /// What the stub sees; absent where nothing can be read, and for a part of an address.
    pub values: Vec<Option<Value>>,
}

/// A defect of nub: the clauses found a test that the terms do not confirm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelDefect {
    /// They disagree about this event.
    Event(String),
    /// A loop takes more iterations than the bound.
    BeyondBound,
    /// A check or an assumption is violated.
    RuleViolated,
    /// The run neither returns nor stops.
    NoEnd,
}

impl fmt::Display for ModelDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelDefect::Event(event) => write!(f, "the clauses and the terms disagree about {event}"),
            ModelDefect::BeyondBound => f.write_str("a test exceeds the bound"),
            ModelDefect::RuleViolated => f.write_str("a test violates a check or an assumption"),
            ModelDefect::NoEnd => f.write_str("a test neither returns nor stops"),
        }
    }
}

/// Evaluates tests, one after the other.
pub struct Observer<'o> {
    program: &'o Program,
    unrolled: &'o Unrolled,
    encoded: &'o Encoded,
    /// The terms of [`Roots`], in its order.
    evaluator: Evaluator<'o>,
    roots: Roots,
}

/// What is evaluated: ranges in one list of terms, since they share most subterms.
struct Roots {
    events: Range<usize>,
    leaving: Range<usize>,
    /// Guard and condition of each check and assumption, alternating.
    rules: Range<usize>,
    outputs: Range<usize>,
    outputs_exist: Range<usize>,
    /// Bits of [`Unrolled::varying`].
    varying: Range<usize>,
    result: Range<usize>,
    returned: Range<usize>,
    stops: Range<usize>,
    reads: Range<usize>,
    /// For each call whether it returned, and its result, alternating.
    calls: Range<usize>,
    /// For each call of a stub whether it is made, then for each value whether it exists, and the value, alternating.
    stub_calls: Range<usize>,
}

impl<'o> Observer<'o> {
    /// Prepares: O(n log n) for n terms.
    pub fn new(program: &'o Program, unrolled: &'o Unrolled, encoded: &'o Encoded) -> Observer<'o> {
        let mut terms: Vec<TermId> = Vec::new();
        let mut add = |list: &mut dyn Iterator<Item = TermId>| {
            let start = terms.len();
            terms.extend(list);
            start..terms.len()
        };
        let checks = unrolled.rules().flat_map(|check| [check.guard, check.condition]);
        let assumes = unrolled.assumes.iter().flat_map(|assume| [assume.guard, assume.condition]);
        let roots = Roots {
            events: add(&mut encoded.events.values().map(|(term, _)| *term)),
            leaving: add(&mut unrolled.leaving()),
            rules: add(&mut checks.chain(assumes)),
            outputs: add(&mut unrolled.outputs.iter().map(|output| output.term)),
            outputs_exist: add(&mut unrolled.outputs.iter().map(|output| output.exists)),
            varying: add(&mut unrolled.varying.iter().map(|(_, varies)| *varies)),
            result: add(&mut unrolled.result.into_iter()),
            returned: add(&mut [unrolled.returned].into_iter()),
            stops: add(&mut unrolled.stops.iter().map(|stop| stop.guard)),
            reads: add(&mut unrolled.inputs.iter().map(|input| input.guard)),
            calls: add(&mut unrolled
                .calls
                .iter()
                .flat_map(|call| [call.returned, call.result.unwrap_or(call.returned)])),
            stub_calls: add(&mut unrolled.stub_calls.iter().flat_map(|call| {
                let values =
                    call.values.iter().flat_map(|seen| [seen.exists, seen.term.unwrap_or(seen.exists)]);
                std::iter::once(call.guard).chain(values)
            })),
        };
        let evaluator = Evaluator::new(&unrolled.pool, &terms);
        Observer { program, unrolled, encoded, evaluator, roots }
    }

    /// Evaluates a test. O(n).
    pub fn observe(&self, test: &Behaviour) -> Result<Observed, ModelDefect> {
        let (unrolled, roots) = (self.unrolled, &self.roots);
        let mut assignment = Assignment::new();
        for (input, value) in unrolled.inputs.iter().zip(&test.inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        unrolled.add_library_results(&mut assignment);
        let found = self.evaluator.run(&assignment);
        let truth =
            |range: &Range<usize>| -> Vec<bool> { found[range.clone()].iter().map(Datum::is_true).collect() };
        let bits = |range: &Range<usize>| -> Vec<Value> {
            found[range.clone()].iter().map(|value| value.bits().clone()).collect()
        };
        self.check_events(test, &truth(&roots.events))?;
        check_guards(&truth(&roots.leaving), &truth(&roots.rules))?;
        let varying = unrolled.varying.iter().zip(truth(&roots.varying)).filter(|(_, varies)| *varies);
        let varying: Vec<TermId> = varying.map(|((term, _), _)| *term).collect();
        let is_fixed = |term: &TermId| !varying.contains(term);
        let end = if truth(&roots.returned)[0] {
            RunEnd::Returned(bits(&roots.result).pop().filter(|_| unrolled.result.iter().all(is_fixed)))
        } else {
            let stop = truth(&roots.stops).iter().position(|holds| *holds);
            RunEnd::Stopped(unrolled.stops[stop.ok_or(ModelDefect::NoEnd)?].kind)
        };
        let mut earlier = Vec::new();
        for (call, pair) in unrolled.calls.iter().zip(found[roots.calls.clone()].chunks(2)) {
            if pair[0].is_true() {
                earlier.push(call.result.filter(is_fixed).map(|_| pair[1].bits().clone()));
            }
        }
        // The last one is how the run ends, unless it ends in a call that does not return.
        if matches!(end, RunEnd::Returned(_)) {
            earlier.pop();
        }
        let stub_calls = self.stub_calls(&found[roots.stub_calls.clone()], &varying);
        let outputs = unrolled.outputs.iter().zip(bits(&roots.outputs)).zip(truth(&roots.outputs_exist));
        let outputs = outputs
            .map(|((output, value), exists)| (exists && is_fixed(&output.term)).then_some(value))
            .collect();
        let is_read = truth(&roots.reads);
        Ok(Observed { end, earlier, outputs, is_read, stub_calls })
    }

    /// The calls of stubs that a run makes, with what they see, apart from values that vary.
    fn stub_calls(&self, mut found: &[Datum], varying: &[TermId]) -> Vec<SeenCall> {
        let mut calls = Vec::new();
        for (index, call) in self.unrolled.stub_calls.iter().enumerate() {
            let (own, rest) = found.split_at(1 + 2 * call.values.len());
            found = rest;
            if !own[0].is_true() {
                continue;
            }
            let pairs = own[1..].chunks(2).zip(&call.values);
            let value = |(pair, seen): (&[Datum], &nub_unroll::ObservedValue)| {
                let is_comparable = seen.term.is_some_and(|term| !varying.contains(&term));
                (pair[0].is_true() && is_comparable).then(|| pair[1].bits().clone())
            };
            calls.push(SeenCall { index, values: pairs.map(value).collect() });
        }
        calls
    }

    fn check_events(&self, test: &Behaviour, happened: &[bool]) -> Result<(), ModelDefect> {
        for ((event, (_, atom)), holds) in self.encoded.events.iter().zip(happened) {
            if *holds != test.has(*atom) {
                return Err(ModelDefect::Event(event.plain(self.program)));
            }
        }
        Ok(())
    }
}

/// Whether a test stays within the bound and violates no rule: for each rule, guard and condition are given.
fn check_guards(leaving: &[bool], rules: &[bool]) -> Result<(), ModelDefect> {
    if leaving.contains(&true) {
        return Err(ModelDefect::BeyondBound);
    }
    if rules.chunks(2).any(|pair| pair[0] && !pair[1]) { Err(ModelDefect::RuleViolated) } else { Ok(()) }
}
