//! Hostile files: deep, wide, long, truncated. No panic on a stack of 2 MiB, memory in proportion to the file.
#![allow(clippy::unwrap_used)]

use nub_bitvec::{Datum, Value};
use nub_btor::{
    BadStateStep, BtorDialect, BtorFile, BtorModel, FaultKind, Tag, check, convert, eval, print, to_smtlib,
    unroll,
};

/// Runs on a stack of 2 MiB, which deep recursion would overflow.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_chain_of_100_000_nodes() {
    on_a_small_stack(|| {
        const DEPTH: usize = 100_000;
        let mut text = String::from("1 var 4 x\n2 zero 1\n");
        for id in 3..DEPTH {
            let before = if id == 3 { 1 } else { id - 1 };
            text.push_str(&format!("{id} add 4 {before} -{before}\n"));
        }
        text.push_str(&format!("{DEPTH} root 4 {}\n", DEPTH - 1));
        let file = BtorFile::read(text.as_bytes(), BtorDialect::Btor);
        assert_eq!(file.n_faults(), 0);
        let model = BtorModel::of(&file).unwrap();
        let btor2 = convert(&model, BtorDialect::Btor2).unwrap();
        assert!(
            BtorModel::of(&BtorFile::read(&print(&btor2, BtorDialect::Btor2), BtorDialect::Btor2)).unwrap()
                == btor2
        );
        assert!(to_smtlib(&model).unwrap().len() < 100 * DEPTH);
        assert!(unroll(&model, 3, BadStateStep::UpTo).unwrap().nodes().len() > DEPTH);
        let values = eval::evaluate(&model, |_| Datum::Bits(Value::one(4))).unwrap();
        assert!(values.is_set(model.properties()[0].refs[0]));
    });
}

#[test]
fn a_chain_of_forward_references() {
    on_a_small_stack(|| {
        let lines: Vec<String> = (1..50_000).map(|id| format!("{id} not 8 {}\n", id % 49_999 + 1)).collect();
        let file = BtorFile::read(lines.concat().as_bytes(), BtorDialect::Btor);
        // All lines except the last, which closes the cycle.
        assert_eq!(file.n_faults(), 49_998);
        assert!(file.faults().iter().all(|fault| fault.kind == FaultKind::ForwardReference));
        assert!(file.faults().len() < 100, "only the first are kept");
    });
}

#[test]
fn widths_cost_nothing() {
    let text = "1 sort bitvec 2147483646\n2 sort array 1 1\n3 input 1\n4 zero 1\n5 state 2\n6 init 2 5 4\n7 constd 1 -1\n\
                8 sdiv 1 3 7\n9 sort bitvec 1\n10 redxor 9 8\n11 bad 10\n12 read 1 5 3\n13 ugt 9 12 -4\n14 bad 13\n";
    check::check(text.as_bytes());
    let model = BtorModel::of(&BtorFile::read(text.as_bytes(), BtorDialect::Btor2)).unwrap();
    let too_wide = eval::evaluate(&model, |_| panic!("not even asked"));
    assert_eq!(too_wide, Err(eval::TooWide));
}

#[test]
fn a_wide_shift_has_no_power_of_two() {
    let text =
        "1 sort bitvec 2000000000\n2 input 1\n3 sll 1 2 2\n4 sort bitvec 1\n5 redor 4 3\n6 constraint 5\n";
    let model = BtorModel::of(&BtorFile::read(text.as_bytes(), BtorDialect::Btor2)).unwrap();
    let refusal = convert(&model, BtorDialect::Btor).unwrap_err();
    assert!(refusal.message.contains("bits") && !refusal.hint.is_empty(), "{refusal}");
    assert!(to_smtlib(&model).is_ok());
}

#[test]
fn long_numerals_and_long_lines() {
    on_a_small_stack(|| {
        let nines = "9".repeat(1_000_000);
        let id = format!("{nines} var 8\n");
        assert!(BtorFile::read(id.as_bytes(), BtorDialect::Btor).fault_kinds().contains(FaultKind::HugeId));
        let width = format!("1 var {nines}\n");
        assert!(
            BtorFile::read(width.as_bytes(), BtorDialect::Btor).fault_kinds().contains(FaultKind::HugeWidth)
        );
        let constant = format!("1 constd 8 {nines}\n");
        assert!(
            BtorFile::read(constant.as_bytes(), BtorDialect::Btor)
                .fault_kinds()
                .contains(FaultKind::BadConstant)
        );
        let justice = format!("1 sort bitvec 1\n2 input 1\n3 justice 300000{}\n", " 2".repeat(300_000));
        assert!(BtorModel::of(&BtorFile::read(justice.as_bytes(), BtorDialect::Btor2)).is_ok());
        let wide = format!("1 const 1000000 {}\n2 root 1000000 1\n", "10".repeat(500_000));
        let model = BtorModel::of(&BtorFile::read(wide.as_bytes(), BtorDialect::Btor)).unwrap();
        assert_eq!(print(&model, BtorDialect::Btor), wide.as_bytes());
    });
}

#[test]
fn ids_far_apart() {
    let text = "1000000000000 sort bitvec 8\n1000000000007 input 1000000000000\n1099511627776 not 1000000000000 -1000000000007\n";
    let file = BtorFile::read(text.as_bytes(), BtorDialect::Btor2);
    assert_eq!(file.n_faults(), 0);
    assert_eq!(file.line(file.by_id(1 << 40).unwrap()).tag, Some(Tag::Not));
    assert_eq!(file.by_id(1_000_000_000_001), None);
}

#[test]
fn every_byte_in_every_place_of_a_line() {
    for dialect_line in ["2 add 8 1 1 ; c\n", "2 not 1 -1 s\n"] {
        for at in 0..dialect_line.len() {
            for byte in 0..=255u8 {
                let mut text = b"1 var 8 x\n".to_vec();
                let start = text.len();
                text.extend_from_slice(dialect_line.as_bytes());
                text[start + at] = byte;
                check::check(&text);
            }
        }
    }
}
