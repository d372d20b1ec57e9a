//! Which findings are one bug.

#![allow(clippy::unwrap_used)] // tests may panic

mod common;

use std::collections::BTreeSet;

use common::{only_finding, seen};
use nub_fuzz::{
    Authority, Finding, FindingKind, GroupKey, GroupState, Groups, KnownList, Language, PrintedAnswer, refine,
};
use nub_process::ProcessEnd;

/// A report of AddressSanitizer in the shape that Boolector's users posted: frames with addresses that change from run
/// to run, libc below, a summary.
fn sanitizer_report(number: usize, frames: &[(&str, &str)]) -> String {
    let mut text =
        format!("=====\n=={number}==ERROR: AddressSanitizer: SEGV on unknown address 0x{number:012x} (T0)\n");
    let libc = [("__libc_start_main", "(/lib/libc.so.6+0x2082f)"), ("_start", "(/opt/boolector+0x402748)")];
    for (idx, (function, place)) in frames.iter().chain(&libc).enumerate() {
        let address = 0x7f00_0000 + 977 * (number + idx);
        text.push_str(&format!("    #{idx} 0x{address:x} in {function} {place}\n"));
    }
    let (function, place) = frames[0];
    text.push_str("\nAddressSanitizer can not provide additional info.\n");
    text.push_str(&format!("SUMMARY: AddressSanitizer: SEGV {place} in {function}\n=={number}==ABORTING\n"));
    text
}

/// From the quantifier solver down to `main`, the same for all.
const SPINE: [(&str, &str); 6] = [
    ("btor_check_sat", "/src/btorcore.c:3036"),
    ("boolector_sat", "/src/boolector.c:639"),
    ("check_sat", "/src/parser/btorsmt2.c:4529"),
    ("read_command_smt2", "/src/parser/btorsmt2.c:4695"),
    ("btor_parse", "/src/btorparse.c:235"),
    ("boolector_main", "/src/btormain.c:1440"),
];

fn crash(frames: &[(&str, &str)], number: usize) -> Finding {
    let all: Vec<(&str, &str)> = frames.iter().chain(&SPINE).copied().collect();
    let report = sanitizer_report(number, &all);
    only_finding("boolector", &seen(ProcessEnd::Exit(1), b"", report.as_bytes(), Language::SmtLib))
}

/// Functions and lines of Boolector's issues 97, 99, 101, 102 and 105 to 109, in this order: an operator's function on
/// top, one constructor that calls it, and one place that is wrong.
fn nine_reports() -> Vec<Finding> {
    let tops = [
        ("btor_exp_cond", "/src/btorexp.c:252", "/src/btorexp.c:75"),
        ("btor_exp_bv_mul", "/src/btorexp.c:790", "/src/btorexp.c:42"),
        ("btor_exp_bv_srl", "/src/btorexp.c:1137", "/src/btorexp.c:51"),
        ("btor_exp_eq", "/src/btorexp.c:213", "/src/btorexp.c:36"),
        ("btor_exp_bv_urem", "/src/btorexp.c:1471", "/src/btorexp.c:57"),
        ("btor_exp_bv_and", "/src/btorexp.c:612", "/src/btorexp.c:32"),
        ("btor_exp_bv_and", "/src/btorexp.c:613", "/src/btorexp.c:32"),
        ("btor_exp_bv_mul", "/src/btorexp.c:791", "/src/btorexp.c:42"),
        ("btor_exp_bv_add", "/src/btorexp.c:704", "/src/btorexp.c:39"),
    ];
    let report = |(number, (function, place, from)): (usize, &(&str, &str, &str))| {
        let below = [
            ("btor_exp_create", *from),
            ("elim_vars", "/src/preprocess/btorder.c:401"),
            ("btor_cer_node", "/src/preprocess/btorder.c:445"),
            ("simplify", "/src/btorslvquant.c:2587"),
            ("sat_quant_solver", "/src/btorslvquant.c:2611"),
        ];
        let frames: Vec<(&str, &str)> = std::iter::once((*function, *place)).chain(below).collect();
        crash(&frames, number + 1)
    };
    tops.iter().enumerate().map(report).collect()
}

#[test]
fn the_nine_reports_are_one_group() {
    let reports = nine_reports();
    let messages: BTreeSet<&str> = reports.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages.len(), 9, "their messages differ: only the stacks put them together");
    // In any order, including from the last to the first.
    for is_reversed in [false, true] {
        let mut reports = reports.clone();
        if is_reversed {
            reports.reverse();
        }
        let mut groups = Groups::new();
        for (idx, finding) in reports.iter().enumerate() {
            let (_, is_new) = groups.insert(finding, Language::SmtLib);
            assert_eq!(is_new, idx == 0, "{}", finding.title());
        }
        assert_eq!(groups.len(), 1);
        assert_eq!(groups.iter().next().unwrap().n_members, 9);
    }
}

#[test]
fn other_reports_stay_apart() {
    let mut groups = Groups::new();
    groups.insert(&nine_reports()[0], Language::SmtLib);
    let others = [
        // The same function on top, at another line and reached from somewhere else.
        crash(&[("btor_exp_cond", "/src/btorexp.c:260"), ("parse_cond", "/src/parser/btorbtor.c:9")], 20),
        // The same path through the engine, but another pass.
        crash(
            &[
                ("btor_node_copy", "/src/btornode.c:1"),
                ("fix_quantifier_polarities", "/src/preprocess/btornormquant.c:373"),
                ("simplify", "/src/btorslvquant.c:2570"),
                ("sat_quant_solver", "/src/btorslvquant.c:2611"),
            ],
            21,
        ),
        // Only the outer frames in common.
        crash(
            &[("btor_bv_to_char", "/src/btorbv.c:660"), ("parse_consth", "/src/parser/btorbtor.c:593")],
            22,
        ),
    ];
    for (idx, finding) in others.iter().enumerate() {
        let (_, is_new) = groups.insert(finding, Language::SmtLib);
        assert!(is_new, "{}", finding.title());
        assert_eq!(groups.len(), idx + 2);
    }
}

#[test]
fn one_message_is_one_group_and_solvers_are_not_mixed() {
    let failed = |solver: &str, line: &str, value: &str| {
        let text = format!("{solver}: /build/{value}/src/a.c:{line}: f: Assertion `x == {value}' failed.\n");
        only_finding(solver, &seen(ProcessEnd::Signal(6), b"", text.as_bytes(), Language::SmtLib))
    };
    let mut groups = Groups::new();
    assert!(groups.insert(&failed("z3", "3", "x1"), Language::SmtLib).1);
    assert!(!groups.insert(&failed("z3", "3", "x1"), Language::Btor).1);
    assert!(groups.insert(&failed("z3", "4", "x1"), Language::SmtLib).1, "another line");
    assert!(groups.insert(&failed("cvc5", "3", "x1"), Language::SmtLib).1, "another solver");
}

#[test]
fn a_silent_crash_is_grouped_by_its_signal() {
    let died =
        |solver, signal| only_finding(solver, &seen(ProcessEnd::Signal(signal), b"", b"", Language::SmtLib));
    let hidden = only_finding(
        "boolector",
        &seen(ProcessEnd::Exit(11), b"unknown\n", b"[btormain] CAUGHT SIGNAL 11\n", Language::SmtLib),
    );
    let mut groups = Groups::new();
    assert!(groups.insert(&died("boolector", 11), Language::SmtLib).1);
    assert!(!groups.insert(&hidden, Language::SmtLib).1, "the same signal, caught and reported");
    assert!(groups.insert(&died("boolector", 6), Language::SmtLib).1);
    assert!(groups.insert(&died("z3", 11), Language::SmtLib).1);
    assert!(groups.insert(&died("boolector", 11), Language::Btor).1, "another front end");
    assert!(hidden.is_coarse() && !nine_reports()[0].is_coarse());
}

#[test]
fn a_vague_message_does_not_overrule_stacks() {
    let died = |frame: &str| {
        let text = format!(
            "free(): invalid pointer\n#0  0x1234 in raise () from /lib/libc.so\n#1  0x1235 in {frame} () at a.c:3\n#2  0x1236 in main () at m.c:1\n"
        );
        only_finding("z3", &seen(ProcessEnd::Signal(6), b"", text.as_bytes(), Language::SmtLib))
    };
    let mut groups = Groups::new();
    assert!(groups.insert(&died("one"), Language::SmtLib).1);
    assert!(groups.insert(&died("two"), Language::SmtLib).1);
    assert!(!groups.insert(&died("one"), Language::SmtLib).1);
}

fn wrong(said: PrintedAnswer, by: Authority) -> Finding {
    let truth = if said == PrintedAnswer::Sat { PrintedAnswer::Unsat } else { PrintedAnswer::Sat };
    let kind = FindingKind::WrongAnswer { said, truth, by };
    Finding { solver: "z3".into(), kind, message: String::new(), stack: Vec::new() }
}

#[test]
fn wrong_answers_are_refined_by_the_operators_left() {
    let coarse = GroupKey::of(&wrong(PrintedAnswer::Sat, Authority::Options), Language::SmtLib);
    let other = GroupKey::of(&wrong(PrintedAnswer::Sat, Authority::Construction), Language::SmtLib);
    assert_eq!(coarse, other, "how the right answer is known is not part of the bug");
    assert_ne!(coarse, GroupKey::of(&wrong(PrintedAnswer::Unsat, Authority::Options), Language::SmtLib));
    let operators = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let one = refine(&coarse, &operators(&["bvsmod", "="]));
    assert_eq!(one, refine(&coarse, &operators(&["=", "bvsmod"])));
    assert_ne!(one, refine(&coarse, &operators(&["bvurem", "="])));
    assert_ne!(one, coarse);

    let mut groups = Groups::new();
    let finding = wrong(PrintedAnswer::Sat, Authority::Options);
    assert!(groups.insert_as(&one, &finding));
    assert!(!groups.insert_as(&one, &finding));
    assert_eq!(groups.find(&one).unwrap().n_members, 2);
    assert_eq!(
        groups.classify(&finding, Language::SmtLib),
        coarse,
        "a new one is reduced before it is compared"
    );
}

#[test]
fn keys_are_stable_and_fit_for_folders() {
    // Written into known lists by users: a change of this value breaks their files.
    let key = GroupKey::of(&wrong(PrintedAnswer::Unsat, Authority::Model), Language::SmtLib);
    assert_eq!(key.slug(), "z3-wrong-d220567f");
    assert!(key.slug().ends_with(key.id()) && key.id().len() == 8);
    let text = serde_json::to_string(&key).unwrap();
    assert_eq!(serde_json::from_str::<GroupKey>(&text).unwrap(), key);
    let finding = nine_reports().remove(0);
    let text = serde_json::to_string(&finding).unwrap();
    assert_eq!(serde_json::from_str::<Finding>(&text).unwrap(), finding);
}

#[test]
fn known_bugs_and_regressions() {
    let finding = wrong(PrintedAnswer::Unsat, Authority::Model);
    let mut groups = Groups::new();
    let (key, _) = groups.insert(&finding, Language::SmtLib);
    let mut state = |list: &str| groups.apply(&KnownList::parse(list).unwrap(), &key);
    assert_eq!(state(""), GroupState::New);
    assert_eq!(state("# nothing\n\n12345678\n"), GroupState::New);
    assert_eq!(state(&format!("{} reported in May\n", key.id())), GroupState::Known);
    assert_eq!(state(&format!("known {}\n", key.slug())), GroupState::Known);
    assert_eq!(state("known /^z3: answers unsat/\n"), GroupState::Known);
    assert_eq!(state("known /^cvc5/\n"), GroupState::New);
    assert_eq!(state(&format!("known /z3/\nfixed {}\n", key.id())), GroupState::Regression);
}

#[test]
fn a_bad_known_list_names_its_lines() {
    let errors = KnownList::parse("# fine\nnonsense\n/(/\n12345678\nfixed\n1234567G\n/\n").unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 3, 5, 6, 7]);
    assert!(errors[0].to_string().starts_with("line 2: `nonsense` is not a group"), "{}", errors[0]);
}

#[test]
fn many_findings_stay_cheap() {
    // 20,000 findings, 200 groups: by message, without a walk over the groups' stacks.
    let mut groups = Groups::new();
    for number in 0..20_000 {
        let kind = FindingKind::Assertion;
        let message = format!("a.c:{}: f: Assertion `x' failed.", number % 200);
        groups.insert(&Finding { solver: "s".into(), kind, message, stack: Vec::new() }, Language::SmtLib);
    }
    assert_eq!(groups.len(), 200);
    assert!(groups.iter().all(|group| group.n_members == 100));
}
