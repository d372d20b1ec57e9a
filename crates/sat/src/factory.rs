//! Which solver answers: the user's choice, made once and passed along in [`crate::SatLimits`].

use crate::external::{External, Program};
use crate::{Cdcl, SatSolver};
use nub_process::Runner;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};

/// Makes solvers of one kind. Clones make the same kind, and share what is known about a program's [`SolverFault`].
#[derive(Clone, Debug, Default)]
pub struct SolverFactory {
    kind: Kind,
}

#[derive(Clone, Debug, Default)]
enum Kind {
    /// The best one of this build.
    #[default]
    BuiltIn,
    #[cfg(feature = "cadical")]
    Cadical,
    Own,
    Program(Program),
}

/// Why a program cannot be used as a solver. No result that depends on its answers is valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverFault {
    /// It gave an answer that was found to be wrong.
    Lied(String),
    /// It could not be run, crashed, or its output is not that of a SAT solver.
    Failed(String),
}

impl fmt::Display for SolverFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverFault::Lied(message) => write!(f, "the SAT solver gave a wrong answer: {message}"),
            SolverFault::Failed(message) => write!(f, "the SAT solver failed: {message}"),
        }
    }
}

impl SolverFactory {
    /// The best solver of this build: CaDiCaL, or our own without it.
    pub fn built_in() -> SolverFactory {
        SolverFactory::default()
    }

    /// CaDiCaL, if this build has it.
    pub fn cadical() -> Option<SolverFactory> {
        #[cfg(feature = "cadical")]
        return Some(SolverFactory { kind: Kind::Cadical });
        #[cfg(not(feature = "cadical"))]
        return None;
    }

    /// Our own small solver.
    pub fn own() -> SolverFactory {
        SolverFactory { kind: Kind::Own }
    }

    /// A program with its arguments that reads DIMACS on its standard input. Its time and memory can be limited.
    ///
    /// # Errors
    /// If programs cannot be run here at all.
    pub fn program(
        program: OsString,
        args: Vec<OsString>,
        limits: nub_process::ProcessLimits,
    ) -> io::Result<SolverFactory> {
        let runner = Arc::new(Runner::new()?);
        let fault = Arc::new(OnceLock::new());
        let program = Program { runner, program, args, limits, recheck: Some(RECHECK_CONFLICTS), fault };
        Ok(SolverFactory { kind: Kind::Program(program) })
    }

    /// The same kind, but no `unsat` of a program is accepted on trust: the built-in solver repeats each without a limit.
    pub fn with_full_recheck(self) -> SolverFactory {
        match self.kind {
            Kind::Program(program) => {
                SolverFactory { kind: Kind::Program(Program { recheck: None, ..program }) }
            }
            kind => SolverFactory { kind },
        }
    }

    /// A solver without clauses.
    pub fn new_solver(&self) -> Box<dyn SatSolver> {
        match &self.kind {
            #[cfg(feature = "cadical")]
            Kind::BuiltIn | Kind::Cadical => Box::new(crate::Cadical::new()),
            #[cfg(not(feature = "cadical"))]
            Kind::BuiltIn => Box::new(Cdcl::new()),
            Kind::Own => Box::new(Cdcl::new()),
            Kind::Program(program) => Box::new(External::new(program.clone())),
        }
    }

    /// What is wrong with the program, if any of its answers showed a fault. Check this before reporting results.
    pub fn fault(&self) -> Option<&SolverFault> {
        match &self.kind {
            Kind::Program(program) => program.fault.get(),
            _ => None,
        }
    }
}

/// Limit on the conflicts that the built-in solver spends on repeating one `unsat` of a program: about a second.
const RECHECK_CONFLICTS: u64 = 20_000;
