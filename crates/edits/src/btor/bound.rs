//! Fewer steps to the failure: states start with the values that a simulation reaches k steps later, or keep these values.
//!
//! ```text
//! 2 constd 1 100                       2 constd 1 3
//! 3 state 1                            3 state 1
//! 4 init 1 3 2         97 steps:       4 init 1 3 2
//! 5 dec 1 3               =>           5 dec 1 3
//! 6 next 1 3 5                         6 next 1 3 5
//! ```
//!
//! In the simulation all inputs are zero; the oracle decides whether its values preserve the failure. A constant that
//! only initial values use is changed in place, and any other initial value is redirected to an existing constant: a new
//! line would make the file larger, and such candidates are never asked. For the same reason most models end with their
//! states frozen: `3 constd 1 3` replaces lines 3, 4 and 6. Numbers with which a state is compared shrink in
//! [`super::literals`].

mod simulate;

use super::{BtorView, LineRef, constant};
use crate::{Edit, Grouping, Pass};
use nub_bitvec::{Datum, Value};
use nub_btor::{LineId, Operand, Tag};
use nub_text::Span;
use rustc_hash::FxHashMap;
use simulate::Trace;

/// See the module.
pub struct Bound;

/// Limit on the steps offered to a single state.
const MAX_STEPS_PER_STATE: usize = 3;

impl Pass<BtorView> for Bound {
    fn name(&self) -> &'static str {
        "bound"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    /// The whole model frozen at a step, the whole model started at a step, then single states frozen.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let Some(trace) = Trace::new(view) else { return Vec::new() };
        let steps = trace.telling_steps();
        let states: Vec<usize> = (0..trace.states().len()).collect();
        let few = &steps[..steps.len().min(MAX_STEPS_PER_STATE)];
        let frozen = steps.iter().map(|&step| freeze(view, &trace, &states, step));
        let begun = steps.iter().map(|&step| begin_at(view, &trace, step));
        let single = states.chunks(1).filter(|_| states.len() > 1);
        let single = single.flat_map(|one| few.iter().map(|&step| freeze(view, &trace, one, step)));
        frozen.chain(begun).chain(single).flatten().collect()
    }
}

/// States become constants, and their assignments are removed. Arrays stay as they are; `None` if there are only arrays.
fn freeze(view: &BtorView, trace: &Trace, which: &[usize], step: usize) -> Option<Edit> {
    let mut splices = Vec::new();
    for &index in which {
        let line = trace.states()[index];
        if let Datum::Bits(value) = trace.value(step, index) {
            splices.extend(to_constant(view, line, value)?);
            splices.extend(view.assignments(line).map(|other| (view.line(other).span, Vec::new())));
        }
    }
    if splices.is_empty() { None } else { Edit::try_of(splices) }
}

/// Replaces a leaf or a constant by the shortest constant with this value.
fn to_constant(view: &BtorView, line: LineId, value: &Value) -> Option<[(Span, Vec<u8>); 2]> {
    let tag = match value {
        value if value.is_one() => Tag::One,
        value if value.is_zero() => Tag::Zero,
        value if value.is_ones() => Tag::Ones,
        _ => Tag::Constd,
    };
    let digits = if tag == Tag::Constd { format!(" {}", value.to_decimal()) } else { String::new() };
    let sort = view.operands(line).first()?;
    let rest = Span { start: sort.span.end, end: view.end_of_fields(line) };
    let name = tag.name(view.file().dialect())?;
    Some([(view.line(line).tag_span, name.as_bytes().to_vec()), (rest, digits.into_bytes())])
}

/// An `init` line and the value that its operand must have.
struct Wish<'v> {
    line: LineId,
    operand: &'v Operand,
    value: Value,
}

/// Sets all initial values to those of a step.
fn begin_at(view: &BtorView, trace: &Trace, step: usize) -> Option<Edit> {
    let mut wishes: Vec<Wish<'_>> = Vec::new();
    for (index, &state) in trace.states().iter().enumerate() {
        let Some(init) = view.assignments(state).find(|&line| view.tag(line) == Some(Tag::Init)) else {
            continue;
        };
        let operand = view.nodes_of(init).next()?;
        let value = match trace.value(step, index) {
            Datum::Bits(value) => value,
            Datum::Array(array) if array.exceptions().next().is_none() => array.default(),
            Datum::Array(_) => return None,
        };
        let value = if operand.negated { value.not() } else { value.clone() };
        wishes.push(Wish { line: init, operand, value });
    }
    wishes.sort_by_key(|wish| wish.operand.line);
    let constants = constants(view);
    let mut splices = Vec::new();
    for group in wishes.chunk_by(|a, b| a.operand.line == b.operand.line) {
        splices.extend(in_place(view, group).or_else(|| elsewhere(view, group, &constants))?);
    }
    if splices.is_empty() { None } else { Edit::try_of(splices) }
}

/// Changes the constant itself: only these lines use it, and all need the same value.
fn in_place(view: &BtorView, group: &[Wish<'_>]) -> Option<Vec<(Span, Vec<u8>)>> {
    let (line, value) = (group[0].operand.line?, &group[0].value);
    let is_old = constant::any_value(view, line).as_ref() == Some(value);
    let is_same = group.iter().all(|wish| wish.value == *value);
    if is_old && is_same {
        return Some(Vec::new());
    }
    let is_ours = view.tag(line).is_some_and(Tag::is_constant) && view.uses(line).len() == group.len();
    if !is_ours || !is_same || view.sort(line)?.bits() != Some(value.width()) {
        return None;
    }
    Some(to_constant(view, line, value)?.into())
}

/// Redirects each line to an existing constant.
fn elsewhere(
    view: &BtorView,
    group: &[Wish<'_>],
    constants: &FxHashMap<Value, LineId>,
) -> Option<Vec<(Span, Vec<u8>)>> {
    let splice = |wish: &Wish<'_>| {
        let to = *constants.get(&wish.value)?;
        let fits = view.fits(wish.line, wish.operand, to);
        fits.then(|| (wish.operand.span, view.reference(LineRef { to, negated: wish.operand.negated })))
    };
    group.iter().map(splice).collect()
}

/// The first line of every constant.
fn constants(view: &BtorView) -> FxHashMap<Value, LineId> {
    let mut constants = FxHashMap::default();
    for line in view.lines() {
        if let Some(value) = constant::any_value(view, line) {
            constants.entry(value).or_insert(line);
        }
    }
    constants
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;
    use nub_btor::{BtorDialect, BtorFile, BtorModel, eval};

    const DOWN: &str = "1 sort bitvec 8\n2 constd 1 100\n3 state 1\n4 init 1 3 2\n5 dec 1 3\n6 next 1 3 5\n\
                        7 constd 1 3\n8 sort bitvec 1\n9 eq 8 3 7\n10 bad 9\n";

    /// The first step in which `bad` holds, in a simulation of 200 steps with all inputs zero.
    fn bad_at(text: &str) -> Option<usize> {
        let file = BtorFile::read(text.as_bytes(), BtorDialect::Btor2);
        let model = BtorModel::of(&file).unwrap();
        let free = |node| match model.node(node).sort {
            nub_btor::Sort::Bits(width) => Datum::Bits(Value::zero(width)),
            nub_btor::Sort::Array { .. } => unreachable!("no test has free arrays"),
        };
        let mut now = eval::first_step(&model, free).unwrap();
        (0..200).find(|_| {
            let is_bad = now.is_bad(&model);
            now = eval::next_step(&model, &now, free).unwrap();
            is_bad
        })
    }

    #[test]
    fn the_model_begins_where_it_would_be_later() {
        assert_eq!(bad_at(DOWN), Some(97));
        let found = each(&Bound, DOWN);
        let begun: Vec<&String> = found.iter().filter(|text| text.contains("init")).collect();
        assert_eq!(*begun[0], DOWN.replace("2 constd 1 100", "2 constd 1 3"));
        let steps: Vec<Option<usize>> = begun.iter().map(|text| bad_at(text)).collect();
        assert_eq!(
            steps,
            [0, 1, 33, 65, 81, 89, 93, 95, 96].map(Some),
            "at the failure, before, then by powers"
        );
    }

    #[test]
    fn frozen_states_are_constants() {
        let frozen = &each(&Bound, DOWN)[0];
        assert_eq!(
            frozen,
            "1 sort bitvec 8\n3 constd 1 3\n7 constd 1 3\n8 sort bitvec 1\n9 eq 8 3 7\n10 bad 9\n"
        );
        assert_eq!(bad_at(frozen), Some(0));
    }

    #[test]
    fn a_constant_with_other_uses_is_left_alone() {
        // 2 is also used in a comparison: the initial value moves to the other existing constants.
        let text = "1 sort bitvec 2\n2 zero 1\n3 one 1\n4 state 1\n5 init 1 4 2\n6 inc 1 4\n7 next 1 4 6\n\
                    8 sort bitvec 1\n9 ult 8 2 4\n10 bad 9\n";
        let begun: Vec<String> =
            each(&Bound, text).into_iter().filter(|text| text.contains("init")).collect();
        assert_eq!(begun, [text.replace("init 1 4 2", "init 1 4 3")]);
    }

    #[test]
    fn nothing_to_simulate() {
        assert!(each(&Bound, "1 sort bitvec 1\n2 state 1\n3 next 1 2 -2\n4 bad 2\n").is_empty());
        assert!(each(&Bound, "1 var 8\n2 redor 1 1\n3 root 1 2\n").is_empty());
    }
}
