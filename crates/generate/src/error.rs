//! Errors: values of options, files that cannot be mutated, and bugs in the generator, which are detected before they reach a file.

use crate::ratio::Ratio;
use crate::script::{Arithmetic, ScriptDialect};
use nub_btor::eval::TooWide;
use nub_btor::{BtorDialect, ConversionRefusal, Misfit};
use nub_dimacs::DimacsKind;
use std::fmt;

/// Why a word is not the value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// Not a number such as `4` or `4.25`.
    RatioForm,
    /// A ratio with more than three decimal places.
    RatioPlaces,
    /// A ratio above [`Ratio::MAX`].
    RatioSize,
    /// This is not the name of a dialect.
    Dialect(String),
    /// This is not a kind of arithmetic.
    Arithmetic(String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::RatioForm => f.write_str("a ratio is written as 4 or 4.25"),
            OptionError::RatioPlaces => f.write_str("a ratio has at most three places after the point"),
            OptionError::RatioSize => write!(f, "a ratio is at most {}", Ratio::MAX),
            OptionError::Dialect(word) => {
                let names = ScriptDialect::ALL.map(ScriptDialect::name);
                write!(f, "`{word}` is not a dialect; known are {}", names.join(", "))
            }
            OptionError::Arithmetic(word) => {
                write!(f, "`{word}` is not one of {}", Arithmetic::ALL.map(Arithmetic::name).join(", "))
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// Why a file cannot be mutated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeedError {
    /// It has too many bytes to be read.
    TooLarge,
    /// It is a DIMACS file of a kind that is not supported.
    NotCnf(DimacsKind),
    /// It is a DIMACS file with this fault.
    Dimacs(nub_dimacs::FaultKind),
    /// It is a BTOR or BTOR2 file with this error.
    Btor(BtorDialect, String),
    /// It cannot be read as SMT-LIB: the first error.
    SmtLib(String),
    /// It is a script that is ill-sorted: the first error.
    IllSorted(String),
    /// It is a script without assertions.
    NothingAsserted,
    /// It is well formed, but has nothing that a mutation could change.
    NothingToMutate,
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedError::TooLarge => f.write_str("the file is too large"),
            SeedError::NotCnf(kind) => write!(f, "only cnf can be mutated, not {kind:?}"),
            SeedError::Dimacs(fault) => write!(f, "not well-formed DIMACS: {fault:?}"),
            SeedError::Btor(dialect, message) => write!(f, "not well-formed {}: {message}", dialect.name()),
            SeedError::SmtLib(message) => write!(f, "not SMT-LIB: {message}"),
            SeedError::IllSorted(message) => write!(f, "ill-sorted: {message}"),
            SeedError::NothingAsserted => f.write_str("nothing is asserted"),
            SeedError::NothingToMutate => f.write_str("nothing to mutate"),
        }
    }
}

impl std::error::Error for SeedError {}

/// The generator produced something that is not well sorted. This is a bug; options and seed reproduce it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

impl Mistake {
    pub(crate) fn new(message: String) -> Mistake {
        Mistake { message }
    }
}

impl From<nub_bitvec::SortError> for Mistake {
    fn from(error: nub_bitvec::SortError) -> Mistake {
        Mistake { message: error.to_string() }
    }
}

impl From<Misfit> for Mistake {
    fn from(misfit: Misfit) -> Mistake {
        Mistake { message: misfit.to_string() }
    }
}

impl From<ConversionRefusal> for Mistake {
    fn from(refusal: ConversionRefusal) -> Mistake {
        Mistake { message: refusal.to_string() }
    }
}

impl From<TooWide> for Mistake {
    fn from(wide: TooWide) -> Mistake {
        Mistake { message: wide.to_string() }
    }
}
