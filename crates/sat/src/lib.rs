//! SAT solvers behind one trait, and minimising the number of true literals.
//!
//! [`SatSolver`] is incremental: clauses are added, questions are asked under assumptions, and an answer comes with a model or with
//! a core, the assumptions that contradict the clauses. There are three implementations: [`Cadical`] (feature `cadical`, on by default: it needs a C++ compiler),
//! [`Cdcl`], a small solver of our own that is always available, and any program that reads DIMACS. [`SolverFactory`] is the user's choice.
//! [`minimise`] finds the model with the fewest true literals of a set, and proves that it is minimal, or returns bounds on the
//! minimum. [`proof`] has proofs that a formula is unsatisfiable.
//!
//! ```
//! use nub_cnf::Sink;
//! use nub_sat::{SatAnswer, SatLimits, SatSolver, built_in};
//!
//! let mut solver = built_in();
//! let (x, y) = (solver.new_var(), solver.new_var());
//! solver.add(&[x, y]);
//! assert_eq!(solver.solve(&[!x], &SatLimits::none()), SatAnswer::Sat);
//! assert!(solver.value(y));
//! assert_eq!(solver.solve(&[!x, !y], &SatLimits::none()), SatAnswer::Unsat);
//! assert!(solver.core().contains(&!y));
//! ```

#[cfg(feature = "cadical")]
mod cadical;
mod cdcl;
pub mod certify;
pub mod check;
mod external;
mod factory;
mod minimise;
pub mod proof;
mod solver;

#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use cdcl::Cdcl;
pub use factory::{SolverFactory, SolverFault};
pub use minimise::{Minimum, Strategy, fewer_than, minimise, minimise_from};
pub use solver::{Bounds, SatAnswer, SatLimits, SatSolver, SatStop};

/// The best solver of this build, whatever the user chose: for checking answers, and for tests. To answer a user's question, use
/// [`SatLimits::new_solver`].
pub fn built_in() -> Box<dyn SatSolver> {
    SolverFactory::built_in().new_solver()
}
