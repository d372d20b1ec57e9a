//! Files as they must be on every machine, forever: a seed in a bug report has to mean the same file next year.
//! `UPDATE_EXPECT=1` rewrites them, which is for changes that mean to change every file.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests write files

use nub_generate::{Config, Files, Format, Ratio, Status};

#[track_caller]
fn check(name: &str, config: Config, format: Format) {
    let mut text = Vec::new();
    Files::new(config, format).unwrap().write(2008, &mut text).unwrap();
    let path = format!("{}/tests/golden/{name}.{}", env!("CARGO_MANIFEST_DIR"), format.name());
    nub_test_kit::assert_golden(path.as_ref(), text);
}

fn small() -> Config {
    Config { nodes: 40, ..Config::default() }
}

#[test]
fn defaults() {
    check("defaults", Config::default(), Format::Btor);
}

#[test]
fn old_format() {
    check("old", Config { oldformat: true, all: true, ..small() }, Format::Btor);
}

#[test]
fn cnf_layer() {
    check("cnf-layer", Config { cnf: true, clauses: Ratio::thousandths(1_250), ..small() }, Format::Btor2);
}

#[test]
fn satisfiable() {
    check(
        "sat",
        Config { status: Some(Status::Sat), maxwidth: 70, more_ops: true, ..small() },
        Format::SmtLib,
    );
}

#[test]
fn contradiction() {
    check("unsat", Config { status: Some(Status::Unsat), ..small() }, Format::Btor);
}

#[test]
fn shape() {
    check("shape", Config { per_layer: vec![9, 3], ..small() }, Format::Btor);
}

#[test]
fn system() {
    check("system", Config { states: 3, constraints: 1, ..small() }, Format::Btor2);
}

#[test]
fn dimacs() {
    let config = Config { vars: 8, k: 3, status: Some(Status::Unsat), ..small() };
    check("unsat", config, Format::Dimacs);
}
