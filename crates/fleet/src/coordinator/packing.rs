//! Encodes candidates as a base file in the object store and splices on it.
//!
//! The base is a candidate that was sent before. As the subject shrinks, splices grow; when they are too large, the
//! candidate becomes the next base.

use crate::objects::hash;
use crate::protocol::{BuildId, InputRoute, ItemNumber, ItemWork, LeaseItem, RunBounds, RunPlace};
use crate::splices::{Base, Splice};
use std::sync::Arc;

/// Bytes of splices that an item may have.
const MAX_TEXT: usize = 1 << 16;
/// Bytes of splices that a lease may have. NATS takes messages of a megabyte.
pub(crate) const MAX_LEASE_TEXT: usize = 1 << 19;
/// Bytes of splices that are always small enough.
const SMALL_TEXT: usize = 1 << 9;

/// A requested run of a program.
#[derive(Clone, Debug)]
pub(crate) struct WantedRun {
    pub program: String,
    pub build: BuildId,
    pub file_name: String,
    pub feed: InputRoute,
    pub place: RunPlace,
    pub bounds: RunBounds,
    pub content: Arc<Vec<u8>>,
}

/// What an item asks for.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Run(Arc<WantedRun>),
    Task { kind: String, body: Arc<Vec<u8>>, file: Option<TaskFile> },
}

/// A file that many tasks need. It is sent once, as an object. Clones share it.
#[derive(Clone)]
pub struct TaskFile {
    name: String,
    base: Arc<Base>,
}

impl TaskFile {
    /// A file with this content.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> TaskFile {
        TaskFile { name: hash(&bytes), base: Arc::new(Base::whole(bytes)) }
    }
}

impl std::fmt::Debug for TaskFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TaskFile({})", self.name)
    }
}

/// The base that items are packed on.
#[derive(Default)]
pub(crate) struct Packer {
    base: Option<(String, Arc<Base>)>,
}

/// An item ready to be sent.
pub(crate) struct Packed {
    pub item: LeaseItem,
    pub blobs: Vec<Vec<u8>>,
    /// The base that it needs, by its hash and content.
    pub base: Option<(String, Arc<Base>)>,
}

impl Packed {
    pub(crate) fn n_bytes(&self) -> usize {
        self.blobs.iter().map(Vec::len).sum()
    }
}

impl Packer {
    pub(crate) fn pack(&mut self, number: ItemNumber, wanted: &Wanted) -> Packed {
        match wanted {
            Wanted::Task { kind, body, file } => Packed {
                item: LeaseItem { number, work: ItemWork::Task { kind: kind.clone() } },
                blobs: vec![body.to_vec()],
                base: file.as_ref().map(|file| (file.name.clone(), file.base.clone())),
            },
            Wanted::Run(run) => self.pack_run(number, run),
        }
    }

    fn pack_run(&mut self, number: ItemNumber, run: &WantedRun) -> Packed {
        let content = hash(&run.content);
        let (name, base, splices) = match self.splices(&run.content) {
            Some(packed) => packed,
            None => {
                let base = Arc::new(Base::new(run.content.to_vec()));
                self.base = Some((content.clone(), base.clone()));
                (content.clone(), base, Vec::new())
            }
        };
        let spans = splices.iter().map(|splice| (splice.start as u64, splice.end as u64)).collect();
        let work = ItemWork::Run {
            program: run.program.clone(),
            build: run.build.clone(),
            file_name: run.file_name.clone(),
            feed: run.feed,
            place: run.place,
            bounds: run.bounds,
            content,
            splices: spans,
        };
        let blobs = splices.into_iter().map(|splice| splice.text).collect();
        Packed { item: LeaseItem { number, work }, blobs, base: Some((name, base)) }
    }

    /// Splices on the present base, if they are small.
    fn splices(&self, content: &[u8]) -> Option<(String, Arc<Base>, Vec<Splice>)> {
        let (name, base) = self.base.as_ref()?;
        let splices = base.splices(content);
        let n_text: usize = splices.iter().map(|splice| splice.text.len()).sum();
        let is_small = n_text <= SMALL_TEXT || n_text <= MAX_TEXT && n_text * 4 <= content.len();
        is_small.then(|| (name.clone(), base.clone(), splices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splices::apply;
    use nub_process::ProcessLimits;

    fn wanted(content: &[u8]) -> Wanted {
        Wanted::Run(Arc::new(WantedRun {
            program: "p".to_owned(),
            build: BuildId("b".to_owned()),
            file_name: "a.smt2".to_owned(),
            feed: InputRoute::Path,
            place: RunPlace::Registered,
            bounds: (&ProcessLimits::default()).into(),
            content: Arc::new(content.to_vec()),
        }))
    }

    /// The file as a worker reconstructs it.
    fn unpack(packed: &Packed) -> Vec<u8> {
        let ItemWork::Run { splices, .. } = &packed.item.work else { unreachable!("it is a run") };
        let (_, base) = packed.base.as_ref().unwrap();
        let texts = splices.iter().zip(&packed.blobs);
        let splices: Vec<Splice> = texts
            .map(|(&(start, end), text)| Splice {
                start: start as usize,
                end: end as usize,
                text: text.clone(),
            })
            .collect();
        apply(base.bytes(), &splices).unwrap()
    }

    #[test]
    fn a_shrinking_file_changes_its_base_now_and_then() {
        let mut packer = Packer::default();
        let mut text: Vec<u8> = (0..3000u32).flat_map(|n| format!("(assert {n})\n").into_bytes()).collect();
        let mut bases = std::collections::BTreeSet::new();
        for round in 0..60usize {
            let start = round * 97 % text.len().max(1);
            let end = (start + 500).min(text.len());
            text.splice(start..end, format!("x{round}").into_bytes());
            let packed = packer.pack(ItemNumber(0), &wanted(&text));
            assert_eq!(unpack(&packed), text);
            assert!(packed.n_bytes() <= SMALL_TEXT.max(text.len() / 4));
            bases.insert(packed.base.unwrap().0);
        }
        assert!(bases.len() < 30, "{} bases for 60 candidates", bases.len());
    }

    #[test]
    fn another_file_is_another_base() {
        let mut packer = Packer::default();
        let first = packer.pack(ItemNumber(0), &wanted(&[b'a'; 5000]));
        let second = packer.pack(ItemNumber(1), &wanted(&[b'b'; 5000]));
        assert_ne!(first.base.unwrap().0, second.base.as_ref().unwrap().0);
        assert_eq!(unpack(&second), [b'b'; 5000]);
    }
}
