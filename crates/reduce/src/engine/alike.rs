//! Candidates that differ only in their writing are asked once.

use super::{CHECK_BYTES, Engine};
use crate::Format;

impl<F: Format> Engine<'_, F> {
    /// Whether a candidate of the same canonical form has passed.
    pub(super) fn has_passed_alike(&self, candidate: &F::View) -> bool {
        F::HAS_CANONICAL && self.forms.has_passed(&self.format.canonical(candidate))
    }

    /// Remembers the form of a candidate that passed.
    pub(super) fn remember_pass(&mut self, bytes: &[u8]) {
        if !F::HAS_CANONICAL || bytes.len() > CHECK_BYTES {
            return;
        }
        let form = |bytes: &[u8]| self.format.canonical(&self.format.read(bytes.to_vec()));
        let subject = self.best.as_deref().unwrap_or_else(|| self.format.text(&self.view));
        self.forms.pass(&form(bytes), || form(subject));
    }
}
