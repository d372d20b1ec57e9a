//! Bugs in the generator, detected before they reach a file.

use nub_btor::eval::TooWide;
use nub_btor::{ConversionRefusal, Misfit};
use std::fmt;

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
