//! An explanation in the words of the source, ready to be printed or written as JSON.

use serde::Serialize;

/// A run that fails, the closest that passes, and what is between them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Story {
    /// The function under test.
    pub function: String,
    /// What is violated.
    pub property: PropertyText,
    /// How far loops were unrolled.
    pub unwind: u32,
    /// The run that fails.
    pub failing: RunValues,
    /// The run that passes.
    pub passing: RunValues,
    /// How far the closest run is away. The upper bound is the distance of the run that is shown.
    pub distance: Interval,
    /// How many values a run has.
    pub n_values: usize,
    /// Values that differ, in an order of execution.
    pub deltas: Vec<Delta>,
    /// The smallest sets of differences that change the outcome: positions in [`Story::deltas`].
    pub slices: Vec<Vec<usize>>,
    /// The list of slices is complete, and their size is proved to be minimal.
    pub has_all_slices: bool,
}

/// Bounds of a minimum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Interval {
    /// It is not less.
    pub lower: usize,
    /// It is not more.
    pub upper: usize,
}

impl Interval {
    /// The minimum is known.
    pub fn is_proved(self) -> bool {
        self.lower == self.upper
    }
}

/// An assertion.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PropertyText {
    /// Its text, or the description of the user.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// A place of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// The file after line markers; empty if there are none.
    pub file: String,
    /// The line; absent for what has none, such as a phi.
    pub line: Option<u32>,
    /// The function.
    pub function: String,
}

/// The inputs of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RunValues {
    /// In the order in which they are met.
    pub inputs: Vec<InputValue>,
    /// The interpreter ran it and came to the same end. False if it cannot be given such inputs.
    pub is_replayed: bool,
}

/// An input with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputValue {
    /// The variable that takes it, or how it is read.
    pub name: String,
    /// In decimal.
    pub value: String,
    /// The run comes to where it is read.
    pub is_read: bool,
}

/// What kind of value differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeltaKind {
    /// An input.
    Input,
    /// An assignment.
    Assignment,
    /// Paths meet.
    Phi,
    /// A branch.
    Guard,
    /// An argument of a call.
    Argument,
    /// A returned value.
    Return,
}

/// A value that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Delta {
    /// What it is.
    pub kind: DeltaKind,
    /// Where.
    pub place: Place,
    /// The variable, or the condition of a guard.
    pub what: String,
    /// Its number among the values of this variable or among all guards, from 0.
    pub version: usize,
    /// The value in the run that fails.
    pub before: String,
    /// The value in the run that passes.
    pub after: String,
    /// Control comes here in the run that fails.
    pub is_executed_before: bool,
    /// Control comes here in the run that passes.
    pub is_executed_after: bool,
}
