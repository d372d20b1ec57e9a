//! `nub explain`: the report, JSON, and clear error messages.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// Fails for 4 and more, but not for 0.
const F: &str = "void __CPROVER_assert(int, const char *);
void f(int a) {
  int b = a;
  if (a > 3)
    b = 0;
  __CPROVER_assert(b == a, \"b == a\");
}
";

fn bench_with(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("f.c", text);
    bench
}

fn json(bench: &Bench, args: &[&str]) -> serde_json::Value {
    let mut all = vec!["explain", "f.c", "--json"];
    all.extend(args);
    serde_json::from_str(&bench.nub(&all).stdout).unwrap()
}

#[test]
fn a_report() {
    let bench = bench_with(F);
    let run = bench.nub(&["explain", "f.c", "--input", "a=9", "--no-native"]).expect(0);
    let out = &run.stdout;
    let mut lines = out.lines();
    assert!(
        lines.next().is_some_and(|line| line.starts_with("Likely fault: ")),
        "the answer comes first: {out}"
    );
    assert_eq!(lines.next(), Some("Violated: b == a (file f.c line 6 function f)"), "{out}");
    assert!(out.contains("Failing run: a=9\n"), "{out}");
    assert!(out.contains("(minimal; proof checked)"), "{out}");
    assert!(out.contains("in the interpreter; not in the compiled program: --no-native"), "{out}");
    assert!(out.contains("Value changed: a@2#0 from 9 to "), "{out}");
    assert!(out.contains("(a > 3)  true   false"), "{out}");
    assert!(out.contains("Likely fault locations"), "{out}");
    let run = bench.nub(&["explain", "f.c", "--no-native", "--no-repair"]).expect(0);
    assert!(!run.stdout.contains("Likely fault locations"), "{}", run.stdout);
}

/// A statement with undefined behaviour is a likely fault, and may be fixed.
#[test]
fn a_rule_of_c_is_explained_and_repaired() {
    let text = "void __CPROVER_assume(int);
static int table[4];
static int pick(int i) {
  int j = i + 1;
  return table[j];
}
void check(int i) {
  __CPROVER_assume(i >= 0 && i < 4);
  pick(i);
}
";
    let bench = bench_with(text);
    let out =
        bench.nub(&["explain", "f.c", "-f", "check", "--check", "bounds", "--no-native"]).expect(0).stdout;
    assert!(!out.contains("Trusted:"), "{out}");
    assert!(out.contains("f.c:4  pick  j = i + 1"), "{out}");
    assert!(out.contains("Changing line 4 alone fixes the program (proved, checked)."), "{out}");
}

/// If the compiled program differs because C allows it, that is reported and not an error.
#[test]
fn c_leaves_the_order_of_calls_open() {
    let bench = bench_with(
        "#include <assert.h>
int nondet_int(void);
static int n;
static int next(void) { return ++n; }
static int both(int a, int b) { return 3 * a + b; }
int main(void) {
  n = nondet_int();
  if (n < 0 || n > 5)
    return 0;
  assert(both(next(), next()) != 9);
  return 0;
}
",
    );
    let out = bench.nub(&["explain", "f.c", "--no-repair"]).expect(0).stdout;
    let is_said =
        out.contains("C does not define the order of calls") || out.contains("in the compiled program\n");
    assert!(is_said, "{out}");
}

/// A compiler may remove undefined operations; our models of the library are not the user's program.
#[test]
fn undefined_in_a_library_function() {
    let bench = bench_with(
        "int nondet_int(void);
int main(void) {
  int a = nondet_int();
  if (a > 3)
    __builtin_clz(0U);
  return 0;
}
",
    );
    let out = bench.nub(&["explain", "f.c"]).expect(0).stdout;
    assert!(
        out.contains("Violated: `__builtin_clz` may be called like this: __builtin_clz(0U) (file f.c line 5"),
        "{out}"
    );
    assert!(!out.contains("library model"), "{out}");
    assert!(!out.contains("No other value of a single expression"), "{out}");
}

#[test]
fn a_variable_of_another_file_is_no_defect() {
    let bench =
        bench_with("#include <assert.h>\nextern int x;\nint main(void) { assert(x == 42); return 0; }\n");
    let out = bench.nub(&["explain", "f.c"]).expect(0).stdout;
    assert!(out.contains("not in the compiled program: `x` is defined elsewhere"), "{out}");
}

/// A ranking that is told to stop says so, and shows what it has.
#[test]
fn a_ranking_out_of_time_says_so() {
    let text = "#include <assert.h>
int nondet_int(void);
int v[8];
static void sort(void) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j + 1 < 8 - i; j++)
      if (v[j] >= v[j + 1] + 1 && j != 3) {
        int t = v[j];
        v[j] = v[j + 1];
        v[j + 1] = t;
      }
}
int main(void) {
  for (int i = 0; i < 8; i++)
    v[i] = nondet_int() & 127;
  sort();
  for (int i = 0; i < 7; i++)
    assert(v[i] <= v[i + 1]);
  return 0;
}
";
    let bench = bench_with(text);
    for seconds in ["0", "0.5"] {
        let out = bench.nub(&["explain", "f.c", "--no-native", "--repair-time", seconds]).expect(0).stdout;
        let is_said = out.contains("Note: stopped early")
            || out.contains("No fault localisation: stopped before a failing run was found")
            || out.contains("No fault localisation: the time limit was reached");
        assert!(is_said, "{out}");
    }
}

#[test]
fn json_has_a_version_and_all_parts() {
    let found = json(&bench_with(F), &["--no-native"]);
    assert_eq!((&found["version"], &found["answer"]), (&1.into(), &"explained".into()));
    assert_eq!(found["property"]["place"]["line"], 6);
    assert_eq!(found["property"]["id"], "f.assertion.1");
    assert_eq!(found["compiled"]["state"], "not-run");
    assert_eq!(found["distance"]["lower"], found["distance"]["upper"]);
    let n_deltas = found["deltas"].as_array().unwrap().len();
    for index in found["slices"].as_array().unwrap().iter().flat_map(|slice| slice.as_array().unwrap()) {
        assert!((index.as_u64().unwrap() as usize) < n_deltas);
    }
}

#[test]
fn inputs_may_come_from_a_file() {
    let bench = bench_with(F);
    bench.write("inputs.json", "{\"a\": 7}");
    let found = json(&bench, &["--no-native", "--input", "@inputs.json"]);
    assert_eq!(found["failing"]["inputs"][0]["value"], "7");
    bench.write("inputs.json", "{\"a\": true}");
    let run = bench.nub(&["explain", "f.c", "--input", "@inputs.json"]).expect(2);
    assert!(run.stderr.contains("`true` is not a number"), "{}", run.stderr);
}

#[test]
fn properties_have_names() {
    let bench = bench_with(F);
    let list = bench.nub(&["explain", "f.c", "--list"]).expect(0).stdout;
    assert!(list.lines().any(|line| line.starts_with("f.assertion.1 ")), "{list}");
    let found = json(&bench, &["--list"]);
    assert_eq!((&found["version"], &found["properties"][0]["id"]), (&1.into(), &"f.assertion.1".into()));
    bench.nub(&["explain", "f.c", "--property", "f.assertion.1", "--no-native"]).expect(0);
    let run = bench.nub(&["explain", "f.c", "--property", "f.assertion.2"]).expect(2);
    assert!(run.stderr.contains("--list names them"), "{}", run.stderr);
}

#[test]
fn never_fails() {
    let run = bench_with(&F.replace("b = 0", "b = a")).nub(&["explain", "f.c"]).expect(1);
    assert!(run.stdout.starts_with("No violation: "), "{}", run.stdout);
}

/// By the rules of SV-COMP a call of `reach_error` is a violation, whatever the function does.
#[test]
fn error_functions() {
    for body in
        ["void reach_error(void);", "void reach_error(void) {}", "void reach_error(void)\n{ stop(); }"]
    {
        let text = format!(
            "void abort(void);\nstatic void stop(void) {{ abort(); }}\n{body}\nvoid f(int a) {{\n  int b = a;\n  if (b == 7)\n    reach_error();\n}}\n"
        );
        let bench = bench_with(&text);
        let found = json(&bench, &["-f", "f"]);
        assert_eq!(
            (&found["answer"], &found["property"]["text"]),
            (&"explained".into(), &"reach_error()".into())
        );
        assert_eq!(found["property"]["place"]["function"], "f", "{body}");
        assert_eq!(found["failing"]["inputs"][0]["value"], "7");
        let state = if body.ends_with("{}") { "not-run" } else { "confirmed" };
        assert_eq!(found["compiled"]["state"], state, "{body}");
        let list = bench.nub(&["explain", "f.c", "-f", "f", "--list"]).expect(0).stdout;
        assert!(list.contains("reach_error()"), "{list}");
    }
}

/// In many harnesses `int x;` means "any number".
#[test]
fn what_was_never_written_may_be_an_input() {
    let bench = bench_with(
        "int main() {\n  int x;\n  __CPROVER_assume(x > 3);\n  __CPROVER_assert(x != 5, \"five\");\n}\n",
    );
    let out = bench.nub(&["explain", "f.c"]).expect(1).stdout;
    assert!(
        out.contains("the value read is initialised and valid for its type: x")
            && out.contains("--uninitialised-inputs"),
        "{out}"
    );
    let out = bench.nub(&["explain", "f.c", "--uninitialised-inputs"]).expect(0).stdout;
    assert!(out.contains("Violated: five (file f.c line 4") && out.contains("Failing run: x=5"), "{out}");
    let out = bench.nub(&["explain", "f.c", "--uninitialised-inputs", "--tests", "t"]).expect(2).stderr;
    assert!(out.contains("--tests"), "{out}");
}

#[test]
fn error_labels() {
    let text = "void stop(void);\nint f(int a) {\n  int b = a;\n  if (b > 3)\n    goto ERROR;\n  if (b < 0)\n    ERROR: return 1;\n  return 0;\nEND: {\n    return 2; }\n}\n";
    let bench = bench_with(text);
    bench.nub(&["explain", "f.c", "--no-repair"]).expect(1);
    let found = json(&bench, &["--error-label", "ERROR"]);
    assert_eq!(found["property"]["id"], "f.assertion.1");
    assert_eq!(found["property"]["text"], "label ERROR is not reached");
    assert_eq!(found["property"]["place"]["line"], 7);
    assert_eq!(found["compiled"]["state"], "not-run");
    let list = bench.nub(&["explain", "f.c", "--list", "--error-label", "ERROR"]).expect(0).stdout;
    assert!(list.contains("label ERROR is not reached"), "{list}");
    bench.nub(&["explain", "f.c", "--error-label", "END"]).expect(1);
    let run = bench.nub(&["explain", "f.c", "--error-label", "NO"]).expect(2);
    assert!(run.stderr.contains("there is no label `NO`"), "{}", run.stderr);
    // The test of the passing run is written; the failing run would not be detected.
    bench.nub(&["explain", "f.c", "--error-label", "ERROR", "--tests", "d", "--no-repair"]).expect(0);
    assert!(bench.path("d/passes.c").exists() && !bench.path("d/fails.c").exists());
}

#[test]
fn always_fails() {
    let text =
        "void __CPROVER_assert(int, const char *);\nvoid f(int a) { __CPROVER_assert(a != a, \"\"); }\n";
    let run = bench_with(text).nub(&["explain", "f.c"]).expect(1);
    assert!(run.stdout.contains("No run passes"), "{}", run.stdout);
}

/// The fifth iteration violates it.
const LOOP: &str = "void __CPROVER_assert(int, const char *);
void f(int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++)
    sum += i;
  __CPROVER_assert(sum < 10, \"small\");
}
";

#[test]
fn needs_more_unwinding() {
    let bench = bench_with(LOOP);
    let run = bench.nub(&["explain", "f.c", "--unwind", "3", "--max-unwind", "3"]).expect(1);
    assert!(run.stdout.contains("within 3 iterations"), "{}", run.stdout);
    assert!(run.stdout.contains("longer runs were not examined"), "{}", run.stdout);
    let run = bench.nub(&["explain", "f.c", "--unwind", "6", "--no-native", "--no-repair"]).expect(0);
    assert!(run.stdout.contains("Violated: small"), "{}", run.stdout);
}

#[test]
fn rules_of_c_can_be_chosen() {
    let text = "int f(int a, int b) {\n  if (b > 2)\n    a = 5;\n  return a / b;\n}\n";
    let found = json(&bench_with(text), &["--check", "division", "--no-native"]);
    assert_eq!(found["property"]["kind"], "division");
    assert_eq!(found["property"]["place"]["line"], 4);
}

#[test]
fn wrong_use() {
    let bench = bench_with(F);
    bench.nub(&["explain", "none.c"]).expect(2);
    bench.nub(&["explain", "f.c", "-f", "g"]).expect(2);
    let unknown = bench.nub(&["explain", "f.c", "--input", "z=1"]).expect(2);
    assert!(unknown.stderr.contains("no input `z`"), "{}", unknown.stderr);
    bench.nub(&["explain", "f.c", "--input", "a=x"]).expect(2);
    bench.nub(&["explain", "f.c", "--weight", "gards=2"]).expect(2);
    bench.nub(&["explain", "f.c", "--check", "bound"]).expect(2);
    bench.nub(&["explain", "f.c", "--assume", "a > 1"]).expect(2);
    let passes = bench.nub(&["explain", "f.c", "--input", "a=1"]).expect(2);
    assert!(passes.stderr.contains("none of the selected properties fails"), "{}", passes.stderr);
}

/// Wrong values are reported with a suggestion: no option is silently ignored.
#[test]
fn wrong_values_get_a_suggestion() {
    let bench = bench_with(F);
    let said = |args: &[&str]| {
        let run = bench.nub(&[&["explain", "f.c", "--no-native"], args].concat()).expect(2);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
        run.stderr
    };
    for (args, words) in [
        (["--input", "z=1"], ["no input `z`", "hint: did you mean `a`"]),
        (["--input", "a=1,a=2"], ["`a` was given twice", ""]),
        (["--input", "a=2147483648"], ["`a` is of type `int`", "from -2147483648 to 2147483647"]),
        (["--input", "a=-0x80000001"], ["`a` is of type `int`", ""]),
        (["--line", "77"], ["no property at line 77", "hint: --list names them"]),
        (["--trust", "g"], ["no function `g`", "hint: did you mean `f`"]),
        (["--closest", "0"], ["--closest", ""]),
        (["--assume", "z > 1 @ 4"], ["`z > 1` at line 4: `z` is not declared", "hint: "]),
        (["--assume", "a > @ 4"], ["`a >` at line 4: ", "hint: "]),
        (
            ["--assume", "a > 1 @ 77"],
            ["no statement begins at line 77", "hint: the nearest lines with one: 6"],
        ),
        (["--assume", "a > 1 @ g.c:4"], ["line 4 of g.c", "hint: there are statements in f.c"]),
        (["--cause", "z > 1 @ 4"], ["`z > 1` at line 4: ", "hint: "]),
        (["--max-time", "0"], ["stopped before a failing", "hint: --max-time N"]),
    ] {
        let stderr = said(&args);
        assert!(words.iter().all(|word| stderr.contains(word)), "{args:?}: {stderr}");
    }
    for question in [&["--list"][..], &["--cause", "a > 3 @ 5"]] {
        let stderr = said(&[question, &["--html", "out.html"]].concat());
        assert!(stderr.contains("cannot be used with '--html"), "{stderr}");
    }
}

/// The search took long and the folder does not exist: what was found is not lost.
#[test]
fn a_file_that_cannot_be_written_costs_the_file() {
    let run = bench_with(F).nub(&["explain", "f.c", "--no-native", "--html", "none/out.html"]).expect(4);
    assert!(run.stdout.contains("Violated: "), "{}", run.stdout);
}

/// The code omits the last element.
#[test]
fn arrays_behind_parameters() {
    let text = "void __CPROVER_assert(int, const char *);
int f(const int *a, int n) {
  int i, most = -1;
  if (n < 2 || n > 5) return 0;
  for (i = 0; i < n - 1; i++)
    if (a[i] > most) most = a[i];
  __CPROVER_assert(most >= a[n - 1], \"most\");
  return most;
}
";
    let options = ["--no-native", "--no-repair", "--input", "n=5,a[4]=7"];
    let found = json(&bench_with(text), &options);
    assert_eq!(found["property"]["id"], "f.assertion.1", "{found}");
    assert_eq!(found["failing"]["inputs"][1]["name"], "a[0]", "{found}");
    // As many elements as the parameter declares; with less memory, the run is undefined before the
    // assertion.
    let declared = bench_with(&text.replace("*a", "a[5]"));
    assert_eq!(json(&declared, &options)["answer"], "explained");
    let few = bench_with(text).nub(&["explain", "f.c", "--elements", "4", "--input", "a[4]=7"]).expect(2);
    assert!(few.stderr.contains("no input `a[4]`") && few.stderr.contains("`a[3]`"), "{}", few.stderr);
}

#[test]
fn the_number_of_closest_runs() {
    let text = "void __CPROVER_assert(int, const char *);
void f(_Bool a, _Bool b, _Bool c) { int s = a + b + c; __CPROVER_assert(s != 3, \"not all\"); }
";
    for (most, words) in [
        ("1", ""),
        ("2", "Closest:  at least 2 runs are equally close"),
        ("9", "Closest:  3 runs are equally close"),
    ] {
        let run = bench_with(text)
            .nub(&["explain", "f.c", "--no-native", "--no-repair", "--closest", most])
            .expect(0);
        assert_eq!(run.stdout.contains("Closest:"), most != "1", "{}", run.stdout);
        assert!(run.stdout.contains(words), "{}", run.stdout);
    }
}

#[test]
fn nothing_of_a_kind() {
    let run = bench_with(F).nub(&["explain", "f.c", "--check", "bounds"]).expect(1);
    assert!(
        run.stdout.starts_with("There is no property to check: no assertion is reached"),
        "{}",
        run.stdout
    );
}

#[test]
fn bad_input_has_a_place_and_a_hint() {
    let run = bench_with("void f(int a) { a = ; }\n").nub(&["explain", "f.c"]).expect(2);
    assert!(run.stderr.contains(":1:") && run.stderr.contains('^'), "{}", run.stderr);
    let text = "void g(void);\nvoid f(int a) {\n  g();\n}\n";
    let run = bench_with(text).nub(&["explain", "f.c"]).expect(2);
    assert!(
        run.stderr.contains("`g` has no body") && run.stderr.contains("hint: define `g`"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(":3:"), "{}", run.stderr);
}

#[test]
fn causes() {
    let bench = bench_with(F);
    let run = bench.nub(&["explain", "f.c", "--cause", "a > 3 @ 5", "--no-native"]).expect(0);
    assert!(run.stdout.starts_with("The failure depends on `a > 3`"), "{}", run.stdout);
    let found = json(&bench, &["--cause", "a > 3 @ f.c:5"]);
    assert_eq!((&found["version"], &found["answer"]), (&1.into(), &"dependent".into()));
    bench.nub(&["explain", "f.c", "--cause", "nothing > 3 @ 5"]).expect(2);
}

/// Only 3 passes.
#[test]
fn assumptions_hold_in_both_runs() {
    let bench = bench_with(F);
    let found = json(&bench, &["--no-native", "--no-repair", "--assume", "a > 2 @ 3"]);
    assert_eq!(found["passing"]["inputs"][0]["value"], "3", "{found}");
    assert_eq!(found["assumptions"][0]["by"], "user");
}

/// The inputs are fine but the bound is too small: the hint says so.
#[test]
fn inputs_beyond_the_bound() {
    let bench = bench_with(
        "void __CPROVER_assert(int, const char *);
void f(int n) { int i = 0; while (i < n) i++; __CPROVER_assert(i < 5, \"\"); }
",
    );
    let run = bench.nub(&["explain", "f.c", "--input", "n=6", "--unwind", "5", "--no-native", "--no-repair"]);
    let said = run.expect(2).stderr;
    assert!(said.contains("more than 5 iterations of a loop") && said.contains("--unwind 10"), "{said}");
    let run = bench.nub(&["explain", "f.c", "--input", "n=3", "--no-native", "--no-repair"]).expect(2);
    assert!(run.stderr.contains("give fewer --input values"), "{}", run.stderr);
}

/// A program that defines `main` as a macro is compiled in preprocessed form.
#[test]
fn a_program_that_renames_main() {
    let bench = bench_with(
        "#include <assert.h>
#define main inner
int main(int a) { int b = a; if (a > 3) b = 0; return b; }
#undef main
int nondet_int(void);
int main(void) { int a = nondet_int(); assert(inner(a) == a); return 0; }
",
    );
    let out = bench.nub(&["explain", "f.c", "--no-repair"]).expect(0).stdout;
    assert!(out.contains("in the interpreter and in the compiled program"), "{out}");
}

/// States and values of both runs, as in figures 5, 6, 8 and 9 of the paper.
#[test]
fn complete_traces() {
    let bench = bench_with(F);
    let args = ["explain", "f.c", "--input", "a=9", "--no-native", "--no-repair", "--trace"];
    let out = bench.nub(&args).expect(0).stdout;
    for part in [
        "States of the failing run:\n",
        "Values of the failing run",
        "States of the passing run:\n",
        "a#0 = 9\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let found = json(&bench, &["--input", "a=9", "--no-native", "--no-repair"]);
    let trace = found["trace"].as_array().unwrap();
    assert!(trace.len() >= found["deltas"].as_array().unwrap().len(), "{found}");
    assert!(trace.iter().any(|value| value["what"] == "a" && value["failing"] == "9"), "{found}");
    assert_eq!(found["changed_inputs"][0]["name"], "a", "{found}");
}

#[test]
fn one_step_was_not_stopped() {
    let bench = bench_with(F);
    let out = bench.nub(&["explain", "f.c", "--one-step", "--no-native", "--no-repair"]).expect(0).stdout;
    assert!(!out.contains("stopped before"), "{out}");
}

/// With `--wrapv` an overflow is an ordinary result: it may violate an assertion, and the compiled program agrees.
#[test]
fn signed_overflow_wraps_on_request() {
    let bench = Bench::new();
    bench
        .write("next.c", "#include <assert.h>\nvoid check(int x) {\n  int y = x + 1;\n  assert(y > x);\n}\n");
    let plain = bench.nub(&["explain", "next.c", "-f", "check", "--no-repair"]).expect(0).stdout;
    assert!(plain.contains("the result fits its type"), "{plain}");
    let found = bench.nub(&["explain", "next.c", "-f", "check", "--wrapv", "--no-repair"]).expect(0).stdout;
    assert!(found.contains("Violated: y > x") && found.contains("x=2147483647"), "{found}");
    assert!(found.contains("in the interpreter and in the compiled program"), "{found}");
    assert!(found.contains("Signed overflow wraps around (--wrapv)"), "{found}");
}

/// The assumptions of a proof about allocations are reported, and impossible allocations can be excluded by
/// an option.
#[test]
fn allocations_succeed_on_request() {
    let bench = bench_with(
        "#include <assert.h>
#include <stdlib.h>
void f(size_t n) {
  char *p = malloc(n);
  assert(p);
  free(p);
}
",
    );
    // The closest passing run needs more memory than any machine has: it is not replayed, and that is
    // reported.
    let out = bench.nub(&["explain", "f.c", "--no-repair"]).expect(0).stdout;
    assert!(out.contains("Not replayed: ") && out.contains("more memory than is available"), "{out}");
    assert!(
        out.contains(
            "Note:     This holds if every allocation of at most half of the address space succeeds."
        ),
        "{out}"
    );
    let out = bench.nub(&["explain", "f.c", "--allocations-succeed"]).expect(1).stdout;
    assert!(out.contains("Note: this holds if every allocation succeeds (--allocations-succeed)"), "{out}");
    bench.write("f.c", "#include <stdlib.h>\nint f(void) { int *p = malloc(4); if (!p) return 1; *p = 3; int x = 6 / *p; free(p); return x; }\n");
    let out = bench.nub(&["explain", "f.c"]).expect(1).stdout;
    assert!(
        out.contains("Note: this holds if every allocation of at most half of the address space succeeds"),
        "{out}"
    );
    bench.write("f.c", "int f(int a) { return a / 2; }\n");
    assert!(!bench.nub(&["explain", "f.c"]).expect(1).stdout.contains("allocation"));
}

/// A fix whose proof depends on the unspecified sign of a NaN says so.
#[test]
fn a_fix_names_what_its_proof_rests_on() {
    let text = "#include <assert.h>
#include <math.h>
static int sign(double z) {
  return signbit(z) ? 1 : 2;
}
void check(double x, double y) {
  int s = sign(x - y);
  assert(s == 0 || s == 1);
}
";
    let bench = bench_with(text);
    let args = ["explain", "f.c", "-f", "check", "--no-native", "--repair-time", "600"];
    let out = bench.nub(&args).expect(0).stdout;
    let first = out.lines().next().unwrap();
    assert!(first.contains("fixes every failing run (proved"), "{out}");
    assert!(first.contains(" if no bit of a NaN that arithmetic produces matters"), "{out}");
    let found = json(&bench, &["-f", "check", "--no-native", "--repair-time", "600"]);
    let premises = &found["ranking"]["lines"][0]["proof"]["premises"];
    assert_eq!(premises[0], "no bit of a NaN that arithmetic produces matters", "{found}");
}

/// A size that is not constant stands for several elements; if some run uses more, the answer says so.
#[test]
fn allocations_of_any_size_have_elements() {
    let bench = Bench::new();
    let program = |limit: u32| {
        format!(
            "#include <assert.h>\n#include <stdlib.h>\nint f(int n) {{ if (n < 1 || n > {limit}) return 0;\n\
             int *p = malloc(n * sizeof *p); if (!p) return -1;\n\
             for (int i = 0; i < n; i++) p[i] = i;\nassert(p[n - 1] != {limit} - 1); free(p); return 0; }}\n"
        )
    };
    bench.write("f.c", &program(4));
    let out = bench.nub(&["explain", "f.c"]).expect(0).stdout;
    assert!(out.contains("Violated: p[n - 1] != 4 - 1") && out.contains("Failing run: n=4"), "{out}");
    bench.write("f.c", &program(20));
    let out = bench.nub(&["explain", "f.c", "--unwind", "30"]).expect(1).stdout;
    let bound = "Note: this holds if no run uses more than 8 elements of an allocation whose size is not constant (--elements N)";
    assert!(out.contains(bound), "{out}");
    let out = bench.nub(&["explain", "f.c", "--unwind", "30", "--elements", "20"]).expect(0).stdout;
    assert!(out.contains("Violated: p[n - 1] != 20 - 1"), "{out}");
}

/// A function that is not `main` may be called when its variables have other values.
#[test]
fn initial_values_are_named() {
    let bench = Bench::new();
    let program = |head: &str| {
        format!(
            "#include <assert.h>\nint lock;\n{head} {{ if (lock) return 1; assert(lock == 0); lock = 1; return 0; }}\n"
        )
    };
    bench.write("f.c", &program("int f(void)"));
    let note =
        "this holds if `lock` has its initial value when the function is called (otherwise: --globals)";
    assert!(bench.nub(&["explain", "f.c"]).expect(1).stdout.contains(note));
    assert!(!bench.nub(&["explain", "f.c", "--globals"]).expect(1).stdout.contains("initial value"));
    bench.write("f.c", &program("int main(void)"));
    assert!(!bench.nub(&["explain", "f.c"]).expect(1).stdout.contains("initial value"));
}
