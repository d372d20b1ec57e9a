//! Bags and tables of cvc5.

use super::build::*;
use Theory::Bags;

pub(super) static OPS: &[SmtOp] = &[
    rule("bag.empty", Bags, SortRule::Ascribed, 0).cvc5(),
    fixed("bag", Bags, &[A, INT], BAG_A).cvc5(),
    nary("bag.union_max", Bags, LeftAssoc, BAG_A, BAG_A).commutes().cvc5(),
    nary("bag.union_disjoint", Bags, LeftAssoc, BAG_A, BAG_A).commutes().cvc5(),
    nary("bag.inter_min", Bags, LeftAssoc, BAG_A, BAG_A).commutes().cvc5(),
    nary("bag.difference_subtract", Bags, LeftAssoc, BAG_A, BAG_A).cvc5(),
    nary("bag.difference_remove", Bags, LeftAssoc, BAG_A, BAG_A).cvc5(),
    fixed("bag.subbag", Bags, &[BAG_A, BAG_A], BOOL).cvc5(),
    fixed("bag.count", Bags, &[A, BAG_A], INT).cvc5(),
    fixed("bag.member", Bags, &[A, BAG_A], BOOL).cvc5(),
    fixed("bag.setof", Bags, &[BAG_A], BAG_A).cvc5(),
    fixed("bag.duplicate_removal", Bags, &[BAG_A], BAG_A).old(),
    fixed("bag.card", Bags, &[BAG_A], INT).cvc5(),
    fixed("bag.choose", Bags, &[BAG_A], A).cvc5(),
    fixed("bag.is_singleton", Bags, &[BAG_A], BOOL).cvc5(),
    fixed("bag.from_set", Bags, &[SET_A], BAG_A).cvc5(),
    fixed("bag.to_set", Bags, &[BAG_A], SET_A).cvc5(),
    fixed("bag.map", Bags, &[Pat::Fun(&[VA, VB]), BAG_A], BAG_B).cvc5(),
    fixed("bag.filter", Bags, &[Pat::Fun(&[VA, IS_BOOL]), BAG_A], BAG_A).cvc5(),
    fixed("bag.all", Bags, &[Pat::Fun(&[VA, IS_BOOL]), BAG_A], BOOL).cvc5(),
    fixed("bag.some", Bags, &[Pat::Fun(&[VA, IS_BOOL]), BAG_A], BOOL).cvc5(),
    fixed("bag.fold", Bags, &[Pat::Fun(&[VA, VB, VB]), B, BAG_A], B).cvc5(),
    rule("bag.partition", Bags, SortRule::Group, 2).cvc5(),
    rule("table.product", Bags, SortRule::RelProduct, 2).cvc5(),
    rule("table.join", Bags, SortRule::RelProduct, 2).indexed(0, u8::MAX).cvc5(),
    rule("table.project", Bags, SortRule::Project, 1).indexed(0, u8::MAX).cvc5(),
    rule("table.aggr", Bags, SortRule::Aggregate, 1).indexed(0, u8::MAX).cvc5(),
    rule("table.group", Bags, SortRule::Group, 1).indexed(0, u8::MAX).cvc5(),
];
