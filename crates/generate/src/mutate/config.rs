//! What to mutate, and how much.

use super::kind::{KindSet, MutationKind};

/// Options of a [`super::FormulaMutator`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutateConfig {
    /// Each mutant has between one and this many mutations.
    pub max_mutations: u32,
    /// Which techniques to use.
    pub kinds: KindSet,
    /// Which operators may be introduced into an SMT-LIB file.
    pub dialect: MutateDialect,
    /// Whether quantifiers may be introduced into a file without them.
    pub quantifiers: QuantifierUse,
}

impl MutateConfig {
    /// The enabled techniques, each repeated according to its weight: drawing an element draws a technique.
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

/// Whose operators may be introduced. An operator that the seed uses may always be used again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutateDialect {
    /// Those of SMT-LIB 2.6, which all solvers support
    Common,
    /// Also those of SMT-LIB 2.7
    Standard,
    /// Also those of cvc5
    Cvc5,
    /// Also those of z3
    Z3,
}

/// When to introduce quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantifierUse {
    /// Only if the seed has some
    IfSeedHas,
    /// In every seed
    Always,
}
