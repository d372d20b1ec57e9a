//! Objects of static lifetime around the function under test: those that the test file defines, and those that it resets before each test.

use crate::places::{global_name, has_name};
use nub_c_ir::{FunctionId, Global, GlobalId, Program, Type};
use nub_report::c_tests::TestObjects;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Copies of what tests may change, and the functions that make and use them: `nub_save` and `nub_restore`. Empty if there is nothing to reset.
pub(crate) fn resetting(world: &TestObjects) -> String {
    let mut text = String::new();
    if world.changed.is_empty() {
        return text;
    }
    for name in &world.changed {
        writeln!(text, "static __typeof__({name}) nub_saved_{name};").expect(NEVER_FAILS);
    }
    for (function, to_saved) in [("nub_save", true), ("nub_restore", false)] {
        writeln!(text, "static void {function}(void) {{").expect(NEVER_FAILS);
        for name in &world.changed {
            let saved = format!("nub_saved_{name}");
            let (to, from) = if to_saved { (&saved, name) } else { (name, &saved) };
            writeln!(text, "    memcpy((void *)&{to}, (const void *)&{from}, sizeof {from});")
                .expect(NEVER_FAILS);
        }
        text.push_str("}\n");
    }
    text
}

/// The objects that a run of the function can use.
pub fn world(program: &Program, function: FunctionId) -> TestObjects {
    let definitions = crate::unnamed::unnamed_records(program, function);
    let mut world = TestObjects { definitions, ..TestObjects::default() };
    let used = program.globals_used(function);
    // A thread-local object cannot be weak.
    let is_unused = |(id, global): &(GlobalId, &Global)| {
        global.is_thread_local
            && global.is_extern
            && !used.contains(id)
            && !program.is_of_system(global.position)
    };
    let unused = (0..).map(GlobalId).zip(&program.globals).filter(is_unused);
    world.definitions.extend(unused.map(|(_, global)| definition(program, global)));
    for id in &used {
        let global = &program.globals[id.index()];
        if global.is_extern && !program.is_of_system(global.position) {
            world.definitions.push(definition(program, global));
        }
        let is_model = global.owner.is_some_and(|owner| program.function(owner).is_model);
        // What a system header only declares belongs to the library; what it defines is state of the program like any other.
        let is_of_library = global.is_extern && program.is_of_system(global.position);
        if is_model || is_of_library || (global.is_const && !global.is_extern) {
            continue;
        }
        if has_name(global) { world.changed.push(global_name(global)) } else { world.keeps_values = true }
    }
    world
}

/// A definition of the declared type. One that is `const` is defined under another name, so that tests can set it. Only the assembler knows that both
/// are the same object: a compiler that knew would assume that a constant never changes from its first value.
fn definition(program: &Program, global: &Global) -> String {
    let name = &global.name;
    let ty = match program.types.get(global.ty) {
        Type::Array(element, Some(length)) => (program.types.spell_in_test(*element), format!("[{length}]")),
        _ => (program.types.spell_in_test(global.ty), String::new()),
    };
    let thread = if global.is_thread_local { "__thread " } else { "" };
    match global.is_const {
        true => format!(
            "__typeof__({}) nub_{name}{};\n__asm__(\".globl {name}\\n.set {name}, nub_{name}\");",
            ty.0, ty.1
        ),
        false if !ty.1.is_empty() => format!("{thread}__typeof__({name}[0]) {name}{};", ty.1),
        false => format!("{thread}__typeof__({name}) {name};"),
    }
}
