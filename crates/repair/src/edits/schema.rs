//! One program for all edits: an input selects one of them.
//!
//! ```c
//! return a <= b;                                                   before
//! return (__nub_edit == 1 ? (a < b) : __nub_edit == 2 ? (a > b) : (a <= b));   after
//! ```
//!
//! Text is only inserted, never removed, and no line is broken, so all lines stay where they are. An edit that is not valid C in its place is
//! omitted.

use super::candidates::{Edit, Splice};
use super::names::Names;
use crate::search::Problem;
use nub_c_ir::ProgramSource;
use nub_c_ir::{FunctionId, GlobalId, Program};
use nub_text::{Severity, Span};

const SELECTOR: &str = "__nub_edit";
/// How often the program is read, each time without the edits that were wrong in the last.
const MAX_READINGS: usize = 6;

/// The program, and its edits. Edit number `n` is active if the selector is `n + 1`.
pub(super) struct Schema {
    pub program: Program,
    pub start: FunctionId,
    /// For each function: whether it is program code.
    pub is_program: Vec<bool>,
    /// The first of the global objects; the others are as before.
    pub selector: GlobalId,
    pub edits: Vec<Edit>,
}

/// Builds the program; `None` if it cannot be read with any edits.
pub(super) fn schema(
    source: ProgramSource<'_>,
    problem: &Problem<'_>,
    mut edits: Vec<Edit>,
) -> Option<Schema> {
    for _ in 0..MAX_READINGS {
        if edits.is_empty() {
            return None;
        }
        let Written { text, places, wholes } = written(source.text, &edits);
        let (unit, mut wrong) = nub_c_syntax::parse(&text);
        let (mut program, more) = nub_c_ir::lower(&unit, &source.program.model);
        wrong.extend(more);
        wrong.retain(|found| found.severity == Severity::Error);
        if wrong.is_empty() {
            let names = Names::new(source.program, &program)?;
            let start = names.of(problem.start);
            wrong = program.refusals(start);
            if wrong.is_empty() {
                let is_program = names.carried(&problem.is_program);
                let selector = GlobalId(0);
                let is_same =
                    has_same_objects(source.program, &program) && program.take_rooms_of(source.program);
                return is_same.then_some(Schema { program, start, is_program, selector, edits });
            }
        }
        let is_wrong = |place: &Span| wrong.iter().any(|found| touches(*place, found.span));
        let n_before = edits.len();
        let mut places = places.iter();
        edits.retain(|_| !places.next().is_some_and(is_wrong));
        // The error may be in the choice itself: its sides do not have compatible types. The innermost choice around the place is dropped.
        if edits.len() == n_before {
            let around = wholes.iter().filter(|whole| is_wrong(whole));
            let innermost = around.min_by_key(|whole| whole.len()).copied()?;
            let mut wholes = wholes.iter();
            edits.retain(|_| wholes.next() != Some(&innermost));
        }
    }
    None
}

fn touches(place: Span, found: Span) -> bool {
    found.start < place.end && place.start <= found.start
}

/// Whether both have the same objects in the same order, apart from the selector, which is the first.
fn has_same_objects(old: &Program, new: &Program) -> bool {
    let mut names = new.globals.iter().map(|global| global.name.as_str());
    names.next() == Some(SELECTOR) && old.globals.iter().map(|global| global.name.as_str()).eq(names)
}

/// A text with all edits.
struct Written {
    text: Vec<u8>,
    /// The span of each edit.
    places: Vec<Span>,
    /// The whole choice that an edit is one side of.
    wholes: Vec<Span>,
}

/// Writes all edits. O(text + edits log edits).
fn written(text: &[u8], edits: &[Edit]) -> Written {
    let mut order: Vec<usize> = (0..edits.len()).collect();
    order.sort_by_key(|at| (edits[*at].span.start, std::cmp::Reverse(edits[*at].span.end), *at));
    // At one position, what ends comes before what begins; the innermost ends first, the outermost begins first.
    let mut splices: Vec<(u32, bool, Vec<usize>)> = Vec::new();
    let mut rest = order.as_slice();
    while let Some(first) = rest.first() {
        let span = edits[*first].span;
        let n_same = rest.iter().take_while(|at| edits[**at].span == span).count();
        let (group, others) = rest.split_at(n_same);
        splices.push((span.start, true, group.to_vec()));
        splices.push((span.end, false, Vec::new()));
        rest = others;
    }
    splices.sort_by_key(|splice| (splice.0, splice.1));
    let mut places = vec![Span { start: 0, end: 0 }; edits.len()];
    let mut wholes = places.clone();
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut out = format!("extern int {SELECTOR};").into_bytes();
    // A line marker is on a line of its own, and gives the position of the next one.
    out.push(if text.first() == Some(&b'#') { b'\n' } else { b' ' });
    let mut from = 0;
    for (at, is_begin, group) in splices {
        let to = (at as usize).min(text.len());
        out.extend_from_slice(&text[from..to]);
        from = to;
        if !is_begin {
            out.extend_from_slice(b"))");
            if let Some((start, group)) = open.pop() {
                let whole = Span { start: start as u32, end: out.len() as u32 };
                group.into_iter().for_each(|number| wholes[number] = whole);
            }
            continue;
        }
        let begin = out.len();
        out.push(b'(');
        for &number in &group {
            let start = out.len();
            let edit = &edits[number];
            out.extend_from_slice(format!("{SELECTOR} == {} ? ({}) : ", number + 1, edit.new).as_bytes());
            places[number] = Span { start: start as u32, end: out.len() as u32 };
        }
        out.push(b'(');
        open.push((begin, group));
    }
    out.extend_from_slice(&text[from..]);
    Written { text: out, places, wholes }
}

/// The text with some edits, which must not overlap. Lines stay where they are.
pub(super) fn edited(text: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut splices: Vec<Splice> = edits.iter().map(|edit| edit.splice()).collect();
    splices.sort_by_key(|splice| splice.span.start);
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for Splice { span, new } in splices {
        let (start, end) = (span.start as usize, span.end as usize);
        out.extend_from_slice(text.get(from..start).unwrap_or_default());
        out.extend_from_slice(new.as_bytes());
        let n_breaks = text.get(start..end).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        out.extend(std::iter::repeat_n(b'\n', n_breaks));
        from = end;
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::super::candidates::EditKind;
    use super::*;

    fn edit(start: u32, end: u32, new: &str) -> Edit {
        Edit {
            kind: EditKind::Operator,
            span: Span { start, end },
            new: new.to_owned(),
            statement: 0,
            stricter: None,
        }
    }

    #[test]
    fn edits_within_edits() {
        let text = b"x = a < b;\n";
        let edits = [edit(4, 9, "a > b"), edit(4, 5, "c"), edit(4, 9, "a == b")];
        let Written { text: made, places, wholes } = written(text, &edits);
        let made = String::from_utf8_lossy(&made).into_owned();
        assert_eq!(
            made,
            "extern int __nub_edit; x = (__nub_edit == 1 ? (a > b) : __nub_edit == 3 ? (a == b) : \
             ((__nub_edit == 2 ? (c) : (a)) < b));\n"
        );
        assert_eq!(&made[places[1].range()], "__nub_edit == 2 ? (c) : ");
        assert_eq!(&made[wholes[1].range()], "(__nub_edit == 2 ? (c) : (a))");
        assert_eq!(wholes[0], wholes[2]);
        assert!(wholes[0].start < wholes[1].start && wholes[1].end < wholes[0].end);
    }

    #[test]
    fn edits_are_made_and_lines_stay() {
        let text = b"x = a <\n b; y = 3;\n";
        let made = edited(text, &[&edit(16, 17, "4"), &edit(4, 10, "a > b")]);
        assert_eq!(String::from_utf8_lossy(&made), "x = (a > b)\n; y = (4);\n");
    }
}
