//! Datatypes, tuples and nullable values. Constructors and selectors are declarations, not operators.

use super::build::*;
use Theory::Datatypes as Data;

pub(super) static OPS: &[SmtOp] = &[
    rule("is", Data, SortRule::Is, 1).indexed(1, 1),
    rule("update", Data, SortRule::Update, 2).indexed(1, 1).cvc5(),
    rule("update-field", Data, SortRule::Update, 2).indexed(1, 1).z3(),
    rule("tuple", Data, SortRule::Tuple, 0).cvc5(),
    rule("mkTuple", Data, SortRule::Tuple, 0).old(),
    fixed("tuple.unit", Data, &[], Pat::Any).cvc5(),
    rule("tuple.select", Data, SortRule::TupleSelect, 1).indexed(1, 1).cvc5(),
    rule("tupSel", Data, SortRule::TupleSelect, 1).indexed(1, 1).old(),
    rule("tuple_select", Data, SortRule::TupleSelect, 1).indexed(1, 1).old(),
    fixed("tuple.update", Data, &[A, B], A).indexed(1, 1).cvc5(),
    fixed("tuple_update", Data, &[A, B], A).indexed(1, 1).old(),
    rule("tuple.project", Data, SortRule::Project, 1).indexed(0, u8::MAX).cvc5(),
    rule("tuple_project", Data, SortRule::Project, 1).indexed(0, u8::MAX).old(),
    rule("nullable.null", Data, SortRule::Ascribed, 0).cvc5(),
    rule("nullable.some", Data, SortRule::Unknown, 1).cvc5(),
    rule("nullable.val", Data, SortRule::Unknown, 1).cvc5(),
    rule("nullable.is_null", Data, SortRule::Predicate, 1).cvc5(),
    rule("nullable.is_some", Data, SortRule::Predicate, 1).cvc5(),
    rule("nullable.lift", Data, SortRule::Unknown, 1).indexed(0, 1).cvc5(),
    rule("dt.size", Data, SortRule::Unknown, 1).cvc5(),
];
