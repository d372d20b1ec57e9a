//! A test file for Unity. Tests that end the program are left out: Unity runs all tests in one process.

use super::c_file::{before, escaped, header, inputs};
use super::supply;
use crate::report::Report;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The file; `source` is how it includes the program under test.
pub fn unity(report: &Report, source: &str) -> String {
    let mut text = header(report);
    text.push_str("#include \"unity.h\"\n");
    text.push_str(&supply::before_program(report));
    writeln!(text, "#include \"{}\"", escaped(source)).expect(NEVER_FAILS);
    text.push_str(&supply::after_program(report));
    text.push_str("\nvoid setUp(void) {}\nvoid tearDown(void) {}\n");
    let (kept, left_out): (Vec<_>, Vec<_>) =
        report.tests.iter().partition(|test| test.observed_end == "returned");
    for test in &kept {
        let call = format!("{}({})", report.function, test.args.join(", "));
        writeln!(text, "\n/* {} */\nvoid test_{}_{}(void) {{", inputs(test), report.function, test.number)
            .expect(NEVER_FAILS);
        text.push_str(&before(test));
        match &test.observed_literal {
            Some(expected) => writeln!(text, "    TEST_ASSERT_TRUE({call} == {expected});\n}}"),
            None => writeln!(text, "    {call};\n}}"),
        }
        .expect(NEVER_FAILS);
    }
    for test in &left_out {
        writeln!(
            text,
            "\n/* Left out, because the program ends ({}): {} */",
            test.observed_end,
            inputs(test)
        )
        .expect(NEVER_FAILS);
    }
    text.push_str("\nint main(void) {\n    UNITY_BEGIN();\n");
    for test in &kept {
        writeln!(text, "    RUN_TEST(test_{}_{});", report.function, test.number).expect(NEVER_FAILS);
    }
    text.push_str("    return UNITY_END();\n}\n");
    text
}
