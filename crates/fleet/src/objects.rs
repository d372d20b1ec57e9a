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
/// Attempts to hand an object over, each of which waits for the server for seconds, before somebody is told.
const PUT_ATTEMPTS: usize = 300;
const RETRY: Duration = Duration::from_millis(200);

/// The hash that names a file.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The object store, with a cache before it. Clones share it.
#[derive(Clone)]
pub(crate) struct Objects {
    link: Link,
    cache: Arc<Mutex<Cache>>,
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
    pub(crate) fn new(link: Link) -> Objects {
        Objects { link, cache: Arc::default() }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        // The cache is whole after each of its methods.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut bytes = Vec::new();
        object.read_to_end(&mut bytes).await.map_err(|error| error.to_string())?;
        if hash(&bytes) != name {
            return Err(format!("the object {name} has another hash"));
        }
        let bytes = Arc::new(bytes);
        self.cache().put(name, bytes.clone());
        Ok(bytes)
    }
}
