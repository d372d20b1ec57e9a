//! What the engine learns of the edits of a subject: which have failed, and which kinds never succeed.

use super::Engine;
use crate::Format;
use nub_edits::Edit;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Failed edits are asked again when the subject has lost one part in this many.
const RETRY_PART: usize = 20;
/// Failures in a row that a pass is allowed in its first rounds, and in any later one.
const MAX_PATIENCE: u64 = 128;
const MIN_PATIENCE: u64 = 16;
/// Up to this size every edit is asked.
const SMALL: usize = 600;

impl<F: Format> Engine<'_, F> {
    /// Leaves out edits that failed before in the same surroundings. When these are asked again, then in a large subject
    /// only those since whose failure it has lost a good part: on one that hardly shrinks they would fail again.
    pub(super) fn leave_out_failed(&self, pass: &'static str, edits: &mut Vec<Edit>) {
        if self.failed.is_empty() {
            return;
        }
        let (text, context) = (self.format.text(&self.view), self.format.context());
        let worthwhile = if self.is_thorough() { 0 } else { text.len() + text.len() / RETRY_PART };
        edits.retain(|edit| match self.failed.get(&edit_key(pass, text, edit, context)) {
            Some(&size) => self.retry_failed && size as usize > worthwhile,
            None => true,
        });
    }

    /// Whether every edit is to be asked on the final subject.
    fn is_thorough(&self) -> bool {
        !self.may_give_up || self.text().len() <= SMALL
    }

    /// Remembers that an edit failed alone.
    pub(crate) fn remember_failure(&mut self, pass: &'static str, edit: &Edit) {
        let text = self.format.text(&self.view);
        let key = edit_key(pass, text, edit, self.format.context());
        self.failed.insert(key, text.len() as u32);
    }

    /// Asks that a round of single edits may spend without a success. A pass that has paid on this subject goes through
    /// all its edits, and so does any on a small one; another is given up at last if the strategy allows, so that a
    /// subject that cannot be reduced is known for one in time.
    pub(crate) fn patience(&self, pass: &'static str) -> u64 {
        if self.is_thorough() {
            return u64::MAX;
        }
        match self.stats.passes.get(pass) {
            Some(record) if record.accepted > 0 => u64::MAX,
            Some(record) => MAX_PATIENCE.saturating_sub(record.asks).max(MIN_PATIENCE),
            None => MAX_PATIENCE,
        }
    }
}

/// By what an edit is known again when the subject around it has changed elsewhere: pass, new text, length, and
/// the bytes at both ends of what goes.
fn edit_key(pass: &str, text: &[u8], edit: &Edit, context: usize) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(pass.as_bytes());
    for splice in &edit.splices {
        let range = splice.span.range();
        let head = range.start.saturating_sub(context)..(range.start + context).min(text.len());
        let tail = range.end.saturating_sub(context)..(range.end + context).min(text.len());
        hasher.write(&text[head]);
        hasher.write(&text[tail]);
        hasher.write(&splice.text);
        hasher.write_usize(splice.span.len());
    }
    hasher.finish()
}
