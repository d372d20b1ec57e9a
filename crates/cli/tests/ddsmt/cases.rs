//! Mutators one by one, on a script where each has something to do.
//!
//! The oracle requires only a check-sat, so every step of an enabled mutator is accepted.

/// How nub's result is related to that of ddSMT 2.0.6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Than {
    /// The same bytes.
    Same,
    /// At most as many bytes: nub also removes what becomes unused, or reduces further.
    AtMost,
}

pub struct Case {
    pub options: &'static str,
    pub input: &'static str,
    /// What nub leaves; `None` if it cannot reduce.
    pub output: Option<&'static str>,
    pub than: Than,
}

const fn same(options: &'static str, input: &'static str, output: &'static str) -> Case {
    Case { options, input, output: Some(output), than: Than::Same }
}

const fn at_most(options: &'static str, input: &'static str, output: &'static str) -> Case {
    Case { options, input, output: Some(output), than: Than::AtMost }
}

/// One mutator at a time: the options after `--disable-all`.
pub const MUTATORS: &[Case] = &[
    Case { options: "", input: "(assert (not (not true)))\n(check-sat)\n", output: None, than: Than::Same },
    at_most(
        "--constants",
        "(declare-const x Bool)\n(assert (and x (not x)))\n(check-sat)\n",
        "(assert true)\n(check-sat)\n",
    ),
    same("--erase-node", "(declare-const x Bool)\n(assert (and x (not x)))\n(check-sat)\n", "(check-sat)\n"),
    at_most(
        "--binary-reduction",
        "(declare-const x Bool)\n(assert x)\n(assert (not x))\n(check-sat)\n",
        "(check-sat)\n",
    ),
    same(
        "--merge-children",
        "(declare-const x Bool)\n(assert (and x (and x (and x x))))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (and x x x x))\n(check-sat)\n",
    ),
    at_most(
        "--substitute-children",
        "(declare-const x Bool)\n(assert (and (not x) (or x x)))\n(check-sat)\n",
        "x\n(assert x)\n(check-sat)\n",
    ),
    at_most(
        "--replace-by-variable",
        "(declare-const a Int)\n(declare-const b Int)\n(assert (< a b))\n(check-sat)\n",
        "(declare-const b Int)\n(assert (< b b))\n(check-sat)\n",
    ),
    at_most(
        "--replace-by-variable --replace-by-variable-mode dec",
        "(declare-const a Int)\n(declare-const b Int)\n(assert (< a b))\n(check-sat)\n",
        "(declare-const a Int)\n(assert (< a a))\n(check-sat)\n",
    ),
    same(
        "--arith-negate-relations",
        "(declare-const i Int)\n(assert (not (< i 1)))\n(check-sat)\n",
        "(declare-const i Int)\n(assert (>= i 1))\n(check-sat)\n",
    ),
    at_most(
        "--arith-constants",
        "(declare-const i Int)\n(assert (< i 1234))\n(check-sat)\n",
        "(declare-const i Int)\n(assert (< i 0))\n(check-sat)\n",
    ),
    at_most(
        "--arith-strengthen-relations",
        "(declare-const i Int)\n(assert (<= i 1))\n(check-sat)\n",
        "(declare-const i Int)\n(assert (< i 1))\n(check-sat)\n",
    ),
    same(
        "--bv-double-negation",
        "(declare-const a (_ BitVec 4))\n(assert (= a (bvnot (bvnot a))))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= a a))\n(check-sat)\n",
    ),
    same(
        "--bv-elim-bvcomp",
        "(declare-const a (_ BitVec 4))\n(assert (= #b1 (bvcomp a #x0)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= a #x0))\n(check-sat)\n",
    ),
    at_most(
        "--bv-eval-extend",
        "(declare-const a (_ BitVec 8))\n(assert (= a ((_ sign_extend 4) #xf)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 8))\n(assert (= a #xff))\n(check-sat)\n",
    ),
    same(
        "--bv-extract-constants",
        "(declare-const a (_ BitVec 2))\n(assert (= a ((_ extract 2 1) #b0100)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 2))\n(assert (= a #b10))\n(check-sat)\n",
    ),
    same(
        "--bv-extract-zeroextend",
        "(declare-const a (_ BitVec 4))\n(assert (= #b00 ((_ extract 2 1) ((_ zero_extend 3) a))))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= #b00 ((_ extract 2 1) a)))\n(check-sat)\n",
    ),
    same(
        "--bv-ite-to-bvcomp",
        "(declare-const a (_ BitVec 4))\n(assert (= #b1 (ite (= a #x0) #b1 #b0)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= #b1 (bvcomp a #x0)))\n(check-sat)\n",
    ),
    same(
        "--bv-reflexive-nand",
        "(declare-const a (_ BitVec 4))\n(assert (= a (bvnand a a)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= a (bvnot a)))\n(check-sat)\n",
    ),
    at_most(
        "--bv-simp-constants",
        "(declare-const a (_ BitVec 8))\n(assert (= a #b10110111))\n(check-sat)\n",
        "(declare-const a (_ BitVec 8))\n(assert (= a #x00))\n(check-sat)\n",
    ),
    same(
        "--bv-zeroextend-pred",
        "(declare-const a (_ BitVec 4))\n(assert (bvult ((_ zero_extend 3) a) ((_ zero_extend 3) a)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (bvult a a))\n(check-sat)\n",
    ),
    same(
        "--bv-merge-extend",
        "(declare-const a (_ BitVec 4))\n(assert (= #x00 ((_ zero_extend 1) ((_ zero_extend 3) a))))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= #x00 ((_ zero_extend 4) a)))\n(check-sat)\n",
    ),
    same(
        "--bv-norm-constants",
        "(declare-const a (_ BitVec 16))\n(assert (= a #b0000000000000011))\n(check-sat)\n",
        "(declare-const a (_ BitVec 16))\n(assert (= a (_ bv3 16)))\n(check-sat)\n",
    ),
    same(
        "--bv-zero-concat",
        "(declare-const a (_ BitVec 4))\n(assert (= #x00000 (concat #b0000000000000000 a)))\n(check-sat)\n",
        "(declare-const a (_ BitVec 4))\n(assert (= #x00000 ((_ zero_extend 16) a)))\n(check-sat)\n",
    ),
    same(
        "--bool-double-negations",
        "(declare-const x Bool)\n(assert (not (not x)))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert x)\n(check-sat)\n",
    ),
    same(
        "--bool-false-eq",
        "(declare-const x Bool)\n(assert (= x false))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (not x))\n(check-sat)\n",
    ),
    same(
        "--bool-negate-quants",
        "(assert (not (forall ((x Int)) (> x 0))))\n(check-sat)\n",
        "(assert (exists ((x Int)) (not (> x 0))))\n(check-sat)\n",
    ),
    same(
        "--bool-xor-constants",
        "(declare-const x Bool)\n(assert (xor x false x))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (xor x x))\n(check-sat)\n",
    ),
    at_most(
        "--bool-de-morgan",
        "(declare-const x Bool)\n(assert (not (and (not x) (not x))))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (or x x))\n(check-sat)\n",
    ),
    at_most(
        "--bool-implications",
        "(declare-const x Bool)\n(assert (=> (not x) x))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (or x x))\n(check-sat)\n",
    ),
    at_most(
        "--dt-rm-constructor",
        "(declare-datatype L ((a) (b)))\n(declare-const x L)\n(assert (= x x))\n(check-sat)\n",
        "(declare-datatype L ())\n(declare-const x L)\n(assert (= x x))\n(check-sat)\n",
    ),
    same(
        "--dt-rm-identity",
        "(declare-datatype L ((c (h Int))))\n(assert (= (h (c 1)) 0))\n(check-sat)\n",
        "(declare-datatype L ((c (h Int))))\n(assert (= 1 0))\n(check-sat)\n",
    ),
    same(
        "--fp-short-sort",
        "(declare-const f (_ FloatingPoint 8 24))\n(check-sat)\n",
        "(declare-const f Float32)\n(check-sat)\n",
    ),
    at_most("--check-sat-assuming", "(declare-const x Bool)\n(check-sat-assuming (x))\n", "(check-sat)\n"),
    at_most(
        "--eliminate-variables",
        "(declare-const x Bool)\n(declare-const y Bool)\n(assert (= x y))\n(assert x)\n(check-sat)\n",
        "(declare-const x Bool)\n(assert x)\n(check-sat)\n",
    ),
    at_most(
        "--inline-functions",
        "(define-fun f () Bool true)\n(assert f)\n(check-sat)\n",
        "(assert true)\n(check-sat)\n",
    ),
    same(
        "--let-elimination",
        "(declare-const x Bool)\n(assert (let ((y x)) x))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert x)\n(check-sat)\n",
    ),
    at_most(
        "--let-substitution",
        "(declare-const x Bool)\n(assert (let ((y x)) (not y)))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert (not x))\n(check-sat)\n",
    ),
    same(
        "--remove-annotation",
        "(declare-const x Bool)\n(assert (! x :named n))\n(check-sat)\n",
        "(declare-const x Bool)\n(assert x)\n(check-sat)\n",
    ),
    same(
        "--remove-recursive-function",
        "(define-funs-rec ((f () Int) (g () Int)) (1 2))\n(check-sat)\n",
        "(define-funs-rec () ())\n(check-sat)\n",
    ),
    same("--simplify-logic", "(set-logic QF_UFBV)\n(check-sat)\n", "(set-logic QF_)\n(check-sat)\n"),
    same(
        "--simplify-quoted-symbols",
        "(declare-const |x| Bool)\n(check-sat)\n",
        "(declare-const x Bool)\n(check-sat)\n",
    ),
    at_most(
        "--simplify-symbol-names",
        "(declare-const name Bool)\n(assert name)\n(check-sat)\n",
        "(declare-const a Bool)\n(assert a)\n(check-sat)\n",
    ),
    same(
        "--seq-nth-unit",
        "(assert (= 1 (seq.nth (seq.unit 2) 0)))\n(check-sat)\n",
        "(assert (= 1 2))\n(check-sat)\n",
    ),
    at_most(
        "--str-index-not-found",
        "(declare-const s String)\n(assert (= 0 (str.indexof s \"a\" 0)))\n(check-sat)\n",
        "(assert (= 0 (- 1)))\n(check-sat)\n",
    ),
    same(
        "--str-replace-all",
        "(declare-const s String)\n(assert (= s (str.replace_all s \"a\" \"b\")))\n(check-sat)\n",
        "(declare-const s String)\n(assert (= s (str.replace s \"a\" \"b\")))\n(check-sat)\n",
    ),
    same(
        "--str-constants",
        "(declare-const s String)\n(assert (= s \"abcd\"))\n(check-sat)\n",
        "(declare-const s String)\n(assert (= s \"\"))\n(check-sat)\n",
    ),
];
