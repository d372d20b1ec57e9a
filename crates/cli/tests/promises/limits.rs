//! Limits apply to the whole tree of processes: memory, and unlimited output.

use crate::common::Bench;
use crate::{count, signal, start, status_kib};
use std::time::{Duration, Instant};

#[test]
fn a_memory_hog_is_a_memory_limit() {
    let bench = Bench::new();
    // `tail` keeps the one endless line it reads: 8 GiB.
    let solver = "#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\nhead -c 8589934592 /dev/zero | tail\nexit 0\n";
    bench.program("solver", solver);
    let args =
        ["reduce", "bug.smt2", "-j1", "--memory", "512", "--max-asks", "6", "--json", "--", "./solver"];
    let run = bench.nub(&args).expect(0);
    let failure = crate::events(&run.stdout)[0]["failure"].as_str().unwrap().to_owned();
    assert!(failure.contains("memory limit"), "{failure}");
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

/// What a run did, with a solver that may flood its output.
struct Flooded {
    peak_kib: u64,
    /// Runs of the solver that flooded.
    n_floods: u64,
    failure: String,
}

fn run_with(flood: &str, n_floods: u64) -> Flooded {
    let bench = Bench::new();
    // A byte is written down per flood.
    let log = bench.path("log");
    bench.program(
        "solver",
        &format!(
            "#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\nprintf x >> {}\n{flood}\nexit 7\n",
            log.display()
        ),
    );
    let args =
        ["reduce", "bug.smt2", "-j2", "--json", "--timeout", "60", "--ignore-output", "--", "./solver"];
    let mut child = start(&bench, &args);
    let n_so_far = || std::fs::metadata(&log).map_or(0, |data| data.len());
    let (begun, mut peak_kib, mut is_told) = (Instant::now(), 0, false);
    while child.try_wait().unwrap().is_none() {
        peak_kib = peak_kib.max(status_kib(child.id(), "VmHWM:").unwrap_or(0));
        if !is_told && n_so_far() > n_floods {
            signal(child.id(), "TERM");
            is_told = true;
        }
        std::thread::sleep(Duration::from_millis(5));
        assert!(begun.elapsed() < Duration::from_secs(600), "does not end");
    }
    let run = crate::common::Run::of(child.wait_with_output().unwrap());
    let failure = crate::events(&run.stdout)[0]["failure"].as_str().unwrap().to_owned();
    Flooded { peak_kib, n_floods: n_so_far(), failure }
}

#[test]
fn a_flood_of_output_does_not_fill_our_memory() {
    // Without an end, on both streams. A run is stopped after a gigabyte; one stream of ten gigabytes that is read to
    // its end is in `process/tests/alone.rs`.
    let n_floods = count(2, 10) as u64;
    let dry = run_with("sleep 0.02", n_floods);
    let wet = run_with("cat /dev/zero & cat /dev/zero >&2", n_floods);
    println!(
        "limits: peak memory {} KiB without, {} KiB with {} runs of 1 GiB of output",
        dry.peak_kib, wet.peak_kib, wet.n_floods
    );
    assert!(wet.failure.contains("output limit"), "{}", wet.failure);
    assert!(wet.n_floods > n_floods, "{} floods", wet.n_floods);
    assert!(wet.peak_kib < dry.peak_kib + (32 << 10), "{} KiB against {} KiB", wet.peak_kib, dry.peak_kib);
}
