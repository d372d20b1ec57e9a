//! Where inputs come from. Everything is a function of the seed.

use crate::swarm;
use crate::vouch::without_status;
use crate::{Language, PrintedAnswer};
use nub_generate::{ConfigError, Files, FormulaFormat, FormulaMutator, Mistake, Scripts, Theories};
use std::sync::Arc;

/// An input, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuzzInput {
    /// Its seed.
    pub seed: u64,
    /// What the solvers read.
    pub text: Vec<u8>,
    /// Its language.
    pub language: Language,
    /// The right answer, if the generator knows it.
    pub status: Option<PrintedAnswer>,
    /// Whether it was generated or derived from a file.
    pub origin: InputOrigin,
}

/// Whether an input is guaranteed to be valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputOrigin {
    /// Made by our generator: it must be valid.
    Generated,
    /// A mutant of a given file, or a reduced input: solvers may reject it because of the file.
    Derived,
}

/// Why a seed has no input: a bug in the generator, or in the choice of its options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InputError {
    /// The options that the seed selects exclude each other.
    #[error(transparent)]
    Options(#[from] ConfigError),
    /// The generated input is not well sorted.
    #[error(transparent)]
    IllSorted(#[from] Mistake),
}

/// A stream of inputs. Cheap to clone: each worker has its own.
#[derive(Clone)]
pub enum FuzzSource {
    /// Graphs with fixed options, in one format.
    Files(Box<Files>, FormulaFormat),
    /// Scripts with fixed options.
    Scripts(Arc<Scripts>),
    /// Options derived from the seed; scripts use these theories.
    Swarm(Language, Theories),
    /// Mutants of given files.
    Mutants(Arc<FormulaMutator>),
    /// One of these, by the seed.
    Mix(Vec<FuzzSource>),
}

impl FuzzSource {
    /// The input of a seed; `None` if the seed yields none. An error is a mistake of the generator. Scripts do not contain
    /// their status: it is a separate field.
    pub fn input(&mut self, seed: u64) -> Result<Option<FuzzInput>, InputError> {
        let made = self.raw_input(seed)?;
        Ok(made.map(|input| match input.language {
            Language::SmtLib => FuzzInput { text: without_status(input.text), ..input },
            _ => input,
        }))
    }

    fn raw_input(&mut self, seed: u64) -> Result<Option<FuzzInput>, InputError> {
        let mut text = Vec::new();
        match self {
            FuzzSource::Files(files, format) => {
                files.write(seed, &mut text)?;
                let status = files.config().status.map(swarm::answer);
                Ok(Some(FuzzInput {
                    seed,
                    text,
                    language: language_of(*format),
                    status,
                    origin: InputOrigin::Generated,
                }))
            }
            FuzzSource::Scripts(scripts) => {
                scripts.write(seed, &mut text)?;
                let status = scripts.config().status.map(swarm::answer);
                Ok(Some(FuzzInput {
                    seed,
                    text,
                    language: Language::SmtLib,
                    status,
                    origin: InputOrigin::Generated,
                }))
            }
            FuzzSource::Swarm(language, theories) => swarm::input(seed, *language, theories).map(Some),
            FuzzSource::Mutants(mutator) => {
                let mutant = mutator.write(seed, &mut text);
                Ok(mutant.map(|mutant| FuzzInput {
                    seed,
                    text,
                    language: language_of(mutant.format),
                    status: None,
                    origin: InputOrigin::Derived,
                }))
            }
            FuzzSource::Mix(sources) => {
                let n_sources = sources.len() as u64;
                sources[(seed % n_sources) as usize].raw_input(seed)
            }
        }
    }
}

fn language_of(format: FormulaFormat) -> Language {
    match format {
        FormulaFormat::SmtLib => Language::SmtLib,
        FormulaFormat::Btor => Language::Btor,
        FormulaFormat::Btor2 => Language::Btor2,
        FormulaFormat::Dimacs => Language::Dimacs,
    }
}
