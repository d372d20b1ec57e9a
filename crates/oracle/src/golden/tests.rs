//! Golden comparison on outputs of real solvers.

use super::*;
use crate::Pattern;
use nub_process::{CapturedOutput, Usage};

fn outcome(end: ProcessEnd, out: &str, err: &str) -> ProcessOutcome {
    let stream = |text: &str| CapturedOutput { bytes: text.as_bytes().to_vec(), total: text.len() as u64 };
    ProcessOutcome { end, stdout: stream(out), stderr: stream(err), usage: Usage::default() }
}

fn alike(golden: &ProcessOutcome, candidate: &ProcessOutcome) -> bool {
    let names = MaskedNames::default();
    Golden::new(&Expect::default(), golden, &names).matches(candidate, &names)
}

#[test]
fn silent_segfault_may_lose_its_errors_but_not_become_an_assertion() {
    let golden = outcome(ProcessEnd::Signal(11), "(error \"line 3 column 2: unknown sort 'a'\")\nsat\n", "");
    assert!(alike(&golden, &outcome(ProcessEnd::Signal(11), "", "")));
    assert!(!alike(&golden, &outcome(ProcessEnd::Signal(6), "", "")));
    assert!(!alike(&golden, &outcome(ProcessEnd::Exit(0), "sat\n", "")));
    let golden = outcome(ProcessEnd::Signal(6), "sat\n", "");
    assert!(!alike(&golden, &outcome(ProcessEnd::Signal(6), "", "p: a.c:3: f: Assertion `x' failed.\n")));
}

#[test]
fn assertion_does_not_slip() {
    let at = |line: u32| format!("p: a.c:{line}: f: Assertion `x' failed.\n");
    let golden = outcome(ProcessEnd::Signal(6), "sat\nunsat\n", &at(3));
    assert!(alike(&golden, &outcome(ProcessEnd::Signal(6), "", &at(3))));
    assert!(!alike(&golden, &outcome(ProcessEnd::Signal(6), "sat\nunsat\n", &at(4))));
}

#[test]
fn invalid_model_is_kept_whatever_else_is_said() {
    let error = |line: u32| format!("(error \"line {line} column 10: an invalid model was generated\")\n");
    let golden = outcome(ProcessEnd::Exit(1), &format!("unsat\nsat\n{}sat\n", error(51)), "");
    assert!(alike(&golden, &outcome(ProcessEnd::Exit(1), &format!("sat\n{}", error(2)), "")));
    assert!(!alike(
        &golden,
        &outcome(ProcessEnd::Exit(1), "sat\n(error \"line 2 column 1: unknown constant x\")\n", "")
    ));
}

#[test]
fn plain_runs_keep_their_answers() {
    let golden = outcome(ProcessEnd::Exit(0), "sat\n((x 3))\n", "");
    assert!(alike(&golden, &outcome(ProcessEnd::Exit(0), "sat\n((x 4))\n", "")));
    assert!(alike(&golden, &outcome(ProcessEnd::Exit(0), "sat\n", "")));
    assert!(!alike(&golden, &outcome(ProcessEnd::Exit(0), "unsat\n", "")));
    assert!(!alike(&golden, &outcome(ProcessEnd::Exit(0), "", "")));
    assert!(!alike(&golden, &outcome(ProcessEnd::Exit(0), "sat\n", "something went wrong\n")));
}

#[test]
fn patterns_and_ignoring() {
    let names = MaskedNames::default();
    let match_out = Some(Pattern::parse("/^unsat$/").unwrap());
    let expect = Expect { match_out, ..Expect::default() };
    let golden = Golden::new(&expect, &outcome(ProcessEnd::Exit(1), "unsat\n", "noise\n"), &names);
    assert!(
        golden.matches(
            &outcome(ProcessEnd::Exit(1), "sat\nunsat\n", "p: a.c:3: Assertion `x' failed\n"),
            &names
        )
    );
    assert!(!golden.matches(&outcome(ProcessEnd::Exit(0), "unsat\n", ""), &names));
    assert!(!golden.matches(&outcome(ProcessEnd::Exit(1), "sat\n", ""), &names));
    let golden = Golden::new(&Expect::status_only(), &outcome(ProcessEnd::Exit(1), "unsat\n", ""), &names);
    assert!(golden.matches(&outcome(ProcessEnd::Exit(1), "", "anything"), &names));
    let expect = Expect { ignore_err: true, ..Expect::default() };
    let golden = Golden::new(&expect, &outcome(ProcessEnd::Exit(0), "unsat\n", "a\n"), &names);
    assert!(golden.matches(&outcome(ProcessEnd::Exit(0), "unsat\n", "b\n"), &names));
    assert!(!golden.matches(&outcome(ProcessEnd::Exit(0), "sat\n", "a\n"), &names));
}

#[test]
fn contradiction_may_move_but_not_turn_round() {
    let names = MaskedNames::default();
    let run = |out: &str| Run {
        outcome: outcome(ProcessEnd::Exit(0), out, ""),
        names: names.clone(),
        litter: Vec::new(),
    };
    let (one, two) = (run("sat\nsat\nunsat\n"), run("sat\nunknown\nsat\n"));
    let contradiction = Contradiction::find(&one, &two).unwrap();
    let matches = |one: &str, two: &str| contradiction.matches(&run(one), &run(two));
    assert!(matches("unsat\n", "sat\n"));
    assert!(!matches("sat\n", "unsat\n"));
    assert!(!matches("unsat\n", "unsat\n"));
    assert!(!matches("unsat\n(error \"x\")\n", "sat\n"));
    assert!(!contradiction.allows_first(&run("sat\n").outcome, &names));
    assert!(Contradiction::find(&one, &one).is_none());
}

#[test]
fn limits_compare_by_kind_alone() {
    let golden = outcome(ProcessEnd::WallLimit, "sat\n", "");
    assert!(alike(&golden, &outcome(ProcessEnd::WallLimit, "", "x")));
    assert!(!alike(&golden, &outcome(ProcessEnd::MemoryLimit, "", "x")));
}

#[test]
fn shell_status_of_a_signal_is_a_crash() {
    assert!(
        is_crash(ProcessEnd::Exit(139))
            && is_crash(ProcessEnd::Exit(134))
            && !is_crash(ProcessEnd::Exit(137))
    );
    let golden = outcome(ProcessEnd::Exit(139), "sat\n", "");
    assert!(alike(&golden, &outcome(ProcessEnd::Exit(139), "", "")));
}
