//! What counts as a decision, what is infeasible and why, and inputs that are not plain numbers.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, with_options};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, GoalReport};
use nub_cover::{
    CoverOptions, Error, ExistingTest, GivenNumber, Memory, UndefinedBehaviour, Unwind, output, split,
};

fn options(criterion: Criterion) -> CoverOptions {
    CoverOptions {
        readings: vec![CriterionReading::new(criterion)],
        memory: Memory::UpTo(64),
        ..CoverOptions::default()
    }
}

fn report(text: &str, criterion: Criterion) -> CoverReport {
    with_options(text, &options(criterion)).unwrap()
}

fn states(report: &CoverReport) -> Vec<(&str, &str)> {
    report.goals.iter().map(|goal: &GoalReport| (goal.id.as_str(), goal.state.word())).collect()
}

#[track_caller]
fn check_full(text: &str, criterion: Criterion, n_goals: usize, n_tests: usize) {
    let report = report(text, criterion);
    assert_eq!(report.summary.goals, n_goals, "{:?}", states(&report));
    assert_eq!(report.summary.covered, n_goals, "{:?}", states(&report));
    assert!(report.is_minimal);
    assert_eq!(report.tests.len(), n_tests, "{}", output::table(&report));
}

#[test]
fn conditional_operator_and_values_are_decisions() {
    check_full("int f(int a) { return a > 3 ? 1 : 2; }", Criterion::Decision, 2, 2);
    check_full("int f(int a, int b) { int x = a && b; return x; }", Criterion::McdcPairs, 2, 3);
    check_full(
        "int g(int x) { return x; } int f(int a, int b) { return g(a || !b); }",
        Criterion::McdcPairs,
        2,
        3,
    );
}

#[test]
fn cases_of_switch_are_outcomes() {
    let text = "int f(int a) { switch (a) { case 1: return 5; case 2: case 3: return 6; default: break; } return 7; }";
    check_full(text, Criterion::Decision, 4, 4);
    let without_default = "int f(int a) { switch (a) { case 1: a = 5; } return a; }";
    check_full(without_default, Criterion::Decision, 2, 2);
}

#[test]
fn statements_count_on_their_own() {
    check_full("int f(int a) { int b = 0; if (a) b = 1; else b = 2; return b; }", Criterion::Statement, 5, 2);
}

/// One run evaluates the condition of a loop several times.
#[test]
fn one_test_may_be_enough_with_a_loop() {
    let text = "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += 2; return s; }";
    check_full(text, Criterion::Decision, 2, 1);
    check_full(text, Criterion::McdcPairs, 1, 1);
}

#[test]
fn do_loops_and_goto() {
    check_full("int f(int n) { int i = 0; do i++; while (i < n); return i; }", Criterion::Decision, 2, 1);
    let text = "int f(int n) { int i = 0; again: i++; if (i < 3 && n > i) goto again; return i; }";
    check_full(text, Criterion::ConditionDecision, 6, 2);
}

#[test]
fn reasons_name_the_decision_that_excludes() {
    let report =
        report("int f(int a) {\n if (a > 5)\n  if (a > 3)\n   return 1;\n return 0; }", Criterion::Decision);
    let missing: Vec<&GoalReport> =
        report.goals.iter().filter(|goal| goal.state.word() != "covered").collect();
    assert_eq!(missing.len(), 1);
    assert_eq!((missing[0].id.as_str(), missing[0].state.word()), ("f/d2/false", "infeasible"));
    assert_eq!(missing[0].reason.as_deref(), Some("control reaches it only if line 2: `a > 5` is true"));
}

#[test]
fn impossible_by_itself_and_constant() {
    let itself = report("int f(unsigned a) { if (a < 0) return 1; return 0; }", Criterion::Decision);
    assert_eq!(states(&itself), [("f/d1/true", "infeasible"), ("f/d1/false", "covered")]);
    // Compilers fold constants and do not count them; neither do tools that follow compilers.
    let constant = report("int f(int a) { while (1) { if (a) return a; a++; } }", Criterion::Condition);
    assert_eq!(states(&constant), [("f/d2/c1/true", "covered"), ("f/d2/c1/false", "covered")]);
    let half = report("int f(int a) { return a && sizeof(int) == 4 ? 1 : 2; }", Criterion::ConditionDecision);
    assert_eq!(states(&half).len(), 4);
}

/// `x + 1 < x` is true only if the addition overflows.
#[test]
fn undefined_behaviour_reaches_no_goal() {
    let report = report("int f(int x) { if (x + 1 < x) return 1; return 0; }", Criterion::Decision);
    assert_eq!(states(&report), [("f/d1/true", "undefined"), ("f/d1/false", "covered")]);
    assert_eq!(
        report.goals[0].reason.as_deref(),
        Some("every run that reaches it has undefined behaviour: signed overflow in line 1")
    );
}

/// The goal comes first, and what follows is always undefined: no test is given, and the reason says which came first.
#[test]
fn undefined_behaviour_after_a_goal() {
    let text = "int f(int x) { int r = 0; if (x == 3) r = 1 / (x - 3); return r; }";
    let report = report(text, Criterion::Decision);
    assert_eq!(states(&report), [("f/d1/true", "undefined"), ("f/d1/false", "covered")]);
    let reason = report.goals[0].reason.as_deref().unwrap();
    assert!(reason.ends_with("in line 1, after it was reached"), "{reason}");
}

#[test]
fn undefined_behaviour_is_a_goal_if_it_is_asked_for() {
    let text = "int f(int x, int y) {\n if (y > 5) return x / (y - 7);\n return x - 1; }";
    let listed = CoverOptions {
        undefined: UndefinedBehaviour::Listed(nub_c_ir::CheckSet::rules()),
        ..options(Criterion::Decision)
    };
    let report = with_options(text, &listed).unwrap();
    let found: Vec<(&str, &str, u32)> = report
        .undefined_behaviour
        .iter()
        .map(|found| (found.id.as_str(), found.state.word(), found.line))
        .collect();
    // `y - 7` is only computed for a large y. The quotient of the smallest number and -1 overflows too: then y is 6.
    let expected = [
        ("f/u1/division", "reached", 2),
        ("f/u2/overflow", "reached", 2),
        ("f/u3/overflow", "infeasible", 2),
        ("f/u4/overflow", "reached", 3),
    ];
    assert_eq!(found, expected);
    assert!(
        report.undefined_behaviour.iter().all(|found| found.is_replayed == (found.state.word() == "reached"))
    );
    let division = report.undefined_behaviour.iter().find(|found| found.rule == "division by zero").unwrap();
    assert_eq!(division.inputs[1].value, "7");
    assert!(
        output::table(&report)
            .contains("Undefined behaviour: 3 of 4 places can be reached, 1 infeasible (proved)")
    );
}

/// What a loop may violate after the bound is not called infeasible.
#[test]
fn undefined_behaviour_beyond_the_bound_is_no_proof() {
    let text = "int f(unsigned n, int k) { int s = k & 255; for (unsigned i = 0; i < n; i++) s += 1000000000; return s > 7; }";
    let of = |bound| {
        let asked = CoverOptions {
            undefined: UndefinedBehaviour::Listed(nub_c_ir::CheckSet::rules()),
            unwind: Unwind::Exactly(bound),
            ..options(Criterion::Decision)
        };
        with_options(text, &asked).unwrap().undefined_behaviour[0].state.word()
    };
    assert_eq!((of(2), of(3)), ("beyond-bound", "reached"));
}

/// The caller may own more than the few elements that are modelled: they grow, and what is still out of reach is not called infeasible.
#[test]
fn the_memory_behind_a_pointer_is_not_infeasibility() {
    let states_of = |text: &str, memory| {
        let mut wanted = CoverOptions { memory, ..options(Criterion::Decision) };
        wanted.unroll.pointers.elements = 4;
        wanted.unroll.pointers.characters = 4;
        let report = with_options(text, &wanted).unwrap();
        let found: Vec<String> = states(&report).into_iter().map(|(_, state)| state.to_owned()).collect();
        (found, report.goals.iter().find_map(|goal| goal.reason.clone()))
    };
    let long = "int f(const char *s) { int n = 0; while (s[n]) n++; if (n > 6) return 1; return 0; }";
    assert_eq!(states_of(long, Memory::UpTo(16)).0, ["covered"; 4]);
    let (found, reason) = states_of(long, Memory::Fixed);
    assert_eq!(found, ["covered", "covered", "beyond-bound", "covered"]);
    assert!(reason.unwrap().contains("4 elements behind each pointer"));
    let list = "struct n { int key; struct n *next; };
        int f(struct n *p) { if (p->next->next->next->key == 3) return 1; return 0; }";
    assert_eq!(states_of(list, Memory::UpTo(16)).0, ["covered"; 2]);
    assert_eq!(states_of(list, Memory::Fixed).0, ["beyond-bound"; 2]);
    // What no memory can change stays infeasible, also after an access that may point anywhere.
    let never = "int f(const int *a, int n) { int x = a[n]; if (n > 3 && n < 2) return x; return x > 7; }";
    assert_eq!(states_of(never, Memory::UpTo(8)).0, ["infeasible", "covered"]);
    // An array with a declared length.
    let known = "int f(int a[3], unsigned n) { return n > 2 && a[n] ? 1 : 0; }";
    assert_eq!(states_of(known, Memory::UpTo(16)).0[0], "infeasible-if");
}

/// The address of an object is not guaranteed, and a run that depends on it may differ next time.
#[test]
fn addresses_are_no_proof() {
    let text = "int f(const char *s) { if ((unsigned long)s % 8) return 1; return 0; }";
    assert_eq!(states(&report(text, Criterion::Decision))[0], ("f/d1/true", "infeasible-if"));
    let text = "int f(const char *s) { if ((unsigned long)s % 8 > 8) return 1; return 0; }";
    assert_eq!(states(&report(text, Criterion::Decision))[0], ("f/d1/true", "infeasible"));
}

/// After a loop that may run longer than the bound, a decision still has one outcome per run: the proof of the size needs no bound.
#[test]
fn goals_behind_a_loop_exclude_each_other() {
    let in_call = "static int sum(int n) { int s = 0; while (n > 0) s ^= n--; return s; }
        int f(int n) { return sum(n) > 7 && n < 9 ? 2 : 3; }";
    let own = "int f(int n, int k) { int s = 0; while (n > 0) s ^= n--; switch (s) { case 1: k = 5; break; case 3: k = 0; } return k; }";
    let returns = "int f(const char *s) { int n = 0; while (s[n]) n++; if (n < 2) return 1;
        for (int i = 0; i < n; i++) if (s[i] == ' ' || s[i] < 0) return 2;
        if (n == 3) return 3; return 4; }";
    for text in [in_call, own, returns] {
        for criterion in [Criterion::Decision, Criterion::ConditionDecision, Criterion::McdcPairs] {
            let report = report(text, criterion);
            assert_eq!((report.proof.word(), report.is_minimal), ("clique", true), "{text}");
            assert_eq!(report.summary.covered, report.summary.goals, "{text}");
        }
    }
}

/// `do { ... } while (0)` of macros is not a decision.
#[test]
fn a_loop_that_is_run_once_has_no_goals() {
    let report = report("int f(int a) { do { if (a) a = 2; } while (0); return a; }", Criterion::Decision);
    assert_eq!(states(&report).len(), 2);
    assert_eq!(report.summary.covered, 2);
}

#[test]
fn a_bound_is_not_infeasibility() {
    let text = "int f(unsigned n) { unsigned i = 0; while (i < n) { i++; if (i == 9) return 1; } return 0; }";
    let short = CoverOptions { unwind: Unwind::Exactly(4), ..options(Criterion::Decision) };
    let report = with_options(text, &short).unwrap();
    assert!(states(&report).contains(&("f/d2/true", "beyond-bound")), "{:?}", states(&report));
    check_full(text, Criterion::Decision, 4, 2);
}

#[test]
fn assumptions_restrict_tests() {
    let text = "void __CPROVER_assume(int); int f(int a) { __CPROVER_assume(a > 10); if (a > 5) return 1; return 0; }";
    let report = report(text, Criterion::Decision);
    assert_eq!(states(&report), [("f/d1/true", "covered"), ("f/d1/false", "infeasible")]);
    assert!(report.goals[1].reason.as_deref().unwrap().contains("the assumptions hold"));
    assert!(report.tests[0].inputs[0].value.parse::<i32>().unwrap() > 10);
}

#[test]
fn structures_arrays_and_globals_are_inputs() {
    let text = "struct p { int x; unsigned y : 3; }; int f(struct p *p, const int *a) {
        if (p->x > 7 && p->y == 5) return a[0] == 3; return 2; }";
    let report = report(text, Criterion::McdcPairs);
    assert!(
        report.is_minimal && report.summary.covered == report.summary.goals,
        "{}",
        output::table(&report)
    );
    assert!(report.tests[0].pre.contains("[0].x = "), "{}", report.tests[0].pre);
    let global = "int level; int f(int a) { if (a > level) return 1; return 0; }";
    let inputs = nub_unroll::UnrollConfig {
        globals: nub_unroll::Globals::Inputs,
        ..nub_unroll::UnrollConfig::default()
    };
    let options = CoverOptions { unroll: inputs, ..options(Criterion::Decision) };
    let report = with_options(global, &options).unwrap();
    assert!(report.tests[0].inputs.iter().any(|input| input.name == "level"));
}

/// A pointer is set to null after everything that was written through it.
#[test]
fn null_pointers_come_last() {
    let text = "int f(const int *a) { if (!a) return -1; if (a[0] > 9) return 1; return 0; }";
    let pointers = nub_unroll::Pointers { may_be_null: true, ..nub_unroll::Pointers::default() };
    let config = nub_unroll::UnrollConfig { pointers, ..nub_unroll::UnrollConfig::default() };
    let report =
        with_options(text, &CoverOptions { unroll: config, ..options(Criterion::Decision) }).unwrap();
    assert_eq!((report.summary.covered, report.tests.len()), (4, 3));
    let null = report.tests.iter().find(|test| test.observed_result.as_deref() == Some("-1")).unwrap();
    assert!(null.pre.ends_with("arg0 = 0;"), "{}", null.pre);
}

#[test]
fn existing_tests_are_completed() {
    let text = "int f(int a, int b) { if (a > 3 && b > 3) return 1; return 0; }";
    let existing = vec![ExistingTest { args: [9, 9].map(GivenNumber::Integer).to_vec(), named: Vec::new() }];
    let options = CoverOptions { existing, ..options(Criterion::McdcPairs) };
    let report = with_options(text, &options).unwrap();
    assert_eq!((report.n_existing, report.tests.len(), report.summary.covered), (1, 3, 2));
    assert!(report.is_minimal);
    assert_eq!(report.tests[0].args, ["9", "9"]);
    let wrong =
        vec![ExistingTest { named: vec![("c".to_owned(), GivenNumber::Integer(1))], args: Vec::new() }];
    let error = with_options(text, &CoverOptions { existing: wrong, ..options.clone() });
    assert!(matches!(error, Err(Error::BadTest(1, why)) if why.to_string() == "there is no input `c`"));
}

/// Three tests are necessary; the best one and the best two tests reach fewer of the four outcomes.
#[test]
fn best_grade_for_few_tests() {
    let text = "int f(int a) { if (a == 1) return 1; if (a == 2) return 2; return 3; }";
    for (n, expected) in [(1, 2), (2, 3), (3, 4)] {
        let options = CoverOptions { max_tests: Some(n), ..options(Criterion::Decision) };
        let report = with_options(text, &options).unwrap();
        assert_eq!((report.tests.len(), report.summary.covered), (n, expected));
        assert_eq!(report.best_grade, (n < 3).then_some(expected));
    }
}

/// MC/DC requires everything that decision and condition coverage require (DO-178C; Weiler, table 2.1), `switch` included. The pairs alone do not.
#[test]
fn mcdc_contains_decision_and_condition_coverage() {
    let text = "int f(int a, int b) { switch (a) { case 1: return 1; case 2: return 2; default: break; }
        if (b > 3 && b > 1) return 3; return 0; }";
    let ids = |criterion| -> Vec<String> {
        report(text, criterion).goals.iter().map(|goal| goal.id.clone()).collect()
    };
    let (all, pairs) = (ids(Criterion::Mcdc), ids(Criterion::McdcPairs));
    for part in [ids(Criterion::Decision), ids(Criterion::Condition), pairs.clone()] {
        assert!(part.iter().all(|id| all.contains(id)), "{part:?} {all:?}");
    }
    assert_eq!((all.len(), pairs.len()), (3 + 2 + 4 + 2, 2));
    let report = report(text, Criterion::Mcdc);
    let default = report.goals.iter().find(|goal| goal.id == "f/d1/default").unwrap();
    assert_eq!((default.state.word(), report.criterion.word()), ("covered", "mcdc"));
}

/// There is a result without waiting for the best: the clique gives a bound at once, and known runs give tests.
#[test]
fn few_tests_have_a_bound_without_time() {
    let text = include_str!("functions/check_date_validity.c");
    for n in [1, 10, 18] {
        let options = CoverOptions { max_tests: Some(n), ..options(Criterion::McdcPairs) };
        let report = with_options(text, &options).unwrap();
        let most = report.best_grade.unwrap();
        assert_eq!(report.tests.len(), n);
        assert!(report.summary.covered <= most && most < report.summary.goals, "{n}: {most}");
    }
}

/// A run that violates `__CPROVER_assert` ends there, as the compiled test does.
#[test]
fn assertions_of_a_verifier_end_the_run() {
    let never = "int f(void) { __CPROVER_assert(0, \"\"); return 1; }";
    let once = "int f(int a) { __CPROVER_assert(a != 3, \"\"); if (a == 3) return 1; return 0; }";
    for (text, criterion, n_tests) in [
        (never, Criterion::Statement, 1),
        (never, Criterion::Path, 1),
        (once, Criterion::Statement, 1),
        // The run that ends at the assertion is a path of its own.
        (once, Criterion::Path, 2),
    ] {
        let report = report(text, criterion);
        assert_eq!(report.tests.len(), n_tests, "{}", output::table(&report));
    }
    let report = report(
        "int f(int a) { __CPROVER_assert(a > 3, \"\"); if (a > 2) return 1; return 0; }",
        Criterion::Decision,
    );
    assert_eq!(states(&report)[1], ("f/d1/false", "infeasible"));
}

#[test]
fn clauses_for_any_solver() {
    let text = "int f(signed char a) { if (a > 100) return 1; return 0; }";
    let (program, function) = program(text);
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    let cnf = split::encode(source, function, &options(Criterion::Decision), 2).unwrap().unwrap();
    assert_eq!(cnf.lines().filter(|line| line.starts_with("c input ")).count(), 2);
    assert!(cnf.starts_with("c 2 tests of f: 2 of 2 goals can be reached\nc input 1 signed a "));
}

#[test]
fn nothing_to_cover_and_missing_bodies() {
    assert!(report("int f(int a) { return a; }", Criterion::Decision).goals.is_empty());
    let missing = with_options(
        "int g(int); int f(int a) { if (g(a)) return 1; return 0; }",
        &options(Criterion::Decision),
    );
    assert!(matches!(missing, Err(Error::Refused(found)) if found[0].message.contains("`g` has no body")));
}

/// Two recursive calls: unrolling deeper would square the number of calls.
#[test]
fn branching_recursion_ends_early() {
    let text = "static int depth; unsigned f(unsigned n) { if (++depth == 400) return 0; if (n < 2) return n;
        return f(n - 1) + f(n - 2); }";
    let exactly = CoverOptions { unwind: Unwind::Exactly(8), ..options(Criterion::Decision) };
    let summary = |report: &CoverReport| (report.summary.covered, report.summary.beyond_bound, report.unwind);
    assert_eq!(summary(&with_options(text, &exactly).unwrap()), (3, 1, Some(8)));
    // A concrete run is not bounded.
    assert_eq!(summary(&report(text, Criterion::Decision)), (4, 0, Some(8)));
}

#[test]
fn recursion_is_bounded() {
    let text = "int f(unsigned n) { if (n < 2) return 1; return f(n - 1) + f(n - 2); }";
    let report = report(text, Criterion::Decision);
    assert_eq!(report.summary.covered, 2);
    let endless = "int f(unsigned n) { if (n & 1) return f(n); return f(n + 1); }";
    let short = CoverOptions { unwind: Unwind::Exactly(2), ..options(Criterion::Decision) };
    let report = with_options(endless, &short).unwrap();
    assert_eq!((report.summary.covered, report.summary.infeasible), (0, 0), "{:?}", states(&report));
}

/// All outputs of one report, so that a change of any is noticed.
#[test]
fn outputs_hold_the_tests() {
    let report = report("int f(int a) { if (a > 5) return 1; return 0; }", Criterion::Decision);
    let c = output::c_file(&report, "f.c");
    assert!(c.contains("#include \"f.c\"") && c.contains("nub_check(f(6) == 1,"), "{c}");
    assert!(output::unity(&report, "f.c").contains("TEST_ASSERT_TRUE(f(6) == 1);"));
    assert!(output::ctest(&report, "t.c").contains("add_test(NAME f.2 COMMAND nub_tests_f 2)"));
    assert!(output::markdown(&report).contains("| `f/d1/true` | 1 | `a > 5` | true | covered |"));
    assert!(output::csv(&report).starts_with("a,observed\n"));
    assert!(nub_report::cover::cover_json(std::slice::from_ref(&report)).contains("\"is_minimal\": true"));
    assert!(output::table(&report).contains("2 tests cover 2 of 2 goals. 2 is the minimum (proved)"));
}

/// A macro over several lines leaves line markers in the preprocessed text.
#[test]
fn line_markers_are_not_quoted() {
    let text = "# 1 \"f.c\"\nint f(int a) {\n  if (a >\n# 2 \"f.c\" 3 4\n 7\n# 2 \"f.c\"\n ) return 1;\n  return 0;\n}\n";
    let report = report(text, Criterion::Decision);
    assert!(report.goals.iter().all(|goal| goal.text == "a > 7"), "{:?}", report.goals);
}

/// `int a[12]` is a pointer, but the declared length says how far it may be read.
#[test]
fn arrays_as_parameters_have_their_length() {
    check_full("int f(int a[12]) { return a[11] == 5 ? 1 : 0; }", Criterion::Decision, 2, 2);
    let short =
        report("int f(int a[2], int i) { return a[i & 3] == 5 && (i & 3) > 1; }", Criterion::Condition);
    assert_eq!(states(&short)[2], ("f/d1/c2/true", "infeasible-if"), "{}", output::table(&short));
}

#[test]
fn reasons_in_loops_name_what_excludes() {
    let text = "int f(unsigned n) {\n  int r = 0;\n  for (unsigned i = n; i < 4; i++)\n    if (i > 9)\n      r++;\n  return r;\n}";
    let found = report(text, Criterion::Decision);
    let goal = found.goals.iter().find(|goal| goal.state.word() == "infeasible").unwrap();
    assert_eq!(goal.id, "f/d2/true");
    let reason = goal.reason.clone().unwrap();
    assert!(
        reason.starts_with("in every iteration of the loop, ") && reason.contains("line 3: `i < 4` is true"),
        "{reason}"
    );
    let counted = report(&text.replace("i = n", "i = 0"), Criterion::Decision);
    let reasons: Vec<String> = counted.goals.iter().filter_map(|goal| goal.reason.clone()).collect();
    assert_eq!(reasons, ["in no iteration of the loop, whatever the inputs are"]);
}

/// A caller may pass two pointers into one object; here each has its own memory. What depends on that is undecided, and no test depends on the
/// addresses of objects.
#[test]
fn pointers_of_the_caller_may_be_related() {
    let ordered = "int f(const char *p, const char *end) { int n = 0; if (!p || !end) return 0; while (p < end) { n++; p++; } return n; }";
    let before = "int f(const int *p, const int *q) { return p && q && p - q > 1; }";
    let same = "int f(const int *p, const int *q) { if (p && q && p == q) return 1; return 0; }";
    let mut options = options(Criterion::Condition);
    options.unroll.pointers.may_be_null = true;
    for text in [ordered, before, same] {
        let found = with_options(text, &options).unwrap();
        let is_open = |goal: &&GoalReport| goal.state.word() == "infeasible-if";
        assert!(found.goals.iter().filter(is_open).count() > 0, "{:?}", states(&found));
        assert!(found.goals.iter().all(|goal| goal.state.word() != "infeasible"), "{:?}", states(&found));
    }
    check_full("int f(const int *p, int n) { return n > 0 && &p[n] - p == 2; }", Criterion::Condition, 4, 3);
}
