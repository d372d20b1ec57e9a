//! Values and models in SMT-LIB syntax.

use super::source::Source;
use nub_bitvec::float::{Float, RoundingMode};
use nub_bitvec::{ArrayValue, Datum, Value};
use nub_smtlib::{DeclId, SmtSort, SortId};

/// A value of a sort of the script. Elements of declared sorts are abstract values, `(as @U_3 U)`.
pub(super) fn value(source: &Source<'_>, sort: SortId, value: &Datum) -> String {
    match (source.analysis.sorts().get(sort), value) {
        (SmtSort::Array(index, element), Datum::Array(array)) => {
            let text = source.sort_text(sort);
            let stores = "(store ".repeat(array.exceptions().len());
            let default = bits(source, *element, array.default());
            let mut out = format!("{stores}((as const {text}) {default})");
            for (at, value) in array.exceptions() {
                let (at, value) = (bits(source, *index, at), bits(source, *element, value));
                out.push_str(&format!(" {at} {value})"));
            }
            out
        }
        (_, Datum::Bits(value)) => bits(source, sort, value),
        (_, Datum::Array(array)) => array.to_string(),
    }
}

fn bits(source: &Source<'_>, sort: SortId, value: &Value) -> String {
    match source.analysis.sorts().get(sort) {
        SmtSort::Bool => value.is_one().to_string(),
        SmtSort::RoundingMode => {
            RoundingMode::from_code(value).map_or("RNE", RoundingMode::in_smtlib).to_owned()
        }
        SmtSort::Float(..) => match source.format(sort) {
            Some(format) => Float::from_bits(format, value.clone()).to_string(),
            None => value.to_string(),
        },
        SmtSort::Array(..) => slots(source, sort, value),
        _ if source.is_declared(sort) => {
            let name = source.sort_text(sort);
            format!("(as @{}_{} {name})", name.trim_matches('|').replace(' ', "_"), value.to_decimal())
        }
        _ => value.to_string(),
    }
}

/// An array that is represented by a bit-vector: a constant array of the first element, then stores of the others.
fn slots(source: &Source<'_>, sort: SortId, value: &Value) -> String {
    let Some(slots) = source.slots(sort) else { return value.to_string() };
    let width = value.width() / slots.n_slots;
    let element = |slot: u32| bits(source, slots.element, &value.slice((slot + 1) * width - 1, slot * width));
    let index_width = source.width(slots.index).unwrap_or(1);
    let stores = "(store ".repeat(slots.n_slots as usize - 1);
    let mut out = format!("{stores}((as const {}) {})", source.sort_text(sort), element(0));
    for slot in 1..slots.n_slots {
        let index = bits(source, slots.index, &Value::from_u64(index_width, u64::from(slot)));
        out.push_str(&format!(" {index} {})", element(slot)));
    }
    out
}

/// The definition of a declared constant or function in a model.
pub(super) fn definition(source: &Source<'_>, id: DeclId, datum: &Datum) -> Vec<u8> {
    let decl = source.analysis.decl(id);
    let result = source.sort_text(decl.result);
    let params = decl.params.iter().enumerate();
    let params: Vec<String> =
        params.map(|(at, sort)| format!("(x{at} {})", source.sort_text(*sort))).collect();
    let body = match datum {
        Datum::Array(array) if !decl.params.is_empty() => table(source, id, array),
        datum => value(source, decl.result, datum),
    };
    let rest = format!(" ({}) {result} {body})\n", params.join(" "));
    [b"  (define-fun ", source.name(id), rest.as_bytes()].concat()
}

/// A function by cases: `(ite (= x0 #b1) #b0 …)`.
fn table(source: &Source<'_>, id: DeclId, array: &ArrayValue) -> String {
    let decl = source.analysis.decl(id);
    let mut out = String::new();
    for (index, element) in array.exceptions() {
        let tests = parts(source, &decl.params, index);
        let test = if tests.len() == 1 { tests[0].clone() } else { format!("(and {})", tests.join(" ")) };
        out.push_str(&format!("(ite {test} {} ", bits(source, decl.result, element)));
    }
    out.push_str(&bits(source, decl.result, array.default()));
    out.push_str(&")".repeat(array.exceptions().len()));
    out
}

/// An equation for each argument. The first argument is in the highest bits of the index.
fn parts(source: &Source<'_>, params: &[SortId], index: &Value) -> Vec<String> {
    let mut rest = index.width();
    let mut tests = Vec::new();
    for (at, sort) in params.iter().enumerate() {
        let width = source.width(*sort).unwrap_or(1);
        let part = index.slice(rest - 1, rest - width);
        rest -= width;
        tests.push(format!("(= x{at} {})", bits(source, *sort, &part)));
    }
    tests
}
