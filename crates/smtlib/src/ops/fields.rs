//! Finite fields and separation logic of cvc5.

use super::build::*;
use Theory::{FiniteFields, Separation};

pub(super) static OPS: &[SmtOp] = &[
    nary("ff.add", FiniteFields, LeftAssoc, FIELD, FIELD).commutes().cvc5(),
    nary("ff.mul", FiniteFields, LeftAssoc, FIELD, FIELD).commutes().cvc5(),
    fixed("ff.neg", FiniteFields, &[FIELD], FIELD).cvc5(),
    nary("ff.bitsum", FiniteFields, LeftAssoc, FIELD, FIELD).cvc5(),
    fixed("sep.emp", Separation, &[], BOOL).cvc5(),
    rule("sep.nil", Separation, SortRule::Ascribed, 0).cvc5(),
    nary("sep", Separation, LeftAssoc, BOOL, BOOL).commutes().cvc5(),
    fixed("wand", Separation, &[BOOL, BOOL], BOOL).cvc5(),
    fixed("pto", Separation, &[A, B], BOOL).cvc5(),
];
