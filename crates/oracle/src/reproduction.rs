//! How a user repeats the failure by hand: for the comment at the top of the result and for the report.

/// The commands on one file, and what each of them shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproduction {
    /// The command that fails.
    pub command: ReproductionCommand,
    /// The command it is compared with, for wrong answers and slow runs.
    pub beside: Option<ReproductionCommand>,
}

/// One command of a [`Reproduction`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReproductionCommand {
    /// A line for a shell: `z3 -smt2 bug.smt2`.
    pub line: String,
    /// What it shows, in a few words: `SIGSEGV`, `exit 1`, `unsat`. Empty if that does not matter.
    pub shows: String,
}
