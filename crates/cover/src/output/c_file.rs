//! A C file with the tests: no dependency but a POSIX system, each test in a process of its own, an exit code.
//!
//! The expected results are those that were observed when the file was made. They pin down what the function does, not what it
//! should do.

use super::supply;
use crate::report::{Report, Test};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// What stands before and after the tests does not depend on them.
const START: &str = "\
#define main nub_main_of_the_program
#include \"@SOURCE@\"
#undef main
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUB_SAME = 100, NUB_DIFFERS = 101, NUB_SECONDS = 10 };
";

const END: &str = "\
static int nub_run(unsigned k) {
    int status = 0;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child < 0) { perror(\"fork\"); return 1; }
    if (child == 0) { alarm(NUB_SECONDS); _exit(nub_tests[k].run() ? NUB_SAME : NUB_DIFFERS); }
    if (waitpid(child, &status, 0) != child) { perror(\"waitpid\"); return 1; }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NUB_SAME && nub_tests[k].end == 'r') return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) != NUB_SAME && WEXITSTATUS(status) != NUB_DIFFERS
        && nub_tests[k].end == 'e') return 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && nub_tests[k].end == 'a') return 0;
    printf(\"test %u of @FUNCTION@ differs from what was observed: %s\\n\", k + 1, nub_tests[k].text);
    return 1;
}

int main(int argc, char **argv) {
    unsigned n = sizeof nub_tests / sizeof *nub_tests, k, failed = 0;
    if (argc > 1) {
        k = (unsigned)atoi(argv[1]) - 1;
        return k < n ? nub_run(k) : 2;
    }
    for (k = 0; k < n; k++) failed += (unsigned)nub_run(k);
    printf(\"%u tests of @FUNCTION@, %u differ\\n\", n, failed);
    return failed != 0;
}
";

/// The file. `source` is how it includes the program under test.
pub fn c_file(report: &Report, source: &str) -> String {
    let mut text = header(report);
    text.push_str(&supply::before_program(report));
    text.push_str(&START.replace("@SOURCE@", &escaped(source)));
    text.push_str(&supply::after_program(report));
    for test in &report.tests {
        text.push_str(&function(report, test));
    }
    text.push_str(
        "\nstatic const struct { int (*run)(void); char end; const char *text; } nub_tests[] = {\n",
    );
    for test in &report.tests {
        let end = match test.observed_end.as_str() {
            "returned" => 'r',
            "exited" => 'e',
            _ => 'a',
        };
        writeln!(text, "    {{ nub_test_{}, '{end}', \"{}\" }},", test.number, escaped(&inputs(test)))
            .expect(NEVER_FAILS);
    }
    text.push_str("};\n\n");
    text.push_str(&END.replace("@FUNCTION@", &report.function));
    text
}

/// What the file is, as a comment.
pub(super) fn header(report: &Report) -> String {
    format!(
        "/* {} tests of {}, for the criterion {}: {} of {} goals.\n   Results are as observed when this was made, not as specified: read them. Made by nub cover. */\n",
        report.tests.len(),
        report.function,
        report.criterion,
        report.summary.covered,
        report.summary.goals
    )
}

/// `x = 1, y = -2`.
pub(super) fn inputs(test: &Test) -> String {
    test.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect::<Vec<_>>().join(", ")
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn function(report: &Report, test: &Test) -> String {
    let mut text = format!("\n/* {} */\nstatic int nub_test_{}(void) {{\n", inputs(test), test.number);
    text.push_str(&body(report, test));
    text.push_str("}\n");
    text
}

fn body(report: &Report, test: &Test) -> String {
    let mut text = before(test);
    let call = format!("{}({})", report.function, test.args.join(", "));
    match &test.observed_literal {
        Some(expected) => writeln!(text, "    return {call} == {expected};"),
        None => writeln!(text, "    {call};\n    return 1;"),
    }
    .expect(NEVER_FAILS);
    text
}

/// Declarations, assignments and values to be read.
pub(super) fn before(test: &Test) -> String {
    let mut text = String::new();
    for line in test.pre.lines() {
        writeln!(text, "    {line}").expect(NEVER_FAILS);
    }
    text.push_str(&supply::values(test));
    text
}
