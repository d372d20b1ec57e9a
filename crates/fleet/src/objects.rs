//! Files as objects that are named by the hash of their content.
//!
//! Whoever gets an object hashes it: a wrong one is as good as none.

use crate::link::Link;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Bytes of objects that are kept in memory.
const MAX_CACHED: usize = 256 << 20;
/// Bytes of one object.
const MAX_OBJECT: usize = 1 << 30;
/// Objects of a run that stay in the store in any case, the latest ones: leases under way may need them.
const MIN_STORED: usize = 8;
/// Objects of a run that are in the store at once, unless they are fewer than [`MIN_STORED`].
const MAX_OBJECTS: usize = 64;
/// Bytes of these.
const MAX_STORED: usize = 4 << 20;
/// Attempts to hand an object over, each of which waits for the server for seconds, before somebody is told.
const PUT_ATTEMPTS: usize = 300;
const RETRY: Duration = Duration::from_millis(200);

/// An object of which nothing arrives for this long is given up: its server may have lost it in the middle.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of an object that are read at once.
const CHUNK: usize = 1 << 17;

/// The hash that names a file.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The object store, with a cache before it. Clones share it.
#[derive(Clone)]
pub(crate) struct Objects {
    link: Link,
    cache: Arc<Mutex<Cache>>,
    /// Objects that were used here, if somebody removes them: with their sizes, the latest at the back.
    seen: Option<Arc<Mutex<SeenObjects>>>,
}

type SeenObjects = VecDeque<(String, usize)>;

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
        // The cache is whole after each of its methods.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An object is in use.
    pub(crate) fn note(&self, name: &str, len: usize) {
        if let Some(mut seen) = self.seen() {
            seen.retain(|(other, _)| other != name);
            seen.push_back((name.to_owned(), len));
        }
    }

    fn seen(&self) -> Option<MutexGuard<'_, SeenObjects>> {
        // The list is whole whenever the lock is released.
        self.seen.as_ref().map(|seen| seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Removes all that was used here from the store. Another run that uses one of these files puts it there again when a worker misses it.
    pub(crate) async fn clear(&self) {
        let names: Vec<String> =
            self.seen().map(|mut seen| seen.drain(..).map(|(name, _)| name).collect()).unwrap_or_default();
        self.remove(names).await;
    }

    /// Removes what was not used for long, so that a run does not fill the disk of the server. Whoever still needs it says that it is missing.
    async fn trim(&self) {
        let mut old = Vec::new();
        if let Some(mut seen) = self.seen() {
            let mut n_bytes: usize = seen.iter().map(|(_, len)| len).sum();
            while seen.len() > MIN_STORED && (n_bytes > MAX_STORED || seen.len() > MAX_OBJECTS) {
                let Some((name, len)) = seen.pop_front() else { break };
                n_bytes -= len;
                old.push(name);
            }
        }
        self.remove(old).await;
    }

    async fn remove(&self, names: Vec<String>) {
        if names.is_empty() {
            return;
        }
        let Ok(store) = self.link.objects().await else { return };
        for name in names {
            let _ = store.delete(name).await;
        }
    }

    /// Puts a file into the store and returns its name.
    pub(crate) async fn put(&self, bytes: &[u8]) -> Result<String, String> {
        let name = hash(bytes);
        let store = self.link.objects().await.map_err(|error| error.to_string())?;
        // An existing object of this name may be a half one, of somebody who died: it is written again unless it is whole.
        let is_there = store.info(&name).await.is_ok_and(|info| info.size == bytes.len() && !info.deleted);
        if !is_there {
            store.put(name.as_str(), &mut &*bytes).await.map_err(|error| error.to_string())?;
        }
        self.note(&name, bytes.len());
        self.trim().await;
        Ok(name)
    }

    /// As [`Objects::put`], again and again while the server is away.
    pub(crate) async fn put_patiently(&self, bytes: &[u8]) -> Result<String, String> {
        let mut result = self.put(bytes).await;
        for _ in 0..PUT_ATTEMPTS {
            if result.is_ok() {
                break;
            }
            tokio::time::sleep(RETRY).await;
            result = self.put(bytes).await;
        }
        result
    }

    /// The file with this name, or why there is none.
    pub(crate) async fn get(&self, name: &str) -> Result<Arc<Vec<u8>>, String> {
        if let Some(bytes) = self.cache().get(name) {
            return Ok(bytes);
        }
        let store = self.link.objects().await.map_err(|error| error.to_string())?;
        let mut object = store.get(name).await.map_err(|error| error.to_string())?;
        if object.info().size > MAX_OBJECT {
            return Err(format!("the object {name} is larger than {MAX_OBJECT} bytes"));
        }
        self.note(name, object.info().size);
        let mut bytes = Vec::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = tokio::time::timeout(STALLED, object.read(&mut chunk)).await;
            match read.map_err(|_| format!("the object {name} was not received"))? {
                Ok(0) => break,
                Ok(len) => bytes.extend_from_slice(&chunk[..len]),
                Err(error) => return Err(error.to_string()),
            }
        }
        if hash(&bytes) != name {
            return Err(format!("the object {name} has a different hash"));
        }
        let bytes = Arc::new(bytes);
        self.cache().put(name, bytes.clone());
        Ok(bytes)
    }
}
