//! Calls that are too much work: instead of giving up on the whole function, the runs that are still in such a call are cut.
//!
//! The function under test often calls something large, such as a compressor or an interpreter. What can be proved without following that call to its
//! end is still useful. Nothing is claimed about the runs that are cut.

use crate::machine::{Machine, Running, Step};
use crate::terms;
use crate::unrolled::{Bounded, Over};

impl Machine<'_> {
    /// Whether the function under test waits for a call that has become long.
    pub(crate) fn is_in_long_call(&self) -> bool {
        self.frames.len() > 1 && self.work.is_long_call(self.pool.len())
    }

    /// Continues with the runs that have returned from the call, and cuts the others.
    pub(crate) fn cut_long_call(&mut self) -> Step<()> {
        self.work.n_cut_calls += 1;
        self.frames.truncate(2);
        let Some(callee) = self.frames.pop() else { return Ok(()) };
        let frame = self.frame_mut();
        let (Some(call), Some(running)) = (frame.call.take(), frame.running.take()) else { return Ok(()) };
        let came_back = call.came_back.into_iter().chain(callee.returned).collect();
        let state = self.meet_all(came_back)?;
        let mut guard = self.guard(running.state.path);
        if let Some(state) = &state {
            let came_back = self.guard(state.path);
            let stayed = self.pool.not(came_back);
            guard = terms::and(&mut self.pool, guard, stayed);
        }
        if terms::known_truth(&self.pool, guard) != Some(false) {
            let (bounded, context) = (Bounded::LongCall, self.context());
            self.out.over.push(Over { bounded, bound: 0, guard, origin: call.origin, context });
        }
        self.frame_mut().running = state.map(|state| Running { state, ..running });
        Ok(())
    }
}
