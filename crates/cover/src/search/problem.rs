//! The problem: one copy of a program as clauses, its atoms, and the goals over them.

use super::library::LibraryFunction;
use super::polish::{Favourites, to_value};
use nub_bitvec::Value;
use nub_c_ir::FloatChoice;
use nub_cnf::{Cnf, Lit};

/// Something that a run does or does not do: takes a path through a decision, executes a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Its position in a table of atoms.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One symbolic run of a program: every model of the clauses in which `assumed` and `defined` are true and `over` is false is
/// a run.
///
/// In a model in which `over` is true, the run exceeded the bound of a loop. Everything that could happen after that must be true in it: an atom is
/// the disjunction of what happens within the bound and, if it may happen later, of `over`. Then what is refuted without assuming that `over` is
/// false holds for any number of iterations.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The program.
    pub cnf: Cnf,
    /// Equivalent to the atoms, all different.
    pub atoms: Vec<Lit>,
    /// The assumptions of the user hold.
    pub assumed: Lit,
    /// There is no undefined behaviour.
    pub defined: Lit,
    /// The run exceeds the bound. `None` if there is no bound.
    pub over: Option<Lit>,
    /// What a test can choose.
    pub inputs: Vec<ProgramInput>,
    /// Calls of functions whose results only the library knows.
    pub library: Vec<LibraryFunction>,
}

/// An input of the program.
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// The least significant bit first.
    pub bits: Vec<Lit>,
    /// True if the last bit is a sign.
    pub is_signed: bool,
    /// The value that a test should have if possible, before any other.
    pub favourite: Option<Value>,
    /// Values of an input that is a float.
    pub float: Option<FloatChoice>,
    /// True for a `char`: the end of a string, or a letter.
    pub is_letter: bool,
}

impl ProgramInput {
    /// Values that a test should have, the most readable first.
    pub fn pleasant<'i>(&'i self, favourites: &'i Favourites) -> impl Iterator<Item = Value> + 'i {
        let width = self.bits.len() as u32;
        let numbers = favourites.values(self).filter(|_| self.float.is_none());
        let letters = [0, u64::from(b'a')].into_iter().filter(|_| self.is_letter);
        let letters = letters.map(move |letter| to_value(letter.into(), width));
        let floats = self.float.iter().flat_map(|choice| choice.values().iter().cloned());
        self.favourite.iter().cloned().chain(floats).chain(letters).chain(numbers)
    }
}

impl Problem {
    /// Number of atoms.
    pub fn n_atoms(&self) -> usize {
        self.atoms.len()
    }

    /// All atoms.
    pub fn atom_ids(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.atoms.len() as u32).map(AtomId)
    }

    /// What holds in every run, of any length.
    pub fn always(&self) -> [Lit; 2] {
        [self.assumed, self.defined]
    }

    /// The literal of an atom.
    pub fn lit(&self, atom: AtomId) -> Lit {
        self.atoms[atom.index()]
    }
}

/// What a set of tests should do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteObjective {
    /// Some test has this atom.
    Atom(AtomId),
    /// For one of these pairs some test has the first atom and some test, possibly another, the second.
    Pairs(Vec<[AtomId; 2]>),
}

impl SuiteObjective {
    /// Its atoms, possibly with repetitions.
    pub fn atoms(&self) -> Vec<AtomId> {
        match self {
            SuiteObjective::Atom(atom) => vec![*atom],
            SuiteObjective::Pairs(pairs) => pairs.concat(),
        }
    }
}

/// What some test of every complete set must do: have one of these atoms. These are the vertices of the graph whose cliques are lower bounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Need {
    /// Sorted, not empty.
    pub atoms: Vec<AtomId>,
    /// The goal that needs it, by its position in the list.
    pub goal: usize,
}
