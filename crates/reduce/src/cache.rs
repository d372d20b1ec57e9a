//! No candidate is asked twice: verdicts by content.

use rustc_hash::{FxHashMap, FxHashSet};

/// Above this size hashing would cost more than the few hits it gives: large candidates hardly ever recur.
const MAX_BYTES: usize = 1 << 18;
/// Entries kept; about 40 bytes each.
const MAX_ENTRIES: usize = 1 << 20;

/// Verdicts of this run by the candidate's hash.
#[derive(Default)]
pub(crate) struct Cache {
    fails: FxHashMap<[u8; 16], bool>,
}

impl Cache {
    /// What the oracle said of these bytes, if known.
    pub(crate) fn get(&self, bytes: &[u8]) -> Option<bool> {
        self.fails.get(&key(bytes)?).copied()
    }

    /// Remembers a sure verdict.
    pub(crate) fn put(&mut self, bytes: &[u8], fails: bool) {
        if let Some(key) = key(bytes)
            && self.fails.len() < MAX_ENTRIES
        {
            self.fails.insert(key, fails);
        }
    }

    /// Forgets everything: the oracle has turned out to be flaky.
    pub(crate) fn clear(&mut self) {
        self.fails.clear();
    }
}

/// Canonical forms ([`crate::Format::canonical`]) on which the failure was gone.
///
/// Only passing counts: what is accepted was asked as it is. If the subject's own form passes in another writing, the
/// failure depends on the writing, and forms say nothing any more.
#[derive(Default)]
pub(crate) struct Forms {
    passed: FxHashSet<[u8; 16]>,
    of_subject: Option<[u8; 16]>,
    is_off: bool,
}

impl Forms {
    /// Whether a candidate of this form has passed.
    pub(crate) fn has_passed(&self, form: &[u8]) -> bool {
        !self.is_off && key(form).is_some_and(|key| self.passed.contains(&key))
    }

    /// Remembers that a candidate of this form passed. `subject` makes the form of the subject.
    pub(crate) fn pass(&mut self, form: &[u8], subject: impl FnOnce() -> Vec<u8>) {
        let Some(form) = key(form).filter(|_| !self.is_off) else { return };
        if self.of_subject.is_none() {
            self.of_subject = key(&subject());
        }
        self.is_off = self.of_subject == Some(form);
        if self.passed.len() < MAX_ENTRIES {
            self.passed.insert(form);
        }
    }

    /// There is another subject.
    pub(crate) fn step(&mut self) {
        self.of_subject = None;
    }

    /// Forgets everything: the oracle has turned out to be flaky.
    pub(crate) fn clear(&mut self) {
        *self = Forms { is_off: true, ..Forms::default() };
    }
}

fn key(bytes: &[u8]) -> Option<[u8; 16]> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_count_until_the_writing_matters() {
        let mut forms = Forms::default();
        forms.pass(b"a", || b"s".to_vec());
        assert!(forms.has_passed(b"a") && !forms.has_passed(b"b"));
        forms.step();
        forms.pass(b"t", || b"t".to_vec());
        assert!(!forms.has_passed(b"a"), "the subject in another writing passed");
    }
}
