//! `--sat-solver`: the same results with any solver, and no result with one that is wrong.

use crate::common::Bench;

const SCRIPT: &str = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))\n\
    (assert (= (bvmul x y) #x23))(check-sat)\n(push)(assert (= x #x00))(check-sat)(pop)\n\
    (assert (bvult x #x05))(assert (bvult y #x05))(check-sat)\n";
const RULES: &str = "(rule add-zero ((x (_ BitVec n))) (bvadd x (_ bv0 n)) x)\n\
    (rule wrong ((x (_ BitVec n))) (bvnot x) (bvneg x))\n";
const PROGRAM: &str =
    "int grade(int a, int b) { if (a > 3 && b < 7) return 1; if (a == b) return 2; return 0; }\n";
const FAILING: &str = "#include <assert.h>\nint main(int a) { int m = a > 10 ? a : 10; if (a == 7) m = a; assert(m >= 10); return m; }\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("a.smt2", SCRIPT);
    bench.write("my.rules", RULES);
    bench.write("grade.c", PROGRAM);
    bench.write("main.c", FAILING);
    bench.program("unsat", "#!/bin/sh\ncat >/dev/null\necho 's UNSATISFIABLE'\n");
    bench.program("sat", "#!/bin/sh\ncat >/dev/null\nprintf 's SATISFIABLE\\nv -1 0\\n'\n");
    bench.program("silent", "#!/bin/sh\ncat >/dev/null\n");
    bench
}

/// Four commands with their exit codes.
fn questions() -> [(&'static [&'static str], i32); 4] {
    [
        (&["solve", "a.smt2"], 20),
        (&["rules", "my.rules"], 1),
        (&["cover", "grade.c", "--no-native"], 0),
        (&["explain", "main.c", "--no-native", "--no-repair"], 0),
    ]
}

/// nub reads DIMACS and answers like a SAT solver, so it can be its own SAT solver.
#[test]
fn every_solver_gives_the_same_answers() {
    let bench = bench();
    let own_command = format!("{} solve - --from dimacs --model", env!("CARGO_BIN_EXE_nub"));
    for (question, code) in questions() {
        let expected = bench.nub(question).expect(code).stdout;
        for solver in ["cadical", "own", &own_command] {
            let run = bench.nub(&[question, &["--sat-solver", solver]].concat()).expect(code);
            match question[0] {
                // With another solver the tests or the runs may differ, but not their number or distance.
                "cover" | "explain" => {
                    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
                    assert_eq!(first(&run.stdout), first(&expected), "{question:?} with {solver}");
                }
                _ => assert_eq!(run.stdout, expected, "{question:?} with {solver}"),
            }
        }
    }
}

#[test]
fn a_solver_that_lies_is_reported_and_nothing_else_is() {
    let bench = bench();
    for (question, _) in questions() {
        for liar in ["./unsat", "./sat"] {
            let run = bench.nub(&[question, &["--sat-solver", liar]].concat()).expect(4);
            assert!(run.stderr.contains("gave a wrong answer"), "{question:?} {liar}: {}", run.stderr);
            // `solve` prints answers as they come: they are checked ones, or unknown.
            let is_silent = run.stdout.is_empty() || question[0] == "solve";
            assert!(is_silent, "{question:?} {liar}: {}", run.stdout);
        }
    }
    let run = bench.nub(&["solve", "a.smt2", "--sat-solver", "./unsat"]).expect(4);
    assert_eq!(run.stdout, "unknown\nunknown\nunknown\n");
}

#[test]
fn a_program_that_is_no_solver_is_an_error() {
    let bench = bench();
    for (question, _) in questions() {
        for program in ["./silent", "no-such-solver-program"] {
            let run = bench.nub(&[question, &["--sat-solver", program]].concat()).expect(4);
            assert!(run.stderr.contains("the SAT solver failed"), "{question:?} {program}: {}", run.stderr);
        }
        for text in ["", "'open"] {
            bench.nub(&[question, &["--sat-solver", text]].concat()).expect(2);
        }
    }
}

/// With a proof, no answer of a program is trusted, however hard the problem.
#[test]
fn proofs_with_a_program() {
    let bench = bench();
    let own_command = format!("{} solve - --from dimacs --model", env!("CARGO_BIN_EXE_nub"));
    let args = ["solve", "a.smt2", "--check-proof", "--sat-solver"];
    bench.nub(&[&args[..], &[&own_command]].concat()).expect(20);
    bench.nub(&[&args[..], &["./unsat"]].concat()).expect(4);
}
