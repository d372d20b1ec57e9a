//! Structures and unions that a test file cannot name, because they have no tag or are declared inside a function. The test file defines its own, with
//! the same members at the same offsets.

use nub_c_ir::{Field, FunctionId, Program, RecordId, Type, TypeId};
use std::collections::BTreeSet;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Maximum number of bits in an unnamed bit-field that fills a gap.
const FILLER_BITS: u64 = 32;

/// The definitions that the objects of a function may need, to be placed after the program. [`nub_c_ir::Types::spell_in_test`] refers to them by
/// the same names.
pub(crate) fn unnamed_records(program: &Program, function: FunctionId) -> Vec<String> {
    let needed = needed(program, function);
    // Headers define macros for such members: `sa_handler` is a member of a union in `struct sigaction`.
    let fields = needed.iter().flat_map(|id| &program.types.record(*id).fields);
    let names: BTreeSet<&str> =
        fields.map(|field| field.name.as_str()).filter(|name| !name.is_empty()).collect();
    let mut lines: Vec<String> = names.into_iter().map(|name| format!("#undef {name}")).collect();
    lines.extend(needed.iter().map(|id| format!("{};", program.types.spell_record_in_test(*id))));
    let mut done = BTreeSet::default();
    for id in needed {
        define(program, id, &mut done, &mut lines);
    }
    lines
}

/// The unnamed records that the types in the function use, directly or through pointers and members.
fn needed(program: &Program, function: FunctionId) -> Vec<RecordId> {
    let mut seen = BTreeSet::default();
    let mut todo = Vec::new();
    for function in program.reachable(function).into_iter().map(|id| program.function(id)) {
        todo.extend(function.locals.iter().map(|local| local.ty));
        todo.extend(function.exprs.iter().map(|expr| expr.ty));
    }
    todo.extend(program.globals_used(function).iter().map(|id| program.globals[id.index()].ty));
    let mut found = Vec::new();
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match program.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => todo.push(*to),
            Type::Record(id) => {
                let fields = &program.types.record(*id).fields;
                todo.extend(fields.iter().map(|field| field.ty));
                if !program.types.has_name(*id) {
                    found.push(*id);
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Adds the definition of a record, after those of the unnamed records that it contains.
fn define(program: &Program, id: RecordId, done: &mut BTreeSet<RecordId>, lines: &mut Vec<String>) {
    // Records without a size have no members.
    if program.types.record(id).size.is_none() || !done.insert(id) {
        return;
    }
    for field in &program.types.record(id).fields {
        if let Some(inner) = unnamed_inside(program, field.ty) {
            define(program, inner, done, lines);
        }
    }
    let name = program.types.spell_record_in_test(id);
    lines.push(format!("{};", body(program, id, &name)));
}

/// The unnamed record that a type is, or is an array of.
fn unnamed_inside(program: &Program, mut ty: TypeId) -> Option<RecordId> {
    while let Type::Array(element, _) = program.types.get(ty) {
        ty = *element;
    }
    match program.types.get(ty) {
        Type::Record(id) => (!program.types.has_name(*id)).then_some(*id),
        _ => None,
    }
}

/// `struct name { ... }`. It is packed, so explicit fillers determine the offsets, and `may_alias`, because the program accesses its objects as another
/// type.
fn body(program: &Program, id: RecordId, name: &str) -> String {
    let record = program.types.record(id);
    let (keyword, tag) = name.split_once(' ').unwrap_or((name, ""));
    let mut text =
        format!("{keyword} __attribute__((packed, aligned({}), may_alias)) {tag} {{", record.align);
    let char_bits = u64::from(program.model.char_bits);
    let (mut at, mut end) = (0, 0);
    for (number, field) in record.fields.iter().enumerate() {
        let start = field.offset * char_bits + field.bits.map_or(0, |bits| u64::from(bits.start));
        if !record.is_union {
            fill(&mut text, (at, start), char_bits, number);
        }
        member(program, field, number, &mut text);
        let size = program.types.size_of(field.ty).unwrap_or(0) * char_bits;
        at = start + field.bits.map_or(size, |bits| u64::from(bits.width));
        end = at.max(end);
    }
    let size = record.size.unwrap_or(0) * char_bits;
    let from = if record.is_union { 0 } else { end };
    let is_flexible = record.fields.last().is_some_and(|field| program.types.size_of(field.ty).is_none());
    if end < size && !is_flexible {
        fill(&mut text, (from, size), char_bits, record.fields.len());
    }
    text.push_str(" }");
    text
}

/// Adds members that fill the gap between two bit positions.
fn fill(text: &mut String, (mut from, to): (u64, u64), char_bits: u64, number: usize) {
    let whole = from.next_multiple_of(char_bits).min(to);
    while from < whole {
        let n_bits = (whole - from).min(FILLER_BITS);
        write!(text, " unsigned : {n_bits};").expect(NEVER_FAILS);
        from += n_bits;
    }
    if to - from >= char_bits {
        write!(text, " char nub_gap{number}[{}];", (to - from) / char_bits).expect(NEVER_FAILS);
        from += (to - from) / char_bits * char_bits;
    }
    if from < to {
        write!(text, " unsigned : {};", to - from).expect(NEVER_FAILS);
    }
}

fn member(program: &Program, field: &Field, number: usize, text: &mut String) {
    let types = &program.types;
    let name = &field.name;
    match (types.get(field.ty), field.bits) {
        (_, Some(bits)) => {
            write!(text, " {} {name} : {};", types.spell_in_test(field.ty), bits.width)
        }
        (Type::Record(inner), None) if name.is_empty() => {
            let keyword = if types.record(*inner).is_union { "union" } else { "struct" };
            write!(text, " {};", body(program, *inner, keyword))
        }
        (Type::Array(element, None), None) => {
            write!(text, " __typeof__({}) {name}[];", types.spell_in_test(*element))
        }
        (Type::Float(_), None) if types.number_format(field.ty).is_none() => {
            write!(text, " char nub_unknown{number}[{}];", types.size_of(field.ty).unwrap_or(0))
        }
        _ => write!(text, " __typeof__({}) {name};", types.spell_in_test(field.ty)),
    }
    .expect(NEVER_FAILS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_offsets_of_the_program() {
        let text = "typedef struct { struct { char c; int x[2]; unsigned a : 3, : 2, b : 9; union { short s; char t; }; } *p; } thing;
                    int f(thing *t) { struct local { thing *up; } *l = (void *)t; return l->up->p->x[1]; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let found = unnamed_records(&program, program.function_by_name("f").unwrap());
        let inside = "union __attribute__((packed, aligned(2), may_alias))  { __typeof__(short) s; __typeof__(char) t; }";
        let expected = [
            "struct nub_record1;".to_owned(),
            "union nub_record2;".to_owned(),
            "struct nub_record3;".to_owned(),
            format!("union __attribute__((packed, aligned(2), may_alias)) nub_record2 {};", inside.split_once("  ").unwrap().1),
            format!(
                "struct __attribute__((packed, aligned(4), may_alias)) nub_record1 {{ __typeof__(char) c; char nub_gap1[3]; __typeof__(int [2]) x; \
                 unsigned int a : 3; unsigned : 2; unsigned int b : 9; unsigned : 2; {inside};  }};"
            )
            .replace(";  }", "; }"),
            "struct __attribute__((packed, aligned(8), may_alias)) nub_record3 { __typeof__(thing *) up; };".to_owned(),
        ];
        let (undone, found): (Vec<String>, Vec<String>) =
            found.into_iter().partition(|line| line.starts_with("#undef"));
        assert_eq!(found, expected);
        assert_eq!(undone, ["a", "b", "c", "s", "t", "up", "x"].map(|name| format!("#undef {name}")));
    }
}
