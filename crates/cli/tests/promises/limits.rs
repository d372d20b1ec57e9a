//! Limits hold for the whole tree of processes: memory, and output without end.

use crate::common::Bench;
use crate::{count, end_event, start, status_kib};
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

/// Peak memory of a run, in KiB, with a solver that floods or not.
fn peak_kib(flood: &str, seconds: f64) -> u64 {
    let bench = Bench::new();
    bench.program("solver", &format!("#!/bin/sh\ngrep -q bvudiv \"$1\" || exit 0\n{flood}\nexit 7\n"));
    let max_time = (seconds * 1.5).to_string();
    let args = [
        "reduce",
        "bug.smt2",
        "-j2",
        "--json",
        "--timeout",
        "60",
        "--ignore-output",
        "--max-time",
        &max_time,
        "--",
        "./solver",
    ];
    let mut child = start(&bench, &args);
    let (begun, mut peak) = (Instant::now(), 0);
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(status_kib(child.id(), "VmHWM:").unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
        assert!(begun.elapsed() < Duration::from_secs(600), "does not end");
    }
    let run = crate::common::Run::of(child.wait_with_output().unwrap());
    assert!(end_event(&run.stdout)["asks"].as_u64() > Some(0), "{run:#?}");
    peak
}

#[test]
fn a_flood_of_output_does_not_fill_our_memory() {
    let n_bytes = count(1 << 30, 10 << 30);
    let flood = format!("head -c {n_bytes} /dev/zero; head -c 10000000 /dev/zero >&2");
    let seconds = count(2, 30) as f64;
    let (dry, wet) = (peak_kib("sleep 0.05", seconds), peak_kib(&flood, seconds));
    println!("limits: peak memory {dry} KiB without, {wet} KiB with {n_bytes} bytes of output per run");
    assert!(wet < dry + (32 << 10), "{wet} KiB against {dry} KiB");
}
