//! The fewest of the known runs that reach all goals: set cover, where a goal may need two runs.

use super::bitset::BitSet;
use super::knowledge::{Behaviour, is_covered};
use super::problem::{AtomId, SuiteObjective};
use nub_cnf::{Lit, Sink, Totalizer};
use nub_random::Rng;
use nub_sat::{Minimum, SatAnswer, SatLimits, SatSolver, Strategy, minimise};

/// Greedy attempts with different orders.
const N_ATTEMPTS: usize = 6;
/// Conflicts for one question of the exact step.
const EXACT_CONFLICTS: u64 = 3_000;
/// Conflicts for one question about a selection that has more of the wanted atoms.
const RICHER_CONFLICTS: u64 = 300;
/// The exact step is skipped above this many runs times atoms.
const MAX_EXACT_SIZE: usize = 4_000_000;

/// A small set of runs that reach all goals, by their positions. All runs together must reach all goals. O(attempts * tests * runs * goals).
pub fn greedy(runs: &[Behaviour], goals: &[&SuiteObjective], n_atoms: usize, rng: &mut Rng) -> Vec<usize> {
    let useful = useful_atoms(goals, n_atoms);
    let attempts = (0..N_ATTEMPTS).map(|_| attempt(runs, goals, &useful, n_atoms, rng));
    attempts.min_by_key(Vec::len).unwrap_or_default()
}

fn useful_atoms(goals: &[&SuiteObjective], n_atoms: usize) -> BitSet {
    let mut useful = BitSet::new(n_atoms);
    goals.iter().flat_map(|goal| goal.atoms()).for_each(|atom| useful.insert(atom.index()));
    useful
}

fn attempt(
    runs: &[Behaviour],
    goals: &[&SuiteObjective],
    useful: &BitSet,
    n_atoms: usize,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    rng.shuffle(&mut order);
    let mut union = BitSet::new(n_atoms);
    let mut open = Open::new(goals, n_atoms);
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let score = |index: &usize| open.score(&runs[*index].atoms, &union, useful);
        let Some(best) = order.iter().copied().max_by_key(score).filter(|best| score(best) != (0, 0)) else {
            break;
        };
        chosen.push(best);
        union.union_with(&runs[best].atoms);
        open.update(&union);
    }
    without_superfluous(runs, goals, n_atoms, chosen)
}

/// Goals that are not reached: single atoms as a set, which is fast to count, and pairs.
struct Open<'g> {
    atoms: BitSet,
    pairs: Vec<&'g SuiteObjective>,
}

impl<'g> Open<'g> {
    fn new(goals: &[&'g SuiteObjective], n_atoms: usize) -> Open<'g> {
        let mut open = Open { atoms: BitSet::new(n_atoms), pairs: Vec::new() };
        for goal in goals {
            match goal {
                SuiteObjective::Atom(atom) => open.atoms.insert(atom.index()),
                SuiteObjective::Pairs(_) => open.pairs.push(goal),
            }
        }
        open
    }

    fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.pairs.is_empty()
    }

    /// Goals that the run would complete, then what it contributes to others: a pair is completed by its second run.
    fn score(&self, run: &BitSet, union: &BitSet, useful: &BitSet) -> (usize, usize) {
        let n_atoms = run.n_common(&self.atoms);
        let mut with = union.clone();
        with.union_with(run);
        let n_pairs = self.pairs.iter().filter(|goal| is_covered(goal, &with)).count();
        with.subtract(union);
        (n_atoms + n_pairs, with.n_common(useful))
    }

    fn update(&mut self, union: &BitSet) {
        self.atoms.subtract(union);
        self.pairs.retain(|goal| !is_covered(goal, union));
    }
}

/// Drops runs that the others make redundant, the oldest first: they were chosen with the least knowledge.
pub fn without_superfluous(
    runs: &[Behaviour],
    goals: &[&SuiteObjective],
    n_atoms: usize,
    mut chosen: Vec<usize>,
) -> Vec<usize> {
    let mut index = 0;
    while index < chosen.len() {
        let mut union = BitSet::new(n_atoms);
        let others = chosen.iter().enumerate().filter(|(other, _)| *other != index);
        others.for_each(|(_, run)| union.union_with(&runs[*run].atoms));
        if goals.iter().all(|goal| is_covered(goal, &union)) {
            chosen.remove(index);
        } else {
            index += 1;
        }
    }
    chosen
}

/// The fewest of the known runs, if the limits allow it; otherwise the best found, or nothing.
pub fn exact(
    runs: &[Behaviour],
    goals: &[&SuiteObjective],
    n_atoms: usize,
    limits: &SatLimits,
) -> Option<Vec<usize>> {
    let useful = useful_atoms(goals, n_atoms);
    if runs.len() * useful.len() > MAX_EXACT_SIZE {
        return None;
    }
    let mut solver = limits.new_solver();
    let (taken, seen) = selection(solver.as_mut(), runs, &useful, n_atoms);
    add_goals(solver.as_mut(), goals, |atom| seen[atom.index()], None);
    let limits = limits.with_conflicts(EXACT_CONFLICTS);
    let model = match minimise(solver.as_mut(), &taken, &[], Strategy::Both, &limits) {
        Minimum::Optimal { model, .. } | Minimum::Interval { upper: Some((_, model)), .. } => model,
        Minimum::Infeasible(_) | Minimum::Interval { upper: None, .. } => return None,
    };
    let chosen: Vec<usize> = (0..runs.len()).filter(|index| model[taken[*index].var() as usize]).collect();
    Some(without_superfluous(runs, goals, n_atoms, chosen))
}

/// For each run a literal that it is selected, and for each useful atom a literal that implies that a selected run has it.
fn selection(
    solver: &mut dyn SatSolver,
    runs: &[Behaviour],
    useful: &BitSet,
    n_atoms: usize,
) -> (Vec<Lit>, Vec<Option<Lit>>) {
    let taken: Vec<Lit> = runs.iter().map(|_| solver.new_var()).collect();
    let mut seen: Vec<Option<Lit>> = vec![None; n_atoms];
    for atom in useful.iter() {
        let lit = solver.new_var();
        let with = runs.iter().zip(&taken).filter(|(run, _)| run.atoms.contains(atom)).map(|(_, lit)| *lit);
        let clause: Vec<Lit> = [!lit].into_iter().chain(with).collect();
        solver.add(&clause);
        seen[atom] = Some(lit);
    }
    (taken, seen)
}

/// What a selection of runs must satisfy.
#[derive(Clone, Copy, Debug)]
pub struct RicherThan {
    /// At most this many runs.
    pub n_runs: usize,
    /// More of the wanted atoms than this.
    pub n_atoms: usize,
}

/// Known runs that reach all goals and have more of the wanted atoms; as many of these as can be found quickly.
pub fn richer(
    runs: &[Behaviour],
    goals: &[&SuiteObjective],
    wanted: &[AtomId],
    than: RicherThan,
    n_atoms: usize,
    limits: &SatLimits,
) -> Option<Vec<usize>> {
    let mut useful = useful_atoms(goals, n_atoms);
    wanted.iter().for_each(|atom| useful.insert(atom.index()));
    if runs.len() * useful.len() > MAX_EXACT_SIZE {
        return None;
    }
    let mut solver = limits.new_solver();
    let (taken, seen) = selection(solver.as_mut(), runs, &useful, n_atoms);
    add_goals(solver.as_mut(), goals, |atom| seen[atom.index()], None);
    if let Some(too_many) = Totalizer::new(&taken).more_than(than.n_runs, solver.as_mut()) {
        solver.add(&[!too_many]);
    }
    let missed: Vec<Lit> = wanted.iter().filter_map(|atom| seen[atom.index()]).map(|lit| !lit).collect();
    let mut count = Totalizer::new(&missed);
    let limits = limits.with_conflicts(RICHER_CONFLICTS);
    let (mut least, mut best) = (than.n_atoms, None);
    while let Some(most_missed) = missed.len().checked_sub(least + 1) {
        let too_many = count.more_than(most_missed, solver.as_mut());
        let assumed: Vec<Lit> = too_many.map(|lit| !lit).into_iter().collect();
        if solver.solve(&assumed, &limits) != SatAnswer::Sat {
            break;
        }
        least = missed.iter().filter(|lit| !solver.value(**lit)).count();
        best = Some((0..runs.len()).filter(|index| solver.value(taken[*index])).collect());
    }
    best
}

/// Clauses that say that all goals are reached, over literals that say that some run has an atom. With `activation`, only while that literal is
/// assumed. Atoms without a literal occur in no run.
pub fn add_goals(
    sink: &mut dyn Sink,
    goals: &[&SuiteObjective],
    seen: impl Fn(AtomId) -> Option<Lit>,
    activation: Option<Lit>,
) {
    for goal in goals {
        let mut clause: Vec<Lit> = activation.map(|lit| !lit).into_iter().collect();
        match goal {
            SuiteObjective::Atom(atom) => clause.extend(seen(*atom)),
            SuiteObjective::Pairs(pairs) => {
                for [p, q] in pairs {
                    let (Some(p), Some(q)) = (seen(*p), seen(*q)) else { continue };
                    let both = sink.new_var();
                    sink.add(&[!both, p]);
                    sink.add(&[!both, q]);
                    clause.push(both);
                }
            }
        }
        sink.add(&clause);
    }
}
