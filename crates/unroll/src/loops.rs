//! Iterations of loops, and where they are cut.
//!
//! The bound says how often the body is executed. A `while` or `for` loop evaluates its condition once more than that; if it still holds, the run is
//! cut there. An iteration whose condition is constant does not count, so a loop with a constant number of iterations is unrolled to its end whatever
//! the bound is, up to [`crate::UnrollLimits::max_constant_rounds`].

use crate::machine::{Machine, Round, State, Step};
use crate::places::ContextKind;
use crate::plan::PlannedLoop;
use crate::unrolled::{Bounded, Over};
use nub_c_ir::{BlockId, SourceOrigin};
use std::rc::Rc;

/// All loops together may have this many times the constant iterations of one loop.
const CONSTANT_LOOPS: u32 = 16;

impl Machine<'_> {
    /// A loop begins; it is skipped if no path leads into it.
    pub(crate) fn open_loop(&mut self, number: usize) -> Step<()> {
        let plan = Rc::clone(&self.frame().plan);
        let planned = &plan.loops[number];
        let blocks = plan.items[planned.open..planned.close].iter().filter_map(|item| match item {
            crate::plan::Item::Block(block) => Some(*block),
            _ => None,
        });
        let waiting = &self.frame().waiting;
        let Some(path) =
            blocks.clone().find_map(|block| waiting[block.index()].first()).map(|state| state.path)
        else {
            self.frame_mut().at = planned.close + 1;
            return Ok(());
        };
        let states = std::mem::take(&mut self.frame_mut().waiting[planned.head.index()]);
        let entry = self.meet_all(states)?;
        let path = entry.as_ref().map_or(path, |state| state.path);
        self.frame_mut().waiting[planned.head.index()].extend(entry);
        let first = Round { number, done: 0, counted: 0, is_open: false, path, context: self.context() };
        self.begin_round(planned, first);
        Ok(())
    }

    fn begin_round(&mut self, planned: &PlannedLoop, round: Round) {
        let frame = self.frame();
        let parent = frame.rounds.last().map_or(frame.context, |outer| outer.context);
        let kind = ContextKind::Round { header: planned.head, source: planned.source, number: round.done };
        let context = self.new_context(Some(parent), kind);
        let frame = self.frame_mut();
        frame.rounds.push(Round { context, ..round });
        frame.evaluations.clear();
        frame.at = planned.open + 1;
    }

    /// An iteration is over: another one follows, or the loop is left.
    pub(crate) fn close_loop(&mut self, number: usize) -> Step<()> {
        let plan = Rc::clone(&self.frame().plan);
        let planned = &plan.loops[number];
        let states = std::mem::take(&mut self.frame_mut().waiting[planned.head.index()]);
        let Some(state) = self.meet_all(states)? else {
            self.frame_mut().rounds.pop();
            self.frame_mut().evaluations.clear();
            return Ok(());
        };
        let Some(round) = self.frame_mut().rounds.pop() else { return Ok(()) };
        // A loop without a condition of its own surely continues if its path is still the same: no run has left it, and none has entered it in the
        // middle.
        let is_open = if planned.decision.is_some() { round.is_open } else { round.path != state.path };
        let counts = is_open || self.is_exhausted(&round);
        self.work.n_constant_rounds += u32::from(!counts);
        let counted = round.counted + u32::from(counts);
        let bound = self.bound(planned);
        let is_over = planned.condition.is_empty() && counted >= bound;
        if is_over {
            let origin = self.function().blocks[planned.head.index()].terminator.origin;
            self.cut(planned, bound, &state, origin);
            self.frame_mut().evaluations.clear();
            return Ok(());
        }
        let next = Round { done: round.done + 1, counted, is_open: false, path: state.path, ..round };
        self.frame_mut().waiting[planned.head.index()].push(state);
        self.begin_round(planned, next);
        Ok(())
    }

    /// Whether there are no more free iterations: the loop may never end.
    fn is_exhausted(&self, round: &Round) -> bool {
        let limit = self.config.limits.max_constant_rounds;
        round.done - round.counted >= limit
            || self.work.n_constant_rounds >= limit.saturating_mul(CONSTANT_LOOPS)
    }

    fn bound(&self, planned: &PlannedLoop) -> u32 {
        let function = self.frame().function;
        let own = planned.source.and_then(|source| self.config.loops.get(&(function, source)));
        own.copied().unwrap_or(self.config.unwind)
    }

    /// Control follows an edge: the state waits until it is the block's turn, or the bound of a loop ends it.
    pub(crate) fn send(&mut self, from: BlockId, to: BlockId, state: State, origin: SourceOrigin) {
        let plan = Rc::clone(&self.frame().plan);
        for at in 0..self.frame().rounds.len() {
            let round = self.frame().rounds[at];
            let planned = &plan.loops[round.number];
            let is_condition = |block: BlockId| planned.condition.binary_search(&block).is_ok();
            let enters_body = is_condition(from) && !is_condition(to) && plan.contains(round.number, to);
            let counts = round.is_open || self.is_exhausted(&round);
            if enters_body && counts && round.counted >= self.bound(planned) {
                let bound = self.bound(planned);
                self.cut(planned, bound, &state, origin);
                return;
            }
        }
        self.frame_mut().waiting[to.index()].push(state);
    }

    /// The loop's condition is evaluated, and both outcomes are possible.
    pub(crate) fn note_open(&mut self, decision: nub_c_ir::DecisionId) {
        let plan = Rc::clone(&self.frame().plan);
        for round in &mut self.frame_mut().rounds {
            round.is_open |= plan.loops[round.number].decision == Some(decision);
        }
    }

    fn cut(&mut self, planned: &PlannedLoop, bound: u32, state: &State, origin: SourceOrigin) {
        let function = self.frame().function;
        let bounded = Bounded::Loop { function, header: planned.head, source: planned.source };
        let guard = self.guard(state.path);
        let context = self.context();
        self.out.over.push(Over { bounded, bound, guard, origin, context });
    }
}
