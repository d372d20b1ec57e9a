//! No candidate is asked twice: verdicts by content.

use rustc_hash::FxHashMap;

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

fn key(bytes: &[u8]) -> Option<[u8; 16]> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    Some(key)
}
