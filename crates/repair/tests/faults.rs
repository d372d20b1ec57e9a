//! Faults that were injected into small programs must be ranked first.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_repair::{
    EditKind, Part, RankedLine, Ranking, Refusal, RepairProof, RepairSettings, RepairVerdict, Tier,
};
use nub_sat::certify::CertificationResult;

/// Declarations that every program needs.
const HEAD: &str = "int nondet_int(void); void nub_assume(int); void __CPROVER_assert(int, const char *);";

/// The ranking of a program; its first line has number 1, after our declarations.
#[track_caller]
fn try_rank(text: &str, settings: &RepairSettings) -> Option<Ranking> {
    common::try_rank(&format!("{HEAD}\n# 1 \"test.c\"\n{text}"), &[], settings).unwrap()
}

#[track_caller]
fn ranked(text: &str) -> Ranking {
    let found = try_rank(text, &RepairSettings::default()).unwrap();
    check(&found);
    found
}

/// What holds for every ranking.
#[track_caller]
fn check(ranking: &Ranking) {
    for (line, rank) in ranking.lines.iter().zip(1..) {
        assert_eq!(line.rank, rank);
        assert!((0.0..=1.0).contains(&line.score) && (0.0..=1.0).contains(&line.damage), "{line:?}");
        assert!(!ranking.trusted.contains(&line.function), "specification code is listed: {line:?}");
        if let Some(evidence) = &line.evidence {
            assert!(evidence.is_replayed, "the interpreter does not agree: {line:?}");
            assert!(evidence.counterexample < ranking.n_counterexamples);
        }
        let is_point = matches!(line.tier, Tier::OwnOperands | Tier::OneMoreVariable { .. });
        assert_eq!(is_point, line.n_point_repairs > 0, "{line:?}");
    }
    if let RepairVerdict::OneLineRepairs { index } = ranking.verdict {
        let proof = &ranking.lines[index].proof;
        assert!(
            matches!(
                proof,
                RepairProof::Repairs { checked: CertificationResult::Checked, .. }
                    | RepairProof::Edited { checked: CertificationResult::Checked, .. }
            ),
            "{proof:?}"
        );
    }
}

/// The first line of the ranking.
#[track_caller]
fn first(ranking: &Ranking, line: u32) -> &RankedLine {
    let found = &ranking.lines[0];
    let list: Vec<u32> = ranking.lines.iter().map(|line| line.line).collect();
    assert!((found.line..=found.end_line).contains(&line), "line {line} is not first: {list:?}\n{found:?}");
    found
}

fn shown(line: &RankedLine) -> (Vec<(&str, &str)>, &str, &str) {
    let evidence = line.evidence.as_ref().unwrap();
    let operands = evidence.operands.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    (operands, &evidence.now, &evidence.repaired)
}

/// The edit that makes the program right: what it replaces, and by what.
#[track_caller]
fn edit(line: &RankedLine) -> (&str, &str) {
    assert!(matches!(line.proof, RepairProof::Edited { .. }), "{line:?}");
    let edit = line.edit.as_ref().unwrap();
    (&edit.old, &edit.new)
}

#[test]
fn a_comparison() {
    let found = ranked(
        "int larger(int a, int b) {
            if (a < b) return a;
            return a < b ? b : a;
        }
        int main(void) {
            int a = nondet_int(), b = nondet_int();
            int m = larger(a, b);
            __CPROVER_assert(m >= a && m >= b && (m == a || m == b), \"\");
            return 0;
        }",
    );
    let line = first(&found, 2);
    assert_eq!(line.tier, Tier::OwnOperands);
    assert_eq!(found.trusted, ["main"]);
}

#[test]
fn one_round_too_few() {
    let found = ranked(
        "int largest(int a, int b, int c) {
            int v[3] = { a, b, c };
            int m = v[0];
            for (int i = 1; i < 2; i++)
                if (v[i] > m) m = v[i];
            return m;
        }
        int main(void) {
            int a = nondet_int(), b = nondet_int(), c = nondet_int();
            int m = largest(a, b, c);
            __CPROVER_assert(m >= a && m >= b && m >= c && (m == a || m == b || m == c), \"\");
            return 0;
        }",
    );
    let line = first(&found, 4);
    assert_eq!((line.part, &line.tier), (Part::Condition, &Tier::OwnOperands), "{line:?}");
    assert_eq!(shown(line), (vec![("i", "2")], "0", "1"));
    assert_eq!(edit(line), ("i < 2", "i <= 2"));
}

#[test]
fn through_calls() {
    let found = ranked(
        "static int clamp(int x, int low, int high) {
            if (x < low) return low;
            if (x > high) return low;
            return x;
        }
        static int percent(int x) { return clamp(x, 0, 100); }
        int main(void) {
            int x = nondet_int();
            int expected = x < 0 ? 0 : x > 100 ? 100 : x;
            __CPROVER_assert(percent(x) == expected, \"\");
            return 0;
        }",
    );
    let line = first(&found, 3);
    assert_eq!((line.part, line.function.as_str()), (Part::Return, "clamp"));
    assert_eq!(shown(line), (vec![("low", "0")], "0", "100"));
    assert!(matches!(line.proof, RepairProof::Edited { is_complete: true, .. }), "{:?}", line.proof);
    assert_eq!(edit(line), ("low", "high"));
    assert_eq!(found.verdict, RepairVerdict::OneLineRepairs { index: 0 });
}

#[test]
fn an_element_of_a_table_has_its_own_line() {
    let found = ranked(
        "static const int days[12] = {
            31, 28, 31,
            30, 31, 30,
            31, 30, 30,
            31, 30, 31 };
        int days_of(int month) { return days[month - 1]; }
        int main(void) {
            int month = nondet_int();
            nub_assume(month >= 1 && month <= 12);
            int expected = month == 2 ? 28 : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
            __CPROVER_assert(days_of(month) == expected, \"\");
            return 0;
        }",
    );
    // The second `30` should be 31 and the third 30: two faults in two elements of one line.
    let line = first(&found, 4);
    assert!(matches!(line.proof, RepairProof::Repairs { n_entries: 1, .. }), "{:?}", line.proof);
    assert_eq!(line.part, Part::Initialiser);
}

#[test]
fn an_array_that_is_written() {
    let found = ranked(
        "int a[4];
        void fill(int x) {
            for (int i = 0; i < 4; i++)
                if (i == 3) a[i] = x + i + 1;
                else a[i] = x + i;
        }
        int main(void) {
            int x = nondet_int(), i = nondet_int();
            nub_assume(x >= 0 && x < 1000 && i >= 0 && i < 4);
            fill(x);
            __CPROVER_assert(a[i] == x + i, \"\");
            return 0;
        }",
    );
    let line = first(&found, 4);
    assert_eq!(line.tier, Tier::OwnOperands);
}

#[test]
fn a_missing_variable_is_named() {
    let found = ranked(
        "int price(int net, int is_reduced) {
            int tax = net / 5;
            return net + tax;
        }
        int main(void) {
            int net = nondet_int(), is_reduced = nondet_int();
            nub_assume(net >= 0 && net <= 1000 && (is_reduced == 0 || is_reduced == 1));
            __CPROVER_assert(price(net, is_reduced) == net + net / (is_reduced ? 10 : 5), \"\");
            return 0;
        }",
    );
    let line = first(&found, 2);
    assert_eq!(line.tier, Tier::OneMoreVariable { variable: "is_reduced".to_owned() });
    assert_eq!(shown(line).0.last().unwrap(), &("is_reduced", "1"));
}

#[test]
fn a_condition_over_several_lines_is_reported_as_a_whole() {
    let found = ranked(
        "int is_inside(int x, int y) {
            if (x >= 0 && x < 10 &&
                y >= 0 && y <= 10)
                return 1;
            return 0;
        }
        int main(void) {
            int x = nondet_int(), y = nondet_int();
            int expected = x >= 0 && x < 10 && y >= 0 && y < 10;
            __CPROVER_assert(is_inside(x, y) == expected, \"\");
            return 0;
        }",
    );
    let line = first(&found, 3);
    assert_eq!((line.line, line.end_line, line.part), (2, 3, Part::Condition));
    assert_eq!(shown(line).0.len(), 2, "`x` and `y`, each once");
}

#[test]
fn macros_are_named() {
    let original = "#define LIMIT 9\nint is_small(int x) { return x   < LIMIT; }\n";
    let text = format!(
        "{HEAD}\n# 1 \"small.c\"\n\nint is_small(int x) {{ return x < 9; }}\n# 1 \"test.c\"
        int main(void) {{ int x = nondet_int(); __CPROVER_assert(is_small(x) == (x < 10), \"\"); return 0; }}"
    );
    let files = [("small.c", original.as_bytes())];
    let found = common::try_rank(&text, &files, &RepairSettings::default()).unwrap().unwrap();
    let line = first(&found, 2);
    assert_eq!(line.file, "small.c");
    assert_eq!((line.macros[0].name.as_str(), line.macros[0].line), ("LIMIT", 1));
    // What a macro expands to has no position in the file.
    let edit = found.lines[0].edit.as_ref().unwrap();
    assert!(edit.is_proved && edit.place.is_none(), "it is in the macro: {edit:?}");
}

#[test]
fn what_short_circuit_passes_over_is_read_all_the_same() {
    // `||` should be `&&`. When the first call returns true, the second is not made, although the right answer depends on it.
    let found = ranked(
        "int low, high;
        static int is_above(int x) { return x > low; }
        static int is_below(int x) { return x < high; }
        int is_between(int x) { return is_above(x) || is_below(x); }
        int main(void) {
            low = nondet_int(), high = nondet_int();
            int x = nondet_int();
            __CPROVER_assert(is_between(x) == (x > low && x < high), \"\");
            return 0;
        }",
    );
    let line = first(&found, 4);
    assert_eq!(line.tier, Tier::OwnOperands);
    let names: Vec<&str> = shown(line).0.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["is_above()", "is_below()"]);
    assert_eq!(edit(line), ("is_above(x) || is_below(x)", "is_above(x) && is_below(x)"));
}

#[test]
fn a_weak_specification_prefers_the_repair_that_changes_least() {
    // "Never more than 100" would also hold if nothing were ever returned.
    let found = ranked(
        "int speed(int wish, int is_on) {
            int limit = 120;
            if (!is_on) return 0;
            if (wish > limit) return limit;
            return wish;
        }
        int main(void) {
            int wish = nondet_int(), is_on = nondet_int();
            nub_assume(wish >= 0 && wish <= 200);
            __CPROVER_assert(speed(wish, is_on) <= 100, \"\");
            return 0;
        }",
    );
    let place = |line: u32| found.lines.iter().position(|found| found.line == line).unwrap();
    assert!(place(2) < place(3), "switching it off comes later: {:?}", found.lines);
    let line = &found.lines[place(2)];
    assert_eq!(shown(line), (vec![], "120", "100"), "the closest number that the program names");
    assert!(found.lines[place(3)].damage > 0.0 && line.damage == 0.0);
}

#[test]
fn a_swapped_variable_is_found_with_a_weak_specification() {
    // A change of any line on the way to the result can make the sum small. With one other name, only a change of the last line of `pay` can.
    let found = ranked(
        "static int bonus, tax;
         static int part(int pay) { int share = pay / 4; if (share > 50) share = 50; return share; }
         static int pay(int base) {
             int rest = base - tax;
             int more = part(base);
             return base + more;
         }
         int main(void) {
             int base = nondet_int(); bonus = nondet_int(); tax = nondet_int();
             nub_assume(base >= 100 && base < 1000 && tax >= 10 && tax < 90 && bonus >= 0 && bonus < 10);
             int sum = pay(base);
             __CPROVER_assert(sum <= base + 50 - tax, \"\");
             __CPROVER_assert(sum >= base - tax, \"\");
             return 0;
         }",
    );
    assert_eq!(edit(first(&found, 6)), ("base", "rest"));
}

#[test]
fn zero_is_a_number_like_others() {
    let found = ranked(
        "static int level(int a) {
             if (a > 10) return 2;
             if (a > 5) return 0;
             return 0;
         }
         int main(void) {
             int a = nondet_int(), r = level(a);
             __CPROVER_assert(r == (a > 10) + (a > 5), \"\");
             return 0;
         }",
    );
    assert_eq!(edit(first(&found, 3)), ("0", "1"));
}

#[test]
fn two_faults_cannot_be_repaired_by_one_line() {
    let found = ranked(
        "int first(int x) { return x + 1; }
        int second(int x) { return x + 1; }
        int main(void) {
            int x = nondet_int();
            nub_assume(x >= 0 && x < 100);
            if (x < 50) __CPROVER_assert(first(x) == x + 2, \"\");
            else __CPROVER_assert(second(x) == x + 2, \"\");
            return 0;
        }",
    );
    let expected = RepairVerdict::TwoLinesRepair {
        index: 0,
        other: 1,
        is_single_refuted: true,
        checked: CertificationResult::Checked,
    };
    assert_eq!(found.verdict, expected, "{:?}", found.lines);
    assert!(
        found
            .lines
            .iter()
            .all(|line| !matches!(line.proof, RepairProof::Repairs { .. } | RepairProof::Edited { .. }))
    );
    let edits: Vec<_> = found.lines.iter().filter_map(|line| line.edit.as_ref()).collect();
    assert_eq!(
        edits.iter().map(|edit| (edit.new.as_str(), edit.partner)).collect::<Vec<_>>(),
        [("2", Some(2)), ("2", Some(1))]
    );
}

#[test]
fn two_faults_that_no_small_edits_repair() {
    let found = ranked(
        "int first(int x) { return x + 1; }
        int second(int x) { return x + 1; }
        int main(void) {
            int x = nondet_int();
            nub_assume(x >= 0 && x < 100);
            if (x < 50) __CPROVER_assert(first(x) == (x ^ 77), \"\");
            else __CPROVER_assert(second(x) == (x ^ 77), \"\");
            return 0;
        }",
    );
    assert_eq!(found.verdict, RepairVerdict::NoSingleLine, "{:?}", found.lines);
}

#[test]
fn where_a_value_goes_is_an_expression_too() {
    // `a[i + 1]` would be right, but no assigned value is.
    let found = ranked(
        "static int a[4];
         static void put(int i, int v) { a[i] = v; }
         int main(void) {
             int i = nondet_int();
             nub_assume(i >= 0 && i < 3);
             put(i, 7);
             __CPROVER_assert(a[i + 1] == 7, \"\");
             return 0;
         }",
    );
    assert_eq!(edit(first(&found, 2)), ("i", "i + 1"));
}

#[test]
fn no_value_is_claimed_to_help_against_undefined_behaviour() {
    // The index is wrong, and no value that the line computes comes early enough to help; a guard does.
    let found = ranked(
        "static int a[4];
         static int get(int i) { return a[i]; }
         int main(void) { int i = nondet_int(); nub_assume(i >= 0 && i < 5); return get(i); }",
    );
    assert_eq!(found.verdict, RepairVerdict::OneLineRepairs { index: 0 }, "{:?}", found.lines);
    assert_eq!(found.lines[0].edit.as_ref().map(|edit| edit.kind), Some(EditKind::Guard));
    assert!(found.lines.iter().all(|line| line.proof != RepairProof::Refuted), "{:?}", found.lines);
}

#[test]
fn every_round_is_wrong_and_one_edit_is_right() {
    let found = ranked(
        "int total(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += i;
            return sum;
        }
        int main(void) {
            int n = nondet_int();
            nub_assume(n >= 0 && n < 6);
            __CPROVER_assert(total(n) == n * (n + 1) / 2, \"\");
            return 0;
        }",
    );
    let line = first(&found, 3);
    assert!(matches!(line.proof, RepairProof::Edited { .. }), "{line:?}");
    let edit = line.edit.as_ref().unwrap();
    assert_eq!((edit.old.as_str(), edit.new.as_str(), edit.kind), ("i < n", "i <= n", EditKind::Operator));
}

#[test]
fn an_edit_that_switches_a_statement_off_is_none() {
    // `x < 5` instead of `x > 5` never holds there, so it would repair the program.
    let found = ranked(
        "int alarm(int x, int on) {
            int r = 0;
            if (on && x >= 10)
                r = x > 5;
            return r;
        }
        int main(void) {
            int x = nondet_int(), on = nondet_int();
            nub_assume(x >= 0 && x < 100 && on >= 0 && on < 2);
            int r = alarm(x, on);
            __CPROVER_assert(!(r && x <= 10), \"\");
            return 0;
        }",
    );
    let edited: Vec<u32> = found
        .lines
        .iter()
        .filter(|line| matches!(line.proof, RepairProof::Edited { .. }))
        .map(|line| line.line)
        .collect();
    assert_eq!(found.lines[0].edit.as_ref().map(|edit| edit.new.as_str()), Some("x > 10"), "{edited:?}");
    first(&found, 3);
}

/// That no run ends with 2 satisfies the property too. What was meant is a variable that the program does not read anywhere else.
#[test]
fn an_edit_that_takes_an_outcome_away_is_none() {
    let ranking = ranked(
        "int pressure, limit, wanted;
        int answer(int is_open, int is_manual) {
            int is_high = pressure > wanted;
            int found = 0;
            if (is_high && !is_manual)
                found = 2;
            else if (is_open)
                found = 1;
            return found;
        }
        int main(void) {
            int is_open = nondet_int(), is_manual = nondet_int();
            pressure = nondet_int(); limit = nondet_int(); wanted = nondet_int();
            nub_assume(pressure >= 0 && pressure <= 1000 && wanted >= 0 && wanted <= limit && limit <= 1000);
            int found = answer(is_open, is_manual);
            __CPROVER_assert(found != 2 || pressure > limit, \"a high answer needs a high pressure\");
            return 0;
        }",
    );
    assert_eq!(edit(first(&ranking, 3)), ("wanted", "limit"));
    let others: Vec<(&str, &str)> =
        ranking.lines.iter().filter(|line| line.line == 6 && line.edit.is_some()).map(edit).collect();
    assert!(!others.iter().any(|other| [("2", "0"), ("2", "1")].contains(other)), "{others:?}");
    assert!(ranking.lines.iter().all(|line| line.damage.is_sign_positive()));
}

#[test]
fn no_failure_no_ranking() {
    let text = "int f(int x) { return x; } int main(void) { __CPROVER_assert(f(3) == 3, \"\"); return 0; }";
    assert_eq!(try_rank(text, &RepairSettings::default()), None);
}

#[test]
fn a_search_that_is_stopped_at_once_says_so() {
    let text = format!(
        "{HEAD} int f(int x) {{ return x + 1; }} int main(void) {{ __CPROVER_assert(f(nondet_int()) != 7, \"\"); return 0; }}"
    );
    let settings = RepairSettings::default();
    settings.limits.cancel.cancel();
    let found = common::try_rank(&text, &[], &settings);
    assert!(matches!(found, Err(Refusal::Stopped)), "{found:?}");
}

#[test]
fn long_runs_are_not_waited_for() {
    // A failing run has few iterations; most inputs near it have very many.
    let found = ranked(
        "static int sum(int n) { int s = 0; for (int i = 1; i <= n; i++) { s += 2; if (s == 10) s++; } return s; }
         int main(void) {
             int n = nondet_int(), s = sum(n);
             nub_assume(n > 0);
             __CPROVER_assert(s == 2 * n, \"\");
             return 0;
         }",
    );
    assert!(found.n_passing < 400, "{}", found.n_passing);
    first(&found, 1);
}

#[test]
fn undefined_behaviour_names_its_line() {
    let found = ranked(
        "int a[3];
        void fill(void) {
            a[0] = 1;
            a[3] = 4;
        }
        int main(void) { fill(); __CPROVER_assert(a[0] == 1, \"\"); return 0; }",
    );
    let line = first(&found, 4);
    assert_eq!((line.part, &line.tier), (Part::Undefined, &Tier::Nothing));
    assert_eq!(found.notes.len(), 1);
}

#[test]
fn the_run_that_is_given_comes_first_also_if_it_breaks_a_rule_of_c() {
    let text = "int v[3];
        int at(int i) { return v[i]; }
        int main(void) { int i = nondet_int(); nub_assume(i >= 0 && i < 9); __CPROVER_assert(at(i) == 0, \"\"); return 0; }";
    let first = |number: u64| Some(vec![nub_bitvec::Value::from_u64(32, number)]);
    let found = try_rank(text, &RepairSettings { first: first(7), ..RepairSettings::default() }).unwrap();
    check(&found);
    assert_eq!(found.counterexamples[0], [("i".to_owned(), "7".to_owned())]);
    // A passing run is not a counterexample.
    let found = try_rank(text, &RepairSettings { first: first(1), ..RepairSettings::default() }).unwrap();
    assert_ne!(found.counterexamples[0], [("i".to_owned(), "1".to_owned())]);
}

#[test]
fn the_user_says_what_is_right() {
    let text = "int half(int x) { return x / 2; }
        int twice(int x) { return half(x) * 4; }
        int main(void) {
            int x = nondet_int();
            nub_assume(x >= 0 && x < 100 && x % 2 == 0);
            __CPROVER_assert(twice(x) == x, \"\");
            return 0;
        }";
    let settings = RepairSettings { trusted: vec!["twice".to_owned()], ..RepairSettings::default() };
    let found = try_rank(text, &settings).unwrap();
    assert!(found.lines.iter().all(|line| line.line == 1), "{:?}", found.lines);
    assert_eq!(found.trusted, ["twice", "main"]);
}

#[test]
fn the_same_again() {
    let text = "int f(int a, int b) { int c = a - b; if (c < 0) c = a; return c; }
        int main(void) {
            int a = nondet_int(), b = nondet_int();
            nub_assume(a >= 0 && a < 100 && b >= 0 && b < 100);
            __CPROVER_assert(f(a, b) == (a > b ? a - b : b - a), \"\");
            return 0;
        }";
    assert_eq!(ranked(text), ranked(text));
}

/// `1` and `0` are numbers here, and one of them is wrong.
#[test]
fn a_number_of_a_choice_is_no_truth_value() {
    let found = ranked(
        "static int next(int l) { return l == 0 ? 1 : l == 1 ? 0 : 0; }
        int main(void) {
            int l = nondet_int();
            nub_assume(l >= 0 && l <= 2);
            __CPROVER_assert(next(l) == (l + 1) % 3, \"\");
            return 0;
        }",
    );
    assert_eq!(first(&found, 1).tier, Tier::OwnOperands);
    assert!(matches!(found.verdict, RepairVerdict::OneLineRepairs { .. }), "{:?}", found.verdict);
}

/// A comparison is only tried with 0 and 1, although 2 may be meant.
#[test]
fn no_single_expression_is_not_said_of_comparisons() {
    let found = ranked(
        "static int rank(int a, int b) { return a < b; }
        int main(void) {
            int a = nondet_int(), b = nondet_int();
            nub_assume(a >= 0 && a < 9 && b >= 0 && b < 9);
            __CPROVER_assert(rank(a, b) == 2 * (a < b) + 5 * (a > b) + 3, \"\");
            return 0;
        }",
    );
    assert_eq!(found.verdict, RepairVerdict::Open);
}
