//! Merges what remains into one root: with random logical operators, as few as possible, or with a CNF.

use crate::builder::Generator;
use crate::config::ExpectedStatus;
use crate::error::Mistake;
use crate::kinds::LOGIC;
use nub_btor::{Ref, Sort, Tag};

impl Generator {
    /// One edge above everything else.
    pub(crate) fn merge(&mut self) -> Result<Ref, Mistake> {
        let is_sat = self.config.status == Some(ExpectedStatus::Sat);
        let is_cnf = self.config.cnf || self.config.cnfonly;
        // A CNF is built to hold. Otherwise the root or its negation is asserted, whichever holds.
        let joined = if is_cnf { None } else { Some(self.merge_by_logic()) };
        let planted = if is_sat { Some(self.plant()?) } else { None };
        let root = match joined {
            Some(root) => root ^ planted.as_ref().is_some_and(|planted| !planted.holds(root)),
            None => self.merge_by_cnf(planted.as_ref()),
        };
        Ok(match (self.config.status, planted) {
            (Some(ExpectedStatus::Unsat), _) => self.contradict(root),
            (_, Some(planted)) if self.config.pins > 0 => self.pin(root, &planted),
            _ => root,
        })
    }

    /// Joins two random edges until one is left: k - 1 operators for k bits. Returns an edge that is not negated.
    fn merge_by_logic(&mut self) -> Ref {
        while self.open.len() > 1 {
            let tag = self.rng.pick(LOGIC);
            let [a, b] = [self.take_open(), self.take_open()];
            let joined = self.join(tag, a, b);
            self.open.push(joined);
        }
        self.open[0]
    }

    /// Removes a random open edge, occasionally negated.
    fn take_open(&mut self) -> Ref {
        let place = self.rng.below(self.open.len() as u32) as usize;
        let bit = self.open.swap_remove(place);
        self.edge(bit.node())
    }

    /// A one-bit operator of the last layers. Its node is not a candidate for children.
    pub(crate) fn join(&mut self, tag: Tag, a: Ref, b: Ref) -> Ref {
        self.dag.push_op(tag, Sort::BIT, &[a, b]).into()
    }
}
