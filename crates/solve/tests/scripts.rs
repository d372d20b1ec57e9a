//! SMT-LIB scripts: what they print, what is rejected and where, and hostile input.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_solve::{SolveConfig, smtlib};
use nub_text::LineIndex;

/// The output, then the line, column and message of the error if there is one.
fn run(text: &str) -> (String, Option<(usize, usize, String)>) {
    let mut printed = Vec::new();
    let result =
        smtlib::run(text.as_bytes(), &SolveConfig::default(), &mut |bytes| printed.extend_from_slice(bytes));
    let refusal = result.err().map(|error| {
        let place = LineIndex::new(text.as_bytes()).place(error.span.start as usize);
        (place.line, place.column, error.message)
    });
    (String::from_utf8(printed).unwrap(), refusal)
}

#[track_caller]
fn prints(text: &str, expected: &str) {
    assert_eq!(run(text), (expected.to_owned(), None), "{text}");
}

/// Each formula is true, or false, for all values: its negation, or the formula itself, is unsatisfiable.
#[test]
fn operators_have_their_meaning() {
    let truths = [
        "(= ((_ rotate_left 1) #b1000) #b0001)",
        "(= ((_ rotate_left 9) x) ((_ rotate_left 1) x))",
        "(= ((_ rotate_right 3) x) ((_ rotate_left 5) x))",
        "(= ((_ rotate_right 0) x) x)",
        "(= ((_ extract 3 0) x) ((_ extract 3 0) ((_ zero_extend 4) ((_ extract 3 0) x))))",
        "(= ((_ repeat 2) #b01) #b0101)",
        "(= (concat #b1 #b00 #b1) #b1001)",
        "(= ((_ sign_extend 4) #b1000) #xf8)",
        "(= (bvadd x y #x01) (bvadd y x #x01))",
        "(= (bvsub x y) (bvadd x (bvneg y)))",
        "(= (bvcomp x y) (ite (= x y) #b1 #b0))",
        "(= (bvudiv x #x00) #xff)",
        "(= (bvsdiv #x80 #xff) #x80)",
        "(= (bvsmod #xfd #x02) #x01)",
        "(= (bvsrem #xfd #x02) #xff)",
        "(= (_ bv200 8) #xc8)",
        "(distinct #x01 #x02 #x03)",
        "(not (distinct x y x))",
        "(= (= x y x) (and (= x y) (= y x)))",
        "(= (=> p q p) (=> p (=> q p)))",
        "(= (xor p q p) q)",
        "(= (bvnego x) (= x #x80))",
        "(= (bvuaddo x y) (bvult (bvadd x y) x))",
        "(= (select (store a x y) x) y)",
        "(= (select ((as const (Array (_ BitVec 8) (_ BitVec 8))) y) x) y)",
        "(=> (= x y) (= (f x p) (f y p)))",
        "(= (select b p) (ite p (select b true) (select b false)))",
        "(let ((x y) (y x)) (= (bvsub x y) (bvneg (bvsub y x))))",
        "(let ((z x)) (let ((x y)) (= (swap z x) (bvsub x z))))",
        "(= (! (bvor x y) :named both) both)",
        "(=> (distinct u v) (or (= w u) (distinct w u)))",
        "(=> (and (= u v) (= v w)) (= (g u) (g w)))",
        "(= |x| x)",
    ];
    let declarations = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const p Bool)(declare-const q Bool)
        (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const b (Array Bool Bool))
        (declare-fun f ((_ BitVec 8) Bool) (_ BitVec 3))(declare-sort U 0)(declare-const u U)(declare-const v U)
        (declare-const w U)(declare-fun g (U) U)
        (define-fun swap ((x (_ BitVec 8)) (z (_ BitVec 8))) (_ BitVec 8) (bvsub z x))";
    for truth in truths {
        prints(&format!("{declarations}(assert (not {truth}))(check-sat)"), "unsat\n");
        prints(&format!("{declarations}(assert {truth})(check-sat)"), "sat\n");
    }
}

/// A declared sort has as many elements as there are names.
#[test]
fn declared_sorts_are_large_enough() {
    let n_names = 9;
    let names: Vec<String> = (0..n_names).map(|name| format!("u{name}")).collect();
    let declarations: String = names.iter().map(|name| format!("(declare-const {name} U)")).collect();
    let all = names.join(" ");
    prints(&format!("(declare-sort U 0){declarations}(assert (distinct {all}))(check-sat)"), "sat\n");
    prints(&format!("(declare-sort U 0){declarations}(assert (distinct {all} u0))(check-sat)"), "unsat\n");
}

#[test]
fn models_and_values() {
    let script =
        "(declare-const p Bool)(declare-const |a b| (_ BitVec 4))(declare-const m (Array (_ BitVec 1) Bool))
        (declare-fun f (Bool (_ BitVec 2)) (_ BitVec 2))
        (assert (and p (= |a b| #x5) (select m #b1) (= (f true #b10) #b11)))
        (check-sat)(get-model)(get-value (p (bvnot |a b|) (select m #b0) (f p #b10)))";
    let expected = "sat\n(\n  (define-fun p () Bool true)\n  (define-fun |a b| () (_ BitVec 4) #b0101)\n  \
        (define-fun m () (Array (_ BitVec 1) Bool) (store ((as const (Array (_ BitVec 1) Bool)) false) #b1 true))\n  \
        (define-fun f ((x0 Bool) (x1 (_ BitVec 2))) (_ BitVec 2) (ite (and (= x0 true) (= x1 #b10)) #b11 #b00))\n)\n\
        ((p true)\n ((bvnot |a b|) #b1010)\n ((select m #b0) false)\n ((f p #b10) #b11))\n";
    prints(script, expected);
}

#[test]
fn levels_cores_and_resets() {
    let script = "(declare-const x (_ BitVec 8))
        (assert (! (bvult x #x05) :named low))(assert (! (bvugt x #x01) :named free))
        (push 2)(assert (! (bvugt x #x09) :named high))(check-sat)(get-unsat-core)(pop 2)
        (check-sat)(get-unsat-core)
        (check-sat-assuming ((= x #x03) (= x #x04)))(get-unsat-assumptions)
        (push)(declare-const y Bool)(assert y)(check-sat)(pop)
        (check-sat-assuming ((= x #x03)))(get-value (x))(get-model)
        (reset)(declare-const x Bool)(assert (not x))(check-sat)(get-value (x))(echo \"a \"\"b\"\"\")(get-info :name)
        (exit)(nonsense)";
    let expected = "unsat\n(low high)\nsat\n(error \"the last answer is not unsat\")\nunsat\n((= x #x03) (= x #x04))\nsat\n\
        sat\n((x #b00000011))\n(\n  (define-fun x () (_ BitVec 8) #b00000011)\n)\nsat\n((x false))\n\"a \"\"b\"\"\"\nunsupported\n";
    prints(script, expected);
    prints(
        "(assert false)(check-sat)(get-model)(assert true)(get-value (true))",
        "unsat\n(error \"there is no model\")\n(error \"there is no model\")\n",
    );
}

/// Line, column and a part of the message; answers before the error are printed.
#[test]
fn what_is_not_understood_is_refused_at_its_place() {
    let cases: &[(&str, usize, usize, &str)] = &[
        ("(declare-const x Int)", 2, 16, "sort Int"),
        ("(assert (= 1 2))", 2, 12, "sort Int"),
        ("(assert (forall ((y Bool)) y))", 2, 9, "`forall`"),
        ("(assert (exists ((y Bool)) y))", 2, 9, "`exists`"),
        ("(assert unknown)", 2, 9, "neither declared"),
        ("(assert (= p #b1))", 2, 14, "sort"),
        ("(assert #b1)", 2, 9, "BitVec 1"),
        ("(assert p p)", 2, 1, "1 arguments"),
        ("(assert (= (fp.to_real (_ NaN 5 11)) 1.0))", 2, 12, "Real"),
        (
            "(declare-const a (Array (_ BitVec 1) (Array Bool (Array (_ BitVec 1) Bool))))",
            2,
            16,
            "sort (Array",
        ),
        ("(declare-datatype D ((c)))", 2, 1, "command `declare-datatype`"),
        ("(define-fun-rec f ((x Bool)) Bool (f x))", 2, 1, "command `define-fun-rec`"),
        ("(minimize #b1)", 2, 1, "command `minimize`"),
        ("(pop 2)", 2, 1, "2 levels"),
        ("(push 70000)", 2, 1, "levels"),
        ("(assert (= (_ bv4 2) #b00))", 2, 12, "does not fit"),
        ("(assert (= (_ bv1 9000000) (_ bv1 9000000)))", 2, 12, "4194304 bits"),
        ("(assert (= (bvxnor #b1 #b1 #b1) #b1))", 2, 12, "`bvxnor`"),
        ("(assert (= ((_ int2bv 3) 5) #b000))", 2, 26, "Int"),
        ("(declare-fun f ((Array (_ BitVec 2) Bool)) Bool)", 2, 14, "functions of arrays"),
        ("(assert (let ((x p)) x)", 2, 1, "("),
        ("(check-sat-assuming (#b1))", 2, 22, "Bool"),
        ("(define-fun d ((x Bool)) Bool (! x :named n)) (assert (d p))", 2, 43, "a name within"),
    ];
    let mut wrong = Vec::new();
    for (text, line, column, message) in cases {
        let script = format!("(declare-const p Bool)(check-sat)\n{text}\n(check-sat)");
        match run(&script).1 {
            Some((at_line, at_column, found))
                if found.contains(message) && (at_line, at_column) == (*line, *column) => {}
            other => wrong.push(format!("{text}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Line 2 declares a name a second time, at this column.
#[test]
fn names_are_declared_once_in_a_scope() {
    let cases = [
        ("(declare-const p Bool)", 16),
        ("(declare-const |p| (_ BitVec 4))", 16),
        ("(declare-fun f (Bool) Bool)(declare-fun f (Bool) Bool)", 41),
        ("(declare-fun p (Bool) Bool)", 14),
        ("(define-fun p () Bool true)", 13),
        ("(define-const p Bool true)", 15),
        ("(declare-sort S 0)(declare-sort S 0)", 33),
        ("(declare-sort S 0)(define-sort S () Bool)", 32),
        ("(define-sort T (X X) Bool)", 19),
        ("(assert (! true :named n))(assert (! (not p) :named n))", 53),
        ("(assert (! (not p) :named p))", 27),
        ("(assert (let ((x true) (x false)) x))", 25),
        ("(define-fun f ((x Bool) (x Bool)) Bool x)", 26),
        ("(push 1)(declare-const q Bool)(push 1)(pop 1)(declare-const q Bool)", 61),
        ("(push 1)(declare-const p Bool)(pop 1)(declare-const p Bool)", 53),
        (
            "(set-option :global-declarations true)(push 1)(declare-const q Bool)(pop 1)(declare-const q Bool)",
            91,
        ),
    ];
    let mut wrong = Vec::new();
    for (text, column) in cases {
        let script = format!("(declare-const p Bool)(check-sat)\n{text}(check-sat)");
        let (printed, refusal) = run(&script);
        let is_right = |(at_line, at_column, message): &(usize, usize, String)| {
            (*at_line, *at_column) == (2, column) && message.contains("is already declared in this scope")
        };
        if !printed.is_empty() || !refusal.as_ref().is_some_and(is_right) {
            wrong.push(format!("{text}: {printed}{refusal:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_may_be_declared_again_in_other_scopes() {
    let script = "(declare-const p Bool)(assert p)
        (push 1)(declare-const q Bool)(assert q)(check-sat)(pop 1)(declare-const q (_ BitVec 2))(assert (= q #b01))(check-sat)
        (push 1)(declare-const p Bool)(assert (not p))(check-sat)(pop 1)(assert (not p))(check-sat)
        (reset-assertions)(declare-const p Bool)(assert (not p))(check-sat)
        (reset)(declare-const p Bool)(declare-sort p 0)(check-sat)
        (define-fun f ((x Bool)) Bool (let ((x (not x))) x))(define-fun g ((x Bool)) Bool x)
        (assert (let ((x p)) (let ((x (not x)) (p p)) (xor x p (f x) (g x)))))(check-sat)(exit)(declare-const p Bool)";
    prints(script, "sat\nsat\nsat\nunsat\nsat\nsat\nunsat\n");
}

/// Deep and wide input does not overflow the stack, and definitions that double in size do not take exponential time.
#[test]
fn hostile_scripts() {
    let n = 100_000;
    let deep = format!("{}p{}", "(not ".repeat(n), ")".repeat(n));
    prints(&format!("(declare-const p Bool)(assert {deep})(check-sat)"), "sat\n");
    let lets = format!("{}x0{}", "(let ((x0 (not x0))) ".repeat(n), ")".repeat(n));
    prints(&format!("(declare-const x0 Bool)(assert (and x0 {lets}))(check-sat)"), "sat\n");
    let mut doubling = String::from("(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x #x01))");
    for level in 1..200 {
        let below = level - 1;
        doubling.push_str(&format!(
            "(define-fun f{level} ((x (_ BitVec 8))) (_ BitVec 8) (bvor (f{below} x) (f{below} x)))"
        ));
    }
    prints(&format!("{doubling}(assert (= (f199 #x07) #x08))(check-sat)"), "sat\n");
    for text in [
        "",
        "(",
        ")",
        "((",
        "(assert)",
        "(let)",
        "()",
        "(assert ())",
        "(assert (()))",
        "(assert (_))",
        "(assert (! ))",
        "(assert (let))",
        "(assert (let ((x)) x))",
        "(get-value)",
        "(get-value (x))",
        "(check-sat-assuming p)",
        "(push x)",
        "(define-fun f)",
        "(declare-fun)",
        "(assert ((_ extract 9 0) #b1))",
        "(assert (= #b #b))",
        "(echo)",
        "\u{0}",
        "x",
    ] {
        run(text);
    }
}

#[test]
fn exponential_definitions_are_refused() {
    let mut text =
        String::from("(declare-const y (_ BitVec 64))(define-fun f0 ((x (_ BitVec 64))) (_ BitVec 64) x)");
    for level in 1..64 {
        let below = level - 1;
        text.push_str(&format!(
            "(define-fun f{level} ((x (_ BitVec 64))) (_ BitVec 64) (bvor (f{below} (bvmul x y)) (f{below} (bvadd x y))))"
        ));
    }
    let (_, refusal) = run(&format!("{text}(assert (= (f63 y) y))(check-sat)"));
    assert!(refusal.unwrap().2.contains("too large"));
}
