//! A solver for quantifier-free formulas over bit-vectors and arrays.
//!
//! [`BvSolver`] takes terms of a [`Pool`](nub_bitvec::Pool) as assertions, in levels that can be removed again, and answers questions
//! under assumptions. The answer is a [`BvModel`], the assumptions that have no model, or why the question is undecided. Terms become
//! circuits and clauses; arrays are handled by lemmas on demand. No model is returned before the evaluator has found every assertion
//! true in it.
//!
//! ```
//! use nub_bitvec::{Op, Pool, Sort, Value};
//! use nub_solve::{BvAnswer, BvSolver, SatLimits};
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.var(Sort::Bits(16)), pool.var(Sort::Bits(16)));
//! let product = pool.mk(Op::Mul, &[x, y]);
//! let target = pool.constant(Value::from_u64(16, 221));
//! let is_product = pool.mk(Op::Eq, &[product, target]);
//! let (one, small) = (pool.constant(Value::one(16)), pool.constant(Value::from_u64(16, 15)));
//! let bounds = [[one, x], [x, small], [one, y], [y, target]].map(|[a, b]| pool.mk(Op::Ult, &[a, b]));
//!
//! let mut solver = BvSolver::new(nub_sat::built_in());
//! solver.assert(is_product);
//! bounds.iter().for_each(|bound| solver.assert(*bound));
//! let BvAnswer::Sat(model) = solver.check(&mut pool, &[], &SatLimits::none()) else { panic!() };
//! let values = model.values(&pool, &[x, y]);
//! assert_eq!(values.iter().map(|value| value.bits().to_decimal()).collect::<Vec<_>>(), ["13", "17"]);
//! ```
//!
//! There is one module per file format: [`smtlib`], [`btor`] (also BTOR2) and [`dimacs`]. Each has a function `run` that
//! takes bytes, prints answers as they are found, and rejects what it does not support, with its position.
//!
//! ```
//! use nub_solve::{SolveConfig, SolveVerdict, smtlib};
//!
//! let script = b"(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31)) (assert (bvult x #x0f)) (check-sat) (get-value (x))";
//! let mut printed = Vec::new();
//! let verdict = smtlib::run(script, &SolveConfig::default(), &mut |bytes| printed.extend_from_slice(bytes)).unwrap();
//! assert_eq!(verdict, Some(SolveVerdict::Sat));
//! assert_eq!(printed, b"sat\n((x #b00000111))\n");
//! ```
//!
//! [`check_model`], [`check_btor_model`] and [`check_dimacs_model`] check models of other solvers against a file, and
//! [`check_dimacs_proof`] checks proofs.
//!
//! The files: `bv_solver` (levels, the loop), `guess` (simple values before the search), `arrays/` (whether a model can be extended to
//! arrays, and if not, why), `reading` (what readers share), `smtlib/`, `btor/`, `dimacs`.

mod arrays;
pub mod btor;
mod bv_solver;
pub mod dimacs;
mod eliminate;
mod guess;
mod reading;
pub mod smtlib;

pub use btor::check_btor_model;
pub use bv_solver::{BvAnswer, BvModel, BvSolver, Reason};
pub use dimacs::{ProofCheck, check_dimacs_model, check_dimacs_proof};
pub use nub_sat::SatLimits;
pub use nub_sat::proof::{Certificates, UnsatCertificate};
pub use reading::{MAX_READ_WIDTH, Models, OutputSink, Proofs, SolveConfig, SolveVerdict};
pub use smtlib::{ModelCheck, check_model};
