//! A file: its bytes, and the spans of the things in it.

use crate::{DimacsFault, DimacsKind, DimacsLit, FaultSet, reader};
use nub_text::Span;

/// A file after reading. All lists are in the order of the text.
pub struct DimacsFile {
    pub(crate) text: Vec<u8>,
    pub(crate) kind: DimacsKind,
    pub(crate) header: Option<Header>,
    pub(crate) literals: Vec<Literal>,
    pub(crate) clauses: Vec<Clause>,
    /// One per clause in weighted formats, otherwise empty.
    pub(crate) weights: Vec<Weight>,
    pub(crate) blocks: Vec<QuantifierBlock>,
    pub(crate) comments: Vec<Span>,
    pub(crate) others: Vec<Span>,
    pub(crate) end_marker: Option<Span>,
    pub(crate) faults: Vec<DimacsFault>,
    pub(crate) fault_kinds: FaultSet,
}

/// The number of a clause, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub u32);

/// The index of a literal among all literals of the file, including those of quantifier blocks; from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LitId(pub u32);

/// A literal, or a token in the place of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal {
    /// Its token.
    pub span: Span,
    /// `None` if the token is not a literal. Such a token is also a fault.
    pub lit: Option<DimacsLit>,
}

/// A clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    /// From its first token (a weight, if it has one) to its 0.
    pub span: Span,
    /// Where its 0 begins, or the end of `span` if the 0 is missing.
    pub zero: u32,
    pub(crate) first: u32,
    pub(crate) n_literals: u32,
}

/// The first token of a weighted clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// Its token; empty if it is missing.
    pub span: Span,
    /// `None` for `h`, and for a weight that cannot be read, which is also a fault.
    pub value: Option<u64>,
}

/// A quantifier line of the prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuantifierBlock {
    /// From its letter to its 0.
    pub span: Span,
    /// `a` or `e`.
    pub quantifier: Quantifier,
    /// Where its 0 begins, or the end of `span` if the 0 is missing.
    pub zero: u32,
    pub(crate) first: u32,
    pub(crate) n_literals: u32,
}

/// Universal or existential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// Universal, written `a`.
    ForAll,
    /// Existential, written `e`.
    Exists,
}

/// A number in the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its token.
    pub span: Span,
    /// What it says.
    pub value: u64,
}

/// The `p` line. Numbers that are missing or unreadable are `None`, which is also a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The line from the `p`, without trailing blanks.
    pub span: Span,
    /// Number of variables.
    pub n_vars: Option<Number>,
    /// Number of clauses.
    pub n_clauses: Option<Number>,
    /// The weight of hard clauses.
    pub top: Option<Number>,
}

impl DimacsFile {
    /// Reads any bytes as a file of this kind.
    ///
    /// # Panics
    /// If there are more than [`nub_text::MAX_INPUT`] bytes.
    pub fn read(text: Vec<u8>, kind: DimacsKind) -> DimacsFile {
        reader::read(text, kind)
    }

    /// The bytes it was read from.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The format it was read as.
    pub fn kind(&self) -> DimacsKind {
        self.kind
    }

    /// The first `p` line.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Every literal of every block and clause.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The clauses.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The literals of a clause.
    pub fn literals_of(&self, clause: &Clause) -> &[Literal] {
        &self.literals[clause.first as usize..][..clause.n_literals as usize]
    }

    /// The quantified variables of a block.
    pub fn variables_of(&self, block: &QuantifierBlock) -> &[Literal] {
        &self.literals[block.first as usize..][..block.n_literals as usize]
    }

    /// The weight of a clause, in weighted formats.
    pub fn weight(&self, clause: ClauseId) -> Option<&Weight> {
        self.weights.get(clause.0 as usize)
    }

    /// Whether a weighted clause is hard: its weight is `h` or the top weight. A clause without a weight is hard, too.
    pub fn is_hard(&self, clause: ClauseId) -> bool {
        let Some(weight) = self.weight(clause) else { return true };
        match (self.kind, weight.value) {
            (DimacsKind::WcnfNew, _) => weight.span.slice(&self.text) == b"h",
            (_, Some(value)) => {
                self.header.and_then(|header| header.top).is_some_and(|top| value >= top.value)
            }
            (_, None) => false,
        }
    }

    /// The blocks of the prefix.
    pub fn blocks(&self) -> &[QuantifierBlock] {
        &self.blocks
    }

    /// Comments, from the `c` to the end of the line.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// Lines that are not part of the format, second headers, cubes of inccnf.
    pub fn others(&self) -> &[Span] {
        &self.others
    }

    /// The `%` that ends old files, and everything after it.
    pub fn end_marker(&self) -> Option<Span> {
        self.end_marker
    }

    /// The faults, in no particular order. At most a million are listed, and every kind that occurs is listed at least once.
    pub fn faults(&self) -> &[DimacsFault] {
        &self.faults
    }

    /// The kinds of the faults.
    pub fn fault_kinds(&self) -> FaultSet {
        self.fault_kinds
    }

    /// The clause that a literal belongs to; `None` if it is in a block. A binary search.
    pub fn clause_of(&self, literal: LitId) -> Option<ClauseId> {
        // An empty clause has the same `first` as the clause after it and precedes it, so the last match is right.
        let after = self.clauses.partition_point(|clause| clause.first <= literal.0);
        let index = after.checked_sub(1)?;
        let clause = &self.clauses[index];
        (literal.0 - clause.first < clause.n_literals).then_some(ClauseId(index as u32))
    }
}

impl Clause {
    /// The indices of its literals in the list of all literals.
    pub fn literal_ids(&self) -> impl Iterator<Item = LitId> + use<> {
        (self.first..self.first + self.n_literals).map(LitId)
    }

    /// The number of its literals.
    pub fn len(&self) -> usize {
        self.n_literals as usize
    }

    /// Whether it has no literal.
    pub fn is_empty(&self) -> bool {
        self.n_literals == 0
    }
}

impl QuantifierBlock {
    /// The indices of its variables in the list of all literals.
    pub fn literal_ids(&self) -> impl Iterator<Item = LitId> + use<> {
        (self.first..self.first + self.n_literals).map(LitId)
    }
}

impl Quantifier {
    /// The opposite quantifier.
    pub fn other(self) -> Quantifier {
        match self {
            Quantifier::ForAll => Quantifier::Exists,
            Quantifier::Exists => Quantifier::ForAll,
        }
    }

    /// As it is written in a file.
    pub fn letter(self) -> u8 {
        match self {
            Quantifier::ForAll => b'a',
            Quantifier::Exists => b'e',
        }
    }
}
