//! The test files of `nub cover` are compiled strictly, measured by gcov and llvm-cov, and detect changes of everything that a function
//! does.
//!
//! Without the compilers these tests print that and pass.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stderr)] // tests start programs and write files

mod common;

use common::{Bench, Run};
use std::process::Command;

/// Writes through pointers, to globals and to a static variable of the file; returns nothing.
const UPDATE: &str = "static int count;
struct acc { int total; unsigned char flag; struct acc *next; };
int mode = 3;
void update(struct acc *a, int x, int *out) {
  if (!a || !out) return;
  if (x > 10) { a->total += x; a->flag = 1; count++; *out = count; }
  else if (x < 0) { mode = 5; *out = -1; a->next = 0; }
  else a->next = a;
}
";

/// Ends the program in two ways, one of them with an exit code that the tests once used themselves.
const ENDS: &str = "#include <stdlib.h>
int ends(int x) {
  if (x > 50) exit(100);
  if (x == 7) abort();
  return x < 3 ? 1 : 2;
}
int main(void) { ends(1); }
";

/// Data of other files: numbers, tables, structures, constants, memory behind pointers.
const EXTERN: &str = "extern int limit;
extern const int step;
extern int open_table[];
extern const unsigned char table[4];
extern struct node { int key; struct node *next; int slots[3]; } first;
extern const char *name;
int data(int x) {
  if (x > limit) return 1;
  if (open_table[2] == step && table[1] > 200) return 2;
  if (first.next && first.next->key > first.slots[1]) return 3;
  if (name[0] == 'a') return 4;
  return 0;
}
";

/// Runs a program in the folder; `None` if it is not installed.
fn run(bench: &Bench, program: &str, args: &[&str]) -> Option<Run> {
    let output = Command::new(program).args(args).current_dir(bench.path("")).output();
    if output.is_err() {
        nub_test_kit::missing_tool(program);
    }
    output.ok().map(Run::of)
}

fn covered(text: &str, args: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words = [&["cover", "f.c", "-o", "tests.c", "-o", "report.json"], args].concat();
    bench.nub(&words).expect(0);
    bench
}

/// Compiles and runs the tests; the exit code. None if there is no compiler.
fn outcome(bench: &Bench) -> Option<i32> {
    run(bench, "gcc", &["-w", "-o", "program", "tests.c"])?.expect(0);
    run(bench, "./program", &[])?.code
}

#[test]
fn strict_compilers_take_the_tests() {
    let stubbed = "int device(const char *name, int n); void tell(const char *); int read_it(void);
        int stubbed(int a) { tell(\"x\"); if (device(\"d\", a) > 3 && read_it()) return 1; return 0; }";
    let verified = "void __VERIFIER_assume(int);
        int verified(int a) { __VERIFIER_assume(a > 0); __CPROVER_assert(a != 7, \"\"); if (a > 9) return 1; return 0; }";
    let nested = "struct in { unsigned char a; short b[2]; }; struct out { struct in i; long c; };
        int nested(struct out o, const struct in *p) { if (o.i.b[1] > 3 && p && p->a == 200) return 1; return o.c > 5; }";
    for (text, function, args) in [
        (UPDATE, "update", &[][..]),
        (ENDS, "ends", &[]),
        (EXTERN, "data", &[]),
        (stubbed, "stubbed", &[]),
        (verified, "verified", &[]),
        (nested, "nested", &[]),
    ] {
        let bench = covered(text, &[args, &["-f", function]].concat());
        for compiler in ["gcc", "clang-19"] {
            for standard in ["-std=c99", "-std=c11"] {
                let words = [standard, "-Wall", "-Wextra", "-Werror", "-o", "program", "tests.c"];
                if let Some(compiled) = run(&bench, compiler, &words) {
                    compiled.expect(0);
                    run(&bench, "./program", &[]).unwrap().expect(0);
                }
            }
        }
    }
}

/// A target without processes runs all tests except those that end the program.
#[test]
fn tests_run_without_processes() {
    let bench = covered(UPDATE, &["-f", "update"]);
    assert!(!bench.read("tests.c").contains("fork"), "{}", bench.read("tests.c"));
    let bench = covered(ENDS, &["-f", "ends"]);
    let words = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-DNUB_NO_FORK", "-o", "program", "tests.c"];
    if let Some(compiled) = run(&bench, "gcc", &words) {
        compiled.expect(0);
        let said = run(&bench, "./program", &[]).unwrap().expect(0).stdout;
        assert_eq!(said.matches("is skipped").count(), 2, "{said}");
    }
}

/// Branches of a file of which gcov saw only one side.
fn missed_by_gcov(bench: &Bench) -> Option<Vec<String>> {
    run(bench, "gcc", &["--coverage", "-O0", "-w", "-o", "program", "tests.c"])?.expect(0);
    run(bench, "./program", &[])?.expect(0);
    run(bench, "gcov", &["-b", "-c", "program-tests.gcda"])?.expect(0);
    let text = bench.read("f.c.gcov");
    let branches: Vec<&str> = text.lines().filter(|line| line.starts_with("branch ")).collect();
    assert!(branches.len() > 2, "{text}");
    let is_missed = |line: &&&str| line.contains("taken 0") || line.contains("never executed");
    Some(branches.iter().filter(is_missed).map(|line| (*line).to_owned()).collect())
}

#[test]
fn gcov_measures_the_tests() {
    for (text, function) in [(UPDATE, "update"), (ENDS, "ends"), (EXTERN, "data")] {
        let bench = covered(text, &["-f", function]);
        let Some(missed) = missed_by_gcov(&bench) else { return };
        assert_eq!(missed, Vec::<String>::new(), "{}", bench.read("f.c.gcov"));
    }
}

/// The check above can fail.
#[test]
fn gcov_notices_a_missing_test() {
    let bench = covered(UPDATE, &["-f", "update", "-n", "2"]);
    let Some(missed) = missed_by_gcov(&bench) else { return };
    assert!(!missed.is_empty());
}

#[test]
fn llvm_cov_measures_the_tests() {
    for (text, function) in [(UPDATE, "update"), (EXTERN, "data")] {
        let bench = covered(text, &["-f", function]);
        let coverage = ["-fprofile-instr-generate", "-fcoverage-mapping", "-w", "-o", "program", "tests.c"];
        let Some(compiled) = run(&bench, "clang-19", &coverage) else { return };
        compiled.expect(0);
        run(&bench, "./program", &[]).unwrap().expect(0);
        let merge = ["merge", "-o", "seen.profdata", "default.profraw"];
        let Some(merged) = run(&bench, "llvm-profdata-19", &merge) else { return };
        merged.expect(0);
        let name = format!("-name={function}");
        let show = ["show", "program", "-instr-profile=seen.profdata", &name, "--show-branches=count"];
        let Some(shown) = run(&bench, "llvm-cov-19", &show) else { return };
        let text = shown.expect(0).stdout;
        assert!(text.contains("[True: "), "{text}");
        assert!(!text.contains("True: 0,") && !text.contains("False: 0]"), "{text}");
    }
}

/// Each of these changes only memory behind a pointer, a global, or a static variable of the file: all return nothing.
#[test]
fn tests_compare_what_a_function_leaves_behind() {
    let bench = covered(UPDATE, &["-f", "update"]);
    let Some(code) = outcome(&bench) else { return };
    assert_eq!(code, 0);
    for (from, to) in [
        ("a->total += x", "a->total -= x"),
        ("a->flag = 1", "a->flag = 2"),
        ("count++", "count += 2"),
        ("mode = 5", "mode = 6"),
        ("*out = -1;", ""),
        ("a->next = 0", "a->next = a"),
        ("else a->next = a", "else a->next = a->next"),
    ] {
        assert!(UPDATE.contains(from));
        bench.write("f.c", &UPDATE.replacen(from, to, 1));
        assert_eq!(outcome(&bench), Some(1), "{from} -> {to}");
    }
}

/// Tests in one process start from the same globals.
#[test]
fn globals_are_reset_between_tests() {
    let text = "int calls; int f(int a) { calls++; if (a > 3 && calls < 2) return 1; return 0; }";
    let bench = covered(text, &["-f", "f"]);
    assert!(bench.read("tests.c").contains("nub_restore();"));
    assert!(outcome(&bench).is_none_or(|code| code == 0));
}

/// Static variables of a function cannot be reset: each test has a process.
#[test]
fn static_variables_have_processes() {
    let text = "int f(int a) { static int calls; calls++; if (a > 3 && calls < 2) return 1; return calls; }";
    let bench = covered(text, &["-f", "f"]);
    assert!(bench.read("tests.c").contains("fork()"));
    assert!(outcome(&bench).is_none_or(|code| code == 0));
}

#[test]
fn data_of_other_files_are_inputs() {
    let bench = covered(EXTERN, &["-f", "data"]);
    let report = bench.read("report.json");
    assert!(
        report.contains("\"name\": \"open_table[2]\"") && report.contains("\"name\": \"step\""),
        "{report}"
    );
    if run(&bench, "cc", &["--version"]).is_some() {
        assert!(report.contains("\"native\": \"confirmed\""), "{report}");
        assert_eq!(outcome(&bench), Some(0));
    }
}

/// Names in files are relative, so that a folder can be moved.
#[test]
fn files_can_be_moved_together() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("here/src")).unwrap();
    std::fs::create_dir_all(bench.path("here/tests")).unwrap();
    bench.write("here/src/f.c", "int f(int a) { return a > 3 ? 1 : 0; }\n");
    let out = ["-o", "here/tests/tests.c", "-o", "here/CMakeLists.txt"];
    bench.nub(&[&["cover", "here/src/f.c"], &out[..]].concat()).expect(0);
    assert!(bench.read("here/CMakeLists.txt").contains("\"tests/tests.c\""));
    std::fs::rename(bench.path("here"), bench.path("there")).unwrap();
    if let Some(compiled) = run(&bench, "gcc", &["-o", "program", "there/tests/tests.c"]) {
        compiled.expect(0);
        run(&bench, "./program", &[]).unwrap().expect(0);
    }
}

/// gcc gives the value of a bit-field of 33 bits a type of 33 bits, clang one of 64.
#[test]
fn values_of_wide_bit_fields_depend_on_the_compiler() {
    let bench = Bench::new();
    let text = "struct s { unsigned long long w : 33; };\n\
                int f(struct s a) { if (a.w == 0x100000000 && a.w << 1 != 0) return 1; return 0; }\n";
    bench.write("f.c", text);
    let found = bench.nub(&["cover", "f.c", "-f", "f"]).expect(0).stdout;
    assert!(
        found.contains("results agree") || found.contains("the type of bit-fields wider than `int`"),
        "{found}"
    );
}
