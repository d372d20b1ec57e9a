//! Exit codes: one table for all commands.

use nub_jobs::FailureKind;

/// The table, for the help of the program.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  done, and the answer is no:
       reduce         nothing smaller was found
       cover          less is covered than --fail-under asks for
       explain        no property can fail, or no run passes
       rules          a rule is not proved to preserve the meaning
  2  wrong use, bad input
  3  refused: the command does not fail, the folder is in use, no worker has the program
  4  environment: disk, permissions, no server
  5  a bug in nub
  solve uses 10 for sat, 20 for unsat and 0 for unknown.
  fuzz, generate, convert, doctor, config, demo, workbench, worker, hub, status, schema, completions, man and help use only 0 and 2 to 5.
  ddsmt uses the codes of ddSMT: 0 even if nothing could be reduced, 1 for errors.
  A signal ends nub with the signal's own status.";

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// This code.
    Code(u8),
    /// Stopped by this signal, which `main` raises again.
    Signal(i32),
}

impl Exit {
    /// Everything that was asked for.
    pub const DONE: Exit = Exit::Code(0);
    /// Done, and the answer is negative.
    pub const NEGATIVE: Exit = Exit::Code(1);
    /// Wrong use or bad input.
    pub const USAGE: Exit = Exit::Code(2);
    /// A bug in nub.
    pub const INTERNAL: Exit = Exit::Code(5);

    /// The exit code. A signal has none: the process is killed by it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Code(code) => code,
            Exit::Signal(signal) => 128 + signal as u8,
        }
    }
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Exit {
        Exit::Code(kind.exit_code())
    }
}
