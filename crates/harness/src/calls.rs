//! Calls of stubs that a test expects: which, in which order, with which arguments, and what is behind the pointers among them.

use crate::case::TestSuite;
use crate::effects::address_in_test;
use crate::floats;
use crate::places::Places;
use crate::setup::literal;
use crate::shown::{shown, shown_memory};
use nub_bitvec::Value;
use nub_c_ir::{Program, StubMemory, StubParam, Type};
use nub_report::c_tests::{CallItem, MemoryPart, StubArgument, StubCall};
use nub_unroll::{ObjectId, ObjectKind, ObservedCall, Unrolled};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// A call with the values that its stub sees; `None` for values that do not exist.
pub fn stub_call(
    program: &Program,
    unrolled: &Unrolled,
    call: &ObservedCall,
    values: &[Option<Value>],
) -> StubCall {
    let function = program.function(call.callee);
    let places = Places { program, unrolled };
    let mut rest = values;
    let mut take = |n: usize| {
        let (taken, left) = rest.split_at(n.min(rest.len()));
        rest = left;
        taken
    };
    let mut arguments = Vec::new();
    for param in program.stub_params(function) {
        let own = take(param.parts.len());
        let mut argument = by_value(program, &param, own);
        if matches!(program.types.get(param.ty), Type::Pointer(_)) {
            let pointer = take(1).first().and_then(Option::as_ref);
            let behind = param.seen.as_ref().map_or(0, |memory| memory.count as usize * memory.parts.len());
            argument = by_pointer(&places, &param, pointer, take(behind));
        }
        arguments.push(argument);
    }
    let statement = call.origin.map_or(usize::MAX, |origin| origin.statement.index());
    StubCall { function: function.name.clone(), arguments, statement }
}

fn by_value(program: &Program, param: &StubParam, values: &[Option<Value>]) -> StubArgument {
    let (mut items, mut texts) = (Vec::new(), Vec::new());
    for (part, value) in param.parts.iter().zip(values) {
        // The stub compares part by part: each part has its item.
        let Some(value) = value else {
            items.push(CallItem::Any);
            texts.push("an address".to_owned());
            continue;
        };
        let word = floats::compared_word(program, part.ty, value);
        items.push(CallItem::Number(word.unwrap_or_else(|| literal(program, part.ty, value))));
        texts.push(shown(program, part.ty, value));
    }
    let value = match (program.types.get(param.ty), texts.as_slice()) {
        (Type::Int(_) | Type::Float(_), [only]) => only.clone(),
        _ => format!("{{{}}}", texts.join(", ")),
    };
    StubArgument { name: param.name.clone(), value, items }
}

fn by_pointer(
    places: &Places<'_>,
    param: &StubParam,
    pointer: Option<&Value>,
    behind: &[Option<Value>],
) -> StubArgument {
    let name = param.name.clone();
    let Some(address) = pointer.and_then(Value::to_u64) else {
        return StubArgument { name, value: "a pointer".to_owned(), items: vec![CallItem::Any] };
    };
    if address == 0 {
        return StubArgument { name, value: "null".to_owned(), items: vec![CallItem::Null] };
    }
    let place = address_in_test(places, address);
    let found = places.unrolled.object_at(address);
    let target = found.and_then(|(object, offset)| object_text(places, object, offset));
    let (mut parts, mut text) = (Vec::new(), None);
    if let Some(memory) = &param.seen {
        parts = memory_parts(places.program, memory, behind);
        text = shown_memory(places.program, memory, behind);
    }
    let value = text.or(target).unwrap_or_else(|| "not null".to_owned());
    StubArgument { name, value, items: vec![CallItem::Pointer { place, parts }] }
}

/// `&v`, or the name of a pointer to it.
fn object_text(places: &Places<'_>, object: ObjectId, offset: u64) -> Option<String> {
    let found = &places.unrolled.objects[object.index()];
    let start = match found.kind {
        ObjectKind::Pointee(_) => found.name.clone(),
        _ => format!("&{}", found.name),
    };
    match (found.name.is_empty(), offset) {
        (true, _) => None,
        (false, 0) => Some(start),
        (false, _) => Some(format!("{start} + {offset} bytes")),
    }
}

fn memory_parts(program: &Program, memory: &StubMemory, behind: &[Option<Value>]) -> Vec<MemoryPart> {
    let size = program.types.size_of(memory.element).unwrap_or(1);
    let mut found = Vec::new();
    let elements = behind.chunks(memory.parts.len().max(1));
    for (index, element) in (0..).zip(elements) {
        for (part, value) in memory.parts.iter().zip(element) {
            let (Some(value), Some(bytes)) = (value, program.types.size_of(part.ty)) else { continue };
            // Which NaN it is depends on the machine.
            if floats::shown(program, part.ty, value).is_some_and(|text| text.contains("nan")) {
                continue;
            }
            let word = floats::word(program, part.ty, value);
            let value = word.unwrap_or_else(|| literal(program, part.ty, value));
            found.push(MemoryPart { offset: index * size + part.end - bytes, size: bytes, value });
        }
    }
    found
}

/// The code that compares calls, and creates the objects that stubs return: those are kept, so that they are not reported as leaks. It comes before
/// the stubs.
pub(crate) const COMPARING: &str = "\
static void *nub_kept[1024];
__attribute__((unused)) static void *nub_new(unsigned long size) {
    static unsigned n;
    return nub_kept[n++ % 1024] = __builtin_calloc(1, size);
}
struct nub_part { unsigned offset, size; long long value; };
struct nub_item { char kind; long long value; const void *place; const struct nub_part *parts; const char *text; };
static const struct nub_item nub_no_calls[] = { { 0, 0, 0, 0, 0 } };
static const struct nub_item *nub_expected = nub_no_calls, *nub_first = nub_no_calls, *nub_ahead[32];
static unsigned nub_n_ahead;
static const char *nub_difference;
__attribute__((unused)) static void nub_differ(const char *text) {
    if (!nub_difference) nub_difference = text;
    nub_expected = nub_first = nub_no_calls;
}
__attribute__((unused)) static int nub_was_made(const struct nub_item *call) {
    unsigned i;
    for (i = 0; i < nub_n_ahead; i++) if (nub_ahead[i] == call) return 1;
    return 0;
}
__attribute__((unused)) static void nub_skip_made(void) {
    while (nub_first->kind && (nub_first->kind != 'c' || nub_was_made(nub_first))) nub_first++;
}
/* C leaves open which part of a statement comes first: calls of one statement are expected in any order. */
__attribute__((unused)) static void nub_called(const char *name) {
    const struct nub_item *call;
    nub_skip_made();
    for (call = nub_first; call->kind && (call->kind != 'c' || call->value == nub_first->value); call++) {
        const char *a = name, *b = call->text;
        if (call->kind != 'c' || nub_was_made(call)) continue;
        while (*a && *a == *b) a++, b++;
        if (*a || *b != '(') continue;
        if (call == nub_first) nub_first++;
        else if (nub_n_ahead < sizeof nub_ahead / sizeof *nub_ahead) nub_ahead[nub_n_ahead++] = call;
        else break;
        nub_expected = call + 1;
        return;
    }
    nub_differ(name);
}
__attribute__((unused)) static void nub_number(long long value) {
    if (nub_expected->kind == 'a') nub_expected++;
    else if (nub_expected->kind != 'n') return;
    else if (nub_expected->value != value) nub_differ(nub_expected->text);
    else nub_expected++;
}
__attribute__((unused)) static void nub_pointer(const void *pointer) {
    const struct nub_part *part;
    if (nub_expected->kind == 'a') {
        nub_expected++;
        return;
    }
    if (nub_expected->kind != 'p') return;
    if ((pointer != 0) != nub_expected->value || (nub_expected->place && nub_expected->place != pointer)) {
        nub_differ(nub_expected->text);
        return;
    }
    for (part = nub_expected->parts; part && part->size; part++) {
        const unsigned char *bytes = (const unsigned char *)pointer + part->offset;
        unsigned long long found = 0;
        unsigned i;
        for (i = 0; i < part->size && i < 8; i++) found |= (unsigned long long)bytes[i] << 8 * i;
        if (part->size < 8) found ^= (unsigned long long)part->value & ((1ull << 8 * part->size) - 1);
        else found ^= (unsigned long long)part->value;
        if (found) {
            nub_differ(nub_expected->text);
            return;
        }
    }
    nub_expected++;
}
__attribute__((unused)) static int nub_calls_agree(void) {
    nub_skip_made();
    if (nub_first->kind) nub_differ(nub_first->text);
    return !nub_difference;
}
";

/// The condition that all calls were made as expected.
pub(crate) const CALLS_AGREE: &str = "nub_calls_agree()";

/// Whether a suite compares calls.
pub(crate) fn has_calls(suite: &TestSuite) -> bool {
    crate::stub_text::used(suite).next().is_some()
}

/// Consecutive calls of one statement.
#[derive(Default)]
struct Group {
    number: u32,
    statement: Option<usize>,
}

impl Group {
    /// The number of the group of the next call.
    fn number(&mut self, call: &StubCall) -> u32 {
        // A call whose statement is unknown is in a group of its own.
        let is_same = self.statement == Some(call.statement) && call.statement != usize::MAX;
        self.number += u32::from(!is_same);
        self.statement = Some(call.statement);
        self.number
    }
}

/// The calls of a test, as statements.
pub(crate) fn expectation(calls: &[StubCall]) -> String {
    let (mut text, mut items, mut n_arrays) = (String::new(), Vec::new(), 0);
    let mut group = Group::default();
    for call in calls {
        let shown = crate::c_file::escaped(&call.to_string());
        items.push(format!("{{ 'c', {}, 0, 0, \"{shown}\" }}", group.number(call)));
        for item in call.arguments.iter().flat_map(|argument| &argument.items) {
            items.push(match item {
                CallItem::Number(value) => format!("{{ 'n', (long long){value}, 0, 0, \"{shown}\" }}"),
                CallItem::Any => format!("{{ 'a', 0, 0, 0, \"{shown}\" }}"),
                CallItem::Null => format!("{{ 'p', 0, 0, 0, \"{shown}\" }}"),
                CallItem::Pointer { place, parts } => {
                    let place = place.as_deref().unwrap_or("0");
                    let mut array = "0".to_owned();
                    if !parts.is_empty() {
                        array = format!("behind{n_arrays}");
                        n_arrays += 1;
                        let parts = parts.iter().map(|part| {
                            format!("{{ {}, {}, (long long){} }}", part.offset, part.size, part.value)
                        });
                        let parts: Vec<String> = parts.collect();
                        writeln!(
                            text,
                            "    static const struct nub_part {array}[] = {{ {}, {{ 0, 0, 0 }} }};",
                            parts.join(", ")
                        )
                        .expect(NEVER_FAILS);
                    }
                    format!("{{ 'p', 1, {place}, {array}, \"{shown}\" }}")
                }
            });
        }
    }
    items.push("{ 0, 0, 0, 0, 0 }".to_owned());
    writeln!(
        text,
        // An allocated object has no constant address.
        "    const struct nub_item calls[] = {{\n        {}\n    }};",
        items.join(",\n        ")
    )
    .expect(NEVER_FAILS);
    text
}
