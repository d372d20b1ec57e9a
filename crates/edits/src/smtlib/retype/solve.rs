//! Makes chosen widths consistent: by lowering what is too wide, or by raising what became too narrow.
//!
//! Both only move in one direction, so both end, and both end at a solution: raising is bounded from above by the widths of the
//! file; lowering is bounded from below by a solution that was found by raising from the minimum widths.
//!
//! ```text
//! (concat x y) of widths 8 + 8 = 16, asked for result 10:    lowering gives 2 + 8 = 10
//! asked for 1 everywhere:                                    raising gives 1 + 1 = 2
//! ```

use super::widths::{Dim, Rule, Widths};

/// Limit on the dimensions visited while solving: a multiple of visiting every rule once, and at least this many.
const ROUNDS: usize = 64;
const MIN_STEPS: usize = 10_000;

/// Values during the search for a solution.
struct Solving<'w> {
    widths: &'w Widths,
    values: Vec<u32>,
    /// Rules that may be violated.
    open: Vec<u32>,
    queued: Vec<bool>,
}

/// Values from `start`, raised until all rules hold. `None` if that takes too long.
pub(in crate::smtlib) fn raise(widths: &Widths, start: Vec<u32>) -> Option<Vec<u32>> {
    let n_rules = widths.rules.len();
    let open = (0..n_rules as u32).rev().collect();
    let solving = Solving { widths, values: start, open, queued: vec![true; n_rules] };
    solving.run(|solving, rule| {
        solving.raise_rule(rule);
        Some(())
    })
}

/// Values from `start`, which differs from the file in `changed`, lowered until all rules hold, none below `floor`.
pub(in crate::smtlib) fn lower(
    widths: &Widths,
    start: Vec<u32>,
    changed: &[Dim],
    floor: &[u32],
) -> Option<Vec<u32>> {
    let mut solving =
        Solving { widths, values: start, open: Vec::new(), queued: vec![false; widths.rules.len()] };
    changed.iter().for_each(|&dim| solving.touch(dim));
    solving.run(|solving, rule| solving.lower_rule(rule, floor))
}

impl<'w> Solving<'w> {
    fn run(mut self, mut step: impl FnMut(&mut Self, &'w Rule) -> Option<()>) -> Option<Vec<u32>> {
        let once: usize = self.widths.rules.iter().map(Rule::size).sum();
        let mut n_left = once.saturating_mul(ROUNDS).max(MIN_STEPS);
        while let Some(at) = self.open.pop() {
            self.queued[at as usize] = false;
            let rule = &self.widths.rules[at as usize];
            n_left = n_left.checked_sub(rule.size())?;
            if !rule.holds(&self.values) {
                step(&mut self, rule)?;
            }
        }
        Some(self.values)
    }

    fn at(&self, dim: Dim) -> u32 {
        self.values[dim.index()]
    }

    fn touch(&mut self, dim: Dim) {
        for &rule in self.widths.rules_of(dim) {
            if !std::mem::replace(&mut self.queued[rule as usize], true) {
                self.open.push(rule);
            }
        }
    }

    fn set(&mut self, dim: Dim, value: u32) {
        if self.at(dim) != value {
            self.values[dim.index()] = value;
            self.touch(dim);
        }
    }

    /// No value exceeds that of the file: there the rule holds, and it is monotonic in its parts.
    fn raise_rule(&mut self, rule: &Rule) {
        match rule {
            Rule::Sum { parts, whole, .. } => {
                let (mut sum, wanted) = (rule.sum(&self.values), u64::from(self.at(*whole)));
                for &(part, times) in parts {
                    let missing = wanted.saturating_sub(sum).div_ceil(u64::from(times));
                    let room = u64::from(self.widths.values[part.index()] - self.at(part));
                    let more = missing.min(room);
                    self.set(part, self.at(part) + more as u32);
                    sum += more * u64::from(times);
                }
                self.set(*whole, sum as u32);
            }
            Rule::AtMost(small, large) => self.set(*large, self.at(*small)),
            Rule::Divides(part, whole) => {
                let (step, most) = (self.at(*part), self.widths.values[whole.index()]);
                let next = self.at(*whole).div_ceil(step).saturating_mul(step);
                if next <= most {
                    self.set(*whole, next);
                } else {
                    self.set(*part, self.widths.values[part.index()]);
                    self.set(*whole, most);
                }
            }
        }
    }

    fn lower_rule(&mut self, rule: &Rule, floor: &[u32]) -> Option<()> {
        match rule {
            Rule::Sum { parts, whole, .. } => {
                let (mut sum, wanted) = (rule.sum(&self.values), u64::from(self.at(*whole)));
                // The widest part can be lowered most.
                let mut order: Vec<(Dim, u32)> = parts.to_vec();
                order.sort_by_key(|&(part, _)| std::cmp::Reverse(self.at(part)));
                for (part, times) in order {
                    let excess = sum.saturating_sub(wanted).div_ceil(u64::from(times));
                    let room = u64::from(self.at(part).saturating_sub(floor[part.index()]));
                    let less = excess.min(room);
                    self.set(part, self.at(part) - less as u32);
                    sum -= less * u64::from(times);
                }
                self.lower_to(*whole, sum as u32, floor)
            }
            Rule::AtMost(small, large) => self.lower_to(*small, self.at(*large), floor),
            Rule::Divides(part, whole) if self.at(*whole) < self.at(*part) => {
                self.lower_to(*part, self.at(*whole), floor)
            }
            Rule::Divides(part, whole) => {
                let step = self.at(*part);
                self.lower_to(*whole, self.at(*whole) / step * step, floor)
            }
        }
    }

    fn lower_to(&mut self, dim: Dim, value: u32, floor: &[u32]) -> Option<()> {
        if value > self.at(dim) || value < floor[dim.index()] {
            return None;
        }
        self.set(dim, value);
        Some(())
    }
}
