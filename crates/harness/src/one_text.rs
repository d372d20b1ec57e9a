//! The tests together with the program, only for the compiler: no header is read, nothing is printed, and all tests are in one
//! function. That halves the time of compiling a small program. The program is preprocessed, or uses only its own macros.
//!
//! The few POSIX functions and constants that the tests need are declared here; the numbers are those of Linux, which is where nub runs programs.

use crate::c_file::{MAIN, call, letter, preparation};
use crate::case::TestSuite;
use crate::floats;
use crate::stubs::renaming;
use crate::supply;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const SYSTEM: &str = "\
# 1 \"tests\"
int fork(void);
int waitpid(int, int *, int);
unsigned alarm(unsigned);
void _exit(int);
void abort(void);
enum { NUB_SAME = 100, NUB_DIFFERS = 101, NUB_SANITIZED = 213, NUB_SECONDS = 10 };
#define nub_unmet() _exit(NUB_DIFFERS)
#define nub_leave() _exit(0)
";

/// How a test ended, as a letter: those of [`letter`], `d` for a different result, `s` for a different signal.
pub(crate) const END_LETTER: &str = "\
nub_status == NUB_SAME << 8 ? 'r' : nub_status == NUB_DIFFERS << 8 ? 'd'
            : nub_status == NUB_SANITIZED << 8 ? 's'
            : (nub_status & 127) == 0 ? 'e' : (nub_status & 127) == 6 ? 'a' : 's'";

/// Each test in a process of its own.
const MAIN_START: &str = "
__attribute__((no_sanitize(\"undefined\", \"address\"))) int main(void) {
    static const char nub_ends[] = \"@ENDS@\";
    for (int nub_k = 0; nub_ends[nub_k]; nub_k++) {
        int nub_status, nub_child = fork();
        if (nub_child == 0) {
            alarm(NUB_SECONDS);
            switch (nub_k) {
";
const MAIN_END: &str = "
            }
        }
        if (nub_child < 0 || waitpid(nub_child, &nub_status, 0) != nub_child) return 1;
        char nub_end = @END@;
        if (nub_ends[nub_k] == 'u' ? nub_end == 'r' || nub_end == 'd' : nub_end != nub_ends[nub_k]) return 1;
    }
    return 0;
}
";

/// A C file that exits with 0 if all tests end as they are expected to. `None` where it needs headers: tests that read with `scanf` or allocate.
///
/// A program that declares these names differently does not compile, so a compile error does not mean that a test fails.
pub fn one_text(suite: &TestSuite, program: &str) -> Option<String> {
    if supply::needs_headers(suite) {
        return None;
    }
    let mut text = renaming(&suite.stubs) + &supply::before_program(suite);
    suite.stubs.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    write!(text, "#define main {MAIN}\n{program}\n#undef main\n{SYSTEM}").expect(NEVER_FAILS);
    suite.stubs.world.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(&supply::after_program(suite));
    suite.stubs.definitions.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text.push_str(floats::comparing(suite));
    let ends: String = suite.cases.iter().map(|case| letter(case.ending)).collect();
    text.push_str(&MAIN_START.replace("@ENDS@", &ends));
    for (index, case) in suite.cases.iter().enumerate() {
        let (result, after) = suite.conditions(case);
        let first = result.unwrap_or_else(|| format!("({}, 1)", call(suite, case)));
        let all: Vec<String> = [first].into_iter().chain(after).collect();
        let end = format!("_exit({} ? NUB_SAME : NUB_DIFFERS);", all.join(" && "));
        writeln!(text, "case {index}: {{\n{}{end}\n}}", preparation(suite, case)).expect(NEVER_FAILS);
    }
    text.push_str(&MAIN_END.replace("@END@", END_LETTER));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_report::c_tests::{Ending, Read, TestCase};

    #[test]
    fn no_header_is_read() {
        let case = TestCase { ending: Ending::Aborts, result: Some("0".into()), ..TestCase::default() };
        let suite = TestSuite { function: "main".into(), cases: vec![case], ..TestSuite::default() };
        let text = one_text(&suite, "int main(void) { return 0; }").unwrap();
        assert!(
            text.contains("\nint main(void) { return 0; }\n#undef main\n") && !text.contains("#include"),
            "{text}"
        );
        assert!(
            text.contains("nub_ends[] = \"a\"")
                && text.contains("\n_exit((nub_main_of_the_program(), 1) ? NUB_SAME"),
            "{text}"
        );
    }

    #[test]
    fn scanning_needs_headers() {
        let read = |source: &str| Read {
            source: source.into(),
            ty: "int".into(),
            value: "1".into(),
            ..Read::default()
        };
        let case = |source| TestCase { reads: vec![read(source)], ..TestCase::default() };
        let suite = |source| TestSuite { cases: vec![case(source)], ..TestSuite::default() };
        assert!(one_text(&suite("__isoc99_scanf"), "").is_none());
        assert!(one_text(&suite("nondet_int"), "").is_some());
    }
}
