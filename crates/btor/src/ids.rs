//! From id to line.

use crate::LineId;
use std::collections::BTreeMap;

/// Ids that are not larger than the length of the file are in a table, the others in a map: memory stays proportional to the
/// file for ids up to 2^40, and a file with dense ids never uses the map. It is a tree and not a hash map, so that no
/// choice of ids can make it slow.
pub(crate) struct Ids {
    table: Vec<u32>,
    limit: u64,
    rest: BTreeMap<u64, u32>,
}

/// No line: no file has this many.
const NONE: u32 = u32::MAX;

impl Ids {
    pub fn new(n_bytes: usize) -> Ids {
        // Lines have about twenty bytes; memory that is reserved but not used costs nothing.
        let table = Vec::with_capacity(n_bytes / 16);
        Ids { table, limit: n_bytes as u64, rest: BTreeMap::new() }
    }

    #[inline]
    pub fn get(&self, id: u64) -> Option<LineId> {
        if id < self.limit {
            let line = self.table.get(id as usize).copied().unwrap_or(NONE);
            return (line != NONE).then(|| LineId::new(line as usize));
        }
        self.rest.get(&id).map(|&line| LineId::new(line as usize))
    }

    /// Keeps the first definition; if there already is one, returns its line as an error.
    #[inline]
    pub fn insert(&mut self, id: u64, line: LineId) -> Result<(), LineId> {
        if let Some(first) = self.get(id) {
            return Err(first);
        }
        if id >= self.limit {
            self.rest.insert(id, line.index() as u32);
            return Ok(());
        }
        let index = id as usize;
        if index >= self.table.len() {
            self.table.resize(index + 1, NONE);
        }
        self.table[index] = line.index() as u32;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_ids() {
        let mut ids = Ids::new(10);
        for (id, line) in [(3, 0), (1 << 40, 1), (1, 2), (10, 3), (9, 4)] {
            assert_eq!(ids.insert(id, LineId::new(line)), Ok(()));
            assert_eq!(ids.insert(id, LineId::new(99)), Err(LineId::new(line)));
        }
        assert_eq!(
            [3, 1 << 40, 1, 10, 9, 2, 11].map(|id| ids.get(id).map(LineId::index)),
            [Some(0), Some(1), Some(2), Some(3), Some(4), None, None]
        );
        assert!(ids.table.len() <= 10, "memory follows the length of the file");
    }
}
