//! No leak over time: descriptors stay, no zombies, memory does not grow with the number of asks.

use crate::common::{Bench, Run, script};
use crate::{count, end_event, start, status_kib};
use std::fs;
use std::time::Duration;

/// The resources of a running nub.
#[derive(Debug)]
struct Holding {
    n_descriptors: usize,
    n_zombies: usize,
    resident_kib: u64,
    n_asks: u64,
}

fn holding(pid: u32, log: &std::path::Path) -> Option<Holding> {
    let n_descriptors = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|text| text.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>())
        .collect();
    let is_zombie = |pid: &&u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z"))
    };
    Some(Holding {
        n_descriptors,
        n_zombies: children.iter().filter(is_zombie).count(),
        resident_kib: status_kib(pid, "VmRSS:")?,
        n_asks: fs::metadata(log).map_or(0, |data| data.len()),
    })
}

#[test]
fn nothing_grows_with_the_number_of_asks() {
    let n_asks = count(300, 100_000);
    let bench = Bench::new();
    bench.write("bug.smt2", &script(count(60, 12_000)));
    // Only the original fails, so nothing is accepted and the asks go on; one byte is written per ask.
    let log = bench.path("log");
    let original_len = bench.read("bug.smt2").len();
    let solver = format!(
        "#!/bin/sh\nprintf x >> {}\n[ $(wc -c < \"$1\") = {original_len} ] && exit 7\nexit 0\n",
        log.display()
    );
    bench.program("solver", &solver);
    let asks = n_asks.to_string();
    let mut child =
        start(&bench, &["reduce", "bug.smt2", "-j2", "--json", "--max-asks", &asks, "--", "./solver"]);
    let mut samples = Vec::new();
    while child.try_wait().unwrap().is_none() {
        samples.extend(holding(child.id(), &log));
        std::thread::sleep(Duration::from_millis(count(10, 500) as u64));
    }
    let run = Run::of(child.wait_with_output().unwrap());
    let asked = end_event(&run.stdout)["asks"].as_u64().unwrap();
    assert!(asked * 10 >= n_asks as u64 * 9, "only {asked} of {n_asks} asks");
    // After the start: parsing, the runs on the original, probation.
    let settled: Vec<&Holding> = samples.iter().filter(|sample| sample.n_asks > asked / 3).collect();
    assert!(settled.len() > 5, "{} samples", settled.len());
    let half = settled.len() / 2;
    let most = |samples: &[&Holding]| samples.iter().map(|sample| sample.n_descriptors).max().unwrap();
    let (early, late) = (most(&settled[..half]), most(&settled[half..]));
    println!("leaks: {asked} asks, descriptors at most {early}, later {late}");
    // Two jobs hold a few pipes each while they run; a leak of one per hundred asks would show.
    assert!(late <= early + 6, "{early} then {late}");
    // A child is a zombie from its end until it is reaped, which may take a while on a busy machine. Zombies that are never reaped are in every later
    // sample.
    let n_with_zombies = settled.iter().filter(|sample| sample.n_zombies > 2).count();
    assert!(n_with_zombies * 10 <= settled.len(), "{settled:?}");
    let (first, last) = (settled[0], settled[settled.len() - 1]);
    let grown_kib = last.resident_kib.saturating_sub(first.resident_kib);
    let allowed_kib = 1024 * (last.n_asks - first.n_asks) / 10_000 + count(4096, 1024) as u64;
    let n_between = last.n_asks - first.n_asks;
    println!("leaks: memory grew {grown_kib} KiB in {n_between} asks, allowed {allowed_kib} KiB");
    assert!(grown_kib <= allowed_kib, "{first:?} {last:?}");
}
