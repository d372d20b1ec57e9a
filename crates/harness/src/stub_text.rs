//! Stubs in C: they compare their arguments with what the test expects, and write and return the values of the test.
//!
//! Each does what its body in `nub_c_ir` does, and takes its values in the same order.

use crate::case::TestSuite;
use crate::floats::take;
use crate::stubs::{aliased, own_name};
use nub_c_ir::{
    CALLBACK, Function, FunctionType, PartStep, Program, ScalarPart, StubMemory, StubParam, StubResult, Type,
};
use nub_report::c_tests::StubText;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// A stub takes its values from an array of its own. When it ends, other reads continue with theirs.
const BACK: &str = "nub_from = &nub_next;";
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
    let mut text = format!(
        "static const struct nub_read *{queue} = nub_nothing;\n\
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
        text.push_str(&returned(program, ty, &result));
    }
    text.push_str("}\n");
    let definition = if is_callback { text } else { aliased(&text, &function.name) + "\n" };
    StubText { name: function.name.clone(), definition }
}

/// Compares an argument.
fn seen(program: &Program, number: usize, param: &StubParam) -> String {
    let mut text = String::new();
    for part in &param.parts {
        let part_text = format!("a{number}{}", path(program, part));
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
        writeln!(text, "            p[i]{} = {};", path(program, part), take(&ty)).expect(NEVER_FAILS);
    }
    text + "        }\n    }\n"
}

fn returned(program: &Program, ty: &FunctionType, result: &str) -> String {
    let mut text = String::new();
    match program.stub_result(ty.result) {
        None | Some(StubResult::Void) => writeln!(text, "    {BACK}").expect(NEVER_FAILS),
        Some(StubResult::Parts(parts)) => {
            writeln!(text, "    {{\n        __typeof__({result}) r;").expect(NEVER_FAILS);
            for part in &parts {
                let ty = program.types.spell_in_test(part.ty);
                writeln!(text, "        r{} = {};", path(program, part), take(&ty)).expect(NEVER_FAILS);
            }
            writeln!(text, "        {BACK}\n        return r;\n    }}").expect(NEVER_FAILS);
        }
        Some(StubResult::Pointer(memory)) => {
            writeln!(text, "    if (nub_take()) {{\n        {BACK}\n        return 0;\n    }}")
                .expect(NEVER_FAILS);
            match memory {
                Some(memory) => text.push_str(&new_object(program, &memory, result)),
                None => writeln!(text, "    {BACK}\n    return (__typeof__({result}))nub_new(1);")
                    .expect(NEVER_FAILS),
            }
        }
    }
    text
}

fn new_object(program: &Program, memory: &StubMemory, result: &str) -> String {
    let element = program.types.spell_in_test(memory.element);
    let count = memory.count;
    let mut text = format!(
        "    {{\n        unsigned i;\n        __typeof__({element}) *r = (__typeof__({element}) *)nub_new({count} * sizeof *r);\n        \
         for (i = 0; r && i < {count}; i++) {{\n"
    );
    for part in &memory.parts {
        let ty = program.types.spell_in_test(part.ty);
        writeln!(text, "            r[i]{} = {};", path(program, part), take(&ty)).expect(NEVER_FAILS);
    }
    writeln!(text, "        }}\n        {BACK}\n        return (__typeof__({result}))r;\n    }}")
        .expect(NEVER_FAILS);
    text
}

/// `.a.b[3]`
fn path(program: &Program, part: &ScalarPart) -> String {
    let mut text = String::new();
    for step in &part.steps {
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
