//! `nub man [COMMAND]`: the manual page in roff, made from the table of options.

use crate::exit::Exit;
use crate::reporter::print;
use nub_jobs::{Failure, FailureKind};

/// Prints the page of the program, or of one of its commands.
pub fn run(name: Option<&str>, command: clap::Command) -> Result<Exit, Failure> {
    let page = match name {
        None => command,
        Some(name) => find(&command, name)?,
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut roff)
        .map_err(|error| Failure::new(FailureKind::Internal, format!("cannot make the page: {error}")))?;
    print(&roff)
}

fn find(command: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    let found = command.find_subcommand(name).filter(|found| !found.is_hide_set());
    let found = found.ok_or_else(|| Failure::usage(format!("there is no command `{name}`")))?;
    // Pages are named like `nub-reduce` by convention.
    let full_name = format!("nub-{name}");
    Ok(found.clone().name(full_name.clone()).display_name(full_name))
}
