//! Hostile input: no panic on a 2 MiB stack, and slow only in proportion.

use crate::common::{Bench, Run};
use crate::{count, end_event};

/// Accepts whatever has a needle; the original always has one.
const NEEDLE: &str = "#!/bin/sh\ngrep -qa needle \"$1\"\n";

/// Runs with a stack of 2 MiB for every thread, the main one included.
fn reduce(input: &[u8], more: &[&str]) -> (Bench, Run) {
    let bench = Bench::new();
    std::fs::write(bench.path("in.smt2"), input).unwrap();
    bench.program("test.sh", NEEDLE);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -s 2048; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_nub")]);
    command.args([
        "reduce",
        "in.smt2",
        "-o",
        "out.smt2",
        "-j1",
        "--json",
        "--no-header",
        "--test",
        "./test.sh",
    ]);
    let output =
        command.args(more).current_dir(bench.path("")).env("RUST_MIN_STACK", "2097152").output().unwrap();
    (bench, Run::of(output))
}

/// Whatever the file contains, the needle is found, nothing panics, and a few asks are fast.
fn check(name: &str, input: &[u8]) {
    let (bench, run) = reduce(input, &["--any", "--max-asks", "40"]);
    assert!(run.code == Some(0) || run.code == Some(1), "{name}: {} {:?}", run.stderr, run.signal);
    assert!(!run.stderr.contains("panicked"), "{name}: {}", run.stderr);
    assert!(
        !run.stderr.contains("lost to internal errors") || run.stderr.contains(" 0 edits were lost"),
        "{name}: {}",
        run.stderr
    );
    if run.code == Some(0) {
        let out = std::fs::read(bench.path("out.smt2")).unwrap();
        assert!(out.windows(6).any(|window| window == b"needle"), "{name}");
        assert!(out.len() < input.len(), "{name}");
    }
}

fn nested(depth: usize) -> Vec<u8> {
    [b"(assert ".to_vec(), b"(".repeat(depth), b"needle".to_vec(), b")".repeat(depth), b")".to_vec()].concat()
}

fn nested_not(depth: usize) -> Vec<u8> {
    let head = b"(declare-const needle Bool)(assert ".to_vec();
    [head, b"(not ".repeat(depth), b"needle".to_vec(), b")".repeat(depth), b")(check-sat)".to_vec()].concat()
}

fn numeral(n_digits: usize) -> Vec<u8> {
    [
        b"(declare-const needle Int)(assert (= needle ".to_vec(),
        b"7".repeat(n_digits),
        b"))(check-sat)".to_vec(),
    ]
    .concat()
}

/// A formula of 2^levels symbols once its lets are inlined.
fn doubling_let(levels: usize) -> Vec<u8> {
    let mut text = String::from("(declare-const needle Bool)\n(assert (let ((x0 needle)) ");
    for level in 1..=levels {
        let before = level - 1;
        text.push_str(&format!("(let ((x{level} (and x{before} x{before}))) "));
    }
    text.push_str(&format!("x{levels}{}))\n(check-sat)\n", ")".repeat(levels)));
    text.into_bytes()
}

fn flat(n: usize) -> Vec<u8> {
    let mut text = b"(declare-const needle Bool)\n".to_vec();
    (0..n).for_each(|idx| {
        text.extend(format!("(assert (or needle (and needle (not needle)) {}))\n", idx % 7 < 3).bytes())
    });
    text
}

/// BTOR2: each node is over two earlier ones, near and far.
fn btor2(n_nodes: usize) -> Vec<u8> {
    let mut text = String::from("1 sort bitvec 8\n2 sort bitvec 1\n3 input 1 needle\n4 input 1\n");
    let operators = ["add", "mul", "and", "xor", "sub"];
    for id in 5..5 + n_nodes {
        let far = 3 + id.wrapping_mul(2_654_435_761) % (id - 3);
        text.push_str(&format!("{id} {} 1 {} {far}\n", operators[id % operators.len()], id - 1));
    }
    let last = 4 + n_nodes;
    text.push_str(&format!("{} ult 2 {last} 3\n{} bad {}\n", last + 1, last + 2, last + 1));
    text.into_bytes()
}

#[test]
fn no_panic() {
    let depth = count(100_000, 1_000_000);
    let every_byte: Vec<u8> = (0..=255).chain(b"needle".iter().copied()).chain((0..=255).rev()).collect();
    check("parentheses", &nested(depth));
    check("open parentheses only", &[b"(".repeat(depth), b"needle".to_vec()].concat());
    check("closing parentheses only", &[b"needle".to_vec(), b")".repeat(depth)].concat());
    check("nested terms", &nested_not(depth / 4));
    check("numeral", &numeral(depth));
    check("NUL", b"(assert \0 needle)\0(check-sat\0)");
    check("every byte", &every_byte);
    check("every byte in a list", &[b"(assert |", &every_byte[..], b"|)"].concat());
    check("an open quote", b"(assert needle) (assert |abc (check-sat)");
    check("an open string", b"(assert needle) (echo \"abc (check-sat)");
    check("doubling let", &doubling_let(200));
    check("BTOR2", &btor2(depth / 10));
    check("many doubling lets", &doubling_let(count(2_000, 20_000)));
    check("one line", &b"needle ".repeat(depth / 10));
    check("huge width", b"(declare-const needle (_ BitVec 2147483648))(assert (= ((_ extract 2147483647 0) needle) ((_ repeat 99999999999999999999) needle)))(check-sat)");
    check("huge index", b"(declare-const needle Int)(assert ((_ divisible 340282366920938463463374607431768211456) needle))(push 99999999999)(pop 99999999999)");
}

#[test]
fn well_formed_lets_stay_small() {
    // Without `--any`, so that all passes run: none may write out what the lets share.
    let input = doubling_let(200);
    let (bench, run) = reduce(&input, &["--max-asks", "400"]);
    let run = run.expect(0);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert!(bench.read("out.smt2").len() < input.len());
}

/// Input of a given size.
type Shape = fn(usize) -> Vec<u8>;

/// Seconds of processor time of nub itself; the best of three, since the machine may be busy.
fn own_cpu(input: &[u8]) -> f64 {
    let once = |_| {
        let (_, run) = reduce(input, &["--any", "--max-asks", "3"]);
        end_event(&run.stdout)["own_cpu_seconds"].as_f64().unwrap()
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

#[test]
fn twice_the_input_takes_twice_the_time() {
    let n = count(100_000, 1_000_000);
    let shapes: [(&str, Shape, usize); 6] = [
        ("parentheses", nested, n),
        ("nested terms", nested_not, n / 4),
        ("numeral", numeral, n),
        ("doubling let", doubling_let, n / 50),
        ("flat", flat, n / 10),
        ("BTOR2", btor2, n / 4),
    ];
    for (name, shape, n) in shapes {
        let (once, twice) = (own_cpu(&shape(n)), own_cpu(&shape(2 * n)));
        println!("hostile: {name}: {once:.3} s, doubled {twice:.3} s of our processor time");
        // Slack for what does not depend on the input.
        assert!(twice < 2.3 * once + 0.15, "{name}: {once:.3} s, doubled {twice:.3} s");
    }
}
