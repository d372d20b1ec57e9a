//! Weighted sums of literals, for a minimiser that counts different literals.

use crate::system::System;
use nub_cnf::Lit;
use rustc_hash::FxHashSet;

/// Literals, each true if one unit of the sum is present.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    lits: Vec<Lit>,
    seen: FxHashSet<Lit>,
}

impl Sum {
    /// `weight` units if the literal is true. A literal counts as often as it is added: further units are new literals that follow from it.
    pub fn add(&mut self, system: &mut System, lit: Lit, weight: u32) {
        for _ in 0..weight {
            let unit = if self.seen.insert(lit) { lit } else { system.solver.new_var() };
            if unit != lit {
                system.solver.add(&[!lit, unit]);
            }
            system.solver.prefer(!unit);
            self.lits.push(unit);
        }
    }

    /// All units.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }
}
