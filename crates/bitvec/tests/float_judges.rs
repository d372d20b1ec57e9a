//! Floating point against the machine's own arithmetic and against LLVM's (`rustc_apfloat`), on corner cases and random operands.
//! `NUB_FULL=1` tests 10^7 pairs per operation, each in one rounding mode.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::Value;
use nub_bitvec::check::{RandomValues, Rng};
use nub_bitvec::float::{Float, FloatFormat, Rational, RoundingMode, Signedness};
use rustc_apfloat::ieee::{Double, Half, IeeeFloat, Quad, Semantics, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, StatusAnd};

fn n_rounds(few: usize) -> usize {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 10_000_000 } else { few }
}

/// An interesting encoding: near zero, one, the bounds of classes, or powers of two; or any encoding.
fn operand(rng: &mut Rng, format: FloatFormat) -> Value {
    let (eb, fb) = (format.exponent_bits(), format.fraction_bits());
    let exponent = match rng.below(8) {
        0 => Value::zero(eb),
        1 => Value::ones(eb),
        2 => Value::from_u64(eb, rng.below(4) as u64),
        3 => Value::ones(eb).sub(&Value::from_u64(eb, rng.below(4) as u64)),
        // Close to one: sums cancel, products and quotients stay in range.
        4 | 5 => {
            let near = Value::from_u64(eb, rng.below(2 * fb as usize + 4) as u64);
            Value::max_signed(eb).add(&near).sub(&Value::from_u64(eb, u64::from(fb)))
        }
        _ => rng.value(eb),
    };
    Value::from(rng.below(2) == 1).concat(&exponent).concat(&rng.value(fb))
}

macro_rules! machine {
    ($float:ty, $bits:ty, $format:expr, $rounds:expr) => {{
        let format: FloatFormat = $format;
        let mut rng = Rng::new(11);
        let native = |value: &Value| <$float>::from_bits(value.to_u64().unwrap() as $bits);
        let ours =
            |value: $float| Float::from_bits(format, Value::from_u64(format.width(), value.to_bits().into()));
        let rne = RoundingMode::NearestEven;
        for _ in 0..n_rounds($rounds) {
            let [a, b, c] = [0; 3].map(|_| operand(&mut rng, format));
            let (x, y, z) = (native(&a), native(&b), native(&c));
            let [a, b, c] = [a, b, c].map(|bits| Float::from_bits(format, bits));
            let about = (x, y, z);
            assert_eq!(a.add(&b, rne), ours(x + y), "{about:?}");
            assert_eq!(a.sub(&b, rne), ours(x - y), "{about:?}");
            assert_eq!(a.mul(&b, rne), ours(x * y), "{about:?}");
            assert_eq!(a.div(&b, rne), ours(x / y), "{about:?}");
            assert_eq!(a.sqrt(rne), ours(x.sqrt()), "{about:?}");
            assert_eq!(a.fma(&b, &c, rne), ours(x.mul_add(y, z)), "{about:?}");
            assert_eq!(a.round_to_integral(rne), ours(x.round_ties_even()), "{about:?}");
            assert_eq!(a.round_to_integral(RoundingMode::NearestAway), ours(x.round()), "{about:?}");
            assert_eq!(a.round_to_integral(RoundingMode::TowardPositive), ours(x.ceil()), "{about:?}");
            assert_eq!(a.round_to_integral(RoundingMode::TowardNegative), ours(x.floor()), "{about:?}");
            assert_eq!(a.round_to_integral(RoundingMode::TowardZero), ours(x.trunc()), "{about:?}");
            let relations = (a.is_less(&b), a.is_at_most(&b), a.is_equal(&b));
            assert_eq!(relations, (x < y, x <= y, x == y), "{about:?}");
            let number = a.to_integer(RoundingMode::TowardZero, Signedness::Signed, 64);
            match number {
                Some(number) => assert_eq!(number.to_u64().unwrap() as i64, x as i64, "{about:?}"),
                None => assert!(
                    x.is_nan()
                        || !(-9.3e18..9.3e18).contains(&x)
                        || x as i64 == i64::MAX
                        || x as i64 == i64::MIN
                ),
            }
            let bits = rng.value(64);
            let number = bits.to_u64().unwrap();
            assert_eq!(
                Float::from_integer(format, rne, Signedness::Signed, &bits),
                ours(number as i64 as $float)
            );
            assert_eq!(Float::from_integer(format, rne, Signedness::Unsigned, &bits), ours(number as $float));
        }
    }};
}

#[test]
fn the_machine_agrees_on_single() {
    machine!(f32, u32, FloatFormat::SINGLE, 20_000);
}

#[test]
fn the_machine_agrees_on_double() {
    machine!(f64, u64, FloatFormat::DOUBLE, 20_000);
}

/// A format, in `rustc_apfloat` and in this crate.
trait Judge {
    type Float: rustc_apfloat::Float;
    const FORMAT: FloatFormat;

    fn theirs(bits: &Value) -> Self::Float;
    fn ours(value: Self::Float) -> Float;
}

fn wide(bits: &Value) -> u128 {
    let low = bits.slice(bits.width().min(64) - 1, 0).to_u64().unwrap();
    let high = if bits.width() > 64 { bits.slice(bits.width() - 1, 64).to_u64().unwrap() } else { 0 };
    u128::from(high) << 64 | u128::from(low)
}

fn value(width: u32, bits: u128) -> Value {
    Value::from_bits((0..width).map(|bit| bits >> bit & 1 == 1))
}

macro_rules! ieee {
    ($name:ident, $float:ty, $format:expr) => {
        struct $name;

        impl Judge for $name {
            type Float = $float;
            const FORMAT: FloatFormat = $format;

            fn theirs(bits: &Value) -> $float {
                <$float>::from_bits(wide(bits))
            }

            fn ours(float: $float) -> Float {
                Float::from_bits($format, value($format.width(), float.to_bits()))
            }
        }
    };
}

ieee!(HalfJudge, Half, FloatFormat::HALF);
ieee!(SingleJudge, Single, FloatFormat::SINGLE);
ieee!(DoubleJudge, Double, FloatFormat::DOUBLE);
ieee!(QuadJudge, Quad, FloatFormat::QUAD);

/// The x87 format stores the leading one.
struct ExtendedJudge;

impl Judge for ExtendedJudge {
    type Float = X87DoubleExtended;
    const FORMAT: FloatFormat = FloatFormat::EXTENDED;

    fn theirs(bits: &Value) -> X87DoubleExtended {
        let packed = wide(bits);
        let (top, fraction) = (packed >> 63, packed & ((1 << 63) - 1));
        let leading = u128::from(top & 0x7fff != 0) << 63;
        X87DoubleExtended::from_bits(top << 64 | leading | fraction)
    }

    fn ours(float: X87DoubleExtended) -> Float {
        let bits = float.to_bits();
        let packed = (bits >> 64) << 63 | (bits & ((1 << 63) - 1));
        Float::from_bits(FloatFormat::EXTENDED, value(79, packed))
    }
}

const ROUNDS: [(RoundingMode, Round); 5] = [
    (RoundingMode::NearestEven, Round::NearestTiesToEven),
    (RoundingMode::NearestAway, Round::NearestTiesToAway),
    (RoundingMode::TowardPositive, Round::TowardPositive),
    (RoundingMode::TowardNegative, Round::TowardNegative),
    (RoundingMode::TowardZero, Round::TowardZero),
];

// Every pair of operands is used in one rounding mode, the next pair in the next one: five times as many pairs cost what all modes of a pair do.

/// The remainder of `rustc_apfloat` subtracts the divisor once per bit of the quotient's exponent, so operands must be close.
fn is_close(a: &Value, b: &Value, format: FloatFormat) -> bool {
    let field = |bits: &Value| bits.slice(format.width() - 2, format.fraction_bits()).to_u64().unwrap();
    field(a).abs_diff(field(b)) < 300
}

fn check<J: Judge>(few: usize) {
    let format = J::FORMAT;
    let mut rng = Rng::new(7);
    for turn in 0..n_rounds(few) {
        let (mode, round) = ROUNDS[turn % ROUNDS.len()];
        let [a, b, c] = [0; 3].map(|_| operand(&mut rng, format));
        let (x, y, z) = (J::theirs(&a), J::theirs(&b), J::theirs(&c));
        let is_near = is_close(&a, &b, format);
        let [a, b, c] = [a, b, c].map(|bits| Float::from_bits(format, bits));
        let same = |name: &str, found: Float, expected: StatusAnd<J::Float>| {
            assert_eq!(found, J::ours(expected.value), "{name} {a} {b} {c}");
        };
        same("add", a.add(&b, mode), x.add_r(y, round));
        same("sub", a.sub(&b, mode), x.sub_r(y, round));
        same("mul", a.mul(&b, mode), x.mul_r(y, round));
        same("div", a.div(&b, mode), x.div_r(y, round));
        same("fma", a.fma(&b, &c, mode), x.mul_add_r(y, z, round));
        same("integral", a.round_to_integral(mode), x.round_to_integral(round));
        let number = rng.value(100);
        let (signed, unsigned) = (wide(&number.sign_extend(28)) as i128, wide(&number));
        let from = |signedness| Float::from_integer(format, mode, signedness, &number);
        same("from signed", from(Signedness::Signed), J::Float::from_i128_r(signed, round));
        same("from unsigned", from(Signedness::Unsigned), J::Float::from_u128_r(unsigned, round));
        let mut is_exact = false;
        let expected = x.to_i128_r(40, round, &mut is_exact);
        let is_valid = !expected.status.contains(rustc_apfloat::Status::INVALID_OP);
        let expected = is_valid.then(|| value(40, expected.value as u128));
        assert_eq!(a.to_integer(mode, Signedness::Signed, 40), expected, "to signed {mode:?} {a}");
        if is_near {
            same("rem", a.rem(&b), x.ieee_rem(y));
        }
    }
}

#[test]
fn llvm_agrees_on_half() {
    check::<HalfJudge>(10_000);
}

#[test]
fn llvm_agrees_on_single() {
    check::<SingleJudge>(10_000);
}

#[test]
fn llvm_agrees_on_double() {
    check::<DoubleJudge>(10_000);
}

#[test]
fn llvm_agrees_on_extended() {
    check::<ExtendedJudge>(5_000);
}

#[test]
fn llvm_agrees_on_quad() {
    check::<QuadJudge>(5_000);
}

fn convert<A: Judge<Float = IeeeFloat<S>>, B: Judge<Float = IeeeFloat<T>>, S: Semantics, T: Semantics>() {
    let mut rng = Rng::new(3);
    for turn in 0..n_rounds(10_000) {
        let (mode, round) = ROUNDS[turn % ROUNDS.len()];
        let bits = operand(&mut rng, A::FORMAT);
        let ours = Float::from_bits(A::FORMAT, bits.clone());
        let mut loses = false;
        let expected: StatusAnd<IeeeFloat<T>> = A::theirs(&bits).convert_r(round, &mut loses);
        assert_eq!(ours.to_format(B::FORMAT, mode), B::ours(expected.value), "{mode:?} {ours}");
    }
}

#[test]
fn llvm_agrees_on_conversions() {
    convert::<DoubleJudge, SingleJudge, _, _>();
    convert::<SingleJudge, HalfJudge, _, _>();
    convert::<HalfJudge, DoubleJudge, _, _>();
    convert::<QuadJudge, DoubleJudge, _, _>();
    convert::<ExtendedJudge, DoubleJudge, _, _>();
    convert::<SingleJudge, QuadJudge, _, _>();
}

#[test]
fn real_constants_are_rounded_once() {
    let mut rng = Rng::new(5);
    for _ in 0..5_000 {
        let digits = format!("{}.{}", rng.bits() >> rng.below(64), rng.bits() >> rng.below(64));
        let ours = Rational::from_decimal(digits.as_bytes()).unwrap();
        for (mode, round) in ROUNDS {
            let expected = Single::from_str_r(&digits, round).unwrap().value;
            assert_eq!(ours.round(FloatFormat::SINGLE, mode), SingleJudge::ours(expected), "{digits}");
        }
        let native: f64 = digits.parse().unwrap();
        let expected = Float::from_bits(FloatFormat::DOUBLE, Value::from_u64(64, native.to_bits()));
        assert_eq!(ours.round(FloatFormat::DOUBLE, RoundingMode::NearestEven), expected, "{digits}");
        // A real number has only one zero.
        let negated = if expected.is_zero() { expected } else { expected.neg() };
        assert_eq!(ours.neg().round(FloatFormat::DOUBLE, RoundingMode::NearestEven), negated, "{digits}");
    }
    let third = Rational::from_decimal(b"1").unwrap().div(&Rational::from_decimal(b"3.0").unwrap()).unwrap();
    let expected = Float::from_bits(FloatFormat::DOUBLE, Value::from_u64(64, (1.0_f64 / 3.0).to_bits()));
    assert_eq!(third.round(FloatFormat::DOUBLE, RoundingMode::NearestEven), expected);
    for bad in [&b""[..], b".", b"1.", b".5", b"1e5", b"-1"] {
        assert_eq!(Rational::from_decimal(bad), None);
    }
}

/// C's `fmod` truncates the quotient; the remainder to nearest is computed from it.
#[test]
fn the_machine_agrees_on_remainders() {
    let mut rng = Rng::new(13);
    for _ in 0..n_rounds(5_000) {
        let [a, b] = [0; 2].map(|_| operand(&mut rng, FloatFormat::SINGLE));
        let (x, y) = (f32::from_bits(a.to_u64().unwrap() as u32), f32::from_bits(b.to_u64().unwrap() as u32));
        let ours = Float::from_bits(FloatFormat::SINGLE, a).rem(&Float::from_bits(FloatFormat::SINGLE, b));
        // Doubles represent the remainder modulo twice the divisor, and everything that is subtracted from it, exactly.
        let expected = if y.is_infinite() && x.is_finite() {
            x
        } else {
            let (x, y) = (f64::from(x), f64::from(y).abs());
            let rest = x.abs() % (2.0 * y);
            let is_odd = rest >= y;
            let rest = if is_odd { rest - y } else { rest };
            let goes_up = 2.0 * rest > y || (2.0 * rest == y && is_odd);
            let magnitude = if goes_up { rest - y } else { rest };
            (if x.is_sign_negative() { -magnitude } else { magnitude }) as f32
        };
        let expected = Float::from_bits(FloatFormat::SINGLE, Value::from_u64(32, expected.to_bits().into()));
        assert_eq!(ours, expected, "{x} rem {y}");
    }
}
