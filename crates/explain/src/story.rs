//! The parts of a story, and what is derived from them.

pub use nub_report::explain::{
    Assumed, AssumedBy, ChangedInput, Delta, DeltaKind, ExplanationNote, InputValue, Interval, OtherRun,
    OtherValue, PropertyText, RunValues, Story, StoryPlace, TraceValue,
};

/// The inputs with different values in two runs.
pub(crate) fn changed_inputs(failing: &RunValues, passing: &RunValues) -> Vec<ChangedInput> {
    let pairs = failing.inputs.iter().zip(&passing.inputs).filter(|(a, b)| a.value != b.value);
    let changed = |(a, b): (&InputValue, &InputValue)| ChangedInput {
        name: a.name.clone(),
        before: a.value.clone(),
        before_hex: a.hex.clone(),
        after: b.value.clone(),
        after_hex: b.hex.clone(),
    };
    pairs.map(changed).collect()
}
