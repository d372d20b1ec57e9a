//! SMT-Reducer ([Mafteiu20] §3.4, §3.5): rules that preserve the meaning, on one state or on all states.
//!
//! *Iterative* (Algorithm 4): for each command, each rule in the order of §4.3 is applied wherever it fires, and the
//! oracle is asked. Rounds until one changes nothing.
//!
//! Two sentences are interpreted differently. Algorithm 4 restarts the whole loop after a failure, with the state
//! restored to before the command; on the same state the same rule fails again, so as printed it never terminates,
//! and it discards what earlier rules achieved on the command. Here the state before the *rule* is restored and the
//! next rule is tried; a rule that failed on a text is not asked again on it, which is the engine's cache. And the
//! result is the smallest valid state (§3.4), not the latest variant (§4.5.1); they differ by the one rule that
//! lengthens.
//!
//! Every rule lowers the number of nodes, so chains terminate.

mod recursive;

use crate::smt::SmtLib;
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::MergedEdits;
use nub_edits::smtlib::SmtView;
use nub_edits::smtlib::sound::{RULES, SoundRule};
use nub_smtlib::{CommandKind, NodeId};

/// Which of the two approaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// One state that gets smaller (§3.4).
    Iterative,
    /// All chains of reductions, within limits (§3.5).
    Recursive {
        /// Maximum number of states to ask.
        max_states: usize,
    },
}

impl Recursion {
    /// The default maximum number of states: the number of chains is exponential in the number of places, and 17 independent
    /// places already have more.
    pub const MAX_STATES: usize = 10_000;
}

/// Reduces as SMT-Reducer does.
pub fn sound(engine: &mut Engine<'_, SmtLib>, recursion: Recursion) -> Result<(), ReductionStop> {
    match recursion {
        Recursion::Iterative => iterative(engine),
        Recursion::Recursive { max_states } => recursive::recursive(engine, max_states),
    }
}

fn iterative(engine: &mut Engine<'_, SmtLib>) -> Result<(), ReductionStop> {
    // Rules change terms only, so the commands stay where they are.
    let order = crawl_scopes(engine.view(), engine.format());
    loop {
        let mut n_applied = 0;
        for &index in &order {
            for rule in RULES {
                n_applied += usize::from(apply(engine, index, rule)?);
            }
        }
        if n_applied == 0 {
            return Ok(());
        }
    }
}

/// Applies a rule wherever it fires in a command. True if the failure is still present.
fn apply(
    engine: &mut Engine<'_, SmtLib>,
    index: usize,
    rule: &'static SoundRule,
) -> Result<bool, ReductionStop> {
    let (command, _) = engine.view().commands()[index];
    let edits = rule.outermost(engine.view(), command);
    if edits.is_empty() {
        return Ok(false);
    }
    let mut splices = MergedEdits::default();
    for edit in &edits {
        let added = splices.add(edit);
        debug_assert!(added, "outermost edits are disjoint");
    }
    let candidate = engine.spliced(&splices);
    let before = engine.text().len();
    let (bytes, fails) = engine.judge(rule.name, candidate, Vec::new())?;
    if !fails {
        return Ok(false);
    }
    engine.adopt(rule.name, bytes)?;
    Ok(engine.end_step(rule.name, before))
}

/// The commands in the order of Algorithm 1, by index: those of a scope before those of the scopes inside it.
/// Protected ones are excluded.
fn crawl_scopes(view: &SmtView, format: &SmtLib) -> Vec<usize> {
    let protected = format.protected(view);
    let is_free = |node: NodeId| !protected.iter().any(|place| place.overlaps(view.span(node)));
    let mut open = vec![0];
    let mut n_scopes = 1;
    let mut found = Vec::new();
    for (index, &(node, kind)) in view.commands().iter().enumerate() {
        // `push` is the last command before the new scope, `pop` the last one of its scope.
        found.push((*open.last().unwrap_or(&0), index, is_free(node)));
        match kind {
            CommandKind::Push => {
                open.push(n_scopes);
                n_scopes += 1;
            }
            CommandKind::Pop if open.len() > 1 => _ = open.pop(),
            _ => {}
        }
    }
    // Scopes are numbered when they open, which is the order of the recursion.
    found.sort_by_key(|&(scope, index, _)| (scope, index));
    found.into_iter().filter(|(_, _, free)| *free).map(|(_, index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AllowedCandidates;

    #[test]
    fn commands_of_a_scope_before_its_scopes() {
        let text = b"(a)(push 1)(b)(push 1)(c)(pop 1)(pop 1)(d)(push 1)(e)";
        let order = crawl_scopes(&SmtView::new(text), &SmtLib::new(text, AllowedCandidates::WellFormed));
        assert_eq!(order, [0, 1, 7, 8, 2, 3, 6, 4, 5, 9]);
        let kept = SmtLib::new(text, AllowedCandidates::WellFormed)
            .keeping(crate::Keep::matching(|command| command == b"(b)"));
        assert!(!crawl_scopes(&SmtView::new(text), &kept).contains(&2));
    }
}
