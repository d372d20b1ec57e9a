//! BTOR (2008) and BTOR2: lossless lines over the original bytes, and a typed graph.
//!
//! There are two levels. [`BtorFile`] is the text: every line with the spans of its parts, references resolved, sorts known,
//! and every broken rule as a [`BtorFault`]. It accepts any bytes, and printing it copies them. [`BtorModel`] is the
//! meaning: nodes with sorts, states, properties. It exists only for well-formed files, or is built with [`BtorModel::push_op`].
//!
//! Both formats share one operator table, [`ops`]. Each rule is written once, in `rules`, and used by the reader and
//! by the builder.
//!
//! ```
//! use nub_btor::{BtorDialect, BtorFile, Sort};
//! let file = BtorFile::read(b"1 var 8 x\n2 inc 8 1\n3 ult 1 2 -1 ; wraps?\n4 root 1 3\n", BtorDialect::Btor);
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

pub use convert::{ConversionRefusal, convert};
pub use dialect::BtorDialect;
pub use fault::{BtorFault, FaultKind, FaultKinds};
pub use file::BtorFile;
pub use line::{BtorLine, LineId, Operand, OperandKind};
pub use model::{BtorModel, BtorNode, BtorNodeId, BtorProperty, BtorState, Ref};
pub use nub_bitvec::Sort;
pub use ops::{LineShape, Tag, WidthRule};
pub use print::print;
pub use prune::needed;
use prune::prune;
pub use rules::{Blame, Misfit};
pub use smt::to_smtlib;
pub use unroll::{BadStateStep, unroll};
