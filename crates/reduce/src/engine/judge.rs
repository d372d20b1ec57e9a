//! What named strategies need that bring their own scheme: asking without accepting, and steps in an order of their
//! own.
//!
//! ddSMT and SMT-Reducer accept steps that lengthen the file (`x` by `false`, a fresh variable with its declaration)
//! because they make later steps possible. Their own orders are well founded (see the strategies), so they end all the
//! same; and the engine hands back the smallest subject on the way, so that no result is larger than the original.

use super::{CHECK_BYTES, Engine, Stop};
use crate::{Format, Stage, is_smaller};
use nub_edits::{Edit, Merged};
use std::collections::BTreeMap;

impl<F: Format> Engine<'_, F> {
    /// How many candidates are asked at once.
    pub(crate) fn jobs(&self) -> usize {
        self.config.jobs.max(1)
    }

    /// The bytes of some splices on the view.
    pub(crate) fn spliced(&self, splices: &Merged) -> Vec<u8> {
        self.format.render(&self.view, splices)
    }

    /// Leaves out edits of places that must stay.
    pub(crate) fn retain_free<T>(&self, items: &mut Vec<T>, edit: impl Fn(&T) -> &Edit) {
        let protected = self.format.protected(&self.view);
        let touches = |edit: &Edit| {
            edit.splices.iter().any(|splice| protected.iter().any(|place| splice.span.overlaps(*place)))
        };
        if !protected.is_empty() {
            items.retain(|item| !touches(edit(item)));
        }
    }

    /// Asks candidates, several at once if there are workers, and accepts none. The answers come in the order of the
    /// candidates: true if the failure is still there. What is ill formed or known already is not asked.
    pub(crate) fn judge(
        &mut self,
        pass: &'static str,
        candidates: Vec<Vec<u8>>,
    ) -> Result<Vec<(Vec<u8>, bool)>, Stop> {
        let mut answers = BTreeMap::new();
        let mut under_way = BTreeMap::new();
        let mut waiting = candidates.into_iter().enumerate();
        loop {
            while self.has_room()
                && let Some((index, bytes)) = waiting.next()
            {
                self.check_stop()?;
                match self.known(&bytes) {
                    Some(fails) => _ = answers.insert(index, (bytes, fails)),
                    None => _ = under_way.insert(self.submit(bytes), index),
                }
            }
            let Some((ticket, bytes, fails)) = self.take(pass)? else { break };
            if let Some(index) = under_way.remove(&ticket) {
                answers.insert(index, (bytes, fails));
            }
        }
        Ok(answers.into_values().collect())
    }

    fn known(&mut self, bytes: &[u8]) -> Option<bool> {
        if let Some(fails) = self.cache.get(bytes) {
            self.stats.cached += 1;
            return Some(fails);
        }
        if (self.careful || bytes.len() <= CHECK_BYTES) && !self.is_well_formed(bytes) {
            self.stats.invalid += 1;
            return Some(false);
        }
        None
    }

    /// Makes a candidate the best subject that need not be smaller than the one before: the strategy has an order of
    /// its own.
    pub(crate) fn adopt(&mut self, pass: &'static str, bytes: Vec<u8>) -> Result<(), Stop> {
        let text = self.text();
        if !is_smaller(&bytes, text)
            && self.smallest.as_deref().is_none_or(|smallest| is_smaller(text, smallest))
        {
            self.smallest = Some(text.to_vec());
        }
        self.step_to(pass, bytes)
    }

    /// Notes what an algorithm of a chain has left.
    pub(crate) fn end_stage(&mut self, name: &'static str) {
        let size = self.format.measure(&self.view).last().map_or(self.text().len() as u64, |(_, size)| *size);
        self.stats.stages.push(Stage { name, size });
    }

    /// Says whose work it is that the subject has less than `before` bytes now.
    pub(crate) fn credit(&mut self, pass: &'static str, before: usize) {
        let removed = before.saturating_sub(self.text().len()) as u64;
        self.stats.passes.entry(pass).or_default().bytes += removed;
    }

    /// Reads what a step has accepted since the subject had `before` bytes. False if it had to be dropped.
    pub(crate) fn end_step(&mut self, pass: &'static str, before: usize) -> bool {
        let kept = self.rebase();
        self.credit(pass, before);
        kept
    }

    /// Goes back to the smallest subject, if that is not the last one.
    pub(super) fn settle(&mut self) {
        if let Some(smallest) = self.smallest.take()
            && is_smaller(&smallest, self.text())
        {
            // If it cannot be written, the file on disk is a larger one that fails as well.
            let _ = self.step_to("smallest", smallest);
        }
    }
}
