//! A C file with the tests: no dependency, an exit code. Tests run in one process, so that coverage can be measured and any target can run them;
//! only those that end the program, or leave behind what cannot be reset, have a POSIX process of their own.

use crate::calls::has_calls;
use crate::case::TestSuite;
use crate::floats;
use crate::own_macros;
use crate::stubs::{ERRNO, renaming};
use crate::supply;
use crate::volatile;
use crate::world::resetting;
use nub_report::c_tests::{Ending, TestCase};
use std::fmt::Write;

/// The name of the program's `main` while the `main` of the test file is the one that starts.
pub(crate) const MAIN: &str = "nub_main_of_the_program";

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Strict modes of compilers hide what is not ISO C.
const POSIX: &str = "\
#if defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
";

const START: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

/// The exit code that sanitizers are told to use by whoever runs the tests under them.
pub const SANITIZER_EXIT: i32 = 213;

/// A test whose assumption does not hold reports it, also from a process of its own.
const UNMET: &str = "
static void nub_unmet(void) {
    nub_say('d');
    puts(\"an assumption does not hold\");
    (exit)(1);
}
";

const CHECK: &str = "
static int nub_check(int holds, const char *text) {
    if (!holds) printf(\"  %s does not hold\\n\", text);
    return holds;
}
";

/// Processes of their own, for tests that end the program. Such a test sends a letter for how it returned; one that sends nothing has ended the
/// program. The process ends by `exit`, not by a signal, so that coverage tools can write their files. It does not call `write` and `read`: those may
/// be stubs of the program under test. A name in parentheses is the function even where the program defines a macro with arguments for it. A report of
/// a sanitizer is not the end that a test expects; it has an exit code of its own, [`SANITIZER_EXIT`].
const PROCESSES: &str = "
#ifndef NUB_NO_FORK
#include <signal.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUB_SECONDS = 10, NUB_SANITIZED = 213 };
static int nub_pipe[2] = { -1, -1 };

static void nub_say(char letter) {
    struct iovec part = { &letter, 1 };
    if (nub_pipe[1] >= 0 && writev(nub_pipe[1], &part, 1) != 1) _exit(1);
}

static void nub_aborted(int number) {
    (void)number;
    nub_say(@ENDED@);
    (exit)(1);
}

@AT_END@static int nub_run_alone(unsigned k) {
    int status = 0;
    char letter = 0;
    struct iovec part = { &letter, 1 };
    pid_t child;
    fflush(stdout);
    if (pipe(nub_pipe) != 0) { perror(\"pipe\"); return 1; }
    child = fork();
    if (child < 0) { perror(\"fork\"); return 1; }
    if (child == 0) {
        close(nub_pipe[0]);
        alarm(NUB_SECONDS);
        signal(SIGABRT, nub_aborted);@ATEXIT@
        letter = nub_tests[k].run() ? 'r' : 'd';
@RETURNED@        nub_say(letter);
        (exit)(0);
    }
    close(nub_pipe[1]);
    if (waitpid(child, &status, 0) != child) { perror(\"waitpid\"); return 1; }
    if (readv(nub_pipe[0], &part, 1) != 1) letter = WIFEXITED(status) && WEXITSTATUS(status) != NUB_SANITIZED ? 'e' : 's';
    close(nub_pipe[0]);
    nub_pipe[1] = -1;
    if (nub_tests[k].end == 'u') return letter == 'r' || letter == 'd';
    return letter != nub_tests[k].end;
}
#endif
";

/// A test that ends the program has made all its calls by then.
const AT_END: &str = "\
static int nub_has_returned;
static void nub_at_exit(void) {
    if (!nub_has_returned && !nub_calls_agree()) nub_say('d');
}

";

/// The code for processes of their own. Tests that return compare their calls themselves.
fn processes(suite: &TestSuite) -> String {
    let has_calls = has_calls(suite);
    let text = PROCESSES.replace("@ENDED@", if has_calls { "nub_calls_agree() ? 'a' : 'd'" } else { "'a'" });
    let text = text.replace("@ATEXIT@", if has_calls { "\n        atexit(nub_at_exit);" } else { "" });
    let text = text.replace("@RETURNED@", if has_calls { "        nub_has_returned = 1;\n" } else { "" });
    text.replace("@AT_END@", if has_calls { AT_END } else { "" })
}

/// Where there are no processes, nobody receives the letter.
const SILENT: &str = "
#ifdef NUB_NO_FORK
static void nub_say(char letter) { (void)letter; }
#endif
";

/// The order matters: a test that needs a process is not run where there are none.
const ALONE: &str = "\
    if (nub_tests[k].is_alone) {
#ifdef NUB_NO_FORK
        printf(\"test %u of @FUNCTION@ is skipped: it ends the program\\n\", k + 1);
        return 0;
#else
        differs = nub_run_alone(k);
#endif
    } else
";

/// Reports which call it was.
const DIFFERENCE: &str =
    "    if (differs && nub_difference) printf(\"  unexpected call: %s\\n\", nub_difference);\n";

const END: &str = "
static int nub_run(unsigned k) {
    int differs;
@ALONE@    differs = !nub_tests[k].run();
@DIFFERENCE@    if (differs) printf(\"test %u of @FUNCTION@ differs from what was observed: %s\\n\", k + 1, nub_tests[k].text);
    return differs;
}

int main(int argc, char **argv) {
    unsigned n = sizeof nub_tests / sizeof *nub_tests, k, failed = 0;
@SAVE@    if (argc > 1) {
        k = (unsigned)atoi(argv[1]) - 1;
        return k < n ? nub_run(k) : 2;
    }
    for (k = 0; k < n; k++) {
@RESTORE@        failed += (unsigned)nub_run(k);
    }
    printf(\"%u tests of @FUNCTION@, %u differ\\n\", n, failed);
    return failed != 0;
}
";

/// The file. `source` is how it includes the program under test.
pub fn c_file(suite: &TestSuite, source: &str) -> String {
    let has_processes = suite.cases.iter().any(|case| suite.needs_process(case));
    let mut text = format!("/* {} */\n", suite.comment.trim().replace("*/", "* /"));
    text.push_str(if has_processes { POSIX } else { "" });
    let before = supply::before_program(suite);
    // Without a header before the program, its own definitions come first.
    let has_headers =
        before.contains("#include") || suite.stubs.declarations.iter().any(|line| line.contains("#include"));
    suite.stubs.features.iter().filter(|_| has_headers).for_each(|line| text.push_str(line));
    text.push_str(&renaming(&suite.stubs));
    text.push_str(&before);
    suite.stubs.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&inclusion(suite, source));
    text.push_str(START);
    text.push_str(&own_macros::declared(&suite.stubs.own_macros));
    text.push_str(&around(suite));
    let has_checks = suite.cases.iter().any(|case| has_conditions(suite, case));
    text.push_str(if has_checks { CHECK } else { "" });
    for (index, case) in suite.cases.iter().enumerate() {
        let inputs = case.text().replace("*/", "* /");
        writeln!(text, "\n/* {inputs} */\nstatic int nub_test_{}(void) {{", index + 1).expect(NEVER_FAILS);
        text.push_str(&body(suite, case));
        text.push_str("}\n");
    }
    text.push_str(&table(suite));
    text.push_str(&if has_processes { processes(suite) } else { String::new() });
    let calls = |name: &str, indent: &str| {
        if suite.stubs.world.changed.is_empty() { String::new() } else { format!("{indent}{name}();\n") }
    };
    let difference = if has_calls(suite) { DIFFERENCE } else { "" };
    let end = END.replace("@DIFFERENCE@", difference);
    let end = end.replace("@ALONE@", if has_processes { ALONE } else { "" });
    let end = end.replace("@SAVE@", &calls("nub_save", "    "));
    let end = end.replace("@RESTORE@", &calls("nub_restore", "        "));
    text.push_str(&end.replace("@FUNCTION@", &suite.function));
    text
}

/// What the program needs and does not have: values to read, objects, bodies; and the code that resets objects between tests.
pub fn around(suite: &TestSuite) -> String {
    let mut text = String::new();
    suite.stubs.world.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&supply::after_program(suite));
    if suite.stubs.definitions.iter().any(|line| line.contains(UNMET_CALL)) {
        let has_processes = suite.cases.iter().any(|case| suite.needs_process(case));
        let say = if has_processes { "static void nub_say(char letter);\n" } else { "" };
        let unmet = if has_processes { UNMET.to_owned() } else { UNMET.replace("    nub_say('d');\n", "") };
        let silent = if has_processes { SILENT } else { "" };
        write!(text, "\n{say}{silent}{unmet}").expect(NEVER_FAILS);
    }
    suite.stubs.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(floats::comparing(suite));
    let resetting = resetting(&suite.stubs.world);
    if resetting.is_empty() { text } else { format!("{text}\n{resetting}") }
}

/// How the bodies of assumptions report that the run is to be ignored.
pub(crate) const UNMET_CALL: &str = "nub_unmet();";

/// The table of all tests.
fn table(suite: &TestSuite) -> String {
    let mut text = "\nstatic const struct { int (*run)(void); char end; char is_alone; const char *text; } nub_tests[] = {\n".to_owned();
    for (index, case) in suite.cases.iter().enumerate() {
        let (number, end) = (index + 1, letter(case.ending));
        let (is_alone, inputs) = (u8::from(suite.needs_process(case)), escaped(&case.text()));
        writeln!(text, "    {{ nub_test_{number}, '{end}', {is_alone}, \"{inputs}\" }},").expect(NEVER_FAILS);
    }
    text.push_str("};\n");
    text
}

pub(crate) fn letter(ending: Ending) -> char {
    match ending {
        Ending::Returns => 'r',
        Ending::Exits => 'e',
        Ending::Aborts => 'a',
        Ending::Undefined => 'u',
    }
}

/// The inside of a string literal.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn has_conditions(suite: &TestSuite, case: &TestCase) -> bool {
    let (result, after) = suite.conditions(case);
    result.is_some() || !after.is_empty()
}

fn body(suite: &TestSuite, case: &TestCase) -> String {
    let mut text = preparation(suite, case);
    let (result, after) = suite.conditions(case);
    if result.is_none() && after.is_empty() {
        writeln!(text, "    {};\n    return 1;", call(suite, case)).expect(NEVER_FAILS);
        return text;
    }
    let check = |condition: &String| format!("nub_check({condition}, \"{}\")", escaped(condition));
    match &result {
        Some(condition) => writeln!(text, "    int same = {};", check(condition)),
        None => writeln!(text, "    int same = 1;\n    {};", call(suite, case)),
    }
    .expect(NEVER_FAILS);
    for condition in &after {
        writeln!(text, "    same &= {};", check(condition)).expect(NEVER_FAILS);
    }
    text.push_str("    return same;\n");
    text
}

/// Includes the program, or its copy, with another name for its `main`: the file has a `main` of its own. Only a function named `main` may end
/// without returning a value.
pub fn inclusion(suite: &TestSuite, source: &str) -> String {
    let program = match &suite.stubs.copy {
        Some(copy) => format!("{}#line 1 \"tests\"\n", copy.text),
        None if suite.stubs.linked.is_empty() => format!("#include \"{}\"\n", escaped(source)),
        None => {
            format!("#include \"{}\"\n{}#line 1 \"tests\"\n", escaped(source), suite.stubs.linked)
        }
    };
    // The program need not declare `errno`: models of the library set it.
    let errno = if suite.stubs.uses_errno { "#include <errno.h>\n" } else { "" };
    let ended = own_macros::ended(&suite.stubs.own_macros);
    let include = format!("#define main {MAIN}\n{program}#undef main\n{ended}{errno}");
    if suite.stubs.has_main {
        format!(
            "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wreturn-type\"\n{include}#pragma GCC diagnostic pop\n"
        )
    } else {
        include
    }
}

/// The call of the function under test, by the name that it has in the file.
pub fn call(suite: &TestSuite, case: &TestCase) -> String {
    let function = match &suite.stubs.entry {
        Some(entry) => &entry.name,
        None if suite.function == "main" => MAIN,
        None => &suite.function,
    };
    format!("{function}({})", case.args.join(", "))
}

/// The code before the call: declarations, assignments and values to be read.
pub fn preparation(suite: &TestSuite, case: &TestCase) -> String {
    let mut text = String::new();
    for line in &case.before {
        writeln!(text, "    {line}").expect(NEVER_FAILS);
    }
    text.push_str(&supply::values(case));
    text.push_str(&volatile::registers(suite, case));
    text.push_str(&supply::expected_calls(suite, case));
    if suite.stubs.uses_errno {
        writeln!(text, "    *{ERRNO}() = 0;").expect(NEVER_FAILS);
    }
    if suite.stubs.sets_rounding {
        text.push_str("    fesetround(0);\n");
    }
    for line in &case.earlier {
        writeln!(text, "    {line}").expect(NEVER_FAILS);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_report::c_tests::TestInput;

    #[test]
    fn a_main_is_called_by_another_name() {
        let input = TestInput {
            name: "a \" */ b".into(),
            ty: "int".into(),
            value: "1".into(),
            is_read: true,
            ..TestInput::default()
        };
        let case = TestCase { inputs: vec![input], ending: Ending::Aborts, ..TestCase::default() };
        let suite = TestSuite { function: "main".into(), cases: vec![case], ..TestSuite::default() };
        let text = c_file(&suite, "dir/a \"b\".c");
        assert!(text.contains("    nub_main_of_the_program();\n    return 1;\n"), "{text}");
        assert!(text.contains("nub_run_alone(k)"), "{text}");
        assert!(text.contains("#include \"dir/a \\\"b\\\".c\"\n"), "{text}");
        assert!(
            text.contains("/* a \" * / b = 1 */") && text.contains("'a', 1, \"a \\\" */ b = 1\""),
            "{text}"
        );
    }
}
