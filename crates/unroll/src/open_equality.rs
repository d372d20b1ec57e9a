//! Pointers to different objects that may be equal all the same, because C leaves that open: literals that the compiler has put together
//! ([`crate::shared_literals`]), the end of one object and the start of the next ([`crate::neighbours`]), addresses that were used before
//! ([`crate::reused_addresses`]). A run that compares such pointers is not a test, and no claim rests on the answer.

use crate::cells::Cells;
use crate::config::Beyond;
use crate::machine::Machine;
use crate::neighbours::ObjectCase;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Sort, TermId};

impl Machine<'_> {
    /// Whether two pointers are equal, where C defines that. Without claims about other compilers, the layout of the model decides. O(cases of one ×
    /// cases of the other).
    pub(crate) fn equality_left_open(
        &mut self,
        cells: &Cells,
        a: &[Case],
        b: &[Case],
        is_equal: TermId,
    ) -> TermId {
        let is_modelled = self.config.pointers.beyond == Beyond::Nothing;
        let Some(path) = self.current.path.filter(|_| !is_modelled) else { return is_equal };
        let never = self.pool.truth(false);
        let mut is_open = never;
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            let (Pointee::Object(first), Pointee::Object(second)) = (case.pointee, other.pointee) else {
                continue;
            };
            if first == second {
                continue;
            }
            let (one, two) = (ObjectCase { case, object: first }, ObjectCase { case: other, object: second });
            let mut neighbours = self.are_neighbours(one, two);
            if neighbours != never && self.is_open() && self.could_be_one(case, other).is_some() {
                // Then the objects themselves may be one, which `equality` has seen to.
                let overlap = self.overlap(first, second);
                let apart = self.pool.not(overlap);
                neighbours = terms::and(&mut self.pool, neighbours, apart);
            }
            let reasons =
                [self.may_be_one_literal(first, second), neighbours, self.is_one_dead(cells, first, second)];
            let both = terms::and(&mut self.pool, case.condition, other.condition);
            for reason in reasons {
                let all = terms::and(&mut self.pool, both, reason);
                is_open = terms::or(&mut self.pool, is_open, all);
            }
        }
        if is_open == never {
            return is_equal;
        }
        self.depart_on(path, Assumption::Addresses, is_open);
        let anything = self.pool.var(Sort::BIT);
        self.choose(is_open, anything, is_equal)
    }
}
