//! Coverage criteria.

/// A coverage criterion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Criterion {
    /// Every statement is executed.
    Statement,
    /// Every decision has every outcome.
    Decision,
    /// Every condition has both values.
    Condition,
    /// Condition and decision coverage together.
    ConditionDecision,
    /// Every condition is shown to affect the outcome independently, and decisions and conditions have all their outcomes: MC/DC as defined
    /// by DO-178C and Weiler (table 2.1).
    Mcdc,
    /// Only the pairs of MC/DC: no goals for `switch`, nor for conditions that cannot be shown to be
    /// independent.
    McdcPairs,
    /// Every path through the function is taken, up to the bound of the loops.
    Path,
}

impl Criterion {
    /// All of them.
    pub const ALL: [Criterion; 7] = [
        Criterion::Statement,
        Criterion::Decision,
        Criterion::Condition,
        Criterion::ConditionDecision,
        Criterion::Mcdc,
        Criterion::McdcPairs,
        Criterion::Path,
    ];

    /// The name, as on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Criterion::Statement => "statement",
            Criterion::Decision => "decision",
            Criterion::Condition => "condition",
            Criterion::ConditionDecision => "condition-decision",
            Criterion::Mcdc => "mcdc",
            Criterion::McdcPairs => "mcdc-pairs",
            Criterion::Path => "path",
        }
    }
}

impl std::fmt::Display for Criterion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// A variant of MC/DC. In all of them the condition has different values in the two evaluations, and the decision different
/// outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mcdc {
    /// All other conditions are equal, or skipped in one of the two: unique cause as clang measures it.
    #[default]
    UniqueCause,
    /// In both evaluations the condition alone determines the outcome, whatever the others are: as gcc
    /// measures it.
    Masking,
    /// All other conditions are equal, and skipped in both evaluations or in neither.
    Strict,
}

impl Mcdc {
    /// All of them.
    pub const ALL: [Mcdc; 3] = [Mcdc::UniqueCause, Mcdc::Masking, Mcdc::Strict];

    /// The name, as on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Mcdc::UniqueCause => "unique-cause",
            Mcdc::Masking => "masking",
            Mcdc::Strict => "strict",
        }
    }
}

impl std::fmt::Display for Mcdc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}
