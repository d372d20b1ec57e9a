//! No candidate is asked twice: verdicts by content, and by canonical form ([`crate::SubjectFormat::canonical`]).
//!
//! A second descent ([`crate::engine`]) reaches the candidates of the first with other names, and so do merges of symbols
//! and other numberings of a graph. A candidate is not asked if one of its form has passed and none has failed. If one
//! has failed, it is asked: occasionally the notation matters to a solver, and only bytes that were themselves asked may
//! be accepted.

use crate::layered::Layered;
use rustc_hash::{FxHashMap, FxHashSet};

/// Above this size hashing would cost more than the few hits save: large candidates hardly ever recur.
const MAX_BYTES: usize = 1 << 18;
/// Entries kept of each kind.
const MAX_ENTRIES: usize = 1 << 20;

/// Key of failing candidates: long, because only exactly these bytes may be accepted.
type Key = [u8; 16];
/// Key of passing candidates, which are nearly all. A collision means that one ask is wrongly skipped, about once in 2^40 asks.
type ShortKey = u64;

/// Verdicts of this run by the candidate's hash. About 30 bytes per ask.
#[derive(Default)]
pub(crate) struct Cache {
    passed: Layered<ShortKey, ()>,
    failed: FxHashSet<Key>,
    /// Canonical forms of candidates that passed.
    passed_forms: Layered<ShortKey, ()>,
    /// Canonical forms of candidates that failed, including the subject.
    failed_forms: FxHashSet<Key>,
    /// Candidates being asked, with the keys of their forms.
    pending: FxHashMap<Key, Key>,
}

impl Cache {
    /// What the oracle said of these bytes, if known.
    pub(crate) fn get(&self, bytes: &[u8]) -> Option<bool> {
        let key = key(bytes)?;
        if self.failed.contains(&key) { Some(true) } else { self.passed.get(&short(key)).map(|()| false) }
    }

    /// Whether a candidate of this form has passed and none has failed. If not, the form is stored until the verdict
    /// arrives.
    pub(crate) fn has_passed_alike(&mut self, bytes: &[u8], form: &[u8]) -> bool {
        let (Some(own), Some(form)) = (key(bytes), key(form)) else { return false };
        let has_passed = self.passed_forms.get(&short(form)).is_some() && !self.failed_forms.contains(&form);
        if !has_passed && self.pending.len() < MAX_ENTRIES {
            self.pending.insert(own, form);
        }
        has_passed
    }

    /// Remembers that a candidate fails.
    pub(crate) fn put_failed(&mut self, bytes: &[u8]) {
        let Some((key, form)) = self.decided(bytes) else { return };
        self.failed.insert(key);
        self.failed_forms.extend(form);
    }

    /// Remembers that a candidate passes.
    pub(crate) fn put_passed(&mut self, bytes: &[u8]) {
        let Some((key, form)) = self.decided(bytes) else { return };
        self.passed.insert(short(key), ());
        if let Some(form) = form {
            self.passed_forms.insert(short(form), ());
        }
    }

    /// The keys of a candidate and of its form, if there is room to remember them.
    fn decided(&mut self, bytes: &[u8]) -> Option<(Key, Option<Key>)> {
        let key = key(bytes)?;
        let form = self.pending.remove(&key);
        (self.passed.len() + self.failed.len() < MAX_ENTRIES).then_some((key, form))
    }

    /// Remembers that the subject of the search fails.
    pub(crate) fn put_subject(&mut self, form: &[u8]) {
        self.failed_forms.extend(key(form));
    }

    /// A copy.
    pub(crate) fn fork(&mut self) -> Cache {
        Cache {
            passed: self.passed.fork(),
            failed: self.failed.clone(),
            passed_forms: self.passed_forms.fork(),
            failed_forms: self.failed_forms.clone(),
            pending: self.pending.clone(),
        }
    }

    /// Removes all verdicts: the oracle has turned out to be flaky.
    pub(crate) fn clear(&mut self) {
        *self = Cache::default();
    }
}

fn key(bytes: &[u8]) -> Option<Key> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    Some(key)
}

fn short(key: Key) -> ShortKey {
    u64::from_le_bytes([key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_what_passed_is_known_but_not_of_what_failed() {
        let mut cache = Cache::default();
        assert!(!cache.has_passed_alike(b"x", b"1"));
        cache.put_passed(b"x");
        assert!(cache.has_passed_alike(b"y", b"1"));
        assert_eq!(cache.get(b"y"), None);
        assert!(!cache.has_passed_alike(b"f", b"2"));
        cache.put_failed(b"f");
        assert!(!cache.has_passed_alike(b"g", b"2"));
        cache.put_passed(b"g");
        assert!(!cache.has_passed_alike(b"h", b"2"), "one of its form fails");
    }

    #[test]
    fn another_writing_of_the_subject_is_asked() {
        let mut cache = Cache::default();
        cache.put_subject(b"1");
        assert!(!cache.has_passed_alike(b"y", b"1"));
        cache.put_passed(b"y");
        assert!(!cache.has_passed_alike(b"z", b"1"));
    }
}
