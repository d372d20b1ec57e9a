//! Fills as many tests as the clique is large: each starts with one need of the clique, and gets what fits.
//!
//! This is colouring after Brélaz: the atom with the fewest possible tests comes first. It finds sets of the size of the lower bound where growing
//! one test after the other needs a few more, and avoids the copies, which cost more than everything else on large functions.

use super::explorer::{Explorer, Reply};
use super::knowledge::{AtomReach, Behaviour};
use super::problem::{AtomId, Need};
use nub_random::Rng;
use nub_sat::{SatLimits, SatStop};

/// Conflicts for one question.
const CONFLICTS: u64 = 1_000;

/// A test that is being filled.
struct Slot {
    kept: Vec<AtomId>,
    run: Behaviour,
}

/// Tests that have all the wanted atoms, at first one for each need; more if necessary, but fewer than `enough`. `None` if that fails. O(wanted *
/// tests) questions.
pub fn fill(
    explorer: &mut Explorer<'_>,
    clique: &[Need],
    wanted: &[AtomId],
    enough: usize,
    rng: &mut Rng,
    limits: &SatLimits,
) -> Result<Option<Vec<Behaviour>>, SatStop> {
    let limits = limits.with_conflicts(CONFLICTS);
    let mut slots: Vec<Slot> = Vec::new();
    for need in clique {
        let is_wanted = |atom: &&AtomId| wanted.contains(atom);
        let atom = need.atoms.iter().find(is_wanted).unwrap_or(&need.atoms[rng.below(need.atoms.len())]);
        match open(explorer, *atom, &limits)? {
            Some(slot) => slots.push(slot),
            None => return Ok(None),
        }
    }
    let mut left: Vec<AtomId> =
        wanted.iter().copied().filter(|atom| !slots.iter().any(|slot| slot.kept.contains(atom))).collect();
    while let Some(index) = hardest(explorer, &slots, &left) {
        let atom = left.swap_remove(index);
        if place(explorer, &mut slots, atom, rng, &limits)? {
            continue;
        }
        if slots.len() + 1 >= enough {
            return Ok(None);
        }
        match open(explorer, atom, &limits)? {
            Some(slot) => slots.push(slot),
            None => return Ok(None),
        }
    }
    Ok(Some(slots.into_iter().map(|slot| slot.run).collect()))
}

fn open(explorer: &mut Explorer<'_>, atom: AtomId, limits: &SatLimits) -> Result<Option<Slot>, SatStop> {
    match explorer.ask(&[atom], limits) {
        Reply::Run(run) => Ok(Some(Slot { kept: vec![atom], run })),
        Reply::None | Reply::Unknown(SatStop::Conflicts) => Ok(None),
        Reply::Unknown(stop) => Err(stop),
    }
}

fn may_take(explorer: &Explorer<'_>, slot: &Slot, atom: AtomId) -> bool {
    let excluded = explorer.known().excluded_by(atom, AtomReach::WithinBound);
    !slot.kept.iter().any(|kept| excluded.contains(kept.index()))
}

/// The atom with the fewest possible tests.
fn hardest(explorer: &Explorer<'_>, slots: &[Slot], left: &[AtomId]) -> Option<usize> {
    let n_slots = |atom: AtomId| slots.iter().filter(|slot| may_take(explorer, slot, atom)).count();
    (0..left.len()).min_by_key(|index| n_slots(left[*index]))
}

/// Adds an atom to a test that can have it; first those that already have it by chance.
fn place(
    explorer: &mut Explorer<'_>,
    slots: &mut [Slot],
    atom: AtomId,
    rng: &mut Rng,
    limits: &SatLimits,
) -> Result<bool, SatStop> {
    if let Some(slot) = slots.iter_mut().find(|slot| slot.run.has(atom)) {
        slot.kept.push(atom);
        return Ok(true);
    }
    let mut order: Vec<usize> = (0..slots.len()).collect();
    rng.shuffle(&mut order);
    for index in order {
        if !may_take(explorer, &slots[index], atom) {
            continue;
        }
        let asked: Vec<AtomId> = slots[index].kept.iter().copied().chain([atom]).collect();
        match explorer.ask(&asked, limits) {
            Reply::Run(run) => {
                slots[index] = Slot { kept: asked, run };
                return Ok(true);
            }
            Reply::None | Reply::Unknown(SatStop::Conflicts) => {}
            Reply::Unknown(stop) => return Err(stop),
        }
    }
    Ok(false)
}
