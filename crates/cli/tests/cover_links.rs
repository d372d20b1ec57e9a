//! `nub cover --project`: bodies of functions that other files define.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests write files and may panic

mod common;

use common::{Bench, tool};
use serde_json::{Value, json};

const HEADER: &str = "\
typedef struct item { int kind; int n; } item;
int check(const item *i, int limit);
int strange(int x);
int level(void);
";
/// The names `count` and `sane` are static in both files, with different meanings.
const USER: &str = "\
#include <errno.h>
#include \"item.h\"
static int count;
static int sane(int limit) { return limit > 0; }
int use(const item *i, int limit) { count++; if (sane(limit) && check(i, limit)) return 1; return 0; }
int never(const item *i) { if (check(i, 5) > 1) return 1; return 0; }
int late(int x) { if (strange(x) == 77) return 1; return 0; }
int loud(void) { if (level() > 4) return 1; return 0; }
int alone(int x) { if (x == 77) return 1; return 0; }
int report(int);
int user(int x) { if (x > 3) return report(errno); return errno != 0; }
";
const LIBRARY: &str = "\
#include \"item.h\"
static int count = 40;
static int sane(const item *i) { return i && i->kind == 3; }
int check(const item *i, int limit) { return sane(i) && count++ > 39 && i->n < limit; }
static int max = 3;
int level(void) { return max; }
void set_level(int l) { max = l; }
int strange(int x) { if (x & 1) __asm__ volatile(\"mystery %0\" : \"+r\"(x)); return x; }
";

fn project() -> Bench {
    let bench = Bench::new();
    for (name, text) in [("item.h", HEADER), ("user.c", USER), ("library.c", LIBRARY)] {
        bench.write(name, text);
    }
    let folder = bench.path("").to_string_lossy().into_owned();
    let entry = |file: &str| json!({ "directory": folder, "file": file, "arguments": ["cc", "-c", file] });
    bench.write("compile_commands.json", &json!([entry("user.c"), entry("library.c")]).to_string());
    bench
}

/// The outcome of each function of `user.c`.
fn outcomes(bench: &Bench, more: &[&str]) -> Vec<Value> {
    let args =
        [&["cover", "--project", ".", "-j", "1", "--json", "--only", "user.c", "-c", "decision"], more]
            .concat();
    let run = bench.nub(&args).expect(0);
    let mut documents = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let document = documents.find(|event| event["type"] == "document").unwrap();
    document["content"]["functions"].as_array().unwrap().clone()
}

fn named<'o>(outcomes: &'o [Value], name: &str) -> &'o Value {
    outcomes.iter().find(|outcome| outcome["function"] == name).unwrap()
}

#[test]
fn bodies_of_other_files_are_used() {
    let bench = project();
    let found = outcomes(&bench, &["--no-native"]);
    let using = named(&found, "use");
    assert_eq!((&using["linked"], &using["stubs"]), (&json!(["check"]), &Value::Null), "{using}");
    assert_eq!(using["counts"]["covered"], using["counts"]["goals"], "{using}");
    // With a stub a test would reach it. The body returns 0 or 1.
    let never = &named(&found, "never")["counts"];
    assert_eq!((&never["covered"], &never["infeasible"]), (&json!(1), &json!(1)), "{never}");
    assert!(found.iter().all(|outcome| outcome["file"] == "user.c"), "{found:?}");
}

/// Of another file, only the functions that are called are linked; others write its static objects.
#[test]
fn static_objects_of_other_files_may_change() {
    let bench = project();
    let found = outcomes(&bench, &["--no-native"]);
    let loud = named(&found, "loud");
    assert_eq!(loud["linked"], json!(["level"]), "{loud}");
    let counts = &loud["counts"];
    let of = |name: &str| counts[name].as_u64().unwrap_or(0);
    assert_eq!((of("covered"), of("infeasible"), of("infeasible_if")), (1, 0, 1), "{loud}");
}

/// A body that is not supported does no harm: there is a stub, and a line that says so.
#[test]
fn a_stub_takes_the_place_of_a_body_that_cannot_be_followed() {
    let bench = project();
    let found = outcomes(&bench, &["--no-native"]);
    let late = named(&found, "late");
    assert_eq!((&late["state"], &late["stubs"]), (&json!("answered"), &json!(["strange"])), "{late}");
    assert_eq!((&late["linked"], &late["counts"]["covered"]), (&Value::Null, &json!(2)), "{late}");
    let run = bench.nub(&["cover", "--project", ".", "--only", "user.c", "--no-native", "-q"]).expect(0);
    assert!(run.stdout.contains("strange (1)"), "{}", run.stdout);
}

#[test]
fn tests_of_linked_functions_compile_and_run() {
    let bench = project();
    let tool = |program: &str, args: &[&str]| tool(&bench.path(""), program, args);
    if tool("cc", &["--version"]).is_none() || tool("make", &["--version"]).is_none() {
        return;
    }
    let found = outcomes(&bench, &["-o", "out"]);
    let using = named(&found, "use");
    assert_eq!((&using["linked"], &using["counts"]["confirmed"]), (&json!(["check"]), &json!(1)), "{using}");
    let text = std::fs::read_to_string(bench.path("out/tests/user/use.c")).unwrap();
    assert!(
        text.contains("static int nub_1_count = 40;") || text.contains("static int nub_0_count = 40;"),
        "{text}"
    );
    // The function has the name of its file, and printing sets `errno` if the output is not a terminal.
    let tests = std::fs::read_to_string(bench.path("out/tests/user/user_tests.c")).unwrap();
    assert!(tests.contains("*__errno_location() = 0;"), "{tests}");
    tool("make", &["-C", "out", "check"]).unwrap();
}

/// An answer is outdated if a body that it uses has changed.
#[test]
fn a_changed_body_makes_an_answer_old() {
    let bench = project();
    let args = ["cover", "--project", ".", "-j", "1", "--only", "user.c", "--no-native", "-q", "-o", "out"];
    bench.nub(&args).expect(0);
    let again = bench.nub(&args).expect(0);
    assert!(again.stdout.contains("answered by an earlier run"), "{}", again.stdout);
    bench.write("library.c", &LIBRARY.replace("i->kind == 3", "i->kind == 4"));
    let changed = bench.nub(&args).expect(0);
    // `alone` and `user` call nothing of the changed file.
    assert!(changed.stdout.contains("2 answered by an earlier run"), "{}", changed.stdout);
}

/// What asks the processor is not modelled; a module that has done so before is.
#[test]
fn a_module_that_is_initialised_is_covered() {
    let text = "\
static int known;
static int ask(void) {
    unsigned a = 0, b, c, d;
    if (known) return known;
    __asm__ volatile(\"cpuid\" : \"+a\"(a), \"=b\"(b), \"=c\"(c), \"=d\"(d));
    return known = (int)(a | 1);
}
int f(int x) { if (ask() > 3 && x > 1) return 1; return 0; }
";
    let bench = Bench::new();
    bench.write("user.c", text);
    let folder = bench.path("").to_string_lossy().into_owned();
    let entry = json!({ "directory": folder, "file": "user.c", "arguments": ["cc", "-c", "user.c"] });
    bench.write("compile_commands.json", &json!([entry]).to_string());
    let found = outcomes(&bench, &["-f", "f"]);
    let counts = &named(&found, "f")["counts"];
    assert_eq!((&counts["covered"], &counts["confirmed"]), (&json!(2), &json!(1)), "{found:?}");
}

/// A file whose content a macro switches off has no functions, whatever its headers define.
#[test]
fn functions_of_headers_belong_to_no_file() {
    let bench = Bench::new();
    let header = "static inline int clip(int x) {\n  if (x > 9)\n    return 9;\n  return x;\n}\n";
    bench.write("clip.h", header);
    bench.write("part.h", "static int half(int x) {\n  if (x < 0)\n    return 0;\n  return x / 2;\n}\nint part(int x) {\n  if (clip(half(x)) > 3)\n    return 1;\n  return 0;\n}\n");
    bench.write(
        "empty.c",
        "#include \"clip.h\"\n#ifdef NEVER\nint never(int x) { if (x) return 1; return 0; }\n#endif\n",
    );
    bench.write("whole.c", "#include \"clip.h\"\n#include \"part.h\"\n");
    bench.write(
        "user.c",
        "#include \"clip.h\"\nint f(int x) {\n  if (clip(x) > 3)\n    return 1;\n  return 0;\n}\n",
    );
    let folder = bench.path("").to_string_lossy().into_owned();
    let entry = |file: &str| json!({ "directory": folder, "file": file, "arguments": ["cc", "-c", file] });
    let entries = ["empty.c", "whole.c", "user.c"].map(entry);
    bench.write("compile_commands.json", &json!(entries).to_string());
    let run = bench.nub(&["cover", "--project", ".", "--json", "--no-native", "-o", "out"]).expect(0);
    let mut documents = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let document = documents.find(|event| event["type"] == "document").unwrap();
    let functions = document["content"]["functions"].as_array().unwrap();
    let mut names: Vec<&str> = functions.iter().map(|found| found["function"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["f", "half", "part"]);
    let lcov = bench.read("out/coverage.info");
    let whole = lcov.split("end_of_record").find(|record| record.contains("/whole.c\n"));
    assert!(!whole.is_some_and(|record| record.contains("\nDA:")), "{lcov}");
    assert!(lcov.contains("/user.c\n") && lcov.contains("\nDA:4,"), "{lcov}");
}
