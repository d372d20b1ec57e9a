//! Files as objects that are named by the hash of their content.
//!
//! Every object is hashed when it is received: a wrong one counts as missing.

use crate::link::{Link, OBJECTS, Patience, Unsent};
use async_nats::HeaderMap;
use async_nats::jetstream::object_store::{ObjectInfo, ObjectOptions};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Bytes of objects that are kept in memory.
const MAX_CACHED: usize = 256 << 20;
/// Bytes of one object.
const MAX_OBJECT: usize = 1 << 30;
/// How many of a run's latest objects always stay in the store: current leases may need them.
const MIN_STORED: usize = 8;
/// Limit on the number of a run's objects in the store.
const MAX_OBJECTS: usize = 64;
/// Limit on their bytes, if there are more than [`MIN_STORED`].
const MAX_STORED: usize = 4 << 20;
/// How many of a run's objects stay there even if the server's disk is full.
const LEAST_STORED: usize = 2;
/// Give up on an object if nothing of it arrives for this long: the server may have lost it during the
/// transfer.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of an object that are read at once.
const CHUNK: usize = 1 << 17;

/// Why an object cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObjectError {
    #[error("{0}")]
    Server(String),
    #[error("the object {0} is larger than {MAX_OBJECT} bytes")]
    TooLarge(String),
    #[error("the object {0} was not received")]
    Stalled(String),
    #[error("the object {0} has a different hash")]
    WrongHash(String),
}

impl ObjectError {
    /// The server or the connection failed.
    fn server(error: impl std::fmt::Display) -> ObjectError {
        ObjectError::Server(error.to_string())
    }
}

/// The hash that names a file.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The object store with a cache. Clones share it.
#[derive(Clone)]
pub(crate) struct Objects {
    link: Link,
    cache: Arc<Mutex<Cache>>,
    /// Objects that were used here, the latest at the back; `None` if this side does not remove them.
    seen: Option<Arc<Mutex<SeenObjects>>>,
}

type SeenObjects = VecDeque<SeenObject>;

/// An object that was used here.
struct SeenObject {
    name: String,
    len: usize,
    /// Its messages, if it was written here.
    messages: Vec<u64>,
}

/// The objects that were used last, the latest at the back.
#[derive(Default)]
struct Cache {
    objects: VecDeque<(String, Arc<Vec<u8>>)>,
    n_bytes: usize,
}

impl Cache {
    fn get(&mut self, name: &str) -> Option<Arc<Vec<u8>>> {
        let idx = self.objects.iter().position(|(other, _)| other == name)?;
        let object = self.objects.remove(idx)?;
        let bytes = object.1.clone();
        self.objects.push_back(object);
        Some(bytes)
    }

    fn put(&mut self, name: &str, bytes: Arc<Vec<u8>>) {
        self.n_bytes += bytes.len();
        self.objects.push_back((name.to_owned(), bytes));
        while self.n_bytes > MAX_CACHED && self.objects.len() > 1 {
            if let Some((_, dropped)) = self.objects.pop_front() {
                self.n_bytes -= dropped.len();
            }
        }
    }
}

impl Objects {
    /// For a worker: files stay where they are.
    pub(crate) fn new(link: Link) -> Objects {
        Objects { link, cache: Arc::default(), seen: None }
    }

    /// For a run, which calls [`Objects::clear`] at its end.
    pub(crate) fn of_run(link: Link) -> Objects {
        Objects { seen: Some(Arc::default()), ..Objects::new(link) }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        // The cache is consistent after each of its methods.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An object is in use.
    pub(crate) fn note(&self, name: &str, len: usize) {
        self.note_written(name, len, Vec::new());
    }

    /// An object is in use, and was just written with these messages.
    fn note_written(&self, name: &str, len: usize, mut messages: Vec<u64>) {
        if let Some(mut seen) = self.seen() {
            if let Some(idx) = seen.iter().position(|other| other.name == name)
                && let Some(earlier) = seen.remove(idx)
            {
                messages.extend(earlier.messages);
            }
            seen.push_back(SeenObject { name: name.to_owned(), len, messages });
        }
    }

    fn seen(&self) -> Option<MutexGuard<'_, SeenObjects>> {
        // The list is consistent whenever the lock is released.
        self.seen.as_ref().map(|seen| seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Removes everything that was used here from the store. If another run uses one of these files, it stores it again when a worker
    /// reports it missing.
    pub(crate) async fn clear(&self) {
        let all = self.seen().map(|mut seen| seen.drain(..).collect()).unwrap_or_default();
        self.remove(all).await;
    }

    /// Removes objects that have not been used for long, so that a run does not fill the server's disk. A worker that still needs one
    /// reports it missing.
    async fn trim(&self) {
        let mut old = Vec::new();
        if let Some(mut seen) = self.seen() {
            let mut n_bytes: usize = seen.iter().map(|object| object.len).sum();
            while seen.len() > MIN_STORED && (n_bytes > MAX_STORED || seen.len() > MAX_OBJECTS) {
                let Some(object) = seen.pop_front() else { break };
                n_bytes -= object.len;
                old.push(object);
            }
        }
        self.remove(old).await;
    }

    /// Removes all but the latest files: the disk of the server is full.
    async fn make_room(&self) {
        let mut old = Vec::new();
        if let Some(mut seen) = self.seen() {
            let n_old = seen.len().saturating_sub(LEAST_STORED);
            old.extend(seen.drain(..n_old));
        }
        self.remove(old).await;
    }

    async fn remove(&self, objects: Vec<SeenObject>) {
        if objects.is_empty() {
            return;
        }
        let Ok(store) = self.link.objects().await else { return };
        for SeenObject { name, messages, .. } in objects {
            self.link.delete(&stream(), &messages).await;
            let _ = store.delete(name).await;
        }
    }

    /// Puts a file into the store and returns its name.
    pub(crate) async fn put(&self, bytes: &[u8]) -> Result<String, Unsent> {
        let name = hash(bytes);
        let store = self.link.objects().await.map_err(|error| self.unsent(error.to_string()))?;
        // An existing object of this name may be incomplete, if its writer died: it is written again unless it is
        // complete.
        let found = store.info(&name).await.ok();
        let is_there = found.as_ref().is_some_and(|info| info.size == bytes.len() && !info.deleted);
        if !is_there {
            let written = write(&self.link, &name, bytes).await;
            if let Err(Unsent::Refused(_)) = written {
                self.make_room().await;
            }
            self.note_written(&name, bytes.len(), written?);
            if let Some(old) = found {
                remove_chunks(&self.link, &old.nuid).await;
            }
        } else {
            self.note(&name, bytes.len());
        }
        self.trim().await;
        Ok(name)
    }

    fn unsent(&self, why: String) -> Unsent {
        if self.link.is_away() { Unsent::Unheard(why) } else { Unsent::Refused(why) }
    }

    /// Like [`Objects::put`], but retries while the server is unreachable, and for a while if it refuses.
    pub(crate) async fn put_patiently(&self, bytes: &[u8]) -> Result<String, Unsent> {
        let mut patience = Patience::new(&self.link);
        loop {
            let result = self.put(bytes).await;
            if !patience.goes_on(&self.link, &result).await {
                return result;
            }
        }
    }

    /// The file with this name, or why there is none.
    pub(crate) async fn get(&self, name: &str) -> Result<Arc<Vec<u8>>, ObjectError> {
        if let Some(bytes) = self.cache().get(name) {
            return Ok(bytes);
        }
        let store = self.link.objects().await.map_err(ObjectError::server)?;
        let mut object = store.get(name).await.map_err(ObjectError::server)?;
        if object.info().size > MAX_OBJECT {
            return Err(ObjectError::TooLarge(name.to_owned()));
        }
        self.note(name, object.info().size);
        let mut bytes = Vec::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = tokio::time::timeout(STALLED, object.read(&mut chunk)).await;
            match read.map_err(|_| ObjectError::Stalled(name.to_owned()))? {
                Ok(0) => break,
                Ok(len) => bytes.extend_from_slice(&chunk[..len]),
                Err(error) => return Err(ObjectError::server(error)),
            }
        }
        if hash(&bytes) != name {
            return Err(ObjectError::WrongHash(name.to_owned()));
        }
        let bytes = Arc::new(bytes);
        self.cache().put(name, bytes.clone());
        Ok(bytes)
    }
}

/// The stream behind the store.
fn stream() -> String {
    format!("OBJ_{OBJECTS}")
}

fn chunk_subject(nuid: &str) -> String {
    format!("$O.{OBJECTS}.C.{nuid}")
}

async fn remove_chunks(link: &Link, nuid: &str) {
    link.purge(&stream(), &chunk_subject(nuid)).await;
}

/// Writes an object as the library does, except that the parts written by a refused attempt are removed. The library leaves them, so
/// attempts that fail because the disk is full would keep it full. Returns the numbers of its messages.
async fn write(link: &Link, name: &str, bytes: &[u8]) -> Result<Vec<u64>, Unsent> {
    let inbox = link.client.new_inbox();
    let nuid = inbox.rsplit('.').next().unwrap_or(&inbox).to_owned();
    let mut messages = Vec::new();
    let result = write_parts(link, name, &nuid, bytes, &mut messages).await;
    // Without an answer, the object may have been written.
    if let Err(Unsent::Refused(_)) = result {
        link.delete(&stream(), &messages).await;
    }
    result.map(|()| messages)
}

async fn write_parts(
    link: &Link,
    name: &str,
    nuid: &str,
    bytes: &[u8],
    messages: &mut Vec<u64>,
) -> Result<(), Unsent> {
    let subject = chunk_subject(nuid);
    let chunks = bytes.chunks(CHUNK);
    let info = ObjectInfo {
        name: name.to_owned(),
        description: None,
        metadata: Default::default(),
        headers: None,
        options: Some(ObjectOptions { link: None, max_chunk_size: Some(CHUNK) }),
        bucket: OBJECTS.to_owned(),
        nuid: nuid.to_owned(),
        size: bytes.len(),
        chunks: chunks.len(),
        modified: None,
        // Readers know its hash: that is its name.
        digest: None,
        deleted: false,
    };
    for chunk in chunks {
        messages.push(link.store(&subject, HeaderMap::new(), &Bytes::copy_from_slice(chunk)).await?);
    }
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Rollup", "sub");
    let info = serde_json::to_vec(&info).map_err(|error| Unsent::Refused(error.to_string()))?;
    link.store(&format!("$O.{OBJECTS}.M.{}", base64(name.as_bytes())), headers, &info.into()).await.map(drop)
}

/// The encoding of object names in the subjects of the store.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |idx: usize| u32::from(group.get(idx).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(if digit > group.len() { '=' } else { DIGITS[value as usize].into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn names_are_written_as_in_rfc_4648() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "-_8=");
    }
}
