//! `--sat-solver`: the option of all commands that use a SAT solver.

use clap::Args;

/// The choice.
#[derive(Args, Clone, Debug, Default)]
pub struct SatSolverArgs {
    /// Which SAT solver to use: `cadical`, `own`, or a command that reads DIMACS on its standard input [default: cadical]
    ///
    /// A command answers as in the SAT competitions: `s SATISFIABLE` with `v` lines, or `s UNSATISFIABLE`. Its models are checked, and an
    /// `unsat` is repeated by the built-in solver up to a limit of conflicts. If the command crashes or gives a wrong answer, nub says so
    /// and exits with 4.
    #[arg(long, value_name = "SOLVER")]
    pub sat_solver: Option<String>,
}
