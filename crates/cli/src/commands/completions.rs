//! `nub completions SHELL`: a completion script, made from the table of options.

use crate::exit::Exit;
use crate::reporter::print;
use clap_complete::Shell;
use nub_jobs::Failure;

/// Prints the script for a shell.
pub fn run(shell: Shell, mut command: clap::Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "nub", &mut script);
    print(&script)
}
