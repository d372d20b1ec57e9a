//! A test file for Unity. Tests that end the program are omitted: Unity runs all tests in one process. So are all but the first where a function
//! keeps values in static variables, which no test can reset.

use super::c_file::{settable, suite};
use crate::report::{CoverReport, TestReport};
use nub_harness::{Ending, TestCase, TestSuite, around, call, inclusion, preparation, renaming};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const HEADERS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// The file; `source` is how it includes the program under test.
pub fn unity(report: &CoverReport, source: &str) -> String {
    let report = &settable(report);
    let suite = suite(report);
    let mut text = format!("/* {} */\n{}#include \"unity.h\"\n", suite.comment, renaming(&suite.stubs));
    text.push_str(&nub_harness::before_program(&suite));
    suite.stubs.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&inclusion(&suite, source));
    let numbered = || suite.cases.iter().zip(&report.tests);
    let is_kept = |(case, test): &(&TestCase, &TestReport)| {
        case.ending == Ending::Returns && (!suite.stubs.world.keeps_values || test.number == 1)
    };
    let (kept, left_out): (Vec<_>, Vec<_>) = numbered().partition(is_kept);
    let returning =
        TestSuite { cases: kept.iter().map(|(case, _)| (*case).clone()).collect(), ..suite.clone() };
    text.push_str(HEADERS);
    text.push_str(&around(&returning));
    let changes = !suite.stubs.world.changed.is_empty();
    let (save, restore) = if changes { ("    nub_save();\n", " nub_restore(); ") } else { ("", "") };
    writeln!(text, "\nvoid setUp(void) {{{restore}}}\nvoid tearDown(void) {{}}").expect(NEVER_FAILS);
    for (case, test) in &kept {
        text.push_str(&function(&suite, case, test.number));
    }
    for (case, test) in &left_out {
        let reason = match case.ending {
            Ending::Returns => "static variables keep what earlier tests did".to_owned(),
            _ => format!("the program ends ({})", test.observed_end),
        };
        writeln!(text, "\n/* Omitted, because {reason}: {} */", inputs(case)).expect(NEVER_FAILS);
    }
    write!(text, "\nint main(void) {{\n{save}    UNITY_BEGIN();\n").expect(NEVER_FAILS);
    for (_, test) in &kept {
        writeln!(text, "    RUN_TEST(test_{}_{});", report.function, test.number).expect(NEVER_FAILS);
    }
    text.push_str("    return UNITY_END();\n}\n");
    text
}

/// For a comment.
fn inputs(case: &TestCase) -> String {
    case.text().replace("*/", "* /")
}

fn function(suite: &TestSuite, case: &TestCase, number: usize) -> String {
    let mut text = format!("\n/* {} */\nvoid test_{}_{number}(void) {{\n", inputs(case), suite.function);
    text.push_str(&preparation(suite, case));
    let (result, after) = suite.conditions(case);
    match result {
        Some(condition) => writeln!(text, "    TEST_ASSERT_TRUE({condition});"),
        None => writeln!(text, "    {};", call(suite, case)),
    }
    .expect(NEVER_FAILS);
    for condition in after {
        writeln!(text, "    TEST_ASSERT_TRUE({condition});").expect(NEVER_FAILS);
    }
    text.push_str("}\n");
    text
}
