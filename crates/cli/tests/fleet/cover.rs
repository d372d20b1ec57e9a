//! `nub cover --project … --on …`: functions as leases.

use crate::site::{Process, Site, nub};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

const A: &str = "\
int other(int);
static int clamp(int x) { if (x > 100) return 100; return x < 0 ? 0 : x; }
int sum(int a, int b) { if (a > 3 && b > 3) return clamp(a); return other(b) ? 1 : 2; }
";
const B: &str = "\
int other(int x) { if (x == 12345) return 1; return 0; }
int odd(int n) { if (n & 1) return 1; struct { char c[n]; } s; return (int)sizeof s; }
";

pub fn write_project(site: &Site) {
    std::fs::create_dir(site.path("build")).unwrap();
    std::fs::write(site.path("a.c"), A).unwrap();
    std::fs::write(site.path("b.c"), B).unwrap();
    let folder = site.folder.path().to_string_lossy().into_owned();
    let entry = |file: &str| json!({ "directory": folder, "file": file, "arguments": ["cc", "-c", file] });
    let entries = json!([entry("a.c"), entry("b.c")]).to_string();
    std::fs::write(site.path("build/compile_commands.json"), entries).unwrap();
}

pub fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["cover", "--project", "build", "--no-native", "-o", out, "--json", "--function-time", "60"];
    [&args[..], more].concat()
}

/// The part of the report that is the same in every run: without times.
pub fn report(text: &str) -> Value {
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut documents = events.filter(|event| event["type"] == "document");
    let mut report = documents.next().unwrap()["content"].take();
    for function in report["functions"].as_array_mut().unwrap() {
        function["seconds"] = Value::Null;
    }
    report
}

/// The tests that were written, by their names.
fn tests(site: &Site, out: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![site.path(out).join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn functions_are_covered_elsewhere_as_they_are_here() {
    let Some(site) = Site::open(&[]) else { return };
    write_project(&site);
    let here = report(&site.nub(&args("here", &[])).expect(0).stdout);
    let machines = ["a", "b"].map(|name| site.machine(name, "", &[]));
    let _workers: Vec<Process> = machines.iter().map(|machine| site.worker(machine, &[])).collect();
    let url = site.url();
    let run = site.nub(&args("there", &["--on", &url, "--wait-time", "60"])).expect(0);
    assert_eq!(report(&run.stdout), here);
    assert_eq!(here["answered"], 3, "{here}");
    assert_eq!(tests(&site, "there"), tests(&site, "here"));
    // Everything is known, so no worker is asked again.
    let again = report(&site.nub(&args("there", &["--on", &url, "--wait-time", "60"])).expect(0).stdout);
    assert_eq!(again["remembered"], 4, "{again}");
}

/// A worker is killed while it covers a function: another one covers it.
#[test]
fn the_functions_of_a_killed_worker_go_to_another() {
    let Some(site) = Site::open(&[]) else { return };
    write_project(&site);
    let here = report(&site.nub(&args("here", &[])).expect(0).stdout);
    let machine = site.machine("a", "", &[]);
    let (url, temp) = (site.url(), machine.join("tmp"));
    std::fs::create_dir(&temp).unwrap();
    let mut first = site.worker(&machine, &[("TMPDIR", &temp.to_string_lossy())]);
    let mut command = nub(site.folder.path());
    command.args(args("there", &["--on", &url, "--wait-time", "60"])).stdout(Stdio::piped());
    let mut run = Process::start(&mut command);
    // It has unpacked the files of a task.
    let is_at_work = || {
        let mut folders = vec![temp.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name() == "0.i" {
                    return true;
                }
                folders.extend(entry.path().is_dir().then(|| entry.path()));
            }
        }
        false
    };
    while !is_at_work() && !run.is_over() {
        std::thread::sleep(Duration::from_millis(5));
    }
    first.kill();
    let _second = site.worker(&site.machine("b", "", &[]), &[]);
    let output = run.output();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(report(&String::from_utf8_lossy(&output.stdout)), here);
}

#[test]
fn what_only_this_machine_has_is_refused() {
    let Some(site) = Site::open(&[]) else { return };
    write_project(&site);
    let url = site.url();
    let refused = |more: &[&str], why: &str| {
        let given = [&["cover", "--project", "build", "--on", &url], more].concat();
        let run = site.nub(&given).expect(2);
        assert!(run.stderr.contains(why), "{run:#?}");
    };
    refused(&["--native"], "--native cannot be used with --on");
    refused(&["--sat-solver", "kissat"], "--sat-solver with a command cannot be used");
    let run = site.nub(&["cover", "a.c", "-f", "sum", "--on", &url]).expect(2);
    assert!(run.stderr.contains("--project"), "{run:#?}");
}
