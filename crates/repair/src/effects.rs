//! Effects that are not results.
//!
//! A function that fills a table changes memory in every run, and the right repair of an entry changes what it leaves there in every run as well.
//! That alone is not damage: the table exists for the functions that read it. So memory that program code reads in a later call is judged by what
//! that call does with it, and what no later call reads is a result. It makes no difference that the specification reads it in between: TCAS's
//! harness reads a threshold for properties that it does not assert.
//!
//! A byte counts as handed on if some known run of the original program hands it on; runs in which it is not read are judged the same way.

use super::runs::Output;
use nub_c_ir::interp::{InterpretedRun, RuntimeValue as Seen, TraceEvent};
use std::collections::BTreeMap;

/// The bytes that are handed on, by the name of the output that contains them.
#[derive(Clone, Default, Debug)]
pub(super) struct HandedOn {
    bytes: BTreeMap<String, Vec<bool>>,
}

/// The name of an effect in the output: effects are counted, so that the calls of one function are distinguished.
pub(super) fn place(n_effects: usize, name: &str) -> String {
    format!("{n_effects} {name}")
}

impl HandedOn {
    /// Adds what a run hands on.
    pub fn add(&mut self, run: &InterpretedRun) {
        let events = run.trace.iter().filter_map(|event| match event {
            TraceEvent::Effects { changed, .. } => Some(changed),
            _ => None,
        });
        for (number, changed) in events.enumerate() {
            for effect in changed.iter().filter(|effect| !effect.handed_on.is_empty()) {
                let known = self.bytes.entry(place(number + 1, &effect.name)).or_default();
                known.resize(known.len().max(effect.handed_on.len()), false);
                known.iter_mut().zip(&effect.handed_on).for_each(|(known, is_so)| *known |= is_so);
            }
        }
    }

    /// Removes from an output what is handed on.
    pub fn without(&self, mut output: Output) -> Output {
        output.retain_mut(|(place, value)| {
            let (Some(known), Seen::Record(bytes)) = (self.bytes.get(place), value) else { return true };
            for (byte, _) in bytes.iter_mut().zip(known).filter(|(_, is_handed_on)| **is_handed_on) {
                *byte = None;
            }
            bytes.len() > known.len() || known.contains(&false)
        });
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_handed_on_are_taken_out_of_outputs() {
        let known = HandedOn {
            bytes: BTreeMap::from([
                ("1 table".to_owned(), vec![true; 2]),
                ("1 state".to_owned(), vec![true, false]),
            ]),
        };
        let record = |place: &str, bytes: &[Option<u32>]| (place.to_owned(), Seen::Record(bytes.to_vec()));
        let output = vec![
            record("1 table", &[Some(1), Some(2)]),
            record("1 state", &[Some(1), Some(2)]),
            record("2 table", &[Some(3)]),
            ("return 1".to_owned(), Seen::Int(7)),
        ];
        let expected = vec![
            record("1 state", &[None, Some(2)]),
            record("2 table", &[Some(3)]),
            ("return 1".to_owned(), Seen::Int(7)),
        ];
        assert_eq!(known.without(output), expected);
    }
}
