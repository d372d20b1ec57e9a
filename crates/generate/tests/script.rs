//! Laws for scripts over all theories: well sorted, the same for the same seed, and every operator of the table occurs.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests write files

use nub_generate::{Arithmetic, ExpectedStatus, Fragment, ScriptConfig, ScriptDialect, Scripts, Theories};
use nub_smtlib::{CommandKind, Script};
use std::collections::{BTreeMap, BTreeSet};

fn base(theories: &str) -> ScriptConfig {
    ScriptConfig { theories: theories.parse().unwrap(), ..ScriptConfig::default() }
}

/// Options that reach every part of the generator.
fn configs() -> Vec<ScriptConfig> {
    let all = || base("all");
    let mut configs: Vec<ScriptConfig> =
        Fragment::ALL.into_iter().map(|fragment| base(fragment.name())).collect();
    for theories in
        ["core", "all", "bv,arrays", "bv,fp", "fp,reals", "ints,reals", "uf,datatypes,quantifiers"]
    {
        configs.push(base(theories));
    }
    configs.extend([
        ScriptConfig { terms: 1, assertions: 1, vars: 0, ..all() },
        ScriptConfig { terms: 3, assertions: 40, ..all() },
        ScriptConfig { terms: 600, assertions: 2, ..all() },
        ScriptConfig { depth: 1, ..all() },
        ScriptConfig { max_width: 1, ..all() },
        ScriptConfig { max_width: 200, theories: "bv,fp".parse().unwrap(), ..all() },
        ScriptConfig { vars: 0, ..all() },
        ScriptConfig { vars: 40, ..all() },
        ScriptConfig { incremental: true, models: true, cores: true, ..all() },
        ScriptConfig { arithmetic: Arithmetic::Linear, ..all() },
        ScriptConfig { arithmetic: Arithmetic::Nonlinear, ..all() },
        ScriptConfig { status: Some(ExpectedStatus::Unsat), incremental: true, cores: true, ..all() },
    ]);
    let sat = Some(ExpectedStatus::Sat);
    for theories in ["core", "bv", "arrays", "bv,arrays", "fp", "bv,fp", "fp,arrays", "bv,fp,arrays"] {
        configs.push(ScriptConfig { status: sat, ..base(theories) });
        configs.push(ScriptConfig { status: sat, incremental: true, models: true, ..base(theories) });
    }
    for dialect in [ScriptDialect::Standard, ScriptDialect::Z3, ScriptDialect::Cvc5] {
        configs.push(ScriptConfig { dialect, ..all() });
    }
    configs
}

fn text(scripts: &Scripts, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    scripts.write(seed, &mut text).unwrap();
    text
}

#[test]
fn scripts_are_well_sorted_and_all_they_use_is_declared() {
    for config in configs() {
        let scripts = Scripts::new(config.clone()).unwrap();
        for seed in 0..40 {
            let text = text(&scripts, seed);
            let (script, diagnostics) = Script::parse(&text);
            let analysis = script.analyse();
            let shown = String::from_utf8_lossy(&text);
            assert!(diagnostics.is_empty(), "{config:?}, seed {seed}: {diagnostics:?}\n{shown}");
            assert!(
                analysis.errors().is_empty(),
                "{config:?}, seed {seed}: {:?}\n{shown}",
                analysis.errors()
            );
            let unknown: Vec<_> =
                analysis.unknown().iter().map(|node| String::from_utf8_lossy(script.slice(*node))).collect();
            assert!(unknown.is_empty(), "{config:?}, seed {seed}: {unknown:?}\n{shown}");
        }
    }
}

/// A parameter may have the name of a constant, but two of them may not have the same.
#[test]
fn variables_of_a_binder_have_different_names() {
    let few = |theories| ScriptConfig { vars: 2, max_width: 4, terms: 30, ..base(theories) };
    for config in [few("bv"), few("bv,quantifiers"), few("core")] {
        let scripts = Scripts::new(config.clone()).unwrap();
        for seed in 0..500 {
            let text = text(&scripts, seed);
            let (script, _) = Script::parse(&text);
            let mut names = BTreeSet::new();
            for decl in script.analyse().decls().iter().filter(|decl| decl.is_local()) {
                let is_new = names.insert((decl.binder, script.slice(decl.name)));
                assert!(is_new, "{config:?}, seed {seed}:\n{}", String::from_utf8_lossy(&text));
            }
        }
    }
}

#[test]
fn same_seed_same_bytes() {
    for config in configs() {
        let (one, other) = (Scripts::new(config.clone()).unwrap(), Scripts::new(config).unwrap());
        assert_eq!(text(&one, 5), text(&other, 5));
        assert_ne!(text(&one, 5), text(&one, 6));
    }
}

/// Operators of a set of theories that occur in the scripts of some seeds.
fn seen(scripts: &Scripts, n_seeds: u64) -> BTreeSet<&'static str> {
    let mut seen = BTreeSet::new();
    for seed in 0..n_seeds {
        let text = text(scripts, seed);
        let (script, _) = Script::parse(&text);
        let analysis = script.analyse();
        let nodes = script.tree().nodes();
        seen.extend(nodes.filter_map(|node| analysis.op_of(node)).map(|op| op.name));
    }
    seen
}

#[test]
fn every_operator_occurs() {
    for dialect in ScriptDialect::ALL {
        let scripts = Scripts::new(ScriptConfig { dialect, terms: 300, ..base("all") }).unwrap();
        let seen = seen(&scripts, 300);
        let missing: Vec<&str> = scripts.operators().filter(|name| !seen.contains(name)).collect();
        assert!(missing.is_empty(), "{dialect}: {missing:?}");
    }
    // A theory alone lacks only the operators that convert to or from another theory.
    let alone = [
        ("core", vec![]),
        ("bv", vec!["bv2nat"]),
        ("fp", vec!["fp.to_real", "fp.to_sbv", "fp.to_ubv", "to_fp_unsigned"]),
        ("arrays", vec![]),
        ("ints", vec!["/", "is_int", "to_int", "to_real"]),
        ("reals", vec!["abs", "div", "is_int", "mod", "to_int", "to_real"]),
        ("strings", vec!["/", "is_int", "to_int", "to_real"]),
        ("datatypes", vec![]),
    ];
    for (theories, expected) in alone {
        let scripts = Scripts::new(ScriptConfig { terms: 200, ..base(theories) }).unwrap();
        let seen = seen(&scripts, 200);
        let mut missing: Vec<&str> = scripts.operators().filter(|name| !seen.contains(name)).collect();
        missing.sort_unstable();
        assert_eq!(missing, expected, "{theories}");
    }
}

/// Constructs that a generator for all theories must produce, as text that must occur somewhere.
#[test]
fn corners_and_constructs_occur() {
    let scripts = Scripts::new(ScriptConfig { terms: 200, ..base("all") }).unwrap();
    let all: String = (0..300).map(|seed| String::from_utf8(text(&scripts, seed)).unwrap()).collect();
    for needed in [
        "(forall ((",
        "(exists ((",
        ":pattern ((",
        "(match ",
        "(let ((",
        "(define-fun ",
        "(define-fun-rec ",
        "(par (T) ",
        "(as c",
        "((as const (Array ",
        "(declare-sort ",
        "(declare-datatype ",
        "|s",
        "(_ NaN ",
        "(_ -zero ",
        "(_ +oo ",
        "RoundingMode",
        "\\u{1F600}",
        "\"\"",
        "(/ (- ",
        "18446744073709551616",
        "(Array Int (Array ",
        "(_ re.loop ",
        "(_ is c",
        "(_ char #x",
        "(declare-fun ",
    ] {
        assert!(all.contains(needed), "{needed}");
    }
}

#[test]
fn incremental_scripts_are_balanced_and_ask_often() {
    let config = ScriptConfig { incremental: true, models: true, ..base("all") };
    let scripts = Scripts::new(config).unwrap();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..60 {
        let text = String::from_utf8(text(&scripts, seed)).unwrap();
        let mut n_open = 0i64;
        for line in text.lines() {
            let mut words = line.trim_start_matches('(').trim_end_matches(')').split(' ');
            let word = words.next().unwrap();
            let mut number = || words.next().unwrap().parse::<i64>().unwrap();
            n_open += match word {
                "push" => number(),
                "pop" => -number(),
                _ => 0,
            };
            assert!(n_open >= 0, "{text}");
        }
        assert_eq!(n_open, 0, "{text}");
        for word in [
            "(push ",
            "(pop ",
            "(check-sat)",
            "(check-sat-assuming (",
            "(get-value (",
            "(declare-const |local",
            "(get-model)",
        ] {
            *counts.entry(word).or_default() += text.matches(word).count() as u32;
        }
    }
    assert!(counts.values().all(|count| *count > 0), "{counts:?}");
    assert!(counts["(check-sat)"] > 60 && counts["(get-model)"] == 60, "{counts:?}");
}

#[test]
fn cores_have_names_for_all_assertions() {
    let scripts = Scripts::new(ScriptConfig { cores: true, ..base("ints") }).unwrap();
    let text = String::from_utf8(text(&scripts, 1)).unwrap();
    assert!(
        text.contains("(set-option :produce-unsat-cores true)\n") && text.ends_with("(get-unsat-core)\n")
    );
    assert_eq!(text.matches("(assert (! ").count(), 6);
    assert_eq!(text.matches(":named ").count(), 6);
}

#[test]
fn sizes_are_as_asked() {
    let config = ScriptConfig { terms: 400, assertions: 10, ..base("bv") };
    let scripts = Scripts::new(config).unwrap();
    let n_seeds = 50;
    let mut n_terms = 0;
    for seed in 0..n_seeds {
        let text = text(&scripts, seed);
        let (script, _) = Script::parse(&text);
        let n_asserts = script.commands().filter(|(_, kind)| *kind == CommandKind::Assert).count();
        assert_eq!(n_asserts, 10);
        let analysis = script.analyse();
        let nodes = script.tree().nodes();
        n_terms += nodes.filter(|node| script.tree().is_list(*node) && analysis.head(*node).is_some()).count()
            as u64;
    }
    let average = n_terms / n_seeds;
    assert!((300..600).contains(&average), "{average}");
}

/// As in `golden.rs` for graphs: a seed in a bug report must still give the same script next year.
#[track_caller]
fn check_golden(name: &str, config: ScriptConfig) {
    let text = text(&Scripts::new(config).unwrap(), 2008);
    let path = format!("{}/tests/golden/script-{name}.smt2", env!("CARGO_MANIFEST_DIR"));
    nub_test_kit::assert_golden(path.as_ref(), text);
}

#[test]
fn golden_scripts() {
    check_golden("all", ScriptConfig { terms: 60, ..base("all") });
    let incremental =
        ScriptConfig { incremental: true, models: true, cores: true, terms: 30, ..base("ints,uf") };
    check_golden("incremental", incremental);
    check_golden("sat", ScriptConfig { status: Some(ExpectedStatus::Sat), terms: 40, ..base("bv,arrays") });
    check_golden("sat-fp", ScriptConfig { status: Some(ExpectedStatus::Sat), terms: 40, ..base("bv,fp") });
    check_golden(
        "unsat",
        ScriptConfig { status: Some(ExpectedStatus::Unsat), terms: 40, ..base("fp,strings") },
    );
}

#[test]
fn wishes_that_cannot_be_met_are_refused() {
    let strings = ScriptConfig { status: Some(ExpectedStatus::Sat), ..base("strings") };
    assert_eq!(Scripts::new(strings).unwrap_err().option, "status");
    let theories: Theories = "bv".parse().unwrap();
    assert!(theories.has(Fragment::Bv) && !theories.has(Fragment::Fp));
}
