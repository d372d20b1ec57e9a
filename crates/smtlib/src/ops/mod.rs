//! The operator table: every built-in function of SMT-LIB 2.6, 2.7 and of the solvers' dialects, as data.
//!
//! One file per theory, one line per operator. Sort inference uses it, and so do the generator, the mutations, the
//! evaluator and the reference manual. Only rewrites and the built-in solver mention particular operators by name. A signature is an
//! [`OperatorSignature`]: patterns of sorts where they are enough, otherwise the name of a [`SortRule`].
//!
//! ```
//! use nub_smtlib::ops::{self, Associativity};
//! let op = ops::by_name(b"bvadd").and_then(|id| id.get()).unwrap();
//! assert_eq!(op.attribute, Associativity::LeftAssoc);
//! assert_eq!(op.identity, Some("0"));
//! ```

mod arith;
mod arrays;
mod bags;
mod bitvec;
mod build;
mod core;
mod datatypes;
mod fields;
mod float;
mod sequences;
mod sets;
mod signature;
mod strings;
mod z3;

pub use signature::{
    Associativity, IndexRange, OperatorOrigin, OperatorSignature, Pat, Slot, SortRule, Theory,
};

use crate::SortId;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A built-in operator.
#[derive(Debug)]
pub struct SmtOp {
    /// Its name as written.
    pub name: &'static str,
    /// The theory it belongs to.
    pub theory: Theory,
    /// Who supports it.
    pub origin: OperatorOrigin,
    /// Minimum and maximum number of indices in `(_ f i…)`.
    pub indices: (u8, u8),
    /// Sorts of arguments and result.
    pub signature: OperatorSignature,
    /// How it extends to more than two arguments.
    pub attribute: Associativity,
    /// Minimum number of arguments that some solver accepts.
    pub min_args: u8,
    /// True if the order of arguments does not matter.
    pub commutative: bool,
    /// The neutral argument, as a literal: `true`, `0`, `1`, `""`; for bit-vectors `0`, `1` and `-1`
    /// represent the value at the width of the operation.
    pub identity: Option<&'static str>,
    /// Which indices are legal.
    pub index_range: IndexRange,
    /// The only sort that the standard allows, if solvers accept both `Int` and `Real`.
    pub strict_num: Option<SortId>,
    /// True if the standard also allows a single argument, as for `-`.
    pub has_unary: bool,
    /// True if linear logics require all arguments except one to be numerals.
    pub nonlinear: bool,
}

impl SmtOp {
    /// Maximum number of arguments, `None` if there is no limit.
    pub fn max_args(&self) -> Option<usize> {
        match (self.attribute, &self.signature) {
            (Associativity::None, OperatorSignature::Fixed(params, _)) => Some(params.len()),
            _ => None,
        }
    }

    /// The result sort, if it does not depend on the arguments.
    pub fn constant_result(&self) -> Option<SortId> {
        match self.signature {
            OperatorSignature::Fixed(_, Pat::Slot(Slot::Is(sort)))
            | OperatorSignature::Nary(_, Pat::Slot(Slot::Is(sort))) => Some(sort),
            OperatorSignature::Rule(SortRule::Is | SortRule::Predicate | SortRule::SetRelation) => {
                Some(SortId::BOOL)
            }
            _ => None,
        }
    }

    /// True if it may be used without arguments.
    pub fn is_constant(&self) -> bool {
        self.max_args() == Some(0)
            || matches!(self.signature, OperatorSignature::Rule(rule) if rule.is_constant())
    }
}

/// The number of a built-in operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpId(u16);

impl OpId {
    /// No operator. Used instead of `Option`, so that the table by node has two bytes per entry.
    pub(crate) const NONE: OpId = OpId(u16::MAX);

    /// The entry of the table.
    pub fn get(self) -> Option<&'static SmtOp> {
        TABLE.all.get(self.0 as usize).copied()
    }
}

struct Table {
    all: Vec<&'static SmtOp>,
    by_name: FxHashMap<&'static [u8], OpId>,
}

/// Built once from the files of the theories: an index into constant data.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let theories = [
        core::OPS,
        arith::OPS,
        bitvec::OPS,
        arrays::OPS,
        float::OPS,
        strings::OPS,
        sequences::OPS,
        sets::OPS,
        bags::OPS,
        datatypes::OPS,
        fields::OPS,
        z3::OPS,
    ];
    let all: Vec<&'static SmtOp> = theories.iter().flat_map(|ops| ops.iter()).collect();
    assert!(all.len() < OpId::NONE.0 as usize, "operator numbers fit into 16 bits");
    let by_name = all.iter().zip(0..).map(|(op, at)| (op.name.as_bytes(), OpId(at))).collect();
    Table { all, by_name }
});

/// All operators, theory by theory.
pub fn all() -> &'static [&'static SmtOp] {
    &TABLE.all
}

/// The operator with this name.
pub fn by_name(name: &[u8]) -> Option<OpId> {
    TABLE.by_name.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().iter().map(|op| op.name).collect();
        names.sort_unstable();
        let n_names = names.len();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "{twice:?} of {n_names}");
    }

    #[test]
    fn arities_fit_signatures() {
        for op in all() {
            assert!(op.indices.0 <= op.indices.1, "{}", op.name);
            if let OperatorSignature::Fixed(params, _) = op.signature {
                assert!(op.min_args as usize <= params.len(), "{}", op.name);
            }
            assert_eq!(
                matches!(op.signature, OperatorSignature::Nary(..)),
                op.attribute != Associativity::None && !matches!(op.signature, OperatorSignature::Rule(_)),
                "{}",
                op.name
            );
        }
    }
}
