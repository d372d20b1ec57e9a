//! From terms to clauses.
//!
//! [`Blaster`] turns bit-vector terms into an and-inverter graph, [`Aig`], one [`AigEdge`] per bit. [`Tseitin`] turns edges into
//! literals and adds their clauses to a [`Sink`]: a SAT solver, or a [`Cnf`] that can be written as DIMACS. Arrays stay abstract: a
//! read or an equality of arrays becomes free bits, and the caller adds the constraints that arrays must satisfy. [`TermEncoder`] does
//! both steps for terms on demand. [`Totalizer`] counts true literals.
//!
//! ```
//! use nub_bitvec::{Op, Pool, Sort};
//! use nub_cnf::{Blaster, Cnf, Sink, Tseitin};
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.var(Sort::Bits(8)), pool.var(Sort::Bits(8)));
//! let product = pool.mk(Op::Mul, &[x, y]);
//! let less = pool.mk(Op::Ult, &[product, x]);
//!
//! let mut blaster = Blaster::new();
//! blaster.blast(&pool, &[less]).unwrap();
//! let (mut cnf, mut tseitin) = (Cnf::new(), Tseitin::new());
//! let root = tseitin.lit(blaster.aig(), blaster.bits(&pool, less)[0], &mut cnf);
//! cnf.add(&[root]);
//! assert!(cnf.to_dimacs().starts_with("p cnf "));
//! ```
//!
//! The files: `lit`, `sink` (literals and clauses), `aig`, `circuits/` (adders, multipliers and the like over edges), `blast`
//! (terms to circuits), `tseitin`, `term_encoder`, `totalizer`.

mod aig;
mod blast;
pub mod check;
mod circuits;
mod lit;
mod sink;
mod term_encoder;
mod totalizer;
mod tseitin;

pub use aig::{Aig, AigEdge};
pub use blast::{Blaster, BuildProgress, PACE, TooLarge};
pub use lit::Lit;
pub use sink::{Cnf, Sink};
pub use term_encoder::TermEncoder;
pub use totalizer::Totalizer;
pub use tseitin::{LiteralUse, Tseitin};
