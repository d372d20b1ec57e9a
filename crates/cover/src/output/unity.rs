//! A test file for Unity. Tests that end the program are left out: Unity runs all tests in one process.

use super::c_file::suite;
use crate::report::Report;
use nub_harness::{Case, Ending, Suite, call, inclusion, preparation};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// What the bodies of assertions and assumptions use. A test whose assumption does not hold is a failure.
const STUB_NEEDS: &str = "\n#include <stdlib.h>\n#include <unistd.h>\nenum { NUB_DIFFERS = 101 };\n";

/// The file; `source` is how it includes the program under test.
pub fn unity(report: &Report, source: &str) -> String {
    let suite = suite(report);
    let mut text = format!("/* {} */\n#include \"unity.h\"\n", suite.comment);
    text.push_str(&nub_harness::before_program(&suite));
    suite.stubs.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&inclusion(source));
    text.push_str(&nub_harness::after_program(&suite));
    if !suite.stubs.definitions.is_empty() {
        text.push_str(STUB_NEEDS);
        suite.stubs.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    }
    text.push_str("\nvoid setUp(void) {}\nvoid tearDown(void) {}\n");
    let numbered = || suite.cases.iter().zip(&report.tests);
    let (kept, left_out): (Vec<_>, Vec<_>) = numbered().partition(|(case, _)| case.ending == Ending::Returns);
    for (case, test) in &kept {
        text.push_str(&function(&suite, case, test.number));
    }
    for (case, test) in &left_out {
        writeln!(
            text,
            "\n/* Left out, because the program ends ({}): {} */",
            test.observed_end,
            inputs(case)
        )
        .expect(NEVER_FAILS);
    }
    text.push_str("\nint main(void) {\n    UNITY_BEGIN();\n");
    for (_, test) in &kept {
        writeln!(text, "    RUN_TEST(test_{}_{});", report.function, test.number).expect(NEVER_FAILS);
    }
    text.push_str("    return UNITY_END();\n}\n");
    text
}

/// For a comment.
fn inputs(case: &Case) -> String {
    case.text().replace("*/", "* /")
}

fn function(suite: &Suite, case: &Case, number: usize) -> String {
    let call = call(suite, case);
    let mut text = format!("\n/* {} */\nvoid test_{}_{number}(void) {{\n", inputs(case), suite.function);
    text.push_str(&preparation(case));
    match suite.result(case) {
        Some(expected) => writeln!(text, "    TEST_ASSERT_TRUE({call} == {expected});\n}}"),
        None => writeln!(text, "    {call};\n}}"),
    }
    .expect(NEVER_FAILS);
    text
}
