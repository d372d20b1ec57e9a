//! A CMake file that defines one CTest test for each test of the C file.

use crate::report::CoverReport;
use std::fmt::Write;

/// The file; `c_file` is the name of the C file with the tests.
pub fn ctest(report: &CoverReport, c_file: &str) -> String {
    let target = format!("nub_tests_{}", report.function);
    let mut text = format!(
        "# {} tests of {} for CTest. Made by nub cover.\ncmake_minimum_required(VERSION 3.10)\nproject({target} C)\n\
         enable_testing()\nadd_executable({target} \"{c_file}\")\n",
        report.tests.len(),
        report.function
    );
    if let Some(option) = report.compiler_option() {
        writeln!(text, "target_compile_options({target} PRIVATE {option})")
            .expect("writing to a string cannot fail");
    }
    if report.needs_math_library {
        // Not every system has it as a separate library.
        writeln!(text, "find_library(MATH_LIBRARY m)\nif(MATH_LIBRARY)\n  target_link_libraries({target} PRIVATE ${{MATH_LIBRARY}})\nendif()")
            .expect("writing to a string cannot fail");
    }
    for test in &report.tests {
        writeln!(text, "add_test(NAME {}.{} COMMAND {target} {})", report.function, test.number, test.number)
            .expect("writing to a string cannot fail");
    }
    text
}
