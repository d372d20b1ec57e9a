//! The data model of the target machine, as reported by its compiler.
//!
//! A program that is cross-compiled, or compiled with `-m32`, has a different meaning from the same text here: `long` has another width,
//! bytes another order. So any compiler other than this machine's is asked once for its predefined macros.

use crate::handle::Job;
use crate::request::ProgramOptions;
use nub_c_ir::DataModel;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, RunError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit for this question.
const MAX_SECONDS: u64 = 20;
/// Limit on the output; the macros take about twenty thousand bytes.
const MAX_BYTES: usize = 1 << 20;
/// Names of compilers that build for this machine, before a version.
const HOST_COMPILERS: [&str; 5] = ["cc", "gcc", "clang", "c99", "c89"];

/// Whether a compiler option selects the target machine.
fn chooses_machine(option: &str) -> bool {
    option.starts_with("-m") || option.starts_with("--target=")
}

/// Data models that compilers have reported.
#[derive(Default)]
pub struct Targets {
    known: Vec<(PathBuf, Vec<String>, Option<String>)>,
}

impl Targets {
    /// Sets the data model of the options to that of their compiler, if none is given. Warns if the compiler does not report it.
    pub fn resolve(&mut self, job: &Job, options: &mut ProgramOptions) {
        let words: Vec<String> =
            options.compiler_options.iter().filter(|option| chooses_machine(option)).cloned().collect();
        let compiler = PathBuf::from(options.compiler());
        if options.data_model.is_some() || (words.is_empty() && is_host_compiler(&compiler)) {
            return;
        }
        let found = self.known.iter().find(|(program, own, _)| *program == compiler && *own == words);
        options.data_model = match found {
            Some((_, _, model)) => model.clone(),
            None => {
                let answer = asked(job, &compiler, &words);
                let is_missing = matches!(answer, Err(RunError::NotFound { .. }));
                let model = answer.ok().flatten().map(|model| model.spelled());
                if model.is_none() {
                    let name = compiler.display();
                    let why = if is_missing {
                        format!("there is no C compiler `{name}`")
                    } else {
                        format!("`{name}` does not report its target machine")
                    };
                    job.events.warn(format!("{why}, so lp64 is assumed; set it with --data-model"));
                }
                self.known.push((compiler, words, model.clone()));
                model
            }
        };
    }
}

/// The options with the data model of their compiler.
pub fn for_target(job: &Job, options: &ProgramOptions) -> ProgramOptions {
    let mut options = options.clone();
    Targets::default().resolve(job, &mut options);
    options
}

/// Whether the compiler defines the macros of the machine that nub runs on.
pub fn is_of_host(options: &ProgramOptions) -> bool {
    is_host_compiler(Path::new(&options.compiler()))
        && !options.compiler_options.iter().any(|option| chooses_machine(option))
}

/// Whether a compiler of this name compiles for the machine that nub runs on. Without asking, only x86 is assumed.
fn is_host_compiler(compiler: &Path) -> bool {
    let name = compiler.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.split_once('-').map_or(&*name, |(plain, version)| {
        if version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') { plain } else { &*name }
    });
    cfg!(target_arch = "x86_64") && HOST_COMPILERS.contains(&plain)
}

/// The data model according to a compiler's macros; `None` if they do not say it.
fn asked(job: &Job, compiler: &Path, words: &[String]) -> Result<Option<DataModel>, RunError> {
    let mut args: Vec<OsString> = words.iter().map(OsString::from).collect();
    args.extend(["-dM", "-E", "-x", "c", "-"].map(OsString::from));
    let input = ChildInput::Bytes(b"\n".as_slice().into());
    let command = Command { program: compiler.into(), args, folder: None, env: Vec::new(), input };
    let limits = ProcessLimits {
        wall: Some(Duration::from_secs(MAX_SECONDS)),
        keep_output: MAX_BYTES,
        ..ProcessLimits::default()
    };
    let Ok(runner) = job.context.runner() else { return Ok(None) };
    let outcome = runner.run(&command, &limits, &Cancel::new())?;
    let is_good = outcome.end == ProcessEnd::Exit(0);
    Ok(DataModel::from_macros(&String::from_utf8_lossy(&outcome.stdout.bytes)).filter(|_| is_good))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_are_asked_for() {
        let is_host = |name: &str| is_host_compiler(Path::new(name));
        if cfg!(target_arch = "x86_64") {
            assert!(is_host("cc") && is_host("/usr/bin/gcc-12") && is_host("clang-19.1"));
        }
        assert!(
            !is_host("arm-none-eabi-gcc") && !is_host("gcc-arm") && !is_host("avr-gcc-12") && !is_host("tcc")
        );
        assert!(
            chooses_machine("-m32")
                && chooses_machine("--target=armv7m-none-eabi")
                && !chooses_machine("-fwrapv")
        );
    }
}
