//! Floating-point numbers in tests: literals that read back exactly, and comparisons that handle NaNs and the signs of zeros.

use crate::case::TestSuite;
use nub_bitvec::Value;
use nub_bitvec::float::{FloatFormat, RoundingMode};
use nub_c_ir::{Program, TypeId};

fn bits(value: &Value) -> u128 {
    value.bits().enumerate().fold(0, |bits, (at, bit)| bits | u128::from(bit) << at)
}

/// A float as C writes it; `None` if the type is not a floating type.
pub(crate) fn literal(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    program.types.shown_float(ty, bits(value))
}

/// A float for reports: `0.1`, `-inf`, `nan`. A NaN with a payload shows its bits.
pub(crate) fn shown(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    let format = program.types.float_format(ty)?;
    let number = format.decode(bits(value));
    if !number.is_nan() {
        return Some(number.to_shortest());
    }
    let quiet = 1_u128 << (format.values.fraction_bits() - 1);
    let sign = if value.sign_bit() { "-" } else { "" };
    let payload = bits(value) & (2 * quiet - 1) ^ quiet;
    Some(if payload == 0 { format!("{sign}nan") } else { format!("{sign}nan(0x{:x})", bits(value)) })
}

/// A float exactly, in hexadecimal: `0x1.8p+1`, and a NaN by its bits. For programs that read reports.
pub fn hexadecimal(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    let format = program.types.float_format(ty)?;
    let number = format.decode(bits(value));
    if number.is_nan() || number.is_infinite() {
        return Some(format!("0x{:x}", bits(value)));
    }
    let sign = if value.sign_bit() { "-" } else { "" };
    let fraction_bits = format.values.fraction_bits();
    let plain = bits(number.bits());
    let fraction = plain & ((1 << fraction_bits) - 1);
    let field = (plain >> fraction_bits) & ((1 << format.values.exponent_bits()) - 1);
    let exponent = if number.is_zero() { 0 } else { field.max(1) as i128 - format.values.bias() };
    // Whole hexadecimal digits.
    let n_digits = fraction_bits.div_ceil(4);
    let digits =
        format!("{:0width$x}", fraction << (4 * n_digits - fraction_bits), width = n_digits as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    Some(format!("{sign}0x{}{point}{digits}p{exponent:+}", u8::from(field != 0)))
}

/// The bits of a float as a number, for values that are passed as numbers.
pub(crate) fn word(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    let format = program.types.float_format(ty).filter(|format| format.width() <= 64)?;
    Some(if format.width() == 64 {
        format!("(long long)0x{:x}ULL", bits(value))
    } else {
        format!("0x{:x}u", bits(value))
    })
}

/// The result of [`FLOAT_WORD`] for a float: the bits of the nearest `double`, and a single NaN.
pub(crate) fn compared_word(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    let number = program.types.float_format(ty)?.decode(bits(value));
    let double = number.to_format(FloatFormat::DOUBLE, RoundingMode::NearestEven);
    Some(format!("0x{:x}ULL", bits(double.bits())))
}

/// For stubs: their float arguments as numbers, and their results from numbers.
pub(crate) const FLOAT_WORD: &str = "\
__attribute__((unused)) static long long nub_float_word(double x) {
    union { double x; long long word; } u;
    u.x = x;
    return x == x ? u.word : 0x7ff8000000000000LL;
}
";

/// The same for what they return and write.
pub(crate) const TAKE: &str = "\
__attribute__((unused)) static double nub_take_double(void) {
    union { long long word; double x; } u;
    u.word = (long long)nub_take();
    return u.x;
}
__attribute__((unused)) static float nub_take_float(void) {
    union { unsigned word; float x; } u;
    u.word = (unsigned)nub_take();
    return u.x;
}
";

/// The next value as a value of this type.
pub(crate) fn take(ty: &str) -> String {
    match ty {
        "float" => "nub_take_float()".to_owned(),
        "double" => "nub_take_double()".to_owned(),
        _ => format!("({ty})nub_take()"),
    }
}

/// Whether a literal is a floating one.
fn is_floating(literal: &str) -> bool {
    let number = literal.trim_start_matches('-');
    let is_digit = number.starts_with(|first: char| first.is_ascii_digit());
    number.starts_with("__builtin_inf")
        || number.starts_with("__builtin_nan")
        || is_digit && !number.starts_with("0x") && number.contains(['.', 'e'])
}

/// A condition that an expression has the value of a literal. For floats, all NaNs are equal, and zeros with different signs differ.
pub fn equality(actual: &str, literal: &str) -> String {
    if is_floating(literal) {
        format!("nub_same({actual}, {literal})")
    } else {
        format!("{actual} == {literal}")
    }
}

const SAME: &str = "
__attribute__((unused)) static int nub_same(long double x, long double y) {
    return x == y ? !__builtin_signbit(x) == !__builtin_signbit(y) : x != x && y != y;
}
";

/// The code that the comparisons of a suite need.
pub(crate) fn comparing(suite: &TestSuite) -> &'static str {
    let has_float = |text: &String| text.contains("nub_same(");
    let is_needed = suite.cases.iter().any(|case| {
        let (result, after) = suite.conditions(case);
        result.iter().chain(&after).chain(&case.earlier).any(has_float)
    });
    if is_needed { SAME } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let (unit, _) = nub_c_syntax::parse(b"double d; float f; long double l;");
        nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0
    }

    #[test]
    fn literals_say_the_type_and_all_bits() {
        let program = program();
        let [d, f, l] = [0, 1, 2].map(|at| program.globals[at].ty);
        let text = |ty, width, bits| literal(&program, ty, &Value::from_u64(width, bits)).unwrap();
        assert_eq!(text(d, 64, 0.1_f64.to_bits()), "0.1");
        assert_eq!(text(f, 32, u64::from(0.1_f32.to_bits())), "0.1f");
        assert_eq!(text(f, 32, 0xffc0_0000), "-__builtin_nanf(\"\")");
        assert_eq!(text(d, 64, 0x7ff8_0000_0000_0123), "__builtin_nan(\"0x123\")");
        assert_eq!(text(d, 64, f64::NEG_INFINITY.to_bits()), "-__builtin_inf()");
        assert_eq!(text(d, 64, (-0.0_f64).to_bits()), "-0.0");
        assert_eq!(text(l, 80, 0), "0.0L");
    }

    #[test]
    fn people_and_machines_read_them() {
        let program = program();
        let (d, f) = (program.globals[0].ty, program.globals[1].ty);
        let both = |value: f64| {
            let value = Value::from_u64(64, value.to_bits());
            (shown(&program, d, &value).unwrap(), hexadecimal(&program, d, &value).unwrap())
        };
        assert_eq!(both(3.0), ("3.0".into(), "0x1.8p+1".into()));
        assert_eq!(both(-0.0), ("-0.0".into(), "-0x0p+0".into()));
        assert_eq!(both(5e-324), ("5e-324".into(), "0x0.0000000000001p-1022".into()));
        assert_eq!(both(f64::NAN).0, "nan");
        let value = Value::from_u64(32, u64::from(1.1_f32.to_bits()));
        assert_eq!(hexadecimal(&program, f, &value).unwrap(), "0x1.19999ap+0");
    }

    #[test]
    fn comparisons_know_floats() {
        assert_eq!(equality("f(1)", "1.5f"), "nub_same(f(1), 1.5f)");
        assert_eq!(equality("f(1)", "1e300"), "nub_same(f(1), 1e300)");
        assert_eq!(equality("x", "-__builtin_nan(\"\")"), "nub_same(x, -__builtin_nan(\"\"))");
        assert_eq!(equality("f(1)", "15"), "f(1) == 15");
        assert_eq!(equality("f(1)", "(-2147483647-1)"), "f(1) == (-2147483647-1)");
    }
}
