//! Random k-CNF in DIMACS: the fixed clause length model (Mitchell, Selman, Levesque 1992). Each clause has k different
//! variables, each negated with probability one half.
//!
//! *Satisfiable by construction*: an assignment is drawn first, and signs are drawn until it satisfies the clause.
//! *Unsatisfiable by construction*: some clauses state that sums of bits are odd or even; each variable is in two of the sums,
//! and all sums together are odd. The sums contradict each other, but only all of them together, and they are hidden among other clauses.

use crate::config::{ExpectedStatus, GenerateConfig};
use crate::digits::push_number;
use nub_random::Rng;

/// Limit on the variables of the hidden contradiction. Resolution proofs of it grow exponentially with this number.
const MAX_CORE_VARS: u32 = 12;

/// Appends the file of a seed. The options must have passed [`GenerateConfig::check_dimacs`].
pub fn print_kcnf(config: &GenerateConfig, seed: u64, out: &mut Vec<u8>) {
    let mut maker = Maker::new(config, seed);
    if config.status == Some(ExpectedStatus::Unsat) {
        maker.core();
    }
    let k = config.k as usize;
    let n_clauses = config.clauses.times(config.vars) as usize;
    while maker.literals.len() < n_clauses * k {
        maker.clause();
    }
    let mut clauses: Vec<&[i32]> = maker.literals.chunks(k).collect();
    if config.status == Some(ExpectedStatus::Unsat) {
        maker.rng.shuffle(&mut clauses);
    }
    out.extend_from_slice(b"p cnf ");
    push_number(out, u64::from(config.vars));
    out.push(b' ');
    push_number(out, clauses.len() as u64);
    out.push(b'\n');
    for clause in clauses {
        for &literal in clause {
            if literal < 0 {
                out.push(b'-');
            }
            push_number(out, u64::from(literal.unsigned_abs()));
            out.push(b' ');
        }
        out.extend_from_slice(b"0\n");
    }
}

struct Maker<'a> {
    config: &'a GenerateConfig,
    rng: Rng,
    /// A permutation of the variables. Its first k elements are redrawn for each clause.
    vars: Vec<i32>,
    /// By variable, from 1: its value in the planted model.
    model: Vec<bool>,
    /// All clauses, k literals each.
    literals: Vec<i32>,
}

impl Maker<'_> {
    fn new(config: &GenerateConfig, seed: u64) -> Maker<'_> {
        let mut rng = Rng::new(seed);
        let is_sat = config.status == Some(ExpectedStatus::Sat);
        let n_values = if is_sat { config.vars as usize + 1 } else { 0 };
        let model = (0..n_values).map(|_| rng.percent(50)).collect();
        Maker { config, rng, vars: (1..=config.vars as i32).collect(), model, literals: Vec::new() }
    }

    /// One random clause. O(k): a partial shuffle, which is uniform from any permutation.
    fn clause(&mut self) {
        let (k, n) = (self.config.k, self.config.vars);
        for place in 0..k {
            let other = self.rng.between(place, n - 1);
            self.vars.swap(place as usize, other as usize);
        }
        loop {
            let start = self.literals.len();
            for place in 0..k as usize {
                let var = self.vars[place];
                self.literals.push(if self.rng.percent(50) { -var } else { var });
            }
            if self.model.is_empty() || self.literals[start..].iter().any(|&literal| self.holds(literal)) {
                return;
            }
            // This happens with probability 2^-k, so the loop ends soon.
            self.literals.truncate(start);
        }
    }

    fn holds(&self, literal: i32) -> bool {
        self.model[literal.unsigned_abs() as usize] == (literal > 0)
    }

    /// Sums of k bits each. Two permutations of the same variables are split into sums, so each variable is in two sums, and
    /// the left-hand sides add up to 0; the right-hand sides add up to 1.
    fn core(&mut self) {
        let k = self.config.k;
        let n_sums = (self.config.vars.min(MAX_CORE_VARS) / k).max(1);
        self.rng.shuffle(&mut self.vars);
        let mut core: Vec<i32> = self.vars[..(n_sums * k) as usize].to_vec();
        let mut total = false;
        for half in 0..2 {
            self.rng.shuffle(&mut core);
            for (idx, sum) in core.chunks(k as usize).enumerate() {
                let is_last = half == 1 && idx as u32 + 1 == n_sums;
                let parity = if is_last { !total } else { self.rng.percent(50) };
                total ^= parity;
                self.parity_clauses(sum, parity);
            }
        }
    }

    /// Forbids each assignment of the wrong parity: 2^(k-1) clauses.
    fn parity_clauses(&mut self, sum: &[i32], parity: bool) {
        for assignment in 0..1u32 << sum.len() {
            if (assignment.count_ones() % 2 == 1) == parity {
                continue;
            }
            let forbid = |(bit, &var): (usize, &i32)| if assignment >> bit & 1 == 1 { -var } else { var };
            self.literals.extend(sum.iter().enumerate().map(forbid));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio::Ratio;

    fn clauses(config: &GenerateConfig, seed: u64) -> Vec<Vec<i32>> {
        assert_eq!(config.check_dimacs(), Ok(()));
        let mut out = Vec::new();
        print_kcnf(config, seed, &mut out);
        let text = String::from_utf8(out).unwrap();
        let mut lines = text.lines();
        let header: Vec<u32> = lines.next().unwrap()[6..].split(' ').map(|n| n.parse().unwrap()).collect();
        let clauses: Vec<Vec<i32>> = lines
            .map(|line| line.strip_suffix(" 0").unwrap().split(' ').map(|n| n.parse().unwrap()).collect())
            .collect();
        assert_eq!(header, [config.vars, clauses.len() as u32]);
        clauses
    }

    fn is_sat(clauses: &[Vec<i32>], n_vars: u32) -> bool {
        (0..1u32 << n_vars).any(|model| {
            let holds = |literal: &i32| (model >> (literal.unsigned_abs() - 1) & 1 == 1) == (*literal > 0);
            clauses.iter().all(|clause| clause.iter().any(holds))
        })
    }

    #[test]
    fn clauses_have_k_different_variables() {
        for k in [1, 3, 5] {
            let config =
                GenerateConfig { vars: 7, k, clauses: Ratio::whole(10), ..GenerateConfig::default() };
            let clauses = clauses(&config, 1);
            assert_eq!(clauses.len(), 70);
            for mut clause in clauses {
                clause.sort_by_key(|literal| literal.abs());
                clause.dedup_by_key(|literal| literal.abs());
                assert_eq!(clause.len(), k as usize);
                assert!(clause.iter().all(|literal| (1..=7).contains(&literal.abs())));
            }
        }
    }

    #[test]
    fn status_by_construction() {
        for (k, vars) in [(1, 4), (2, 5), (3, 3), (3, 8), (3, 14), (4, 9)] {
            for seed in 0..20 {
                let config =
                    GenerateConfig { vars, k, clauses: Ratio::whole(4), ..GenerateConfig::default() };
                let sat = GenerateConfig { status: Some(ExpectedStatus::Sat), ..config.clone() };
                assert!(is_sat(&clauses(&sat, seed), vars), "k {k}, {vars} variables, seed {seed}");
                let unsat = GenerateConfig { status: Some(ExpectedStatus::Unsat), ..config };
                assert!(!is_sat(&clauses(&unsat, seed), vars), "k {k}, {vars} variables, seed {seed}");
            }
        }
    }

    #[test]
    fn the_hidden_contradiction_needs_all_its_sums() {
        // Without the clauses of one sum, the rest has a model: four sums of three variables, out of six.
        let config = GenerateConfig {
            vars: 6,
            clauses: Ratio::whole(0),
            status: Some(ExpectedStatus::Unsat),
            ..GenerateConfig::default()
        };
        let clauses = clauses(&config, 3);
        assert_eq!(clauses.len(), 4 * 4);
        assert!((1..=6).any(|var| {
            let rest: Vec<_> = clauses
                .iter()
                .filter(|clause| clause.iter().all(|literal| literal.abs() != var))
                .cloned()
                .collect();
            is_sat(&rest, 6)
        }));
    }
}
