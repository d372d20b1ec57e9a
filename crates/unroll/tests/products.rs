//! Products after checks of their operands.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, check_law, unrolled};
use nub_bitvec::{Op, Pool, TermId, cone};
use nub_c_ir::CheckKind;
use nub_unroll::{UnrollConfig, Unrolled};

/// The widest product that the result depends on.
fn widest_product(unrolled: &Unrolled) -> u32 {
    let pool: &Pool = &unrolled.pool;
    let is_product = |id: &TermId| pool.op(*id) == Op::Mul;
    let widths = cone(pool, &[unrolled.result.unwrap()]).into_iter().filter(is_product);
    widths.map(|id| pool.width(id)).max().unwrap()
}

fn n_overflow_checks(unrolled: &Unrolled) -> usize {
    unrolled.checks.iter().filter(|check| check.kind == CheckKind::Overflow).count()
}

const CHECKED: &str = "int f(int k, int e) { if (k < 0 || k > 100) return 0; if (e < -2000 || e > 2000) return 0; return k * e; }";

/// 100 * 2000 is less than 2^18.
#[test]
fn a_product_after_range_checks_is_narrow_and_does_not_overflow() {
    let (_, checked) = unrolled(CHECKED, &UnrollConfig::default());
    assert_eq!((widest_product(&checked), n_overflow_checks(&checked)), (19, 0));
    let (_, other) = unrolled("int f(int k, int e) { return k * e; }", &UnrollConfig::default());
    assert_eq!((widest_product(&other), n_overflow_checks(&other)), (32, 1));
}

/// What a branch says about a value does not hold behind it.
#[test]
fn facts_of_other_paths_are_not_used() {
    let text = "int f(int k, int e) { int r = 1; if (k >= 0 && k < 50 && e >= 0 && e < 50) r = 2; return r + k * e; }";
    let (_, after) = unrolled(text, &UnrollConfig::default());
    assert_eq!(widest_product(&after), 32);
}

/// The interpreter agrees about values and about overflow, with limits on each side, unsigned numbers, clamped values, loops and calls.
#[test]
fn products_have_their_values() {
    let texts = [
        CHECKED,
        "int f(signed char a, short b) { return a * b - b * b; }",
        "unsigned f(unsigned a, unsigned b) { if (a > 70000) return 1; if (b >= 70000) b = 70000; return a * b; }",
        "int f(int a, int b) { if (a > 300) a = 300; else if (a < -300) a = -300; return a * (b % 700) / 16; }",
        "long f(int a, int b) { long p = (long)a * b; if (p > 2147483647) return 0; return p * 3; }",
        "int f(int n, int k) { int s = 0; if (k < -9 || k > 9) return 0; for (int i = 0; i < n && i < 6; i++) s += i * k * (s & 15); return s; }",
        "static int half(int x) { return x < 0 ? -(-(x + 1) / 2) : x / 2; } int f(int a, int b) { if (a < -90000 || b > 5 || b < -5) return 7; return half(a) * b; }",
        "int f(int a, int b) { if (!(a > -40000 && a < 40000) || b == a) return 0; return a * (a - b < 100 ? 3 : a) * b; }",
    ];
    for (seed, text) in (0..).zip(texts) {
        let whole = check_law(
            text,
            &UnrollConfig { unwind: 7, ..UnrollConfig::default() },
            400,
            &mut Random::new(seed),
        );
        assert!(whole > 300, "{whole}: {text}");
    }
}
