//! Operators: their names, the sorts they take and what they mean. Building, evaluating, printing and
//! the readers of other formats all use this one table.

use crate::Value;
use crate::shape::OperandShape;
use std::fmt;

/// An operator, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The table below describes them.
pub enum Op {
    Const,
    Var,
    ConstArray,
    Not,
    Neg,
    Inc,
    Dec,
    Redand,
    Redor,
    Redxor,
    Nego,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Implies,
    Iff,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Rol,
    Ror,
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    Uaddo,
    Saddo,
    Usubo,
    Ssubo,
    Umulo,
    Smulo,
    Sdivo,
    Concat,
    Slice,
    Uext,
    Sext,
    Repeat,
    Ite,
    Read,
    Write,
}

/// How to compute the value.
#[derive(Clone, Copy)]
pub enum Eval {
    /// From one value.
    Unary(fn(&Value) -> Value),
    /// From two values.
    Binary(fn(&Value, &Value) -> Value),
    /// A truth value from one value.
    Test(fn(&Value) -> bool),
    /// A truth value from two values.
    Compare(fn(&Value, &Value) -> bool),
    /// From a value and an index.
    Indexed(fn(&Value, u32) -> Value),
    /// From a value and two indices.
    Indexed2(fn(&Value, u32, u32) -> Value),
    /// Leaves, and operators that may have arrays as operands.
    Structural(Structural),
}

/// An operator that is not a function of bit-vectors alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structural {
    /// No operands: its value comes from elsewhere.
    Leaf,
    /// An array with the same element at every index.
    ConstArray,
    /// Equality, also of arrays.
    Equal,
    /// Inequality, also of arrays.
    Distinct,
    /// If-then-else, also of arrays.
    Choice,
    /// An element of an array.
    Read,
    /// An array with one element changed.
    Write,
}

/// The meaning in SMT-LIB 2.6, as text. `{a}`, `{b}`, `{c}` are the operands, `{w}` and `{v}` the widths of the first two,
/// `{i}` and `{j}` the indices, `{n}` is `{w}` minus one, `{e}` twice `{w}` minus one, `{t}` the sum of `{w}`
/// and `{v}`, `{s}` the sort. Operands are outside of all `let`s, because an operand may contain any name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A term of bit-vector or array sort.
    Term(&'static str),
    /// A term of sort `Bool`.
    Truth(&'static str),
    /// The exclusive or of all bits of the operand. No single term expresses it for all widths.
    Parity,
    /// A leaf.
    Leaf,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct OpInfo {
    /// Which operator.
    pub op: Op,
    /// Its name here, which is also the name in BTOR2 if BTOR2 has the operator.
    pub name: &'static str,
    /// Its names in SMT-LIB and the solvers' dialects, for two arguments; for `Bool` and for bit-vectors.
    pub smtlib: &'static [&'static str],
    /// Operands, indices, sorts.
    pub shape: OperandShape,
    /// How to compute its value.
    pub eval: Eval,
    /// What it means in SMT-LIB.
    pub meaning: Meaning,
}

impl Op {
    /// All operators, in the order of the table.
    pub fn all() -> impl Iterator<Item = Op> {
        OPS.iter().map(|info| info.op)
    }

    /// Its row of the table.
    pub fn info(self) -> &'static OpInfo {
        &OPS[self as usize]
    }

    /// The operator with this SMT-LIB name, such as `bvadd`. Linear in the table: readers look up each name once.
    pub fn from_smtlib(name: &str) -> Option<Op> {
        OPS.iter().find(|info| info.smtlib.contains(&name)).map(|info| info.op)
    }

    /// True if the operands can be swapped.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or | Xor | Nand | Nor | Xnor | Iff | Add | Mul | Eq | Ne | Uaddo | Saddo | Umulo | Smulo
        )
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

const fn row(op: Op, name: &'static str, shape: OperandShape, eval: Eval, meaning: Meaning) -> OpInfo {
    OpInfo { op, name, smtlib: &[], shape, eval, meaning }
}

impl OpInfo {
    const fn smtlib(mut self, names: &'static [&'static str]) -> OpInfo {
        self.smtlib = names;
        self
    }
}

use Eval::{Binary, Compare, Indexed, Indexed2, Structural as By, Test, Unary};
use Meaning::{Leaf, Term, Truth};
use OperandShape::{Equal, Extend, Predicate, Same, Shift, Truths};

#[rustfmt::skip] // One line per row where possible.
static OPS: &[OpInfo] = &[
    row(Op::Const, "const", OperandShape::Leaf, By(Structural::Leaf), Leaf),
    row(Op::Var, "var", OperandShape::Leaf, By(Structural::Leaf), Leaf),
    row(Op::ConstArray, "const_array", OperandShape::ConstArray, By(Structural::ConstArray), Term("((as const {s}) {a})")),
    row(Op::Not, "not", Same(1), Unary(Value::not), Term("(bvnot {a})")).smtlib(&["bvnot", "not"]),
    row(Op::Neg, "neg", Same(1), Unary(Value::neg), Term("(bvneg {a})")).smtlib(&["bvneg"]),
    row(Op::Inc, "inc", Same(1), Unary(Value::inc), Term("(bvadd {a} (_ bv1 {w}))")),
    row(Op::Dec, "dec", Same(1), Unary(Value::dec), Term("(bvsub {a} (_ bv1 {w}))")),
    row(Op::Redand, "redand", Predicate(1), Test(Value::redand), Truth("(= {a} (bvnot (_ bv0 {w})))")).smtlib(&["bvredand"]),
    row(Op::Redor, "redor", Predicate(1), Test(Value::redor), Truth("(distinct {a} (_ bv0 {w}))")).smtlib(&["bvredor"]),
    row(Op::Redxor, "redxor", Predicate(1), Test(Value::redxor), Meaning::Parity).smtlib(&["bvredxor"]),
    row(Op::Nego, "nego", Predicate(1), Test(Value::nego), Truth("(= {a} (bvshl (_ bv1 {w}) (_ bv{n} {w})))")).smtlib(&["bvnego"]),
    row(Op::And, "and", Same(2), Binary(Value::and), Term("(bvand {a} {b})")).smtlib(&["bvand", "and"]),
    row(Op::Or, "or", Same(2), Binary(Value::or), Term("(bvor {a} {b})")).smtlib(&["bvor", "or"]),
    row(Op::Xor, "xor", Same(2), Binary(Value::xor), Term("(bvxor {a} {b})")).smtlib(&["bvxor", "xor"]),
    row(Op::Nand, "nand", Same(2), Binary(Value::nand), Term("(bvnand {a} {b})")).smtlib(&["bvnand"]),
    row(Op::Nor, "nor", Same(2), Binary(Value::nor), Term("(bvnor {a} {b})")).smtlib(&["bvnor"]),
    row(Op::Xnor, "xnor", Same(2), Binary(Value::xnor), Term("(bvxnor {a} {b})")).smtlib(&["bvxnor"]),
    row(Op::Implies, "implies", Truths(2), Binary(implies), Term("(bvor (bvnot {a}) {b})")).smtlib(&["=>"]),
    row(Op::Iff, "iff", Truths(2), Binary(Value::xnor), Term("(bvxnor {a} {b})")),
    row(Op::Add, "add", Same(2), Binary(Value::add), Term("(bvadd {a} {b})")).smtlib(&["bvadd"]),
    row(Op::Sub, "sub", Same(2), Binary(Value::sub), Term("(bvsub {a} {b})")).smtlib(&["bvsub"]),
    row(Op::Mul, "mul", Same(2), Binary(Value::mul), Term("(bvmul {a} {b})")).smtlib(&["bvmul"]),
    row(Op::Udiv, "udiv", Same(2), Binary(Value::udiv), Term("(bvudiv {a} {b})")).smtlib(&["bvudiv", "bvudiv_i"]),
    row(Op::Urem, "urem", Same(2), Binary(Value::urem), Term("(bvurem {a} {b})")).smtlib(&["bvurem", "bvurem_i"]),
    row(Op::Sdiv, "sdiv", Same(2), Binary(Value::sdiv), Term("(bvsdiv {a} {b})")).smtlib(&["bvsdiv", "bvsdiv_i"]),
    row(Op::Srem, "srem", Same(2), Binary(Value::srem), Term("(bvsrem {a} {b})")).smtlib(&["bvsrem", "bvsrem_i"]),
    row(Op::Smod, "smod", Same(2), Binary(Value::smod), Term("(bvsmod {a} {b})")).smtlib(&["bvsmod", "bvsmod_i"]),
    row(Op::Shl, "sll", Shift, Binary(Value::shl),
        Term("((_ extract {n} 0) (bvshl ((_ zero_extend {v}) {a}) ((_ zero_extend {w}) {b})))")).smtlib(&["bvshl"]),
    row(Op::Lshr, "srl", Shift, Binary(Value::lshr),
        Term("((_ extract {n} 0) (bvlshr ((_ zero_extend {v}) {a}) ((_ zero_extend {w}) {b})))")).smtlib(&["bvlshr"]),
    row(Op::Ashr, "sra", Shift, Binary(Value::ashr),
        Term("((_ extract {n} 0) (bvashr ((_ sign_extend {v}) {a}) ((_ zero_extend {w}) {b})))")).smtlib(&["bvashr"]),
    row(Op::Rol, "rol", Shift, Binary(Value::rol), Term(
        "(let ((x ((_ zero_extend {v}) {a})) (y ((_ zero_extend {w}) {b})) \
         (m (bvadd ((_ zero_extend {v}) (_ bv{n} {w})) (_ bv1 {t})))) (let ((r (bvurem y m))) \
         ((_ extract {n} 0) (bvor (bvshl x r) (bvlshr x (bvsub m r))))))")).smtlib(&["ext_rotate_left", "bvrol"]),
    row(Op::Ror, "ror", Shift, Binary(Value::ror), Term(
        "(let ((x ((_ zero_extend {v}) {a})) (y ((_ zero_extend {w}) {b})) \
         (m (bvadd ((_ zero_extend {v}) (_ bv{n} {w})) (_ bv1 {t})))) (let ((r (bvurem y m))) \
         ((_ extract {n} 0) (bvor (bvlshr x r) (bvshl x (bvsub m r))))))")).smtlib(&["ext_rotate_right", "bvror"]),
    row(Op::Eq, "eq", Equal, By(Structural::Equal), Truth("(= {a} {b})")).smtlib(&["=", "bvcomp"]),
    row(Op::Ne, "neq", Equal, By(Structural::Distinct), Truth("(distinct {a} {b})")).smtlib(&["distinct"]),
    row(Op::Ult, "ult", Predicate(2), Compare(Value::ult), Truth("(bvult {a} {b})")).smtlib(&["bvult", "bvultbv"]),
    row(Op::Ule, "ulte", Predicate(2), Compare(Value::ule), Truth("(bvule {a} {b})")).smtlib(&["bvule"]),
    row(Op::Ugt, "ugt", Predicate(2), Compare(Value::ugt), Truth("(bvugt {a} {b})")).smtlib(&["bvugt"]),
    row(Op::Uge, "ugte", Predicate(2), Compare(Value::uge), Truth("(bvuge {a} {b})")).smtlib(&["bvuge"]),
    row(Op::Slt, "slt", Predicate(2), Compare(Value::slt), Truth("(bvslt {a} {b})")).smtlib(&["bvslt", "bvsltbv"]),
    row(Op::Sle, "slte", Predicate(2), Compare(Value::sle), Truth("(bvsle {a} {b})")).smtlib(&["bvsle"]),
    row(Op::Sgt, "sgt", Predicate(2), Compare(Value::sgt), Truth("(bvsgt {a} {b})")).smtlib(&["bvsgt"]),
    row(Op::Sge, "sgte", Predicate(2), Compare(Value::sge), Truth("(bvsge {a} {b})")).smtlib(&["bvsge"]),
    row(Op::Uaddo, "uaddo", Predicate(2), Compare(Value::uaddo), Truth("(bvult (bvadd {a} {b}) {a})")).smtlib(&["bvuaddo"]),
    row(Op::Saddo, "saddo", Predicate(2), Compare(Value::saddo), Truth(
        "(let ((r (bvadd ((_ sign_extend 1) {a}) ((_ sign_extend 1) {b})))) \
         (distinct ((_ extract {w} {w}) r) ((_ extract {n} {n}) r)))")).smtlib(&["bvsaddo"]),
    row(Op::Usubo, "usubo", Predicate(2), Compare(Value::usubo), Truth("(bvult {a} {b})")).smtlib(&["bvusubo"]),
    row(Op::Ssubo, "ssubo", Predicate(2), Compare(Value::ssubo), Truth(
        "(let ((r (bvsub ((_ sign_extend 1) {a}) ((_ sign_extend 1) {b})))) \
         (distinct ((_ extract {w} {w}) r) ((_ extract {n} {n}) r)))")).smtlib(&["bvssubo"]),
    row(Op::Umulo, "umulo", Predicate(2), Compare(Value::umulo), Truth(
        "(distinct ((_ extract {e} {w}) (bvmul ((_ zero_extend {w}) {a}) ((_ zero_extend {w}) {b}))) (_ bv0 {w}))"))
        .smtlib(&["bvumulo", "bvumul_ovfl"]),
    row(Op::Smulo, "smulo", Predicate(2), Compare(Value::smulo), Truth(
        "(let ((p (bvmul ((_ sign_extend {w}) {a}) ((_ sign_extend {w}) {b})))) \
         (distinct p ((_ sign_extend {w}) ((_ extract {n} 0) p))))")).smtlib(&["bvsmulo", "bvsmul_ovfl"]),
    row(Op::Sdivo, "sdivo", Predicate(2), Compare(Value::sdivo), Truth(
        "(and (= {a} (bvshl (_ bv1 {w}) (_ bv{n} {w}))) (= {b} (bvnot (_ bv0 {w}))))")).smtlib(&["bvsdivo"]),
    row(Op::Concat, "concat", OperandShape::Concat, Binary(Value::concat), Term("(concat {a} {b})")).smtlib(&["concat"]),
    row(Op::Slice, "slice", OperandShape::Slice, Indexed2(Value::slice), Term("((_ extract {i} {j}) {a})")).smtlib(&["extract"]),
    row(Op::Uext, "uext", Extend, Indexed(Value::zero_extend), Term("((_ zero_extend {i}) {a})")).smtlib(&["zero_extend"]),
    row(Op::Sext, "sext", Extend, Indexed(Value::sign_extend), Term("((_ sign_extend {i}) {a})")).smtlib(&["sign_extend"]),
    row(Op::Repeat, "repeat", OperandShape::Repeat, Indexed(Value::repeat), Term("((_ repeat {i}) {a})")).smtlib(&["repeat"]),
    row(Op::Ite, "ite", OperandShape::Ite, By(Structural::Choice), Term("(ite (= {a} #b1) {b} {c})")).smtlib(&["ite", "bvite"]),
    row(Op::Read, "read", OperandShape::Read, By(Structural::Read), Term("(select {a} {b})")).smtlib(&["select"]),
    row(Op::Write, "write", OperandShape::Write, By(Structural::Write), Term("(store {a} {b} {c})")).smtlib(&["store"]),
];

fn implies(a: &Value, b: &Value) -> Value {
    a.not().or(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_operators() {
        for (index, info) in OPS.iter().enumerate() {
            assert_eq!(info.op as usize, index, "{}", info.name);
        }
        assert_eq!(Op::Write as usize + 1, OPS.len());
    }

    #[test]
    fn names_are_unambiguous() {
        for info in OPS {
            for name in info.smtlib {
                assert_eq!(Op::from_smtlib(name), Some(info.op), "{name}");
            }
        }
        assert_eq!(Op::from_smtlib("bvfoo"), None);
    }
}
