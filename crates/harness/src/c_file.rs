//! A C file with the tests: no dependency but a POSIX system, each test in a process of its own, an exit code.

use crate::case::{Case, Ending, Suite};
use crate::supply;
use std::fmt::Write;

/// What the `main` of the program is called while ours is the one that starts.
pub(crate) const MAIN: &str = "nub_main_of_the_program";

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// What stands before and after the tests does not depend on them.
const START: &str = "\
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
    if (!(WIFEXITED(status) && (WEXITSTATUS(status) == NUB_SAME || WEXITSTATUS(status) == NUB_DIFFERS))
        && nub_tests[k].end == 'u') return 0;
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
pub fn c_file(suite: &Suite, source: &str) -> String {
    let mut text = format!("/* {} */\n", suite.comment.trim().replace("*/", "* /"));
    text.push_str(&supply::before_program(suite));
    suite.stubs.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&inclusion(source));
    text.push_str(START);
    text.push_str(&supply::after_program(suite));
    suite.stubs.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    for (index, case) in suite.cases.iter().enumerate() {
        let inputs = case.text().replace("*/", "* /");
        writeln!(text, "\n/* {inputs} */\nstatic int nub_test_{}(void) {{", index + 1).expect(NEVER_FAILS);
        text.push_str(&body(suite, case));
        text.push_str("}\n");
    }
    text.push_str(
        "\nstatic const struct { int (*run)(void); char end; const char *text; } nub_tests[] = {\n",
    );
    for (index, case) in suite.cases.iter().enumerate() {
        let (number, end) = (index + 1, letter(case.ending));
        writeln!(text, "    {{ nub_test_{number}, '{end}', \"{}\" }},", escaped(&case.text()))
            .expect(NEVER_FAILS);
    }
    text.push_str("};\n\n");
    text.push_str(&END.replace("@FUNCTION@", &suite.function));
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

fn body(suite: &Suite, case: &Case) -> String {
    let mut text = preparation(case);
    let call = call(suite, case);
    match suite.result(case) {
        Some(expected) => writeln!(text, "    return {call} == {expected};"),
        None => writeln!(text, "    {call};\n    return 1;"),
    }
    .expect(NEVER_FAILS);
    text
}

/// Includes the program, with another name for its `main`: the file has one of its own.
pub fn inclusion(source: &str) -> String {
    format!("#define main {MAIN}\n#include \"{}\"\n#undef main\n", escaped(source))
}

/// The call of the function under test, by the name that it has in the file.
pub fn call(suite: &Suite, case: &Case) -> String {
    let function = if suite.function == "main" { MAIN } else { &suite.function };
    format!("{function}({})", case.args.join(", "))
}

/// What comes before the call: declarations, assignments and values to be read.
pub fn preparation(case: &Case) -> String {
    let mut text = String::new();
    for line in &case.before {
        writeln!(text, "    {line}").expect(NEVER_FAILS);
    }
    text.push_str(&supply::values(case));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Input;

    #[test]
    fn a_main_is_called_by_another_name() {
        let input = Input { name: "a \" */ b".into(), ty: "int".into(), value: "1".into() };
        let case = Case { inputs: vec![input], ending: Ending::Aborts, ..Case::default() };
        let suite = Suite { function: "main".into(), cases: vec![case], ..Suite::default() };
        let text = c_file(&suite, "dir/a \"b\".c");
        assert!(text.contains("    nub_main_of_the_program();\n    return 1;\n"), "{text}");
        assert!(text.contains("#include \"dir/a \\\"b\\\".c\"\n"), "{text}");
        assert!(text.contains("/* a \" * / b = 1 */") && text.contains("'a', \"a \\\" */ b = 1\""), "{text}");
    }
}
