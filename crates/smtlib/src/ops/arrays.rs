//! Arrays with extensionality, and z3's array combinators.

use super::build::*;
use Theory::Arrays;

pub(super) static OPS: &[SmtOp] = &[
    rule("select", Arrays, SortRule::Select, 2),
    rule("store", Arrays, SortRule::Store, 3),
    rule("const", Arrays, SortRule::ConstArray, 1),
    fixed("eqrange", Arrays, &[Pat::Array(VA, VB), Pat::Array(VA, VB), A, A], BOOL).cvc5(),
    rule("map", Arrays, SortRule::MapArray, 1).indexed(1, 1).z3(),
    rule("as-array", Arrays, SortRule::AsArray, 0).indexed(1, 1).z3(),
    fixed("default", Arrays, &[Pat::Array(VA, VB)], B).z3(),
    fixed("array-ext", Arrays, &[Pat::Array(VA, VB), Pat::Array(VA, VB)], A).z3(),
];
