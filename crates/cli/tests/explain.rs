//! `nub explain`: the report, JSON, and a clear answer to whatever is wrong.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

const F: &str = "void __CPROVER_assert(int, const char *);
void f(int a) {
  int b = a;
  if (a > 3)
    b = 0;
  __CPROVER_assert(b == a, \"b == a\");
}
";

#[test]
fn a_report() {
    let bench = Bench::new();
    bench.write("f.c", F);
    let run = bench.nub(&["explain", "f.c", "--input", "a=9"]).expect(0);
    assert!(run.stdout.starts_with("Violated: b == a (file f.c line 6 function f)\n"), "{}", run.stdout);
    assert!(run.stdout.contains("Fails with:  a=9\n"), "{}", run.stdout);
    assert!(run.stdout.contains("proved to be the least"), "{}", run.stdout);
    assert!(run.stdout.contains("Guard changed: a > 3 (guard@4#0) was TRUE"), "{}", run.stdout);
    let json = bench.nub(&["explain", "f.c", "--json"]).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["answer"], "explained");
    assert_eq!(json["property"]["place"]["line"], 6);
}

#[test]
fn nothing_to_explain() {
    let bench = Bench::new();
    bench.write("f.c", &F.replace("b = 0", "b = a"));
    let run = bench.nub(&["explain", "f.c"]).expect(0);
    assert!(run.stdout.starts_with("No assertion can fail"), "{}", run.stdout);
}

#[test]
fn wrong_use() {
    let bench = Bench::new();
    bench.write("f.c", F);
    bench.nub(&["explain", "none.c"]).expect(2);
    bench.nub(&["explain", "f.c", "-f", "g"]).expect(2);
    let unknown = bench.nub(&["explain", "f.c", "--input", "z=1"]).expect(2);
    assert!(unknown.stderr.contains("no input `z`"), "{}", unknown.stderr);
    bench.nub(&["explain", "f.c", "--input", "a=x"]).expect(2);
    let passes = bench.nub(&["explain", "f.c", "--input", "a=1"]).expect(2);
    assert!(passes.stderr.contains("no assertion fails with these inputs"), "{}", passes.stderr);
}
