//! Addresses that were used before. The object that a pointer pointed to may have been freed, or its block left, and another one may have got its
//! address since: `q == p` after `q = realloc(p, n)` is an example. C leaves the value of such a pointer open (C17 6.2.4 paragraph 2), so a run
//! that compares it is not a test, and no claim rests on the answer.

use crate::cells::Cells;
use crate::machine::Machine;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Sort, TermId};

impl Machine<'_> {
    /// Whether two pointers are equal, where that does not depend on an object that no longer exists. O(cases of one × cases of the other).
    pub(crate) fn equality_of_the_dead(
        &mut self,
        cells: &Cells,
        a: &[Case],
        b: &[Case],
        is_equal: TermId,
    ) -> TermId {
        let Some(path) = self.current.path else { return is_equal };
        let never = self.pool.truth(false);
        let mut is_open = never;
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            let (Pointee::Object(first), Pointee::Object(second)) = (case.pointee, other.pointee) else {
                continue;
            };
            if first == second {
                continue;
            }
            let (one, two) = (self.is_alive(cells, first), self.is_alive(cells, second));
            let alive = terms::and(&mut self.pool, one, two);
            let dead = self.pool.not(alive);
            let both = terms::and(&mut self.pool, case.condition, other.condition);
            let all = terms::and(&mut self.pool, both, dead);
            is_open = terms::or(&mut self.pool, is_open, all);
        }
        if is_open == never {
            return is_equal;
        }
        self.depart_on(path, Assumption::Addresses, is_open);
        let anything = self.pool.var(Sort::BIT);
        self.choose(is_open, anything, is_equal)
    }
}
