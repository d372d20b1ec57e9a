//! Files that `nub explain` writes: SARIF that conforms to its schema, a page, and C tests that compile and
//! run.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/explain");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn parking() -> Bench {
    let bench = Bench::new();
    bench.write("a b.c", &example("parking.c"));
    bench
}

fn has_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|found| found.status.success())
}

/// The rules of the schema for what we write.
fn check_location(location: &Value, is_flow: bool) {
    let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
    if let Some(uri) = uri.as_str() {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte);
        assert!(!uri.is_empty() && uri.bytes().all(is_allowed), "{uri}");
    }
    let region = &location["physicalLocation"]["region"];
    if region.is_object() {
        assert!(region["startLine"].as_u64().unwrap() >= 1);
    }
    for logical in location["logicalLocations"].as_array().unwrap() {
        assert_eq!(logical["kind"], "function");
        assert!(logical["name"].is_string());
    }
    assert!(location["message"]["text"].is_string() || !is_flow);
}

fn check_sarif(log: &Value) -> usize {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "nub");
    let rules = driver["rules"].as_array().unwrap();
    let results = runs[0]["results"].as_array().unwrap();
    for result in results {
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        result["rank"].as_f64().into_iter().for_each(|rank| assert!((0.0..=100.0).contains(&rank)));
        result["locations"].as_array().unwrap().iter().for_each(|found| check_location(found, false));
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for (index, found) in related.enumerate() {
            assert_eq!(found["id"].as_u64(), Some(index as u64), "ids are unique");
            check_location(found, true);
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            for thread in flow["threadFlows"].as_array().unwrap() {
                let steps = thread["locations"].as_array().unwrap();
                assert!(!steps.is_empty());
                steps.iter().for_each(|step| check_location(&step["location"], true));
            }
        }
    }
    results.len()
}

#[test]
fn sarif() {
    let bench = parking();
    bench.nub(&["explain", "a b.c", "-f", "check", "--no-native", "--sarif", "out.sarif"]).expect(0);
    let log: Value = serde_json::from_str(&bench.read("out.sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let fix = results.iter().find_map(|result| result["fixes"].get(0)).expect("a proved edit is a fix");
    let change = &fix["artifactChanges"][0]["replacements"][0];
    assert!(change["deletedRegion"]["startColumn"].as_u64().unwrap() > 0, "{fix}");
    assert!(change["insertedContent"]["text"].is_string(), "{fix}");
    assert!(check_sarif(&log) >= 1);
    let violation = &log["runs"][0]["results"][0];
    assert_eq!(violation["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.c");
    assert_eq!(violation["codeFlows"].as_array().unwrap().len(), 2);
    assert!(!violation["relatedLocations"].as_array().unwrap().is_empty());
}

#[test]
fn sarif_without_a_violation_has_no_results() {
    let bench = Bench::new();
    bench.write("f.c", &example("parking_right.c"));
    bench.nub(&["explain", "f.c", "-f", "check", "--sarif", "out.sarif"]).expect(1);
    let log: Value = serde_json::from_str(&bench.read("out.sarif")).unwrap();
    assert_eq!(check_sarif(&log), 0);
}

/// What a report has inside: the address it is opened with, and the answers to what its view asks.
fn content(page: &str) -> Value {
    let data = page.split("id=\"report\">").nth(1).and_then(|rest| rest.split("</script>").next());
    serde_json::from_str(data.expect("a report has its content")).expect("which is JSON")
}

/// `crates/workbench/tests/browser/reports.mjs` looks at it in a browser.
#[test]
fn the_page_has_both_runs_and_no_markup_of_the_user() {
    let bench = Bench::new();
    let text = "void __CPROVER_assert(int, const char *);
void f(int a) {
  int b = a; /* </script><script>alert(1)</script> */
  if (a > 3) b = 0;
  __CPROVER_assert(b == a, \"<b> & 'c'\");
}
";
    bench.write("f.c", text);
    bench.nub(&["explain", "f.c", "--no-native", "--html", "out.html"]).expect(0);
    let page = bench.read("out.html");
    assert!(!page.contains("alert(1)</script>") && page.contains("<title>&lt;b&gt; &amp; 'c'</title>"));
    let content = content(&page);
    assert_eq!((&content["view"], &content["params"]["file"]), (&"explain".into(), &"f.c".into()));
    let answers = &content["answers"];
    assert_eq!(answers["/api/file\nf.c"], text);
    assert_eq!(answers["/api/command"]["line"], "nub explain f.c --no-native --html out.html");
    assert_eq!(answers["/api/functions\nf.c"][0]["name"], "f");
    let report = &answers["/api/jobs/report/lines"][0]["content"];
    assert_eq!(report["answer"], "explained");
    assert!(report["trace"].as_array().is_some_and(|trace| trace.len() > 2), "{report}");
}

/// Without a passing run, the page still has the likely fault locations.
#[test]
fn a_page_without_a_passing_run() {
    let bench = Bench::new();
    bench.write("f.c", "void __CPROVER_assert(int, const char *);\nvoid f(void) { int x = 3; __CPROVER_assert(x == 4, \"four\"); }\n");
    bench.nub(&["explain", "f.c", "--no-native", "--html", "out.html"]).expect(1);
    let content = content(&bench.read("out.html"));
    let report = &content["answers"]["/api/jobs/report/lines"][0]["content"];
    assert_eq!(report["answer"], "no-passing-run");
    assert_eq!(report["ranking"]["lines"][0]["edit"]["new"], "4", "{report}");
}

#[test]
fn tests_compile_and_end_as_they_should() {
    let bench = parking();
    let run = bench.nub(&["explain", "a b.c", "-f", "check", "--tests", "d"]).expect(0);
    if !has_compiler() {
        assert!(run.stdout.contains("there is no C compiler `cc`"), "{}", run.stdout);
        return;
    }
    assert!(run.stdout.contains("in the interpreter and in the compiled program"), "{}", run.stdout);
    for name in ["fails", "passes"] {
        let (source, program) = (bench.path(&format!("d/{name}.c")), bench.path(name));
        let made = Command::new("cc").arg("-w").arg("-o").arg(&program).arg(&source).status().unwrap();
        assert!(made.success(), "{name}");
        assert!(Command::new(&program).status().unwrap().success(), "{name}");
    }
    // The test of the failing run notices a program without the fault.
    bench.write("a b.c", &example("parking_right.c"));
    let program = bench.path("repaired");
    let made =
        Command::new("cc").arg("-w").arg("-o").arg(&program).arg(bench.path("d/fails.c")).status().unwrap();
    assert!(made.success());
    assert!(!Command::new(&program).output().unwrap().status.success());
}

/// No run reaches the place where the input is read, so no test supplies it; the program can still be linked.
#[test]
fn tests_of_runs_that_read_nothing() {
    let bench = Bench::new();
    let text = "int nondet_int(void);\nvoid __CPROVER_assert(int, const char *);
int f(int a) {
  int x = a;
  if (a == 77)
    x = nondet_int();
  __CPROVER_assert(a == 77 || x < 5, \"small\");
  return x;
}
";
    bench.write("f.c", text);
    let run = bench.nub(&["explain", "f.c", "--no-repair", "--tests", "d", "--input", "a=9"]).expect(0);
    if has_compiler() {
        assert!(run.stdout.contains("in the interpreter and in the compiled program"), "{}", run.stdout);
    }
}

#[test]
fn no_compiler_is_said() {
    let run = parking().nub(&["explain", "a b.c", "-f", "check", "--cc", "no-such-compiler"]).expect(0);
    assert!(run.stdout.contains("there is no C compiler `no-such-compiler`"), "{}", run.stdout);
}

/// Compilers differ in the order in which they evaluate arguments.
#[test]
fn arguments_that_are_inputs() {
    let bench = Bench::new();
    let text = "void __CPROVER_assert(int, const char *);
int nondet_int(void);
void g(int a, int b) { __CPROVER_assert(a != 5 || b != 7, \"\"); }
int main(void) { g(nondet_int(), nondet_int()); return 0; }
";
    bench.write("f.c", text);
    let run = bench.nub(&["explain", "f.c", "--trust-nothing"]).expect(0);
    if has_compiler() {
        assert!(run.stdout.contains("in the interpreter and in the compiled program"), "{}", run.stdout);
    }
}

#[test]
fn the_score_against_a_correct_version() {
    let bench = parking();
    bench.write("right.c", &example("parking_right.c"));
    let args = ["explain", "a b.c", "-f", "check", "--no-native", "--json", "--reference", "right.c"];
    let found: Value = serde_json::from_str(&bench.nub(&args).expect(0).stdout).unwrap();
    let faulty: Vec<u64> = found["reference"]["faulty"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["line"].as_u64().unwrap())
        .collect();
    assert_eq!(faulty, [13]);
    for name in ["slice", "ranking"] {
        let score = &found["reference"][name];
        let (forward, either) = (score["forward"].as_f64().unwrap(), score["either"].as_f64().unwrap());
        assert!((0.0..1.0).contains(&forward) && (0.0..1.0).contains(&either), "{score}");
    }
    assert_eq!(found["reference"]["ranking"]["is_hit"], true, "{}", found["reference"]);
    bench.write("other.c", &"int x;\n".repeat(9_000));
    let run =
        bench.nub(&["explain", "a b.c", "-f", "check", "--no-native", "--reference", "other.c"]).expect(2);
    assert!(run.stderr.contains("little in common"), "{}", run.stderr);
}
