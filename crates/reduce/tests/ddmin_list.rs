//! `ddmin` on lists does what [Vida08] shows.
#![allow(clippy::unwrap_used)] // tests may panic

use nub_dimacs::{DimacsFile, DimacsKind};
use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::strategies::{ddmin_clauses, ddmin_lines};
use nub_reduce::{
    AllowedCandidates, Engine, Quiet, ReduceConfig, ReductionStats, ReductionStop, SubjectFormat,
    dimacs::Dimacs, plain::Plain,
};
use std::sync::Mutex;

/// Every candidate asked, the result, and what it cost.
fn trace<F: SubjectFormat>(
    format: &F,
    text: &str,
    jobs: usize,
    fails: impl Fn(&str) -> bool + Sync,
    strategy: impl FnOnce(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
) -> (Vec<String>, String, ReductionStats) {
    let asked = Mutex::new(Vec::new());
    let oracle = FnOracle::new(|bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        asked.lock().unwrap().push(text.to_owned());
        fails(text)
    });
    let config = ReduceConfig { jobs, ..ReduceConfig::default() };
    let (result, bytes, stats) =
        Engine::run(format, &oracle, text.into(), config, &Cancel::new(), &mut Quiet, strategy);
    assert_eq!(result, Ok(()));
    (asked.into_inner().unwrap(), String::from_utf8(bytes).unwrap(), stats)
}

/// Figure 4.1: elements 1, 2 and 3 make the failure appear, but only together.
#[test]
fn figure_4_1() {
    let fails = |text: &str| ["1", "2", "3"].iter().all(|element| text.contains(element));
    let (asked, result, stats) = trace(&Plain::new(), "1\n2\n3\n4\n", 1, fails, ddmin_lines);
    assert_eq!(result, "1\n2\n3\n");
    assert_eq!(stats.asks + stats.cached, 16, "the figure has no cache");
    // Tests 11 to 13 and 16 are known from tests 3 to 5 and 1.
    let expected = ["1 2", "3 4", "1", "2", "3", "4", "2 3 4", "1 3 4", "1 2 4", "1 2 3", "2 3", "1 3"];
    let asked: Vec<String> = asked.iter().map(|text| text.trim_end().replace('\n', " ")).collect();
    assert_eq!(asked, expected);
    assert_eq!(stats.cached, 4);
}

#[test]
fn a_single_element_costs_a_binary_search() {
    let text: String = (0..1024).map(|line| format!("<{line}>\n")).collect();
    let (asked, result, _) = trace(&Plain::new(), &text, 1, |text| text.contains("<777>"), ddmin_lines);
    assert_eq!(result, "<777>\n");
    // Two per halving at most, and a step that halves the file is asked twice.
    assert!(asked.len() <= 3 * 10, "{}", asked.len());
}

#[test]
fn clauses_with_a_true_header() {
    let text = "p cnf 9 5\ne 1 2 3 9 0\n1 2 0\n-9 0\n2 0\n3 -1 0\n-2 0\n";
    let fails = |text: &str| {
        assert!(DimacsFile::read(text.into(), DimacsKind::Qdimacs).faults().is_empty(), "{text:?}");
        text.contains("\n2 0\n") && text.contains("\n-2 0\n")
    };
    let (_, result, _) = trace(
        &Dimacs::new(text.as_bytes(), DimacsKind::Qdimacs, AllowedCandidates::WellFormed),
        text,
        1,
        fails,
        ddmin_clauses,
    );
    assert_eq!(result, "p cnf 2 2\ne 2 0\n2 0\n-2 0\n");
}

#[test]
fn more_workers_find_the_same() {
    let text: String = (0..100).map(|line| format!("<{line}>\n")).collect();
    let fails = |text: &str| ["<7>", "<8>", "<64>", "<99>"].iter().all(|line| text.contains(line));
    let (_, one, _) = trace(&Plain::new(), &text, 1, fails, ddmin_lines);
    let (_, four, _) = trace(&Plain::new(), &text, 4, fails, ddmin_lines);
    assert_eq!(one, "<7>\n<8>\n<64>\n<99>\n");
    assert_eq!(one, four);
}

/// The worst case of §4.1.1: all even elements are needed, together. The thesis counts 3/8 n² + 3/4 n in its second phase and 4n
/// in the first: 62, 172 and 536.
#[test]
fn the_worst_case_is_quadratic() {
    let calls = |n: usize| {
        let text: String = (1..=n).map(|line| format!("<{line}>\n")).collect();
        let fails = |text: &str| (1..=n / 2).all(|half| text.contains(&format!("<{}>", 2 * half)));
        let (_, result, stats) = trace(&Plain::new(), &text, 1, fails, ddmin_lines);
        assert_eq!(result.lines().count(), n / 2);
        stats.asks + stats.cached
    };
    assert_eq!([8, 16, 32].map(calls), [54, 178, 618]);
    let sizes: &[usize] = if std::env::var_os("NUB_FULL").is_some() { &[64, 128, 256] } else { &[64] };
    for &n in sizes {
        let formula = 3.0 / 8.0 * (n * n) as f64 + 3.0 / 4.0 * n as f64 + 4.0 * n as f64;
        let share = calls(n) as f64 / formula;
        assert!((0.8..1.4).contains(&share), "{n}: {share} of the formula");
    }
}
