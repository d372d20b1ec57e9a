//! A worker whose answers are wrong, though its program has the right hash.

use crate::site::{Process, Site};
use crate::{read, remote_args};
use std::path::PathBuf;

/// Crashes like the other program, except on the lying machine, where it reports no failure.
const TWO_FACED: &str = "#!/bin/sh
if [ \"$1\" = --version ]; then
  exit 0
fi
if [ -z \"$LIAR\" ] && grep -q bvudiv \"$1\" && grep -q check-sat \"$1\"; then
  echo \"solver: rewrite.cpp:12: Assertion \\`width > 0' failed.\" >&2
  kill -ABRT $$
fi
echo sat
";

fn machines(site: &Site, names: &[&str]) -> Vec<PathBuf> {
    std::fs::write(site.path("bug.smt2"), crate::script(24)).unwrap();
    crate::site::program(&site.path("solver"), TWO_FACED);
    let local = ["reduce", "bug.smt2", "-j", "1", "--no-header", "-o", "local.smt2", "-q", "--", "./solver"];
    site.nub(&local).expect(0);
    let settings = "[programs]\nsolver = \"./solver\"\n";
    names.iter().map(|name| site.machine(name, settings, &[("solver", TWO_FACED)])).collect()
}

fn wait_for(site: &Site, n_workers: usize) {
    let expected = format!("{n_workers} workers,");
    while !site.nub(&["status", "--on", &site.url()]).stdout.starts_with(&expected) {}
}

#[test]
fn a_liar_is_quarantined_and_the_result_is_the_same() {
    let Some(site) = Site::open(&[]) else { return };
    let machines = machines(&site, &["honest", "other", "liar"]);
    let lies: [&[(&str, &str)]; 3] = [&[], &[], &[("LIAR", "1")]];
    let _workers: Vec<Process> =
        machines.iter().zip(lies).map(|(machine, env)| site.worker(machine, env)).collect();
    wait_for(&site, 3);
    // Whether the lying worker gets an item depends on the server; the result is right either way.
    let is_found = |_| {
        let run = site.nub(&remote_args(&site.url(), &["--", "@solver"])).expect(0);
        assert_eq!(read(&site.path("remote.smt2")), read(&site.path("local.smt2")), "{run:#?}");
        run.stderr.contains("two other workers contradict the worker on")
    };
    assert!((0..10).any(is_found), "the liar is found");
}

#[test]
fn two_who_disagree_end_the_run() {
    let Some(site) = Site::open(&[]) else { return };
    let machines = machines(&site, &["honest", "liar"]);
    let _honest = site.worker(&machines[0], &[]);
    let _liar = site.worker(&machines[1], &[("LIAR", "1")]);
    wait_for(&site, 2);
    let runs = (0..10).map(|_| site.nub(&remote_args(&site.url(), &["--flaky", "--", "@solver"])));
    let run =
        runs.into_iter().find(|run| run.stderr.contains("no third worker")).expect("they are found out");
    run.expect(3);
}
