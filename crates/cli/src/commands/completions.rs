//! `nub completions SHELL`: a completion script, made from the table of options.

use crate::exit::Exit;
use clap_complete::Shell;
use nub_jobs::Failure;
use std::io::Write;

/// Prints the script for a shell.
pub fn run(shell: Shell, mut command: clap::Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "nub", &mut script);
    // A broken pipe ends quietly.
    let _ = std::io::stdout().lock().write_all(&script);
    Ok(Exit::DONE)
}
