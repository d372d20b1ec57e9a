//! Mutation of existing files: new test cases from those that people wrote.
//!
//! [`FormulaMutator::new`] reads and analyses the seed files once. [`FormulaMutator::write`] makes the mutant of a seed number: a file
//! with one or more mutations, drawn from the techniques for its format. A mutation is a set of splices on the
//! original bytes, chosen with the sorts of all terms known, so that a mutant is as well sorted as its seed; before it is
//! returned, it is read again and checked. All other bytes stay the same.
//!
//! ```
//! use nub_generate::{MutateConfig, FormulaMutator};
//! let seed = b"(declare-const x Int)(assert (< x 7))(check-sat)".to_vec();
//! let (mutator, skipped) = FormulaMutator::new(vec![seed.clone()], MutateConfig::default());
//! assert!(skipped.is_empty());
//! let mut text = Vec::new();
//! let mutant = mutator.write(1, &mut text).unwrap();
//! assert!(mutant.file == 0 && !mutant.kinds.is_empty() && text != seed);
//! ```
//!
//! `smt` has the techniques for SMT-LIB, one file each; `btor` and `dimacs` those for the other formats.
//!
//! Cost: reading is linear in the seeds, in time and memory (about 60 bytes per node of an SMT-LIB tree). A mutant costs
//! one copy and one reading of its file, so it is linear in that file (and in the second one, if two are spliced).

mod btor;
mod config;
mod dimacs;
mod kind;
mod smt;
mod splice;
#[cfg(test)]
mod testing;

pub use config::{MutateConfig, MutateDialect, QuantifierUse};
pub use kind::{KindSet, MutationKind};

use crate::error::SeedError;
use crate::format::FormulaFormat;
use btor::BtorSeed;
use dimacs::DimacsSeed;
use nub_btor::BtorDialect;
use nub_random::Rng;
use smt::SmtSeed;

/// The format of a seed file and of its mutants.
pub type SourceFormat = FormulaFormat;

/// Seed files, ready to be mutated.
pub struct FormulaMutator {
    config: MutateConfig,
    /// Usable seeds, with the index of their file.
    seeds: Vec<(usize, Seed)>,
    /// The SMT-LIB files among them, by index.
    smt: Vec<usize>,
    /// The prefix of fresh names.
    prefix: String,
}

/// A file that cannot be used as a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its index among the files given.
    pub index: usize,
    /// Why it cannot.
    pub reason: SeedError,
}

/// How a mutant was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaMutant {
    /// The file that was mutated, by its index among the files given.
    pub file: usize,
    /// The file from which parts were taken.
    pub other: Option<usize>,
    /// The names of the mutations, in the order in which they were applied.
    pub kinds: Vec<&'static str>,
    /// What it is written in.
    pub format: SourceFormat,
}

enum Seed {
    Smt(Box<SmtSeed>),
    Btor(BtorSeed),
    Dimacs(DimacsSeed),
}

impl Seed {
    /// Reads a file of any of the formats, by content.
    fn read(text: Vec<u8>) -> Result<Seed, SeedError> {
        if text.len() > nub_text::MAX_INPUT {
            return Err(SeedError::TooLarge);
        }
        if let Some(kind) = nub_dimacs::guess(&text) {
            return DimacsSeed::read(text, kind).map(Seed::Dimacs);
        }
        if let Some(dialect) = BtorDialect::guess(&text) {
            return BtorSeed::read(&text, dialect).map(Seed::Btor);
        }
        SmtSeed::read(&text).map(|seed| Seed::Smt(Box::new(seed)))
    }

    fn as_smt(&self) -> Option<&SmtSeed> {
        match self {
            Seed::Smt(seed) => Some(seed),
            _ => None,
        }
    }

    fn format(&self) -> SourceFormat {
        match self {
            Seed::Smt(_) => FormulaFormat::SmtLib,
            Seed::Btor(seed) if seed.dialect() == BtorDialect::Btor => FormulaFormat::Btor,
            Seed::Btor(_) => FormulaFormat::Btor2,
            Seed::Dimacs(_) => FormulaFormat::Dimacs,
        }
    }
}

/// A mutant before the indices of its files are known.
struct Made {
    kinds: Vec<MutationKind>,
    /// True if something was taken from the other file.
    takes_other: bool,
}

impl FormulaMutator {
    /// Reads seed files; the format of each is recognised by its content. A file that cannot be read, that is ill-sorted, or that
    /// has nothing to mutate is skipped. Linear in the files.
    pub fn new(files: Vec<Vec<u8>>, config: MutateConfig) -> (FormulaMutator, Vec<Skipped>) {
        let mut seeds = Vec::new();
        let mut skipped = Vec::new();
        for (index, text) in files.into_iter().enumerate() {
            match Seed::read(text) {
                Ok(seed) => seeds.push((index, seed)),
                Err(reason) => skipped.push(Skipped { index, reason }),
            }
        }
        let is_smt = |&at: &usize| matches!(seeds[at].1, Seed::Smt(_));
        let smt: Vec<usize> = (0..seeds.len()).filter(is_smt).collect();
        let prefix = smt::fresh_prefix(smt.iter().filter_map(|&at| seeds[at].1.as_smt()));
        (FormulaMutator { config, seeds, smt, prefix }, skipped)
    }

    /// True if no file can be mutated.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// The formats of the files, in order of first appearance.
    pub fn formats(&self) -> Vec<SourceFormat> {
        let mut formats = Vec::new();
        for (_, seed) in &self.seeds {
            if !formats.contains(&seed.format()) {
                formats.push(seed.format());
            }
        }
        formats
    }

    /// Appends the mutant of a seed number. The same files, options and number give the same bytes. `None` if there is no mutant
    /// for this number; then nothing is appended, and the caller should try the next number.
    pub fn write(&self, seed: u64, out: &mut Vec<u8>) -> Option<FormulaMutant> {
        let mut rng = Rng::new(seed);
        let (file, source) = self.seeds.get(rng.below(self.seeds.len() as u32) as usize)?;
        let other = (!self.smt.is_empty()).then(|| &self.seeds[rng.pick(&self.smt)]);
        let made = match source {
            Seed::Smt(source) => {
                let other = other.and_then(|(_, other)| other.as_smt());
                smt::write(&self.config, source, other, &self.prefix, &mut rng, out)
            }
            Seed::Btor(source) => btor::write(&self.config, source, &mut rng, out),
            Seed::Dimacs(source) => dimacs::write(&self.config, source, &mut rng, out),
        }?;
        Some(FormulaMutant {
            file: *file,
            other: other.filter(|_| made.takes_other).map(|(file, _)| *file),
            kinds: made.kinds.iter().map(|kind| kind.name()).collect(),
            format: source.format(),
        })
    }
}
