//! What only z3 has: special relations, pseudo-Boolean sums, its built-in lists.

use super::build::*;
use Theory::{Core, Datatypes, SpecialRelations as Relation};

pub(super) static OPS: &[Op] = &[
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
    rule("nil", Datatypes, Rule::Ascribed, 0).z3(),
    rule("head", Datatypes, Rule::Unknown, 1).z3(),
    rule("tail", Datatypes, Rule::Unknown, 1).z3(),
    rule("is-nil", Datatypes, Rule::Predicate, 1).z3(),
    rule("is-insert", Datatypes, Rule::Predicate, 1).z3(),
    rule("mk-pair", Datatypes, Rule::Unknown, 2).z3(),
    rule("first", Datatypes, Rule::Unknown, 1).z3(),
    rule("second", Datatypes, Rule::Unknown, 1).z3(),
    rule("lblpos", Core, Rule::Predicate, 1).indexed(0, u8::MAX).z3(),
    rule("lblneg", Core, Rule::Predicate, 1).indexed(0, u8::MAX).z3(),
];
