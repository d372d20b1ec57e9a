//! Mistakes of newcomers: each is answered with what is wrong, what to do, and exit code 2, and nothing is written.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// Arguments; the error; the place, or empty; the hint, or the tip or list of values that clap gives.
type Mistake = (&'static [&'static str], &'static str, &'static str, &'static str);

const FILES: &[(&str, &str)] = &[
    ("date.c", "int f(int a) { if (a > 3) return 1; return 0; }\n"),
    ("two.c", "int f(int a) { return a > 3; }\nint g(int a) { if (a) return 1; return 0; }\n"),
    ("plain.c", "int twice(int a) { return 2 * (a & 255); }\n"),
    ("empty.c", ""),
    ("syntax.c", "int f(int a) { if (a > 3 return 1; return 0; }\n"),
    (
        "fails.c",
        "void __CPROVER_assert(int, const char *);\nvoid f(int a) { __CPROVER_assert(a != 3, \"\"); }\n",
    ),
    ("sort.smt2", "(declare-fun x () (_ BitVec 8))\n(assert (= x #b1))\n(check-sat)\n"),
    ("open.smt2", "(declare-fun x () (_ BitVec 8)\n(assert (= x x))\n(check-sat)\n"),
    ("operator.btor2", "1 sort bitvec 8\n2 input 1\n3 ad 1 2 2\n"),
    ("node.btor2", "1 sort bitvec 8\n2 input 1\n3 add 1 2 9\n"),
    ("word.cnf", "p cnf 2 2\n1 2 0\n-1 x 0\n"),
    ("range.cnf", "p cnf 2 2\n1 3 0\n-1 2 0\n"),
    ("notes.txt", "hello world\n"),
    ("tests.csv", "a\n1\nx\n"),
];

const MISTAKES: &[Mistake] = &[
    // Wrong files.
    (&["cover", "dat.c"], "cannot read dat.c", "", "did you mean `date.c`?"),
    (&["cover", "none/date.c"], "cannot read none/date.c", "", "there is no folder none"),
    (&["cover", "."], "cannot read .", "", "this is a folder: name a file"),
    (&["solve", "nothing.smt2"], "cannot read nothing.smt2", "", "check the path"),
    (&["convert", "nothing.btor"], "cannot read nothing.btor", "", "check the path"),
    (&["rules", "nothing"], "cannot read nothing", "", "check the path"),
    (&["reduce", "bug.smt", "--", "./solver"], "cannot read bug.smt", "", "did you mean `bug.smt2`?"),
    (&["reduce", "empty.c", "--", "./solver"], "empty.c is empty", "", "name the file that makes"),
    (&["doctor", "bug.smt2"], "no command was given", "", "put it after `--`, as in `bug.smt2 -- z3`"),
    (&["cover", "empty.c"], "empty.c has no function with a body", "", "name a C file that defines"),
    (&["cover", "date.c", "--tests", "test.csv"], "cannot read test.csv", "", "did you mean `tests.csv`"),
    (&["cover", "date.c", "--tests", "tests.csv"], "line 3: `x` is not a number", "", "CSV has a line"),
    (&["solve", "notes.txt"], "neither SMT-LIB, BTOR, BTOR2 nor DIMACS", "", "--from smt2"),
    (&["notes.txt"], "notes.txt is a file, but", "", "nub reduce notes.txt -- CMD"),
    (&["nothing.c"], "`nothing.c` is neither a command of nub nor a file", "", "nub --help lists"),
    (&["fuzz", "status", "nowhere"], "there is no campaign in nowhere", "", "the default is nub-campaign"),
    (&["cover", "--project", "."], "compile_commands.json does not exist", "", "cmake"),
    // No function, property or input.
    (&["cover", "two.c"], "the file has several functions", "", "choose one with -f NAME: `f`, `g`"),
    (&["cover", "two.c", "-f", "h"], "there is no function `h`", "", "did you mean `f` or `g`?"),
    (&["cover", "plain.c"], "`twice` has no decisions", "", "--criterion statement"),
    (&["explain", "fails.c", "--line", "9"], "there is no property at line 9", "", "--list names them"),
    (&["explain", "fails.c", "--input", "b=1"], "there is no input `b`", "", "did you mean `a`?"),
    // Wrong values of options.
    (&["cover", "date.c", "-c", "mcd"], "invalid value 'mcd'", "", "a similar value exists: 'mcdc'"),
    (&["cover", "date.c", "--unwind", "-1"], "'-1' for '--unwind <N>'", "", "-1 is not in 0.."),
    (&["cover", "date.c", "--seed", "x"], "'x' for '--seed <N>'", "", "a whole number is expected"),
    (&["cover", "date.c", "--max-time", "-1"], "'-1' for '--max-time", "", "must not be negative"),
    (&["cover", "date.c", "--fail-under", "200"], "invalid value '200'", "", "a number from 0 to 100"),
    (&["cover", "date.c", "-o", "tests.xyz"], "tests.xyz does not say what to write", "", "ends in .c"),
    (&["cover", "date.c", "--data-model", "x"], "there is no data model `x`", "", "lp64, ilp32"),
    (&["cover", "date.c", "--max-time", "0"], "the time limit was reached", "date.c:1:", "allow more time"),
    (&["explain", "fails.c", "--check", "x"], "invalid value 'x'", "", "assertion, bounds"),
    (&["generate", "--to", "c"], "--to c: formulas cannot be generated", "", "smt2, btor, btor2 or dimacs"),
    (&["schema", "x"], "there is no schema `x`", "", "cover, project"),
    (&["reduc", "bug.smt2"], "unrecognized subcommand 'reduc'", "", "a similar subcommand exists: 'reduce'"),
    // No oracle, or a program that does not exist.
    (&["reduce", "bug.smt2", "--", "no-such"], "cannot find the program `no-such`", "", "looked up on PATH"),
    (&["reduce", "bug.smt2", "--test", "./no"], "cannot find the program `./no`", "", "check the path"),
    (&["reduce", "bug.smt2", "--test", "./notes.txt"], "not an executable file", "", "chmod +x"),
    (&["fuzz", "-s", "no-such"], "cannot find the program `no-such`", "", "looked up on PATH"),
    (&["status"], "no NATS server was given", "", "give nats://HOST:PORT"),
    // Errors in the files.
    (&["cover", "syntax.c"], "expected `)`, found `return`", "syntax.c:1:26", "the text must be C17"),
    (&["solve", "sort.smt2"], "argument 2 of `=`", "sort.smt2:2:14", "`(_ BitVec 8)` is expected here"),
    (&["solve", "open.smt2"], "`(` is never closed", "open.smt2:1:1", "add the missing `)`"),
    (&["solve", "operator.btor2"], "`ad` is not an operator", "operator.btor2:3:3", "lower case"),
    (&["solve", "node.btor2"], "9 is not defined", "node.btor2:3:11", "define the node"),
    (&["solve", "word.cnf"], "this is not a number", "word.cnf:3:4", "remove it"),
    (&["solve", "range.cnf"], "the header states fewer variables", "range.cnf:2:3", "raise the first number"),
    (&["rules", "notes.txt"], "this is not a rule", "notes.txt:1:1", "a rule is `(rule NAME"),
];

#[test]
fn each_mistake_is_answered_with_a_place_and_a_hint() {
    let bench = Bench::new();
    for (name, text) in FILES {
        bench.write(name, text);
    }
    let before = bench.names();
    for (args, error, place, hint) in MISTAKES {
        let run = bench.nub(args).expect(2);
        let shown = format!("nub {}\n{}", args.join(" "), run.stderr);
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(error), "{shown}");
        assert!(run.stderr.contains(place), "no place {place}: {shown}");
        assert!(run.stderr.contains(hint), "no hint {hint}: {shown}");
        assert_eq!(run.stdout, "", "{shown}");
        assert_eq!(bench.names(), before, "{shown}");
    }
}

#[test]
fn a_compiler_that_does_not_exist_is_named() {
    let bench = Bench::new();
    bench.write("date.c", FILES[0].1);
    let run = bench.nub(&["cover", "date.c", "--cc", "no-such-cc"]).expect(0);
    assert!(run.stderr.contains("warning: there is no C compiler `no-such-cc`"), "{}", run.stderr);
    bench.write("macro.c", &format!("#include <limits.h>\n{}", FILES[0].1));
    let run = bench.nub(&["cover", "macro.c", "--cc", "no-such-cc"]).expect(2);
    assert!(run.stderr.contains("no-such-cc") && run.stderr.contains("hint: "), "{}", run.stderr);
}
