//! The algorithms of [Vida08] §4 on BTOR: what they find, and what they cost in their worst cases.

#![allow(clippy::unwrap_used)] // tests may panic

#[path = "common/quiet.rs"]
mod quiet;

use nub_btor::{BtorDialect, BtorFile};
use nub_reduce::btor::Btor;
use nub_reduce::smt::SmtLib;
use nub_reduce::strategies::dag::{ALGORITHMS, Algorithm, CHAIN, Simplify, combine, run};
use nub_reduce::{AllowedCandidates, Engine, ReductionStats, ReductionStop, SubjectFormat};
use quiet::run_quietly;

/// Runs a strategy on a BTOR text; the oracle sees well-formed candidates only.
fn reduce(
    text: &str,
    fails: impl Fn(&str) -> bool + Sync,
    strategy: impl FnOnce(&mut Engine<'_, Btor>) -> Result<(), ReductionStop>,
) -> (String, ReductionStats) {
    let fails = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(BtorFile::read(bytes, BtorDialect::Btor).faults().is_empty(), "{text}");
        fails(text)
    };
    let format = Btor::new(text.as_bytes(), BtorDialect::Btor, AllowedCandidates::WellFormed);
    let (bytes, stats) = run_quietly(&format, text.as_bytes(), fails, strategy);
    (String::from_utf8(bytes).unwrap(), stats)
}

/// How often the algorithm asked, including known answers: the thesis has no cache.
fn calls(stats: &ReductionStats) -> u64 {
    stats.asks + stats.cached
}

fn n_lines(text: &str) -> usize {
    text.lines().count()
}

/// A read at the end of a chain of writes (fig. 4.5).
fn write_chain(n: usize) -> String {
    let mut text = "1 array 8 4\n2 var 4\n3 var 8\n".to_owned();
    for i in 0..n {
        let below = if i == 0 { 1 } else { i + 3 };
        text += &format!("{} write 8 4 {below} 2 3\n", i + 4);
    }
    let last = n + 3;
    text + &format!(
        "{} read 8 {last} 2\n{} redor 1 {}\n{} root 1 {}\n",
        last + 1,
        last + 2,
        last + 1,
        last + 3,
        last + 2
    )
}

/// A chain of single operators over one variable, with `needle` in the place of number `at`.
fn chain(n: usize, at: usize, needle: &str) -> String {
    let mut text = "1 var 8\n".to_owned();
    for i in 0..n {
        let operator = if i == at { needle } else { "not" };
        text += &format!("{} {operator} 8 {}\n", i + 2, i + 1);
    }
    text + &format!("{} redor 1 {}\n{} root 1 {}\n", n + 2, n + 1, n + 3, n + 2)
}

#[test]
fn a_chain_of_writes_is_quadratic_for_changeref_alone() {
    for n in [16, 32, 64] {
        let text = write_chain(n);
        let fails = |text: &str| text.contains("write");
        let (left, stats) = reduce(&text, fails, |engine| run(engine, Algorithm::Changeref, Simplify::Off));
        assert_eq!(left.matches("write").count(), 1, "{left}");
        let (left_plus, plus) =
            reduce(&text, fails, |engine| run(engine, Algorithm::ChangerefPlus, Simplify::Off));
        let n_log_n = n as f64 * (n as f64).log2();
        assert!(calls(&plus) as f64 <= n_log_n, "{n}: {} calls\n{left_plus}", calls(&plus));
        assert!(left_plus.matches("write").count() < n / 2);
        assert!(calls(&stats) <= (n * (n + 1)) as u64, "{n}: {} calls", calls(&stats));
    }
}

/// Fig. 4.5 as intended: the failure needs the whole chain, so nothing is skipped.
#[test]
fn changeref_asks_for_every_pair_when_nothing_can_go() {
    let calls_on = |n: usize, algorithm| {
        let text = write_chain(n);
        let fails = |other: &str| other == text;
        calls(&reduce(&text, fails, |engine| run(engine, algorithm, Simplify::Off)).1)
    };
    let (few, many) = (calls_on(32, Algorithm::Changeref), calls_on(64, Algorithm::Changeref));
    assert!(many > 3 * few, "quadratic: {few}, {many}");
    let (few, many) = (calls_on(32, Algorithm::ChangerefPlus), calls_on(64, Algorithm::ChangerefPlus));
    assert!(many < 3 * few && many as f64 <= 64.0 * 6.0, "n log n: {few}, {many}");
}

/// A failure at great depth: `changeref` tries the deepest first and needs few asks.
#[test]
fn failure_at_the_leaves() {
    let text = chain(200, 0, "neg");
    let fails = |text: &str| text.contains("neg");
    for algorithm in [Algorithm::Changeref, Algorithm::ChangerefPlus] {
        let (left, stats) = reduce(&text, fails, |engine| run(engine, algorithm, Simplify::Off));
        assert!(calls(&stats) < 250, "{}: {}", algorithm.name(), calls(&stats));
        assert!(n_lines(&left) < 20, "{left}");
    }
}

/// A failure near the root: replacing what is below costs few asks.
#[test]
fn failure_near_the_root() {
    let text = chain(200, 199, "neg");
    let fails = |text: &str| text.contains("neg");
    for algorithm in [Algorithm::Bfs, Algorithm::Hdd, Algorithm::Lw] {
        let (left, stats) = reduce(&text, fails, |engine| run(engine, algorithm, Simplify::Off));
        assert!(calls(&stats) < 20, "{}: {}", algorithm.name(), calls(&stats));
        assert_eq!(n_lines(&left), 4, "{left}");
    }
}

/// A failure in the middle of a deep chain: the linear algorithms stay linear.
#[test]
fn failure_at_great_depth_costs_what_the_thesis_says() {
    let n = 200;
    let text = chain(n, n / 2, "neg");
    let fails = |text: &str| text.contains("neg");
    let bounds = [
        (Algorithm::Bfs, 3 * (n as u64 + 3)),
        (Algorithm::Lw, 3 * (n as u64 + 3)),
        (Algorithm::Deltabtor, 6 * (n as u64 + 3)),
    ];
    for (algorithm, bound) in bounds {
        let (_, stats) = reduce(&text, fails, |engine| run(engine, algorithm, Simplify::Off));
        assert!(calls(&stats) <= bound, "{}: {} > {bound}", algorithm.name(), calls(&stats));
    }
}

/// Whatever the failure is, every algorithm terminates, with a file that fails and has no more nodes than the
/// original.
#[test]
fn all_of_them_end_with_a_failing_file() {
    let text = "1 var 4 a\n2 var 4 b\n3 array 4 2\n4 slice 2 1 1 0\n5 write 4 2 3 4 -2\n6 read 4 5 4\n\
        7 add 4 6 -1\n8 mul 4 7 2\n9 ult 1 8 -6\n10 and 1 9 -9\n11 root 1 -10\n";
    let needles = [vec!["mul"], vec!["write", "slice"], vec!["-"], vec!["add", "ult"], vec![]];
    for algorithm in ALGORITHMS {
        for simplify in [Simplify::On, Simplify::Off] {
            for needles in &needles {
                let fails =
                    |text: &str| needles.iter().all(|needle| text.contains(needle)) && text.contains("root");
                let (left, _) = reduce(text, fails, |engine| run(engine, algorithm, simplify));
                assert!(fails(&left), "{} lost {needles:?}: {left}", algorithm.name());
                assert!(n_lines(&left) <= n_lines(text));
            }
        }
    }
}

#[test]
fn simplification_removes_what_constants_make_superfluous() {
    let text = "1 var 1\n2 var 1\n3 and 1 1 2\n4 xor 1 3 -2\n5 not 1 4\n6 root 1 5\n";
    let fails = |text: &str| text.contains("xor");
    let (off, _) = reduce(text, fails, |engine| run(engine, Algorithm::Bfs, Simplify::Off));
    assert!(off.contains("not"), "{off}");
    // The complement of the root's operand is a minus now.
    let (on, _) =
        reduce(text, |text| text.contains("root 1 -"), |engine| run(engine, Algorithm::Bfs, Simplify::On));
    assert!(!on.contains("not"), "{on}");
}

#[test]
fn chained_they_find_more_than_each_alone() {
    let text = chain(60, 30, "neg");
    let fails = |text: &str| text.contains("neg");
    let (left, _) = reduce(&text, fails, |engine| combine(engine, &CHAIN, Simplify::On));
    assert_eq!(n_lines(&left), 4, "{left}");
}

const SIX: &str = "1 var 1\n2 var 1\n3 and 1 1 2\n4 var 1\n5 or 1 3 4\n6 root 1 5\n";

/// "Create a zero node for each bit-width" (§4.1.1 step 4): three variables become one zero, and six nodes four.
#[test]
fn zeros_are_shared() {
    for algorithm in
        [Algorithm::Ddmin, Algorithm::Hdd, Algorithm::Bfs, Algorithm::Deltabtor, Algorithm::HddStar]
    {
        let (left, _) = reduce(
            SIX,
            |text| text.contains("and") && text.contains("or 1"),
            |engine| run(engine, algorithm, Simplify::Off),
        );
        assert_eq!(n_lines(&left), 4, "{}: {left}", algorithm.name());
        assert_eq!(left.matches("zero").count(), 1, "{left}");
    }
}

/// Ones are a negated reference to the zero, not a node of their own.
#[test]
fn ones_are_minus_zero() {
    let fails = |text: &str| text.contains("and 1 -") && text.contains("root");
    let (left, _) = reduce(SIX, fails, |engine| run(engine, Algorithm::Bfs, Simplify::Off));
    assert!(left.contains("zero") && !left.contains("ones"), "{left}");
}

/// Nodes that no root reaches are dropped, with those that only they refer to; they are not counted.
#[test]
fn what_no_root_reaches_goes() {
    let text = format!("{SIX}7 var 8\n8 not 8 7\n9 redor 1 8\n10 and 1 9 1\n");
    assert_eq!(measured(&text), 6);
    for algorithm in ALGORITHMS {
        for simplify in [Simplify::On, Simplify::Off] {
            // Only the dead nodes can be removed.
            let fails = |other: &str| other.starts_with(SIX);
            let (left, stats) = reduce(&text, fails, |engine| run(engine, algorithm, simplify));
            assert_eq!(left, SIX, "{}", algorithm.name());
            assert_eq!(measured(&left), 6);
            assert!(stats.accepted == 1);
        }
    }
}

/// If the failure needs nodes that no root reaches, the rest is still reduced.
#[test]
fn what_the_failure_needs_stays() {
    let text = format!("{SIX}7 var 8\n8 not 8 7\n");
    let fails = |other: &str| other.contains("not 8") && other.contains("root");
    let (left, _) = reduce(&text, fails, |engine| run(engine, Algorithm::Bfs, Simplify::Off));
    assert!(left.contains("not 8 7") && n_lines(&left) == 4, "{left}");
}

fn measured(text: &str) -> u64 {
    let format = Btor::new(text.as_bytes(), BtorDialect::Btor, AllowedCandidates::WellFormed);
    format.measure(&format.read(text.into()))[0].1
}

/// In SMT-LIB, no root reaches an unused declaration or binding.
#[test]
fn what_no_assertion_uses_goes() {
    let text = "(declare-const a Bool)(declare-const b Bool)(define-fun f () Bool (not b))\
        (assert (let ((x a) (y (or b b))) (and x x)))";
    let format = SmtLib::new(text.as_bytes(), AllowedCandidates::WellFormed);
    assert_eq!(format.measure(&format.read(text.into())), [("commands", 4), ("terms", 5)]);
    let fails = |bytes: &[u8]| bytes.ends_with(b" (and x x)))");
    let (left, _) =
        run_quietly(&format, text.as_bytes(), fails, |engine| run(engine, Algorithm::Lw, Simplify::Off));
    let left = String::from_utf8(left).unwrap();
    assert_eq!(left.replace("false) )", "false))"), "(assert (let ((x false)) (and x x)))");
}

/// The arrows of §4.4: the size after each algorithm of a chain.
#[test]
fn a_chain_says_what_each_algorithm_left() {
    let text = chain(60, 30, "neg");
    let (left, stats) =
        reduce(&text, |text| text.contains("neg"), |engine| combine(engine, &CHAIN, Simplify::On));
    let names: Vec<&str> = stats.stages.iter().map(|stage| stage.name).collect();
    assert_eq!(names, CHAIN.map(Algorithm::name));
    assert!(stats.stages.windows(2).all(|pair| pair[1].size <= pair[0].size), "{:?}", stats.stages);
    assert_eq!(stats.stages.last().unwrap().size, measured(&left));
}

/// The exact numbers of fig. 4.5: n(n + 1)/2 pairs and the edge of the root for `changeref`, about log2 n! for
/// `changeref+`.
#[test]
fn the_worst_cases_of_changeref_as_numbers() {
    let calls_on = |n: usize, algorithm| {
        let text = write_chain(n);
        calls(&reduce(&text, |other| other == text, |engine| run(engine, algorithm, Simplify::Off)).1)
    };
    let sizes: &[usize] = if std::env::var_os("NUB_FULL").is_some() { &[16, 32, 64, 128] } else { &[16, 32] };
    for &n in sizes {
        assert_eq!(calls_on(n, Algorithm::Changeref), (n * (n + 1) / 2 + 1) as u64);
        let bound: f64 = (1..=n).map(|k| (k as f64).log2()).sum();
        let plus = calls_on(n, Algorithm::ChangerefPlus) as f64;
        assert!(plus <= bound && plus >= 0.8 * bound, "{n}: {plus} calls, log2 n! = {bound}");
    }
}
