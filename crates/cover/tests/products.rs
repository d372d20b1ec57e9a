//! Products of inputs, where questions to the solver are expensive: runs that are evaluated decide most, and few questions are left.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, cover};

fn covered(text: &str, criterion: Criterion) -> CoverReport {
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let function = program.function_by_name("f").unwrap();
    let options =
        CoverOptions { readings: vec![CriterionReading::new(criterion)], ..CoverOptions::default() };
    let source = SourceQuotes { program: &program, text: text.as_bytes() };
    cover(source, function, &options).unwrap().remove(0)
}

/// Three products, limited by comparisons before and after.
const CONTROLLER: &str = "
int f(int set, int meas, int integral, int last, int kp, int ki, int kd) {
  int e = set - meas;
  if (set < -1000 || set > 1000 || meas < -1000 || meas > 1000) return 0;
  if (kp < 0 || kp > 100 || ki < 0 || ki > 100 || kd < 0 || kd > 100) return 0;
  if (integral > 8000 || integral < -8000 || last < -2000 || last > 2000) return 0;
  integral += e;
  if (integral > 8000) integral = 8000;
  if (integral < -8000) integral = -8000;
  int u = kp * e + ki * integral / 16 + kd * (e - last);
  if (u > 20000) return 20000;
  if (u < -20000) return -20000;
  return u > -50 && u < 50 ? 0 : u;
}";

/// The length of a vector is compared without a square root.
const LIMITER: &str = "
int f(short q, short d, short most, short speed) {
  int m = (int)q * q + (int)d * d;
  if (most <= 0) return 0;
  if (q == -32768 || d == -32768) return 0;
  if (m > (int)most * most) return speed > 1000 && d > 0 ? 3 : 2;
  if (m * 4 > (int)most * most && m < 500000000) return 1;
  return 0;
}";

/// Where is a point in relation to a segment? The last three answers need an equation between two products.
const SEGMENT: &str = "
int f(int ax, int ay, int bx, int by, int px, int py) {
  if (ax < -10000 || ax > 10000 || ay < -10000 || ay > 10000) return -1;
  if (bx < -10000 || bx > 10000 || by < -10000 || by > 10000) return -1;
  if (px < -10000 || px > 10000 || py < -10000 || py > 10000) return -1;
  int cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
  if (cross > 0) return 1;
  if (cross < 0) return 2;
  int dot = (px - ax) * (bx - ax) + (py - ay) * (by - ay);
  if (dot < 0) return 3;
  if (dot > (bx - ax) * (bx - ax) + (by - ay) * (by - ay)) return 4;
  return 0;
}";

/// Covers all goals with the fewest tests, and asks the solver at most this often.
#[track_caller]
fn check(text: &str, criterion: Criterion, (n_tests, n_goals): (usize, usize), max_questions: u64) {
    let report = covered(text, criterion);
    let summary = &report.summary;
    assert!(report.is_minimal, "{criterion:?}");
    let found = (report.tests.len(), summary.covered, summary.goals);
    assert_eq!(found, (n_tests, n_goals, n_goals), "{criterion:?}");
    assert!(report.n_questions <= max_questions, "{criterion:?}: {} questions", report.n_questions);
}

/// No question is needed to find a run: each took a second.
#[test]
fn equations_between_products_are_hit_by_changed_runs() {
    check(SEGMENT, Criterion::Decision, (8, 14), 2);
    check(SEGMENT, Criterion::Mcdc, (17, 62), 2);
}

/// With a question for each attempt to improve the tests it was 80 to 500.
#[test]
fn few_questions_are_asked_about_products() {
    check(CONTROLLER, Criterion::Decision, (7, 16), 30);
    check(CONTROLLER, Criterion::Mcdc, (19, 76), 30);
    check(LIMITER, Criterion::Decision, (6, 10), 30);
    check(LIMITER, Criterion::Mcdc, (9, 34), 30);
}
