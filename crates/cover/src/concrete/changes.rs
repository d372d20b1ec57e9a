//! Inputs of a concrete run, and how they are changed for the next one.

use super::dictionary::Dictionary;
use super::happened::{Compared, hash};
use crate::search::to_value;
use nub_bitvec::Value;
use nub_random::Rng;
use nub_unroll::{AskedInput, InputPart, InputPlace, InputStep, Unrolled};
use rustc_hash::FxHashMap;

/// At most this many elements are moved, copied or removed at once.
const MAX_BLOCK: usize = 16;
/// A run that is not valid mostly fails because of what it asked for last: one of this many.
const LAST_PARTS: usize = 6;
/// At most this many changes make the next run.
const MAX_CHANGES: usize = 4;

/// Identifies an input in every run: elements of one array share a stem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct InputKey {
    stem: u64,
    /// The element, if it is an integer in an array.
    index: Option<u64>,
}

impl InputKey {
    /// The key of an input.
    pub fn of(asked: &AskedInput<'_>) -> InputKey {
        let (owner, path) = match asked.place {
            InputPlace::Parameter { call, index, path } => ((0, u64::from(*call), *index as u64), path),
            InputPlace::Global { global, path } => ((1, u64::from(global.0), 0), path),
            _ => return InputKey { stem: hash((2, asked.name)), index: None },
        };
        let steps = |path: &[InputStep]| hash((owner, path));
        match (asked.part, path.split_last()) {
            (InputPart::Value, Some((InputStep::Pointee(number) | InputStep::Index(number), before))) => {
                InputKey { stem: steps(before), index: Some(*number) }
            }
            (InputPart::Value, _) => InputKey { stem: steps(path), index: None },
            // Several inputs decide about a pointer.
            _ => InputKey { stem: hash((steps(path), asked.name)), index: None },
        }
    }
}

/// An input that a run asked for.
#[derive(Clone, Debug)]
pub(crate) struct RunInput {
    pub key: InputKey,
    pub name: String,
    pub value: Value,
    /// Whether it is a number, and not where a pointer points to.
    pub is_value: bool,
}

/// Inputs in the order in which they were asked for.
pub(crate) fn inputs(unrolled: &Unrolled) -> Vec<RunInput> {
    let mut found = Vec::with_capacity(unrolled.inputs.len());
    for input in &unrolled.inputs {
        let Some(value) = unrolled.pool.value(input.term) else { continue };
        let asked = AskedInput { name: &input.name, ty: input.ty, place: &input.place, part: &input.part };
        let (key, is_value) = (InputKey::of(&asked), input.part == InputPart::Value);
        found.push(RunInput { key, name: input.name.clone(), value: value.clone(), is_value });
    }
    found
}

/// What the next run is given; other inputs are drawn when they are asked for.
pub(crate) type Wanted = FxHashMap<InputKey, Value>;

/// The inputs of a run, by what can be changed together.
pub(crate) struct Parent {
    pub inputs: Vec<RunInput>,
    /// Single inputs, and arrays by their elements in order: positions in `inputs`.
    parts: Vec<Vec<usize>>,
    /// Numbers that were compared, and how many of them were tried.
    pub compared: Vec<Compared>,
    pub n_tried: usize,
    /// Whether the run is not valid.
    is_broken: bool,
}

impl Parent {
    /// O(inputs log inputs).
    pub fn new(inputs: Vec<RunInput>, compared: Vec<Compared>) -> Parent {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut arrays: FxHashMap<u64, usize> = FxHashMap::default();
        for (at, input) in inputs.iter().enumerate() {
            if input.key.index.is_none() {
                parts.push(vec![at]);
                continue;
            }
            let array = *arrays.entry(input.key.stem).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[array].push(at);
        }
        parts.iter_mut().for_each(|part| part.sort_by_key(|at| inputs[*at].key.index));
        Parent { inputs, parts, compared, n_tried: 0, is_broken: false }
    }

    /// A run that is not valid.
    pub fn broken(inputs: Vec<RunInput>, compared: Vec<Compared>) -> Parent {
        Parent { is_broken: true, ..Parent::new(inputs, compared) }
    }

    /// One of the parts, often one of the last if the run is not valid.
    fn part(&self, rng: &mut Rng) -> &[usize] {
        let n_parts = self.parts.len();
        let at = if self.is_broken && rng.below(2) == 0 {
            n_parts - 1 - rng.below(n_parts.min(LAST_PARTS))
        } else {
            rng.below(n_parts)
        };
        &self.parts[at]
    }

    /// The same run again.
    pub fn wanted(&self) -> Wanted {
        self.inputs.iter().map(|input| (input.key, input.value.clone())).collect()
    }

    /// Runs in which an input that equals one side of a comparison has the value of the other, or a neighbour of it.
    pub fn after_comparison(&self, (is, other): Compared, rng: &mut Rng) -> Option<Wanted> {
        let equals = |input: &&RunInput| {
            let width = input.value.width();
            input.is_value && width >= 8 && input.value.to_u64() == Some(truncated(is, width))
        };
        let equal: Vec<&RunInput> = self.inputs.iter().filter(equals).collect();
        let input = equal.get(rng.below(equal.len()))?;
        let width = input.value.width();
        let number = match rng.below(8) {
            0 => other.wrapping_add(1),
            1 => other.wrapping_sub(1),
            _ => other,
        };
        let mut wanted = self.wanted();
        wanted.insert(input.key, Value::from_u64(width, truncated(number, width)));
        Some(wanted)
    }

    /// A run in which one or a few inputs are different.
    pub fn changed(&self, others: &[Parent], dictionary: &Dictionary<'_>, rng: &mut Rng) -> Wanted {
        let mut wanted = self.wanted();
        if self.parts.is_empty() {
            return wanted;
        }
        for _ in 0..1 + rng.below(MAX_CHANGES) {
            match self.part(rng) {
                [at] if self.inputs[*at].key.index.is_none() => {
                    self.change_single(*at, &mut wanted, dictionary, rng);
                }
                elements => self.change_array(elements, others, &mut wanted, dictionary, rng),
            }
        }
        wanted
    }

    /// Another value, or none, so that it is drawn as if it had never been asked for.
    fn change_single(&self, at: usize, wanted: &mut Wanted, dictionary: &Dictionary<'_>, rng: &mut Rng) {
        let input = &self.inputs[at];
        let width = input.value.width();
        if !input.is_value || rng.below(4) == 0 {
            wanted.remove(&input.key);
            return;
        }
        let value = match (rng.below(4), input.value.to_u64()) {
            (0, Some(number)) => {
                let moved = number.wrapping_add(rng.below(9) as u64).wrapping_sub(4);
                Value::from_u64(width, truncated(moved, width))
            }
            (1, Some(number)) => {
                let bit = 1_u64 << rng.below(width.min(64) as usize);
                Value::from_u64(width, truncated(number ^ bit, width))
            }
            _ => dictionary.number(rng, width),
        };
        wanted.insert(input.key, value);
    }

    /// Changes elements of an array, as a text editor would.
    fn change_array(
        &self,
        elements: &[usize],
        others: &[Parent],
        wanted: &mut Wanted,
        dictionary: &Dictionary<'_>,
        rng: &mut Rng,
    ) {
        let Some(last) = elements.last().map(|at| &self.inputs[*at]) else { return };
        let (stem, width) = (last.key.stem, last.value.width());
        let length = last.key.index.unwrap_or(0) + 1;
        let at = rng.below(length as usize + 1) as u64;
        let old = |index: u64| {
            let key = InputKey { stem, index: Some(index) };
            elements
                .iter()
                .map(|at| &self.inputs[*at])
                .find(|input| input.key == key)
                .map(|input| &input.value)
        };
        let mut put =
            |index: u64, value: Value| _ = wanted.insert(InputKey { stem, index: Some(index) }, value);
        match rng.below(8) {
            0 | 1 => put(at, dictionary.number(rng, width)),
            2 => put(at, to_value(i128::from(dictionary.letter(rng)), width)),
            // A text of the program overwrites elements, or is inserted before them.
            3 | 4 => {
                let is_inserted = rng.below(2) == 0;
                let Some(text) = dictionary.text(rng) else { return };
                if is_inserted {
                    (at..length).for_each(|index| {
                        if let Some(value) = old(index) {
                            put(index + text.len() as u64, value.clone());
                        }
                    });
                }
                (at..).zip(text).for_each(|(index, letter)| put(index, to_value(i128::from(*letter), width)));
            }
            // One more element.
            5 => {
                let value = to_value(i128::from(dictionary.letter(rng)), width);
                (at..length).for_each(|index| {
                    if let Some(value) = old(index) {
                        put(index + 1, value.clone());
                    }
                });
                put(at, value);
            }
            // Some elements are removed, or repeated.
            6 => {
                let n_moved = 1 + rng.below(MAX_BLOCK) as u64;
                let is_removed = rng.below(2) == 0;
                for index in at..length {
                    let from = if is_removed { index + n_moved } else { index.saturating_sub(n_moved) };
                    if let Some(value) = old(from) {
                        put(index, value.clone());
                    }
                }
            }
            // What another run had there.
            _ => {
                let Some(other) = others.get(rng.below(others.len())) else { return };
                let own = |input: &&RunInput| {
                    input.key.stem == stem && input.value.width() == width && input.key.index >= Some(at)
                };
                let n_taken = 1 + rng.below(4 * MAX_BLOCK);
                for input in other.inputs.iter().filter(own).take(n_taken) {
                    put(input.key.index.unwrap_or(0), input.value.clone());
                }
            }
        }
    }
}

/// The low bits.
fn truncated(number: u64, width: u32) -> u64 {
    if width >= 64 { number } else { number & ((1 << width) - 1) }
}
