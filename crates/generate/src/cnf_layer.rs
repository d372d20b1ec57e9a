//! The CNF layer (section 2.3.2): clauses of three literals over the open bits, all of them asserted.
//!
//! First each variable occurs once; then clauses are added until there are enough per variable. One random number x below
//! 2n gives a literal over n variables: variable x mod n, negated if x >= n. (The thesis says x > n, which would exclude
//! one negative literal and make one positive literal twice as likely.)

use crate::builder::Generator;
use crate::plant::Planted;
use nub_btor::{Ref, Tag};

const LITERALS: usize = 3;

impl Generator {
    /// The conjunction of all clauses. If there is an assignment, every clause holds in it.
    pub(crate) fn merge_by_cnf(&mut self, model: Option<&Planted>) -> Ref {
        let vars = std::mem::take(&mut self.open);
        let n_vars = vars.len() as u32;
        let n_clauses = self.config.clauses.times(n_vars);
        let mut root = None;
        let mut n_made = 0;
        for three in vars.chunks(LITERALS) {
            let mut clause = [0; LITERALS].map(|_| self.literal(&vars));
            for (literal, var) in clause.iter_mut().zip(three) {
                *literal = *var ^ self.rng.percent(50);
            }
            root = Some(self.add_clause(root, clause, model));
            n_made += 1;
        }
        while n_made < n_clauses {
            let clause = [0; LITERALS].map(|_| self.literal(&vars));
            root = Some(self.add_clause(root, clause, model));
            n_made += 1;
        }
        (self.dag.n_cnf_vars, self.dag.n_clauses) = (n_vars, n_made);
        // There is at least one open bit, so there is a clause.
        let root = root.unwrap_or(vars[0]);
        self.open = vars;
        root
    }

    fn literal(&mut self, vars: &[Ref]) -> Ref {
        let n = vars.len() as u32;
        let x = self.rng.below(2 * n);
        vars[(x % n) as usize] ^ (x >= n)
    }

    fn add_clause(&mut self, root: Option<Ref>, mut clause: [Ref; LITERALS], model: Option<&Planted>) -> Ref {
        if let Some(model) = model {
            self.satisfy(&mut clause, model);
        }
        let [a, b, c] = clause;
        let two = self.join(Tag::Or, a, b);
        let three = self.join(Tag::Or, two, c);
        match root {
            None => three,
            Some(root) => self.join(Tag::And, root, three),
        }
    }

    /// Redraws the signs until the clause holds: all sign patterns that hold are equally likely (planted 3-SAT). A clause over
    /// one variable three times holds in half of the draws, others more often, so the loop is short.
    fn satisfy(&mut self, clause: &mut [Ref; LITERALS], model: &Planted) {
        const MAX_DRAWS: usize = 100;
        for _ in 0..MAX_DRAWS {
            if clause.iter().any(|edge| model.holds(*edge)) {
                return;
            }
            for literal in clause.iter_mut() {
                *literal = *literal ^ self.rng.percent(50);
            }
        }
        clause[0] = clause[0].complement();
    }
}
