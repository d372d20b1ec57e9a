//! Operators that only z3 has: special relations, pseudo-Boolean sums, its built-in lists.

use super::build::*;
use Theory::{Core, Datatypes, SpecialRelations as Relation};

pub(super) static OPS: &[SmtOp] = &[
    fixed("partial-order", Relation, &[A, A], BOOL).indexed(0, 2).z3(),
    fixed("linear-order", Relation, &[A, A], BOOL).indexed(0, 2).z3(),
    fixed("tree-order", Relation, &[A, A], BOOL).indexed(0, 2).z3(),
    fixed("piecewise-linear-order", Relation, &[A, A], BOOL).indexed(0, 2).z3(),
    fixed("transitive-closure", Relation, &[A, A], BOOL).indexed(1, 1).z3(),
    nary("at-most", Core, LeftAssoc, BOOL, BOOL).indexed(1, 1).commutes().z3(),
    nary("at-least", Core, LeftAssoc, BOOL, BOOL).indexed(1, 1).commutes().z3(),
    nary("pble", Core, LeftAssoc, BOOL, BOOL).indexed(1, u8::MAX).z3(),
    nary("pbge", Core, LeftAssoc, BOOL, BOOL).indexed(1, u8::MAX).z3(),
    nary("pbeq", Core, LeftAssoc, BOOL, BOOL).indexed(1, u8::MAX).z3(),
    rule("nil", Datatypes, SortRule::Ascribed, 0).z3(),
    rule("head", Datatypes, SortRule::Unknown, 1).z3(),
    rule("tail", Datatypes, SortRule::Unknown, 1).z3(),
    rule("is-nil", Datatypes, SortRule::Predicate, 1).z3(),
    rule("is-insert", Datatypes, SortRule::Predicate, 1).z3(),
    rule("mk-pair", Datatypes, SortRule::Unknown, 2).z3(),
    rule("first", Datatypes, SortRule::Unknown, 1).z3(),
    rule("second", Datatypes, SortRule::Unknown, 1).z3(),
    rule("lblpos", Core, SortRule::Predicate, 1).indexed(0, u8::MAX).z3(),
    rule("lblneg", Core, SortRule::Predicate, 1).indexed(0, u8::MAX).z3(),
];
