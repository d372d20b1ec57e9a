//! What nub promises, as far as `nub reduce` goes: each promise with its figure.
//!
//! Counts are short by default. The full counts:
//!
//! ```text
//! NUB_FULL=1 cargo test -p nub-cli --release --test promises -- --test-threads=1 --nocapture
//! ```
//!
//! | promise | here | short | full |
//! |---|---|---|---|
//! | kill -9 leaves the best file whole | `kill.rs` | 10 random, 10 aimed | 1,000 random, 10 points x 50 |
//! | `--resume` continues | `../interrupt.rs` | 6 kills | `NUB_FULL=1`: 1,000 |
//! | signals end cleanly, the second at once | `signals.rs`, `../interrupt.rs` | 2 signals | the same |
//! | nothing we started survives | `strays.rs` | 12 hanging oracles | 200 |
//! | limits hold for the whole tree | `limits.rs`, `process/tests/alone.rs` | 8 GiB hog, 2 GiB of flood | the same, 10 GiB of flood |
//! | disk full loses nothing | `disk_full.rs` (root), `store/tests/disk_full.rs` | 5 sizes | 60 sizes |
//! | a flaky oracle is noticed | `oracles.rs` | 4 runs | 100 runs |
//! | a meddling oracle does no harm | `oracles.rs` | 5 meddlers | the same |
//! | hostile input is only slow in proportion | `hostile.rs` | 10^5 | 10^6 |
//! | remembered verdicts are true | `memory.rs` | 3 ways to go stale | the same |
//! | same seed, same result | `memory.rs` | 4 runs | 20 runs |
//! | no leak over time | `leaks.rs` | 300 asks | 100,000 asks |

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs and write files

#[path = "../common/mod.rs"]
mod common;

mod disk_full;
mod hostile;
mod kill;
mod leaks;
mod limits;
mod memory;
mod oracles;
mod signals;
mod strays;

use common::Bench;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The short count, or with `NUB_FULL=1` the full one.
fn count(short: usize, full: usize) -> usize {
    let is_full = std::env::var_os("NUB_FULL").is_some_and(|value| value == "1");
    if is_full { full } else { short }
}

/// Starts nub with its streams kept.
fn start(bench: &Bench, args: &[&str]) -> Child {
    bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), pid.to_string()]).status().unwrap();
    assert!(status.success());
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(600), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Processes whose command line contains `text`, except this one.
fn processes_with(text: &str) -> Vec<u32> {
    let pids = Path::new("/proc").read_dir().unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has_text = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.windows(text.len()).any(|window| window == text.as_bytes())
    };
    pids.filter(|&pid| pid != std::process::id()).filter(has_text).collect()
}

/// Seconds for a `sleep` that nobody else uses, so that it can be found again.
fn unique_sleep() -> String {
    static N: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let idx = N.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("9{:07}.{idx:03}", std::process::id())
}

/// A field of `/proc/PID/status` in KiB.
fn status_kib(pid: u32, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The events of a run with `--json`.
fn events(text: &str) -> Vec<serde_json::Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The last event, which must be the end.
#[track_caller]
fn end_event(text: &str) -> serde_json::Value {
    let end = events(text).pop().unwrap();
    assert_eq!(end["type"], "end", "{text}");
    end
}
