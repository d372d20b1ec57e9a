//! What can be wrong with a file.

use nub_text::{Diagnostic, Span};

/// One thing that is wrong, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DimacsFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where. An empty span at the end of the file if something is missing there.
    pub span: Span,
}

/// The kinds of faults. They have no fields, so that the kinds in two files can be compared as sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// No `p` line, in a format that has one.
    MissingHeader,
    /// The header does not read `p FORMAT VARIABLES CLAUSES`.
    BadHeader,
    /// A second `p` line.
    SecondHeader,
    /// The header comes after a clause or a quantifier.
    LateHeader,
    /// The header states a different number of clauses.
    ClauseCount,
    /// A variable is larger than the number of variables in the header.
    VariableAboveHeader,
    /// A clause or a block does not end in 0.
    MissingZero,
    /// Something other than a number where a number is required.
    BadToken,
    /// A number that is too large.
    NumberOverflow,
    /// A line that is not part of the format.
    StrayLine,
    /// A weight that is zero, negative or not a number.
    BadWeight,
    /// A weight above the top weight.
    WeightAboveTop,
    /// A quantifier block after the first clause.
    LateQuantifier,
    /// A quantifier block without variables.
    EmptyBlock,
    /// A negative number in a quantifier block.
    NegativeQuantified,
    /// A variable that is quantified twice.
    QuantifiedTwice,
    /// Two blocks in a row with the same quantifier.
    SameQuantifier,
    /// The last block is universal; the standard requires it to be existential.
    InnermostUniversal,
    /// A variable of the matrix that is not quantified, in a file with quantifiers.
    FreeVariable,
}

impl FaultKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [FaultKind; 19] = [
        FaultKind::MissingHeader,
        FaultKind::BadHeader,
        FaultKind::SecondHeader,
        FaultKind::LateHeader,
        FaultKind::ClauseCount,
        FaultKind::VariableAboveHeader,
        FaultKind::MissingZero,
        FaultKind::BadToken,
        FaultKind::NumberOverflow,
        FaultKind::StrayLine,
        FaultKind::BadWeight,
        FaultKind::WeightAboveTop,
        FaultKind::LateQuantifier,
        FaultKind::EmptyBlock,
        FaultKind::NegativeQuantified,
        FaultKind::QuantifiedTwice,
        FaultKind::SameQuantifier,
        FaultKind::InnermostUniversal,
        FaultKind::FreeVariable,
    ];

    /// True if solvers commonly reject such a file. The other kinds violate the letter of a format, but are common.
    pub fn is_error(self) -> bool {
        use FaultKind::*;
        !matches!(self, SameQuantifier | InnermostUniversal | FreeVariable | EmptyBlock | StrayLine)
    }

    /// The message, one sentence without a full stop; and the hint.
    fn words(self) -> (&'static str, &'static str) {
        use FaultKind::*;
        match self {
            MissingHeader => {
                ("there is no header", "add a line `p cnf VARIABLES CLAUSES` before the clauses")
            }
            BadHeader => ("the header cannot be read", "write `p cnf VARIABLES CLAUSES`"),
            SecondHeader => ("this is a second header", "remove it"),
            LateHeader => ("the header comes after a clause", "move it before the first clause"),
            ClauseCount => ("the header states a different number of clauses", "correct the second number"),
            VariableAboveHeader => {
                ("the header states fewer variables", "raise the first number of the header")
            }
            MissingZero => ("the 0 at the end is missing", "end every clause with 0"),
            BadToken => {
                ("this is not a number", "remove it, or begin the line with `c` to make it a comment")
            }
            NumberOverflow => ("this number is too large", "variables go up to 2147483647"),
            StrayLine => ("this line does not belong here", "begin it with `c` to make it a comment"),
            BadWeight => {
                ("a clause must begin with its weight, at least 1", "write the weight before the literals")
            }
            WeightAboveTop => (
                "this weight is above the top weight",
                "the weight of a hard clause is exactly the top weight",
            ),
            LateQuantifier => ("this quantifier comes after a clause", "move it before the first clause"),
            EmptyBlock => ("this quantifier has no variable", "remove the line"),
            NegativeQuantified => ("a quantified variable must not be negated", "write it without the minus"),
            QuantifiedTwice => ("this variable is quantified twice", "remove it from one of the lines"),
            SameQuantifier => {
                ("this quantifier is the same as the one before", "put the variables into one line")
            }
            InnermostUniversal => ("the last quantifier is universal", "end the prefix with an `e` line"),
            FreeVariable => ("this variable is not quantified", "add it to the first `e` line"),
        }
    }
}

impl DimacsFault {
    /// For people: an error if solvers commonly reject the file, otherwise a warning.
    pub fn to_diagnostic(self) -> Diagnostic {
        let (message, hint) = self.kind.words();
        let finding = if self.kind.is_error() {
            Diagnostic::error(self.span, message)
        } else {
            Diagnostic::warning(self.span, message)
        };
        finding.with_hint(hint)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultSet(u32);

impl FaultSet {
    /// Adds a kind.
    pub fn insert(&mut self, kind: FaultKind) {
        self.0 |= 1 << kind as u32;
    }

    /// Whether the set contains a kind.
    pub fn contains(self, kind: FaultKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// Whether it is a subset of `other`.
    pub fn is_within(self, other: FaultSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// True if there are no faults.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_once_and_as_bits() {
        let mut set = FaultSet::default();
        for (index, kind) in FaultKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index, "{kind:?} is out of order");
            assert!(!set.contains(kind));
            let before = set;
            set.insert(kind);
            assert!(set.contains(kind) && before.is_within(set) && !set.is_within(before));
        }
        assert!(FaultKind::FreeVariable as usize == FaultKind::ALL.len() - 1, "the last one is listed");
    }
}
