//! Runs that do as much as possible: atoms are assumed one by one, and those that fit are kept.

use super::bitset::BitSet;
use super::explorer::{Explorer, Reply};
use super::knowledge::{AtomReach, Behaviour};
use super::problem::AtomId;
use nub_sat::{SatLimits, SatStop};

/// Conflicts for one more atom. Giving up costs an atom in this run, not a proof.
const GROW_CONFLICTS: u64 = 1_000;
/// The same where a question may take long, and many runs are known.
const FEW_GROW_CONFLICTS: u64 = 200;
/// Consecutive atoms that do not fit a run. After this many its inputs leave hardly any choice, and large functions have thousands of atoms.
const MAX_MISSES: usize = 120;

/// Decides for each atom whether it can occur; each run found is grown by the other undecided atoms of the list. Stops early at the limits.
pub fn decide(explorer: &mut Explorer<'_>, atoms: &[AtomId], limits: &SatLimits) -> Result<(), SatStop> {
    for (index, atom) in atoms.iter().enumerate() {
        if explorer.is_decided(*atom) {
            continue;
        }
        match explorer.ask(&[*atom], limits) {
            Reply::Run(run) => {
                let rest: Vec<AtomId> =
                    atoms[index + 1..].iter().copied().filter(|atom| !explorer.is_decided(*atom)).collect();
                grow(explorer, run, vec![*atom], &rest, &limits.with_conflicts(GROW_CONFLICTS))?;
            }
            Reply::None => {}
            Reply::Unknown(SatStop::Conflicts) => {}
            Reply::Unknown(stop) => return Err(stop),
        }
    }
    Ok(())
}

/// Where the runs of a pass come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassStart {
    /// New ones, from the solver.
    Solver,
    /// Those known runs that have most of what is still missing: a new one would cost more than it is worth.
    Known,
}

/// A set of runs that has all these atoms: takes the first missing atom, and grows. The atoms must be feasible.
pub fn pass(
    explorer: &mut Explorer<'_>,
    wanted: &[AtomId],
    start: PassStart,
    limits: &SatLimits,
) -> Result<(), SatStop> {
    let mut done = BitSet::new(explorer.problem().n_atoms());
    let conflicts = if start == PassStart::Known { FEW_GROW_CONFLICTS } else { GROW_CONFLICTS };
    for (index, atom) in wanted.iter().enumerate() {
        if done.contains(atom.index()) {
            continue;
        }
        let rest: Vec<AtomId> =
            wanted[index + 1..].iter().copied().filter(|atom| !done.contains(atom.index())).collect();
        let known = if start == PassStart::Known { best_known(explorer, *atom, &rest) } else { None };
        let reply = known.map_or_else(|| explorer.ask(&[*atom], limits), Reply::Run);
        let run = match reply {
            Reply::Run(run) => run,
            Reply::None | Reply::Unknown(SatStop::Conflicts) => continue,
            Reply::Unknown(stop) => return Err(stop),
        };
        let run = grow(explorer, run, vec![*atom], &rest, &limits.with_conflicts(conflicts))?;
        done.union_with(&run.atoms);
    }
    Ok(())
}

/// Of the known runs with an atom, one that has most of the others.
fn best_known(explorer: &Explorer<'_>, atom: AtomId, rest: &[AtomId]) -> Option<Behaviour> {
    let runs = explorer.known().behaviours().iter().filter(|run| run.has(atom));
    runs.max_by_key(|run| rest.iter().filter(|atom| run.has(**atom)).count()).cloned()
}

/// Grows a run that has the atoms of `kept` by those of `rest`, in their order.
fn grow(
    explorer: &mut Explorer<'_>,
    mut run: Behaviour,
    mut kept: Vec<AtomId>,
    rest: &[AtomId],
    limits: &SatLimits,
) -> Result<Behaviour, SatStop> {
    let keep_new = |run: &Behaviour, kept: &mut Vec<AtomId>| {
        let new: Vec<AtomId> =
            rest.iter().copied().filter(|atom| run.has(*atom) && !kept.contains(atom)).collect();
        kept.extend(new);
    };
    keep_new(&run, &mut kept);
    let mut n_misses = 0;
    for atom in rest {
        if n_misses >= MAX_MISSES {
            break;
        }
        let excluded = explorer.known().excluded_by(*atom, AtomReach::WithinBound);
        if run.has(*atom) || kept.iter().any(|kept| excluded.contains(kept.index())) {
            continue;
        }
        let asked: Vec<AtomId> = kept.iter().copied().chain([*atom]).collect();
        match explorer.ask(&asked, limits) {
            Reply::Run(larger) => {
                run = larger;
                keep_new(&run, &mut kept);
                n_misses = 0;
            }
            Reply::None | Reply::Unknown(SatStop::Conflicts) => n_misses += 1,
            Reply::Unknown(stop) => return Err(stop),
        }
    }
    Ok(run)
}
