//! DIMACS and its relatives: cnf, wcnf (before and since 2022), qdimacs, inccnf.
//!
//! [`DimacsFile::read`] accepts any bytes, loses nothing and does not recurse. A file is its bytes plus the spans of what
//! they contain: header, clauses with their literals, quantifier blocks, comments, and lines that are none of these.
//! Everything that is wrong becomes a [`DimacsFault`] with a span. Its [`FaultKind`] has no fields, so a reducer can ask
//! whether a candidate has a kind of fault that the original does not have ([`FaultSet::is_within`]).
//!
//! Existing readers differ in details. This one accepts a clause over several lines, several clauses on one line, a
//! comment wherever a token may begin, and the `%` at the end of old SATLIB files.
//!
//! ```
//! use nub_dimacs::{DimacsFile, DimacsKind, guess};
//! let text = b"c two clauses\np cnf 2 2\n1 -2 0\n2 0\n";
//! assert_eq!(guess(text), Some(DimacsKind::Cnf));
//! let file = DimacsFile::read(text.to_vec(), DimacsKind::Cnf);
//! assert!(file.faults().is_empty());
//! let last = &file.clauses()[1];
//! assert_eq!(file.literals_of(last)[0].lit.unwrap().to_int(), 2);
//! assert_eq!(last.span.slice(file.text()), b"2 0");
//! ```
//!
//! Reading is linear in time and memory: in addition to the text, 12 bytes per literal, 20 per clause, and 24 per
//! weight.

pub mod check;
mod fault;
mod file;
mod kind;
mod literal;
mod number;
mod reader;
mod rules;
mod var_set;

pub use fault::{DimacsFault, FaultKind, FaultSet};
pub use file::{
    Clause, ClauseId, DimacsFile, Header, LitId, Literal, Number, Quantifier, QuantifierBlock, Weight,
};
pub use kind::{DimacsKind, guess};
pub use literal::{DimacsLit, Var};
