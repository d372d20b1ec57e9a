//! Small files of every kind: what is read, and which faults are found where.
#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_dimacs::{ClauseId, DimacsFile, DimacsKind, FaultKind, FaultKind::*, Quantifier, check::check_read};

fn read(text: &str, kind: DimacsKind) -> DimacsFile {
    check_read(text.as_bytes());
    DimacsFile::read(text.into(), kind)
}

/// The clauses as signed integers.
fn clauses(file: &DimacsFile) -> Vec<Vec<i32>> {
    let numbers = |clause| file.literals_of(clause).iter().filter_map(|literal| literal.lit);
    file.clauses().iter().map(|clause| numbers(clause).map(|lit| lit.to_int()).collect()).collect()
}

/// The faults with the text they are about.
fn faults(file: &DimacsFile) -> Vec<(FaultKind, &str)> {
    let text = |span: nub_text::Span| std::str::from_utf8(span.slice(file.text())).unwrap();
    file.faults().iter().map(|fault| (fault.kind, text(fault.span))).collect()
}

#[test]
fn clauses_over_lines_and_on_one_line() {
    let file = read("c head\np cnf 4 4\n1 -2\nc inside\n3 0 4 0\n0\n  -4\t0 c tail\n", DimacsKind::Cnf);
    assert_eq!(clauses(&file), [vec![1, -2, 3], vec![4], vec![], vec![-4]]);
    assert_eq!(file.comments().len(), 3);
    assert_eq!(faults(&file), []);
    let header = file.header().unwrap();
    assert_eq!((header.n_vars.unwrap().value, header.n_clauses.unwrap().value), (4, 4));
}

#[test]
fn the_percent_sign_ends_old_files() {
    let file = read("p cnf 1 1\n1 0\n%\n0\n\n", DimacsKind::Cnf);
    assert_eq!(clauses(&file), [[1]]);
    assert_eq!(file.end_marker().unwrap().slice(file.text()), b"%\n0");
    assert!(file.faults().is_empty());
}

#[test]
fn weights_before_2022() {
    let file = read("p wcnf 2 3 9\n9 1 2 0\n3 -1 0\n1 0\n", DimacsKind::Wcnf);
    assert!(file.faults().is_empty());
    assert_eq!(clauses(&file), [vec![1, 2], vec![-1], vec![]]);
    let hard: Vec<bool> = (0..3).map(|index| file.is_hard(ClauseId(index))).collect();
    assert_eq!(hard, [true, false, false]);
    let file = read("p wcnf 1 2\n9 1 0\n0 1 0\n", DimacsKind::Wcnf);
    assert!(!file.is_hard(ClauseId(0)), "without a top weight every clause is soft");
    assert_eq!(faults(&file), [(BadWeight, "0")]);
    let file = read("p wcnf 1 3 4\n5 1 0\n-1 1 0\nx 1 0\n", DimacsKind::Wcnf);
    assert_eq!(
        faults(&file),
        [(WeightAboveTop, "5"), (BadWeight, "-1"), (StrayLine, "x 1 0"), (ClauseCount, "3")]
    );
}

#[test]
fn weights_since_2022() {
    let file = read("c no header\nh 1 2 0\n7 -1 0\nh 0\n", DimacsKind::WcnfNew);
    assert!(file.faults().is_empty());
    assert_eq!(clauses(&file), [vec![1, 2], vec![-1], vec![]]);
    let hard: Vec<bool> = (0..3).map(|index| file.is_hard(ClauseId(index))).collect();
    assert_eq!(hard, [true, false, true]);
    assert_eq!(file.weight(ClauseId(1)).unwrap().value, Some(7));
    let file = read("h 1 0 h 2 0\n", DimacsKind::WcnfNew);
    assert_eq!(clauses(&file), [[1], [2]]);
}

#[test]
fn prefixes() {
    let file = read("p cnf 3 1\na 1 0\ne 2\n3 0\n1 2 0\n", DimacsKind::Qdimacs);
    assert!(file.faults().is_empty());
    let quantifiers: Vec<Quantifier> = file.blocks().iter().map(|block| block.quantifier).collect();
    assert_eq!(quantifiers, [Quantifier::ForAll, Quantifier::Exists]);
    assert_eq!(file.variables_of(&file.blocks()[1]).len(), 2);
    let file = read("p cnf 4 2\ne 1 -2 0\ne 0\na 1 0\n4 0\ne 3 0\n3 0\na 2 0\n", DimacsKind::Qdimacs);
    assert_eq!(
        faults(&file),
        [
            (LateQuantifier, "e"),
            (LateQuantifier, "a"),
            (EmptyBlock, "e 0"),
            (SameQuantifier, "e 0"),
            (InnermostUniversal, "a 2 0"),
            (NegativeQuantified, "-2"),
            (QuantifiedTwice, "1"),
            (FreeVariable, "4"),
            (QuantifiedTwice, "2"),
        ]
    );
}

#[test]
fn cubes_are_lines_of_their_own() {
    let file = read("p inccnf\n1 2 0\na -1 0\n3 0\n", DimacsKind::IncCnf);
    assert_eq!(clauses(&file), [vec![1, 2], vec![3]]);
    assert_eq!(file.others().len(), 1);
    assert!(file.faults().is_empty());
}

#[test]
fn what_is_wrong_with_a_cnf() {
    let cases: &[(&str, &[(FaultKind, &str)])] = &[
        ("", &[(MissingHeader, "")]),
        ("1 0\n", &[(MissingHeader, "")]),
        ("p cnf 1\n1 0", &[(BadHeader, "p cnf 1")]),
        ("p cnf 1 1 7 \n1 0", &[(BadHeader, "p cnf 1 1 7")]),
        ("p wcnf 1 1\n1 0", &[(BadHeader, "p wcnf 1 1")]),
        ("p cnf 1 1\np cnf 1 1\n1 0", &[(SecondHeader, "p cnf 1 1")]),
        ("1 0\np cnf 1 1\n", &[(LateHeader, "p cnf 1 1")]),
        ("p cnf 1 2\n1 0\n", &[(ClauseCount, "2")]),
        ("p cnf 1 1\n1 -2 0\n", &[(VariableAboveHeader, "-2")]),
        ("p cnf 2 1\n1 2\n", &[(MissingZero, "1 2")]),
        ("p cnf 2 2\n1 2\nx y\n1 0", &[(MissingZero, "1 2"), (StrayLine, "x y")]),
        ("p cnf 2 1\n1 +2 0\n", &[(BadToken, "+2")]),
        ("p cnf 2 1\n1 -0 0\n", &[(BadToken, "-0")]),
        ("p cnf 2 1\n1 2147483648 0\n", &[(NumberOverflow, "2147483648")]),
        ("p cnf 2 1\n1 99999999999999999999 0\n", &[(NumberOverflow, "99999999999999999999")]),
        ("p cnf 1 1\ne 1 0\n1 0\n", &[(StrayLine, "e")]),
    ];
    for (text, expected) in cases {
        let file = read(text, DimacsKind::Cnf);
        assert_eq!(faults(&file), *expected, "{text:?}");
    }
}
