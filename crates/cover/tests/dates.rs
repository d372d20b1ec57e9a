//! Date arithmetic: divisions of 64-bit numbers by constants one after the other, and a loop over the months.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::{CoverOptions, cover};
use nub_sat::SatLimits;

const SECONDS_TO_DATE: &str = "
typedef long long i64;
static const int len[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int date(i64 t, int *year, int *month, int *day) {
  i64 days = t / 86400, rest = t % 86400;
  if (rest < 0) { rest += 86400; days--; }
  if (days < -719162 || days > 2932896) return -1;
  i64 z = days + 719162;
  i64 n400 = z / 146097; z %= 146097;
  i64 n100 = z / 36524; if (n100 == 4) n100 = 3; z -= n100 * 36524;
  i64 n4 = z / 1461; z %= 1461;
  i64 n1 = z / 365; if (n1 == 4) n1 = 3; z -= n1 * 365;
  i64 y = 400 * n400 + 100 * n100 + 4 * n4 + n1 + 1;
  int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0, m;
  for (m = 0; m < 12; m++) {
    int l = len[m];
    if (m == 1 && leap) l++;
    if (z < l) break;
    z -= l;
  }
  *year = (int)y; *month = m + 1; *day = (int)z + 1;
  if (rest == 0) return 1;
  if (m == 1 && z == 28) return 2;
  return 0;
}";

/// Conflicts of the solver for one question, at most a second.
const CONFLICTS: u64 = 10_000;

#[test]
fn every_goal_is_decided_with_few_conflicts() {
    let (unit, _) = nub_c_syntax::parse(SECONDS_TO_DATE.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let function = program.function_by_name("date").unwrap();
    let limits = SatLimits::none().with_conflicts(CONFLICTS);
    let readings = vec![CriterionReading::new(Criterion::Mcdc)];
    let options = CoverOptions { readings, closing: limits.clone(), limits, ..CoverOptions::default() };
    let source = SourceQuotes { program: &program, text: SECONDS_TO_DATE.as_bytes() };
    let report = cover(source, function, &options).unwrap().remove(0);
    let summary = report.summary;
    assert_eq!((summary.covered, summary.infeasible, summary.goals), (62, 3, 65));
    assert!(report.is_minimal);
}
