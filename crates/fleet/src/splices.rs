//! A candidate as splices on a base file.
//!
//! Candidates of a reduction share most of their text with each other. Blocks of the base are indexed by content; the
//! candidate is read from left to right, a block that is found there is extended in both directions, and what lies between two
//! such matches is a splice. Matches only move forward, so that splices are sorted and disjoint. The result need not be the
//! smallest: what counts is that it is exact, and found in linear time.

use rustc_hash::FxHashMap;

/// Bytes of a block of the index.
const BLOCK: usize = 32;
/// How many blocks with the same content are tried.
const MAX_ALIKE: usize = 4;

/// A span of the base and what takes its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Splice {
    pub start: usize,
    pub end: usize,
    pub text: Vec<u8>,
}

/// A base file with its index.
pub(crate) struct Base {
    bytes: Vec<u8>,
    blocks: FxHashMap<[u8; BLOCK], Vec<usize>>,
}

impl Base {
    pub(crate) fn new(bytes: Vec<u8>) -> Base {
        let mut blocks: FxHashMap<[u8; BLOCK], Vec<usize>> = FxHashMap::default();
        for (idx, block) in bytes.chunks_exact(BLOCK).enumerate() {
            // A chunk of this length is an array of this length.
            let Ok(key) = <[u8; BLOCK]>::try_from(block) else { continue };
            let places = blocks.entry(key).or_default();
            if places.len() < MAX_ALIKE {
                places.push(idx * BLOCK);
            }
        }
        Base { bytes, blocks }
    }

    /// A file without an index, for tasks.
    pub(crate) fn whole(bytes: Vec<u8>) -> Base {
        Base { bytes, blocks: FxHashMap::default() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Splices that turn the base into `candidate`.
    pub(crate) fn splices(&self, candidate: &[u8]) -> Vec<Splice> {
        let base = self.bytes.as_slice();
        let prefix = common_prefix(base, candidate);
        let suffix = common_suffix(&base[prefix..], &candidate[prefix..]);
        let (base_end, end) = (base.len() - suffix, candidate.len() - suffix);
        let mut splices = Vec::new();
        let (mut base_at, mut at) = (prefix, prefix);
        let mut look = at;
        while look + BLOCK <= end {
            let Some(found) = self.find(&candidate[look..look + BLOCK], base_at, base_end) else {
                look += 1;
                continue;
            };
            let back = common_suffix(&base[base_at..found], &candidate[at..look]);
            push(&mut splices, (base_at, found - back), &candidate[at..look - back]);
            let len = common_prefix(&base[found..base_end], &candidate[look..end]);
            (base_at, at) = (found + len, look + len);
            look = at;
        }
        push(&mut splices, (base_at, base_end), &candidate[at..end]);
        splices
    }

    /// The first position from `from` on where this block occurs.
    fn find(&self, block: &[u8], from: usize, to: usize) -> Option<usize> {
        let key = <[u8; BLOCK]>::try_from(block).ok()?;
        let places = self.blocks.get(&key)?;
        places.iter().copied().find(|&place| place >= from && place + BLOCK <= to)
    }
}

fn push(splices: &mut Vec<Splice>, (start, end): (usize, usize), text: &[u8]) {
    if start < end || !text.is_empty() {
        splices.push(Splice { start, end, text: text.to_vec() });
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// The candidate, or `None` if the splices are not sorted spans of the base.
pub(crate) fn apply(base: &[u8], splices: &[Splice]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(base.len());
    let mut at = 0;
    for Splice { start, end, text } in splices {
        bytes.extend_from_slice(base.get(at..*start)?);
        if end < start {
            return None;
        }
        bytes.extend_from_slice(text);
        at = *end;
    }
    bytes.extend_from_slice(base.get(at..)?);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cut_costs_no_text() {
        let base: Vec<u8> = (0..200u32).flat_map(|n| format!("(assert (= x {n}))\n").into_bytes()).collect();
        let mut candidate = base.clone();
        candidate.drain(2000..2400);
        candidate.drain(500..900);
        let splices = Base::new(base.clone()).splices(&candidate);
        let n_text: usize = splices.iter().map(|splice| splice.text.len()).sum();
        assert!(n_text <= 2 * BLOCK, "{n_text} bytes of text for two cuts");
        assert_eq!(apply(&base, &splices), Some(candidate));
    }

    #[test]
    fn wrong_splices_are_refused() {
        let splice = |start, end| Splice { start, end, text: Vec::new() };
        for wrong in [vec![splice(3, 2)], vec![splice(2, 9)], vec![splice(2, 3), splice(1, 2)]] {
            assert_eq!(apply(b"base", &wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn applying_splices_gives_the_candidate(
            base in proptest::collection::vec(0u8..4, 0..600),
            cuts in proptest::collection::vec((0usize..600, 0usize..80, proptest::collection::vec(0u8..4, 0..40)), 0..6),
        ) {
            let mut candidate = base.clone();
            for (start, len, text) in cuts {
                let start = start.min(candidate.len());
                let end = (start + len).min(candidate.len());
                candidate.splice(start..end, text);
            }
            let splices = Base::new(base.clone()).splices(&candidate);
            prop_assert_eq!(apply(&base, &splices), Some(candidate));
        }
    }
}
