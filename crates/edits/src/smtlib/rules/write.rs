//! Writes the replacement as an edit.

use super::find::Found;
use super::number::Leaves;
use super::{ParsedRule, Term};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_bitvec::Value;
use nub_smtlib::NodeId;

/// The widest literal that is written.
const MAX_WIDTH: i128 = 1 << 16;

/// The edit of a match; `None` if a name given by `:named` would be lost or duplicated, or a literal cannot be written.
pub(super) fn edit(rule: &ParsedRule, view: &SmtView, term: NodeId, found: &Found) -> Option<Edit> {
    let mut uses = vec![0; rule.variables.len()];
    count(&rule.replacement, &mut uses);
    let is_named =
        |at: usize| found.nodes(at).iter().any(|&node| super::super::sound::gives_names(view, node));
    if uses.iter().enumerate().any(|(at, &n)| n != 1 && is_named(at)) {
        return None;
    }
    // If a part replaces the whole, edits inside it are still possible.
    if let Term::Variable(at) = rule.replacement
        && let [node] = found.nodes(at)
    {
        return Some(Edit::keep_part(view.span(term), view.span(*node)));
    }
    let numbers = found.numbers()?;
    let value = |at: usize| found.value(view, at);
    let leaves = Leaves { numbers: &numbers, value: &value };
    let mut text = Vec::new();
    write(&rule.replacement, &leaves, &mut text, &|at, out| {
        for (n, &node) in found.nodes(at).iter().enumerate() {
            if n > 0 {
                out.push(b' ');
            }
            out.extend_from_slice(view.slice(node));
        }
        !found.nodes(at).is_empty()
    })?;
    Some(Edit::replace(view.span(term), text))
}

fn count(term: &Term, uses: &mut [usize]) {
    match term {
        Term::Variable(at) => uses[*at] += 1,
        Term::Apply { args, .. } => args.iter().for_each(|arg| count(arg, uses)),
        Term::Bits { .. } | Term::Literal(_) => {}
    }
}

/// Writes a variable; false if there was nothing to write.
pub(super) type Variables<'v> = &'v dyn Fn(usize, &mut Vec<u8>) -> bool;

/// Writes a term; `None` if a number is undefined, or an application is left without arguments.
pub(super) fn write(term: &Term, leaves: &Leaves, out: &mut Vec<u8>, variables: Variables) -> Option<()> {
    match term {
        Term::Variable(at) => {
            variables(*at, out);
        }
        Term::Literal(text) => out.extend_from_slice(text.as_bytes()),
        Term::Bits { value, width } => {
            let width = width.eval(leaves).filter(|width| (1..=MAX_WIDTH).contains(width))?;
            out.extend(literal(width as u32, value.eval(leaves)?)?);
        }
        Term::Apply { op, indices, args } => {
            if args.is_empty() {
                out.extend_from_slice(op.as_bytes());
                return Some(());
            }
            out.push(b'(');
            head(op, indices, leaves, out)?;
            let start = out.len();
            for arg in args {
                let before = out.len();
                out.push(b' ');
                write(arg, leaves, out, variables)?;
                // An empty rest is not written, and neither is its blank.
                if out.len() == before + 1 {
                    out.truncate(before);
                }
            }
            if out.len() == start {
                return None;
            }
            out.push(b')');
        }
    }
    Some(())
}

fn head(op: &str, indices: &[super::Number], leaves: &Leaves, out: &mut Vec<u8>) -> Option<()> {
    if indices.is_empty() {
        out.extend_from_slice(op.as_bytes());
        return Some(());
    }
    out.extend_from_slice(format!("(_ {op}").as_bytes());
    for index in indices {
        let value = index.eval(leaves).filter(|value| (0..=i128::from(u32::MAX)).contains(value))?;
        out.extend_from_slice(format!(" {value}").as_bytes());
    }
    out.push(b')');
    Some(())
}

/// The shortest notation of a value modulo 2^width.
fn literal(width: u32, value: i128) -> Option<Vec<u8>> {
    let value = if width < 126 { value.rem_euclid(1 << width) } else { value };
    let bits = Value::parse_decimal(width, value.to_string().as_bytes())?;
    let hex = width.is_multiple_of(4).then(|| format!("#x{}", bits.to_hex()));
    let others = [format!("#b{}", bits.to_binary()), format!("(_ bv{value} {width})")];
    let mut all: Vec<String> = hex.into_iter().chain(others).collect();
    all.retain(|text| value >= 0 || !text.starts_with('('));
    all.into_iter().min_by_key(String::len).map(String::into_bytes)
}
