//! Sorts of terms.

use std::fmt;

/// The widest bit-vector that a term may have; the limit of BTOR2.
pub const MAX_WIDTH: u32 = (1 << 31) - 2;

/// The sort of a term.
///
/// There is no sort for truth values: they are bit-vectors of width 1. BTOR does the same, a comparison in C becomes a number
/// by widening alone, and an operator such as `and` exists once, not twice. A reader of SMT-LIB, where `Bool` and
/// `(_ BitVec 1)` differ, has already checked the sorts, and keeps the declared sort of each variable for printing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// This many bits, at least one.
    Bits(u32),
    /// From bit-vectors to bit-vectors. There are no arrays of arrays.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
}

impl Sort {
    /// One bit: the sort of truth values.
    pub const BIT: Sort = Sort::Bits(1);

    /// The width, if it is a bit-vector.
    pub fn bits(self) -> Option<u32> {
        match self {
            Sort::Bits(width) => Some(width),
            Sort::Array { .. } => None,
        }
    }

    /// True for arrays.
    pub fn is_array(self) -> bool {
        matches!(self, Sort::Array { .. })
    }

    /// The width of a bit-vector, or of the elements of an array: the number after the operator of a BTOR line.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bits(width) => width,
            Sort::Array { element, .. } => element,
        }
    }

    /// As SMT-LIB writes it.
    pub fn in_smtlib(self) -> String {
        match self {
            Sort::Bits(width) => format!("(_ BitVec {width})"),
            Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
        }
    }

    /// True if all its widths are between 1 and [`MAX_WIDTH`].
    pub fn is_valid(self) -> bool {
        let fits = |width: u32| (1..=MAX_WIDTH).contains(&width);
        match self {
            Sort::Bits(width) => fits(width),
            Sort::Array { index, element } => fits(index) && fits(element),
        }
    }
}

/// For messages. [`Sort::in_smtlib`] is for files.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bits(1) => write!(f, "1 bit"),
            Sort::Bits(width) => write!(f, "{width} bits"),
            Sort::Array { index, element } => write!(f, "an array from {index} to {element} bits"),
        }
    }
}
