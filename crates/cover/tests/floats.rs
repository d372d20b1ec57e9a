//! Floating point in `cover`: goals that only a proof can exclude, arithmetic that costs nothing, the library as the reference.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState, GoalReport};
use nub_cover::{CoverOptions, output};

fn report(text: &str) -> CoverReport {
    let readings = vec![CriterionReading::new(Criterion::Decision)];
    common::with_options(text, &CoverOptions { readings, ..CoverOptions::default() }).unwrap()
}

fn values(report: &CoverReport, name: &str) -> Vec<String> {
    let inputs = report.tests.iter().flat_map(|test| &test.inputs);
    inputs.filter(|input| input.name == name).map(|input| input.value.clone()).collect()
}

#[test]
fn boundaries_and_nans_are_found_and_impossible_ones_proved() {
    let found = report(
        "int f(double x) { if (x != x) return 1; if (x * x < 0) return 2; if (x == 16777217.0) return 3; return 0; }",
    );
    assert_eq!((found.summary.covered, found.summary.infeasible, found.tests.len()), (5, 1, 3));
    assert!(found.is_minimal);
    let values = values(&found, "x");
    assert!(values.contains(&"nan".to_owned()) && values.contains(&"16777217.0".to_owned()), "{values:?}");
}

/// A quotient of products that no decision depends on is not encoded. Its circuits would have hundreds of thousands of clauses.
#[test]
fn arithmetic_that_no_decision_needs_costs_no_clause() {
    let text = "double f(double t) { double x = -4.607e9 / (t * t * t) + 2.9678e6 / (t * t) + 99.11 / t;\n\
                double y = x * x * x / (x + 1) / (x - 2); if (t > 4000) return x / y; return y; }";
    let found = report(text);
    assert_eq!((found.summary.covered, found.tests.len()), (2, 2));
    assert!(found.n_questions < 60, "{}", found.n_questions);
}

/// The result of `sin` is that of the library, also where a decision depends on it.
#[test]
fn the_library_decides_about_inexact_functions() {
    let found = report("double sin(double); int f(double x) { return sin(x) > 0.5 ? 1 : 0; }");
    assert_eq!((found.summary.covered, found.summary.open), (2, 0));
    for value in values(&found, "x") {
        let x: f64 = value.parse().unwrap();
        let test = found.tests.iter().find(|test| test.inputs[0].value == value).unwrap();
        assert_eq!(test.observed_literal.as_deref() == Some("1"), x.sin() > 0.5, "{value}");
    }
    let bounded = report("double cos(double); int f(double x) { return cos(x) > 1.5 ? 1 : 0; }");
    assert_eq!(bounded.summary.infeasible_if, 1, "no cosine is above one");
    let premise = |goal: &GoalReport| goal.premises.iter().any(|found| found.text.contains("math.h"));
    assert!(bounded.goals.iter().any(premise), "C promises no accuracy: {}", output::table(&bounded));
    let other = report(
        "double cos(double); int f(double x, int y) { cos(x); if (y > 3 && y < 2) return 1; return 0; }",
    );
    assert_eq!(other.summary.infeasible, 1, "this does not rest on it");
}

fn nan_premise(report: &CoverReport) -> bool {
    let goals = report.goals.iter().filter(|goal| goal.state == CoverState::InfeasibleIf);
    let texts: Vec<&str> =
        goals.flat_map(|goal| &goal.premises).map(|premise| premise.text.as_str()).collect();
    !texts.is_empty() && texts.iter().all(|text| text.contains("NaN that arithmetic produces"))
}

/// C does not define the sign of a NaN that arithmetic produces: x86 makes a negative one, ARM a positive one. So no proof and no test depends on it,
/// however the program observes it.
#[test]
fn the_bits_of_a_nan_that_arithmetic_makes_are_open() {
    let bodies = [
        "double z = x / y; if (__builtin_isnan(z)) if (__builtin_signbit(z)) return 1; return 0;",
        "double z = x / y; if (z != z) if (__builtin_copysign(1.0, z) < 0) return 1; return 0;",
        "double z = -(x - y); if (z != z) if (!__builtin_signbit(z)) return 1; return 0;",
        "union { double d; unsigned long u; } z; z.d = x * y; if (z.d != z.d) if (z.u >> 63) return 1; return 0;",
        "union { double d; struct { unsigned long low : 63, sign : 1; } s; } z; z.d = x * y;\n\
         if (z.d != z.d) if (z.s.sign) return 1; return 0;",
        "union { double d; unsigned char c[8]; } z; z.d = x > 1 ? x * y : 3; if (z.d != z.d) if (z.c[7] == 0xff) return 1; return 0;",
        "double z = x * y; unsigned char c[8]; for (int i = 0; i < 8; i++) c[i] = ((unsigned char *)&z)[i];\n\
         if (z != z) if (c[0] == 7) return 1; return 0;",
        "float z = (float)x; if (z != z) if (__builtin_signbit(z)) return 1; return 0;",
        "double z = 0.0; z = z / z; if (__builtin_signbit(z)) return 1; return 0;",
    ];
    for body in bodies {
        let found = report(&format!("int f(double x, double y) {{ {body} }}"));
        assert_eq!(found.summary.infeasible, 0, "{body}");
        assert!(nan_premise(&found), "{body}\n{found:?}");
    }
}

/// A NaN that is an input keeps its sign and its payload, whatever copies it.
#[test]
fn the_bits_of_a_nan_that_is_an_input_are_kept() {
    let bodies = [
        "if (x != x) if (__builtin_signbit(x)) return 1; return 0;",
        "double z = -x; if (x != x) if (__builtin_signbit(x) == __builtin_signbit(z)) return 1; return 0;",
        "union { double d; unsigned long u; } z; z.d = x; if (x != x) if ((z.u & 0xffff) == 0x1234) return 1; return 0;",
        "double z; __builtin_memcpy(&z, &x, 8); if (z != z) if (__builtin_copysign(1.0, z) < 0) return 1; return 0;",
    ];
    for (body, n_infeasible) in bodies.into_iter().zip([0, 1, 0, 0]) {
        let found = report(&format!("int f(double x, double y) {{ {body} }}"));
        assert_eq!((found.summary.infeasible, found.summary.open), (n_infeasible, 0), "{body}");
        assert!(!found.goals.iter().any(|goal| goal.state == CoverState::InfeasibleIf), "{body}");
    }
}

/// Bytes of a NaN that arithmetic produced, read as a float of another format: their sign bit is that of a number.
#[test]
fn the_bytes_of_a_made_nan_are_open_in_another_format() {
    let bodies = [
        "union { float f[2]; double d; } z; z.f[0] = 0; z.f[1] = x - x; if (z.f[1] != z.f[1]) if (z.d < 0) return 1; return 0;",
        "union { double d; float f[2]; } z; z.d = y - y; if (z.d != z.d) if (z.f[0] > 0) return 1; return 0;",
        "float p[2]; double d; p[0] = 0; p[1] = x - x; __builtin_memcpy(&d, p, 8); if (p[1] != p[1]) if (d < 0) return 1; return 0;",
    ];
    for body in bodies {
        let found = report(&format!("int f(float x, double y) {{ {body} }}"));
        assert_eq!(found.summary.infeasible, 0, "{body}");
        assert!(found.summary.infeasible_if > 0, "{body}");
    }
    let same = "union { float f; struct { float g; } s; } z; z.f = x - x; if (z.f != z.f) if (z.s.g == z.s.g) return 1; return 0;";
    let found = report(&format!("int f(float x, double y) {{ {same} }}"));
    assert_eq!((found.summary.infeasible, found.summary.infeasible_if), (1, 0), "{same}");
}

/// What depends on such bits is not compared, and what does not is.
#[test]
fn a_result_with_the_bits_of_a_made_nan_is_not_compared() {
    let text = "unsigned f(float x) { union { float f; unsigned u; } z; z.f = x - x; if (z.f != z.f) return z.u; return 7; }";
    let found = report(text);
    assert_eq!((found.summary.covered, found.summary.open), (2, 0));
    let compared: Vec<bool> = found.tests.iter().map(|test| test.observed_literal.is_some()).collect();
    assert!(compared.contains(&true) && compared.contains(&false), "{compared:?}");
}

/// C leaves open which of two zeros `fmin` returns, and a test must not depend on it.
#[test]
fn the_zero_that_fmin_returns_is_open() {
    let text = "double fmin(double, double); int f(double x) { if (x == 0) if (1 / fmin(x, 0.0) < 0) return 1; return 0; }";
    let found = report(text);
    assert_eq!(found.summary.infeasible, 0);
    let goal = found.goals.iter().find(|goal| goal.state == CoverState::InfeasibleIf).unwrap();
    assert!(goal.premises.iter().any(|premise| premise.text.contains("of two zeros")), "{:?}", goal.premises);
    let other =
        report("double fmin(double, double); int f(double x) { if (fmin(x, 1.0) > 1) return 1; return 0; }");
    assert_eq!((other.summary.covered, other.summary.infeasible), (1, 1));
}

/// A library may return a cosine slightly above one, and a power may be a NaN: neither is excluded.
#[test]
fn ranges_of_the_library_are_no_tighter_than_libraries() {
    let heads = "double cos(double); double cosh(double); double expm1(double); double pow(double, double);\n\
                 double hypot(double, double); double atan2(double, double); float tanhf(float);";
    let excluded = |condition: &str| {
        let found =
            report(&format!("{heads} int f(double x, double y) {{ if ({condition}) return 1; return 0; }}"));
        assert_eq!(found.summary.infeasible, 0, "no claim without a premise: {condition}");
        found.summary.infeasible_if
    };
    for possible in [
        "cos(x) > 1",
        "cosh(x) < 1",
        "expm1(x) < -1",
        "tanhf(x) > 1",
        "pow(x, y) != pow(x, y)",
        "hypot(x, y) != hypot(x, y)",
    ] {
        assert_eq!(excluded(possible), 0, "{possible}");
    }
    let impossible = [
        "cos(x) > 1.0000001",
        "cosh(x) < 0.9999999",
        "x == x && y == y && hypot(x, y) != hypot(x, y)",
        "x > 0 && pow(x, y) < 0",
        "x == x && y == y && atan2(x, y) != atan2(x, y)",
    ];
    for impossible in impossible {
        assert_eq!(excluded(impossible), 1, "{impossible}");
    }
    let found = report(&format!(
        "{heads} int f(double x, double y) {{ double z = pow(x, y); if (x == x && y == y) if (z != z) return 1; return 0; }}"
    ));
    assert_eq!((found.summary.covered, found.summary.open), (4, 0), "a root of a negative number is found");
}

/// Tests under CTest are linked with the library that their functions need, and others are not.
#[test]
fn cmake_links_the_math_library_where_it_is_needed() {
    let links = |text: &str| output::ctest(&report(text), "tests.c").contains("target_link_libraries");
    assert!(links("double cos(double); int f(double x) { return cos(x) > 0 ? 1 : 0; }"));
    assert!(links("float floorf(float); int f(float x) { return floorf(x) > 0 ? 1 : 0; }"));
    assert!(links("double fmod(double, double); int f(double x) { return fmod(x, 3) > 0 ? 1 : 0; }"));
    assert!(links(
        "# 1 \"f.c\"\n# 1 \"/usr/include/math.h\" 1\n# 2 \"f.c\" 2\nint f(int x) { return x > 0 ? 1 : 0; }"
    ));
    assert!(!links("int f(double x) { return x / 3 > 0 ? 1 : 0; }"));
    assert!(!links("int abs(int); int f(int x) { return abs(x) > 3 ? 1 : 0; }"));
}
