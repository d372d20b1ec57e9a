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
    /// Which run that fails is explained.
    pub counterexample: Counterexample,
    /// Values of some inputs of the run that fails, by the name of the input or of the variable that takes it. The others are found.
    pub inputs: Vec<(String, i128)>,
    /// What has to hold in both runs.
    pub assume: Vec<Predicate>,
    /// What the property says on one side of an implication, or expects, is kept if it would else be given up (section 6.1).
    pub antecedents: Antecedents,
    /// Code that says what is right, and does not count.
    pub trust: Trust,
    /// How much a difference counts.
    pub weights: MetricWeights,
    /// Which differences are needed.
    pub slicing: Slicing,
    /// At most this many slices.
    pub max_slices: usize,
    /// At most this many closest runs. With 1, others are not looked for.
    pub max_runs: usize,
    /// Loops are unrolled further than [`nub_unroll::UnrollConfig::unwind`], up to this, as long as a closer run is possible (section 3.3).
    pub max_unwind: u32,
    /// When to stop.
    pub limits: SatLimits,
    /// Where the bounds on the distance are told while the closest run is looked for.
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

/// Which properties may fail; all that are named here have to agree. Whatever is chosen, a run passes only if all hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertyFilter {
    /// Kinds; if empty, assertions, and if none of them can fail, everything but bounds of loops.
    pub kinds: Vec<PropertyKind>,
    /// The name of one, such as `main.assertion.1`.
    pub id: Option<String>,
    /// Those at this line.
    pub line: Option<u32>,
}

impl PropertyFilter {
    /// What was named and has to be there, in words.
    pub(crate) fn named(&self) -> Option<String> {
        let id = self.id.as_ref().map(|id| format!("`{id}`"));
        let line = self.line.map(|line| format!("at line {line}"));
        let words: Vec<String> = id.into_iter().chain(line).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// Which run that fails is explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counterexample {
    /// One that breaks the first property that can be broken, with small inputs where that is cheap.
    First,
    /// Of those, one that executes the fewest statements, if that is found within the limits.
    Shortest,
}

/// A condition in the names of the source, just before the first statement that begins at a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// An expression of C.
    pub text: String,
    /// Only a file whose name ends like this.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
}

/// What becomes of the side of a property that says when it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Antecedents {
    /// If the closest run only makes it false, it is assumed, and the search repeated.
    Kept,
    /// Any run that passes will do.
    Free,
}

/// Code that says what is right: its values have no weight and are not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The function that holds the property, and functions that are called `reference`, `expected`, `spec` or the like, unless
    /// nothing is left to explain.
    Automatic,
    /// All code is under suspicion.
    Nothing,
    /// These functions, and the files whose names end like this.
    These(Vec<String>),
}

/// How much a difference counts. With 0, it does not count and is not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetricWeights {
    /// A guard.
    pub guards: u32,
    /// An input.
    pub inputs: u32,
    /// A value where paths meet.
    pub phis: u32,
    /// Anything else.
    pub others: u32,
    /// What is at a line, instead of all these.
    pub lines: Vec<(u32, u32)>,
}

impl MetricWeights {
    /// More would be many clauses and no other answer.
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
    /// The run is chosen so that it has few of them (section 5.1). Often worse: a run that has little to do with the other one can have a
    /// small slice.
    OneStep,
}
