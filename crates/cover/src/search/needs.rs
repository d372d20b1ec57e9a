//! What every complete set of tests must do, and which of these no test can do together.

use super::bitset::BitSet;
use super::clique;
use super::explorer::{Explorer, Reply};
use super::knowledge::{Knowledge, Reach};
use super::problem::{AtomId, Goal, Need};
use super::propagate::Propagator;
use nub_sat::{Limits, Stop};

/// Nodes of the search for a clique.
const MAX_CLIQUE_NODES: u64 = 200_000;
/// Conflicts to decide whether two atoms can occur together.
const PAIR_CONFLICTS: u64 = 20_000;

/// The needs of coverable goals. A goal of pairs needs one of the first atoms, and one of the second, and every atom that is in
/// all its feasible pairs.
pub fn needs(known: &Knowledge, goals: &[Goal]) -> Vec<Need> {
    let mut all: Vec<Need> = Vec::new();
    for (index, goal) in goals.iter().enumerate() {
        if known.is_coverable(goal) != Some(true) {
            continue;
        }
        for mut atoms in sets(known, goal) {
            atoms.sort_unstable();
            atoms.dedup();
            all.push(Need { atoms, goal: index });
        }
    }
    all.sort();
    all.dedup_by(|a, b| a.atoms == b.atoms);
    all
}

fn sets(known: &Knowledge, goal: &Goal) -> Vec<Vec<AtomId>> {
    let pairs = match goal {
        Goal::Atom(atom) => return vec![vec![*atom]],
        Goal::Pairs(pairs) => pairs,
    };
    let is_open = |pair: &&[AtomId; 2]| pair.iter().all(|atom| known.is_feasible(*atom));
    let pairs: Vec<[AtomId; 2]> = pairs.iter().filter(is_open).copied().collect();
    let mut sets: Vec<Vec<AtomId>> = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect()).into();
    let in_all = pairs[0].into_iter().filter(|atom| pairs.iter().all(|pair| pair.contains(atom)));
    sets.extend(in_all.map(|atom| vec![atom]));
    sets
}

/// The graph of needs that no single test meets, and what is still open of it.
pub struct Conflicts {
    needs: Vec<Need>,
    /// Proved for runs of any length.
    proved: Vec<BitSet>,
    /// Known to be met together.
    together: Vec<BitSet>,
}

impl Conflicts {
    /// From what is known.
    pub fn new(known: &Knowledge, needs: Vec<Need>) -> Conflicts {
        let n = needs.len();
        let mut made =
            Conflicts { needs, proved: vec![BitSet::new(n); n], together: vec![BitSet::new(n); n] };
        made.update(known);
        made
    }

    /// The vertices.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Reads what is known about pairs of atoms. O(needs² * atoms of a need).
    fn update(&mut self, known: &Knowledge) {
        for a in 0..self.needs.len() {
            for b in 0..a {
                self.update_pair(known, a, b);
            }
        }
    }

    fn update_pair(&mut self, known: &Knowledge, a: usize, b: usize) {
        if self.proved[a].contains(b) || self.together[a].contains(b) {
            return;
        }
        let (mut all_excluded, mut any_seen) = (true, false);
        for x in &self.needs[a].atoms {
            let excluded = known.excluded_by(*x, Reach::Unbounded);
            for y in &self.needs[b].atoms {
                all_excluded &= excluded.contains(y.index());
                any_seen |= x == y || known.are_compatible(*x, *y);
            }
        }
        if all_excluded {
            self.proved[a].insert(b);
            self.proved[b].insert(a);
        }
        if any_seen {
            self.together[a].insert(b);
            self.together[b].insert(a);
        }
    }

    /// A largest set of needs that are proved to be pairwise incompatible; no larger than `enough`.
    pub fn clique(&self, enough: usize) -> Vec<usize> {
        clique::largest(&self.proved, enough, MAX_CLIQUE_NODES).vertices
    }

    /// Decides pairs by SAT as long as a clique with more than `lower` and up to `enough` needs may come of it. Only pairs
    /// inside of a clique of the proved and the open ones are asked, so most are never asked at all.
    pub fn decide(
        &mut self,
        explorer: &mut Explorer<'_>,
        mut lower: usize,
        enough: usize,
        limits: &Limits,
    ) -> Result<(), Stop> {
        let n = self.needs.len();
        // Pairs that took too long: neither proved nor seen.
        let mut given_up = vec![BitSet::new(n); n];
        while lower < enough {
            let mut hoped: Vec<BitSet> = (0..n).map(|need| self.hoped(need, &given_up[need])).collect();
            (0..n).for_each(|need| hoped[need].remove(need));
            let candidate = clique::largest(&hoped, enough, MAX_CLIQUE_NODES).vertices;
            if candidate.len() <= lower {
                return Ok(());
            }
            let n_open = self.decide_within(explorer, &candidate, &mut given_up, limits)?;
            self.update(explorer.known());
            lower = if n_open == 0 { candidate.len() } else { lower };
        }
        Ok(())
    }

    fn hoped(&self, need: usize, given_up: &BitSet) -> BitSet {
        let mut hoped = BitSet::full(self.needs.len());
        hoped.subtract(&self.together[need]);
        hoped.subtract(given_up);
        hoped
    }

    /// Asks the open pairs of a candidate until one is met together; returns how many are not proved.
    fn decide_within(
        &mut self,
        explorer: &mut Explorer<'_>,
        candidate: &[usize],
        given_up: &mut [BitSet],
        limits: &Limits,
    ) -> Result<usize, Stop> {
        let mut n_open = 0;
        for (index, a) in candidate.iter().enumerate() {
            for b in &candidate[..index] {
                if self.proved[*a].contains(*b) {
                    continue;
                }
                match self.decide_pair(explorer, *a, *b, limits)? {
                    Some(true) => {}
                    Some(false) => n_open += 1,
                    None => {
                        n_open += 1;
                        given_up[*a].insert(*b);
                        given_up[*b].insert(*a);
                    }
                }
                if n_open > 0 {
                    return Ok(n_open);
                }
            }
        }
        Ok(n_open)
    }

    /// Can no test meet both? `None` if that is not found out, or holds within the bound only.
    fn decide_pair(
        &mut self,
        explorer: &mut Explorer<'_>,
        a: usize,
        b: usize,
        limits: &Limits,
    ) -> Result<Option<bool>, Stop> {
        let limits = limits.with_conflicts(PAIR_CONFLICTS);
        for x in self.needs[a].atoms.clone() {
            for y in self.needs[b].atoms.clone() {
                if explorer.known().excluded_by(x, Reach::Unbounded).contains(y.index()) {
                    continue;
                }
                if x == y || explorer.known().are_compatible(x, y) {
                    return Ok(Some(false));
                }
                match explorer.ask(&[x, y], &limits) {
                    Reply::Run(_) => return Ok(Some(false)),
                    Reply::Unknown(Stop::Conflicts) => return Ok(None),
                    Reply::Unknown(stop) => return Err(stop),
                    // The core may have said so for any length.
                    Reply::None if explorer.known().excluded_by(x, Reach::Unbounded).contains(y.index()) => {}
                    Reply::None if explorer.is_excluded(&[x, y], &limits) => {}
                    Reply::None => return Ok(None),
                }
            }
        }
        Ok(Some(true))
    }
}

/// One propagation for each atom: which others it excludes, or that it never occurs. Done first, it saves the solver most questions.
pub fn propagate(explorer: &mut Explorer<'_>, atoms: &[AtomId]) {
    let problem = explorer.problem();
    let mut engine = Propagator::new(&problem.cnf, &problem.always());
    for atom in atoms {
        let mut excluded = Vec::new();
        let is_possible = engine.probe(&[problem.lit(*atom)], |implied| {
            excluded.extend(atoms.iter().copied().filter(|other| implied.is_true(!problem.lit(*other))));
        });
        if !is_possible {
            explorer.known_mut().refuted(*atom, Reach::Unbounded);
        }
        for other in excluded {
            explorer.known_mut().refuted_pair(*atom, other, Reach::Unbounded);
        }
    }
}
