//! A campaign whose units and reductions are done by workers.

use crate::common::Run;
use crate::site::{Process, Site, nub, program};
use serde_json::Value;
use std::path::Path;

/// Crashes on a multiplication, and answers as the built-in solver does otherwise.
fn stub() -> String {
    let nub = env!("CARGO_BIN_EXE_nub");
    format!("#!/bin/sh\nif grep -q ' mul ' \"$1\"; then\nkill -SEGV $$\nfi\nexec {nub} solve \"$1\"\n")
}

fn fuzz(folder: &Path, solver: &str, more: &[&str]) -> Run {
    let args = ["fuzz", "-s", solver, "-q", "--unit", "5", "--max-inputs", "40", "--timeout", "20"];
    let generate = ["--generate", "--to btor -n 40 --noarrays"];
    Run::of(nub(folder).args(args).args(generate).args(more).output().unwrap())
}

/// Units, inputs, and the kind, members and reduced size of each group.
fn essence(folder: &Path, campaign: &str) -> (Value, Value, Vec<String>) {
    let run = Run::of(nub(folder).args(["fuzz", "status", campaign, "--json"]).output().unwrap());
    let state: Value = serde_json::from_str(&run.stdout).unwrap();
    let group = |group: &Value| {
        format!("{} {} {} {}", group["solver"], group["kind"], group["members"], group["bytes_after"])
    };
    let groups = state["groups"].as_array().unwrap().iter().map(group).collect();
    (state["units"].clone(), state["inputs"].clone(), groups)
}

#[test]
fn workers_find_what_one_machine_finds() {
    let Some(site) = Site::open(&[]) else { return };
    program(&site.path("stub"), &stub());
    fuzz(site.folder.path(), "./stub", &["--out", "here", "-j", "1"]).expect(0);
    let settings = "[programs]\nstub = \"./stub\"\n";
    let machines = ["a", "b"].map(|name| site.machine(name, settings, &[("stub", &stub())]));
    let _workers: Vec<Process> = machines.iter().map(|machine| site.worker(machine, &[])).collect();
    let url = site.url();
    let there = ["--out", "there", "--on", &url, "--wait-time", "60"];
    fuzz(site.folder.path(), "@stub", &there).expect(0);
    let (here, there) = (essence(site.folder.path(), "here"), essence(site.folder.path(), "there"));
    assert_eq!(here, there);
    assert_eq!(here.2.len(), 1, "the stub has one bug: {here:?}");
}

#[test]
fn a_campaign_elsewhere_has_no_commands() {
    let Some(site) = Site::open(&[]) else { return };
    let url = site.url();
    let run = fuzz(site.folder.path(), "sh -c true", &["--on", &url]).expect(2);
    assert!(run.stderr.contains("registered on the workers"), "{run:#?}");
    let run = fuzz(site.folder.path(), "@stub", &["--on", &url, "--wait-time", "0"]).expect(3);
    assert!(run.stderr.contains("no worker has joined"), "{run:#?}");
    let run = fuzz(site.folder.path(), "@stub", &[]).expect(2);
    assert!(run.stderr.contains("--on says which machines"), "{run:#?}");
}
