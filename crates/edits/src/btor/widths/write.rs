//! Writes new widths as splices: widths and index widths, sorts, bounds of slices, added bits, digits.

use super::classes::{Class, Classes, Link};
use super::solve::Solver;
use super::sorts::NewSorts;
use crate::Edit;
use crate::btor::{BtorView, constant};
use nub_btor::{BtorDialect, LineId, Operand, OperandKind, Sort, Tag};
use nub_text::Span;

type Splices = Vec<(Span, Vec<u8>)>;

/// The edit that gives every line the widths of `solver`. `None` if nothing changes, or if BTOR2 has no line for a sort
/// that is needed. Linear in the number of changed lines and of sorts.
pub(super) fn write(view: &BtorView, classes: &Classes, solver: &Solver<'_>) -> Option<Edit> {
    let changed = solver.changed();
    let mut lines: Vec<LineId> =
        changed.iter().flat_map(|&class| &classes.info(class).lines).copied().collect();
    lines.sort_unstable();
    lines.dedup();
    let mut splices = Vec::new();
    for &line in &lines {
        digits(view, line, solver.width(classes.width(line)), &mut splices)?;
    }
    numbers(view, classes, solver, &changed, &mut splices);
    match view.file().dialect() {
        BtorDialect::Btor => lines.iter().for_each(|&line| {
            widths(view, line, new_sort(view, classes, solver, line), &mut splices);
        }),
        BtorDialect::Btor2 => {
            let wanted =
                lines.iter().filter_map(|&line| Some((line, new_sort(view, classes, solver, line)?)));
            NewSorts::new(view, wanted).write(&classes.sort_lines, &mut splices)?;
        }
    }
    if splices.is_empty() { None } else { Edit::try_of(splices) }
}

/// The sort of a node under the new widths.
fn new_sort(view: &BtorView, classes: &Classes, solver: &Solver<'_>, line: LineId) -> Option<Sort> {
    let width = |class: Class| solver.width(class);
    Some(match view.sort(line)? {
        Sort::Bits(_) => Sort::Bits(width(classes.width(line))),
        Sort::Array { .. } => {
            Sort::Array { index: width(classes.index(line)), element: width(classes.width(line)) }
        }
    })
}

/// Keeps the low bits of a constant.
fn digits(view: &BtorView, line: LineId, width: u32, splices: &mut Splices) -> Option<()> {
    if let Some(digits) = constant::digits(view, line) {
        let text = constant::low_digits(view, line, width)?;
        push(view, digits, text, splices);
    }
    Some(())
}

/// BTOR: the width fields of a line and, if it is a state, of its assignments.
fn widths(view: &BtorView, line: LineId, sort: Option<Sort>, splices: &mut Splices) {
    let Some(sort) = sort else { return };
    for line in view.assignments(line).chain([line]) {
        let fields = view.operands(line).iter().filter(|operand| operand.kind == OperandKind::Width);
        let numbers = match sort {
            Sort::Bits(width) => [width, width],
            Sort::Array { index, element } => [element, index],
        };
        for (field, number) in fields.zip(numbers) {
            push(view, field, number.to_string().into_bytes(), splices);
        }
    }
}

/// Bounds of slices and added bits.
fn numbers(
    view: &BtorView,
    classes: &Classes,
    solver: &Solver<'_>,
    changed: &[Class],
    splices: &mut Splices,
) {
    let mut touched: Vec<u32> =
        changed.iter().flat_map(|&class| &classes.info(class).links).copied().collect();
    touched.sort_unstable();
    touched.dedup();
    for link in touched {
        let (line, link) = classes.links[link as usize];
        let mut fields = view.operands(line).iter().filter(|operand| operand.kind == OperandKind::Number);
        let (first, second) = (fields.next(), fields.next());
        match (link, first, second) {
            (Link::Extend { result, operand }, Some(added), _) => {
                let n_bits = solver.width(result).saturating_sub(solver.width(operand));
                push(view, added, n_bits.to_string().into_bytes(), splices);
            }
            // At the same position as before, if there is room.
            (Link::Slice { result, operand }, Some(upper), Some(lower)) => {
                let length = solver.width(result);
                let room = solver.width(operand).saturating_sub(length);
                let low = lower.value.min(u64::from(room)) as u32;
                push(view, upper, (low + length.max(1) - 1).to_string().into_bytes(), splices);
                push(view, lower, low.to_string().into_bytes(), splices);
            }
            _ => {}
        }
    }
}

fn push(view: &BtorView, field: &Operand, text: Vec<u8>, splices: &mut Splices) {
    if field.span.slice(view.text()) != text {
        splices.push((field.span, text));
    }
}

/// The sort field of lines that have one: nodes, `init` and `next`.
pub(super) fn sort_field(view: &BtorView, line: LineId) -> Option<&Operand> {
    let is_sort_line = view.tag(line) == Some(Tag::Sort);
    view.operands(line).first().filter(|operand| operand.kind == OperandKind::Sort && !is_sort_line)
}
