//! Datatypes, tuples and nullable values. Constructors and selectors are declarations, not operators.

use super::build::*;
use Theory::Datatypes as Data;

pub(super) static OPS: &[Op] = &[
    rule("is", Data, Rule::Is, 1).indexed(1, 1),
    rule("update", Data, Rule::Update, 2).indexed(1, 1).cvc5(),
    rule("update-field", Data, Rule::Update, 2).indexed(1, 1).z3(),
    rule("tuple", Data, Rule::Tuple, 0).cvc5(),
    rule("mkTuple", Data, Rule::Tuple, 0).old(),
    fixed("tuple.unit", Data, &[], Pat::Any).cvc5(),
    rule("tuple.select", Data, Rule::TupleSelect, 1).indexed(1, 1).cvc5(),
    rule("tupSel", Data, Rule::TupleSelect, 1).indexed(1, 1).old(),
    rule("tuple_select", Data, Rule::TupleSelect, 1).indexed(1, 1).old(),
    fixed("tuple.update", Data, &[A, B], A).indexed(1, 1).cvc5(),
    fixed("tuple_update", Data, &[A, B], A).indexed(1, 1).old(),
    rule("tuple.project", Data, Rule::Project, 1).indexed(0, u8::MAX).cvc5(),
    rule("tuple_project", Data, Rule::Project, 1).indexed(0, u8::MAX).old(),
    rule("nullable.null", Data, Rule::Ascribed, 0).cvc5(),
    rule("nullable.some", Data, Rule::Unknown, 1).cvc5(),
    rule("nullable.val", Data, Rule::Unknown, 1).cvc5(),
    rule("nullable.is_null", Data, Rule::Predicate, 1).cvc5(),
    rule("nullable.is_some", Data, Rule::Predicate, 1).cvc5(),
    rule("nullable.lift", Data, Rule::Unknown, 1).indexed(0, 1).cvc5(),
    rule("dt.size", Data, Rule::Unknown, 1).cvc5(),
];
