//! Runs that are evaluated together: by atom, a bit for each run.
//!
//! A climb looks at thousands of runs and keeps a few, so what it needs of a run is its worth. That is computed for all runs of a batch at once, and the atoms of
//! a single run are collected only if it is kept.

use super::bitset::BitSet;
use super::knowledge::Behaviour;
use super::problem::AtomId;

/// A need, and what a run that meets it is worth.
#[derive(Clone, Copy, Debug)]
pub struct PricedNeed<'n> {
    /// One of these atoms is needed.
    pub atoms: &'n [AtomId],
    /// Not negative.
    pub price: f64,
}

/// What up to [`RunBatch::SIZE`] runs do.
#[derive(Clone, Debug)]
pub struct RunBatch {
    /// A bit for each run that is valid.
    valid: u64,
    /// By atom: a bit for each run that has it.
    atoms: Vec<u64>,
}

impl RunBatch {
    /// The most runs of a batch.
    pub const SIZE: usize = nub_bitvec::LANES;

    /// The size of a batch whose runs are evaluated one by one.
    pub const FEW: usize = 8;

    /// From a bit for each run that is valid, and for each atom a bit for each run that has it.
    pub fn new(valid: u64, atoms: Vec<u64>) -> RunBatch {
        RunBatch { valid, atoms }
    }

    /// From runs that were evaluated one by one; `None` for those that are not valid.
    pub fn of_runs(runs: &[Option<Behaviour>]) -> RunBatch {
        debug_assert!(runs.len() <= RunBatch::SIZE);
        let bound = runs.iter().flatten().map(|run| run.atoms.bound()).max().unwrap_or(0);
        let mut made = RunBatch { valid: 0, atoms: vec![0; bound] };
        for (index, run) in runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.as_ref()?))) {
            made.valid |= 1 << index;
            run.atoms.iter().for_each(|atom| made.atoms[atom] |= 1 << index);
        }
        made
    }

    /// Whether a run is valid.
    pub fn is_valid(&self, run: usize) -> bool {
        self.valid >> run & 1 == 1
    }

    /// The first run that has the atom.
    pub fn first_with(&self, atom: AtomId) -> Option<usize> {
        let lanes = self.atoms.get(atom.index()).copied().unwrap_or(0);
        (lanes != 0).then(|| lanes.trailing_zeros() as usize)
    }

    /// The valid runs that have all these atoms, a bit for each.
    pub fn with_all(&self, atoms: &[AtomId]) -> u64 {
        let has = |atom: &AtomId| self.atoms.get(atom.index()).copied().unwrap_or(0);
        atoms.iter().fold(self.valid, |all, atom| all & has(atom))
    }

    /// All atoms of a run.
    pub fn atoms_of(&self, run: usize) -> BitSet {
        let mut atoms = BitSet::new(self.atoms.len());
        let has = |lanes: &u64| lanes >> run & 1 == 1;
        self.atoms
            .iter()
            .enumerate()
            .filter(|(_, lanes)| has(lanes))
            .for_each(|(atom, _)| atoms.insert(atom));
        atoms
    }

    /// What each run is worth; less than nothing if it is not valid.
    pub fn worths(&self, wanted: &[PricedNeed<'_>]) -> [f64; RunBatch::SIZE] {
        let mut worths = [f64::NEG_INFINITY; RunBatch::SIZE];
        (0..RunBatch::SIZE).filter(|run| self.is_valid(*run)).for_each(|run| worths[run] = 0.0);
        for need in wanted {
            let has = |atom: &AtomId| self.atoms.get(atom.index()).copied().unwrap_or(0);
            let mut meeting = need.atoms.iter().fold(0, |all, atom| all | has(atom));
            while meeting != 0 {
                worths[meeting.trailing_zeros() as usize] += need.price;
                meeting &= meeting - 1;
            }
        }
        worths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worths_are_those_of_single_runs() {
        let run = |atoms: &[usize]| {
            let mut set = BitSet::new(70);
            atoms.iter().for_each(|atom| set.insert(*atom));
            Some(Behaviour { atoms: set, inputs: Vec::new() })
        };
        let runs = [run(&[0, 69]), None, run(&[3]), run(&[])];
        let batch = RunBatch::of_runs(&runs);
        let (first, second) = ([AtomId(0), AtomId(3)], [AtomId(69), AtomId(200)]);
        let wanted = [PricedNeed { atoms: &first, price: 2.0 }, PricedNeed { atoms: &second, price: 0.5 }];
        assert_eq!(batch.worths(&wanted)[..5], [2.5, f64::NEG_INFINITY, 2.0, 0.0, f64::NEG_INFINITY]);
        assert_eq!([3, 69, 200].map(|atom| batch.first_with(AtomId(atom))), [Some(2), Some(0), None]);
        let with_all = [&[][..], &[0, 69], &[3], &[0, 3], &[200]];
        let with_all =
            with_all.map(|atoms| batch.with_all(&atoms.iter().map(|atom| AtomId(*atom)).collect::<Vec<_>>()));
        assert_eq!(with_all, [0b1101, 0b1, 0b100, 0, 0]);
        assert_eq!(batch.atoms_of(0), runs[0].as_ref().unwrap().atoms);
        assert!(batch.is_valid(3) && !batch.is_valid(1) && !batch.is_valid(4));
    }
}
