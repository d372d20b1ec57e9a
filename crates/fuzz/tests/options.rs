//! Tables of options.

#![allow(clippy::unwrap_used)] // tests may panic

use std::collections::BTreeSet;

use nub_fuzz::{Batch, Language, OptionSet, Table};

const TABLE: &str = "\
# a solver
program foo foo-smt
languages smtlib btor
batch pushpop
always btor --btor
model btor -m -x   # two arguments
time-limit -t {seconds}
memory-limit --mem={megabytes}
hidden-signals 6 11

option flag --flag
option level -l {} ; values 0 1 2 ; conflicts flag
option seed --seed={} ; range -5 5 ; languages smtlib
option deep --deep ; requires level
option eager --eager ; logics QF_BV
";

fn sets(table: &Table, language: Language, logic: Option<&str>) -> Vec<OptionSet> {
    (0..20_000).map(|seed| table.choose_for(seed, language, logic)).collect()
}

#[test]
fn facts_are_read() {
    let table = Table::parse(TABLE).unwrap();
    assert_eq!(table.languages(), [Language::SmtLib, Language::Btor]);
    assert_eq!(table.batch(), Batch::PushPop);
    assert_eq!(
        (table.always(Language::Btor), table.always(Language::SmtLib)),
        (&["--btor".to_owned()][..], &[][..])
    );
    assert_eq!(table.model(Language::Btor), ["-m", "-x"]);
    assert_eq!(table.time_limit(3), ["-t", "3"]);
    assert_eq!(table.memory_limit(100), ["--mem=100"]);
    assert_eq!(table.hidden_signals(), [6, 11]);
    assert_eq!(table.n_options(), 5);
}

#[test]
fn choices_follow_the_rules() {
    let table = Table::parse(TABLE).unwrap();
    let mut seen = BTreeSet::new();
    for set in sets(&table, Language::SmtLib, None) {
        let has = |start: &str| set.args.iter().any(|args| args[0].starts_with(start));
        assert!(set.args.len() <= 4);
        assert!(!(has("--flag") && has("-l")), "{set}: they conflict");
        assert!(!has("--deep") || has("-l"), "{set}: it requires a level");
        assert!(!has("--eager"), "{set}: nobody said that the logic is QF_BV");
        seen.extend(set.args);
    }
    // --flag, -l with 3 values, --deep, --seed with 11 values: all of them occur.
    assert_eq!(seen.len(), 1 + 3 + 1 + 11, "{seen:?}");
    assert!(
        seen.contains(&vec!["-l".to_owned(), "2".to_owned()]) && seen.contains(&vec!["--seed=-5".to_owned()])
    );
    let btor = sets(&table, Language::Btor, None);
    assert!(btor.iter().flat_map(|set| &set.args).all(|args| !args[0].starts_with("--seed")));
    let eager = sets(&table, Language::SmtLib, Some("QF_BV"));
    assert!(eager.iter().flat_map(|set| &set.args).any(|args| args[0] == "--eager"));
}

#[test]
fn a_set_is_a_function_of_the_seed_and_often_empty() {
    for table in Table::shipped() {
        let language = table.languages()[0];
        let one = sets(&table, language, None);
        assert_eq!(one, sets(&table, language, None));
        let n_empty = one.iter().filter(|set| set.is_empty()).count();
        assert!((7_000..9_000).contains(&n_empty), "40 % of 20,000, not {n_empty}");
        let single: Vec<&Vec<String>> =
            one.iter().filter(|set| set.args.len() == 1).map(|set| &set.args[0]).collect();
        // Yices has one option that can be used alone in any logic, and one that needs it and so comes as a pair.
        let n_alone = single.iter().collect::<BTreeSet<_>>().len();
        let n_least = if n_alone == 1 { 2_000 } else { 3_000 };
        assert!(single.len() > n_least, "{} of {n_alone} options", single.len());
    }
}

#[test]
fn every_option_of_the_shipped_tables_can_be_chosen() {
    let logics = ["QF_BV", "QF_NRA", "QF_LIA", "QF_UF"];
    for table in Table::shipped() {
        let mut seen = BTreeSet::new();
        for language in table.languages() {
            for logic in logics {
                seen.extend(sets(&table, *language, Some(logic)).into_iter().flat_map(|set| set.args));
            }
        }
        for probe in table.probes(Language::SmtLib) {
            assert!(probe.set.args.iter().all(|args| seen.contains(args)), "{} is never chosen", probe.set);
        }
    }
}

#[test]
fn programs_find_their_tables() {
    let has = |name: &str| Table::for_program(name).map(|table| table.batch());
    for name in
        ["z3", "/opt/z3-4.8.7/bin/z3", "z3-4.8.10", "Z3.exe", "cvc5", "cvc5-Linux", "bitwuzla", "yices-smt2"]
    {
        assert_eq!(has(name), Some(Batch::Reset), "{name}");
    }
    assert_eq!(has("/usr/bin/boolector"), Some(Batch::None));
    for name in ["z3str", "z4", "", "/opt/z3/run.sh", "python3", "cvc50"] {
        assert_eq!(has(name), None, "{name}");
    }
}

#[test]
fn refused_options_are_left_out() {
    let table = Table::parse(TABLE).unwrap();
    let probes = table.probes(Language::SmtLib);
    let texts: Vec<String> = probes.iter().map(|probe| probe.set.to_string()).collect();
    let expected = ["--flag", "-l 0", "-l 1", "-l 2", "--seed=-5", "--seed=5", "-l 0 --deep", "--eager"];
    assert_eq!(texts, expected);

    let refuse = |refused: &[&str]| {
        let refused: Vec<_> = probes
            .iter()
            .filter(|probe| refused.contains(&probe.set.to_string().as_str()))
            .cloned()
            .collect();
        let left = table.without(&refused).probes(Language::SmtLib);
        left.iter().map(|probe| probe.set.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(refuse(&[]), expected);
    assert_eq!(refuse(&["-l 1", "--seed=5"]), ["--flag", "-l 0", "-l 2", "-l 0 --deep", "--eager"]);
    // `--deep` requires a level.
    assert_eq!(refuse(&["-l 0", "-l 1", "-l 2"]), ["--flag", "--seed=-5", "--seed=5", "--eager"]);
    assert!(refuse(&expected).is_empty());
}

#[test]
fn sets_are_reduced_one_by_one() {
    let set = OptionSet { args: vec![vec!["-l".into(), "2".into()], vec!["--flag".into()]] };
    assert_eq!(set.to_string(), "-l 2 --flag");
    assert_eq!(set.without(0).to_string(), "--flag");
    assert_eq!(set.without(1).to_string(), "-l 2");
    assert_eq!(set.without(7), set);
    assert_eq!(OptionSet::default().to_string(), "");
}

#[test]
fn errors_name_the_line_and_what_is_expected() {
    for (text, line, part) in [
        ("\nfoo bar\n", 2, "`foo` is unknown: expected one of program"),
        ("languages smt\n", 1, "`smt` is not a language"),
        ("batch often\n", 1, "expected reset, pushpop or none"),
        ("program\n", 1, "needs something after it"),
        ("option x\n", 1, "needs its arguments"),
        ("option x --x={}\n", 1, "needs `values` or `range`"),
        ("option x --x ; values 1 2\n", 1, "no `{}` to put them"),
        ("option x --x={} ; range 2 1\n", 1, "is not a range"),
        ("option x --x={} ; range -9223372036854775808 9223372036854775807\n", 1, "is not a range"),
        ("option x --x={} ; range 1\n", 1, "two ends"),
        ("option x --x={} ; range a b\n", 1, "`a` is not a number"),
        ("option x --x ; sometimes 3\n", 1, "`sometimes` is unknown after a semicolon"),
        ("option x --x\noption x --y\n", 2, "is given twice"),
        ("option y --y\noption x --x ; requires z\n", 2, "names `z`, which is not another option"),
        ("option x --x ; conflicts x\n", 1, "which is not another option"),
        ("time-limit -t\n", 1, "{seconds} or {milliseconds} must appear"),
        ("hidden-signals six\n", 1, "`six` is not a number"),
        ("always btor\n", 1, "arguments are missing"),
    ] {
        let error = Table::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn nothing_is_known_of_other_programs() {
    let table = Table::default();
    assert_eq!(table.languages(), Language::ALL);
    assert_eq!((table.batch(), table.n_options()), (Batch::None, 0));
    assert!(table.choose(1, Language::SmtLib).is_empty() && table.probes(Language::SmtLib).is_empty());
    assert_eq!(Table::parse("").unwrap(), table);
}
