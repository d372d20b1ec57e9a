//! A folder with an input and small shell oracles, and the built binary.

#![allow(dead_code)] // every test file uses its own part

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Fails (SIGABRT and a message) on scripts that contain `bvudiv` and a check-sat.
pub const CRASHING: &str = r#"#!/bin/sh
if grep -q bvudiv "$1" && grep -q check-sat "$1"; then
  echo "solver: rewrite.cpp:12: Assertion \`width > 0' failed." >&2
  kill -ABRT $$
fi
echo sat
"#;

/// Interesting if the file contains `bvudiv` and a check-sat.
pub const TEST: &str = "#!/bin/sh\ngrep -q bvudiv \"$1\" && grep -q check-sat \"$1\"\n";

/// The output of another program, run in the folder where clang's profiles are written; `None` if it is not installed.
#[allow(clippy::disallowed_methods)] // a test starts programs
pub fn tool(folder: &Path, program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("LLVM_PROFILE_FILE", "seen-%p.profraw");
    let Ok(output) = command.output() else {
        nub_test_kit::missing_tool(program);
        return None;
    };
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{program} {args:?}: {stdout}{stderr}");
    Some(stdout.into_owned())
}

/// A folder of its own for one test.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// A folder with `bug.smt2`, `solver` and `test.sh`.
    pub fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.write("bug.smt2", &script(40));
        bench.program("solver", CRASHING);
        bench.program("test.sh", TEST);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }

    /// The program, to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nub"));
        command.args(args).current_dir(self.folder.path()).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    pub fn nub(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().unwrap())
    }
}

/// Names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(output: Output) -> Run {
        Run {
            code: output.status.code(),
            signal: output.status.signal(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// A well-sorted script with one `bvudiv` in the middle of `n` assertions.
pub fn script(n: usize) -> String {
    let mut text = String::from("(set-logic QF_BV)\n");
    for idx in 0..n / 2 {
        text.push_str(&format!("(declare-const word{idx} (_ BitVec 16))\n"));
    }
    for idx in 0..n {
        let (a, b) = (idx % (n / 2), (idx * 7 + 3) % (n / 2));
        let operator = if idx == n / 2 { "bvudiv" } else { "bvxor" };
        text.push_str(&format!("(assert (distinct (bvadd word{a} word{b}) ({operator} word{b} #x00ff)))\n"));
    }
    text.push_str("(check-sat)\n(exit)\n");
    text
}
