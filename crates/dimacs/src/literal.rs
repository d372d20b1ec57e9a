//! Variables and literals as numbers that cannot be zero.

use std::num::{NonZeroI32, NonZeroU32};

/// A variable, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(NonZeroU32);

impl Var {
    /// The largest variable: its negation must fit into an `i32`.
    pub const MAX: u32 = i32::MAX as u32;

    /// The variable with this number; `None` if it is 0 or too large.
    pub fn new(number: u32) -> Option<Var> {
        NonZeroU32::new(number).filter(|number| number.get() <= Var::MAX).map(Var)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DimacsLit(NonZeroI32);

impl DimacsLit {
    /// The literal that is written as this number in a file; `None` for 0 and for numbers that are too large.
    pub fn from_int(number: i64) -> Option<DimacsLit> {
        let number = i32::try_from(number).ok().filter(|&number| number != i32::MIN)?;
        NonZeroI32::new(number).map(DimacsLit)
    }

    /// As it is written in a file.
    pub fn to_int(self) -> i32 {
        self.0.get()
    }

    /// Its variable.
    pub fn var(self) -> Var {
        Var(self.0.unsigned_abs())
    }

    /// Whether it is a negation.
    pub fn is_negative(self) -> bool {
        self.0.is_negative()
    }

    /// The literal of another variable with the same sign.
    pub fn with_var(self, var: Var) -> DimacsLit {
        let lit = DimacsLit::of(var);
        if self.is_negative() { !lit } else { lit }
    }

    /// The variable itself, not negated.
    pub fn of(var: Var) -> DimacsLit {
        // Neither wraps nor is zero: a variable is between 1 and `i32::MAX`.
        DimacsLit(NonZeroI32::new(var.number() as i32).expect("a variable is not zero"))
    }
}

impl std::ops::Not for DimacsLit {
    type Output = DimacsLit;

    fn not(self) -> DimacsLit {
        DimacsLit(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits() {
        assert_eq!(DimacsLit::from_int(0), None);
        assert_eq!(DimacsLit::from_int(i64::from(i32::MIN)), None, "its negation would not fit");
        assert_eq!(DimacsLit::from_int(1 << 31), None);
        let lit = DimacsLit::from_int(-7).unwrap();
        assert_eq!((lit.var().number(), lit.is_negative(), (!lit).to_int()), (7, true, 7));
        assert_eq!(lit.with_var(Var::new(2).unwrap()).to_int(), -2);
        assert_eq!(Var::new(1 << 31), None);
    }
}
