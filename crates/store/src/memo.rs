//! Verdicts remembered across runs.
//!
//! A file of 40-byte entries: verdict letter, 32-byte key, 7-byte checksum. The key is the caller's hash of
//! everything the verdict depends on. It is a cache: appends are buffered for up to a second and not synced, damaged bytes are
//! skipped, and any entry may be lost. It must never give a wrong answer, so each entry has a checksum, and a
//! key on which two entries disagree has no answer.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::commit::commit;
use crate::error::{Kept, Result, StoreError};
use crate::file_system::{FileSystem, OpenFile, write_all};

/// Maximum number of entries on disk (40 MiB). A full memo accepts no more; the next open keeps the newer
/// half.
pub const MAX_MEMO_ENTRIES: usize = 1 << 20;

/// How many entries are buffered before they are written.
const N_BUFFERED: usize = 100;
/// An entry is written at once if it is the first, or if this time has passed since the last write: of runs that are killed again and again, each
/// must leave some verdicts behind, however slow the command is.
const MAX_WAIT: Duration = Duration::from_secs(1);
const KEY_BYTES: usize = 32;
const CHECK_BYTES: usize = 7;
const ENTRY_BYTES: usize = 1 + KEY_BYTES + CHECK_BYTES;

/// The hash of everything a verdict depends on.
pub type MemoKey = [u8; KEY_BYTES];

/// A verdict worth remembering. There is no third value: "cannot tell" is never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// The failure is still present.
    Fails,
    /// It is gone.
    Passes,
}

impl Remembered {
    fn letter(self) -> u8 {
        match self {
            Remembered::Fails => b'F',
            Remembered::Passes => b'P',
        }
    }

    fn from_letter(letter: u8) -> Option<Self> {
        [Remembered::Fails, Remembered::Passes].into_iter().find(|verdict| verdict.letter() == letter)
    }
}

/// An open memo. Flushed on drop.
///
/// It answers only what was known when it was opened. Verdicts of this run are for the next one: a caller that asks twice
/// within one run wants a second run. So memory does not grow with the number of asks.
pub struct Memo {
    path: PathBuf,
    /// `None` if entries disagree: then nothing is known.
    known: BTreeMap<MemoKey, Option<Remembered>>,
    n_added: usize,
    buffer: Vec<u8>,
    /// When the buffer was last written because of its age or size; `None` before the first time.
    written: Option<Instant>,
    /// `None` after a failed write: no more is remembered.
    file: Option<Box<dyn OpenFile>>,
    limit: usize,
}

impl Memo {
    /// Opens or creates the memo at `path`.
    pub fn open(fs: &dyn FileSystem, path: &Path) -> Result<Memo> {
        Self::open_with_limit(fs, path, MAX_MEMO_ENTRIES)
    }

    /// As [`Memo::open`], with another limit on the number of entries.
    pub fn open_with_limit(fs: &dyn FileSystem, path: &Path, limit: usize) -> Result<Memo> {
        let bytes = match fs.read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            result => result.map_err(StoreError::own("read the memo", path))?,
        };
        let mut found = decode(&bytes);
        // Compares bytes, not entries, so that a file full of garbage is shortened too.
        if bytes.len() >= limit.saturating_mul(ENTRY_BYTES) {
            found = newer_half(&found, limit);
            let kept: Vec<u8> = found.iter().flat_map(|(key, verdict)| encode(key, *verdict)).collect();
            commit(fs, path, &kept)?;
        }
        let file = fs.append(path).map_err(StoreError::own("open the memo", path))?;
        let mut known: BTreeMap<MemoKey, Option<Remembered>> = BTreeMap::new();
        for (key, verdict) in found {
            let entry = known.entry(key).or_insert(Some(verdict));
            *entry = entry.filter(|other| *other == verdict);
        }
        Ok(Memo {
            path: path.to_owned(),
            known,
            n_added: 0,
            buffer: Vec::new(),
            written: None,
            file: Some(file),
            limit,
        })
    }

    /// The verdict for a key, if it was known when the memo was opened and has never been contradicted.
    pub fn get(&self, key: &MemoKey) -> Option<Remembered> {
        *self.known.get(key)?
    }

    /// Remembers a verdict for later runs. If it contradicts what was known, the key no longer has an answer.
    /// An error is returned only once, when writing stops.
    pub fn insert(&mut self, key: MemoKey, verdict: Remembered) -> Result<()> {
        self.insert_at(Instant::now(), key, verdict)
    }

    /// As [`Memo::insert`], at a given time.
    pub fn insert_at(&mut self, now: Instant, key: MemoKey, verdict: Remembered) -> Result<()> {
        let is_full = self.known.len() + self.n_added >= self.limit;
        match self.known.get_mut(&key) {
            Some(known) if known.is_none_or(|known| known == verdict) => return Ok(()),
            Some(known) => *known = None,
            None if is_full => return Ok(()),
            None => self.n_added += 1,
        }
        self.buffer.extend(encode(&key, verdict));
        let is_due = self.written.is_none_or(|written| now.saturating_duration_since(written) >= MAX_WAIT);
        if self.buffer.len() < N_BUFFERED * ENTRY_BYTES && !is_due {
            return Ok(());
        }
        self.written = Some(now);
        self.flush()
    }

    /// Hands all entries to the operating system (without a sync).
    pub fn flush(&mut self) -> Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        let Some(file) = &mut self.file else { return Ok(()) };
        let result = write_all(file.as_mut(), &buffer);
        if result.is_err() {
            self.file = None;
        }
        result.map_err(|source| StoreError::io("append to", &self.path, Kept::UserFiles, source))
    }

    /// Number of keys that were known when it was opened.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing was known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

impl Drop for Memo {
    fn drop(&mut self) {
        // A lost cache entry is not worth a message at the end of a run.
        let _ = self.flush();
    }
}

/// The newer entries, at most half the limit, without keys that any entry contradicts: keeping one
/// side of a contradiction would turn it into an answer.
fn newer_half(found: &[(MemoKey, Remembered)], limit: usize) -> Vec<(MemoKey, Remembered)> {
    let verdict_of: BTreeMap<_, _> = found.iter().copied().collect();
    let contradicted: BTreeSet<_> =
        found.iter().filter(|(key, verdict)| verdict_of[key] != *verdict).map(|(key, _)| *key).collect();
    let newer = &found[found.len().saturating_sub(limit / 2)..];
    newer.iter().filter(|(key, _)| !contradicted.contains(key)).copied().collect()
}

fn checksum(verdict: u8, key: &[u8]) -> [u8; CHECK_BYTES] {
    let hash = blake3::Hasher::new().update(&[verdict]).update(key).finalize();
    let mut check = [0; CHECK_BYTES];
    check.copy_from_slice(&hash.as_bytes()[..CHECK_BYTES]);
    check
}

fn encode(key: &MemoKey, verdict: Remembered) -> [u8; ENTRY_BYTES] {
    let mut entry = [0; ENTRY_BYTES];
    entry[0] = verdict.letter();
    entry[1..=KEY_BYTES].copy_from_slice(key);
    entry[1 + KEY_BYTES..].copy_from_slice(&checksum(verdict.letter(), key));
    entry
}

/// All intact entries, in file order. After damage, looks for the next entry byte by byte: an incomplete
/// append must not hide later entries. Testing the letter first keeps this cheap.
fn decode(bytes: &[u8]) -> Vec<(MemoKey, Remembered)> {
    let mut found = Vec::with_capacity(bytes.len() / ENTRY_BYTES);
    let mut rest = bytes;
    while let Some(entry) = rest.first_chunk::<ENTRY_BYTES>() {
        let decoded = decode_entry(entry);
        found.extend(decoded);
        rest = &rest[if decoded.is_some() { ENTRY_BYTES } else { 1 }..];
    }
    found
}

fn decode_entry(entry: &[u8; ENTRY_BYTES]) -> Option<(MemoKey, Remembered)> {
    let verdict = Remembered::from_letter(entry[0])?;
    let key = *entry[1..].first_chunk::<KEY_BYTES>()?;
    (entry[1 + KEY_BYTES..] == checksum(entry[0], &key)).then_some((key, verdict))
}
