//! Tests in the compiled program, under sanitizers: the compiler and the machine are the last judges.

use super::LoadArgs;
use crate::exit::{Exit, Failure};
use nub_process::{Cancel, Command, End, Input, Limits, Outcome, Runner};
use nub_store::{Scratch, TempRoot};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Compiling, and running all tests of a file, each take at most so long.
const MAX_SECONDS: u64 = 60;
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
/// Leaks are no concern of the tests, and looking for them takes a third of the time of a small program.
const NO_LEAKS: (&str, &str) = ("ASAN_OPTIONS", "detect_leaks=0");
/// The data model of the machines that nub runs on.
const HOST_MODEL: &str = "lp64";

/// Compiles C files with tests and runs them.
pub struct Native<'a> {
    args: &'a LoadArgs,
    runner: Runner,
    scratch: Scratch,
    /// Keeps the folder of `scratch`.
    _root: TempRoot,
}

/// What is compiled in the fast way.
pub struct Quick<'t> {
    /// Tests and program in one C file.
    pub text: &'t str,
    /// The program in it is: the user's macros are not given again.
    pub is_preprocessed: bool,
    /// Addresses are watched. The runtime for that would take longer to start than the tests take, so not without need.
    pub has_pointers: bool,
}

/// Why tests of a program cannot be run here; none if they can. The compiler is asked for its version, nothing else.
pub fn why_not(args: &LoadArgs) -> Option<String> {
    if args.data_model != HOST_MODEL {
        return Some(format!("the data model of this machine is {HOST_MODEL}, not {}", args.data_model));
    }
    let runner = match Runner::new() {
        Ok(runner) => runner,
        Err(error) => return Some(error.to_string()),
    };
    match run(&runner, args.cc.clone(), vec!["--version".into()]) {
        Ok(outcome) if outcome.end == End::Exit(0) => None,
        _ => Some(format!("there is no C compiler `{}`", args.cc.display())),
    }
}

impl<'a> Native<'a> {
    /// A folder for the files, and a runner.
    pub fn new(args: &'a LoadArgs) -> Result<Native<'a>, Failure> {
        if args.data_model != HOST_MODEL {
            let message = format!("tests are run on this machine: its data model is {HOST_MODEL}");
            return Err(Failure::usage(message));
        }
        let runner = Runner::new().map_err(|error| Failure::new(Exit::Environment, error.to_string()))?;
        let root = TempRoot::open(&std::env::temp_dir())?;
        let scratch = Scratch::new(root.path(), 0)?;
        Ok(Native { args, runner, scratch, _root: root })
    }

    /// Compiles a text as fast as it can be done and runs it. True if it exits with 0. False says nothing: the linker, or the text without
    /// headers, may be the reason. Undefined behaviour is trapped, not described.
    pub fn confirms(&self, quick: &Quick<'_>) -> Result<bool, Failure> {
        let has_pointers = quick.has_pointers;
        let file = self.scratch.write("quick.c", quick.text.as_bytes())?;
        let program = file.with_extension("run");
        let sanitizers = if has_pointers { "-fsanitize=undefined,address" } else { "-fsanitize=undefined" };
        let mut words: Vec<OsString> = QUICK.map(OsString::from).into();
        words.push(sanitizers.into());
        if !quick.is_preprocessed {
            words.extend(self.args.compiler_words());
        }
        words.extend(fast_linker().map(|name| format!("-fuse-ld={name}").into()));
        words.extend(["-o".into(), program.as_os_str().to_owned(), file.into_os_string()]);
        if !has_pointers {
            // The libraries of the compiler take the linker as long as the program.
            words.extend(["-nodefaultlibs", "-lc"].map(OsString::from));
        }
        let is_compiled = run(&self.runner, self.args.cc.clone(), words)?.end == End::Exit(0);
        Ok(is_compiled && run(&self.runner, program.into_os_string(), Vec::new())?.end == End::Exit(0))
    }

    /// Compiles this C file and runs it: it must exit with 0. Anything else is a defect of this program.
    pub fn check(&self, text: &str) -> Result<(), Failure> {
        let file = self.scratch.write("tests.c", text.as_bytes())?;
        let program = file.with_extension("run");
        self.compile(&file, &program)?;
        let outcome = run(&self.runner, program.into_os_string(), Vec::new())?;
        if outcome.end == End::Exit(0) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&outcome.stdout.bytes).into_owned()
            + &String::from_utf8_lossy(&outcome.stderr.bytes);
        let message = format!("the compiled program does not do what the tests say\n{}", said.trim_end());
        Err(Failure::new(Exit::Internal, message))
    }

    fn compile(&self, file: &Path, program: &Path) -> Result<(), Failure> {
        let mut words: Vec<OsString> =
            ["-w", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
                .map(OsString::from)
                .into();
        words.extend(self.args.compiler_words());
        words.extend(["-o".into(), program.as_os_str().to_owned(), file.as_os_str().to_owned()]);
        let outcome = run(&self.runner, self.args.cc.clone(), words)?;
        if outcome.end == End::Exit(0) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&outcome.stderr.bytes).trim_end().to_owned();
        Err(Failure::new(Exit::Environment, format!("the tests could not be compiled\n{said}")))
    }
}

/// The name of a linker that is on the path.
fn fast_linker() -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    let is_there = |file: &str| std::env::split_paths(&path).any(|folder| folder.join(file).is_file());
    LINKERS.iter().find(|(_, file)| is_there(file)).map(|(name, _)| *name)
}

fn run(runner: &Runner, program: OsString, args: Vec<OsString>) -> Result<Outcome, Failure> {
    let env = vec![(NO_LEAKS.0.into(), NO_LEAKS.1.into())];
    let command = Command { program, args, folder: None, env, input: Input::Null };
    let limits = Limits { wall: Some(Duration::from_secs(MAX_SECONDS)), ..Limits::default() };
    runner
        .run(&command, &limits, &Cancel::new())
        .map_err(|error| Failure::new(Exit::Environment, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_harness::{Case, Ending, Suite, one_text};

    const PROGRAM: &str = "\
        void abort(void); void exit(int);\n\
        static int g(int *p) { return p[0]; }\n\
        int f(int x) { int a[2] = {1, 2}; if (x == 7) abort(); if (x == 8) exit(3); return x < 6 ? a[x] + (2147483647 - x) / 2 : g(a + x); }\n";

    fn case(x: &str, result: &str, ending: Ending) -> Case {
        Case { args: vec![x.into()], result: Some(result.into()), ending, ..Case::default() }
    }

    /// One test of `f` in the compiled program, the fast way.
    fn is_confirmed(case: Case) -> bool {
        let args =
            LoadArgs { data_model: HOST_MODEL.into(), cc: "cc".into(), define: vec![], include: vec![] };
        let suite = Suite { function: "f".into(), cases: vec![case], ..Suite::default() };
        let text = one_text(&suite, PROGRAM).unwrap();
        let quick = Quick { text: &text, is_preprocessed: true, has_pointers: true };
        Native::new(&args).unwrap().confirms(&quick).unwrap()
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
        // Overflow, an index that is out of bounds, an address that is.
        for x in ["-2", "2", "6"] {
            assert!(is_confirmed(case(x, "0", Ending::Undefined)), "{x}");
            assert!(!is_confirmed(case(x, "0", Ending::Returns)), "{x}");
        }
        assert!(!is_confirmed(case("0", "0", Ending::Undefined)));
    }
}
