//! A goal is infeasible only if no legal caller reaches it, whatever else is in the program: proofs name what they depend on.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, with_options};
use nub_c_ir::interp::{RunOutcome, RuntimeValue};
use nub_c_ir::{Argument, InterpreterLimits, Program, RunInputs, run};
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, GoalReport};
use nub_cover::{CoverOptions, Memory, UndefinedBehaviour, output};
use nub_random::Rng;
use nub_test_kit::for_all_seeds;
use nub_unroll::{Aliases, Globals};

fn options(criterion: Criterion, aliases: Aliases) -> CoverOptions {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(criterion)],
        memory: Memory::UpTo(16),
        ..CoverOptions::default()
    };
    options.unroll.pointers.may_be_null = true;
    options.unroll.pointers.aliases = aliases;
    options
}

fn report(text: &str, aliases: Aliases) -> CoverReport {
    with_options(text, &options(Criterion::Decision, aliases)).unwrap()
}

/// Goals that are not covered: what they require, their state, and what that depends on.
fn missing(report: &CoverReport) -> Vec<String> {
    let open = report.goals.iter().filter(|goal| goal.state.word() != "covered");
    open.map(|goal: &GoalReport| {
        let premises: Vec<&str> = goal.premises.iter().map(|premise| premise.text.as_str()).collect();
        format!("{} {}: {} {}", goal.text, goal.wanted, goal.state, premises.join(", ")).trim_end().to_owned()
    })
    .collect()
}

#[track_caller]
fn check(text: &str, aliases: Aliases, expected: &[&str]) {
    let report = report(text, aliases);
    assert_eq!(missing(&report), expected, "{text}");
    assert_eq!(
        report.summary.infeasible_if,
        expected.iter().filter(|line| line.contains("infeasible-if")).count()
    );
}

const TWO: &str = "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }";
const GLOBAL: &str = "int g; int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }";
const MARK: &str = "int f(int *p) { if (p == (int *)1) return 1; return 0; }";
const STATIC: &str = "int f(int e) { static int n; if (e) n++; if (n > 2) return 1; return 0; }";

/// Pointers of one type may point to one object, and to a variable of that type; or be a marker that the program uses.
#[test]
fn what_a_caller_may_share_is_an_input() {
    for text in [TWO, GLOBAL, MARK] {
        check(text, Aliases::SameType, &[]);
    }
    check(
        "struct n { struct n *next; }; int f(struct n *p) { if (p && p->next == p) return 1; return 0; }",
        Aliases::SameType,
        &[],
    );
    // Only the last value that was stored can be read.
    check(&TWO.replace("*p == 2", "*p == 3"), Aliases::SameType, &["*p == 3 true: infeasible"]);
}

/// Buffers with their end: pointers into one array, in any order that a caller may choose.
#[test]
fn ends_of_buffers_are_inputs() {
    let ordered = "int f(const char *p, const char *end) { int n = 0; if (!p || !end) return 0; while (p < end) { n++; p++; } return n > 2; }";
    check(ordered, Aliases::SameType, &[]);
    check(
        "int f(const int *p, const int *q) { return p && q && q - p == 2 ? 1 : 0; }",
        Aliases::SameType,
        &[],
    );
}

/// The same without such inputs: the claim names its assumptions.
#[test]
fn what_is_taken_for_granted_is_said() {
    let apart = "infeasible-if what `p` points to and what `q` points to do not overlap";
    check(TWO, Aliases::None, &[&format!("*p == 2 true: {apart}")]);
    let apart = "infeasible-if what `p` points to and `g` do not overlap";
    check(GLOBAL, Aliases::None, &[&format!("g == 2 true: {apart}")]);
    let initial = "n > 2 true: infeasible-if `n` has its initial value when the function is called";
    check(STATIC, Aliases::SameType, &[initial]);
    let member = "struct s { int a, b; }; int f(struct s *x, int *n) { x->a = 1; *n = 2; if (x->a == 2) return 1; return 0; }";
    let apart = "infeasible-if what `x` points to and what `n` points to do not overlap";
    check(member, Aliases::SameType, &[&format!("x->a == 2 true: {apart}")]);
    let number = "infeasible-if no address of an object matters as a number";
    check(MARK, Aliases::None, &[&format!("p == (int *)1 true: {number}")]);
    // More markers than inputs for them.
    let many = "int f(int *p) { if (p == (int *)1 || p == (int *)2 || p == (int *)3 || p == (int *)5) return 1; if (p == (int *)7) return 2; return 0; }";
    check(many, Aliases::SameType, &[&format!("p == (int *)7 true: {number}")]);
    let other = "int f(int *p, long *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }";
    check(other, Aliases::SameType, &["*p == 2 true: infeasible"]);
    let inside = "int f(int *p) { if (p[-1] == 3) return 1; return 0; }";
    assert!(missing(&report(inside, Aliases::SameType)).iter().all(|line| !line.ends_with("infeasible")));
    let freed =
        "void free(void *); int f(int *p, int a) { if (!p) return 2; free(p); if (a) return 1; return 0; }";
    let lines = missing(&report(freed, Aliases::SameType));
    assert!(
        lines.len() == 3 && lines[1].ends_with("what `p` points to was not allocated by `malloc`"),
        "{lines:?}"
    );
}

/// Variables that no other code can change keep their initial values, and what they exclude is excluded without assumptions.
#[test]
fn what_nobody_can_change_needs_no_assumption() {
    check(
        "static int t[2] = {1, 2}; int f(unsigned i) { if (i < 2 && t[i] > 2) return 1; return 0; }",
        Aliases::SameType,
        &["i < 2 && t[i] > 2 true: infeasible"],
    );
    check(
        "const int c = 3; int f(int i) { if (i == c && i != 3) return 1; return 0; }",
        Aliases::SameType,
        &["i == c && i != 3 true: infeasible"],
    );
    let open = "int t[2] = {1, 2}; int f(unsigned i) { if (i < 2 && t[i] > 2) return 1; return 0; }";
    let initial =
        "i < 2 && t[i] > 2 true: infeasible-if `t` has its initial value when the function is called";
    check(open, Aliases::SameType, &[initial]);
    let mut with_globals = options(Criterion::Decision, Aliases::SameType);
    with_globals.unroll.globals = Globals::Inputs;
    assert!(missing(&with_options(open, &with_globals).unwrap()).is_empty());
}

/// `const` before a `*` is about what a pointer points to; the pointer itself may be set. `const` may come with a typedef name.
#[test]
fn a_pointer_to_const_may_change() {
    let initial = "infeasible-if `p` has its initial value when the function is called";
    for declared in [
        "static const char *p; void set(const char *to) { p = to; }",
        "const int *p;",
        "typedef const int c; c *p;",
    ] {
        let text = format!("{declared} int f(void) {{ if (p) return 1; return 0; }}");
        check(&text, Aliases::SameType, &[&format!("p true: {initial}")]);
    }
    let names =
        "const char *names[2] = {0}; int f(unsigned i) { if (i < 2 && names[i]) return 1; return 0; }";
    let initial = "infeasible-if `names` has its initial value when the function is called";
    check(names, Aliases::SameType, &[&format!("i < 2 && names[i] true: {initial}")]);
    for (declared, read) in [
        ("int *const p = 0;", "p"),
        ("typedef const int row[2]; row a[1] = {{0, 0}};", "a[0][1]"),
        ("typedef const struct { int n; } c; c one = {0}; c many[1] = {{0}};", "one.n || many[0].n"),
        ("__typeof__(const int) n = 0;", "n"),
    ] {
        let text = format!("{declared} int f(void) {{ if ({read}) return 1; return 0; }}");
        check(&text, Aliases::SameType, &[&format!("{read} true: infeasible")]);
    }
}

/// A function of another file may call the functions of this one, which write variables that it cannot name.
#[test]
fn a_function_elsewhere_may_call_back() {
    let text = "void ext(void); static int s; void set(int v) { s = v; } int f(void) { s = 1; ext(); if (s == 2) return 1; return 0; }";
    let writes = "infeasible-if `ext`, which has no body here, writes nothing else that is read";
    check_with_stubs(text, &[&format!("s == 2 true: {writes}")]);
    let again =
        "void ext(void); static int n; int f(void) { n = 0; ext(); if (n == 1) return 1; n++; return 0; }";
    check_with_stubs(again, &[&format!("n == 1 true: {writes}")]);
    let table = "void ext(void); static int t[2] = {1, 2}; int f(unsigned i) { ext(); if (i < 2 && t[i] > 2) return 1; return 0; }";
    check_with_stubs(table, &["i < 2 && t[i] > 2 true: infeasible"]);
}

#[track_caller]
fn check_with_stubs(text: &str, expected: &[&str]) {
    let (mut program, first) = program(text);
    let f = program.function_by_name("f").unwrap_or(first);
    program.supply_missing(f);
    let source = nub_cover::describe::SourceQuotes { program: &program, text: text.as_bytes() };
    let options = options(Criterion::Decision, Aliases::SameType);
    assert_eq!(missing(&nub_cover::cover(source, f, &options).unwrap()[0]), expected, "{text}");
}

/// Literals with the same characters may be one object, and one may be the end of another.
#[test]
fn literals_may_be_one_object() {
    let address = "infeasible-if no address of an object matters as a number";
    for (other, is_open) in [("\"bar\"", true), ("\"foobar\" + 3", true), ("\"baz\"", false)] {
        let text = format!(
            "int f(void) {{ const char *a = \"bar\", *b = {other}; if (a == b) return 1; return 0; }}"
        );
        let expected = if is_open {
            vec![format!("a == b true: {address}"), format!("a == b false: {address}")]
        } else {
            vec!["a == b true: infeasible".to_owned()]
        };
        assert_eq!(missing(&report(&text, Aliases::SameType)), expected, "{text}");
    }
}

/// What depends on a function pointer that another file may have set is not proved by its initial value.
#[test]
fn handlers_may_be_set_by_others() {
    let text = "int (*handler)(int); int done; int f(int a) { done = 0; if (handler) handler(a); if (done) return 1; return 0; }";
    let initial = "infeasible-if `handler` has its initial value when the function is called";
    check(text, Aliases::SameType, &[&format!("handler true: {initial}"), &format!("done true: {initial}")]);
}

/// A volatile pointer may have a different value at each read.
#[test]
fn volatile_pointers_may_change() {
    let text = "int *volatile p; int f(int a) { if (a) { p = 0; if (p) return 1; } return 0; }";
    let lines = missing(&report(text, Aliases::SameType));
    let kept = "infeasible-if volatile pointers, structures and objects of atomic operations keep their values between accesses";
    assert_eq!(lines, [format!("p true: {kept}")]);
    // An atomic operation on a volatile object reads what was written here, although a device or another thread may have written since.
    let text = "volatile int g; int f(int a) { g = a; return __atomic_load_n(&g, 5) != a ? 1 : 0; }";
    let lines = missing(&report(text, Aliases::SameType));
    let kept = kept.replace(
        "infeasible-if ",
        "infeasible-if no other thread writes what is read after an atomic operation or a barrier, ",
    );
    assert_eq!(lines, [format!("__atomic_load_n(&g, 5) != a true: {kept}")]);
}

/// Claims about rules of C that no run violates.
#[test]
fn undefined_behaviour_rests_on_the_same() {
    let mut options = options(Criterion::Decision, Aliases::SameType);
    options.undefined = UndefinedBehaviour::Listed(nub_c_ir::CheckSet::rules());
    let text = "int n = 5; static int m = 5; int f(int a) { if (a > 0 && a < 100) return a + n; return a > 0 && a < 200 ? a + m : 0; }";
    let found = with_options(text, &options).unwrap();
    let states: Vec<&str> = found.undefined_behaviour.iter().map(|place| place.state.word()).collect();
    assert_eq!(states, ["infeasible-if", "infeasible"], "{}", output::table(&found));
}

const PLACES: [&str; 8] = ["*p", "*q", "g", "p[1]", "q[1]", "r->a", "r->b", "n"];
/// Callers, all legal: one object twice, neighbours, variables, members. They differ in what `f` can observe.
const CALLERS: [&str; 8] = [
    "f(x, y, &s)",
    "f(x, x, &s)",
    "f(x, x + 1, &s)",
    "f(x + 1, x, &s)",
    "f(h, y, &s)",
    "f(x, h, &s)",
    "f(&s.a, y, &s)",
    "f(x, &s.a, &s)",
];

fn value(random: &mut Rng) -> String {
    match random.below(3) {
        0 => format!("{}", random.below(4)),
        1 => random.pick(&PLACES).to_owned(),
        _ => format!("{} + {}", random.pick(&PLACES), random.below(3)),
    }
}

/// A function of three pointers, a global array and a static variable, with a code for each place where it returns; and its callers.
fn random_program(random: &mut Rng) -> String {
    let mut body = String::new();
    for code in 1..=5 {
        for _ in 0..=random.below(2) {
            let (place, value) = (random.pick(&PLACES), value(random));
            body += &format!("  {place} = {value};\n");
        }
        let operator = random.pick(&["==", "!=", ">", "<"]);
        body += &format!("  if ({} {operator} {}) return {code};\n", random.pick(&PLACES), value(random));
    }
    let mut text = format!(
        "typedef unsigned char u; struct s {{ u a, b, c; }};\nu h[3]; u g;\n\
         int f(u *p, u *q, struct s *r) {{\n  static u n;\n{body}  return 0;\n}}\n"
    );
    for (number, call) in CALLERS.iter().enumerate() {
        text += &format!(
            "int call{number}(u i, u j, u k, u again) {{ u x[3] = {{i, j, k}}, y[2] = {{k, i}}; struct s s = {{j, k, i}};\n\
             h[0] = j; h[1] = i; g = k; int last = {call}; if (again) last = {call}; return last; }}\n"
        );
    }
    text
}

/// The codes that all callers get, with a few values each. Undefined runs are ignored.
fn codes(program: &Program) -> Vec<u128> {
    let mut found = Vec::new();
    for number in 0..CALLERS.len() {
        let caller = program.function_by_name(&format!("call{number}")).unwrap();
        for index in 0..3_u128.pow(3) * 2 {
            let digits = [index % 3, index / 3 % 3, index / 9 % 3, index / 27];
            let arguments = digits.iter().map(|digit| Argument::Int(*digit)).collect();
            let inputs = RunInputs { arguments, ..RunInputs::default() };
            let run = run(program, caller, &inputs, &InterpreterLimits::default());
            if let (RunOutcome::Returned, Some(RuntimeValue::Int(code))) = (run.outcome, run.returned) {
                found.push(code);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What some legal caller reaches is never called infeasible. This includes callers that no generated test makes: neighbours in an array, members of
/// a structure, and a second call.
#[test]
fn no_caller_reaches_what_is_proved_infeasible() {
    let count = if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 2_000 } else { 60 };
    let mut random = Rng::new(1);
    let texts: Vec<String> = (0..count).map(|_| random_program(&mut random)).collect();
    let counts = for_all_seeds(0..count, |round| {
        let (mut n_proved, mut n_if) = (0, 0);
        let text = &texts[round as usize];
        let (program, _) = program(text);
        let aliases = if round % 2 == 0 { Aliases::SameType } else { Aliases::None };
        let options = options(Criterion::Statement, aliases);
        let report = with_options(text, &options).unwrap();
        let reached = codes(&program);
        for goal in &report.goals {
            let code: Option<u128> =
                goal.text.strip_prefix("return ").and_then(|rest| rest.trim_end_matches(';').parse().ok());
            let is_reached = code.is_some_and(|code| reached.contains(&code));
            let is_claim = goal.state.word() == "infeasible";
            assert!(!(is_claim && is_reached), "{} {}\n{text}", goal.text, goal.state);
            n_proved += usize::from(is_claim);
            n_if += usize::from(goal.state.word() == "infeasible-if");
        }
        (n_proved, n_if)
    });
    let n_proved: usize = counts.iter().map(|counts| counts.0).sum();
    let n_if: usize = counts.iter().map(|counts| counts.1).sum();
    assert!(n_proved > 3 && n_if > 3, "{n_proved} {n_if}: nothing was tested");
}
