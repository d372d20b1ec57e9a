//! One broken rule per line: its kind and its span.
#![allow(clippy::unwrap_used)]

use nub_btor::{BtorDialect, BtorFile, FaultKind};

/// The kinds of all faults of `text` with the bytes they are about.
fn faults(text: &str, dialect: BtorDialect) -> Vec<(FaultKind, String)> {
    let file = BtorFile::read(text.as_bytes(), dialect);
    let shown = |span: nub_text::Span| String::from_utf8_lossy(span.slice(text.as_bytes())).into_owned();
    for fault in file.faults() {
        assert!(fault.diagnostic.hint.is_some() && !fault.diagnostic.message.is_empty());
    }
    file.faults().iter().map(|fault| (fault.kind, shown(fault.diagnostic.span))).collect()
}

#[track_caller]
fn check(dialect: BtorDialect, before: &str, line: &str, expected: &[(FaultKind, &str)]) {
    let found = faults(&format!("{before}{line}\n"), dialect);
    let expected: Vec<_> = expected.iter().map(|(kind, at)| (*kind, (*at).to_owned())).collect();
    assert_eq!(found, expected, "{line}");
}

const BTOR: &str = "1 var 8 x\n2 var 1 c\n3 array 8 3 a\n4 var 3 i\n5 const 8 00001111\n6 var 3\n";

#[test]
fn btor_lines_without_fault() {
    for line in [
        "7 add 8 1 -5",
        "  7\tadd  8 1\t5 ; comment",
        "7 add 8 1 5;comment",
        "",
        "; only a comment",
        "7 read 8 3 -4",
        "7 write 8 3 3 4 1",
        "7 acond 8 3 -2 3 3",
        "7 sll 8 1 4",
        "7 rol 8 1 -4",
        "7 redor 1 1",
        "7 slice 8 1 7 0",
        "7 slice 1 1 0 0 ; whole",
        "7 uext 8 1 0",
        "7 sext 9 1 1",
        "7 concat 16 1 1",
        "7 eq 1 3 3",
        "7 root 8 1",
        "7 root 1 2\n8 and 1 7 -2",
        "7 next 8 1 5",
        "7 anext 8 3 3 3",
        "7 constd 8 255",
        "7 consth 8 00fF",
        "7 zero 2147483646",
        "99999999 one 1",
        "7 var 1 ;symbol",
        "7 cond 8 2 1 5",
        "7 proxy 8 1",
        "7 implies 1 2 2",
        "7 sdivo 1 1 1",
        "7 array 1 1 b ; comment",
    ] {
        check(BtorDialect::Btor, BTOR, line, &[]);
    }
}

#[test]
fn btor_lines_with_a_fault() {
    use FaultKind::*;
    let cases: &[(&str, &[(FaultKind, &str)])] = &[
        ("add 8 1 1", &[(BadId, "add")]),
        ("0 add 8 1 1", &[(BadId, "0")]),
        ("-7 add 8 1 1", &[(BadId, "-7")]),
        ("07 add 8 1 1", &[(BadId, "07")]),
        ("4000000000 add 8 1 1", &[(HugeId, "4000000000")]),
        ("99999999999999999999999 add 8 1 1", &[(HugeId, "99999999999999999999999")]),
        ("1 zero 8", &[(DuplicateId, "1")]),
        ("7 ADD 8 1 1", &[(UnknownOperator, "ADD")]),
        ("7 input 8", &[(UnknownOperator, "input")]),
        ("7", &[(WrongArity, "7")]),
        ("7 add", &[(WrongArity, "")]),
        ("7 add 8 1", &[(WrongArity, "")]),
        ("7 add 8 1 1 1", &[(WrongArity, "1")]),
        ("7 add 8 1 1 x y", &[(WrongArity, "x y")]),
        ("7 var 1 x y", &[(WrongArity, "y")]),
        ("7 var 1 ; a comment", &[(CommentAsSymbol, ";")]),
        ("7 add 0 1 1", &[(BadNumber, "0")]),
        ("7 add eight 1 1", &[(BadNumber, "eight")]),
        ("7 add 2147483647 1 1", &[(HugeWidth, "2147483647")]),
        ("7 add 8 1 9", &[(UndefinedReference, "9")]),
        ("7 add 8 1 -7", &[(ForwardReference, "-7")]),
        ("7 add 8 1 8\n8 zero 8", &[(ForwardReference, "8")]),
        ("7 add 8 1 --1", &[(BadNumber, "--1")]),
        ("7 add 8 1 0", &[(BadNumber, "0")]),
        ("7 add 8 1 4", &[(WrongWidth, "4")]),
        ("7 add 9 1 1", &[(WrongWidth, "9")]),
        ("7 add 8 1 3", &[(WrongSort, "3")]),
        ("7 ult 8 1 1", &[(WrongWidth, "8")]),
        ("7 redor 1 2", &[(ReducedOneBit, "2")]),
        ("7 redor 8 1", &[(WrongWidth, "8")]),
        ("7 sll 8 1 1", &[(ShiftWidth, "1")]),
        ("7 sll 3 4 6", &[(ShiftWidth, "6")]),
        ("7 slice 8 1 8 1", &[(SliceOutOfRange, "8")]),
        ("7 slice 1 1 3 4", &[(SliceOutOfRange, "4")]),
        ("7 slice 2 1 99999999999999999999 1", &[(SliceOutOfRange, "99999999999999999999")]),
        ("7 uext 8 1 2147483646", &[(HugeWidth, "2147483646")]),
        ("7 read 8 -3 4", &[(NegatedArray, "-3")]),
        ("7 read 8 3 1", &[(WrongWidth, "1")]),
        ("7 read 8 1 4", &[(WrongSort, "1")]),
        ("7 write 8 4 3 4 1", &[(IndexWidth, "4")]),
        ("7 write 7 3 3 4 1", &[(WrongWidth, "7")]),
        ("7 write 8 3 3 4 4", &[(WrongWidth, "4")]),
        ("7 acond 8 2 2 3 3", &[(IndexWidth, "2")]),
        ("7 cond 8 1 1 1", &[(WrongWidth, "1")]),
        ("7 eq 1 1 3", &[(WrongSort, "3")]),
        ("7 const 8 0101", &[(BadConstant, "0101")]),
        ("7 const 2 02", &[(BadConstant, "02")]),
        ("7 constd 8 256", &[(BadConstant, "256")]),
        ("7 constd 8 -1", &[(BadConstant, "-1")]),
        ("7 consth 8 100", &[(BadConstant, "100")]),
        ("7 root 1 1", &[(WrongWidth, "1")]),
        ("7 root 8 3", &[(WrongSort, "3")]),
        ("7 next 8 5 1", &[(InitOnInput, "5")]),
        ("7 next 8 -1 1", &[(NegatedState, "-1")]),
        ("7 next 8 1 1\n8 next 8 1 5", &[(SecondNext, "1")]),
        ("7 next 8 1 5\n8 not 8 7", &[(NotANode, "7")]),
        ("7 next 8 3 3", &[(InitOnInput, "3")]),
        ("7 nego 1 1", &[(OldDialect, "nego")]),
        ("7 nego 1 1 5", &[(OldDialect, "nego")]),
        ("7 cond 8 2 3 3\n8 read 8 7 4", &[(OldDialect, "cond")]),
        ("7 write 8 3 4 1\n8 eq 1 7 3", &[(OldDialect, "write")]),
        ("7 array 8 b\n8 read 8 7 1", &[(OldDialect, "array")]),
        ("7 array 8 b\n8 array 8 3\n9 cond 8 2 7 8", &[(OldDialect, "array"), (OldDialect, "cond")]),
        ("7 array 8", &[(IndexWidth, "array"), (OldDialect, "array")]),
        ("7 add 8 1 1\r", &[(CarriageReturn, "\r")]),
        ("7 add 8 1 \0", &[(BadNumber, "\0")]),
    ];
    for (line, expected) in cases {
        check(BtorDialect::Btor, BTOR, line, expected);
    }
}

const BTOR2: &str = "1 sort bitvec 1\n2 sort bitvec 8\n3 sort bitvec 3\n4 sort array 3 2\n5 input 2 x\n6 input 1\n\
                     7 zero 2\n8 state 2 s\n9 state 4 a\n10 input 3 i\n11 constd 2 -128\n";

#[test]
fn btor2_lines_without_fault() {
    for line in [
        "12 add 2 5 -8",
        "  12 add 2 5 8 name ; comment",
        "12 add 2 5 8 ; comment",
        "1099511627776 add 2 5 8",
        "12 sort bitvec 2147483646",
        "12 sort bitvec 8\n13 add 12 5 8",
        "12 init 2 8 7",
        "12 init 4 9 7",
        "12 init 4 9 -7",
        "12 state 2\n13 init 2 12 8",
        "12 next 2 8 5",
        "12 bad 6 symbol",
        "12 justice 2 6 -6 j",
        "12 output 5",
        "12 redor 1 6",
        "12 sll 3 10 10",
        "12 ite 4 6 9 9",
        "12 neq 1 9 9",
        "12 write 4 9 10 5",
        "12 slice 1 5 7 7",
    ] {
        check(BtorDialect::Btor2, BTOR2, line, &[]);
    }
}

#[test]
fn btor2_lines_with_a_fault() {
    use FaultKind::*;
    let cases: &[(&str, &[(FaultKind, &str)])] = &[
        ("12  add 2 5 8", &[(Spacing, "12  add 2 5 8")]),
        ("12\tadd 2 5 8", &[(Spacing, "12\tadd 2 5 8")]),
        ("12 add 2 5 8 ", &[(Spacing, "12 add 2 5 8 ")]),
        ("12 add 2 5 8;c", &[(Spacing, "12 add 2 5 8;c")]),
        ("\t12 add 2 5 8", &[(Spacing, "\t12 add 2 5 8")]),
        ("10 add 2 5 8", &[(DuplicateId, "10")]),
        ("13 zero 2\n12 zero 2", &[(DescendingId, "12")]),
        ("1099511627777 zero 2", &[(HugeId, "1099511627777")]),
        ("12 var 2", &[(UnknownOperator, "var")]),
        ("12 root 6", &[(UnknownOperator, "root")]),
        ("12 sort vector 2", &[(UnknownOperator, "vector")]),
        ("12 sort bitvec 0", &[(BadNumber, "0")]),
        ("12 sort bitvec 2147483647", &[(HugeWidth, "2147483647")]),
        ("12 sort bitvec 99999999999999999999", &[(HugeWidth, "99999999999999999999")]),
        ("12 sort array 4 2", &[(NestedArray, "4")]),
        ("12 add 5 5 8", &[(NotASort, "5")]),
        ("12 add 99 5 8", &[(UndefinedReference, "99")]),
        ("12 add 2 5 3", &[(NotANode, "3")]),
        ("12 bad 6\n13 not 1 12", &[(NotANode, "12")]),
        ("12 add 1 5 8", &[(WrongWidth, "1")]),
        ("12 sll 2 5 10", &[(ShiftWidth, "10")]),
        ("12 read 2 -9 10", &[(NegatedArray, "-9")]),
        ("12 slice 1 10 7 7", &[(SliceOutOfRange, "7")]),
        ("12 init 2 -8 7", &[(NegatedState, "-8")]),
        ("12 init 2 5 7", &[(InitOnInput, "5")]),
        ("12 init 2 8 7\n13 init 2 8 7", &[(SecondInit, "8")]),
        ("12 next 2 8 7\n13 next 2 8 7", &[(SecondNext, "8")]),
        ("12 init 2 8 11", &[(InitOrder, "8")]),
        ("12 not 2 5\n13 state 2\n14 init 2 13 12", &[(InitDependsOnInput, "12")]),
        ("12 state 4\n13 not 2 7\n14 state 4\n15 init 4 14 13", &[(WrongSort, "13")]),
        ("12 next 4 9 7", &[(WrongSort, "7")]),
        ("12 next 2 8 10", &[(WrongWidth, "10")]),
        ("12 next 3 8 10", &[(WrongWidth, "8")]),
        ("12 bad 5", &[(WrongWidth, "5")]),
        ("12 bad 9", &[(WrongSort, "9")]),
        ("12 output 9", &[(WrongSort, "9")]),
        ("12 justice 3 6 6", &[(WrongArity, "")]),
        ("12 justice 99999999999 6", &[(WrongArity, "")]),
        ("12 zero 4", &[(WrongSort, "zero")]),
        ("12 constd 2 -129", &[(BadConstant, "-129")]),
        ("12 add 2 5 8 two words", &[(WrongArity, "words")]),
    ];
    for (line, expected) in cases {
        check(BtorDialect::Btor2, BTOR2, line, expected);
    }
}

#[test]
fn a_missing_last_newline() {
    assert_eq!(faults("1 zero 8", BtorDialect::Btor), [(FaultKind::MissingNewline, "8".to_owned())]);
    assert_eq!(faults("; comment", BtorDialect::Btor2), [(FaultKind::MissingNewline, "t".to_owned())]);
    assert_eq!(faults("", BtorDialect::Btor2), []);
}

#[test]
fn one_mistake_is_reported_once() {
    // Nothing is known about 7, so nothing is reported about its uses.
    let text = "1 var 8\n7 frob 8 1\n8 add 8 7 1\n9 ult 1 8 7\n10 root 1 9\n";
    assert_eq!(faults(text, BtorDialect::Btor), [(FaultKind::UnknownOperator, "frob".to_owned())]);
}
