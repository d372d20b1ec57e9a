//! What is known about the runs of a program: some of them, and which atoms never occur, or never together.

use super::bitset::BitSet;
use super::problem::{AtomId, SuiteObjective};
use nub_bitvec::Value;

/// A run: what it does, and its inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour {
    /// All atoms that it has.
    pub atoms: BitSet,
    /// Values of the inputs.
    pub inputs: Vec<Value>,
}

impl Behaviour {
    /// Whether it has the atom.
    pub fn has(&self, atom: AtomId) -> bool {
        self.atoms.contains(atom.index())
    }
}

/// Whether an atom can occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomStatus {
    /// Unknown.
    Open,
    /// In a known run.
    Feasible,
    /// In no run of any length.
    Infeasible,
    /// In no run within the bound of the loops; maybe in a longer one.
    BeyondBound,
}

/// Which runs a refutation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomReach {
    /// Runs of any length.
    Unbounded,
    /// Runs within the bound of the loops.
    WithinBound,
}

/// Everything found out so far. It grows, and is shared by all criteria.
#[derive(Clone, Debug)]
pub struct Knowledge {
    status: Vec<AtomStatus>,
    behaviours: Vec<Behaviour>,
    /// Atoms seen in one run.
    compatible: Vec<BitSet>,
    /// Atoms that no run has together.
    incompatible: Vec<BitSet>,
    /// Atoms that no run within the bound has together: these, and perhaps more.
    incompatible_within: Vec<BitSet>,
}

/// Runs that do no more than another known one are dropped; of the others, this many are kept.
const MAX_BEHAVIOURS: usize = 4_000;

impl Knowledge {
    /// Nothing is known.
    pub fn new(n_atoms: usize) -> Knowledge {
        let none = vec![BitSet::new(n_atoms); n_atoms];
        Knowledge {
            status: vec![AtomStatus::Open; n_atoms],
            behaviours: Vec::new(),
            compatible: none.clone(),
            incompatible: none.clone(),
            incompatible_within: none,
        }
    }

    /// Number of atoms.
    pub fn n_atoms(&self) -> usize {
        self.status.len()
    }

    /// Runs, none of which does only what another one does.
    pub fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// Whether an atom can occur.
    pub fn status(&self, atom: AtomId) -> AtomStatus {
        self.status[atom.index()]
    }

    /// True if a run with this atom is known.
    pub fn is_feasible(&self, atom: AtomId) -> bool {
        self.status(atom) == AtomStatus::Feasible
    }

    /// Whether the goal can be reached. `None` if that is unknown.
    pub fn is_coverable(&self, goal: &SuiteObjective) -> Option<bool> {
        let of = |atom: AtomId| match self.status(atom) {
            AtomStatus::Feasible => Some(true),
            AtomStatus::Infeasible | AtomStatus::BeyondBound => Some(false),
            AtomStatus::Open => None,
        };
        match goal {
            SuiteObjective::Atom(atom) => of(*atom),
            SuiteObjective::Pairs(pairs) => {
                let is_pair = |[p, q]: &[AtomId; 2]| match (of(*p), of(*q)) {
                    (Some(true), Some(true)) => Some(true),
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    _ => None,
                };
                let answers: Vec<Option<bool>> = pairs.iter().map(is_pair).collect();
                if answers.contains(&Some(true)) {
                    Some(true)
                } else if answers.contains(&None) {
                    None
                } else {
                    Some(false)
                }
            }
        }
    }

    /// Whether a run with both is known.
    pub fn are_compatible(&self, a: AtomId, b: AtomId) -> bool {
        self.compatible[a.index()].contains(b.index())
    }

    /// Atoms that never occur together with this one.
    pub fn excluded_by(&self, atom: AtomId, reach: AtomReach) -> &BitSet {
        match reach {
            AtomReach::Unbounded => &self.incompatible[atom.index()],
            AtomReach::WithinBound => &self.incompatible_within[atom.index()],
        }
    }

    /// Adds a run. O(atoms² / 64).
    pub fn saw(&mut self, behaviour: Behaviour) {
        for atom in behaviour.atoms.iter() {
            self.status[atom] = AtomStatus::Feasible;
            self.compatible[atom].union_with(&behaviour.atoms);
        }
        if self.behaviours.iter().any(|known| behaviour.atoms.is_subset(&known.atoms)) {
            return;
        }
        self.behaviours.retain(|known| !known.atoms.is_subset(&behaviour.atoms));
        if self.behaviours.len() < MAX_BEHAVIOURS {
            self.behaviours.push(behaviour);
        }
    }

    /// Records that no run has this atom.
    pub fn refuted(&mut self, atom: AtomId, reach: AtomReach) {
        debug_assert!(!self.is_feasible(atom), "refuted and seen: {atom:?}");
        self.status[atom.index()] = match reach {
            AtomReach::Unbounded => AtomStatus::Infeasible,
            AtomReach::WithinBound => AtomStatus::BeyondBound,
        };
    }

    /// Records that no run has both.
    pub fn refuted_pair(&mut self, a: AtomId, b: AtomId, reach: AtomReach) {
        debug_assert!(!self.are_compatible(a, b), "refuted and seen: {a:?} {b:?}");
        for (a, b) in [(a.index(), b.index()), (b.index(), a.index())] {
            self.incompatible_within[a].insert(b);
            if reach == AtomReach::Unbounded {
                self.incompatible[a].insert(b);
            }
        }
    }
}

/// Whether these runs reach the goal.
pub fn is_covered(goal: &SuiteObjective, union: &BitSet) -> bool {
    let seen = |atom: AtomId| union.contains(atom.index());
    match goal {
        SuiteObjective::Atom(atom) => seen(*atom),
        SuiteObjective::Pairs(pairs) => pairs.iter().any(|[p, q]| seen(*p) && seen(*q)),
    }
}

/// Everything that some runs do.
pub fn union<'b>(n_atoms: usize, behaviours: impl IntoIterator<Item = &'b Behaviour>) -> BitSet {
    let mut all = BitSet::new(n_atoms);
    behaviours.into_iter().for_each(|behaviour| all.union_with(&behaviour.atoms));
    all
}
