//! Tests as data: a program that can be compiled before the tests are known, because it reads them.
//!
//! This is possible where a test consists of numbers only: the function takes integers, and reads nothing else that a test supplies. The program
//! makes its few system calls by number, so it needs no C library: linking and loading one takes as long as compiling a small function. Linux on
//! x86-64 only; [`crate::one_text`] is for everything else.

use crate::c_file::{MAIN, letter};
use crate::case::TestSuite;
use crate::one_text::END_LETTER;
use crate::setup::number;
use crate::stubs::{renaming, stubs};
use nub_c_ir::{CALLBACK, FunctionId, InstrKind, Program, Type};
use nub_report::c_tests::{Ending, Stubs, TestCase};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// What the program is linked with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// The C library.
    Hosted,
    /// Nothing. Functions that end a program are defined here; others must not be called.
    Bare,
}

const HOSTED: &str = "\
long syscall(long, ...);
void _exit(int);
void abort(void);
#define nub_call syscall
";

const BARE: &str = "\
static long nub_call(long number, long a, void *b, long c, long d) {
    register long fourth __asm__(\"r10\") = d;
    __asm__ volatile(\"syscall\" : \"+a\"(number) : \"D\"(a), \"S\"(b), \"d\"(c), \"r\"(fourth) : \"rcx\", \"r11\", \"memory\");
    return number;
}
";

/// Functions that end a program, with the function here that implements them.
const ENDERS: [(&str, &str); 5] = [
    ("abort", "nub_abort"),
    ("__assert_fail", "nub_abort"),
    ("exit", "nub_exit"),
    ("_exit", "nub_exit"),
    ("_Exit", "nub_exit"),
];
const ENDER_BODIES: &str = "\
void nub_abort(void) { nub_call(62, nub_call(39, 0, 0, 0, 0), (void *)6, 0, 0); }
void nub_exit(int code) { nub_call(231, code, 0, 0, 0); }
";

/// Runs each test in a process of its own. A test is a letter for how it must end (0 after the last test), the result, the arguments. System calls: 0
/// `read`, 3 `close`, 37 `alarm`, 57 `fork`, 61 `wait4`, 231 `exit_group`.
const LOOP: &str = "
__attribute__((no_sanitize(\"undefined\", \"address\")@ALIGN@)) void @START@(void) {
    long long nub_test[@WORDS@];
    nub_test[0] = 's';
    while (nub_call(0, 0, nub_test, sizeof nub_test, 0) == sizeof nub_test && nub_test[0]) {
        int nub_status, nub_child = nub_call(57, 0, 0, 0, 0);
        if (nub_child == 0) {
            nub_call(3, 0, 0, 0, 0);
            nub_call(37, NUB_SECONDS, 0, 0, 0);
            nub_call(231, @CALL@ ? NUB_SAME : NUB_DIFFERS, 0, 0, 0);
        }
        if (nub_child < 0 || nub_call(61, nub_child, &nub_status, 0, 0) != nub_child) break;
        if (nub_test[0] != (@END@)) break;
    }
    nub_call(231, nub_test[0] != 0, 0, 0, 0);
}
";

/// Words of a test before the arguments.
const HEAD: usize = 2;

/// A C file that exits with 0 if all tests that it reads from its standard input end as they are expected to; `text` is the program.
/// `None` if tests of this function are more than numbers.
///
/// A program that declares these names differently does not compile, so a compile error does not mean that a test fails.
pub fn tests_as_data(program: &Program, function: FunctionId, text: &str, system: System) -> Option<String> {
    let call = call(program, function)?;
    let stubs = stubs(program, function);
    let mut file = renaming(&stubs);
    stubs.declarations.iter().for_each(|line| file.push_str(&format!("{line}\n")));
    write!(file, "#define main {MAIN}\n{text}\n#undef main\n# 1 \"tests\"\n").expect(NEVER_FAILS);
    file.push_str("enum { NUB_SAME = 100, NUB_DIFFERS = 101, NUB_SANITIZED = 213, NUB_SECONDS = 10 };\n");
    file.push_str("#define nub_unmet() _exit(NUB_DIFFERS)\n");
    stubs.world.definitions.iter().for_each(|line| file.push_str(&format!("{line}\n")));
    match system {
        System::Hosted => file.push_str(HOSTED),
        System::Bare => file.push_str(&bare(program, &stubs)),
    }
    stubs.definitions.iter().for_each(|line| file.push_str(&format!("{line}\n")));
    // The kernel aligns the stack for a start, not for a call.
    let (start, align) = match system {
        System::Hosted => ("main", ""),
        System::Bare => ("_start", ", force_align_arg_pointer"),
    };
    let n_words = HEAD + program.function(function).params().len();
    let rest = LOOP.replace("@ALIGN@", align).replace("@START@", start).replace("@END@", END_LETTER);
    file.push_str(&rest.replace("@WORDS@", &n_words.to_string()).replace("@CALL@", &call));
    Some(file)
}

/// The tests for such a program. `None` if they are more than numbers, or are expected to have undefined behaviour.
pub fn data(suite: &TestSuite) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut put = |word: i64| bytes.extend_from_slice(&word.to_ne_bytes());
    let n_args = suite.cases.first().map_or(0, |case| case.args.len());
    for case in &suite.cases {
        if !is_plain(case) || case.args.len() != n_args {
            return None;
        }
        put(i64::from(u32::from(letter(case.ending))));
        put(suite.result(case).map_or(Some(0), number)?);
        for arg in &case.args {
            put(number(arg)?);
        }
    }
    (0..HEAD + n_args).for_each(|_| put(0));
    Some(bytes)
}

fn is_plain(case: &TestCase) -> bool {
    case.before.is_empty()
        && case.earlier.is_empty()
        && case.reads.is_empty()
        && case.registers.is_empty()
        && case.after.is_empty()
        && case.ending != Ending::Undefined
}

/// The call; true if the result is the expected one.
fn call(program: &Program, function: FunctionId) -> Option<String> {
    // Where tests call another function instead, it is not part of this program.
    if crate::entry::entry(program, function).is_some() {
        return None;
    }
    let function = program.function(function);
    let is_number = |ty| program.types.int_format(ty).is_some_and(|format| format.width <= 64);
    let Type::Function(ty) = program.types.get(function.ty) else { return None };
    // Arguments are numbers of 64 bits, which only a prototype converts to the types of the parameters. Floats are not numbers here: they are
    // compared in another way.
    if program.types.float_format(function.result).is_some() {
        return None;
    }
    let is_converted = ty.has_prototype || function.params().is_empty();
    // Only function pointers lead to callbacks, and those are not numbers.
    let written = program.functions.iter().filter(|function| !function.name.starts_with(CALLBACK));
    let mut instrs = written.flat_map(|function| &function.blocks).flat_map(|block| &block.instrs);
    let reads = instrs.any(|instr| matches!(instr.kind, InstrKind::Input { .. } | InstrKind::Observe { .. }));
    if !is_converted || ty.is_variadic || reads || !function.params().iter().all(|param| is_number(param.ty))
    {
        return None;
    }
    let args: Vec<String> =
        (0..function.params().len()).map(|index| format!("nub_test[{}]", HEAD + index)).collect();
    let args = args.join(", ");
    Some(match (function.name.as_str(), is_number(function.result)) {
        ("main", _) => format!("({MAIN}({args}), 1)"),
        (name, true) => format!("{name}({args}) == nub_test[1]"),
        (name, false) => format!("({name}({args}), 1)"),
    })
}

/// System calls, and the functions that end a program, as far as this program or its stubs need them.
fn bare(program: &Program, stubs: &Stubs) -> String {
    let is_declared = |name: &str| program.function_by_name(name).is_some();
    let mut text = BARE.to_owned();
    if stubs.definitions.is_empty() && !ENDERS.iter().any(|(name, _)| is_declared(name)) {
        return text;
    }
    text.push_str(ENDER_BODIES);
    text.push_str("void abort(void);\nvoid _exit(int);\n");
    for (name, own) in ENDERS {
        let has_body = program
            .function_by_name(name)
            .is_some_and(|id| !matches!(program.function(id).body, nub_c_ir::Body::Missing));
        if !has_body && (is_declared(name) || matches!(name, "abort" | "_exit")) {
            writeln!(text, "extern __typeof__({name}) {name} __attribute__((alias(\"{own}\")));")
                .expect(NEVER_FAILS);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str, function: &str, system: System) -> Option<String> {
        let (unit, _) = nub_c_syntax::parse(source.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        tests_as_data(&program, program.function_by_name(function).unwrap(), source, system)
    }

    #[test]
    fn only_numbers_are_data() {
        let is_data = |source| text(source, "f", System::Bare).is_some();
        assert!(is_data("int f(int a, unsigned long b) { return a && b; }"));
        assert!(is_data("enum e { A }; void f(enum e a, _Bool b) { if (a && b) return; }"));
        assert!(is_data("int f() { return 1; }"));
        assert!(!is_data("int f(a) char a; { return a; }"), "no prototype converts a word");
        assert!(!is_data("int f(int *p) { return *p; }"));
        assert!(!is_data("struct s { int a; }; int f(struct s s) { return s.a; }"));
        assert!(!is_data("int nondet_int(void); int f(int a) { return a < nondet_int(); }"));
    }

    #[test]
    fn a_main_is_called_by_another_name_and_not_compared() {
        let found = text("int main(int n) { return n; }", "main", System::Hosted).unwrap();
        assert!(found.contains("(nub_main_of_the_program(nub_test[2]), 1) ? NUB_SAME"), "{found}");
        assert!(found.contains("nub_test[3];") && found.contains(" void main(void)"), "{found}");
    }

    #[test]
    fn what_ends_a_program_is_there_without_a_library() {
        let found =
            text("void abort(void); int f(int a) { if (a) abort(); return 0; }", "f", System::Bare).unwrap();
        assert!(
            found.contains("extern __typeof__(abort) abort __attribute__((alias(\"nub_abort\")));"),
            "{found}"
        );
        assert!(!text("int f(int a) { return a; }", "f", System::Bare).unwrap().contains("abort"));
    }

    #[test]
    fn data_end_with_zeros() {
        let case = |args: &[&str], ending| TestCase {
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            result: Some("255".into()),
            ending,
            ..TestCase::default()
        };
        let suite = |cases| TestSuite { function: "f".into(), cases, ..TestSuite::default() };
        let bytes = data(&suite(vec![case(&["(-2147483647-1)", "7u"], Ending::Returns)])).unwrap();
        let words: Vec<i64> =
            bytes.chunks(8).map(|word| i64::from_ne_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, [i64::from(b'r'), 255, -2_147_483_648, 7, 0, 0, 0, 0]);
        assert!(data(&suite(vec![case(&["arg0"], Ending::Returns)])).is_none());
        assert!(data(&suite(vec![case(&["1"], Ending::Undefined)])).is_none());
        let set = TestCase { before: vec!["g = 1;".into()], ..case(&["1"], Ending::Returns) };
        assert!(data(&suite(vec![set])).is_none());
    }
}
