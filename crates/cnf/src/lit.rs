//! Literals.

use std::fmt;
use std::ops::Not;

/// A variable or its negation, in four bytes: twice the variable, plus one if negated. Variables count from 0 here and from
/// 1 in DIMACS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The largest variable, so that DIMACS numbers fit 32 bits.
    pub const MAX_VAR: u32 = i32::MAX as u32 - 1;

    /// The literal that is true if the variable is true.
    pub fn positive(var: u32) -> Lit {
        assert!(var <= Lit::MAX_VAR, "too many variables");
        Lit(var << 1)
    }

    /// Its variable, from 0.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// True if it is a negation.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its index in a table with two entries per variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The negation if `negate`, otherwise the literal itself.
    pub fn negated_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    /// As in DIMACS: a signed number that is not zero.
    pub fn to_dimacs(self) -> i32 {
        let var = self.var() as i32 + 1;
        if self.is_negative() { -var } else { var }
    }

    /// From a number as in DIMACS; `None` for 0 and for `i32::MIN`, whose absolute value does not fit.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        let var = number.checked_abs()?.checked_sub(1).filter(|var| *var >= 0)?;
        Some(Lit::positive(var as u32).negated_if(number < 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.negated_if(true)
    }
}

/// Writes the number that DIMACS uses.
impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_dimacs().fmt(f)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_dimacs_come_back() {
        for number in [1, -1, 2, -7, i32::MAX, -i32::MAX] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!((lit.to_dimacs(), (!lit).to_dimacs()), (number, -number));
        }
        assert_eq!((Lit::from_dimacs(0), Lit::from_dimacs(i32::MIN)), (None, None));
    }
}
