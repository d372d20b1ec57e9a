//! Core, and higher-order application, which is part of every theory.

use super::build::*;
use Theory::{Core, HigherOrder};

pub(super) static OPS: &[SmtOp] = &[
    fixed("true", Core, &[], BOOL),
    fixed("false", Core, &[], BOOL),
    fixed("not", Core, &[BOOL], BOOL),
    nary("=>", Core, RightAssoc, BOOL, BOOL),
    nary("and", Core, LeftAssoc, BOOL, BOOL).commutes().unit("true"),
    nary("or", Core, LeftAssoc, BOOL, BOOL).commutes().unit("false"),
    nary("xor", Core, LeftAssoc, BOOL, BOOL).commutes().unit("false"),
    nary("=", Core, Chainable, A, BOOL).commutes().at_least(2),
    nary("distinct", Core, Pairwise, A, BOOL).commutes(),
    rule("ite", Core, SortRule::Ite, 3),
    nary("implies", Core, RightAssoc, BOOL, BOOL).old(),
    // z3 reads it as `=` on any sort.
    nary("iff", Core, Chainable, A, BOOL).commutes().old(),
    rule("if", Core, SortRule::Ite, 3).old(),
    rule("if_then_else", Core, SortRule::Ite, 3).z3(),
    nary("==", Core, Chainable, A, BOOL).commutes().z3(),
    fixed("fmf.card", Core, &[], BOOL).indexed(2, 2).cvc5(),
    fixed("fmf.combined_card", Core, &[], BOOL).indexed(1, 1).cvc5(),
    rule("@", HigherOrder, SortRule::Apply, 1).cvc5(),
];
