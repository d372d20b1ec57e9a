//! Sorts of terms.

use std::fmt;

/// The widest bit-vector a term may have; the limit of BTOR2.
pub const MAX_WIDTH: u32 = (1 << 31) - 2;

/// The sort of a term.
///
/// There is no sort for truth values: they are bit-vectors of width 1. BTOR has it so, a comparison in C becomes a number
/// by widening alone, and an operator such as `and` exists once, not twice. A reader of SMT-LIB, where `Bool` and
/// `(_ BitVec 1)` differ, has checked the sorts already and keeps the declared sort of each variable for printing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// This many bits, at least one.
    Bits(u32),
    /// From bit-vectors to bit-vectors. Arrays of arrays are not there.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
}

impl Sort {
    /// The sort of truth values.
    pub const BOOL: Sort = Sort::Bits(1);

    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::Bits(width) => Some(width),
            Sort::Array { .. } => None,
        }
    }

    /// True if all its widths are from 1 to [`MAX_WIDTH`].
    pub fn is_valid(self) -> bool {
        let fits = |width: u32| (1..=MAX_WIDTH).contains(&width);
        match self {
            Sort::Bits(width) => fits(width),
            Sort::Array { index, element } => fits(index) && fits(element),
        }
    }
}

/// As in SMT-LIB.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array { index, element } => write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))"),
        }
    }
}
