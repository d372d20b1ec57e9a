//! The tests that `nub cover` writes, judged by clang: its coverage counts decisions, conditions and MC/DC by itself. All goals except
//! those that nub proved infeasible must be covered, and both must count the same goals.
//!
//! Without clang-19 and llvm-19 these tests print that and pass; under `NUB_E2E=1` they fail.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stderr)] // tests start programs and write files

mod common;

use common::{Bench, tool};

const WRITE_PROFILE: &str = include_str!("data/cover/write_profile.h");
const CRITERIA: [&str; 4] = ["decision", "condition", "condition-decision", "mcdc"];

/// Covered and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    covered: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, outcomes: &[bool]) {
        self.covered += outcomes.iter().filter(|covered| **covered).count();
        self.all += outcomes.len();
    }
}

/// What clang measured for one function.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    decision: Count,
    condition: Count,
    mcdc: Count,
}

impl Seen {
    fn of(&self, criterion: &str) -> Count {
        match criterion {
            "decision" => self.decision,
            "condition" => self.condition,
            "mcdc" => self.mcdc,
            _ => Count {
                covered: self.decision.covered + self.condition.covered,
                all: self.decision.all + self.condition.all,
            },
        }
    }
}

/// Compiles the tests, runs them and reads what clang counted.
fn clang(bench: &Bench, function: &str) -> Option<Seen> {
    let coverage = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
    let words = ["-w", "-O0", "-include", "write_profile.h", "-o", "program", "tests.c"];
    tool(&bench.path(""), "clang-19", &[&coverage[..], &words].concat())?;
    tool(&bench.path(""), "./program", &[])?;
    let names = bench.names();
    let raw: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.ends_with(".profraw")).collect();
    tool(&bench.path(""), "llvm-profdata-19", &[&["merge", "-o", "seen.profdata"], &raw[..]].concat())?;
    let name = format!("-name={function}");
    let show =
        ["show", "program", "-instr-profile=seen.profdata", &name, "--show-branches=count", "--show-mcdc"];
    Some(read(&tool(&bench.path(""), "llvm-cov-19", &show)?))
}

/// The text between two marks.
fn between<'t>(line: &'t str, before: &str, after: &str) -> Option<&'t str> {
    line.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

/// Decisions with several conditions have a region with the executed vectors; the others are only branches.
fn read(text: &str) -> Seen {
    let (mut branches, mut seen) = (Vec::new(), Seen::default());
    let mut in_regions: Vec<&str> = Vec::new();
    for region in text.split("MC/DC Decision Region").skip(1) {
        let region = region.split("MC/DC Coverage for Decision").next().unwrap();
        let places = region.lines().filter(|line| line.contains("Condition C"));
        in_regions.extend(places.filter_map(|line| between(line, "--> (", ")")));
        let has = |result: &str| {
            let is_it = |line: &str| between(line, "= ", "}").is_some_and(|found| found.trim() == result);
            region.lines().any(is_it)
        };
        seen.decision.add(&[has("T"), has("F")]);
        for line in region.lines().filter(|line| line.contains("-Pair: ")) {
            seen.mcdc.add(&[line.contains("-Pair: covered")]);
        }
    }
    for line in text.lines() {
        let (Some(place), Some(counts)) = (between(line, "Branch (", ")"), between(line, "[True: ", "]"))
        else {
            continue;
        };
        let (on_true, on_false) = counts.split_once(", False: ").unwrap();
        branches.push((place, [on_true != "0", on_false != "0"]));
    }
    for (place, outcomes) in branches {
        seen.condition.add(&outcomes);
        if !in_regions.contains(&place) {
            seen.decision.add(&outcomes);
            seen.mcdc.add(&[outcomes[0] && outcomes[1]]);
        }
    }
    seen
}

/// Tests of all criteria, each against clang.
#[track_caller]
fn check(function: &str, text: &str) {
    for criterion in CRITERIA {
        let bench = Bench::new();
        bench.write("f.c", text);
        bench.write("write_profile.h", WRITE_PROFILE);
        // clang counts the pairs of MC/DC, and branches apart from them.
        let out = ["-o", "tests.c", "-o", "report.json", "--mcdc-pairs-only"];
        bench
            .nub(&[&["cover", "f.c", "-f", function, "-c", criterion, "--no-native"][..], &out].concat())
            .expect(0);
        let report = bench.read("report.json");
        let n = |state: &str| report.matches(&format!("\"state\": \"{state}\"")).count();
        let Some(seen) = clang(&bench, function) else { return };
        let expected = Count { covered: n("covered"), all: n("covered") + n("infeasible") + n("undefined") };
        assert!(expected.covered > 0, "{report}");
        assert_eq!(seen.of(criterion), expected, "{function}, {criterion}");
    }
}

#[test]
fn functions_of_the_thesis() {
    let g = include_str!("../../cover/tests/functions/g.c");
    check("g", g);
    check("fits_in_one_week", include_str!("../../cover/tests/functions/fits_in_one_week.c"));
    check("ariane_sri_analogy", include_str!("../../cover/tests/functions/ariane_sri_analogy.c"));
    check("check_date_validity", include_str!("../../cover/tests/functions/check_date_validity.c"));
}

#[test]
fn loops_and_arithmetic() {
    check("gcd", include_str!("../../cover/tests/functions/gcd.c"));
    check("triangle", include_str!("../../cover/tests/functions/triangle.c"));
    check("utf8_length", include_str!("data/cover/utf8_length.c"));
    check("parse_number", include_str!("data/cover/parse_number.c"));
}

/// Outcomes that no input reaches, decisions in assignments, arguments and `?:`, and negations.
#[test]
fn coupled_conditions_and_decisions_everywhere() {
    check("coupled", include_str!("data/cover/coupled.c"));
}

/// An incomplete suite must be recognised: the check can fail.
#[test]
fn clang_notices_what_is_missing() {
    let bench = Bench::new();
    bench.write("f.c", include_str!("../../cover/tests/functions/triangle.c"));
    bench.write("write_profile.h", WRITE_PROFILE);
    bench.nub(&["cover", "f.c", "-n", "6", "--no-native", "-o", "tests.c"]).expect(0);
    let Some(seen) = clang(&bench, "triangle") else { return };
    assert!(seen.mcdc.covered < seen.mcdc.all, "{seen:?}");
}
