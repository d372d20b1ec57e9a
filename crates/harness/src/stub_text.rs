//! Stubs in C: they compare their arguments with what the test expects, and write and return the values of the test.
//!
//! Each does what its body in `nub_c_ir` does, and takes its values in the same order.

use crate::case::TestSuite;
use crate::floats::take;
use crate::stubs::{aliased, own_name};
use nub_c_ir::{
    CALLBACK, Function, FunctionType, PartStep, Program, ScalarPart, StubMemory, StubObject, StubParam,
    StubPart, StubResult, Type, TypeId,
};
use nub_report::c_tests::StubText;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// A stub takes its values from an array of its own. When it ends, other reads continue with theirs.
const BACK: &str = "nub_from = &nub_next;";
/// The type of a stub lacks the qualifiers that the program gives to what its pointers point to. A call through a pointer to a function is compatible all
/// the same on every machine, but clang's sanitizer compares the types by their names.
const ANY_QUALIFIERS: &str = "\
#ifdef __clang__
__attribute__((no_sanitize(\"function\")))
#endif
";
/// How a stub that never returns ends the program. The including file defines it.
pub(crate) const LEAVE: &str = "nub_leave();";

/// All stubs of a program: those that it declares, and those that only function pointers lead to.
pub fn stub_texts(program: &Program) -> Vec<StubText> {
    let ids = program.supplied.iter().chain(&program.callbacks);
    ids.map(|id| stub_text(program, program.function(*id))).collect()
}

/// The stubs that the tests of a suite need: all that the program declares, and the callbacks that they pass.
pub fn used(suite: &TestSuite) -> impl Iterator<Item = &StubText> {
    let is_used = |stub: &&StubText| {
        let end = format!("){};", stub.name);
        !stub.name.starts_with(CALLBACK)
            || suite.cases.iter().flat_map(|case| &case.before).any(|line| line.ends_with(&end))
    };
    suite.stubs.stubs.iter().filter(is_used)
}

fn stub_text(program: &Program, function: &Function) -> StubText {
    let Type::Function(ty) = program.types.get(function.ty) else {
        unreachable!("the type of a function is a function type");
    };
    let result = program.types.spell_in_test(ty.result);
    let is_callback = function.name.starts_with(CALLBACK);
    let name = if is_callback { function.name.clone() } else { own_name(&function.name) };
    let plain = function.name.strip_prefix("nub_").unwrap_or(&function.name);
    let parameters = parameters(program, ty);
    let queue = format!("nub_of_{}", function.name);
    let is_pointer = |ty: &TypeId| matches!(program.types.get(*ty), Type::Pointer(_));
    let has_pointers = ty.params.iter().chain([&ty.result]).any(is_pointer);
    let attribute = if has_pointers { ANY_QUALIFIERS } else { "" };
    let mut text = format!(
        "static const struct nub_read *{queue} = nub_nothing;\n{attribute}\
         __typeof__({result}) {name}({parameters}) {{\n    nub_called(\"{plain}\");\n    nub_from = &{queue};\n"
    );
    let params = program.stub_params(function);
    for (number, param) in params.iter().enumerate() {
        text.push_str(&seen(program, number, param));
    }
    if function.is_noreturn {
        writeln!(text, "    {LEAVE}").expect(NEVER_FAILS);
    } else {
        for (number, param) in params.iter().enumerate() {
            if let Some(memory) = &param.written {
                text.push_str(&written(program, number, memory));
            }
        }
        text.push_str(&returned(program, function, &result));
    }
    text.push_str("}\n");
    let definition = if is_callback { text } else { aliased(&text, &function.name) + "\n" };
    StubText { name: function.name.clone(), definition }
}

/// Compares an argument.
fn seen(program: &Program, number: usize, param: &StubParam) -> String {
    let mut text = String::new();
    for part in &param.parts {
        let part_text = format!("a{number}{}", path(program, &part.steps));
        let is_float = program.types.float_format(part.ty).is_some();
        let word =
            if is_float { format!("nub_float_word({part_text})") } else { format!("(long long){part_text}") };
        writeln!(text, "    nub_number({word});").expect(NEVER_FAILS);
    }
    match program.types.get(param.ty) {
        Type::Pointer(_) => writeln!(text, "    nub_pointer((const void *)a{number});"),
        _ if param.parts.is_empty() => writeln!(text, "    (void)a{number};"),
        _ => Ok(()),
    }
    .expect(NEVER_FAILS);
    text
}

/// Elements behind a pointer get the next values; the first value says how many.
fn written(program: &Program, number: usize, memory: &StubMemory) -> String {
    let element = program.types.spell_in_test(memory.element);
    let mut text = format!(
        "    {{\n        __typeof__({element}) *p = (__typeof__({element}) *)a{number};\n        \
         unsigned char i, n = (unsigned char)nub_take();\n        for (i = 0; i < n; i++) {{\n"
    );
    for part in &memory.parts {
        let ty = program.types.spell_in_test(part.ty);
        let place = assigned(program, "p[i]", part);
        writeln!(text, "            {place} = {};", take(&ty)).expect(NEVER_FAILS);
    }
    text + "        }\n    }\n"
}

fn returned(program: &Program, function: &Function, result: &str) -> String {
    let mut text = String::new();
    match program.stub_result(function.returned()) {
        None | Some(StubResult::Void) => writeln!(text, "    {BACK}").expect(NEVER_FAILS),
        Some(StubResult::Parts(parts)) => {
            writeln!(text, "    {{\n        __typeof__({result}) r;").expect(NEVER_FAILS);
            filled(program, (&parts, "r", 0), &mut text);
            writeln!(text, "        {BACK}\n        return r;\n    }}").expect(NEVER_FAILS);
        }
        Some(StubResult::Pointer(object)) => {
            writeln!(text, "    if (nub_take()) {{\n        {BACK}\n        return 0;\n    }}")
                .expect(NEVER_FAILS);
            match object {
                Some(object) => text.push_str(&returned_object(program, &object, result)),
                None => writeln!(text, "    {BACK}\n    return (__typeof__({result}))nub_new(1);")
                    .expect(NEVER_FAILS),
            }
        }
    }
    text
}

fn returned_object(program: &Program, object: &StubObject, result: &str) -> String {
    let mut text = "    {\n".to_owned();
    new_object(program, object, 0, &mut text);
    writeln!(text, "        {BACK}\n        return (__typeof__({result}))p0;\n    }}").expect(NEVER_FAILS);
    text
}

/// A new object behind `pN`, where N is the depth of nesting.
fn new_object(program: &Program, object: &StubObject, depth: usize, text: &mut String) {
    let StubObject { element, count, parts } = object;
    let element = program.types.spell_in_test(*element);
    writeln!(
        text,
        "        unsigned i{depth};\n        __typeof__({element}) *p{depth} = (__typeof__({element}) *)nub_new({count} * sizeof *p{depth});\n        \
         for (i{depth} = 0; p{depth} && i{depth} < {count}; i{depth}++) {{"
    )
    .expect(NEVER_FAILS);
    filled(program, (parts, &format!("p{depth}[i{depth}]"), depth + 1), text);
    writeln!(text, "        }}").expect(NEVER_FAILS);
}

/// Gives the parts of an object their values.
fn filled(program: &Program, (parts, target, depth): (&[StubPart], &str, usize), text: &mut String) {
    for part in parts {
        match part {
            StubPart::Number(part) => {
                let ty = program.types.spell_in_test(part.ty);
                writeln!(text, "        {} = {};", assigned(program, target, part), take(&ty))
            }
            StubPart::Pointer(part, object) => {
                let target = assigned(program, target, part);
                text.push_str(&format!("        if (nub_take()) {{ {target} = 0; }} else {{\n"));
                new_object(program, object, depth, text);
                writeln!(text, "        {target} = (__typeof__({target}))p{depth};\n        }}")
            }
            StubPart::Union(_, members) => {
                writeln!(text, "        {{\n        unsigned char m{depth} = (unsigned char)nub_take();")
                    .expect(NEVER_FAILS);
                for (number, member) in members.iter().enumerate() {
                    let start = if number == 0 { "" } else { " else " };
                    let is_last = number + 1 == members.len();
                    let condition =
                        if is_last { String::new() } else { format!("if (m{depth} == {number}) ") };
                    text.push_str(&format!("        {start}{condition}{{\n"));
                    filled(program, (&member.parts, target, depth + 1), text);
                    text.push_str("        }\n");
                }
                writeln!(text, "        }}")
            }
        }
        .expect(NEVER_FAILS);
    }
}

/// A part on the left of an assignment. A member that is `const` is set through a pointer.
fn assigned(program: &Program, target: &str, part: &ScalarPart) -> String {
    let place = format!("{target}{}", path(program, &part.steps));
    let is_constant = part.steps.iter().any(|step| match step {
        PartStep::Field(record, field) => program.types.record(*record).fields[*field as usize].is_const,
        PartStep::Index(_) => false,
    });
    if is_constant {
        format!("*(__typeof__({}) *)&{place}", program.types.spell_in_test(part.ty))
    } else {
        place
    }
}

/// `.a.b[3]`
fn path(program: &Program, steps: &[PartStep]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            PartStep::Field(record, field) => {
                let name = &program.types.record(*record).fields[*field as usize].name;
                if !name.is_empty() {
                    write!(text, ".{name}").expect(NEVER_FAILS);
                }
            }
            PartStep::Index(index) => write!(text, "[{index}]").expect(NEVER_FAILS),
        }
    }
    text
}

fn parameters(program: &Program, ty: &FunctionType) -> String {
    let params = ty.params.iter().enumerate();
    let mut texts: Vec<String> = params
        .map(|(number, param)| format!("__typeof__({}) a{number}", program.types.spell_in_test(*param)))
        .collect();
    match (ty.has_prototype, texts.is_empty()) {
        (true, true) => texts.push("void".to_owned()),
        (true, false) if ty.is_variadic => texts.push("...".to_owned()),
        _ => {}
    }
    texts.join(", ")
}
