//! All chains of reductions ([Mafteiu20] §3.5, Algorithms 5 and 6), within limits.
//!
//! A state is a text that still fails; its successors apply one rule at one place. All are visited, in all orders, but
//! a text only once, however it was reached. A state from which the failure is lost has no successors. The result is
//! the smallest state: no larger than the smallest final state, which the paper returns, and different from it only if
//! the one rule that lengthens was the last.
//!
//! The paper generates all successors before it visits the first. We visit a successor as soon as it is known to fail;
//! the states are the same, but whole chains are visited before the limit is reached.

use super::crawl_scopes;
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop, SubjectFormat, is_smaller};
use nub_edits::smtlib::sound::RULES;
use nub_edits::{Edit, render};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Limit on the bytes of states on the current chain; deeper states are not entered.
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

    /// The next successor that was never seen.
    fn next(&mut self, seen: &mut FxHashSet<[u8; 32]>) -> Option<(&'static str, Vec<u8>)> {
        self.steps.by_ref().find_map(|(rule, edit)| {
            let text = render(&self.text, &edit.splices);
            seen.insert(*blake3::hash(&text).as_bytes()).then_some((rule, text))
        })
    }

    /// Up to `n` successors that follow if the previous ones pass.
    fn ahead(&self, n: usize, seen: &FxHashSet<[u8; 32]>) -> Vec<Arc<Vec<u8>>> {
        let texts = self.steps.clone().map(|(_, edit)| render(&self.text, &edit.splices));
        let unseen = texts.filter(|text| !seen.contains(blake3::hash(text).as_bytes()));
        unseen.take(n).map(Arc::new).collect()
    }
}

/// Returns [`ReductionStop::MaxStates`] if a state was skipped.
pub(super) fn recursive(engine: &mut Engine<'_, SmtLib>, max_states: usize) -> Result<(), ReductionStop> {
    let result = all_chains(engine, max_states);
    engine.rebase();
    result
}

fn all_chains(engine: &mut Engine<'_, SmtLib>, max_states: usize) -> Result<(), ReductionStop> {
    let format = engine.format();
    let original = engine.text().to_vec();
    let mut seen: FxHashSet<[u8; 32]> = FxHashSet::default();
    seen.insert(*blake3::hash(&original).as_bytes());
    let mut n_held = original.len();
    let mut is_complete = true;
    let mut chain = vec![State::new(format, original)];
    while let Some(state) = chain.last_mut() {
        let Some((rule, text)) = state.next(&mut seen) else {
            n_held -= state.text.len();
            chain.pop();
            continue;
        };
        // The original is not asked.
        if seen.len() - 1 > max_states {
            return Err(ReductionStop::MaxStates);
        }
        let ahead = state.ahead(engine.n_ahead(), &seen);
        let (text, fails) = engine.judge(rule, text, ahead)?;
        if !fails {
            continue;
        }
        let before = engine.text().len();
        if is_smaller(&text, engine.text()) {
            engine.accept(rule, text.clone())?;
            engine.credit(rule, before);
        }
        if n_held + text.len() <= MAX_HELD_BYTES {
            n_held += text.len();
            chain.push(State::new(format, text));
        } else {
            is_complete = false;
        }
    }
    if is_complete { Ok(()) } else { Err(ReductionStop::MaxStates) }
}
