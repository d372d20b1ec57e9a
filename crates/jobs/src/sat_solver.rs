//! Which SAT solver a job uses, and whether it can be trusted.

use crate::failure::{Failure, FailureKind};
use crate::words;
use nub_sat::{SolverFactory, SolverFault};

/// The factory for the SAT solver that a request names: `cadical`, `own`, or a command.
pub(crate) fn factory(choice: Option<&str>) -> Result<SolverFactory, Failure> {
    let usage = |message: String| Failure::usage(format!("--sat-solver: {message}"));
    match choice {
        None => Ok(SolverFactory::built_in()),
        Some("cadical") => SolverFactory::cadical()
            .ok_or_else(|| usage("this build of nub does not contain CaDiCaL".to_owned())),
        Some("own") => Ok(SolverFactory::own()),
        Some(command) => {
            let mut words = words::split(command).map_err(|error| usage(error.to_string()))?.into_iter();
            let program =
                words.next().ok_or_else(|| usage("a solver or a command is expected".to_owned()))?;
            SolverFactory::program(program, words.collect(), nub_process::ProcessLimits::default())
                .map_err(|error| Failure::environment(format!("programs cannot be run here: {error}")))
        }
    }
}

/// Checks that no answer so far was found wrong. Called before any result is shown or written.
pub(crate) fn check(factory: &SolverFactory) -> Result<(), Failure> {
    let Some(fault) = factory.fault() else { return Ok(()) };
    let hint = match fault {
        SolverFault::Lied(_) => "nothing is reported that depends on its answers; use another --sat-solver",
        SolverFault::Failed(_) => {
            "--sat-solver takes a command that reads DIMACS on its standard input and prints `s` and `v` lines"
        }
    };
    Err(Failure::new(FailureKind::Environment, fault.to_string()).with_hint(hint))
}
