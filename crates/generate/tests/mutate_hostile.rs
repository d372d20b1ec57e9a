//! Hostile seeds: no panic on a small stack, and linear cost.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_generate::{FormulaMutator, MutateConfig};
use std::time::Duration;

/// Mutates on a stack of 2 MiB.
fn mutate(files: Vec<Vec<u8>>, n_mutants: u64) -> usize {
    let run = move || {
        let (mutator, _) = FormulaMutator::new(files, MutateConfig::default());
        let mut text = Vec::new();
        (0..n_mutants).filter(|&n| mutator.write(n, &mut text).is_some()).count()
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap()
}

fn nested(depth: usize) -> Vec<u8> {
    let text =
        format!("(declare-const p Bool)(assert {}p{})(check-sat)", "(not ".repeat(depth), ")".repeat(depth));
    text.into_bytes()
}

fn lets(n: usize) -> Vec<u8> {
    let mut text = String::from("(declare-const x Int)(assert ");
    for _ in 0..n {
        text.push_str("(let ((x (+ x x))) ");
    }
    (text + "(< x 0)" + &")".repeat(n) + ")(check-sat)").into_bytes()
}

fn wide(n: usize) -> Vec<u8> {
    let mut text = String::from("(declare-const x Int)");
    for at in 0..n {
        text.push_str(&format!(
            "(assert (! (or (< x {at}) (= (* x {at}) 7)) :named a{at}))\n(assert (> x {at}))\n"
        ));
    }
    (text + "(check-sat)").into_bytes()
}

#[test]
fn deep_and_shadowed_and_wide() {
    assert!(mutate(vec![nested(100_000)], 8) > 4);
    assert!(mutate(vec![lets(100_000)], 8) > 0);
    assert!(mutate(vec![wide(10_000)], 6) > 3);
    assert!(mutate(vec![nested(1_000), lets(1_000), wide(100)], 100) > 50);
}

#[test]
fn broken_bytes() {
    let whole = b"(declare-fun f (Int) Int)(assert (forall ((x Int)) (! (let ((y (f x))) (= y x)) :pattern ((f x)))))(assert (= \"a\"\"\" \"\\u{1}\"))(push 1)(assert (= #b01 (_ bv1 2)))(check-sat)";
    let mut files: Vec<Vec<u8>> = (0..=whole.len()).map(|end| whole[..end].to_vec()).collect();
    for at in 0..whole.len() {
        let mut text = whole.to_vec();
        text[at] = b"()| \"_0\xff\n"[at % 9];
        files.push(text);
    }
    files.push(b"(_ bv1 0)(assert)".to_vec());
    files.push(b"(declare-const x (_ BitVec 4294967295))(assert (= x (bvneg x)))(check-sat)".to_vec());
    files.push(b"(declare-const x (_ BitVec 0))(assert (= x ((_ rotate_left 1) x)))".to_vec());
    files
        .push(b"(declare-const x (_ FloatingPoint 4000000000 4000000000))(assert (= x (fp.neg x)))".to_vec());
    files.push(b"1 sort bitvec 2147483646\n2 zero 1\n3 ones 1\n4 eq 1 2 3\n".to_vec());
    assert!(mutate(files, 2_000) > 500);
}

/// Processor time of this thread, which does not depend on other programs.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap())
}

/// Four times the seed costs less than nine times as much per mutant. Uses the best of several rounds, because other programs
/// can only make a round slower.
#[test]
fn cost_is_linear() {
    let time = |n: usize| {
        let (mutator, _) = FormulaMutator::new(vec![wide(n)], MutateConfig::default());
        let round = |_| {
            let start = processor_time();
            let mut text = Vec::new();
            (0..10).for_each(|seed| drop(mutator.write(seed, &mut text)));
            processor_time() - start
        };
        (0..3).map(round).min().unwrap_or(Duration::ZERO)
    };
    let (once, four_times) = (time(1_500), time(6_000));
    assert!(four_times < once * 9, "{once:?}, {four_times:?}");
}
