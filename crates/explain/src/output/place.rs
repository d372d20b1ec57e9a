//! Places and inputs as people read them.

use crate::story::{RunValues, StoryPlace};

/// `file minmax.c line 4 function main`, as in the paper.
pub(super) fn long(place: &StoryPlace) -> String {
    let file = if place.file.is_empty() { String::new() } else { format!("file {} ", place.file) };
    let line = place.line.map_or_else(String::new, |line| format!("line {line} "));
    format!("{file}{line}function {}", place.function)
}

/// `input1=1 input2=0`: the inputs that a run reads.
pub(super) fn inputs(run: &RunValues) -> String {
    let read = run.inputs.iter().filter(|input| input.is_read);
    let list: Vec<String> = read.map(|input| format!("{}={}", input.name, input.value)).collect();
    if list.is_empty() { "no inputs".to_owned() } else { list.join(" ") }
}
