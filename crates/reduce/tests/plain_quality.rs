//! Minima of reductions of plain text as equalities, and what a large file costs.
#![allow(clippy::unwrap_used)] // tests may panic

#[path = "common/quiet.rs"]
mod quiet;

use nub_reduce::strategies::auto_plain;
use nub_reduce::{ReductionStats, plain::Plain};
use quiet::run_quietly;

fn reduce(text: &[u8], fails: impl Fn(&[u8]) -> bool + Sync) -> (Vec<u8>, ReductionStats) {
    assert!(fails(text));
    run_quietly(&Plain::new(), text, fails, auto_plain)
}

fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

const PROGRAM: &str = "#include <stdio.h>\n\nint helper(int value) {\n    return value * 2;\n}\n\n\
    int main(void) {\n    int values[100] = { 1, 2, 3 };\n    if (values[0] > 17) {\n        \
    printf(\"%s\\n\", bug(values[1], helper(3)));\n    }\n    return 0;\n}\n";

#[test]
fn what_is_needed_and_no_byte_more() {
    let (result, _) = reduce(PROGRAM.as_bytes(), |text| contains(text, "bug("));
    assert_eq!(result, b"bug(");
}

#[test]
fn balanced_brackets() {
    let is_balanced = |text: &[u8]| {
        let mut open = Vec::new();
        text.iter().all(|&byte| match byte {
            b'(' | b'[' | b'{' => {
                open.push(byte);
                true
            }
            b')' => open.pop() == Some(b'('),
            b']' => open.pop() == Some(b'['),
            b'}' => open.pop() == Some(b'{'),
            _ => true,
        }) && open.is_empty()
    };
    let (result, _) = reduce(PROGRAM.as_bytes(), |text| is_balanced(text) && contains(text, "bug("));
    assert_eq!(result, b"bug()");
    let (result, _) = reduce(PROGRAM.as_bytes(), |text| is_balanced(text) && contains(text, "{\n    i"));
    assert_eq!(result, b"{\n    i}");
}

/// Levels of brackets are asked in groups, not one by one.
#[test]
fn deep_nests() {
    let levels = 3_000;
    let nested = |open: &str, inner: &str, close: &str| {
        [open.repeat(levels), inner.to_owned(), close.repeat(levels)].concat().into_bytes()
    };
    let (result, stats) = reduce(&nested("[", "BUG", "]"), |text| contains(text, "BUG"));
    assert_eq!(result, b"BUG");
    assert!(stats.asks < 60, "{}", stats.asks);
    // What is beside the levels goes with them, and a level that must stay costs a bisection.
    let text = [b"f(".as_slice(), &nested("{a,", "(BUG)", "[b]}"), b")"].concat();
    let fails = |text: &[u8]| text.starts_with(b"f(") && text.ends_with(b")") && contains(text, "BUG");
    let (result, stats) = reduce(&text, fails);
    assert_eq!(result, b"f(BUG)");
    assert!(stats.asks < 120, "{}", stats.asks);
}

/// A number is found by bisection, not by counting down.
#[test]
fn numbers() {
    let number = |text: &[u8]| {
        std::str::from_utf8(text).ok()?.trim().strip_prefix("f(")?.strip_suffix(')')?.parse().ok()
    };
    let (result, stats) = reduce(b"f( 1000000)", |text| {
        let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != b' ').collect();
        number(&text).is_some_and(|value: u64| value >= 777)
    });
    assert_eq!(result, b"f(777)");
    assert!(stats.asks < 400, "{}", stats.asks);
}

#[test]
fn names_everywhere() {
    let program = "counter = counter + step; print(counter)";
    let first =
        |text: &[u8]| text.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default().to_vec();
    // The same name three times: it can be shortened only if all are changed together.
    let (result, _) = reduce(program.as_bytes(), |text| {
        let name = first(text);
        let words = text.split(|byte| !byte.is_ascii_alphabetic());
        !name.is_empty() && words.filter(|word| *word == name.as_slice()).count() == 3
    });
    assert_eq!(result.len(), 5, "{:?}", String::from_utf8_lossy(&result));
}

#[test]
fn any_bytes() {
    let text =
        [b"\x00\xff\x00\xfe no newline \x80".repeat(30), vec![0xc3, 0xa9], b"\x00".repeat(50)].concat();
    let (result, _) = reduce(&text, |text| {
        let accent = text.windows(2).position(|pair| pair == [0xc3, 0xa9]);
        accent.is_some_and(|at| text[..at].contains(&0))
    });
    assert_eq!(result, b"\x00\xc3\xa9");
    let (result, _) = reduce(&text, |_| true);
    assert_eq!(result, b"");
}

/// Nothing is quadratic: five megabytes of short lines, of which three matter.
#[test]
fn a_large_file() {
    let text: Vec<u8> = (0..800_000u32)
        .flat_map(|line| format!("{:04}\n", line % 1000).into_bytes())
        .chain(*b"a\n")
        .collect();
    let text = [b"x\n".as_slice(), &text, b"z"].concat();
    let (result, stats) = reduce(&text, |text| {
        text.first() == Some(&b'x') && text.contains(&b'a') && text.last() == Some(&b'z')
    });
    assert_eq!(result, b"xaz");
    assert!(stats.asks < 300, "{}", stats.asks);
}
