//! Clauses for a lower bound on a weighted sum of literals.
//!
//! A generalised totalizer (Joshi, Martins and Manquinho, CP 2015) in the direction that lower bounds need: if the output is true, the sum is reached.
//! Larger sums are treated as the wanted one. Literals of which at most one is true form a group, which is one leaf of the tree; that keeps it small.

use nub_cnf::{Lit, Sink};

/// Literals of which at most one is true, with their positive weights.
pub(super) type Group = Vec<(Lit, u64)>;

/// A node of the tree: its possible sums in ascending order, each with a literal that implies that the node has at least this sum.
type Sums = Vec<(u64, Lit)>;

/// A literal that implies that the true literals weigh at least `wanted`; `None` if they cannot. All clauses contain the negation of `activation`.
/// O(groups * wanted²) clauses.
pub(super) fn at_least(sink: &mut dyn Sink, groups: &[Group], wanted: u64, activation: Lit) -> Option<Lit> {
    let mut level: Vec<Sums> = groups.iter().map(|group| leaf(sink, group, activation)).collect();
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            match pair {
                [left, right] => next.push(merge(sink, left, right, wanted, activation)),
                _ => next.extend_from_slice(pair),
            }
        }
        level = next;
    }
    reaching(level.first()?, wanted)
}

/// The literal of the smallest sum that is at least this.
fn reaching(sums: &Sums, least: u64) -> Option<Lit> {
    sums.iter().find(|(sum, _)| *sum >= least).map(|(_, lit)| *lit)
}

fn leaf(sink: &mut dyn Sink, group: &Group, activation: Lit) -> Sums {
    let mut weights: Vec<u64> = group.iter().map(|(_, weight)| *weight).collect();
    weights.sort_unstable();
    weights.dedup();
    let mut sums = Sums::with_capacity(weights.len());
    for least in weights {
        let output = sink.new_var();
        let heavy = group.iter().filter(|(_, weight)| *weight >= least).map(|(lit, _)| *lit);
        sink.add(&[!activation, !output].into_iter().chain(heavy).collect::<Vec<Lit>>());
        sums.push((least, output));
    }
    sums
}

fn merge(sink: &mut dyn Sink, left: &Sums, right: &Sums, wanted: u64, activation: Lit) -> Sums {
    let values =
        |sums: &Sums| std::iter::once(0).chain(sums.iter().map(|(sum, _)| *sum)).collect::<Vec<u64>>();
    let (lefts, rights) = (values(left), values(right));
    let mut all: Vec<u64> = lefts
        .iter()
        .flat_map(|a| rights.iter().map(move |b| (a + b).min(wanted)))
        .filter(|sum| *sum > 0)
        .collect();
    all.sort_unstable();
    all.dedup();
    let mut sums = Sums::with_capacity(all.len());
    for sum in all {
        let output = sink.new_var();
        // If the left side has at most this value, the right side must have the rest.
        for (index, most) in lefts.iter().enumerate().take_while(|(_, most)| **most < sum) {
            let mut clause = vec![!activation, !output];
            clause.extend(left.get(index).map(|(_, lit)| *lit));
            clause.extend(reaching(right, sum - most));
            sink.add(&clause);
        }
        sums.push((sum, output));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_cnf::check::Rng;
    use nub_sat::{SatAnswer, SatLimits, built_in};

    /// For all values of the literals: the output may be true if, and only if, the sum is reached.
    #[test]
    fn sums_are_reached_or_not() {
        let mut rng = Rng::new(17);
        for _ in 0..60 {
            let mut solver = built_in();
            let sizes: Vec<usize> = (0..1 + rng.below(4)).map(|_| 1 + rng.below(3)).collect();
            let groups: Vec<Group> = sizes
                .iter()
                .map(|size| (0..*size).map(|_| (solver.new_var(), 1 + rng.below(5) as u64)).collect())
                .collect();
            let activation = solver.new_var();
            let wanted = 1 + rng.below(12) as u64;
            let output = at_least(solver.as_mut(), &groups, wanted, activation);
            // Each group is at one of its literals, or at none.
            let n_choices: usize = sizes.iter().map(|size| size + 1).product();
            for choice in 0..n_choices {
                let (mut rest, mut sum) = (choice, 0);
                let mut assumed = vec![activation];
                for group in &groups {
                    let chosen = rest % (group.len() + 1);
                    rest /= group.len() + 1;
                    for (at, (lit, weight)) in group.iter().enumerate() {
                        assumed.push(lit.negated_if(at != chosen));
                        sum += if at == chosen { *weight } else { 0 };
                    }
                }
                assumed.extend(output);
                let is_reached =
                    output.is_some() && solver.solve(&assumed, &SatLimits::none()) == SatAnswer::Sat;
                assert_eq!(is_reached, sum >= wanted, "{groups:?} {wanted} {choice}");
            }
        }
    }
}
