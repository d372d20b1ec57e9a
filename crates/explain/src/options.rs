//! What the caller decides.

use crate::property::PropertyKind;
use nub_sat::{Bounds, SatLimits};
use std::sync::Arc;

/// What to do. The default is the paper's method with its metric.
#[derive(Clone, Debug)]
pub struct ExplainOptions {
    /// How to unroll.
    pub unroll: nub_unroll::UnrollConfig,
    /// Which properties may fail.
    pub properties: PropertyFilter,
    /// Which failing run is explained.
    pub counterexample: Counterexample,
    /// Values of some inputs of the failing run, by the name of the input or of the variable that takes it. The others are searched.
    pub inputs: Vec<(String, i128)>,
    /// What has to hold in both runs.
    pub assume: Vec<Predicate>,
    /// Whether the antecedent or the expected value of the property is kept if the closest run would otherwise change it (section 6.1).
    pub antecedents: Antecedents,
    /// Specification code, which does not count.
    pub trust: Trust,
    /// The weight of each difference.
    pub weights: MetricWeights,
    /// Which differences are needed.
    pub slicing: Slicing,
    /// At most this many slices.
    pub max_slices: usize,
    /// At most this many closest runs. With 1, no others are searched.
    pub max_runs: usize,
    /// Loops are unrolled further than [`nub_unroll::UnrollConfig::unwind`], up to this, as long as a closer run is possible (section 3.3).
    pub max_unwind: u32,
    /// When to stop.
    pub limits: SatLimits,
    /// Receives the bounds on the distance while the closest run is searched.
    pub bounds: Arc<Bounds>,
}

impl Default for ExplainOptions {
    fn default() -> ExplainOptions {
        ExplainOptions {
            unroll: nub_unroll::UnrollConfig::default(),
            properties: PropertyFilter::default(),
            counterexample: Counterexample::First,
            inputs: Vec::new(),
            assume: Vec::new(),
            antecedents: Antecedents::Kept,
            trust: Trust::Automatic,
            weights: MetricWeights::default(),
            slicing: Slicing::TwoPhase,
            max_slices: 16,
            max_runs: 1,
            max_unwind: 12,
            limits: SatLimits::none(),
            bounds: Arc::default(),
        }
    }
}

/// Which properties may fail; all given filters must match. Whatever is selected, a run passes only if all properties hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertyFilter {
    /// Kinds; if empty, assertions, and if none of them can fail, everything except bounds of loops.
    pub kinds: Vec<PropertyKind>,
    /// The name of one, such as `main.assertion.1`.
    pub id: Option<String>,
    /// Those at this line.
    pub line: Option<u32>,
}

impl PropertyFilter {
    /// The properties that were named and must exist, as text.
    pub(crate) fn named(&self) -> Option<String> {
        let id = self.id.as_ref().map(|id| format!("`{id}`"));
        let line = self.line.map(|line| format!("at line {line}"));
        let words: Vec<String> = id.into_iter().chain(line).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// Which failing run is explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counterexample {
    /// One that violates the first property that can be violated, with small inputs where that is cheap.
    First,
    /// Among those, one that executes the fewest statements, if that is found within the limits.
    Shortest,
}

/// A condition over names of the source, just before the first statement that starts on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// An expression of C.
    pub text: String,
    /// Only in files whose names end with this.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
}

/// What happens to the antecedent of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Antecedents {
    /// If the closest run merely makes it false, it is assumed, and the search is repeated.
    Kept,
    /// Any passing run is accepted.
    Free,
}

/// Specification code: its values have no weight and are not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The function with the property, and functions that are named `reference`, `expected`, `spec` or similarly, unless nothing is left to explain.
    Automatic,
    /// All code is suspect.
    Nothing,
    /// These functions, and the files whose names end with these texts.
    These(Vec<String>),
}

/// The weights of differences. With 0, a difference does not count and is not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetricWeights {
    /// A guard.
    pub guards: u32,
    /// An input.
    pub inputs: u32,
    /// A value where paths merge.
    pub phis: u32,
    /// Anything else.
    pub others: u32,
    /// The weight of everything on a line, instead of all these.
    pub lines: Vec<(u32, u32)>,
}

impl MetricWeights {
    /// Larger weights would need many clauses and give the same answer.
    pub const MAX: u32 = 100;
}

impl Default for MetricWeights {
    fn default() -> MetricWeights {
        MetricWeights { guards: 1, inputs: 1, phis: 1, others: 1, lines: Vec::new() }
    }
}

/// Which differences are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slicing {
    /// Those of the closest run (section 5).
    TwoPhase,
    /// The run is selected so that it has few of them (section 5.1). Often worse: a run that has little to do with the failing one can have a small
    /// slice.
    OneStep,
}
