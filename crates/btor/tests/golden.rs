//! Listings of the thesis and small models, with the expected results. `UPDATE_EXPECT=1` writes the expected files.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_btor::{BadStateStep, BtorDialect, BtorFile, BtorModel, convert, print, to_smtlib, unroll};
use nub_test_kit::assert_golden;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The input files: those whose name has one dot.
fn inputs() -> Vec<PathBuf> {
    let is_input = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().matches('.').count() == 1;
    let mut paths: Vec<_> = folder().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(is_input);
    paths.sort();
    paths
}

fn read(path: &Path) -> BtorModel {
    let text = std::fs::read(path).unwrap();
    let file = BtorFile::read(&text, BtorDialect::guess(&text).unwrap());
    BtorModel::of(&file).unwrap_or_else(|faults| panic!("{}: {faults:?}", path.display()))
}

#[test]
fn conversions() {
    assert!(inputs().len() >= 12, "the listings are there");
    for path in inputs() {
        let model = read(&path);
        let other = if path.extension().unwrap() == "btor" { BtorDialect::Btor2 } else { BtorDialect::Btor };
        let steps =
            if model.is_combinational() { model } else { unroll(&model, 2, BadStateStep::UpTo).unwrap() };
        let converted = convert(&steps, other).unwrap();
        let text = print(&converted, other);
        assert!(BtorFile::read(&text, other).faults().is_empty(), "{}", path.display());
        let suffix = if other == BtorDialect::Btor { "out.btor" } else { "out.btor2" };
        assert_golden(&path.with_extension(suffix), text);
        assert_golden(&path.with_extension("out.smt2"), to_smtlib(&steps).unwrap());
    }
}

#[test]
fn sequential_btor_becomes_a_transition_system() {
    let model = convert(&read(&folder().join("sequential.btor")), BtorDialect::Btor2).unwrap();
    let text = print(&model, BtorDialect::Btor2);
    assert!(BtorFile::read(&text, BtorDialect::Btor2).faults().is_empty());
    assert_golden(&folder().join("sequential.system.btor2"), text);
    // And back, if BTOR can express it.
    assert!(convert(&model, BtorDialect::Btor).unwrap_err().message.contains("bad"));
}

#[test]
fn what_cannot_be_said_is_refused_with_its_line() {
    let text = b"1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 fair 3\n";
    let file = BtorFile::read(text, BtorDialect::Btor2);
    let model = BtorModel::of(&file).unwrap();
    let at = |refusal: nub_btor::ConversionRefusal| {
        let span = refusal.diagnostic(&file).span;
        String::from_utf8_lossy(span.slice(text)).into_owned()
    };
    assert_eq!(at(convert(&model, BtorDialect::Btor).unwrap_err()), "init");
    assert_eq!(at(to_smtlib(&model).unwrap_err()), "init");
    assert_eq!(at(unroll(&model, 1, BadStateStep::UpTo).unwrap_err()), "fair");
    assert!(unroll(&model, u32::MAX, BadStateStep::UpTo).is_err());
}
