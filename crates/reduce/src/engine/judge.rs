//! For strategies with their own scheme: asking without accepting, and steps in their own order.
//!
//! ddSMT and SMT-Reducer accept steps that lengthen the file (`x` by `false`, a fresh variable with its declaration)
//! because they make later steps possible. Their own orders are well-founded (see the strategies), so they still
//! terminate; and the engine returns the smallest subject seen, so that no result is larger than the original.

use super::{Asker, Asking, CHECK_BYTES, Engine, Heard, ReductionStop, SearchState};
use crate::{StageStats, SubjectFormat, is_smaller};
use nub_edits::dag::is_free;
use nub_edits::{Edit, MergedEdits};
use std::collections::VecDeque;
use std::sync::Arc;

impl<'e, F: SubjectFormat> Engine<'e, F> {
    /// How many candidates are worth announcing before they are asked.
    pub(crate) fn n_ahead(&self) -> usize {
        match &self.asker {
            Asker::Ahead(ahead) => ahead.n_slots().saturating_sub(1),
            Asker::Oracle(_) | Asker::Nobody => 0,
        }
    }

    /// The bytes of the view with some splices applied.
    pub(crate) fn spliced(&self, splices: &MergedEdits) -> Vec<u8> {
        self.format().render(self.view(), splices)
    }

    /// Removes edits of places that must stay.
    pub(crate) fn retain_free<T>(&self, items: &mut Vec<T>, edit: impl Fn(&T) -> &Edit) {
        let protected = self.format().protected(self.view());
        if !protected.is_empty() {
            items.retain(|item| is_free(edit(item), &protected));
        }
    }

    /// Asks a candidate without accepting it: true if the failure is still present. Ill-formed or already known candidates
    /// are not asked. `ahead` are the candidates that are likely to follow.
    pub(crate) fn judge(
        &mut self,
        pass: &'static str,
        bytes: Vec<u8>,
        ahead: Vec<Arc<Vec<u8>>>,
    ) -> Result<(Vec<u8>, bool), ReductionStop> {
        self.check_stop()?;
        if let Some(fails) = self.state.known(&bytes) {
            return Ok((bytes, fails));
        }
        match &mut self.asker {
            Asker::Ahead(asker) => asker.offer(ahead),
            // A strategy that asks directly has no position that can be copied, so a copy of the search cannot
            // continue.
            Asker::Nobody => return Err(ReductionStop::Cancelled),
            Asker::Oracle(_) => {}
        }
        let (asking, heard) = self.ask(Asking::new(pass, bytes), None)?;
        Ok((Arc::unwrap_or_clone(asking.bytes), heard == Heard::Fails))
    }

    /// The first of some candidates that still fails, with its associated value. Each is built when needed, or
    /// earlier if there are workers.
    pub(crate) fn first_failing<T>(
        &mut self,
        pass: &'static str,
        mut build: impl FnMut(&Engine<'e, F>) -> Option<(T, Vec<u8>)>,
    ) -> Result<Option<(T, Vec<u8>)>, ReductionStop> {
        let mut built: VecDeque<(T, Arc<Vec<u8>>)> = VecDeque::new();
        loop {
            let next = built.pop_front().or_else(|| build(self).map(|(tag, bytes)| (tag, Arc::new(bytes))));
            let Some((tag, bytes)) = next else { return Ok(None) };
            while built.len() < self.n_ahead()
                && let Some((tag, bytes)) = build(self)
            {
                built.push_back((tag, Arc::new(bytes)));
            }
            let ahead = built.iter().map(|(_, bytes)| bytes).filter(|bytes| self.is_worth_asking(bytes));
            let ahead = ahead.cloned().collect();
            let (bytes, fails) = self.judge(pass, Arc::unwrap_or_clone(bytes), ahead)?;
            if fails {
                return Ok(Some((tag, bytes)));
            }
        }
    }

    fn is_worth_asking(&self, bytes: &[u8]) -> bool {
        self.state.cache.get(bytes).is_none()
            && (!self.state.is_checked(bytes) || self.state.is_well_formed(bytes))
    }

    /// Makes a candidate the best subject.
    pub(crate) fn accept(&mut self, pass: &'static str, bytes: Vec<u8>) -> Result<(), ReductionStop> {
        self.state.accept(pass, Arc::new(bytes));
        self.tell()
    }

    /// Makes a candidate the current subject even if it is not smaller than the one before: the strategy has its own
    /// order.
    pub(crate) fn adopt(&mut self, pass: &'static str, bytes: Vec<u8>) -> Result<(), ReductionStop> {
        self.state.adopt(pass, Arc::new(bytes));
        self.tell()
    }

    /// Records the size after an algorithm of a chain.
    pub(crate) fn end_stage(&mut self, name: &'static str) {
        let size =
            self.format().measure(self.view()).last().map_or(self.text().len() as u64, |(_, size)| *size);
        self.state.stats.stages.push(StageStats { name, size });
    }

    /// Credits a pass with the bytes removed since the subject had `before` bytes.
    pub(crate) fn credit(&mut self, pass: &'static str, before: usize) {
        let removed = before.saturating_sub(self.text().len()) as u64;
        self.state.stats.passes.entry(pass).or_default().bytes += removed;
    }

    /// Parses what a step has accepted since the subject had `before` bytes. False if it had to be dropped.
    pub(crate) fn end_step(&mut self, pass: &'static str, before: usize) -> bool {
        let kept = self.rebase();
        self.credit(pass, before);
        kept
    }

    /// Returns to the smallest subject, if that is not the last one.
    pub(super) fn settle(&mut self) {
        if let Some(smallest) = self.state.smallest.take()
            && is_smaller(&smallest, self.text())
        {
            self.state.step_to("smallest", smallest);
            // If it cannot be written, the file on disk is a larger one that fails too.
            let _ = self.tell();
        }
    }
}

impl<F: SubjectFormat> SearchState<'_, F> {
    /// Whether a candidate fails, if that is known without an ask: it was asked before, or is ill-formed.
    pub(crate) fn known(&mut self, bytes: &[u8]) -> Option<bool> {
        if let Some(fails) = self.cache.get(bytes) {
            self.stats.cached += 1;
            return Some(fails);
        }
        if self.is_checked(bytes) && !self.is_well_formed(bytes) {
            self.stats.invalid += 1;
            return Some(false);
        }
        None
    }

    fn is_checked(&self, bytes: &[u8]) -> bool {
        self.careful || bytes.len() <= CHECK_BYTES
    }

    /// See [`Engine::adopt`].
    pub(crate) fn adopt(&mut self, pass: &'static str, bytes: Arc<Vec<u8>>) {
        let text = self.text();
        if !is_smaller(&bytes, text)
            && self.smallest.as_ref().is_none_or(|smallest| is_smaller(text, smallest))
        {
            self.smallest = Some(Arc::new(text.to_vec()));
        }
        self.step_to(pass, bytes);
    }
}
