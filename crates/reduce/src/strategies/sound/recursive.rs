//! All chains of reductions (seed 004 §3.5, Algorithms 5 and 6), within limits.
//!
//! A state is a text that still fails; its successors apply one rule at one place. All are visited, in all orders, but
//! a text only once, however it was reached. A state from which the failure is lost has no successors. The result is
//! the smallest state: no larger than the smallest of the final ones, which the paper returns, and different from it
//! only where the one rule that lengthens was the last.
//!
//! The paper makes all successors before it visits the first. We visit a successor as soon as it is known to fail; the
//! states are the same, but whole chains are seen before the limit is hit.

use super::crawl_scopes;
use crate::smt::SmtLib;
use crate::{Engine, Format, Stop, is_smaller};
use nub_edits::smtlib::sound::RULES;
use nub_edits::{Edit, render};
use rustc_hash::FxHashSet;

/// States that are asked: the number of chains is exponential in the number of places.
const MAX_STATES: usize = 10_000;
/// Bytes of states on the current chain; deeper states are not entered.
const MAX_HELD_BYTES: usize = 1 << 28;

/// A state with successors left to visit.
struct State {
    text: Vec<u8>,
    /// Successors, in the order of commands, rules, places.
    steps: std::vec::IntoIter<(&'static str, Edit)>,
}

impl State {
    fn new(format: &SmtLib, text: Vec<u8>) -> State {
        let view = format.read(text);
        let mut steps = Vec::new();
        for index in crawl_scopes(&view, format) {
            let (command, _) = view.commands()[index];
            for rule in RULES {
                steps.extend(rule.everywhere(&view, command).into_iter().map(|edit| (rule.name, edit)));
            }
        }
        State { text: view.text().to_vec(), steps: steps.into_iter() }
    }

    /// The next successors that were never seen, with the rule that makes them.
    fn window(&mut self, size: usize, seen: &mut FxHashSet<[u8; 32]>) -> Vec<(&'static str, Vec<u8>)> {
        let text = &self.text;
        let successors = self.steps.by_ref().map(|(rule, edit)| (rule, render(text, &edit.splices)));
        successors.filter(|(_, text)| seen.insert(*blake3::hash(text).as_bytes())).take(size).collect()
    }
}

pub(super) fn recursive(engine: &mut Engine<'_, SmtLib>) -> Result<(), Stop> {
    let format = engine.format;
    let original = engine.text().to_vec();
    let mut seen: FxHashSet<[u8; 32]> = FxHashSet::default();
    seen.insert(*blake3::hash(&original).as_bytes());
    let mut n_held = original.len();
    let mut chain = vec![State::new(format, original)];
    while let Some(state) = chain.last_mut() {
        let window = state.window(engine.jobs(), &mut seen);
        if window.is_empty() {
            n_held -= state.text.len();
            chain.pop();
            continue;
        }
        if seen.len() > MAX_STATES {
            break;
        }
        let (rules, texts): (Vec<_>, Vec<_>) = window.into_iter().unzip();
        let answers = engine.judge("sound-states", texts)?;
        // The first successor is entered first, so it comes last.
        for (rule, (text, _)) in rules.into_iter().zip(answers).filter(|(_, (_, fails))| *fails).rev() {
            if is_smaller(&text, engine.text()) {
                engine.accept(rule, text.clone())?;
            }
            if n_held + text.len() <= MAX_HELD_BYTES {
                n_held += text.len();
                chain.push(State::new(format, text));
            }
        }
    }
    engine.rebase();
    Ok(())
}
