//! What to mutate, and how much.

use super::kind::{KindSet, MutationKind};

/// Options of a [`super::Mutator`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutateConfig {
    /// From one to this many mutations per mutant.
    pub max_mutations: u32,
    /// Which techniques.
    pub kinds: KindSet,
    /// Which operators may be brought into an SMT-LIB file.
    pub dialect: MutateDialect,
    /// Whether quantifiers may be brought into a file without them.
    pub quantifiers: QuantifierUse,
}

impl MutateConfig {
    /// The techniques that are switched on, each as often as its weight says: one is drawn by drawing a place.
    pub(super) fn choices(&self, weights: &[(MutationKind, u32)]) -> Vec<MutationKind> {
        let is_on = |(kind, _): &&(MutationKind, u32)| self.kinds.contains(*kind);
        weights.iter().filter(is_on).flat_map(|&(kind, weight)| (0..weight).map(move |_| kind)).collect()
    }
}

impl Default for MutateConfig {
    fn default() -> MutateConfig {
        MutateConfig {
            max_mutations: 4,
            kinds: KindSet::ALL,
            dialect: MutateDialect::Common,
            quantifiers: QuantifierUse::IfSeedHas,
        }
    }
}

/// Whose operators may be brought in. An operator that the seed uses may always be used again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutateDialect {
    /// Those of SMT-LIB 2.6, which all solvers read
    Common,
    /// Those of SMT-LIB 2.7 too
    Standard,
    /// Those of cvc5 too
    Cvc5,
    /// Those of z3 too
    Z3,
}

/// When to make quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantifierUse {
    /// Only where the seed has some
    IfSeedHas,
    /// In every seed
    Always,
}
