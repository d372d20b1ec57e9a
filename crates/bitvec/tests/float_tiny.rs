//! All operands of tiny formats, against floating point by definition. For the larger formats a sample of the pairs and triples;
//! all of them with `NUB_FULL=1`.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod exact;

use exact::{Fraction, MODES, Meaning, Tiny};
use nub_bitvec::Value;
use nub_bitvec::float::{FloatFormat, FloatOp, FloatOperation, FloatResult, RoundingMode, Signedness};

const FORMATS: [(u32, u32); 8] = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (3, 5)];

fn operation(tiny: &Tiny, op: FloatOp) -> FloatOperation {
    FloatOperation { op, format: FloatFormat::new(tiny.eb, tiny.sb).unwrap() }
}

/// The evaluator's result as a number; `None` if it is unspecified.
fn evaluate(operation: FloatOperation, mode: Option<usize>, args: &[u64]) -> Option<u64> {
    let widths = operation.operand_widths();
    let mode = mode.map(|mode| RoundingMode::ALL[mode].code());
    let args: Vec<Value> = mode
        .into_iter()
        .chain(
            args.iter()
                .zip(&widths[usize::from(operation.has_mode())..])
                .map(|(bits, width)| Value::from_u64(*width, *bits)),
        )
        .collect();
    match operation.evaluate(&args.iter().collect::<Vec<_>>()) {
        FloatResult::Exactly(value) => value.to_u64(),
        FloatResult::Open(_) => None,
    }
}

fn all(tiny: &Tiny) -> std::ops::Range<u64> {
    0..1 << tiny.width()
}

fn is_full() -> bool {
    std::env::var_os("NUB_FULL").is_some_and(|value| value == "1")
}

/// The second operands to try with a first one.
fn others(tiny: &Tiny, first: u64) -> impl Iterator<Item = u64> {
    let step = if tiny.width() <= 6 || is_full() { 1 } else { 5 };
    all(tiny).skip(first as usize % step).step_by(step)
}

fn sum(tiny: &Tiny, mode: usize, a: Meaning, b: Meaning) -> u64 {
    use Meaning::*;
    match (a, b) {
        (Nan, _) | (_, Nan) => tiny.nan(),
        (Infinite { negative: a }, Infinite { negative: b }) if a != b => tiny.nan(),
        (Infinite { negative }, _) | (_, Infinite { negative }) => tiny.infinite(negative),
        (Number { negative: a, value: x }, Number { negative: b, value: y }) => {
            let both = a && b;
            let is_zero_negative =
                if a != b || !(x.is_zero() && y.is_zero()) { MODES[mode] == "RTN" } else { both };
            tiny.round(mode, x.add(y), is_zero_negative)
        }
    }
}

fn is_negative(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Infinite { negative: true } | Meaning::Number { negative: true, .. })
}

/// `None` for NaN.
fn product(a: Meaning, b: Meaning) -> Option<Meaning> {
    use Meaning::*;
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Nan, _) | (_, Nan) => None,
        (Number { value: x, .. }, Number { value: y, .. }) => Some(Number { negative, value: x.mul(y) }),
        (Number { value, .. }, _) | (_, Number { value, .. }) if value.is_zero() => None,
        _ => Some(Infinite { negative }),
    }
}

fn rounded(tiny: &Tiny, mode: usize, meaning: Option<Meaning>) -> u64 {
    match meaning {
        None | Some(Meaning::Nan) => tiny.nan(),
        Some(Meaning::Infinite { negative }) => tiny.infinite(negative),
        Some(Meaning::Number { negative, value }) => tiny.round(mode, value, negative),
    }
}

fn quotient(a: Meaning, b: Meaning) -> Option<Meaning> {
    use Meaning::*;
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => None,
        (Number { value: x, .. }, Number { value: y, .. }) if y.is_zero() => {
            (!x.is_zero()).then_some(Infinite { negative })
        }
        (Number { value: x, .. }, Number { value: y, .. }) => Some(Number { negative, value: x.div(y) }),
        (Infinite { .. }, _) => Some(Infinite { negative }),
        (_, Infinite { .. }) => Some(Number { negative, value: Fraction(0, 1) }),
    }
}

fn remainder(tiny: &Tiny, bits: u64, a: Meaning, b: Meaning) -> u64 {
    use Meaning::*;
    match (a, b) {
        (Number { .. }, Infinite { .. }) => bits,
        (Number { negative, value: x }, Number { value: y, .. }) if !y.is_zero() => {
            let n = x.div(y).nearest_even();
            tiny.round(0, x.add(Fraction(-n * y.0, y.1)), negative)
        }
        _ => tiny.nan(),
    }
}

fn root(tiny: &Tiny, mode: usize, bits: u64) -> u64 {
    match tiny.meaning(bits) {
        Meaning::Number { value, .. } if value.is_zero() => bits,
        Meaning::Infinite { negative: false } => bits,
        Meaning::Number { negative: false, value } => {
            tiny.round_by(mode, false, |other| value.compare(other.mul(other)))
        }
        _ => tiny.nan(),
    }
}

/// The integer that a number is rounded to.
fn integer(mode: usize, value: Fraction) -> i128 {
    let (floor, is_exact) = (value.0.div_euclid(value.1), value.0.rem_euclid(value.1) == 0);
    let twice = Fraction((value.0 - floor * value.1) * 2, value.1);
    match MODES[mode] {
        _ if is_exact => floor,
        "RTP" => floor + 1,
        "RTN" => floor,
        "RTZ" => floor + i128::from(value.0 < 0),
        "RNE" => value.nearest_even(),
        _ => match twice.compare(Fraction(1, 1)) {
            std::cmp::Ordering::Less => floor,
            std::cmp::Ordering::Greater => floor + 1,
            std::cmp::Ordering::Equal => floor + i128::from(value.0 > 0),
        },
    }
}

#[test]
fn arithmetic_on_two_operands_is_exact() {
    for tiny in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
        for a in all(&tiny) {
            for b in others(&tiny, a) {
                let (x, y) = (tiny.meaning(a), tiny.meaning(b));
                let minus = tiny.meaning(b ^ 1 << (tiny.width() - 1));
                for (mode, name) in MODES.iter().enumerate() {
                    let same = |op: FloatOp, expected: u64| {
                        let found = evaluate(operation(&tiny, op), Some(mode), &[a, b]);
                        assert_eq!(
                            found,
                            Some(expected),
                            "{op:?} {name} {a:b} {b:b} at ({}, {})",
                            tiny.eb,
                            tiny.sb
                        );
                    };
                    same(FloatOp::Add, sum(&tiny, mode, x, y));
                    same(FloatOp::Sub, sum(&tiny, mode, x, minus));
                    same(FloatOp::Mul, rounded(&tiny, mode, product(x, y)));
                    same(FloatOp::Div, rounded(&tiny, mode, quotient(x, y)));
                }
                let found = evaluate(operation(&tiny, FloatOp::Rem), None, &[a, b]);
                assert_eq!(
                    found,
                    Some(remainder(&tiny, a, x, y)),
                    "rem {a:b} {b:b} at ({}, {})",
                    tiny.eb,
                    tiny.sb
                );
            }
        }
    }
}

#[test]
fn comparisons_and_extrema_are_those_of_numbers() {
    use Meaning::*;
    let number = |meaning: Meaning| match meaning {
        Nan => None,
        Infinite { negative } => Some(Fraction(if negative { -1000 } else { 1000 }, 1)),
        Number { value, .. } => Some(value),
    };
    for tiny in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
        for a in all(&tiny) {
            for b in all(&tiny) {
                let order = number(tiny.meaning(a)).zip(number(tiny.meaning(b))).map(|(x, y)| x.compare(y));
                let truth = |op: FloatOp, expected: bool| {
                    assert_eq!(
                        evaluate(operation(&tiny, op), None, &[a, b]),
                        Some(u64::from(expected)),
                        "{op:?} {a:b} {b:b}"
                    );
                };
                truth(FloatOp::Less, order.is_some_and(|order| order.is_lt()));
                truth(FloatOp::AtMost, order.is_some_and(|order| order.is_le()));
                truth(FloatOp::Equal, order.is_some_and(|order| order.is_eq()));
                let nan_or = |bits: u64| if number(tiny.meaning(bits)).is_none() { tiny.nan() } else { bits };
                let chosen = |first: bool| Some(nan_or(if first { a } else { b }));
                let (min, max) = match order {
                    None => {
                        let other = chosen(number(tiny.meaning(b)).is_none());
                        (other, other)
                    }
                    // Zeros of opposite signs.
                    Some(order) if order.is_eq() && a != b => (None, None),
                    Some(order) => (chosen(order.is_le()), chosen(order.is_ge())),
                };
                assert_eq!(evaluate(operation(&tiny, FloatOp::Min), None, &[a, b]), min, "min {a:b} {b:b}");
                assert_eq!(evaluate(operation(&tiny, FloatOp::Max), None, &[a, b]), max, "max {a:b} {b:b}");
            }
        }
    }
}

#[test]
fn roots_and_integers_are_rounded_once() {
    use Meaning::*;
    for tiny in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
        for (a, mode) in all(&tiny).flat_map(|a| (0..5).map(move |mode| (a, mode))) {
            let found = |op: FloatOp| evaluate(operation(&tiny, op), Some(mode), &[a]);
            let about = format!("{} {a:b} at ({}, {})", MODES[mode], tiny.eb, tiny.sb);
            assert_eq!(found(FloatOp::Sqrt), Some(root(&tiny, mode, a)), "sqrt {about}");
            let integral = match tiny.meaning(a) {
                Nan => tiny.nan(),
                Infinite { .. } => a,
                Number { negative, value } => tiny.round(mode, Fraction(integer(mode, value), 1), negative),
            };
            assert_eq!(found(FloatOp::RoundToIntegral), Some(integral), "roundToIntegral {about}");
            for width in 1..=6 {
                let to = |range: std::ops::Range<i128>| match tiny.meaning(a) {
                    Number { value, .. } => Some(integer(mode, value)).filter(|n| range.contains(n)),
                    _ => None,
                };
                let bits = |n: i128| (n as u64) & ((1 << width) - 1);
                let (half, whole) = (1_i128 << (width - 1), 1_i128 << width);
                let signed = to(-half..half).map(bits);
                assert_eq!(
                    found(FloatOp::ToInteger(Signedness::Signed, width)),
                    signed,
                    "to_sbv {width} {about}"
                );
                let unsigned = to(0..whole).map(bits);
                assert_eq!(
                    found(FloatOp::ToInteger(Signedness::Unsigned, width)),
                    unsigned,
                    "to_ubv {width} {about}"
                );
            }
        }
        for (bits, mode) in (0..64_u64).flat_map(|bits| (0..5).map(move |mode| (bits, mode))) {
            let from = |signedness| {
                evaluate(operation(&tiny, FloatOp::FromInteger(signedness, 6)), Some(mode), &[bits])
            };
            let expected = |n: i128| Some(tiny.round(mode, Fraction(n, 1), false));
            assert_eq!(from(Signedness::Unsigned), expected(i128::from(bits)));
            assert_eq!(
                from(Signedness::Signed),
                expected(i128::from(bits) - if bits >= 32 { 64 } else { 0 })
            );
        }
    }
}

#[test]
fn formats_are_converted_with_one_rounding() {
    for from in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
        for to in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
            let source = FloatFormat::new(from.eb, from.sb).unwrap();
            for (a, mode) in all(&from).flat_map(|a| (0..5).map(move |mode| (a, mode))) {
                let found = evaluate(operation(&to, FloatOp::FromFloat(source)), Some(mode), &[a]);
                assert_eq!(found, Some(rounded(&to, mode, Some(from.meaning(a)))), "{source} {a:b}");
            }
        }
    }
}

/// All operands where that is fast, otherwise one in 101.
#[test]
fn fused_multiplication_and_addition_rounds_once() {
    for tiny in FORMATS.map(|(eb, sb)| Tiny::new(eb, sb)) {
        let n = 1_u64 << tiny.width();
        let step = if n <= 32 || is_full() { 1 } else { 101 };
        for index in (0..n * n * n).step_by(step) {
            let [a, b, c] = [index % n, index / n % n, index / n / n];
            let mode = (index / step as u64 % 5) as usize;
            let expected = match (product(tiny.meaning(a), tiny.meaning(b)), tiny.meaning(c)) {
                (None, _) | (_, Meaning::Nan) => tiny.nan(),
                (Some(product), c) => sum(&tiny, mode, product, c),
            };
            let found = evaluate(operation(&tiny, FloatOp::Fma), Some(mode), &[a, b, c]);
            assert_eq!(
                found,
                Some(expected),
                "fma {} {a:b} {b:b} {c:b} at ({}, {})",
                MODES[mode],
                tiny.eb,
                tiny.sb
            );
        }
    }
}
