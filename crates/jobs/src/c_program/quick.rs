//! Compiles as fast as possible to confirm the tests in the usual case. If that fails, nothing is known.

use super::native::Native;
use crate::failure::Failure;
use crate::request::ProgramOptions;
use nub_process::{ChildInput, ProcessEnd};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

/// Linkers that are faster than the usual one, as `-fuse-ld` names them and as their files are called; the fastest first.
const LINKERS: [(&str, &str); 3] = [("mold", "ld.mold"), ("gold", "ld.gold"), ("lld", "ld.lld")];
/// What makes compiling fast: no optimisation, no tables for debuggers, no runtime that describes undefined behaviour.
const QUICK: [&str; 7] = [
    "-w",
    "-O0",
    "-pipe",
    "-fno-pie",
    "-no-pie",
    "-fno-asynchronous-unwind-tables",
    "-fsanitize-undefined-trap-on-error",
];
/// With AddressSanitizer. Its runtime takes longer to start than the tests, so it is used only if needed.
const WITH_ADDRESSES: &str = "-fsanitize=undefined,address";
const WITHOUT_ADDRESSES: &str = "-fsanitize=undefined";
/// Linking the compiler's libraries takes as long as linking the program; without AddressSanitizer the C library is
/// enough.
const LIBC_ONLY: [&str; 4] = ["-nodefaultlibs", "-Wl,--as-needed", "-lm", "-lc"];
/// Functions that are not under test may use `math.h`.
const WITH_MATHS: [&str; 2] = ["-Wl,--as-needed", "-lm"];
/// No library at all. Functions that are not called may have unresolved symbols.
const NO_LIBRARY: [&str; 5] = [
    "-fno-stack-protector",
    "-static",
    "-nostdlib",
    "-fno-use-linker-plugin",
    "-Wl,--build-id=none,--unresolved-symbols=ignore-all",
];

/// What is compiled in fast mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quick {
    /// Tests and program in one C file.
    pub text: String,
    /// Whether the program is preprocessed: then the user's macros are not passed again.
    pub is_preprocessed: bool,
    /// The libraries that it needs.
    pub needs: Needs,
}

/// What a program needs besides its own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// AddressSanitizer, because it uses pointers.
    Addresses,
    /// The C library.
    Libc,
    /// Nothing.
    Nothing,
}

impl Quick {
    fn words(&self, options: &ProgramOptions) -> Vec<OsString> {
        let mut words: Vec<OsString> = QUICK.map(OsString::from).into();
        let sanitizers = if self.needs == Needs::Addresses { WITH_ADDRESSES } else { WITHOUT_ADDRESSES };
        words.push(sanitizers.into());
        words.extend(options.language_words());
        if !self.is_preprocessed {
            words.extend(options.compiler_words());
        }
        if self.needs != Needs::Nothing {
            words.extend(fast_linker().map(|name| format!("-fuse-ld={name}").into()));
        }
        words
    }

    /// The arguments after the file.
    fn last_words(&self) -> &'static [&'static str] {
        match self.needs {
            Needs::Addresses => &WITH_MATHS,
            Needs::Libc => &LIBC_ONLY,
            Needs::Nothing => &NO_LIBRARY,
        }
    }
}

impl Native {
    /// Compiles a text and runs it. True if it exits with 0. False means nothing: the linker, or missing
    /// headers, may be the reason. Undefined behaviour traps without a message.
    pub fn confirms(&self, quick: &Quick) -> Result<bool, Failure> {
        let Some(program) = self.compile_quickly(quick)? else { return Ok(false) };
        Ok(self.run(program.into_os_string(), Vec::new(), ChildInput::Null)?.end == ProcessEnd::Exit(0))
    }

    fn compile_quickly(&self, quick: &Quick) -> Result<Option<PathBuf>, Failure> {
        let file = self.write("quick.c", quick.text.as_bytes())?;
        let program = file.with_extension("run");
        let mut words = quick.words(&self.options);
        words.extend(["-o".into(), program.as_os_str().to_owned(), file.into_os_string()]);
        words.extend(quick.last_words().iter().map(OsString::from));
        let outcome = self.run(self.options.compiler(), words, ChildInput::Null)?;
        Ok((outcome.end == ProcessEnd::Exit(0)).then_some(program))
    }
}

/// A program that reads its tests, compiled in a separate thread while the tests are searched for. Dropping it ends the compiler.
pub struct Early {
    native: Arc<Native>,
    thread: Option<JoinHandle<Option<PathBuf>>>,
}

impl Early {
    /// Starts the compiler.
    pub fn start(native: &Arc<Native>, quick: Quick) -> Early {
        let worker = Arc::clone(native);
        // A missing compiler is reported by the regular replay.
        let thread = std::thread::spawn(move || worker.compile_quickly(&quick).ok().flatten());
        Early { native: Arc::clone(native), thread: Some(thread) }
    }

    /// Waits for the compiler and runs the program on these tests. True if it exits with 0; false means
    /// nothing.
    pub fn confirms(mut self, tests: &[u8]) -> Result<bool, Failure> {
        let compiled = self.thread.take().and_then(|thread| thread.join().ok()).flatten();
        let Some(program) = compiled else { return Ok(false) };
        let tests = self.native.write("tests", tests)?;
        Ok(self.native.run(program.into_os_string(), Vec::new(), ChildInput::File(tests))?.end
            == ProcessEnd::Exit(0))
    }

    /// Waits for the compiler without using its result, so that only one compiler runs at a time.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.native.cancel();
            let _ = thread.join();
        }
    }
}

/// The name of a linker that is on the path.
fn fast_linker() -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    let is_there = |file: &str| std::env::split_paths(&path).any(|folder| folder.join(file).is_file());
    LINKERS.iter().find(|(_, file)| is_there(file)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::JobContext;
    use crate::control::JobControl;
    use nub_harness::{Ending, System, TestCase, TestSuite, data, one_text, tests_as_data};
    use std::time::Duration;

    const PROGRAM: &str = "\
        void abort(void); void exit(int);\n\
        static int g(int *p) { return p[0]; }\n\
        int f(int x) { int a[2] = {1, 2}; if (x == 7) abort(); if (x == 8) exit(3); return x < 6 ? a[x] + (2147483647 - x) / 2 : g(a + x); }\n";

    fn native() -> Native {
        let context = JobContext::of_process().unwrap();
        Native::new(&ProgramOptions::default(), &context, &JobControl::default()).unwrap()
    }

    fn case(x: &str, result: &str, ending: Ending) -> TestCase {
        TestCase { args: vec![x.into()], result: Some(result.into()), ending, ..TestCase::default() }
    }

    /// Runs one test of `f` in the compiled program, in fast mode.
    fn is_confirmed(case: TestCase) -> bool {
        let suite = TestSuite { function: "f".into(), cases: vec![case], ..TestSuite::default() };
        let text = one_text(&suite, PROGRAM).unwrap();
        let quick = Quick { text, is_preprocessed: true, needs: Needs::Addresses };
        native().confirms(&quick).unwrap()
    }

    #[test]
    fn only_what_happens_is_confirmed() {
        assert!(is_confirmed(case("1", "1073741825", Ending::Returns)));
        assert!(!is_confirmed(case("1", "1073741826", Ending::Returns)));
        assert!(
            is_confirmed(case("7", "0", Ending::Aborts)) && !is_confirmed(case("7", "0", Ending::Returns))
        );
        assert!(is_confirmed(case("8", "0", Ending::Exits)) && !is_confirmed(case("1", "0", Ending::Exits)));
    }

    #[test]
    fn undefined_behaviour_is_seen() {
        // Overflow, an index out of bounds, an address out of bounds.
        for x in ["-2", "2", "6"] {
            assert!(is_confirmed(case(x, "0", Ending::Undefined)), "{x}");
            assert!(!is_confirmed(case(x, "0", Ending::Returns)), "{x}");
        }
        assert!(!is_confirmed(case("0", "0", Ending::Undefined)));
    }

    #[test]
    fn a_crash_is_not_the_end_that_a_test_expects() {
        // A null pointer, memory that was freed, an overflow; `exit` with the status that sanitizers use by default.
        let program = "#define exit(code) gone(code)\n\
            void gone(int); void (exit)(int); void *malloc(unsigned long); void free(void *);\n\
            int f(int x) { int *p = 0; if (x == 0) (exit)(1); if (x == 2) { p = malloc(4); free(p); }\n\
                return x > 2 ? 2147483647 + x : *p; }\n";
        let case = |x: &str, ending| case(x, "0", ending);
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("program.c");
        nub_store::commit(&nub_store::RealFs, &source, program.as_bytes()).unwrap();
        for (x, is_exit) in [("0", true), ("1", false), ("2", false), ("3", false)] {
            let cases = vec![case(x, Ending::Exits)];
            let suite = TestSuite { function: "f".into(), cases, ..TestSuite::default() };
            let text = one_text(&suite, program).unwrap();
            let quick = Quick { text, is_preprocessed: true, needs: Needs::Addresses };
            assert_eq!(native().confirms(&quick).unwrap(), is_exit, "{x}");
            let text = nub_harness::c_file(&suite, &source.to_string_lossy());
            assert_eq!(native().check(&text).is_ok(), is_exit, "{x}");
        }
    }

    #[test]
    fn a_test_that_reaches_a_function_left_out_is_not_confirmed() {
        let program = "static int far(int a) { return a + 5; }\n\
            static int (*const table[])(int) = { far };\n\
            static int call(int a) { return a > 1 ? table[0](a) : a; }\n\
            int f(int a) { return call(a); }\n";
        let (unit, _) = nub_c_syntax::parse(program.as_bytes());
        let is_confirmed = |x: &str, result: &str, max_bytes: usize| {
            let cases = vec![case(x, result, Ending::Returns)];
            let suite = TestSuite { function: "f".into(), cases, ..TestSuite::default() };
            let near = nub_c_syntax::near_functions(&unit, b"f", max_bytes);
            let near = near.map_or(program.to_owned(), |text| String::from_utf8(text).unwrap());
            let text = one_text(&suite, &near).unwrap();
            native().confirms(&Quick { text, is_preprocessed: true, needs: Needs::Addresses }).unwrap()
        };
        for max_bytes in [60, 1 << 10] {
            assert!(is_confirmed("1", "1", max_bytes) && !is_confirmed("1", "2", max_bytes), "{max_bytes}");
            assert_eq!(is_confirmed("2", "7", max_bytes), max_bytes > 60);
        }
    }

    #[test]
    fn a_compiler_that_takes_too_long_says_nothing_about_the_tests() {
        let native = native();
        native.end_within(Duration::ZERO);
        let failure = native.check("int main(void) { return 0; }").unwrap_err();
        assert_eq!(failure.kind, crate::failure::FailureKind::Environment);
        assert_eq!(failure.message, "compiling the tests took too long");
    }

    /// Tests of `f` in a program that is compiled before they are known.
    fn is_confirmed_early(program: &str, cases: &[(&str, &str, Ending)], system: System) -> bool {
        let (unit, _) = nub_c_syntax::parse(program.as_bytes());
        let lowered = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let text = tests_as_data(&lowered, lowered.function_by_name("f").unwrap(), program, system).unwrap();
        let needs = if system == System::Bare { Needs::Nothing } else { Needs::Addresses };
        let native = Arc::new(native());
        let early = Early::start(&native, Quick { text, is_preprocessed: true, needs });
        let cases = cases.iter().map(|(x, result, ending)| case(x, result, *ending)).collect();
        let suite = TestSuite { function: "f".into(), cases, ..TestSuite::default() };
        early.confirms(&data(&suite).unwrap()).unwrap()
    }

    #[test]
    fn a_program_that_reads_its_tests_confirms_only_what_happens() {
        // `h` is not called, so the symbols that it needs may be missing.
        let bare = "void abort(void); void exit(int); int puts(const char *);\n\
            int h(double x) { puts(\"\"); return x < 1.0; }\n\
            int f(int x) { int a[2] = {1, 2}; if (x == 7) abort(); if (x == 8) exit(3); return a[x & 3] + 2147483646; }\n";
        use Ending::{Aborts, Exits, Returns};
        for (program, system) in [(bare, System::Bare), (bare, System::Hosted), (PROGRAM, System::Hosted)] {
            let right = if program == bare { "2147483647" } else { "1073741824" };
            let is_confirmed = |cases: &[(&str, &str, Ending)]| is_confirmed_early(program, cases, system);
            assert!(
                is_confirmed(&[("0", right, Returns), ("7", "0", Aborts), ("8", "0", Exits)]),
                "{system:?}"
            );
            assert!(!is_confirmed(&[("0", right, Returns), ("0", "1", Returns)]), "another result");
            assert!(!is_confirmed(&[("7", "0", Returns)]) && !is_confirmed(&[("0", right, Aborts)]));
            assert!(!is_confirmed(&[("7", "0", Exits)]) && !is_confirmed(&[("0", right, Exits)]));
        }
        // Overflow and an index out of bounds are detected whatever the result is.
        for x in ["1", "2"] {
            assert!(!is_confirmed_early(bare, &[(x, "-2147483648", Returns)], System::Bare), "{x}");
        }
    }
}
