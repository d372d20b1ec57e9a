//! What can be wrong with a file: kinds of faults, with severity and hint.

use nub_text::{Diagnostic, Severity, Span};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $severity:ident, $hint:literal;)*) => {
        /// A rule that a file breaks.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum FaultKind {
            $($(#[$doc])* $kind,)*
        }

        const KINDS: &[(FaultKind, Severity, &str)] =
            &[$((FaultKind::$kind, Severity::$severity, $hint),)*];
    };
}

kinds! {
    /// The file is too large for its offsets; nothing was read.
    TooLarge, Error, "split the file";
    /// The line does not begin with an id.
    BadId, Error, "a line is `ID OPERATOR ...` with a positive id without sign and leading zeros; comments begin with `;`";
    /// An id beyond the limit of the format.
    HugeId, Error, "renumber the file: ids go up to 2^31-1 in BTOR and 2^40 in BTOR2";
    /// An id that an earlier line has.
    DuplicateId, Error, "give the line an id of its own; the first definition is used";
    /// BTOR2: an id that is not greater than the one before.
    DescendingId, Error, "ids ascend strictly in BTOR2: renumber the file";
    /// An operator that the format does not have.
    UnknownOperator, Error, "operators are written in lower case; see the table of the format";
    /// Fields are missing, or there are too many.
    WrongArity, Error, "compare the line with the shape of its operator";
    /// A field that should be a number.
    BadNumber, Error, "write a decimal number without sign and leading zeros";
    /// A width above 2^31-2.
    HugeWidth, Error, "widths are between 1 and 2^31-2";
    /// A reference to an id that no line has.
    UndefinedReference, Error, "define the node on an earlier line, or correct the id";
    /// A reference to a later line, or to the line itself.
    ForwardReference, Error, "move the definition before its use; a node cannot depend on itself";
    /// A reference to a line that defines no node.
    NotANode, Error, "refer to an input, a state, a constant or an operator";
    /// A sort field that is not the id of a sort line.
    NotASort, Error, "the field after the operator is the id of a `sort` line";
    /// An array of arrays.
    NestedArray, Error, "indices and elements of an array must be bit-vectors";
    /// An array where a bit-vector is required, or vice versa.
    WrongSort, Error, "use `read` to get an element of an array";
    /// Widths that do not fit.
    WrongWidth, Error, "use `slice`, `uext` or `sext` to change a width";
    /// A minus sign before an array.
    NegatedArray, Error, "drop the minus: an array has no complement";
    /// A minus sign before the state of `init` or `next`.
    NegatedState, Error, "drop the minus: a state is assigned, not its complement";
    /// Bounds of a slice outside its operand, or in the wrong order.
    SliceOutOfRange, Error, "0 <= lower <= upper < width of the operand";
    /// An index width that is missing or differs from that of the array.
    IndexWidth, Error, "write the index width of the array after the width of its elements";
    /// BTOR: a reduction of one bit.
    ReducedOneBit, Error, "use the bit itself: reductions need at least two bits in BTOR";
    /// Widths of a shift's operands that do not fit.
    ShiftWidth, Error, "BTOR needs a width that is a power of two and an amount of log2 bits; BTOR2 needs equal widths";
    /// Digits that do not fit the width or the base.
    BadConstant, Error, "`const` needs exactly one binary digit per bit; `constd` and `consth` must fit";
    /// `init` or `next` of something that is not a state.
    InitOnInput, Error, "only a `state` (in BTOR: a `var` or `array`) can be assigned";
    /// A second `init` of a state.
    SecondInit, Error, "keep one `init` per state";
    /// A second `next` of a state.
    SecondNext, Error, "keep one `next` per state";
    /// BTOR2: a state that is defined before its initial value.
    InitOrder, Error, "define the state after the value it starts with";
    /// BTOR2: an initial value that depends on an input.
    InitDependsOnInput, Error, "make the initial value from constants and states, or use a state instead of the input";
    /// The last line has no line terminator.
    MissingNewline, Warning, "end the last line with a newline";
    /// A line ends with CR LF.
    CarriageReturn, Warning, "end lines with a newline alone (`dos2unix` does it)";
    /// BTOR2: two fields that are not separated by exactly one space.
    Spacing, Warning, "separate fields by exactly one space";
    /// BTOR: a comment where a symbol is allowed.
    CommentAsSymbol, Warning, "give the variable a symbol before the comment, or move the comment to its own line";
    /// A syntax that only old versions of BTOR have.
    OldDialect, Warning, "`nub convert` writes the current syntax";
}

impl FaultKind {
    /// Number of kinds.
    pub const COUNT: usize = KINDS.len();

    /// An error leaves the meaning of the file undefined. A warning does not, but solvers reject the file.
    pub fn severity(self) -> Severity {
        KINDS[self as usize].1
    }

    /// What the user can do about it.
    pub fn hint(self) -> &'static str {
        KINDS[self as usize].2
    }
}

/// A broken rule and where it is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BtorFault {
    /// Which rule.
    pub kind: FaultKind,
    /// Where, why, and what to try.
    pub diagnostic: Diagnostic,
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultKinds(u64);

impl FaultKinds {
    /// Adds `kind`.
    pub fn insert(&mut self, kind: FaultKind) {
        self.0 |= 1 << kind as u32;
    }

    /// Whether it contains `kind`.
    pub fn contains(self, kind: FaultKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    /// True if every kind of `self` is in `other`: a file with these faults is not worse than one with those.
    pub fn is_subset(self, other: FaultKinds) -> bool {
        self.0 & !other.0 == 0
    }

    /// True if there are no faults.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Limit on the faults kept of each kind. The others are only counted, so that a file full of faults takes little memory and time.
const MAX_PER_KIND: u32 = 64;

/// Collects faults. Messages are made only for those that are kept.
pub(crate) struct Faults {
    pub list: Vec<BtorFault>,
    pub kinds: FaultKinds,
    counts: [u32; FaultKind::COUNT],
}

impl Faults {
    pub fn new() -> Faults {
        Faults { list: Vec::new(), kinds: FaultKinds::default(), counts: [0; FaultKind::COUNT] }
    }

    pub fn add(&mut self, kind: FaultKind, span: Span, message: impl FnOnce() -> String) {
        self.add_with_hint(kind, span, message, || kind.hint().to_owned());
    }

    #[cold]
    pub fn add_with_hint(
        &mut self,
        kind: FaultKind,
        span: Span,
        message: impl FnOnce() -> String,
        hint: impl FnOnce() -> String,
    ) {
        self.kinds.insert(kind);
        let count = &mut self.counts[kind as usize];
        *count = count.saturating_add(1);
        if *count <= MAX_PER_KIND {
            let diagnostic =
                Diagnostic { severity: kind.severity(), span, message: message(), hint: Some(hint()) };
            self.list.push(BtorFault { kind, diagnostic });
        }
    }

    pub fn n_faults(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_in_order_and_fit_the_set() {
        const { assert!(FaultKind::COUNT <= 64, "one bit per kind") };
        for (index, (kind, _, hint)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, index);
            assert!(!hint.is_empty());
        }
    }

    #[test]
    fn many_faults_of_one_kind_are_counted() {
        let mut faults = Faults::new();
        for _ in 0..1000 {
            faults.add(FaultKind::BadId, Span::new(0, 0), || "odd".to_owned());
        }
        assert_eq!((faults.list.len(), faults.n_faults()), (MAX_PER_KIND as usize, 1000));
        let mut other = FaultKinds::default();
        assert!(!faults.kinds.is_subset(other) && other.is_subset(faults.kinds));
        other.insert(FaultKind::BadId);
        assert!(faults.kinds.is_subset(other) && other.contains(FaultKind::BadId));
    }
}
