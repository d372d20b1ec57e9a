//! Values and places in source terms.

use crate::convention::Counted;
use crate::property::{Instance, PropertyKind};
use crate::story::{
    Delta, DeltaKind, InputValue, OtherValue, PropertyText, RunValues, StoryPlace, TraceValue,
};
use crate::values::{Both, Seen};
use nub_bitvec::{Evaluator, TermId, Value};
use nub_c_ir::analysis::checkers;
use nub_c_ir::{AssertKind, FunctionId, ProgramSource, SourceOrigin, TypeId};
use nub_harness::{Setup, TestCase, setup};
use nub_text::Span;
use nub_unroll::{ContextId, InputPlace, SsaAssignment, Unrolled, What, input_name, input_names};
use rustc_hash::FxHashMap;

/// Describes values and places of a program.
#[derive(Clone, Copy)]
pub(crate) struct Narrator<'p>(pub ProgramSource<'p>);

impl Narrator<'_> {
    /// The text at a span, in one line.
    pub(crate) fn quote(&self, span: Span) -> String {
        readable(&self.0.program.quote(self.0.text, span))
    }

    fn place(&self, unrolled: &Unrolled, context: ContextId, origin: Option<SourceOrigin>) -> StoryPlace {
        let is_model = |id: FunctionId| self.0.program.function(id).is_model;
        let call = unrolled.call_of_inner(context, is_model);
        let (context, origin) = call.map_or((context, origin), |(caller, origin)| (caller, Some(origin)));
        let function = self.0.program.function(unrolled.function_of(context));
        let file = origin.map_or(function.position.file, |origin| origin.position.file);
        let file = self.0.program.files.get(file.index()).filter(|name| !name.is_empty());
        StoryPlace {
            file: file.map_or(self.0.file, String::as_str).to_owned(),
            line: origin.map(|origin| origin.position.line),
            function: function.name.clone(),
        }
    }

    /// A parameter is where its function begins.
    fn place_of(&self, unrolled: &Unrolled, found: &SsaAssignment) -> StoryPlace {
        let place = self.place(unrolled, found.context, found.origin);
        let is_parameter =
            |input: &nub_unroll::InputVariable| matches!(input.place, InputPlace::Parameter { .. });
        match found.what {
            What::Input(input) if place.line.is_none() && is_parameter(&unrolled.inputs[input.index()]) => {
                let position = self.0.program.function(unrolled.function).position;
                StoryPlace { line: Some(position.line), ..place }
            }
            _ => place,
        }
    }

    /// A value of an assignment.
    fn value(&self, unrolled: &Unrolled, found: &SsaAssignment, value: &Value) -> String {
        let is_pointer = self.0.program.types.pointee(found.ty).is_some();
        // For a pointer, an input only says whether it is not null.
        match value.to_u64().filter(|_| is_pointer && !matches!(found.what, What::Input(_) | What::Guard(_)))
        {
            Some(address) => unrolled.address_name(self.0.program, found.ty, address),
            None => self.number(found.ty, value),
        }
    }

    pub(crate) fn number(&self, ty: TypeId, value: &Value) -> String {
        nub_harness::decimal(self.0.program, ty, value)
    }

    /// A property. One that says nothing itself, such as `assert(0)` in a function that can only check, is reported where that function is called:
    /// the call says what is asserted.
    pub(crate) fn property(&self, unrolled: &Unrolled, found: &Instance) -> PropertyText {
        let is_checker = checkers(self.0.program, unrolled.function);
        let condition = found.condition.map(|condition| unrolled.pool.value(condition));
        let is_bare = condition.is_none_or(|condition| condition.is_some_and(Value::is_zero));
        let is_inner =
            |id: FunctionId| self.0.program.function(id).is_model || is_bare && is_checker[id.index()];
        let call = unrolled.call_of_inner(found.context, is_inner);
        let (context, origin) = call.unwrap_or((found.context, found.origin));
        let quoted = self.quote(origin.span);
        let function = self.0.program.function(unrolled.function_of(found.context));
        let text = match (found.kind, found.text.as_str()) {
            (PropertyKind::Assertion, _) if context != found.context => quoted,
            (PropertyKind::Assertion, "") => quoted,
            (PropertyKind::Assertion, text) => text.to_owned(),
            (PropertyKind::Unreachable, _) if function.is_model => {
                format!("`{}` may be called like this: {quoted}", function.name)
            }
            (kind, _) => format!("{}: {quoted}", kind.rule()),
        };
        PropertyText {
            id: found.id.clone(),
            kind: found.kind,
            text,
            place: self.place(unrolled, context, Some(origin)),
            line: found.origin.position.line,
            is_silent: found.assertion.is_some_and(|at| unrolled.asserts[at].kind == AssertKind::Reached),
        }
    }

    /// The inputs of a run that was not replayed.
    pub(crate) fn run(&self, unrolled: &Unrolled, inputs: &[Value]) -> RunValues {
        let guards: Vec<TermId> = unrolled.inputs.iter().map(|input| input.guard).collect();
        let read = Evaluator::new(&unrolled.pool, &guards).run(&unrolled.assignment(inputs));
        let read: Vec<bool> = read.iter().map(nub_bitvec::Datum::is_true).collect();
        let case = self.case(unrolled, inputs, &read);
        let names = input_names(self.0.program, unrolled);
        let list = unrolled.inputs.iter().zip(inputs).zip(read).zip(names);
        let values = inputs.to_vec();
        let inputs = list.map(|(((input, value), is_read), name)| InputValue {
            name,
            value: self.number(input.ty, value),
            hex: nub_harness::hexadecimal(self.0.program, input.ty, value),
            is_read,
        });
        RunValues { inputs: inputs.collect(), is_replayed: false, case, values }
    }

    /// The run as a test in C; how it ends is added elsewhere.
    fn case(&self, unrolled: &Unrolled, inputs: &[Value], is_read: &[bool]) -> TestCase {
        let list = unrolled.inputs.iter().zip(inputs).map(|(input, value)| nub_harness::TestInput {
            name: input.name.clone(),
            ty: self.0.program.types.spell(input.ty),
            value: self.number(input.ty, value),
            is_read: true,
            ..nub_harness::TestInput::default()
        });
        let Setup { before, mut calls, reads, unset, registers } =
            setup(self.0.program, unrolled, inputs, is_read);
        let args = calls.pop().unwrap_or_default();
        TestCase { inputs: list.collect(), args, before, reads, unset, registers, ..TestCase::default() }
    }

    fn name(&self, unrolled: &Unrolled, found: &SsaAssignment) -> (DeltaKind, String) {
        let target = || unrolled.target_name(self.0.program, found.target);
        match found.what {
            What::Store | What::Temporary => (DeltaKind::Assignment, target()),
            What::Phi => (DeltaKind::Phi, target()),
            What::Argument => (DeltaKind::Argument, target()),
            What::Input(input) => (DeltaKind::Input, input_name(unrolled, input.index())),
            What::Return => {
                let function = unrolled.function_of(found.context);
                (DeltaKind::Return, format!("{}()", self.0.program.function(function).name))
            }
            What::Guard(test) => {
                let decision = test.map(|test| &self.0.program.decisions[test.decision.index()]);
                let condition = decision.zip(test).map(|(decision, test)| {
                    decision.conditions.get(test.condition as usize).map_or(decision.span, |leaf| leaf.span)
                });
                let span = condition.or(found.origin.map(|origin| origin.span));
                (DeltaKind::Guard, span.map(|span| self.quote(span)).unwrap_or_default())
            }
        }
    }

    /// The values at some positions in the failing and the passing run.
    pub(crate) fn trace(
        &self,
        unrolled: &Unrolled,
        positions: &[usize],
        runs: [&Seen; 2],
    ) -> Vec<TraceValue> {
        let mut versions: FxHashMap<String, usize> = FxHashMap::default();
        let mut trace = Vec::with_capacity(positions.len());
        for (index, &at) in positions.iter().enumerate() {
            let found = &unrolled.assignments[at];
            let (kind, what) = self.name(unrolled, found);
            let key = if kind == DeltaKind::Guard { String::new() } else { what.clone() };
            let next = versions.entry(key).or_insert(0);
            let version = *next;
            *next += 1;
            let [failing, passing] = runs.map(|run| self.value(unrolled, found, &run.values[index]));
            let [is_executed_failing, is_executed_passing] = runs.map(|run| run.executed[index]);
            let place = self.place_of(unrolled, found);
            trace.push(TraceValue {
                kind,
                place,
                what,
                version,
                failing,
                passing,
                is_executed_failing,
                is_executed_passing,
            });
        }
        trace
    }

    /// The values at some positions in another run.
    pub(crate) fn other_trace(
        &self,
        unrolled: &Unrolled,
        positions: &[usize],
        run: &Seen,
    ) -> Vec<OtherValue> {
        let value = |(index, &at): (usize, &usize)| OtherValue {
            value: self.value(unrolled, &unrolled.assignments[at], &run.values[index]),
            is_executed: run.executed[index],
        };
        positions.iter().enumerate().map(value).collect()
    }

    /// The values that differ, and the position of each among the counted values. `executed` are the guards in both runs.
    pub(crate) fn deltas(
        &self,
        unrolled: &Unrolled,
        counted: &Counted,
        both: Both<'_>,
        executed: [&[bool]; 2],
    ) -> (Vec<Delta>, Vec<usize>) {
        let mut versions: FxHashMap<String, usize> = FxHashMap::default();
        let (mut deltas, mut positions) = (Vec::new(), Vec::new());
        for (index, &at) in counted.positions.iter().enumerate() {
            let found = &unrolled.assignments[at];
            let (kind, what) = self.name(unrolled, found);
            // All guards are numbered together.
            let key = if kind == DeltaKind::Guard { String::new() } else { what.clone() };
            let next = versions.entry(key).or_insert(0);
            let version = *next;
            *next += 1;
            let (before, after) = (&both.before[index], &both.after[index]);
            if before == after {
                continue;
            }
            positions.push(index);
            deltas.push(Delta {
                kind,
                place: self.place_of(unrolled, found),
                what,
                version,
                weight: counted.weights[index],
                before: self.value(unrolled, found, before),
                after: self.value(unrolled, found, after),
                is_executed_before: executed[0][index],
                is_executed_after: executed[1][index],
            });
        }
        (deltas, positions)
    }
}

/// Letters as the user wrote them: a preprocessor may write `\\u00f6` for one that is not ASCII.
pub(crate) fn readable(text: &str) -> String {
    if !text.contains("\\u") && !text.contains("\\U") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let n_digits = match rest[at + 1..].chars().next() {
            Some('u') => 4,
            Some('U') => 8,
            _ => 0,
        };
        let digits = rest.get(at + 2..at + 2 + n_digits).filter(|digits| !digits.is_empty());
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32).filter(|letter| letter.is_alphanumeric()) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[at + 2 + n_digits..];
            }
            None => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_user() {
        for (written, read) in [
            (r"gr\U000000f6\u00dfe > 3", "größe > 3"),
            (r"a \u00f", r"a \u00f"),
            (r"\u202e x", r"\u202e x"),
            (r"c == '\n' \", r"c == '\n' \"),
            (r"\uzzzz\U0011ffff", r"\uzzzz\U0011ffff"),
            ("é\\ué", "é\\ué"),
        ] {
            assert_eq!(readable(written), read);
        }
    }
}
