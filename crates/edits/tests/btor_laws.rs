//! The laws of `btor::check` on random well-formed files.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

#[path = "../../btor/tests/common/mod.rs"]
mod common;

use common::{combinational, sequential};
use nub_btor::{BtorDialect, BtorFile, convert, print};
use nub_edits::btor::check::check_edits;

#[test]
fn random_files() {
    for seed in 0..40 {
        let model = combinational(seed, 30);
        for dialect in [BtorDialect::Btor, BtorDialect::Btor2] {
            let text = print(&convert(&model, dialect).unwrap(), dialect);
            assert!(BtorFile::read(&text, dialect).faults().is_empty());
            check_edits(&text);
        }
        let model = convert(&sequential(seed, 30, true), BtorDialect::Btor2).unwrap();
        check_edits(&print(&model, BtorDialect::Btor2));
    }
}
