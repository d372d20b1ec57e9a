//! What is not a bug of a solver is never reported, whatever the solver's message.

use super::common::Bench;
use super::{arguments, status};
use serde_json::Value;

/// Scripts with queries after their only `check-sat`, some of which do not fit the answer.
const ASKING: &str = "--to smt2 --theories bv -n 15 --maxwidth 4 --models --cores";

/// Runs a campaign of these inputs on a stub that answers as the built-in solver does and then runs `body`, which has the
/// answer in `$answer`.
fn campaign_on(bench: &Bench, body: &str, words: &str, inputs: &[&str]) -> Value {
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program(
        "stub",
        &format!(
            "#!/bin/sh\nfor last; do :; done\nanswer=$({nub} solve \"$last\" | grep -m 1 'sat')\n{body}\n"
        ),
    );
    bench.nub(&arguments(&format!("-j 1 {words}"), inputs)).expect(0);
    status(bench, "c")
}

fn no_groups(state: &Value) {
    assert_eq!(state["groups"].as_array().map(Vec::len), Some(0), "{state:#}");
}

/// z3 keeps the status across `(reset)`; this solver complains about every annotation.
#[test]
fn a_status_that_does_not_fit_is_no_bug() {
    for complaint in [
        "echo '(error \"line 2 column 10: check annotation that says unsat\")'",
        "echo '(error \"Expected result unsat but got sat\")'",
        "echo \"(error \\\"a.smt2:2:11: 'sat' but status is 'unsat'\\\")\"",
        "echo 'Fatal failure within void notifyCheckSatResult() at state.cpp:73' >&2; \
         echo 'Expected result unsat but got sat' >&2; kill -ABRT $$",
    ] {
        let bench = Bench::new();
        let body = format!("if grep -q ':status' \"$last\"; then {complaint}; fi\necho $answer");
        let state =
            campaign_on(&bench, &body, "--max-inputs 20", &["--generate", "--to smt2 --status sat -n 20"]);
        no_groups(&state);
    }
}

#[test]
fn a_question_that_does_not_fit_the_answer_is_no_bug() {
    let bench = Bench::new();
    let body = "echo $answer\ngrep -q get-model \"$last\" && [ $answer = unsat ] && echo '(error \"I would rather not\")'";
    no_groups(&campaign_on(&bench, body, "--max-inputs 60", &["--generate", ASKING]));
}

/// The same error where the query fits.
#[test]
fn a_refused_question_that_fits_the_answer_is_a_bug() {
    let bench = Bench::new();
    let body = "echo $answer\ngrep -q get-model \"$last\" && [ $answer = sat ] && echo '(error \"I would rather not\")'";
    let state = campaign_on(&bench, body, "--max-inputs 60 --max-groups 1", &["--generate", ASKING]);
    let group = &state["groups"][0];
    assert_eq!(
        (group["kind"].as_str(), group["solver"].as_str()),
        (Some("error"), Some("stub")),
        "{state:#}"
    );
    let small = group["text"].as_str().unwrap();
    assert!(small.contains("set-logic") && small.contains(":produce-models"), "still standard: {small}");
    assert!(small.contains("get-model") && !small.contains("get-unsat-core"), "{small}");
}

#[test]
fn commands_and_options_that_a_solver_does_not_know_are_no_bug() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("seeds")).unwrap();
    let script = "(set-logic QF_BV)\n(set-option :strange 3)\n(declare-const x (_ BitVec 4))\n(assert (= x #x3))\n\
                  (strange x)\n(check-sat)\n";
    bench.write("seeds/a.smt2", script);
    let body = "if grep -q strange \"$last\"; then echo '(error \"line 2: what is this?\")'; exit 1; fi\necho $answer";
    no_groups(&campaign_on(&bench, body, "--no-options --max-inputs 40", &["--mutate", "seeds"]));
}

/// A refusal that disappears without the options says nothing about the script.
#[test]
fn options_that_a_solver_refuses_half_way_are_no_bug() {
    let bench = Bench::new();
    bench.write("table", "program stub\nlanguages smtlib\noption odd --odd\n");
    let body = "case \"$*\" in *--odd*) if grep -q bvmul \"$last\"; then echo '(error \"not today\")'; exit 1; fi;; esac\n\
                echo $answer";
    let words = "--options stub=table --max-inputs 100";
    no_groups(&campaign_on(&bench, body, words, &["--generate", "--to smt2 --theories bv -n 20"]));
}

/// The reduced input of a run without an answer still has a query.
#[test]
fn silence_needs_a_question() {
    let bench = Bench::new();
    // Each of the two alone is accepted: a solver that never takes an operator may not have it.
    let body = "grep -q bvmul \"$last\" && grep -q bvadd \"$last\" && exit 0\necho $answer";
    let words = "--max-inputs 200 --max-groups 1 --no-options";
    let state = campaign_on(&bench, body, words, &["--generate", "--to smt2 --theories bv -n 20"]);
    let group = &state["groups"][0];
    assert_eq!(group["kind"], "garbage", "{state:#}");
    let small = group["text"].as_str().unwrap();
    assert!(small.contains("check-sat") && small.contains("bvmul"), "{small}");
}

/// Some options make a solver incomplete: it may then search forever, which is not a bug.
#[test]
fn a_time_limit_that_goes_away_with_the_options_is_no_bug() {
    let bench = Bench::new();
    bench.write("table", "program stub\nlanguages smtlib\noption odd --odd\n");
    let body = "case \"$*\" in *--odd*) grep -q bvmul \"$last\" && exec sleep 100;; esac\necho $answer";
    let words = "--options stub=table --max-inputs 30 --timeout 0.5";
    no_groups(&campaign_on(&bench, body, words, &["--generate", "--to smt2 --theories bv -n 10"]));
}

#[test]
fn a_solver_that_cannot_be_run_is_named() {
    let bench = Bench::new();
    for command in ["sh -c 'no-such-solver {}'", "sh -c './nowhere/solver {}'", "sh -c 'echo no; exit 1'"] {
        let run = bench.nub(&["fuzz", "-s", &format!("mine={command}"), "--max-inputs", "5", "--out", "c"]);
        assert_eq!(run.code, Some(3), "{command}: {}", run.stderr);
        assert!(run.stderr.contains("mine") && run.stderr.contains("trivial"), "{command}: {}", run.stderr);
        assert!(!bench.path("c").exists(), "{command}: no campaign was begun");
    }
}

/// Each run has its own folder, in which a relative path is not valid.
#[test]
fn relative_paths_inside_a_command_work() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    std::fs::create_dir(bench.path("bin")).unwrap();
    bench.program("bin/solver", &format!("#!/bin/sh\nexec {nub} solve \"$1\"\n"));
    let args = ["fuzz", "-s", "mine=sh -c './bin/solver {}'", "--generate", super::GRAPHS];
    let more = ["--max-inputs", "10", "-j", "1", "--out", "c"];
    let run = bench.nub(&[&args[..], &more].concat()).expect(0);
    assert!(run.stderr.contains("mine runs in the current folder"), "{}", run.stderr);
    let state = status(&bench, "c");
    no_groups(&state);
    assert_eq!(state["solvers"][0]["other"], 0, "{state:#}");
}

/// A program that vanishes while the campaign runs ends the campaign, and is not a finding.
#[test]
fn a_solver_that_vanishes_ends_the_campaign() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    bench.program(
        "real",
        &format!("#!/bin/sh\necho x >> {}\nexec {nub} solve \"$1\"\n", bench.path("n").display()),
    );
    // The third run is the last.
    let n = bench.path("n");
    let real = bench.path("real");
    bench.program(
        "stub",
        &format!(
            "#!/bin/sh\n[ $(cat {} 2>/dev/null | wc -l) -ge 3 ] && rm -f {real}\nexec {real} \"$1\"\n",
            n.display(),
            real = real.display()
        ),
    );
    let run = bench.nub(&arguments("-j 1 --max-inputs 50 --no-options", &["--generate", super::GRAPHS]));
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains("stub cannot be run"), "{}", run.stderr);
    no_groups(&status(&bench, "c"));
}

#[test]
fn standard_input_is_fed() {
    let bench = Bench::new();
    let nub = env!("CARGO_BIN_EXE_nub");
    let stub = format!(
        "#!/bin/sh\n[ $# = 0 ] || exit 9\ncat > it.btor\nif grep -q ' mul ' it.btor; then kill -SEGV $$; fi\nexec {nub} solve it.btor\n"
    );
    bench.program("stub", &stub);
    let words = "--stdin --timeout 5 -j 1 --max-groups 1 --max-inputs 500";
    bench.nub(&arguments(words, &["--generate", super::GRAPHS])).expect(0);
    let state = status(&bench, "c");
    super::check_group(&bench, &state, "crash", super::SMALL_BTOR);
    let command = state["groups"][0]["command"].as_str().unwrap();
    assert!(command.contains("< ") && command.ends_with("reduced.btor"), "{command}");
}
