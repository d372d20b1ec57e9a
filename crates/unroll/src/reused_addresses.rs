//! Addresses that were used before. The object that a pointer pointed to may have been freed, or its block left, and another one may have got its
//! address since: `q == p` after `q = realloc(p, n)` is an example. C leaves the value of such a pointer open (C17 6.2.4 paragraph 2), so a run
//! that compares it is not a test, and no claim rests on the answer.

use crate::cells::Cells;
use crate::machine::Machine;
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::TermId;

impl Machine<'_> {
    /// Whether one of the objects no longer exists.
    pub(crate) fn is_one_dead(&mut self, cells: &Cells, first: ObjectId, second: ObjectId) -> TermId {
        let (one, two) = (self.is_alive(cells, first), self.is_alive(cells, second));
        let alive = terms::and(&mut self.pool, one, two);
        self.pool.not(alive)
    }
}
