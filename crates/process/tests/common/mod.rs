//! Children for the tests: tiny shell scripts, and a way to check whether any of their processes is left.
#![allow(dead_code)] // each test file uses its part

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use nub_process::{Cancel, ChildInput, Command, ProcessLimits, ProcessOutcome, Runner};

/// Half of the minute that children sleep: a run that returns earlier did not wait for them, however busy the
/// machine is.
pub const SOON: Duration = Duration::from_secs(30);

pub fn program(program: &str, args: &[&str]) -> Command {
    Command {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        folder: None,
        env: Vec::new(),
        input: ChildInput::Null,
    }
}

pub fn sh(script: &str) -> Command {
    program("sh", &["-c", script])
}

pub fn run(command: &Command, limits: &ProcessLimits) -> ProcessOutcome {
    Runner::new().unwrap().run(command, limits, &Cancel::new()).unwrap()
}

pub fn wall(milliseconds: u64) -> ProcessLimits {
    ProcessLimits { wall: Some(Duration::from_millis(milliseconds)), ..ProcessLimits::default() }
}

/// A number of seconds to sleep that no other process uses, so that it can be found.
pub fn unique_sleep() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("3{}.{:06}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Living processes with this argument.
pub fn alive(argument: &str) -> Vec<u32> {
    processes()
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|part| part == argument.as_bytes())
        })
        .collect()
}

/// Our children, dead or alive.
pub fn children() -> Vec<u32> {
    let own = std::process::id().to_string();
    let is_child = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(own.as_str())
    };
    processes().filter(is_child).collect()
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
