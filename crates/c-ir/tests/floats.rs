//! Floating point: the interpreter agrees with the compiler on random functions, on `math.h`, and on the bits of NaNs.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod compiler;

use nub_c_ir::interp::{RunOutcome, RuntimeValue};
use nub_c_ir::{
    CheckKind, DataModel, InterpreterLimits, LongDouble, Program, Recording, RunInputs, lower, run,
};
use nub_test_kit::{FLOAT_HEAD, FloatPrograms, for_all_seeds};
use std::fmt::Write;

/// Neither contraction nor more precision than the types have, and no constants that the compiler rounds.
const OPTIONS: [&str; 5] = ["-O0", "-ffp-contract=off", "-frounding-math", "-fno-builtin", "-lm"];
const PER_FILE: usize = 50;

fn n_files() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 200 } else { 6 }
}

#[track_caller]
fn lowered(text: &str, model: &DataModel) -> Program {
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.is_empty(), "{syntax:?}\n{text}");
    let (program, found) = lower(&unit, model);
    let is_error = |found: &&nub_text::Diagnostic| found.severity == nub_text::Severity::Error;
    let errors: Vec<_> = found.iter().filter(is_error).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    nub_c_ir::validate(&program).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    program
}

fn ended(program: &Program, name: &str) -> (RunOutcome, Option<u128>) {
    let limits = InterpreterLimits { recording: Recording::Nothing, ..InterpreterLimits::default() };
    let start = program.function_by_name(name).unwrap_or_else(|| panic!("no {name}"));
    let found = run(program, start, &RunInputs::default(), &limits);
    let value = match found.returned {
        Some(RuntimeValue::Int(bits)) => Some(bits),
        _ => None,
    };
    (found.outcome, value)
}

/// Values of functions without parameters that return a number of at most 64 bits; those that are undefined are skipped.
fn compare(text: &str, names: &[String]) -> usize {
    let program = lowered(text, &DataModel::lp64());
    let results: Vec<(&String, u128)> = names
        .iter()
        .filter_map(|name| match ended(&program, name) {
            (RunOutcome::Returned, value) => Some((name, value.unwrap())),
            (RunOutcome::Undefined(..), _) => None,
            other => panic!("{name}: {other:?}\n{text}"),
        })
        .collect();
    let mut source = format!("{text}int printf(const char *, ...);\nint main(void) {{\n");
    for (name, _) in &results {
        writeln!(source, "printf(\"{name} %llx\\n\", (unsigned long long){name}());").unwrap();
    }
    source.push_str("return 0;\n}\n");
    let Some(found) = compiler::compile_and_run(&source, &OPTIONS) else { return usize::MAX };
    assert_eq!(found.lines().count(), results.len());
    for ((name, bits), line) in results.iter().zip(found.lines()) {
        let at = text.find(&format!(" {name}(")).unwrap_or(0);
        let before = text[..at].rfind("double f").unwrap_or(0);
        let shown = &text[before..(at + 200).min(text.len())];
        assert_eq!(format!("{name} {bits:x}"), line, "interpreter before compiler\n{shown}");
    }
    results.len()
}

const BITS: &str = "unsigned long long bits(double x) { union { double x; unsigned long long u; } v; v.x = x;\n\
                    return x == x ? v.u : 0x7ff8000000000000ULL; }\n";

#[test]
fn random_functions_agree_with_the_compiler() {
    let first = std::env::var("NUB_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let n_compared = for_all_seeds(first..first + n_files(), |seed| {
        // Half of them in all rounding modes.
        let sets_modes = seed % 2 == 0;
        let mut random = if sets_modes { FloatPrograms::with_modes(seed) } else { FloatPrograms::new(seed) };
        // gcc takes `0.1 - 0.1` for +0 in every mode, even with -frounding-math; downwards it is -0. Both become +0 here.
        let back = if sets_modes { "fesetround(0); r += 0.0;" } else { "" };
        let mut text = format!("{FLOAT_HEAD}{BITS}");
        let mut names = Vec::new();
        for at in 0..PER_FILE {
            text += &random.function(&format!("f{at}"));
            let (a, b, c) = (random.number(), random.number(), random.number());
            let n = random.below(100) as i64 - 50;
            let _ = writeln!(
                text,
                "unsigned long long call{at}(void) {{ double r = f{at}({a}, {b}, {n}, {c}); {back} return bits(r); }}"
            );
            names.push(format!("call{at}"));
        }
        compare(&text, &names).min(PER_FILE)
    });
    let n_compared: usize = n_compared.iter().sum();
    println!("{n_compared} of {} functions are well defined and agree", n_files() * PER_FILE as u64);
    assert!(n_compared as u64 * 2 > n_files() * PER_FILE as u64, "only {n_compared} were well defined");
}

/// Each function of `math.h` on corner cases.
#[test]
fn math_functions_agree_with_the_library() {
    let numbers = [
        "0.0",
        "-0.0",
        "0.5",
        "-0.5",
        "1.5",
        "2.5",
        "-2.5",
        "0.49999999999999994",
        "1e15",
        "4503599627370497.5",
        "1e300",
        "-1e-300",
        "5e-324",
        "-2.2250738585072014e-308",
        "1.7976931348623157e308",
        "7.0",
        "-3.0",
        "__builtin_inf()",
        "-__builtin_inf()",
        "__builtin_nan(\"\")",
    ];
    let one = ["fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "logb"];
    let two = ["fmod", "remainder", "fmin", "fmax", "fdim", "nextafter"];
    let mut text = format!(
        "{BITS}double logb(double), nearbyint(double); int ilogb(double); long lround(double), lrint(double);\n{FLOAT_HEAD}\
        double scalbn(double, int);\nfloat nextafterf(float, float), frexpf(float, int *), fmaxf(float, float), scalbnf(float, int);\n"
    );
    let mut names = Vec::new();
    let mut add = |body: String| {
        let name = format!("m{}", names.len());
        let _ = writeln!(text, "unsigned long long {name}(void) {{ return {body}; }}");
        names.push(name);
    };
    for x in numbers {
        one.iter().for_each(|f| add(format!("bits({f}({x}))")));
        add(format!("(unsigned long long)ilogb({x})"));
        for n in [-1080, -1022, -60, -1, 0, 1, 70, 1100, 2100] {
            add(format!("bits(scalbn({x}, {n}))"));
            add(format!("bits(scalbnf({x}, {}))", n / 8));
        }
        for y in numbers {
            two.iter().for_each(|f| add(format!("bits({f}({x}, {y}))")));
            add(format!("bits(nextafterf({x}, {y}))"));
            add(format!("bits(fmodf({x}, {y}))"));
        }
    }
    for x in ["0.5", "-2.5", "1e9", "-0.49999999999999994"] {
        add(format!("(unsigned long long)lround({x})"));
        add(format!("(unsigned long long)lrint({x})"));
    }
    assert!(compare(&text, &names) >= names.len());
}

/// Moved, not computed with: sign and payload of a NaN are kept.
#[test]
fn bits_of_nans_survive() {
    let text = "void *memcpy(void *, const void *, unsigned long);\n\
        typedef union { float f; unsigned u; } U;\n\
        typedef union { double d; unsigned long long u; } V;\n\
        unsigned moved(void) { U u, v; u.u = 0xffc01234; v.f = u.f; return v.u; }\n\
        unsigned negated(void) { U u; u.u = 0x7fc00001; u.f = -u.f; return u.u; }\n\
        unsigned absolute(void) { U u; u.u = 0xffd00001; u.f = __builtin_fabsf(u.f); return u.u; }\n\
        unsigned signed_copy(void) { U u; u.u = 0x7fd00001; u.f = __builtin_copysignf(u.f, -1.0f); return u.u; }\n\
        unsigned long long copied(void) { V v; double d; unsigned long long n; v.u = 0xfff8000000000abcULL; d = v.d; memcpy(&n, &d, 8); return n; }\n\
        int sign(void) { V v; v.u = 0xfff8000000000001ULL; return __builtin_signbit(v.d) != 0; }\n\
        unsigned named(void) { U u; u.f = -__builtin_nanf(\"0x123\"); return u.u; }\n\
        unsigned signalling(void) { U u; u.f = __builtin_nansf(\"\"); return u.u; }\n\
        int parts(void) { long double x = 1.5L; unsigned char *p = (unsigned char *)&x; return p[9] << 24 | p[8] << 16 | p[7] << 8 | p[0]; }\n";
    let names =
        ["moved", "negated", "absolute", "signed_copy", "copied", "sign", "named", "signalling", "parts"];
    assert!(compare(text, &names.map(str::to_owned)) >= names.len());
}

#[test]
fn conversions_that_do_not_fit_are_undefined() {
    for body in [
        "(int)x",
        "(unsigned)-x",
        "(signed char)(x / 1e8)",
        "(long)__builtin_nan(\"\")",
        "(_Bool)x ? (int)x : 0",
    ] {
        let program = lowered(
            &format!("long f(void) {{ double x = 3e9; x *= 1e10; return {body}; }}"),
            &DataModel::lp64(),
        );
        let (outcome, _) = ended(&program, "f");
        assert!(
            matches!(outcome, RunOutcome::Undefined(CheckKind::FloatConversion, _)),
            "{body}: {outcome:?}"
        );
    }
    let text = "unsigned char f(void) { double x = 255.9; return x; } unsigned g(void) { double x = -0.9; return x; }\n\
                int h(void) { float x = -2147483648.0f; return x; } _Bool b(void) { double x = __builtin_nan(\"\"); return x; }";
    let program = lowered(text, &DataModel::lp64());
    for (name, value) in [("f", 255), ("g", 0), ("h", 0x8000_0000), ("b", 1)] {
        assert_eq!(ended(&program, name), (RunOutcome::Returned, Some(value)), "{name}");
    }
}

#[test]
fn long_double_is_what_the_model_says() {
    let text = "int f(void) { return sizeof(long double); } int g(void) { long double x = 1; return x + 0x1p-60L != x; }";
    let as_double = DataModel { long_double: LongDouble::Double, ..DataModel::lp64() };
    let ilp32 = DataModel::ilp32();
    for (model, size, differs) in [(DataModel::lp64(), 16, 1), (as_double, 8, 0), (ilp32, 12, 1)] {
        let program = lowered(text, &model);
        assert_eq!(ended(&program, "f").1, Some(size));
        assert_eq!(ended(&program, "g").1, Some(differs));
    }
    let (read, diagnostics) = DataModel::parse("long_double_bitlength: 80\n");
    assert_eq!((read.long_double, diagnostics.len()), (LongDouble::Extended, 0));
    assert_eq!(DataModel::parse("long_double_bitlength: 96\n").1.len(), 1);
    // A format that is not computed with has a size, and is refused where it is used.
    let other = DataModel { long_double: LongDouble::Other, ..DataModel::lp64() };
    let (program, found) = nub_c_ir::lower(&nub_c_syntax::parse(text.as_bytes()).0, &other);
    assert_eq!((ended(&program, "f").1, found.len()), (Some(16), 1), "{found:?}");
}

/// CBMC's names of predicates, with their suffixes.
#[test]
fn predicates_of_cbmc_are_known() {
    let text = "int f(void) { double x = 0.0; x = x / x;
        return __CPROVER_isnand(x) + 2 * __CPROVER_isfinitef(1.0f) + 4 * __CPROVER_isnormalld(1.0L)
            + 8 * __CPROVER_isinfd(1 / 0.0) + 16 * __CPROVER_signd(-1.0) + 32 * __CPROVER_isnanld(1.0L) + 64 * __CPROVER_isnormald(1.0); }";
    assert_eq!(ended(&lowered(text, &DataModel::lp64()), "f").1, Some(95));
}

/// `__CPROVER_equal` compares what memory has: zeros by their sign, NaNs by their payload.
#[test]
fn representations_are_compared_bit_by_bit() {
    let text = "int f(void) { double x = 0.0, y = -0.0; float n = __builtin_nanf(\"\"), m = __builtin_nanf(\"1\"); int i = 3;
        return __CPROVER_equal(x, x) + 2 * __CPROVER_equal(x, y) + 4 * __CPROVER_equal(n, n) + 8 * __CPROVER_equal(n, m)
            + 16 * __CPROVER_equal(i, 3) + 32 * __CPROVER_equal(&x, &y); }
        int g(void) { return __CPROVER_equal(1, 1.0); }";
    let program = lowered(text, &DataModel::lp64());
    assert_eq!(ended(&program, "f").1, Some(1 + 4 + 16));
    let g = program.function_by_name("g").unwrap();
    assert!(!program.refusals(g).is_empty(), "values of two types");
}

/// Arithmetic and constants may have more digits than their type; casts, assignments and `sizeof` have the type.
#[test]
fn arithmetic_is_as_wide_as_the_model_says() {
    let text = "int sum(void) { float a = 16777216.0f, b = 1.0f; return a + b != a; }
        int stored(void) { float a = 16777216.0f, b = 1.0f, c = a + b; return c != a; }
        int cast(void) { float a = 16777216.0f, b = 1.0f; return (float)(a + b) != a; }
        int size(void) { float a = 1; return sizeof(a * a); }
        int constant(void) { return 0.1f != 0.1; }
        int wide(void) { double x = 1; return x + 0x1p-60 != x; }
        float narrow(float a, float b) { return a + b; }
        int returned(void) { return narrow(16777216.0f, 1.0f) != 16777216.0f; }";
    let names = ["sum", "stored", "cast", "size", "constant", "wide", "returned"];
    for (method, expected) in
        [("0", [0, 0, 0, 4, 1, 0, 0]), ("1", [1, 0, 0, 4, 0, 0, 0]), ("2", [1, 0, 0, 4, 0, 1, 0])]
    {
        let text_file = format!("int_bitlength: 32\nlong_double_bitlength: 80\nflt_eval_method: {method}\n");
        let (model, diagnostics) = DataModel::parse(&text_file);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let program = lowered(text, &model);
        let found = names.map(|name| ended(&program, name).1.unwrap());
        assert_eq!(found, expected, "FLT_EVAL_METHOD {method}");
    }
    assert_eq!(DataModel::parse("flt_eval_method: 3\n").1.len(), 1);
}

#[test]
fn what_is_not_supported_is_named() {
    let cases = [
        ("int f(double _Complex z) { return 1; }", "complex numbers are not supported"),
        ("double f(void) { return 1.0i; }", "complex numbers are not supported"),
        ("int f(double x) { return x % 2; }", "this operator cannot be applied to operands of type `double`"),
        ("int f(double x) { return ~x; }", "a value of type `double` is not allowed here"),
        (
            "int f(double x) { switch (x) { case 1: return 1; } return 0; }",
            "a value of type `double` is not allowed here",
        ),
        (
            "int fesetround(int); double sin(double); double f(double x) { fesetround(0x800); return sin(x); }",
            "`sin` is not supported where the rounding mode can change",
        ),
        ("int fesetenv(const void *); int f(void) { return fesetenv(0); }", "`fesetenv` is not supported"),
        ("double tgamma(double); double f(double x) { return tgamma(x); }", "`tgamma` is not supported"),
        (
            "int f(_Float128 x) { return 1; }",
            "floating types other than `float`, `double` and `long double` are not supported",
        ),
        ("int a[2]; int f(double x) { return a[x]; }", ""),
        ("int f(double x) { return *(int *)x; }", "cannot convert `double` to `int *`"),
    ];
    for (text, message) in cases {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, found) = lower(&unit, &DataModel::lp64());
        // A statement that is valid C and not modelled ends the runs that reach it; it is refused at its place alone.
        let refusals = program.refusals(program.function_by_name("f").unwrap());
        assert!(!refusals.is_empty(), "{text}");
        let messages: Vec<&str> = found.iter().chain(&refusals).map(|found| found.message.as_str()).collect();
        assert!(messages.iter().any(|found| found.contains(message)), "{text}: {messages:?}");
    }
}

/// Checks that C does not require are made on request, except for constants.
#[test]
fn arithmetic_is_checked_on_request() {
    let ends = |model: &DataModel, body: &str| {
        let program = lowered(&format!("double f(void) {{ {body} }}"), model);
        match ended(&program, "f").0 {
            RunOutcome::Undefined(kind, _) => Some(kind),
            RunOutcome::Returned => None,
            other => panic!("{body}: {other:?}"),
        }
    };
    let asked = DataModel { extra_checks: CheckKind::EXTRA.into_iter().collect(), ..DataModel::lp64() };
    for (body, kind) in [
        ("double x = 0; return x / x;", Some(CheckKind::Nan)),
        ("double x = -1; return __builtin_sqrt(x);", Some(CheckKind::Nan)),
        ("double x = __builtin_inf(); return x - x;", Some(CheckKind::Nan)),
        ("double x = __builtin_nan(\"\"); return x + 1;", None),
        ("double x = 0; return 1 / x;", Some(CheckKind::Infinity)),
        ("double x = 1e308; return x * 10;", Some(CheckKind::Infinity)),
        ("double x = 1e300; float y = x; return y;", Some(CheckKind::Infinity)),
        ("double x = __builtin_inf(); return x + 1;", None),
        ("double x = 0.1; float y = x; return y;", Some(CheckKind::Precision)),
        ("double x = 0.5; float y = x; return y;", None),
        ("double x = __builtin_nan(\"\"); float y = x; return y;", None),
        ("float x = 0.1f; double y = x; return y;", None),
        ("int x = 16777217; float y = x; return y;", Some(CheckKind::Precision)),
        ("int x = 16777216; float y = x; return y;", None),
        ("int x = 2147483647; double y = x; return y;", None),
        ("long x = 9223372036854775807; double y = x; return y;", Some(CheckKind::Precision)),
        ("unsigned long x = -1; float y = x; return y;", Some(CheckKind::Precision)),
        ("short x = -32768; float y = x; return y;", None),
        ("unsigned __int128 x = -1; float y = x; return y;", Some(CheckKind::Infinity)),
        ("float y = 0.1; return y;", None),
        ("return 0.0 / 0.0 + 1.0 / 0.0;", None),
    ] {
        assert_eq!(ends(&asked, body), kind, "{body}");
        assert_eq!(ends(&DataModel::lp64(), body), None, "{body}");
    }
}

/// The mode is what the program last set, holds for callees, and does not affect constants that are evaluated before the program starts.
#[test]
fn the_rounding_mode_is_followed() {
    let text = format!(
        "{FLOAT_HEAD}{BITS}\
         #pragma STDC FENV_ACCESS ON\n\
         double third(double x) {{ return x / 3; }}\n\
         static double fixed = 1.0 / 3.0;\n\
         unsigned long long mode(int m) {{ double r; fesetround(m); r = third(1); fesetround(0); return bits(r); }}\n\
         unsigned long long up(void) {{ return mode(0x800); }}\n\
         unsigned long long down(void) {{ return mode(0x400); }}\n\
         unsigned long long zero(void) {{ return mode(0xc00) == mode(0x400); }}\n\
         unsigned long long nearest(void) {{ return mode(0); }}\n\
         unsigned long long refused(void) {{ return fesetround(1) * 10 + (fesetround(0x400) == 0) + fegetround() + fesetround(0); }}\n\
         unsigned long long folded(void) {{ double r; fesetround(0x800); r = 1.0 / 3.0 - fixed; fesetround(0); return bits(r); }}\n\
         unsigned long long narrowed(void) {{ float r; fesetround(0x800); r = 0.1; fesetround(0); return bits(r); }}\n\
         unsigned long long counted(void) {{ int n = 16777217; float r; fesetround(0x800); r = n; fesetround(0); return bits(r); }}\n\
         unsigned long long root(void) {{ double r; fesetround(0x400); r = sqrt(2); fesetround(0); return bits(r); }}\n\
         unsigned long long whole(void) {{ double r; fesetround(0x800); r = rint(0.25) + round(0.25) + floor(0.25); fesetround(0); return bits(r); }}\n\
         unsigned long long scaled(void) {{ double r; fesetround(0xc00); r = ldexp(1.5, 5000); fesetround(0); return bits(r); }}\n\
         unsigned long long least(void) {{ double r; fesetround(0x800); r = ldexp(1.5, -5000); fesetround(0); return bits(r); }}\n\
         unsigned long long cancelled(void) {{ double x = 1.5, r; fesetround(0x400); r = x - x; fesetround(0); return bits(r); }}\n"
    );
    let names = [
        "up",
        "down",
        "zero",
        "nearest",
        "refused",
        "folded",
        "narrowed",
        "counted",
        "root",
        "whole",
        "scaled",
        "least",
        "cancelled",
    ];
    assert!(compare(&text, &names.map(str::to_owned)) >= names.len());
    let program = lowered(&text, &DataModel::lp64());
    assert_ne!(ended(&program, "up"), ended(&program, "down"));
    assert_eq!(ended(&program, "zero").1, Some(1));
    assert_eq!(ended(&program, "cancelled").1, Some(1 << 63));
}
