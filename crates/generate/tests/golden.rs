//! Files that must be the same on every machine, forever: a seed in a bug report must still give the same file next year.
//! `UPDATE_EXPECT=1` rewrites them, which is only meant for deliberate changes to every file.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests write files

use nub_generate::{ExpectedStatus, Files, FormulaFormat, GenerateConfig, Ratio};

#[track_caller]
fn check(name: &str, config: GenerateConfig, format: FormulaFormat) {
    let mut text = Vec::new();
    Files::new(config, format).unwrap().write(2008, &mut text).unwrap();
    let path = format!("{}/tests/golden/{name}.{}", env!("CARGO_MANIFEST_DIR"), format.name());
    nub_test_kit::assert_golden(path.as_ref(), text);
}

fn small() -> GenerateConfig {
    GenerateConfig { nodes: 40, ..GenerateConfig::default() }
}

#[test]
fn defaults() {
    check("defaults", GenerateConfig::default(), FormulaFormat::Btor);
}

#[test]
fn old_format() {
    check("old", GenerateConfig { oldformat: true, all: true, ..small() }, FormulaFormat::Btor);
}

#[test]
fn cnf_layer() {
    check(
        "cnf-layer",
        GenerateConfig { cnf: true, clauses: Ratio::thousandths(1_250), ..small() },
        FormulaFormat::Btor2,
    );
}

#[test]
fn satisfiable() {
    check(
        "sat",
        GenerateConfig { status: Some(ExpectedStatus::Sat), maxwidth: 70, more_ops: true, ..small() },
        FormulaFormat::SmtLib,
    );
}

#[test]
fn contradiction() {
    check("unsat", GenerateConfig { status: Some(ExpectedStatus::Unsat), ..small() }, FormulaFormat::Btor);
}

#[test]
fn shape() {
    check("shape", GenerateConfig { per_layer: vec![9, 3], ..small() }, FormulaFormat::Btor);
}

#[test]
fn system() {
    check("system", GenerateConfig { states: 3, constraints: 1, ..small() }, FormulaFormat::Btor2);
}

#[test]
fn dimacs() {
    let config = GenerateConfig { vars: 8, k: 3, status: Some(ExpectedStatus::Unsat), ..small() };
    check("unsat", config, FormulaFormat::Dimacs);
}
