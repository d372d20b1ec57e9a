//! What every complete set of tests must do, and which of these no test can do together.

use super::bitset::BitSet;
use super::clique;
use super::explorer::{Explorer, Reply};
use super::knowledge::{AtomReach, AtomStatus, Knowledge};
use super::problem::{AtomId, Need, SuiteObjective};
use super::propagate::Propagator;
use nub_sat::{SatLimits, SatStop};

/// Nodes of the search for a clique.
const MAX_CLIQUE_NODES: u64 = 200_000;
/// Words of sets that one search for a clique may touch. Large graphs get fewer nodes: what they find is just as valid a proof.
const MAX_CLIQUE_WORK: u64 = 300_000_000;
/// Words that all searches for candidates may touch together.
const MAX_DECIDE_WORK: u64 = 30_000_000_000;
/// How much is done to decide which needs exclude each other.
#[derive(Clone, Copy, Debug)]
pub struct PairEffort {
    /// About this many pairs, at most.
    pub pairs: usize,
    /// Conflicts to decide whether two atoms can occur together.
    pub conflicts: u64,
}

impl PairEffort {
    /// Until a clique is found, or nothing more can be hoped for.
    pub const LARGE: PairEffort = PairEffort { pairs: 20_000, conflicts: 20_000 };
    /// Where a question may take long, and the pairs that matter are mostly easy to refute.
    pub const SMALL: PairEffort = PairEffort { pairs: 50, conflicts: 200 };
}

/// A goal has at most this many needs.
const MAX_NEEDS: usize = 32;

/// The needs of reachable goals that a clique is made of. A goal of pairs needs one of the first atoms, one of the second, and every atom that is in all
/// its pairs. At most a few for each goal: every two needs are a question for the solver.
pub fn needs(known: &Knowledge, goals: &[SuiteObjective]) -> Vec<Need> {
    distinct(known, goals, plain_sets)
}

/// All needs of reachable goals, for weights. Some pair of each goal must be shown, so if every pair contains one of a set of atoms, some test has an
/// atom of that set. The smallest such sets are the needs of the goal.
pub fn all_needs(known: &Knowledge, goals: &[SuiteObjective]) -> Vec<Need> {
    distinct(known, goals, |pairs| [plain_sets(pairs), vertex_covers(pairs)].concat())
}

fn distinct(
    known: &Knowledge,
    goals: &[SuiteObjective],
    sets: impl Fn(&[[AtomId; 2]]) -> Vec<Vec<AtomId>>,
) -> Vec<Need> {
    let mut all: Vec<Need> = Vec::new();
    for (index, goal) in goals.iter().enumerate() {
        if known.is_coverable(goal) != Some(true) {
            continue;
        }
        let found = match goal {
            SuiteObjective::Atom(atom) => vec![vec![*atom]],
            SuiteObjective::Pairs(pairs) => sets(&open_pairs(known, pairs)),
        };
        for mut atoms in found {
            atoms.sort_unstable();
            atoms.dedup();
            all.push(Need { atoms, goal: index });
        }
    }
    all.sort();
    all.dedup_by(|a, b| a.atoms == b.atoms);
    all
}

/// The pairs that may be shown. After a time limit, that includes pairs that are undecided.
fn open_pairs(known: &Knowledge, pairs: &[[AtomId; 2]]) -> Vec<[AtomId; 2]> {
    let may_occur = |atom: &AtomId| matches!(known.status(*atom), AtomStatus::Feasible | AtomStatus::Open);
    pairs.iter().filter(|pair| pair.iter().all(may_occur)).copied().collect()
}

fn plain_sets(pairs: &[[AtomId; 2]]) -> Vec<Vec<AtomId>> {
    let mut sets: Vec<Vec<AtomId>> = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect()).into();
    let in_all = pairs[0].into_iter().filter(|atom| pairs.iter().all(|pair| pair.contains(atom)));
    sets.extend(in_all.map(|atom| vec![atom]));
    sets
}

/// Sets of atoms of which every pair contains one, including all the smallest ones unless there are very many. Each step decides about an atom of a
/// pair that is not yet hit: either it is in the set, or all its partners are.
fn vertex_covers(pairs: &[[AtomId; 2]]) -> Vec<Vec<AtomId>> {
    let mut found: Vec<Vec<AtomId>> = Vec::new();
    let mut open: Vec<Vec<AtomId>> = vec![Vec::new()];
    while let Some(set) = open.pop() {
        let is_hit = |pair: &[AtomId; 2]| pair.iter().any(|atom| set.contains(atom));
        let Some([first, _]) = pairs.iter().find(|pair| !is_hit(pair)) else {
            found.push(set);
            continue;
        };
        if found.len() + open.len() >= MAX_NEEDS {
            break;
        }
        let partners = pairs.iter().filter(|pair| pair.contains(first) && pair[0] != pair[1]);
        let partners = partners.map(|[p, q]| if p == first { *q } else { *p });
        let with_partners: Vec<AtomId> = set.iter().copied().chain(partners).collect();
        let is_alone = pairs.contains(&[*first; 2]);
        open.extend((!is_alone).then_some(with_partners));
        open.push(set.into_iter().chain([*first]).collect());
    }
    found
}

/// The graph of needs that no single test meets together, and what is still unknown about it.
pub struct Conflicts {
    needs: Vec<Need>,
    /// Proved for runs of any length.
    proved: Vec<BitSet>,
    /// Known to be met together.
    together: Vec<BitSet>,
    /// The largest set that was proved pair by pair.
    largest: Vec<usize>,
    n_asked: usize,
}

impl Conflicts {
    /// Built from what is known.
    pub fn new(known: &Knowledge, needs: Vec<Need>) -> Conflicts {
        let n = needs.len();
        let none = vec![BitSet::new(n); n];
        let mut made =
            Conflicts { needs, proved: none.clone(), together: none, largest: Vec::new(), n_asked: 0 };
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
            let excluded = known.excluded_by(*x, AtomReach::Unbounded);
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
        let found = clique::largest(&self.proved, enough, self.max_nodes()).vertices;
        if found.len() > self.largest.len() { found } else { self.largest.clone() }
    }

    /// The largest cost of one node of a search, in words: colouring looks at the row of each vertex.
    fn node_work(&self) -> u64 {
        let n = self.needs.len() as u64;
        (n * n.div_ceil(64)).max(1)
    }

    fn max_nodes(&self) -> u64 {
        (MAX_CLIQUE_WORK / self.node_work()).clamp(1, MAX_CLIQUE_NODES)
    }

    /// Decides pairs by SAT as long as a clique with more than `lower` and up to `enough` needs may result. Only pairs inside a clique of the proved
    /// and the open ones are decided, so most never are. Ends early if that becomes too much work.
    pub fn decide(
        &mut self,
        explorer: &mut Explorer<'_>,
        mut lower: usize,
        enough: usize,
        effort: PairEffort,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        let max_asked = self.n_asked + effort.pairs;
        let limits = &limits.with_conflicts(effort.conflicts);
        let n = self.needs.len();
        // Pairs that took too long: neither proved nor seen.
        let mut given_up = vec![BitSet::new(n); n];
        let mut work_left = MAX_DECIDE_WORK;
        while lower < enough && work_left > 0 && self.n_asked < max_asked {
            let mut hoped: Vec<BitSet> = (0..n).map(|need| self.hoped(need, &given_up[need])).collect();
            (0..n).for_each(|need| hoped[need].remove(need));
            let candidate = clique::largest(&hoped, enough, self.max_nodes());
            if candidate.vertices.len() <= lower {
                return Ok(());
            }
            work_left = work_left.saturating_sub((candidate.n_nodes + 1) * self.node_work());
            let proved = self.decide_within(explorer, &candidate.vertices, &mut given_up, limits)?;
            self.update(explorer.known());
            lower = lower.max(proved.len());
            if proved.len() > self.largest.len() {
                self.largest = proved;
            }
        }
        Ok(())
    }

    fn hoped(&self, need: usize, given_up: &BitSet) -> BitSet {
        let mut hoped = BitSet::full(self.needs.len());
        hoped.subtract(&self.together[need]);
        hoped.subtract(given_up);
        hoped
    }

    /// Decides the open pairs of a candidate, and drops needs that can be met together with a kept one: the rest is proved.
    fn decide_within(
        &mut self,
        explorer: &mut Explorer<'_>,
        candidate: &[usize],
        given_up: &mut [BitSet],
        limits: &SatLimits,
    ) -> Result<Vec<usize>, SatStop> {
        let mut kept: Vec<usize> = Vec::with_capacity(candidate.len());
        for a in candidate {
            let mut fits = true;
            for b in &kept {
                if self.proved[*a].contains(*b) {
                    continue;
                }
                self.n_asked += 1;
                let answer = self.decide_pair(explorer, *a, *b, limits)?;
                if answer.is_none() {
                    given_up[*a].insert(*b);
                    given_up[*b].insert(*a);
                }
                if answer != Some(true) {
                    fits = false;
                    break;
                }
            }
            if fits {
                kept.push(*a);
            }
        }
        Ok(kept)
    }

    /// Whether no test can meet both. `None` if that is unknown, or holds within the bound only.
    fn decide_pair(
        &mut self,
        explorer: &mut Explorer<'_>,
        a: usize,
        b: usize,
        limits: &SatLimits,
    ) -> Result<Option<bool>, SatStop> {
        for x in self.needs[a].atoms.clone() {
            for y in self.needs[b].atoms.clone() {
                if explorer.known().excluded_by(x, AtomReach::Unbounded).contains(y.index()) {
                    continue;
                }
                if x == y || explorer.known().are_compatible(x, y) {
                    return Ok(Some(false));
                }
                match explorer.ask(&[x, y], limits) {
                    Reply::Run(_) => return Ok(Some(false)),
                    Reply::Unknown(SatStop::Conflicts) => return Ok(None),
                    Reply::Unknown(stop) => return Err(stop),
                    // The core may have shown it for any length.
                    Reply::None
                        if explorer.known().excluded_by(x, AtomReach::Unbounded).contains(y.index()) => {}
                    Reply::None if explorer.is_excluded(&[x, y], limits) => {}
                    Reply::None => return Ok(None),
                }
            }
        }
        Ok(Some(true))
    }
}

/// One propagation for each atom, until the time limit is reached: which others it excludes, or that it never occurs. Done first, it saves the solver
/// most questions.
pub fn propagate(explorer: &mut Explorer<'_>, atoms: &[AtomId], limits: &SatLimits) {
    let problem = explorer.problem();
    let mut engine = Propagator::new(&problem.cnf, &problem.always());
    for atom in atoms.iter().take_while(|_| !limits.cancel.is_cancelled()) {
        let mut excluded = Vec::new();
        let is_possible = engine.probe(&[problem.lit(*atom)], |implied| {
            excluded.extend(atoms.iter().copied().filter(|other| implied.is_true(!problem.lit(*other))));
        });
        if !is_possible {
            explorer.known_mut().refuted(*atom, AtomReach::Unbounded);
        }
        for other in excluded {
            explorer.known_mut().refuted_pair(*atom, other, AtomReach::Unbounded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Behaviour;

    fn known(n_atoms: usize, seen: &[usize]) -> Knowledge {
        let mut known = Knowledge::new(n_atoms);
        let mut atoms = BitSet::new(n_atoms);
        seen.iter().for_each(|atom| atoms.insert(*atom));
        known.saw(Behaviour { atoms, inputs: Vec::new() });
        known
    }

    fn needs_of(known: &Knowledge, pairs: &[[u32; 2]]) -> Vec<Vec<u32>> {
        let goal = SuiteObjective::Pairs(pairs.iter().map(|pair| pair.map(AtomId)).collect());
        all_needs(known, &[goal]).iter().map(|need| need.atoms.iter().map(|atom| atom.0).collect()).collect()
    }

    /// Every minimal set that hits all pairs is a need.
    #[test]
    fn needs_hit_every_pair() {
        let all = known(4, &[0, 1, 2, 3]);
        assert_eq!(needs_of(&all, &[[0, 1]]), [[0], [1]]);
        assert_eq!(needs_of(&all, &[[0, 1], [2, 3]]), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert_eq!(needs_of(&all, &[[0, 2], [0, 3], [1, 3]]), [[0, 1], [0, 3], [2, 3]]);
        // What remains of a pair if a test of the user shows the other half.
        assert_eq!(needs_of(&all, &[[1, 1]]), [[1]]);
    }

    /// An undecided pair may be the one that is shown.
    #[test]
    fn undecided_pairs_count() {
        let some = known(4, &[0, 1, 3]);
        assert!(!needs_of(&some, &[[0, 1], [2, 3]]).contains(&vec![0]));
    }
}
