//! `nub cover`: results, files, exit codes, and clear error messages.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

const F: &str = "int f(int a, int b) {\n  if (a > 3 && b == 7)\n    return 1;\n  return 0;\n}\n";

#[test]
fn a_table_with_the_proof() {
    let bench = Bench::new();
    bench.write("f.c", F);
    let run = bench.nub(&["cover", "f.c"]).expect(0);
    assert!(run.stdout.contains("3 tests cover 8 of 8 goals. 3 is the minimum (proved)"), "{}", run.stdout);
    assert!(
        run.stdout.contains("Why at least 3 tests are needed: no input does two of these."),
        "{}",
        run.stdout
    );
    let several = bench.nub(&["cover", "f.c", "-c", "decision,condition"]).expect(0).stdout;
    assert!(several.contains("2 tests cover") && several.contains("3 tests cover"), "{several}");
}

/// Functions of headers do not count; line markers tell which they are.
#[test]
fn the_only_function_of_the_file_needs_no_name() {
    let bench = Bench::new();
    bench.write(
        "f.i",
        &format!("# 1 \"f.c\"\n# 1 \"h.h\" 1\nstatic int h(int a) {{ return a; }}\n# 2 \"f.c\" 2\n{F}"),
    );
    let run = bench.nub(&["cover", "f.i"]).expect(0);
    assert!(run.stdout.contains("\nf at f.c:2, MC/DC (unique-cause)\n"), "{}", run.stdout);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bench = Bench::new();
    bench.write("f.c", F);
    let runs = [(); 2].map(|()| bench.nub(&["cover", "f.c", "--json", "--seed", "5"]).expect(0).stdout);
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].contains("\"is_minimal\": true"), "{}", runs[0]);
}

#[test]
fn files_by_their_names() {
    let bench = Bench::new();
    bench.write("f.c", F);
    let out = ["t.c", "t.json", "t.csv", "t.md", "t.html", "t.txt", "CMakeLists.txt"];
    let words: Vec<&str> =
        ["cover", "f.c"].into_iter().chain(out.iter().flat_map(|name| ["-o", name])).collect();
    bench.nub(&words).expect(0);
    let starts = ["/* 3 tests", "{", "a,b,observed", "# Coverage", "<!doctype", "3 tests cover", "# 3 tests"];
    for (name, start) in out.iter().zip(starts) {
        assert!(bench.read(name).starts_with(start), "{name}: {}", bench.read(name));
    }
    assert!(bench.read("t.c").contains("#include \"f.c\""));
    bench.nub(&["cover", "f.c", "-o", "t.xyz"]).expect(2);
}

#[test]
fn existing_tests_and_few_tests() {
    let bench = Bench::new();
    bench.write("f.c", F);
    bench.write("mine.csv", "a,b\n9,7\n");
    let run = bench.nub(&["cover", "f.c", "--tests", "mine.csv"]).expect(0);
    assert!(run.stdout.contains(". 2 of them are new, the minimum (proved)"), "{}", run.stdout);
    bench.nub(&["cover", "f.c", "-n", "2", "--fail-under", "100"]).expect(1);
    bench.nub(&["cover", "f.c", "-n", "2", "--fail-under", "50"]).expect(0);
    bench.write("bad.csv", "a,c\n9,7\n");
    let run = bench.nub(&["cover", "f.c", "--tests", "bad.csv"]).expect(2);
    assert!(run.stderr.contains("test 1: there is no input `c`"), "{}", run.stderr);
    // The line is that of the wrong call, not the line in our model of the library function.
    let text = "#include <string.h>\nint f(const char *s, int n) {\n  if (n < 3)\n    return 0;\n  return strlen(s) == 3;\n}\n";
    bench.write("g.c", text);
    bench.write("null.csv", "s != 0,n\n0,7\n");
    let run = bench.nub(&["cover", "g.c", "--tests", "null.csv"]).expect(2);
    assert!(run.stderr.contains("test 1: it has undefined behaviour in line 5"), "{}", run.stderr);
    bench.write("wide.csv", "a,b\n9,0xffffffff\n-1,4294967296\n");
    let run = bench.nub(&["cover", "f.c", "--tests", "wide.csv"]).expect(2);
    assert!(run.stderr.contains("test 2: 4294967296 does not fit into the 32 bits of `b`"), "{}", run.stderr);
}

/// nub reads the tests that it wrote: floats, and inputs that only longer runs have.
#[test]
fn tests_of_a_report_are_read_back() {
    let bench = Bench::new();
    for (name, text) in [
        ("float.c", "int f(float x, double y) { if (x > 1.5f && y < -0.1) return 1; return x != x; }"),
        ("long.c", "int f(long double x) { if (x > 1) return 1; return 0; }"),
        (
            "reads.c",
            "volatile unsigned r; int f(void) { int n = 0; while (!(r & 1u)) { if (++n > 3) return -1; } return n > 1 ? 2 : 1; }",
        ),
        ("text.c", "int f(const char *s) { int n = 0; while (s[n]) n++; if (n > 9) return 1; return 0; }"),
    ] {
        bench.write(name, text);
        for form in ["csv", "json"] {
            let tests = format!("tests.{form}");
            bench.write(
                &tests,
                &bench.nub(&["cover", name, "--no-native", &format!("--{form}")]).expect(0).stdout,
            );
            let run = bench.nub(&["cover", name, "--no-native", "--tests", &tests]).expect(0);
            assert!(run.stdout.contains("0 of them are new"), "{name} {form}: {}", run.stdout);
        }
    }
    bench.write("half.csv", "n\n2.5\n");
    bench.write("int.c", "int f(int n) { return n > 1 ? 2 : 1; }");
    let run = bench.nub(&["cover", "int.c", "--tests", "half.csv"]).expect(2);
    assert!(run.stderr.contains("test 1: 2.5 is not an integer, as is `n`"), "{}", run.stderr);
}

/// The number of calls is a number, whatever the function returns.
#[test]
fn functions_of_floats_and_letters_are_called_twice() {
    let bench = Bench::new();
    let float = "float f(float x, float y) {\n  union { float f; unsigned i; } u = { x };\n  if (x != x) return x + y;\n  if (u.i == 5) u.i += 1;\n  return u.f;\n}\n";
    let letter = "char f(char c) { static char last; if (c == last) return 'a'; last = c; return 'b'; }\n";
    for text in [float, letter] {
        bench.write("f.c", text);
        let run = bench.nub(&["cover", "f.c", "--calls", "2"]).expect(0);
        assert!(run.stdout.contains("results agree"), "{}", run.stdout);
    }
}

/// A variable that is larger than memory is not allocated; concrete runs know the elements that they touch.
#[test]
fn huge_variables_are_not_allocated() {
    let bench = Bench::new();
    let text = "int table[0x80000000u];\nint f(unsigned p) { if (p < 2 && table[p]) return 1; return 0; }\n";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "--globals", "--no-native"]).expect(0);
    assert!(run.stdout.contains("3 tests cover 8 of 8 goals"), "{}", run.stdout);
}

/// Names of [Weiler13] §4.1.1.1, in upper or lower case.
#[test]
fn criteria_and_functions_have_the_names_of_the_thesis() {
    let bench = Bench::new();
    bench.write("f.c", F);
    for (short, name) in
        [("dc", "decision"), ("CC", "condition"), ("Cdc", "condition-decision"), ("MCDC", "mcdc")]
    {
        let run =
            |criterion| bench.nub(&["cover", "f.c", "-f", "f(int, int)", "-c", criterion]).expect(0).stdout;
        assert_eq!(run(short), run(name), "{short}");
    }
    bench.nub(&["cover", "f.c", "-f", "g(int, int)"]).expect(2);
}

#[test]
fn clauses_go_to_a_solver_and_come_back() {
    let bench = Bench::new();
    bench.write("f.c", F);
    assert_eq!(bench.nub(&["cover", "encode", "f.c", "-n", "3"]).expect(0).stdout, "f.cnf\n");
    assert!(bench.read("f.cnf").starts_with("c f.c, mcdc unique-cause\nc 3 tests of f: 8 of 8 goals"));
    let answer = bench.nub(&["solve", "f.cnf", "--model"]).expect(10).stdout;
    bench.write("answer.txt", &answer);
    let tests = bench.nub(&["cover", "decode", "answer.txt", "f.cnf"]).expect(0).stdout;
    bench.write("tests.csv", &tests);
    let run = bench.nub(&["cover", "f.c", "--tests", "tests.csv"]).expect(0);
    assert!(run.stdout.contains("3 tests cover 8 of 8 goals. 0 of them are new"), "{}", run.stdout);
    bench.nub(&["cover", "encode", "f.c", "-n", "2", "-o", "f.cnf"]).expect(0);
    bench.write("answer.txt", &bench.nub(&["solve", "f.cnf"]).expect(20).stdout);
    let none = bench.nub(&["cover", "decode", "answer.txt", "f.cnf"]).expect(0).stdout;
    assert_eq!(none, "Unsatisfiable, no test cases derived.\n");
    bench.write("answer.txt", "s SATISFIABLE\nv 1 2 3 0\n");
    let half = bench.nub(&["cover", "decode", "answer.txt", "f.cnf"]).expect(2).stderr;
    assert!(half.contains("does not satisfy the clauses"), "{half}");
}

/// Code that is reached in only one rounding mode, and a mode that a test leaves set.
#[test]
fn rounding_modes_are_followed() {
    let bench = Bench::new();
    let text = "#include <fenv.h>\n#pragma STDC FENV_ACCESS ON\n\
                int f(double x, int mode) {\n\
                    int n = x + 1.0 > 1.0;\n\
                    if (!(x > 0 && x < 1e-300)) return 0;\n\
                    if (fesetround(mode)) return 1;\n\
                    if (x + 1.0 > 1.0) return n ? 2 : 3;\n\
                    return fegetround() == FE_DOWNWARD ? 4 : 5;\n\
                }\n";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision", "--json", "--native"]).expect(0);
    assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
    assert!(run.stdout.contains("\"infeasible_if\": 1"), "n is 1 if a caller set the mode: {}", run.stdout);
    assert!(run.stdout.contains("\"open\": 0"), "{}", run.stdout);
}

/// The C file also supplies what the function reads while it runs. `--native` compiles and runs it.
#[test]
fn compiled_tests_supply_what_is_read() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "#include <stdio.h>
long nondet_long(void);
int f(void) {
  int a; short b; long c; unsigned char d;
  if (scanf(\"%d, %hd%%\", &a, &b) != 2) return -1;
  if (sscanf(\"1 2\", \"%*d %ld%c\", &c, &d) == 2 && a == 70000 && b == -3) return 1;
  if (c == -5000000000 && d == 200 && nondet_long() == c - 1) return 2;
  return 0;
}
",
    );
    let run = bench.nub(&["cover", "f.c", "-c", "decision", "--native", "-o", "tests.c"]).expect(0);
    assert!(run.stdout.contains("returns 1") && run.stdout.contains("returns 2"), "{}", run.stdout);
    let text = bench.read("tests.c");
    assert!(text.contains("{ 70000, sizeof(int) }, { -3, sizeof(short) }"), "{text}");
}

/// A bit-field at the end of a structure is inside it.
#[test]
fn a_bit_field_behind_a_pointer_is_no_undefined_behaviour() {
    let bench = Bench::new();
    let text =
        "struct s { short x; unsigned y : 3; };\nint f(struct s *p) { if (p->y == 5) return 1; return 0; }\n";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "-c", "decision"]).expect(0);
    assert!(run.stdout.contains("2 tests cover 2 of 2 goals"), "{}", run.stdout);
}

/// `b && 0` always ends the loop. So in the control flow graph `b` is after the loop, but it is still part of the
/// decision.
#[test]
fn a_decision_may_end_after_its_loop() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "int f(int a, int b, int c) { int n = 0; if (a > 3) return -1;\n\
         do { n += c; } while ((a-- > 0 && c > 2) || (b && 0)); return n > 0 ? 1 : 0; }\n",
    );
    let found = bench.nub(&["cover", "f.c", "--native"]).expect(0).stdout;
    assert!(found.contains("3 tests cover 20 of 21 goals; 1 infeasible (proved)"), "{found}");
    assert!(found.contains("results agree"), "{found}");
}

#[test]
fn a_function_pointer_is_set_where_one_function_fits() {
    let inc = "typedef int (*cb)(int);\nstatic int inc(int x) { return x < 100 ? x + 1 : 0; }\n";
    let uses = [
        "int f(cb g, int n) { if (g(n) > 3) return 1; return 0; }\nint h(void) { return f(inc, 1); }\n",
        "struct s { cb g; int n; };\nint f(struct s *p) { if (p->g(p->n) > 3) return 1; return 0; }\n\
         int h(void) { struct s s = {inc, 1}; return f(&s); }\n",
    ];
    for text in uses {
        let bench = Bench::new();
        bench.write("f.c", &format!("{inc}{text}"));
        let run = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision", "--json", "--native"]).expect(0);
        assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
        assert!(
            run.stdout.contains("(__typeof__(arg0))inc;") || run.stdout.contains(".g))inc;"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn a_stream_is_one_of_the_library() {
    let functions = [
        "int f(FILE *out, int x) { if (x > 3) { fprintf(out, \"%d\", x); return 1; } if (x < -7) fputs(\"\", stderr); return 0; }",
        "int f(FILE *out, int x) { if (out == NULL) return 2; if (x > 3) { fputc('a', out); return 1; } return 0; }",
        "struct log { FILE *out; int level; };\n\
         int f(struct log *l, int x) { if (x > l->level) { fprintf(l->out, \"%d\", x); return 1; } return 0; }",
    ];
    for text in functions {
        let bench = Bench::new();
        bench.write("f.c", &format!("#include <stdio.h>\n{text}\n"));
        let run = bench.nub(&["cover", "f.c", "-f", "f", "-c", "decision", "--json", "--native"]).expect(0);
        assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
        assert!(!run.stdout.contains("\"state\": \"undefined\""), "{}", run.stdout);
    }
}

#[test]
fn tests_do_not_depend_on_addresses() {
    let bench = Bench::new();
    let text = "struct s { char *begin; char *end; unsigned n; };\n\
        int f(struct s *p) { char *c = p->begin; if (c + p->n == p->end) return 1; return 0; }\n";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "-c", "decision", "--json", "--native"]).expect(0);
    assert!(run.stdout.contains("\"native\": \"confirmed\""), "{}", run.stdout);
}

#[test]
fn bodies_in_other_files_are_supplied_unless_that_is_refused() {
    let bench = Bench::new();
    let text = "unsigned char sensor(int channel, const char *name);\nvoid report(int, ...);\n\
        int f(int a) { if (sensor(a, \"x\") > 200 && sensor(2, \"y\") == 7) { report(1, a); return 1; } return 0; }\n";
    bench.write("f.c", text);
    assert!(
        bench.nub(&["cover", "f.c", "--no-stubs"]).expect(2).stderr.contains("`sensor` has no body here")
    );
    let run = bench.nub(&["cover", "f.c", "--native", "-o", "t.c"]).expect(0);
    assert!(run.stdout.contains("3 tests cover 8 of 8 goals"), "{}", run.stdout);
    assert!(
        run.stderr.contains("`sensor` has no body: tests define what it returns and what it writes"),
        "{}",
        run.stderr
    );
    let text = "int g(int *); int f(int a) { int b = 1; g(&b); if (b) return 1; return 0; }\n";
    bench.write("g.c", text);
    let run = bench.nub(&["cover", "g.c", "-c", "decision"]).expect(0);
    assert!(run.stdout.contains("2 tests cover 2 of 2 goals"), "what `g` writes is an input: {}", run.stdout);
    let compiled =
        std::process::Command::new("cc").args(["-o", "t", "t.c"]).current_dir(bench.path("")).status();
    assert!(compiled.unwrap().success());
    let ran = std::process::Command::new(bench.path("t")).output().unwrap();
    assert!(ran.status.success() && ran.stdout.starts_with(b"3 tests of f, 0 differ"), "{ran:?}");
}

#[test]
fn the_compiler_leaves_no_files() {
    // Numbers, pointers, and one that has nothing to search for.
    let texts = [
        "int f(int x) { return x > 3; }",
        "int f(int *p) { if (*p) return 1; return 0; }",
        "int f(int x) { return x; }",
    ];
    for text in texts {
        let bench = Bench::new();
        bench.write("f.c", text);
        std::fs::create_dir(bench.path("temporary")).unwrap();
        let mut command = bench.command(&["cover", "f.c"]);
        let output = command.env("TMPDIR", bench.path("temporary")).output().unwrap();
        assert!(output.status.code().is_some(), "{output:?}");
        assert_eq!(common::names(&bench.path("temporary")), Vec::<String>::new(), "{text}");
    }
}

/// Each error with what the message must contain.
#[test]
fn faults_have_clear_answers() {
    let cases = [
        ("int f(int a) { if (a > ) return 1; }", "expected"),
        ("int f(int a) { if (a > ) return 1; }", " --> f.c:1:24"),
        ("int f(unknown_t a) { if (a) return 1; return 0; }", "unknown_t"),
        ("int f(int a, double _Complex l) { (void)l; if (a) return 1; return 0; }", "complex numbers"),
        ("\nint f(int a, double _Complex l) { (void)l; if (a) return 1; return 0; }", " --> f.c:2:14"),
        ("int g(int); int f(int a) { if (g(a)) return 1; return 0; }", "`g` has no body"),
        ("int f(int a) { return a; }", "has no decisions"),
        (
            "int ff(int a) { if (a) return 1; return 0; } int h(int a) { return a; }",
            "there is no function `f`",
        ),
    ];
    for (text, expected) in cases {
        let bench = Bench::new();
        bench.write("f.c", text);
        let run = bench.nub(&["cover", "f.c", "-f", "f", "--no-stubs"]).expect(2);
        assert!(run.stderr.contains(expected), "{text}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    }
    let bench = Bench::new();
    bench.write("f.c", "int ff(int a) { if (a) return 1; return 0; } int h(int a) { return a; }");
    assert!(bench.nub(&["cover", "f.c", "-f", "f"]).expect(2).stderr.contains("did you mean `ff` or `h`?"));
    bench.nub(&["cover", "missing.c"]).expect(2);
    bench.nub(&["cover"]).expect(2);
    bench.nub(&["cover", "f.c", "-f", "ff", "--data-model", "nonsense"]).expect(2);
}

#[test]
fn endless_recursion_is_said_to_be_beyond_the_bound() {
    let bench = Bench::new();
    bench.write("f.c", "int f(unsigned n) { if (n & 1) return f(n); return f(n + 2); }\n");
    let run = bench.nub(&["cover", "f.c", "--unwind", "3"]).expect(0);
    assert!(run.stdout.contains("beyond the bound"), "{}", run.stdout);
}

#[test]
fn a_long_body_is_no_problem() {
    let bench = Bench::new();
    let body: String = (0..3_000).map(|line| format!("  s = s * 2 + (a > {line}u);\n")).collect();
    bench.write(
        "f.c",
        &format!(
            "unsigned f(unsigned a) {{\n  unsigned s = 0;\n{body}  if (a > 5) s = 0;\n  return s;\n}}\n"
        ),
    );
    let run = bench.nub(&["cover", "f.c", "-c", "decision", "--max-time", "60"]).expect(0);
    assert!(run.stdout.contains("2 tests cover 2 of 2 goals"), "{}", run.stdout);
}

/// The time limit also applies before the search: nested loops are unrolled for minutes.
#[test]
fn the_time_bounds_the_unrolling_too() {
    let bench = Bench::new();
    let text = "int f(unsigned a, unsigned b, unsigned c, unsigned char *p) {
  unsigned i, j, k, s = 0;
  for (i = 0; i < a; i++) for (j = 0; j < b; j++) for (k = 0; k < c; k++) { p[(s + i) % 8] ^= p[(s + k * j) % 8]; s += p[s % 8] > k; }
  return s > 7;
}
";
    bench.write("f.c", text);
    let run = bench.nub(&["cover", "f.c", "--unwind", "64", "--max-time", "1"]).expect(2);
    assert!(run.stderr.contains("the time limit was reached"), "{}", run.stderr);
}

/// Directives that only test whether names are defined: the same result with and without a compiler.
#[test]
fn simple_directives_need_no_compiler() {
    let bench = Bench::new();
    let text = "#ifndef WORD\n#define WORD short /* narrow */\n#endif\n#ifdef NARROW\n#define LIMIT 9\n#else\n#define LIMIT -9\n#endif\nint f(WORD a) { if (0-LIMIT < a) return 1; return 0; }\n";
    bench.write("f.c", text);
    bench.write("g.c", &format!("#include <stddef.h>\n{text}"));
    for define in [&["-DWORD=int"][..], &["-DNARROW"], &[]] {
        let own =
            [&["cover", "f.c", "-c", "decision", "--csv", "--no-native", "--cc", "no-such-compiler"], define]
                .concat();
        let with = [&["cover", "g.c", "-c", "decision", "--csv", "--no-native", "-f", "f"], define].concat();
        let run = bench.nub(&with);
        let found = bench.nub(&own).expect(0).stdout;
        assert!(found.lines().count() > 2, "{found}");
        if run.code == Some(0) {
            assert_eq!(found, run.stdout);
        }
    }
}

/// Floats end to end: the tests are compiled, linked with the library of `math.h`, and agree.
#[test]
fn tests_of_floats_are_compiled_and_agree() {
    let bench = Bench::new();
    bench.write(
        "f.c",
        "#include <math.h>\nint f(double x) { if (isnan(x)) return -1; if (floor(x) == x && x > 2.5) return 1; return 0; }\n",
    );
    let run = bench.nub(&["cover", "f.c", "--native"]).expect(0);
    assert!(run.stdout.contains("(proved)") && run.stdout.contains("results agree"), "{}", run.stdout);
}
