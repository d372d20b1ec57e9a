//! Assertions and assumptions that a program declares for a verifier and does not define: the compiled program needs bodies for them.

use crate::stub_text::stub_texts;
use crate::volatile::{VolatileUse, copy};
use crate::world::world;
use nub_c_ir::{AssertKind, Body, Function, FunctionId, GlobalId, InstrKind, Program, Type};
use nub_report::c_tests::Stubs;

/// The stubs for tests of one function. `text` is what the spans of the program refer to.
pub fn stubs_with_copy(program: &Program, function: FunctionId, text: &[u8], tests: VolatileUse) -> Stubs {
    let linked = program.linked.as_deref().unwrap_or_default().to_owned();
    let found = Stubs { linked, ..stubs(program, function) };
    match copy(program, function, text, tests) {
        Ok(Some(copy)) => Stubs { copy: Some(copy), linked: String::new(), ..found },
        Ok(None) => found,
        Err(obstacle) => Stubs { obstacle: Some(obstacle.to_string()), ..found },
    }
}

/// The name that `errno` expands to in the headers of Linux.
pub(crate) const ERRNO: &str = "__errno_location";

/// Names that a verifier knows, with the body that they get. The first argument is `a0`.
const KNOWN: &[(&str, &str)] = &[
    ("assert", "if (!a0) abort();"),
    ("__CPROVER_assert", "if (!a0) abort();"),
    ("__VERIFIER_assert", "if (!a0) abort();"),
    ("__CPROVER_assume", "if (!a0) nub_unmet();"),
    ("__VERIFIER_assume", "if (!a0) nub_unmet();"),
    ("nub_assume", "if (!a0) nub_unmet();"),
    ("reach_error", "abort();"),
    ("__VERIFIER_error", "abort();"),
];

/// Functions that the test program itself calls and that the C library keeps in a separate archive, where a weak reference does not find them.
const ARCHIVED: &[&str] = &["atexit"];

/// Objects that every C library has. Headers may define macros for them, which compilers expand in pragmas.
const STREAMS: &[&str] = &["stdin", "stdout", "stderr"];

/// Functions that the program declares and another file defines, or a library other than that of C, except for those that get a body here anyway. A
/// library's functions count if they are called: its headers may declare thousands.
fn elsewhere(program: &Program) -> impl Iterator<Item = &Function> {
    let mut is_called = vec![false; program.functions.len()];
    for function in program.functions.iter().filter(|function| !function.is_model) {
        program.callees(function).into_iter().for_each(|(callee, _)| is_called[callee.index()] = true);
    }
    let functions = (0..).map(FunctionId).zip(&program.functions).filter(move |(id, function)| {
        let is_missing = matches!(function.body, Body::Missing) || program.unsupplied.contains(id);
        is_missing
            && !program.is_of_libc(function.position)
            && (is_called[id.index()] || !program.is_of_system(function.position))
            && is_plain(&function.name)
            && !ARCHIVED.contains(&function.name.as_str())
    });
    functions.map(|(_, function)| function)
}

/// Functions and objects that the program declares and another file defines. Functions that are not under test may use them, so the
/// tests must be linked without them: they are weak. Objects that the function under test uses are defined by the test file instead.
fn weak(program: &Program, function: FunctionId) -> Vec<String> {
    let used = program.globals_used(function);
    let functions = elsewhere(program).filter(|function| !function.address_taken);
    let numbered = (0..).map(GlobalId).zip(&program.globals);
    let objects = numbered
        .filter(|(id, global)| {
            let is_own = !program.is_of_system(global.position);
            let is_stream = STREAMS.contains(&global.name.as_str());
            global.is_extern && is_own && !used.contains(id) && !is_stream && !global.is_thread_local
        })
        .map(|(_, global)| &global.name);
    let names = functions.map(|function| &function.name).chain(objects);
    names.map(|name| format!("#pragma weak {name}")).collect()
}

/// Bodies for functions of other files whose addresses the program takes: a weak function would have the address null, and no function has that.
fn with_an_address(program: &Program) -> impl Iterator<Item = String> {
    let taken = elsewhere(program).filter(|function| function.address_taken);
    taken.map(|function| alias("void", &function.name, "abort();"))
}

/// A compiler that does not inline a call calls the definition of another file. A declaration without `inline` makes it call the one in this file.
fn defined_inline(program: &Program) -> impl Iterator<Item = String> {
    let is_inline = |function: &&Function| {
        function.is_inline && !function.is_model && !program.is_of_system(function.position)
    };
    let functions = program.functions.iter().filter(is_inline);
    functions.map(|function| format!("extern __typeof__({0}) {0};", function.name))
}

/// Where the rounding mode can change, compilers must not round constants: clang supports the pragma of the standard, gcc has its own option.
fn rounding(program: &Program) -> impl Iterator<Item = String> {
    const LINES: [&str; 5] = [
        "#if defined __clang__",
        "#pragma STDC FENV_ACCESS ON",
        "#elif defined __GNUC__",
        "#pragma GCC optimize (\"rounding-math\")",
        "#endif",
    ];
    LINES.iter().filter(|_| program.rounding.is_some()).map(|line| (*line).to_owned())
}

/// A compiler that does not inline a call of a function with the attribute `gnu_inline` calls the definition of another file. Without the attribute,
/// `extern inline` defines it here.
fn not_gnu_inline(program: &Program) -> impl Iterator<Item = String> {
    let is_gnu = |function: &Function| function.inlining.is_gnu && !program.is_of_system(function.position);
    let has_any = program.functions.iter().any(is_gnu);
    const LINES: [&str; 2] = ["#define gnu_inline unused", "#define __gnu_inline__ unused"];
    LINES.into_iter().filter(move |_| has_any).map(str::to_owned)
}

/// Keeps constructors and destructors from running with the test program: tests of `main` call them, and those of other functions start with the
/// initial values of the text. Compilers warn about unknown attributes, and ignore them.
fn not_run(program: &Program) -> impl Iterator<Item = String> + use<> {
    const LINES: [&str; 6] = [
        "#pragma GCC diagnostic ignored \"-Wattributes\"",
        "#pragma GCC diagnostic ignored \"-Wunused-function\"",
        "#define constructor nub_not_run",
        "#define __constructor__ nub_not_run",
        "#define destructor nub_not_run",
        "#define __destructor__ nub_not_run",
    ];
    let has_any = program.has_constructors;
    LINES.into_iter().filter(move |_| has_any).map(str::to_owned)
}

/// Comes before any header: the program calls these functions by another name, since sanitizers need the original ones.
pub fn renaming(stubs: &Stubs) -> String {
    stubs.renamed.iter().map(|name| format!("#define {name} nub_own_{name}\n")).collect()
}

/// Whether it gets no body here and is not one of the compiler's own. Inputs get a body only where a test reads them.
fn is_plain(name: &str) -> bool {
    !name.starts_with("__builtin_") && KNOWN.iter().all(|(known, _)| *known != name)
}

/// The stubs of a program. CBMC knows `__CPROVER_assert` and `__CPROVER_assume` without a declaration; compilers do not.
pub fn stubs(program: &Program, function: FunctionId) -> Stubs {
    let mut stubs = Stubs {
        renamed: program.shared_names().map(str::to_owned).collect(),
        declarations: rounding(program)
            .chain(not_run(program))
            .chain(not_gnu_inline(program))
            .chain(weak(program, function))
            .collect(),
        world: world(program, function),
        stubs: stub_texts(program),
        replaced: crate::streams::writers(program)
            .into_iter()
            .chain(crate::replaced::models(program, function))
            .collect(),
        undefined_macros: program
            .written
            .as_ref()
            .map(|written| written.undefined_macros())
            .unwrap_or_default(),
        features: crate::own_macros::features(program),
        own_macros: crate::own_macros::own_macros(program),
        uses_errno: program.reachable(function).iter().any(|id| program.function(*id).name == ERRNO),
        sets_rounding: program.rounding.is_some(),
        entry: crate::entry::entry(program, function),
        has_main: program.function_by_name("main").is_some(),
        ..Stubs::default()
    };
    stubs.definitions.extend(defined_inline(program));
    stubs.definitions.extend(with_an_address(program));
    stubs.definitions.extend(stubs.entry.iter().map(|entry| entry.definition.clone()));
    for (name, body) in KNOWN {
        let declared = program.functions.iter().find(|function| function.name == *name);
        match declared {
            Some(function) if matches!(function.body, Body::Missing) => {
                stubs.definitions.push(definition(program, function, body));
            }
            None if *name == "__CPROVER_assert" && has_cprover_assert(program) => {
                stubs.declarations.push("void __CPROVER_assert(int, const char *);".to_owned());
                stubs.definitions.push(format!("void {name}(int a0, const char *a1) {{ (void)a1; {body} }}"));
            }
            None if *name == "__CPROVER_assume" && has_undeclared_assume(program) => {
                stubs.declarations.push("void __CPROVER_assume(int);".to_owned());
                stubs.definitions.push(format!("void {name}(int a0) {{ {body} }}"));
            }
            _ => {}
        }
    }
    stubs
}

fn has_cprover_assert(program: &Program) -> bool {
    has(program, |kind| matches!(kind, InstrKind::Assert { kind: AssertKind::Cprover, .. }))
}

/// Whether there are assumptions although the program declares no function for them.
fn has_undeclared_assume(program: &Program) -> bool {
    let is_declared = program.functions.iter().any(|function| function.name.ends_with("_assume"));
    !is_declared && has(program, |kind| matches!(kind, InstrKind::Assume { .. }))
}

fn has(program: &Program, wanted: impl Fn(&InstrKind) -> bool) -> bool {
    let of_user = program.functions.iter().filter(|function| !function.is_model);
    let blocks = of_user.flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instrs).any(|instr| wanted(&instr.kind))
}

/// What the body of a function that the program declares is called. No function of the tests themselves has such a name, whatever the program calls its own.
pub(crate) fn own_name(name: &str) -> String {
    format!("nub_stub_{name}")
}

/// A function of our own and an alias: whatever parameters the program declares, the body uses none.
pub(crate) fn alias(result: &str, name: &str, body: &str) -> String {
    aliased(&format!("{result} {}(void) {{ {body} }}", own_name(name)), name)
}

/// A definition under a name of our own, and the alias. gcc warns about types that differ, here in qualifiers and in unused parameters.
pub(crate) fn aliased(definition: &str, name: &str) -> String {
    format!(
        "{definition}\n\
         #if defined __GNUC__ && !defined __clang__\n#pragma GCC diagnostic ignored \"-Wattribute-alias\"\n#endif\n\
         extern __typeof__({name}) {name} __attribute__((alias(\"{}\")));",
        own_name(name)
    )
}

/// A function of our own and an alias: its type is that of the program, whose qualifiers are not known.
fn definition(program: &Program, function: &Function, body: &str) -> String {
    let name = &function.name;
    let param = match program.types.get(function.ty) {
        Type::Function(ty) => ty.params.first().map(|param| program.types.spell_in_test(*param)),
        _ => None,
    };
    // Without a prototype the arguments are promoted, so a truth value arrives as an `int`.
    let param = param.unwrap_or_else(|| "int".to_owned());
    // A body that uses no argument takes none.
    let param = if body.contains("a0") { format!("{param} a0") } else { "void".to_owned() };
    aliased(&format!("void {}({param}) {{ {body} }}", own_name(name)), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stubs_of(text: &str) -> Stubs {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        stubs(&program, program.function_by_name("f").unwrap())
    }

    #[test]
    fn what_is_declared_gets_a_body() {
        let text =
            "void __CPROVER_assert(_Bool c, const char *t); void f(int a) { __CPROVER_assert(a > 0, \"\"); }";
        let found = stubs_of(text);
        assert_eq!(found.declarations, Vec::<String>::new());
        assert_eq!(found.definitions.len(), 1);
        assert!(
            found.definitions[0].starts_with("void nub_stub___CPROVER_assert(_Bool a0) { if"),
            "{found:?}"
        );
    }

    #[test]
    fn an_assertion_without_its_header_fails_too() {
        let found = stubs_of("void assert(int); void f(int a) { assert(a > 0); }");
        assert_eq!(found.declarations, Vec::<String>::new(), "it is not weak");
        assert!(
            found.definitions[0].starts_with("void nub_stub_assert(int a0) { if (!a0) abort();"),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_not_declared_is() {
        let found = stubs_of("void f(int a) { __CPROVER_assume(a > 0); __CPROVER_assert(a > 0, \"\"); }");
        assert_eq!((found.declarations.len(), found.definitions.len()), (2, 2));
    }

    #[test]
    fn what_is_defined_elsewhere_is_weak() {
        let found = stubs_of(
            "int g(int); extern int e; int nondet_int(void); int h(void) { return g(e); } int f(void) { return 1; }",
        );
        assert_eq!(found.declarations, ["#pragma weak g", "#pragma weak nondet_int", "#pragma weak e"]);
    }

    #[test]
    fn what_is_defined_stays() {
        let found =
            stubs_of("void abort(void); void reach_error(void) { abort(); } void f(void) { reach_error(); }");
        assert_eq!(found.definitions, Vec::<String>::new());
    }
}
