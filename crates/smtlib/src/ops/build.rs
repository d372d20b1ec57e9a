//! Short names for writing the tables: constant functions that create and refine entries.

pub(super) use super::SmtOp;
pub(super) use super::signature::{
    Associativity, IndexRange, OperatorOrigin, OperatorSignature, Pat, Slot, SortRule, Theory,
};
use crate::SortId;
pub(super) use Associativity::{Chainable, LeftAssoc, Pairwise, RightAssoc};

pub(super) const VA: Slot = Slot::Var(0);
pub(super) const VB: Slot = Slot::Var(1);
pub(super) const IS_BOOL: Slot = Slot::Is(SortId::BOOL);
pub(super) const IS_INT: Slot = Slot::Is(SortId::INT);

pub(super) const A: Pat = Pat::Slot(VA);
pub(super) const B: Pat = Pat::Slot(VB);
pub(super) const BOOL: Pat = Pat::Slot(IS_BOOL);
pub(super) const INT: Pat = Pat::Slot(IS_INT);
pub(super) const REAL: Pat = Pat::Slot(Slot::Is(SortId::REAL));
pub(super) const STRING: Pat = Pat::Slot(Slot::Is(SortId::STRING));
pub(super) const REGLAN: Pat = Pat::Slot(Slot::Is(SortId::REGLAN));
pub(super) const MODE: Pat = Pat::Slot(Slot::Is(SortId::ROUNDING_MODE));
pub(super) const NUM: Pat = Pat::Num;
pub(super) const BV: Pat = Pat::BitVec(0);
/// A bit-vector whose width may differ from that of [`BV`].
pub(super) const BV_OTHER: Pat = Pat::BitVec(1);
pub(super) const FLOAT: Pat = Pat::Float(0);
pub(super) const FIELD: Pat = Pat::Field(0);
pub(super) const TEXT: Pat = Pat::Text(0);
pub(super) const SEQ_A: Pat = Pat::Seq(VA);
pub(super) const SEQ_B: Pat = Pat::Seq(VB);
pub(super) const SET_A: Pat = Pat::Set(VA);
pub(super) const SET_B: Pat = Pat::Set(VB);
pub(super) const BAG_A: Pat = Pat::Bag(VA);
pub(super) const BAG_B: Pat = Pat::Bag(VB);

const fn entry(
    name: &'static str,
    theory: Theory,
    signature: OperatorSignature,
    attribute: Associativity,
    min: u8,
) -> SmtOp {
    SmtOp {
        name,
        theory,
        origin: OperatorOrigin::Standard,
        indices: (0, 0),
        signature,
        attribute,
        min_args: min,
        commutative: false,
        identity: None,
        index_range: IndexRange::Natural,
        strict_num: None,
        has_unary: false,
        nonlinear: false,
    }
}

/// Exactly these arguments.
pub(super) const fn fixed(name: &'static str, theory: Theory, params: &'static [Pat], result: Pat) -> SmtOp {
    entry(name, theory, OperatorSignature::Fixed(params, result), Associativity::None, params.len() as u8)
}

/// Two or more arguments of one sort. Solvers also accept a single argument.
pub(super) const fn nary(
    name: &'static str,
    theory: Theory,
    attribute: Associativity,
    param: Pat,
    result: Pat,
) -> SmtOp {
    entry(name, theory, OperatorSignature::Nary(param, result), attribute, 1)
}

/// The sorts are given by a rule; at least `min` arguments.
pub(super) const fn rule(name: &'static str, theory: Theory, rule: SortRule, min: u8) -> SmtOp {
    entry(name, theory, OperatorSignature::Rule(rule), Associativity::None, min)
}

impl SmtOp {
    pub(super) const fn commutes(mut self) -> SmtOp {
        self.commutative = true;
        self
    }

    pub(super) const fn unit(mut self, identity: &'static str) -> SmtOp {
        self.identity = Some(identity);
        self
    }

    pub(super) const fn indexed(mut self, min: u8, max: u8) -> SmtOp {
        self.indices = (min, max);
        self
    }

    pub(super) const fn index_from(mut self, range: IndexRange) -> SmtOp {
        self.index_range = range;
        self
    }

    pub(super) const fn only(mut self, sort: SortId) -> SmtOp {
        self.strict_num = Some(sort);
        self
    }

    pub(super) const fn negates(mut self) -> SmtOp {
        self.has_unary = true;
        self
    }

    pub(super) const fn nonlinear(mut self) -> SmtOp {
        self.nonlinear = true;
        self
    }

    pub(super) const fn at_least(mut self, n_args: u8) -> SmtOp {
        self.min_args = n_args;
        self
    }

    pub(super) const fn extends(mut self, attribute: Associativity) -> SmtOp {
        self.attribute = attribute;
        self
    }

    pub(super) const fn cvc5(mut self) -> SmtOp {
        self.origin = OperatorOrigin::Cvc5;
        self
    }

    pub(super) const fn z3(mut self) -> SmtOp {
        self.origin = OperatorOrigin::Z3;
        self
    }

    pub(super) const fn old(mut self) -> SmtOp {
        self.origin = OperatorOrigin::Old;
        self
    }
}
