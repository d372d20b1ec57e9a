//! Floating point in scripts: meaning of operators, sorts with unused codes, results that the standard leaves unspecified, and printing
//! of values.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_solve::{ModelCheck, SolveConfig, check_model, smtlib};

fn run(text: &str) -> String {
    let mut printed = Vec::new();
    let result =
        smtlib::run(text.as_bytes(), &SolveConfig::default(), &mut |bytes| printed.extend_from_slice(bytes));
    match result {
        Ok(_) => String::from_utf8(printed).unwrap(),
        Err(refusal) => format!("refused: {}", refusal.message),
    }
}

const DECLARED: &str = "(declare-const x Float16)(declare-const y Float16)(declare-const m RoundingMode)\
    (declare-const n RoundingMode)(declare-const b (_ BitVec 16))(declare-const i (_ BitVec 8))";

fn answer(assertions: &[&str]) -> String {
    let assertions: String = assertions.iter().map(|text| format!("(assert {text})")).collect();
    run(&format!("{DECLARED}{assertions}(check-sat)")).trim().to_owned()
}

/// Each formula is true for all values.
#[test]
fn operators_have_their_meaning() {
    let truths = [
        "(= (fp.isNaN x) (not (fp.eq x x)))",
        "(= (_ NaN 5 11) (fp #b1 #b11111 #b0000000001))",
        "(= ((_ to_fp 5 11) #x7e00) ((_ to_fp 5 11) #xfdff))",
        "(fp.eq (_ +zero 5 11) (_ -zero 5 11))",
        "(distinct (_ +zero 5 11) (_ -zero 5 11))",
        "(= (fp.neg (fp.neg x)) x)",
        "(= (fp.add m x y) (fp.add m y x))",
        "(= (fp.sub m x y) (fp.add m x (fp.neg y)))",
        "(= (fp.lt x y) (fp.gt y x))",
        "(= (fp.leq x y) (or (fp.lt x y) (fp.eq x y)))",
        "(or (fp.isNormal x) (fp.isSubnormal x) (fp.isZero x) (fp.isInfinite x) (fp.isNaN x))",
        "(or (= m RNE) (= m RNA) (= m RTP) (= m RTN) (= m roundTowardZero))",
        "(= ((_ to_fp 5 11) RNE 0.1) (fp #b0 #b01011 #b1001100110))",
        "(= ((_ to_fp 5 11) RTP (/ 1 3)) (fp #b0 #b01101 #b0101010110))",
        "(= ((_ to_fp 5 11) RNE (- 2.5)) (fp #b1 #b10000 #b0100000000))",
        "(= ((_ to_fp 5 11) RNE 1.25 2) ((_ to_fp 5 11) RNE 5.0))",
        "(fp.eq ((_ to_fp 5 11) RNE i) (fp.neg ((_ to_fp 5 11) RNE (bvneg ((_ sign_extend 1) i)))))",
        "(= ((_ fp.to_sbv 8) RTZ ((_ to_fp 5 11) RNE i)) i)",
        "(= ((_ fp.to_ubv 8) RTZ ((_ to_fp_unsigned 5 11) RNE i)) i)",
        "(= ((_ to_fp 5 11) RNE ((_ to_fp 8 24) m x)) x)",
        "(=> (not (fp.isNaN x)) (= ((_ to_fp 5 11) (fp.to_ieee_bv x)) x))",
        "(=> (fp.isNaN x) (fp.isNaN ((_ to_fp 5 11) (fp.to_ieee_bv x))))",
        "(=> (fp.isSubnormal x) (fp.isZero (fp.roundToIntegral RTZ x)))",
    ];
    for truth in truths {
        assert_eq!(answer(&[&format!("(not {truth})")]), "unsat", "{truth}");
    }
}

/// The standard leaves a result unspecified: each one is possible, but the same operands give the same result.
#[test]
fn what_is_open_is_open_and_consistent() {
    let zeros = ["(= x (_ +zero 5 11))", "(= y (_ -zero 5 11))"];
    for op in ["fp.min", "fp.max"] {
        for sign in ["fp.isPositive", "fp.isNegative"] {
            assert_eq!(answer(&[zeros[0], zeros[1], &format!("({sign} ({op} x y))")]), "sat", "{op} {sign}");
        }
        let both = format!("(distinct ({op} x y) ({op} y x))");
        assert_eq!(answer(&[zeros[0], zeros[1], &both]), "sat", "another order, another result");
        let again = format!("(distinct ({op} x y) ({op} (_ +zero 5 11) (_ -zero 5 11)))");
        assert_eq!(answer(&[zeros[0], zeros[1], &again]), "unsat", "{op}");
    }
    for op in ["fp.to_ubv", "fp.to_sbv"] {
        let is = |value: &str| format!("(= ((_ {op} 8) m x) {value})");
        assert_eq!(answer(&["(fp.isNaN x)", &is("#x5a")]), "sat", "{op}");
        assert_eq!(
            answer(&[
                "(fp.isNaN x)",
                "(fp.isNaN y)",
                &format!("(distinct ((_ {op} 8) m x) ((_ {op} 8) m y))")
            ]),
            "unsat"
        );
        let modes = format!("(distinct ((_ {op} 8) RNE x) ((_ {op} 8) RTZ x))");
        assert_eq!(answer(&["(fp.isInfinite x)", &modes]), "sat", "another mode, another result");
    }
    assert_eq!(
        answer(&["(fp.isNaN x)", "(distinct ((_ fp.to_ubv 8) RNE x) ((_ fp.to_sbv 8) RNE x))"]),
        "sat"
    );
    assert_eq!(answer(&["(= (fp.to_ieee_bv x) #xffff)"]), "sat");
    assert_eq!(answer(&["(= (fp.to_ieee_bv x) #xffff)", "(= (fp.to_ieee_bv y) #x7fff)"]), "unsat");
}

/// `fp.roundToIntegral` at (2,3), on which z3 and cvc5 disagree: 3.5 is between 3 and 4, and 4 is not a value of the format.
/// The nearest even integer is 4, which overflows like any other result.
#[test]
fn an_integer_beyond_a_tiny_format_overflows() {
    let script = |mode: &str, expected: &str| {
        run(&format!(
            "(assert (distinct (fp.roundToIntegral {mode} (fp #b0 #b10 #b11)) {expected}))(check-sat)"
        ))
    };
    for (mode, expected) in [
        ("RNE", "(_ +oo 2 3)"),
        ("RNA", "(_ +oo 2 3)"),
        ("RTP", "(_ +oo 2 3)"),
        ("RTN", "(fp #b0 #b10 #b10)"),
        ("RTZ", "(fp #b0 #b10 #b10)"),
    ] {
        assert_eq!(script(mode, expected), "unsat\n", "{mode}");
    }
}

#[test]
fn values_are_printed_as_smtlib_has_them() {
    let text = "(declare-const x Float16)(declare-const m RoundingMode)(declare-fun f (RoundingMode) Float16)\
        (assert (= x (fp.add RNE ((_ to_fp 5 11) RNE 1.0) ((_ to_fp 5 11) RNE 0.5))))(assert (= m RTP))\
        (assert (= (f m) (fp.neg x)))(check-sat)\
        (get-value (x m (f m) (fp.sqrt RNE (fp.neg x)) (fp.div RNE x (_ -zero 5 11)) (fp.isNormal x)))";
    let expected = "sat\n((x (fp #b0 #b01111 #b1000000000))\n (m RTP)\n ((f m) (fp #b1 #b01111 #b1000000000))\n \
        ((fp.sqrt RNE (fp.neg x)) (_ NaN 5 11))\n ((fp.div RNE x (_ -zero 5 11)) (_ -oo 5 11))\n ((fp.isNormal x) true))\n";
    assert_eq!(run(text), expected);
}

/// There are five modes, not eight codes; one NaN, not many encodings.
#[test]
fn sorts_have_no_spare_values() {
    let five = "(declare-const a (Array RoundingMode Float16))(declare-const b (Array RoundingMode Float16))";
    let all = "(= (select a RNE) (select b RNE))(= (select a RNA) (select b RNA))(= (select a RTP) (select b RTP))\
        (= (select a RTN) (select b RTN))(= (select a RTZ) (select b RTZ))";
    assert_eq!(run(&format!("{five}(assert (and {all} (distinct a b)))(check-sat)")), "unsat\n");
    let stored = |value: &str| {
        ["RNE", "RNA", "RTP", "RTN", "RTZ"]
            .iter()
            .fold(format!("((as const (Array RoundingMode (_ BitVec 2))) {value})"), |array, mode| {
                format!("(store {array} {mode} #b11)")
            })
    };
    let same = format!("(assert (distinct {} {}))(check-sat)", stored("#b00"), stored("#b01"));
    assert_eq!(run(&same), "unsat\n", "all five indices have been written");
    assert_eq!(
        run("(declare-const a RoundingMode)(declare-const b RoundingMode)(declare-const c RoundingMode)\
        (declare-const d RoundingMode)(declare-const e RoundingMode)(declare-const f RoundingMode)\
        (assert (distinct a b c d e f))(check-sat)"),
        "unsat\n"
    );
    let arrays = "(declare-const a (Array Float16 Float16))(declare-const b (Array Float16 Float16))";
    assert_eq!(run(&format!("{arrays}(assert (distinct a b))(check-sat)")), "sat\n");
    let nan = "(assert (distinct a b))(assert (= a (store b (_ NaN 5 11) (_ NaN 5 11))))\
        (assert (fp.isNaN (select b (_ NaN 5 11))))(check-sat)";
    assert_eq!(run(&format!("{arrays}{nan}")), "unsat\n", "there is one NaN");
    let nested = "(declare-const a (Array Bool (Array Bool Bool)))\
        (assert (= (select (select a true) false) (not (select (select a true) false))))(check-sat)";
    assert_eq!(run(nested), "unsat\n");
}

#[test]
fn levels_keep_what_floats_need() {
    let text = "(declare-const m RoundingMode)(declare-const x Float16)(push 1)(assert (distinct m RNE RNA RTP))(check-sat)(pop 1)\
        (push 1)(assert (distinct m RNE RNA RTP RTN RTZ))(check-sat)(pop 1)\
        (assert (fp.isNaN x))(assert (distinct x (_ NaN 5 11)))(check-sat)";
    assert_eq!(run(text), "sat\nunsat\nunsat\n");
}

#[test]
fn what_is_not_supported_is_refused() {
    for text in [
        "(declare-const r Real)(assert (= ((_ to_fp 5 11) RNE r) (_ NaN 5 11)))",
        "(declare-const x Float16)(assert (> (fp.to_real x) 0.0))",
        "(declare-const x (_ FloatingPoint 65 5))(assert (fp.isNaN x))",
        "(declare-const a (Array (_ FloatingPoint 2 2) Bool))(assert (select a (_ NaN 2 2)))",
    ] {
        assert!(run(&format!("{text}(check-sat)")).starts_with("refused"), "{text}");
    }
}

/// Models of other solvers: their notations, and choices that they need not state.
#[test]
fn models_of_others_are_checked() {
    let script = |assertion: &str| {
        format!("(declare-const x Float16)(declare-const m RoundingMode)(assert {assertion})(check-sat)")
    };
    let check = |assertion: &str, model: &str| check_model(script(assertion).as_bytes(), model.as_bytes());
    let model = "((define-fun x () (_ FloatingPoint 5 11) (fp #b0 #b01111 #b0000000000))\
        (define-fun m () RoundingMode roundTowardZero))";
    assert_eq!(check("(fp.lt x (fp.add m x x))", model), ModelCheck::Valid);
    assert!(matches!(check("(fp.lt x (fp.sub m x x))", model), ModelCheck::Invalid { .. }));
    let zero = "((define-fun x () (_ FloatingPoint 5 11) (_ +zero 5 11)))";
    for sign in ["fp.isPositive", "fp.isNegative"] {
        let assertion = format!("({sign} (fp.min x (fp.neg x)))");
        assert_eq!(check(&assertion, zero), ModelCheck::Valid, "{sign}");
    }
    let both = "(and (fp.isPositive (fp.min x (fp.neg x))) (fp.isNegative (fp.min x (fp.neg x))))";
    assert!(matches!(check(both, zero), ModelCheck::Invalid { .. }));
    let nan = "((define-fun x () (_ FloatingPoint 5 11) (_ NaN 5 11)))";
    assert_eq!(check("(= ((_ fp.to_ubv 8) RNE x) #x17)", nan), ModelCheck::Valid);
}
