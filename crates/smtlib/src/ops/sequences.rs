//! Sequences of cvc5 and z3. A z3 string is a sequence, hence `TEXT`.

use super::build::*;
use Theory::Sequences as Seq;

pub(super) static OPS: &[SmtOp] = &[
    rule("seq.empty", Seq, SortRule::Ascribed, 0).cvc5(),
    rule("seq.unit", Seq, SortRule::Unit, 1).cvc5(),
    nary("seq.++", Seq, LeftAssoc, TEXT, TEXT).cvc5(),
    fixed("seq.len", Seq, &[TEXT], INT).cvc5(),
    rule("seq.nth", Seq, SortRule::Nth, 2).cvc5(),
    rule("seq.nth_u", Seq, SortRule::Nth, 2).z3(),
    rule("seq.nth_i", Seq, SortRule::Nth, 2).z3(),
    fixed("seq.at", Seq, &[TEXT, INT], TEXT).cvc5(),
    fixed("seq.extract", Seq, &[TEXT, INT, INT], TEXT).cvc5(),
    fixed("seq.update", Seq, &[TEXT, INT, TEXT], TEXT).cvc5(),
    fixed("seq.contains", Seq, &[TEXT, TEXT], BOOL).cvc5(),
    fixed("seq.indexof", Seq, &[TEXT, TEXT, INT], INT).at_least(2).cvc5(),
    fixed("seq.last_indexof", Seq, &[TEXT, TEXT], INT).z3(),
    fixed("seq.replace", Seq, &[TEXT, TEXT, TEXT], TEXT).cvc5(),
    fixed("seq.replace_all", Seq, &[TEXT, TEXT, TEXT], TEXT).cvc5(),
    fixed("seq.replace_re", Seq, &[TEXT, REGLAN, TEXT], TEXT).z3(),
    fixed("seq.replace_re_all", Seq, &[TEXT, REGLAN, TEXT], TEXT).z3(),
    fixed("seq.rev", Seq, &[TEXT], TEXT).cvc5(),
    fixed("seq.prefixof", Seq, &[TEXT, TEXT], BOOL).cvc5(),
    fixed("seq.suffixof", Seq, &[TEXT, TEXT], BOOL).cvc5(),
    fixed("seq.to.re", Seq, &[TEXT], REGLAN).z3(),
    fixed("seq.to_re", Seq, &[TEXT], REGLAN).z3(),
    fixed("seq.in.re", Seq, &[TEXT, REGLAN], BOOL).z3(),
    fixed("seq.in_re", Seq, &[TEXT, REGLAN], BOOL).z3(),
    fixed("seq.map", Seq, &[Pat::Fun(&[VA, VB]), SEQ_A], SEQ_B).z3(),
    fixed("seq.mapi", Seq, &[Pat::Fun(&[IS_INT, VA, VB]), INT, SEQ_A], SEQ_B).z3(),
    fixed("seq.map_i", Seq, &[Pat::Fun(&[IS_INT, VA, VB]), INT, SEQ_A], SEQ_B).z3(),
    fixed("seq.foldl", Seq, &[Pat::Fun(&[VB, VA, VB]), B, SEQ_A], B).z3(),
    fixed("seq.fold_left", Seq, &[Pat::Fun(&[VB, VA, VB]), B, SEQ_A], B).z3(),
    fixed("seq.foldli", Seq, &[Pat::Fun(&[IS_INT, VB, VA, VB]), INT, B, SEQ_A], B).z3(),
    fixed("seq.foldl_i", Seq, &[Pat::Fun(&[IS_INT, VB, VA, VB]), INT, B, SEQ_A], B).z3(),
    fixed("seq.fold_lefti", Seq, &[Pat::Fun(&[IS_INT, VB, VA, VB]), INT, B, SEQ_A], B).z3(),
];
