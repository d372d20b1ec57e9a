//! Values against a naive model, against 128-bit arithmetic, and by the laws of arithmetic.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod naive;

use naive::Bits;
use nub_bitvec::Value;
use nub_bitvec::check::{RandomValues, Rng};

/// All values of a width.
fn all(width: u32) -> impl Iterator<Item = Value> {
    (0..1_u64 << width).map(move |bits| Value::from_u64(width, bits))
}

fn bits(a: &Value) -> Bits {
    a.bits().collect()
}

/// Every operator with two operands of one width against the naive model.
fn check_binary(a: &Value, b: &Value) {
    let (x, y) = (&bits(a), &bits(b));
    let n = x.len();
    let same = |name: &str, value: Value, model: Bits| {
        assert_eq!(value, Value::from_bits(model), "{name} {a} {b}");
    };
    same("and", a.and(b), naive::zip(x, y, |x, y| x & y));
    same("or", a.or(b), naive::zip(x, y, |x, y| x | y));
    same("xor", a.xor(b), naive::zip(x, y, |x, y| x != y));
    same("nand", a.nand(b), naive::zip(x, y, |x, y| !(x & y)));
    same("nor", a.nor(b), naive::zip(x, y, |x, y| !(x | y)));
    same("xnor", a.xnor(b), naive::zip(x, y, |x, y| x == y));
    same("add", a.add(b), naive::add(x, y));
    same("sub", a.sub(b), naive::sub(x, y));
    same("mul", a.mul(b), naive::mul(x, y));
    same("udiv", a.udiv(b), naive::udivrem(x, y).0);
    same("urem", a.urem(b), naive::udivrem(x, y).1);
    same("sdiv", a.sdiv(b), naive::sdiv(x, y));
    same("srem", a.srem(b), naive::srem(x, y));
    same("smod", a.smod(b), naive::smod(x, y));
    same("concat", a.concat(b), [y.clone(), x.clone()].concat());
    let truth = |name: &str, value: bool, model: bool| assert_eq!(value, model, "{name} {a} {b}");
    truth("eq", a == b, x == y);
    truth("ult", a.ult(b), naive::ult(x, y));
    truth("ule", a.ule(b), !naive::ult(y, x));
    truth("ugt", a.ugt(b), naive::ult(y, x));
    truth("uge", a.uge(b), !naive::ult(x, y));
    truth("slt", a.slt(b), naive::slt(x, y));
    truth("sle", a.sle(b), !naive::slt(y, x));
    truth("sgt", a.sgt(b), naive::slt(y, x));
    truth("sge", a.sge(b), !naive::slt(x, y));
    let wide = |a: &Bits, sign: bool| naive::extend(a, n, sign);
    let (ux, uy) = (&wide(x, false), &wide(y, false));
    let (sx, sy) = (&wide(x, naive::sign(x)), &wide(y, naive::sign(y)));
    truth("uaddo", a.uaddo(b), naive::overflows_unsigned(&naive::add(ux, uy), n));
    truth("saddo", a.saddo(b), naive::overflows_signed(&naive::add(sx, sy), n));
    truth("usubo", a.usubo(b), naive::overflows_unsigned(&naive::sub(ux, uy), n));
    truth("ssubo", a.ssubo(b), naive::overflows_signed(&naive::sub(sx, sy), n));
    truth("umulo", a.umulo(b), naive::overflows_unsigned(&naive::mul(ux, uy), n));
    truth("smulo", a.smulo(b), naive::overflows_signed(&naive::mul(sx, sy), n));
    let is_zero = !y.contains(&true);
    truth("sdivo", a.sdivo(b), !is_zero && naive::overflows_signed(&naive::sdiv(sx, sy), n));
}

fn check_shift(a: &Value, by: &Value) {
    let (x, amount) = (&bits(a), naive::number(&bits(by)));
    let n = x.len() as u64;
    let same = |name: &str, value: Value, model: Bits| {
        assert_eq!(value, Value::from_bits(model), "{name} {a} {by}");
    };
    same("shl", a.shl(by), naive::shift_left(x, amount));
    same("lshr", a.lshr(by), naive::shift_right(x, amount, false));
    same("ashr", a.ashr(by), naive::shift_right(x, amount, naive::sign(x)));
    same("rol", a.rol(by), naive::rotate_left(x, amount));
    same("ror", a.ror(by), naive::rotate_left(x, n - amount % n));
}

fn check_unary(a: &Value) {
    let x = &bits(a);
    let n = x.len();
    let one = naive::one(n);
    assert_eq!(bits(&a.not()), naive::not(x));
    assert_eq!(bits(&a.neg()), naive::neg(x), "neg {a}");
    assert_eq!(bits(&a.inc()), naive::add(x, &one));
    assert_eq!(bits(&a.dec()), naive::sub(x, &one));
    assert_eq!(a.redand(), x.iter().all(|bit| *bit));
    assert_eq!(a.redor(), x.contains(&true));
    assert_eq!(a.redxor(), x.iter().filter(|bit| **bit).count() % 2 == 1);
    assert_eq!(a.nego(), naive::neg(x) == *x && x.contains(&true));
    assert_eq!((a.is_zero(), a.is_one()), (!x.contains(&true), *x == one));
    for n_bits in [0, 1, 3, 64, 70] {
        assert_eq!(bits(&a.zero_extend(n_bits)), naive::extend(x, n_bits as usize, false));
        assert_eq!(bits(&a.sign_extend(n_bits)), naive::extend(x, n_bits as usize, naive::sign(x)));
    }
    for times in 1..=5 {
        assert_eq!(bits(&a.repeat(times)), vec![x.clone(); times as usize].concat(), "repeat {times} {a}");
    }
}

fn check_slices(a: &Value) {
    let x = bits(a);
    for high in 0..a.width() {
        for low in 0..=high {
            assert_eq!(bits(&a.slice(high, low)), x[low as usize..=high as usize], "{a} {high}:{low}");
        }
    }
}

#[test]
fn all_values_up_to_four_bits_agree_with_the_naive_model() {
    for width in 1..=4 {
        for a in all(width) {
            check_unary(&a);
            check_slices(&a);
            all(width).for_each(|b| check_binary(&a, &b));
            for by_width in 1..=5 {
                all(by_width).for_each(|by| check_shift(&a, &by));
            }
        }
    }
}

#[test]
fn random_values_agree_with_the_naive_model() {
    let mut rng = Rng::new(1);
    for width in [5, 7, 8, 31, 32, 33, 63, 64, 65, 66, 100, 127, 128, 129, 192, 200, 256] {
        for _ in 0..60 {
            let (a, b) = (rng.value(width), rng.value(width));
            check_unary(&a);
            check_binary(&a, &b);
            for by_width in [1, 4, 9, 40] {
                check_shift(&a, &rng.value(by_width));
            }
            let (high, low) = (rng.below(width as usize) as u32, rng.below(width as usize) as u32);
            let (high, low) = (high.max(low), high.min(low));
            assert_eq!(bits(&a.slice(high, low)), bits(&a)[low as usize..=high as usize]);
        }
        check_slices(&rng.value(width.min(70)));
    }
}

/// The machine's own arithmetic as a third opinion.
#[test]
fn up_to_64_bits_agree_with_128_bit_arithmetic() {
    let mut rng = Rng::new(2);
    for width in 1..=64 {
        let modulus = 1_u128 << width;
        let signed = |a: u128| if a >= modulus / 2 { a as i128 - modulus as i128 } else { a as i128 };
        let wrap = |a: i128| a.rem_euclid(modulus as i128) as u64;
        for _ in 0..200 {
            let (a, b) = (rng.value(width), rng.value(width));
            let (x, y) = (u128::from(a.to_u64().unwrap()), u128::from(b.to_u64().unwrap()));
            let (s, t) = (signed(x), signed(y));
            let same = |value: Value, model: u128| {
                assert_eq!(value, Value::from_u64(width, (model % modulus) as u64), "{a} {b}")
            };
            same(a.add(&b), x + y);
            same(a.sub(&b), x + modulus - y);
            same(a.mul(&b), x * y);
            assert_eq!(a.uaddo(&b), x + y >= modulus);
            assert_eq!(a.umulo(&b), x * y >= modulus, "{a} {b}");
            let fits = |n: i128| n == signed(u128::from(wrap(n)));
            assert_eq!(a.saddo(&b), !fits(s + t));
            assert_eq!(a.ssubo(&b), !fits(s - t));
            assert_eq!(a.smulo(&b), !fits(s * t));
            assert_eq!((a.slt(&b), a.sle(&b)), (s < t, s <= t));
            if !b.is_zero() {
                same(a.udiv(&b), x / y);
                same(a.urem(&b), x % y);
                assert_eq!(a.sdiv(&b), Value::from_u64(width, wrap(s / t)), "{a} {b}");
                assert_eq!(a.srem(&b), Value::from_u64(width, wrap(s % t)));
                assert_eq!(a.smod(&b), Value::from_u64(width, wrap((s % t + t) % t)));
            }
        }
    }
}

#[test]
fn wide_values_obey_the_laws() {
    let mut rng = Rng::new(3);
    for width in [65, 128, 191, 192, 193, 320, 1000, 4096] {
        for _ in 0..100 {
            let (a, b, c) = (rng.value(width), rng.value(width), rng.value(width));
            assert_eq!(a.udiv(&b).mul(&b).add(&a.urem(&b)), a, "{a} {b}");
            assert!(b.is_zero() || a.urem(&b).ult(&b), "{a} {b}");
            assert!(b.is_zero() || !a.udiv(&b).umulo(&b), "{a} {b}");
            assert_eq!(a.sdiv(&b).mul(&b).add(&a.srem(&b)), a);
            assert_eq!(a.mul(&b.add(&c)), a.mul(&b).add(&a.mul(&c)));
            assert_eq!(a.mul(&b), b.mul(&a));
            assert_eq!(a.add(&b).sub(&b), a);
            assert_eq!(a.sub(&b), b.sub(&a).neg());
            assert_eq!(a.and(&b).or(&a.xor(&b)), a.or(&b));
            assert_eq!(a.rol(&b).ror(&b), a);
            assert_eq!(a.concat(&b).slice(width - 1, 0), b);
            assert_eq!(a.concat(&b).slice(2 * width - 1, width), a);
        }
    }
}

#[test]
fn numbers_are_read_and_written() {
    let mut rng = Rng::new(4);
    for width in [1, 2, 3, 4, 5, 63, 64, 65, 128, 200, 1000] {
        for _ in 0..50 {
            let a = rng.value(width);
            assert_eq!(Value::parse_binary(a.to_binary().as_bytes()), Some(a.clone()));
            assert_eq!(Value::parse_decimal(width, a.to_decimal().as_bytes()), Some(a.clone()));
            assert_eq!(
                Value::parse_decimal(width, format!("000{}", a.to_decimal()).as_bytes()),
                Some(a.clone())
            );
            assert_eq!(Value::parse_hex(width, a.to_hex().as_bytes()), Some(a.clone()));
            assert_eq!(
                Value::parse_hex(width, format!("00{}", a.to_hex().to_uppercase()).as_bytes()),
                Some(a)
            );
        }
    }
    assert_eq!(Value::ones(128).to_decimal(), u128::MAX.to_string());
    assert_eq!(Value::from_u64(70, u64::MAX).inc().to_decimal(), "18446744073709551616");
    assert_eq!(Value::from_u64(9, 0x1a).to_hex(), "01a");
    assert_eq!(Value::from_u64(3, 5).to_string(), "#b101");
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let decimal = |width: u32, text: &str| Value::parse_decimal(width, text.as_bytes());
    assert_eq!(decimal(8, "255"), Some(Value::ones(8)));
    assert_eq!(decimal(8, "256"), None);
    assert_eq!(decimal(8, "-128"), Some(Value::min_signed(8)));
    assert_eq!(decimal(8, "-129"), None);
    assert_eq!(decimal(8, "-0"), Some(Value::zero(8)));
    assert_eq!(decimal(1, "-1"), Some(Value::one(1)));
    assert_eq!(decimal(64, "18446744073709551615"), Some(Value::ones(64)));
    assert_eq!(decimal(64, "18446744073709551616"), None);
    assert_eq!(decimal(65, "36893488147419103232"), None, "2^65");
    assert_eq!(decimal(65, "-18446744073709551616"), Some(Value::min_signed(65)));
    assert_eq!(decimal(65, "-18446744073709551617"), None);
    for text in ["", "-", "--1", "+1", "1 ", "0x1", "1a"] {
        assert_eq!(decimal(8, text), None, "{text}");
    }
    assert_eq!(Value::parse_hex(6, b"3f"), Some(Value::ones(6)));
    assert_eq!(Value::parse_hex(6, b"4f"), None);
    assert_eq!(Value::parse_hex(64, b"10000000000000000"), None);
    assert_eq!(Value::parse_hex(8, b"g0"), None);
    assert_eq!(Value::parse_hex(8, b""), None);
    assert_eq!(Value::parse_binary(b""), None);
    assert_eq!(Value::parse_binary(b"102"), None);
    assert_eq!((Value::parse_hex(0, b"0"), decimal(0, "0")), (None, None));
}

/// A numeral of a million digits is cheap if the width is small: reading stops at the first limb too many.
#[test]
fn a_long_number_stops_early() {
    let digits = vec![b'9'; 1_000_000];
    assert_eq!(Value::parse_decimal(64, &digits), None);
    let zeros = vec![b'0'; 1_000_000];
    assert_eq!(Value::parse_decimal(100_000, &zeros), Some(Value::zero(100_000)));
}

#[test]
fn corners_have_their_bits() {
    for width in [1, 2, 63, 64, 65, 128, 129] {
        assert!(Value::ones(width).is_ones() && Value::ones(width).inc().is_zero());
        assert_eq!(Value::min_signed(width).bits().filter(|bit| *bit).count(), 1);
        assert!(Value::min_signed(width).sign_bit());
        assert_eq!(Value::max_signed(width).inc(), Value::min_signed(width));
        assert!(Value::max_signed(width).sge(&Value::min_signed(width)));
        assert_eq!(Value::zero(width).width(), width);
        assert_eq!(Value::one(width).to_u64(), Some(1));
    }
    assert_eq!(Value::ones(65).to_u64(), None);
    assert_eq!(Value::from_u64(4, 0x13), Value::from_u64(4, 3));
    assert!(Value::from_u64(3, 7) < Value::from_u64(4, 0) && Value::ones(70) > Value::max_signed(70));
}

#[test]
fn numbers_with_sign_are_those_of_twos_complement() {
    for width in [1, 5, 64, 65, 128, 200] {
        let five = Value::from_u64(width, 5);
        assert_eq!(Value::from_i128(width, 5), five, "{width}");
        assert_eq!(Value::from_i128(width, -5), five.neg(), "{width}");
        assert_eq!(Value::from_i128(width, -1), Value::zero(width).not(), "{width}");
    }
}
