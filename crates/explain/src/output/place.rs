//! Places and inputs for reports.

use crate::story::{InputValue, RunValues, StoryPlace};
use nub_harness::{TestInput, input_columns};

/// `file minmax.c line 4 function main`, as in the paper.
pub(super) fn long(place: &StoryPlace) -> String {
    let file = if place.file.is_empty() { String::new() } else { format!("file {} ", place.file) };
    let line = place.line.map_or_else(String::new, |line| format!("line {line} "));
    format!("{file}{line}function {}", place.function)
}

/// `input1=1 input2=0 name="text"`: the inputs that a run reads, consecutive characters as a string.
pub(super) fn inputs(run: &RunValues) -> String {
    let with_type = |(input, typed): (&InputValue, &TestInput)| TestInput {
        name: input.name.clone(),
        value: input.value.clone(),
        is_read: input.is_read,
        ..typed.clone()
    };
    let all: Vec<TestInput> = run.inputs.iter().zip(&run.case.inputs).map(with_type).collect();
    let read = input_columns(&all).into_iter().filter(|column| column.is_read(&all));
    let list: Vec<String> = read.map(|column| format!("{}={}", column.name, column.cell(&all))).collect();
    if list.is_empty() { "no inputs".to_owned() } else { list.join(" ") }
}
