//! What is a finding, and what is not.

#![allow(clippy::unwrap_used)] // tests may panic

mod common;

use std::time::Duration;

use common::{findings, only_finding, run, seen, seen_after};
use nub_fuzz::{
    Authority, CoreVerdict, Fate, FindingKind, FindingSeverity, FuzzCase, Judgement, Language, ModelVerdict,
    Observation, PrintedAnswer, ProofVerdict, RunView, Standing, judge, standing,
};
use nub_process::ProcessEnd;

fn says(text: &str) -> Observation {
    seen(ProcessEnd::Exit(0), text.as_bytes(), b"", Language::SmtLib)
}

fn kinds(runs: &[RunView]) -> Vec<(usize, FindingKind)> {
    findings(runs).into_iter().map(|(run_idx, finding)| (run_idx, finding.kind)).collect()
}

fn wrong(said: PrintedAnswer, by: Authority) -> FindingKind {
    let truth = if said == PrintedAnswer::Sat { PrintedAnswer::Unsat } else { PrintedAnswer::Sat };
    FindingKind::WrongAnswer { said, truth, by }
}

/// Each kind of failure that some other fuzzer overlooks or crashes on.
#[test]
fn what_peers_miss() {
    let caught = b"[btormain] CAUGHT SIGNAL 11\n";
    for (end, stdout, stderr, kind, message) in [
        (ProcessEnd::Signal(11), &b""[..], &b""[..], FindingKind::Crash, "killed by SIGSEGV"),
        (ProcessEnd::Signal(6), b"", b"", FindingKind::Crash, "killed by SIGABRT"),
        (ProcessEnd::Exit(11), b"unknown\n", caught, FindingKind::Crash, "killed by SIGSEGV"),
        (ProcessEnd::Exit(11), b"unknown\n", b"", FindingKind::Crash, "killed by SIGSEGV"),
        (ProcessEnd::Exit(139), b"", b"", FindingKind::Crash, "killed by SIGSEGV"),
        (ProcessEnd::Exit(245), b"", b"", FindingKind::Crash, "killed by SIGSEGV"),
        (ProcessEnd::Signal(8), b"sat\n", b"", FindingKind::Crash, "killed by SIGFPE"),
        (ProcessEnd::WallLimit, b"", b"", FindingKind::Hang, ""),
        (ProcessEnd::Exit(14), b"unknown\n", b"", FindingKind::Hang, ""),
        (ProcessEnd::MemoryLimit, b"", b"", FindingKind::Memory, ""),
        (ProcessEnd::OutputLimit, b"aaaa", b"", FindingKind::Flood, ""),
        (ProcessEnd::Exit(0), b"", b"", FindingKind::Garbage, ""),
        (ProcessEnd::Exit(0), b"hello\nworld\n", b"", FindingKind::Garbage, ""),
        (ProcessEnd::Exit(0), b"\xff\xfe\0sat", b"", FindingKind::Garbage, ""),
    ] {
        let finding = only_finding("s", &seen(end, stdout, stderr, Language::SmtLib));
        assert_eq!((finding.kind, finding.message.as_str()), (kind, message), "{end:?}");
    }
}

#[test]
fn messages_say_what_it_is() {
    let model = b"Fatal failure within void CheckModels::checkModel() at ./src/smt/check_models.cpp:144\n\
        ERRORS SATISFYING ASSERTIONS WITH MODEL:\n";
    for (stderr, kind, message) in [
        (
            &b"s: /b/src/t.cpp:3: f: Assertion `x' failed.\n"[..],
            FindingKind::Assertion,
            "s: t.cpp:3: f: Assertion `x' failed.",
        ),
        (
            model,
            FindingKind::InvalidModel,
            "Fatal failure within void CheckModels::checkModel() at check_models.cpp:144",
        ),
        (
            b"SUMMARY: AddressSanitizer: SEGV /a/b.c:2 in f\n",
            FindingKind::Sanitizer,
            "SUMMARY: AddressSanitizer: SEGV b.c:2 in f",
        ),
        (
            b"terminate called after throwing an instance of 'std::bad_alloc'\n",
            FindingKind::Memory,
            "terminate called after throwing an instance of 'std::bad_alloc'",
        ),
    ] {
        let finding = only_finding("s", &seen(ProcessEnd::Signal(6), b"sat\n", stderr, Language::SmtLib));
        assert_eq!((finding.kind, finding.message.as_str()), (kind, message));
    }
    // z3 continues after it and exits with 1.
    let z3 = seen(
        ProcessEnd::Exit(1),
        b"sat\n(error \"line 5 column 1: an invalid model was generated\")\n",
        b"",
        Language::SmtLib,
    );
    assert_eq!(only_finding("z3", &z3).kind, FindingKind::InvalidModel);
}

#[test]
fn status_by_construction_decides() {
    let (sat, unsat, unknown) = (says("sat\n"), says("unsat\n"), says("unknown\n"));
    let runs = [run("a", &sat), run("b", &sat), run("c", &unsat), run("d", &unknown)];
    let Judgement::Findings(found) =
        judge(&FuzzCase { status: Some(PrintedAnswer::Unsat), runs: &runs, ..FuzzCase::default() })
    else {
        panic!("two are wrong")
    };
    let wrong_sat = wrong(PrintedAnswer::Sat, Authority::Construction);
    let found: Vec<(usize, FindingKind)> =
        found.into_iter().map(|(run_idx, finding)| (run_idx, finding.kind)).collect();
    assert_eq!(found, [(0, wrong_sat.clone()), (1, wrong_sat)], "also against the majority");
}

#[test]
fn authorities_in_order() {
    let (sat, unsat) = (says("sat\n"), says("unsat\n"));
    let reference = |seen| RunView { is_reference: true, ..run("nub", seen) };
    let with_model = |name, seen, verdict| RunView { model: Some(verdict), ..run(name, seen) };

    let runs = [with_model("a", &sat, ModelVerdict::Valid), reference(&unsat), run("c", &unsat)];
    assert_eq!(
        kinds(&runs),
        [
            (1, wrong(PrintedAnswer::Unsat, Authority::Model)),
            (2, wrong(PrintedAnswer::Unsat, Authority::Model))
        ],
        "a checked model beats everybody, the built-in solver too"
    );
    let runs = [reference(&unsat), run("a", &sat), run("b", &sat)];
    let said = wrong(PrintedAnswer::Sat, Authority::BuiltIn);
    assert_eq!(kinds(&runs), [(1, said.clone()), (2, said)]);
    let runs = [run("a", &unsat), run("b", &sat), run("c", &sat)];
    assert!(
        matches!(kinds(&runs)[..], [(0, FindingKind::Disagreement { .. })]),
        "a majority decides nothing"
    );
    let runs = [reference(&sat), run("a", &unsat)];
    assert_eq!(
        kinds(&runs),
        [(1, wrong(PrintedAnswer::Unsat, Authority::Model))],
        "its models are evaluated"
    );
    let proved = RunView { proof: Some(ProofVerdict::Valid), ..reference(&unsat) };
    assert_eq!(kinds(&[proved, run("a", &sat)]), [(1, wrong(PrintedAnswer::Sat, Authority::Proof))]);
    let runs = [with_model("a", &sat, ModelVerdict::Unsupported), run("b", &unsat)];
    assert!(
        matches!(kinds(&runs)[..], [(1, FindingKind::Disagreement { .. })]),
        "an unchecked model proves nothing"
    );
}

#[test]
fn one_against_one_is_a_disagreement() {
    let (sat, unsat) = (says("sat\n"), says("unsat\n"));
    let found = findings(&[run("a", &sat), run("b", &unsat)]);
    let kind = FindingKind::Disagreement {
        said: PrintedAnswer::Unsat,
        other: PrintedAnswer::Sat,
        other_name: "a".into(),
    };
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, &found[0].1.kind), (1, &kind));
    assert_eq!(found[0].1.title(), "b: two solvers disagree: it answers unsat, a answers sat");
    let two_to_two = [run("a", &sat), run("b", &unsat), run("c", &sat), run("d", &unsat)];
    assert_eq!(kinds(&two_to_two).len(), 1);
    assert_eq!(kinds(&[run("a", &sat), run("b", &says("unknown\n"))]), [], "unknown is never wrong");
}

#[test]
fn a_solver_against_itself_and_others() {
    let (sat, unsat) = (says("sat\n"), says("unsat\n"));
    let under = |options: &str, seen| RunView { options: options.into(), ..run("z3", seen) };
    // Two option sets of one solver are not a majority over another solver.
    let runs = [under("", &sat), under("x=1", &sat), run("b", &unsat)];
    assert!(matches!(kinds(&runs)[..], [(2, FindingKind::Disagreement { .. })]));
    // A solver against itself: the run with more options is reported.
    let runs = [under("x=1", &unsat), under("", &sat)];
    assert_eq!(kinds(&runs), [(0, wrong(PrintedAnswer::Unsat, Authority::Options))]);
    let runs = [under("", &unsat), under("x=1", &sat), under("y=1", &sat)];
    assert_eq!(kinds(&runs), [(0, wrong(PrintedAnswer::Unsat, Authority::Options))]);
    // The built-in solver decides if it can.
    let reference = RunView { is_reference: true, ..run("nub", &sat) };
    let runs = [under("", &unsat), under("x=1", &sat), reference];
    assert_eq!(kinds(&runs), [(0, wrong(PrintedAnswer::Unsat, Authority::Model))]);
}

#[test]
fn questions_are_compared_one_by_one() {
    let (one, two, three) =
        (says("sat\nunsat\nsat\n"), says("sat\nsat\nsat\n"), says("sat\nunsat\nunknown\n"));
    let runs = [run("a", &one), run("b", &two), run("c", &three)];
    let kind = FindingKind::Disagreement {
        said: PrintedAnswer::Unsat,
        other: PrintedAnswer::Sat,
        other_name: "b".into(),
    };
    assert_eq!(kinds(&runs), [(0, kind)], "of the second question");
    // A status is about a single question, so it says nothing here.
    let case = FuzzCase { status: Some(PrintedAnswer::Unsat), runs: &runs[..1], ..FuzzCase::default() };
    assert_eq!(judge(&case), Judgement::Clean);
    let short = says("sat\n");
    assert_eq!(
        kinds(&[run("a", &one), run("b", &short)]),
        [(1, FindingKind::Garbage)],
        "two answers are missing"
    );
}

#[test]
fn evidence_is_judged_with_the_answer() {
    let (sat, unsat) = (says("sat\n()\n"), says("unsat\n(a)\n"));
    let bad_model = RunView { model: Some(ModelVerdict::Invalid), ..run("a", &sat) };
    assert_eq!(kinds(&[bad_model.clone(), run("b", &sat)]), [(0, FindingKind::InvalidModel)]);
    let bad_core = RunView { core: Some(CoreVerdict::Sat), ..run("a", &unsat) };
    assert_eq!(kinds(std::slice::from_ref(&bad_core)), [(0, FindingKind::BadCore)]);
    let why = ProofVerdict::Wrong("a step of the proof does not follow".into());
    let bad_proof = RunView { proof: Some(why), ..run("a", &unsat) };
    let found = findings(std::slice::from_ref(&bad_proof));
    assert_eq!(found[0].1.title(), "a: proof does not check: a step of the proof does not follow");
    let good_proof = RunView { proof: Some(ProofVerdict::Valid), ..bad_proof };
    assert_eq!(kinds(&[good_proof]), []);
    // A wrong answer is worse than its model.
    let reference = RunView { is_reference: true, ..run("nub", &unsat) };
    assert_eq!(kinds(&[bad_model, reference]), [(0, wrong(PrintedAnswer::Sat, Authority::BuiltIn))]);
    let good = RunView { core: Some(CoreVerdict::Unsat), ..run("a", &unsat) };
    assert_eq!(kinds(&[good]), []);
}

#[test]
fn hard_inputs_are_not_findings() {
    let slow = seen_after(ProcessEnd::WallLimit, b"", b"", Language::SmtLib, 10_000);
    let quick = seen_after(ProcessEnd::Exit(0), b"sat\n", b"", Language::SmtLib, 900);
    let late = seen_after(ProcessEnd::Exit(0), b"sat\n", b"", Language::SmtLib, 1_100);
    let gave_up = seen_after(ProcessEnd::Exit(0), b"unknown\n", b"", Language::SmtLib, 10);
    assert_eq!(kinds(&[run("a", &slow), run("b", &quick)]), [(0, FindingKind::Hang)]);
    assert_eq!(kinds(&[run("a", &slow), run("b", &late)]), []);
    assert_eq!(kinds(&[run("a", &slow), run("b", &gave_up)]), [], "an unknown is not an answer");
    assert_eq!(kinds(&[run("a", &slow), run("b", &slow)]), []);
    assert_eq!(kinds(&[run("a", &slow)]), [(0, FindingKind::Hang)], "nobody else was asked");
    assert_eq!(standing(&slow), Standing::Timeout);
    let runs = [run("a", &slow), run("b", &late)];
    let limit = Some(Duration::from_secs(20));
    assert!(matches!(judge(&FuzzCase { limit, runs: &runs, ..FuzzCase::default() }), Judgement::Findings(_)));
    let large = seen_after(ProcessEnd::MemoryLimit, b"", b"", Language::SmtLib, 10_000);
    assert_eq!(kinds(&[run("a", &large), run("b", &late)]), []);
    assert_eq!(kinds(&[run("a", &large), run("b", &quick)]), [(0, FindingKind::Memory)]);
}

#[test]
fn errors_are_theirs_ours_or_nobodys() {
    let rejects = says("(error \"line 3 column 5: unknown constant y\")\nsat\n");
    let accepts = says("unsat\n");
    let found = findings(&[run("a", &rejects), run("b", &accepts)]);
    assert_eq!(found.len(), 1, "its `sat` is the answer to half of the script");
    assert_eq!((found[0].0, &found[0].1.kind), (0, &FindingKind::Error));
    assert_eq!(found[0].1.message, "<pos>: unknown constant y");

    let runs = [run("a", &rejects), run("b", &rejects)];
    let Judgement::OurFault(fault) = judge(&FuzzCase { runs: &runs, ..FuzzCase::default() }) else {
        panic!("everybody rejects it")
    };
    assert_eq!(fault, "a: <pos>: unknown constant y");
    // A solver that is still busy has not rejected it: whose fault it is is unknown.
    let slow = seen(ProcessEnd::WallLimit, b"", b"", Language::SmtLib);
    assert_eq!(kinds(&[run("a", &rejects), run("b", &slow)]), []);
    // A solver that does not support the logic does not count.
    let foreign = says("(error \"unknown logic QF_XYZ\")\n(error \"unknown constant y\")\n");
    assert_eq!(standing(&foreign), Standing::NotSupported);
    assert_eq!(kinds(&[run("a", &foreign), run("b", &accepts)]), []);
    assert_eq!(judge(&FuzzCase { runs: &[run("a", &foreign)], ..FuzzCase::default() }), Judgement::Clean);
    let runs = [run("a", &foreign), run("b", &rejects)];
    assert!(matches!(judge(&FuzzCase { runs: &runs, ..FuzzCase::default() }), Judgement::OurFault(_)));
    assert_eq!(standing(&says("unsupported\nsat\n")), Standing::NotSupported);
    // `get-model` after `unsat` is not a rejection.
    let asked = says("unsat\n(error \"line 9 column 10: model is not available\")\n");
    assert_eq!(standing(&asked), Standing::Answered);
    assert_eq!(kinds(&[run("a", &asked), run("b", &accepts)]), []);
}

#[test]
fn a_model_of_the_unsatisfiable_is_our_fault() {
    let sat = says("sat\n()\n");
    let runs = [RunView { model: Some(ModelVerdict::Valid), ..run("a", &sat) }];
    let judgement =
        judge(&FuzzCase { status: Some(PrintedAnswer::Unsat), runs: &runs, ..FuzzCase::default() });
    assert!(
        matches!(&judgement, Judgement::OurFault(fault) if fault.contains("unsat by construction")),
        "{judgement:?}"
    );
}

#[test]
fn a_crash_beats_everything_else_of_its_run() {
    let dies = seen(ProcessEnd::Signal(11), b"sat\n(error \"x\")\n", b"", Language::SmtLib);
    let (sat, unsat) = (says("sat\n"), says("unsat\n"));
    let runs = [run("a", &dies), run("b", &unsat), run("c", &unsat)];
    assert_eq!(kinds(&runs), [(0, FindingKind::Crash)]);
    // Nor does its answer count against others.
    assert_eq!(kinds(&[run("a", &dies), run("d", &dies), run("b", &unsat)]).len(), 2);
    assert_eq!(kinds(&[run("a", &sat)]), []);
}

#[test]
fn stopped_runs_say_nothing() {
    let stopped = seen(ProcessEnd::Cancelled, b"sat\n", b"", Language::SmtLib);
    let killed = seen(ProcessEnd::Signal(15), b"", b"", Language::SmtLib);
    assert_eq!((stopped.fate, killed.fate), (Fate::Cancelled, Fate::Cancelled));
    assert_eq!(kinds(&[run("a", &stopped), run("b", &killed), run("c", &says("unsat\n"))]), []);
    assert_eq!(judge(&FuzzCase::default()), Judgement::Clean, "no runs at all");
}

#[test]
fn btor_and_dimacs_answer_by_exit_status() {
    let sat = seen(ProcessEnd::Exit(10), b"", b"", Language::Btor);
    let unsat = seen(ProcessEnd::Exit(20), b"s UNSATISFIABLE\n", b"", Language::Dimacs);
    assert_eq!((standing(&sat), standing(&unsat)), (Standing::Answered, Standing::Answered));
    assert_eq!(sat.reading.answers, [PrintedAnswer::Sat]);
    assert_eq!(standing(&seen(ProcessEnd::Exit(10), b"", b"", Language::SmtLib)), Standing::Silent);
    let error = seen(ProcessEnd::Exit(1), b"", b"boolector: x.btor:3: invalid id\n", Language::Btor);
    assert_eq!(kinds(&[run("a", &error), run("b", &sat)]), [(0, FindingKind::Error)]);
}

#[test]
fn severities_are_ordered_as_maintainers_ask() {
    let of = |kind: FindingKind| {
        nub_fuzz::Finding { solver: "s".into(), kind, message: String::new(), stack: Vec::new() }.severity()
    };
    let order = [
        wrong(PrintedAnswer::Unsat, Authority::Options),
        wrong(PrintedAnswer::Sat, Authority::Construction),
        FindingKind::Disagreement {
            said: PrintedAnswer::Unsat,
            other: PrintedAnswer::Sat,
            other_name: "a".into(),
        },
        FindingKind::InvalidModel,
        FindingKind::BadCore,
        FindingKind::Sanitizer,
        FindingKind::Assertion,
        FindingKind::Crash,
        FindingKind::Memory,
        FindingKind::Hang,
        FindingKind::Flood,
        FindingKind::Garbage,
        FindingKind::Error,
    ];
    let severities: Vec<FindingSeverity> = order.into_iter().map(of).collect();
    assert!(severities.windows(2).all(|pair| pair[0] > pair[1]), "{severities:?}");
}

/// Any bytes, any language, any end: no panics and no false findings.
#[test]
fn hostile_output() {
    let mut rng = nub_random::Rng::new(7);
    let binary: Vec<u8> = (0..1 << 20).map(|_| rng.bits() as u8).collect();
    let long_line = vec![b'a'; 1 << 20];
    let open = "(".repeat(1 << 20).into_bytes();
    let quotes = "(a \"\n|".repeat(100_000).into_bytes();
    let frames = "#0 0x1234 in f a.c:3\n#1 0x1234 in g a.c:4\n".repeat(20_000).into_bytes();
    let hashes = "#".repeat(1 << 20).into_bytes();
    let errors = "(error \"line 3: x\")\n".repeat(50_000).into_bytes();
    for bytes in [&binary, &long_line, &open, &quotes, &frames, &hashes, &errors] {
        for language in Language::ALL {
            for end in [ProcessEnd::Exit(11), ProcessEnd::Signal(6)] {
                let seen = seen(end, bytes, bytes, language);
                assert!(seen.reading.answers.is_empty(), "no answer was given");
                assert!(seen.reading.errors.len() <= 64 && seen.stack.len() <= 64);
                let _ = judge(&FuzzCase { runs: &[run("a", &seen), run("b", &seen)], ..FuzzCase::default() });
            }
        }
    }
}

/// Pieces of real output in random order: reading never panics, and models are at the reported positions.
#[test]
fn shuffled_output() {
    let pieces: [&[u8]; 14] = [
        b"sat\n",
        b"unsat\n",
        b"unknown\n",
        b"(",
        b")",
        b"\"",
        b"|",
        b"(error \"x\")\n",
        b"((define-fun x () Int 3))\n",
        b"(a b)\n",
        b"\xff\xfe",
        b"nub-batch-0\n",
        b"s SATISFIABLE\nv 1 0\n",
        b"; c\n",
    ];
    for seed in 0..3_000 {
        let mut rng = nub_random::Rng::new(seed);
        let mut text = Vec::new();
        for _ in 0..rng.below(12) {
            text.extend_from_slice(rng.pick(&pieces));
        }
        for language in Language::ALL {
            let reading = nub_fuzz::read_answers(&text, language, ProcessEnd::Exit(0));
            for (question, span) in &reading.models {
                assert!(*question < reading.answers.len());
                assert!(text.get(span.clone()).is_some_and(|model| !model.is_empty()));
            }
            assert!(
                reading.cores.iter().all(|(question, _)| reading.answers[*question] == PrintedAnswer::Unsat)
            );
        }
        let whole: usize = nub_fuzz::split_batch(&text, 3).into_iter().flatten().map(<[u8]>::len).sum();
        assert!(whole <= text.len());
    }
}
