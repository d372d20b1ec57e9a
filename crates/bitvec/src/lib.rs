//! Bit-vector values, terms over them, and the evaluation of terms.
//!
//! A [`Value`] is a bit-vector constant of any width from 1 up, with all operators of SMT-LIB, BTOR and BTOR2 as methods.
//! A [`Pool`] holds hash-consed terms over bit-vectors and arrays of them; a term is a number, [`TermId`]. New terms are
//! simplified by the rules of [`RULES`]. [`evaluate`] is the reference semantics.
//!
//! One table has all operators: [`Op::info`] gives the names in SMT-LIB and BTOR, the width rule, the evaluator and the meaning in
//! SMT-LIB. A reader of another format finds the operator by name and calls [`Pool::apply`], which checks sorts.
//!
//! ```
//! use nub_bitvec::{Assignment, Datum, Op, Pool, Sort, Value, evaluate};
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.var(Sort::Bits(4)), pool.var(Sort::Bits(4)));
//! let add = Op::from_smtlib("bvadd").unwrap();
//! let sum = pool.apply(add, &[x, y], &[])?;
//! assert_eq!(pool.apply(add, &[y, x], &[])?, sum, "operands are put in order");
//!
//! let mut assignment = Assignment::new();
//! assignment.set(x, Datum::Bits(Value::from_u64(4, 13)));
//! assignment.set(y, Datum::Bits(Value::from_u64(4, 5)));
//! assert_eq!(evaluate(&pool, &assignment, &[sum])[0].to_string(), "#b0010");
//! # Ok::<(), nub_bitvec::SortError>(())
//! ```
//!
//! The files: `value/` (values), `float/` (IEEE 754 values), `array` (values of arrays), `op` and `shape` (the table), `pool` with `unique` (terms),
//! `cone` (the one walk over terms), `eval`, `evaluator` with `words` (the same, fast), `lanes` (64 at once), `rewrite/` (one file per group of rules), `ranges/` (intervals of terms where facts hold), `print` (terms as SMT-LIB),
//! `check` (random terms and values, for the tests of this crate and those above).

mod array;
pub mod check;
mod cone;
mod eval;
mod evaluator;
pub mod float;
mod lanes;
mod op;
mod pool;
mod print;
mod ranges;
mod rewrite;
mod shape;
mod sort;
mod unique;
mod value;
mod words;

pub use array::ArrayValue;
pub use cone::{cone, cone_beyond};
pub use eval::{Assignment, Datum, evaluate};
pub use evaluator::{Evaluation, Evaluator};
pub use lanes::{LANES, LaneEvaluator};
pub use op::{Eval, Meaning, Op, OpInfo, Structural};
pub use pool::{Pool, Rewriting, Term, TermId};
pub use print::{Holes, PrintedScript, script};
pub use ranges::{MAX_RANGE_WIDTH, NumberInterval, RangesUnderFacts, ValueRange};
pub use rewrite::{RULES, RewriteRule, To};
pub use shape::{OperandShape, SortError};
pub use sort::{MAX_WIDTH, Sort};
pub use unique::UniqueTable;
pub use value::Value;
