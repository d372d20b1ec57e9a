//! BTOR (2008) and BTOR2: lossless lines over the original bytes, and a typed graph.
//!
//! Two levels. [`File`] is what is written: every line with the spans of its parts, references resolved, sorts known,
//! and every broken rule as a [`Fault`]. It takes any bytes, and printing it is copying them. [`Model`] is what is
//! meant: nodes with sorts, states, properties. It exists only for well-formed files, or is built with [`Model::push_op`].
//!
//! Both formats share one operator table, [`ops`]. A rule is written once, in `rules`, and holds for the reader and
//! for the builder.
//!
//! ```
//! use nub_btor::{Dialect, File, Sort};
//! let file = File::read(b"1 var 8 x\n2 inc 8 1\n3 ult 1 2 -1 ; wraps?\n4 root 1 3\n", Dialect::Btor);
//! assert!(file.faults().is_empty());
//! let line = file.line(file.by_id(3).unwrap());
//! assert_eq!(line.sort, Some(Sort::Bits(1)));
//! assert!(file.operands(line)[2].negated);
//! ```

pub mod check;
mod convert;
mod cursor;
mod dialect;
pub mod eval;
mod fault;
mod file;
mod ids;
mod line;
mod model;
mod numbers;
pub mod ops;
mod print;
mod prune;
mod reader;
mod rebuild;
mod rules;
mod smt;
mod unroll;

pub use convert::{Refusal, convert};
pub use dialect::Dialect;
pub use fault::{Fault, FaultKind, FaultKinds};
pub use file::File;
pub use line::{Line, LineId, Operand, OperandKind};
pub use model::{Model, Node, NodeId, Property, Ref, State};
pub use nub_bitvec::Sort;
pub use ops::{Rule, Shape, Tag};
pub use print::print;
pub use prune::needed;
use prune::prune;
pub use rules::{Blame, Misfit};
pub use smt::to_smtlib;
pub use unroll::{Reach, unroll};
