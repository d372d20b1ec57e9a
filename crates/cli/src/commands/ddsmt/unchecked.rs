//! `--unchecked`: every candidate counts as failing, and nothing is run.
//!
//! With `--disable-all --X` this shows what mutator X does to a script.

use crate::commands::reduce::args::ReduceArgs;
use crate::commands::reduce::paths::read_input;
use crate::commands::reduce::unchecked_search;
use crate::exit::{Exit, Failure};
use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::{Config, Quiet, is_smaller};
use nub_smtlib::{Script, print};
use nub_store::{RealFs, commit};

/// Reduces without an oracle and writes the result.
pub fn run(args: &ReduceArgs) -> Result<Exit, Failure> {
    let original = read_input(&args.input)?;
    let search = unchecked_search(args, &original)?;
    let oracle = FnOracle::new(|_: &[u8]| true);
    let found = search.run(original.clone(), &oracle, Config::default(), &Cancel::new(), &mut Quiet);
    if !is_smaller(&found.best, &original) {
        return Ok(Exit::NotReduced);
    }
    let text = match args.output.manner.layout() {
        Some(layout) => print(&Script::parse(&found.best).0, layout),
        None => found.best,
    };
    commit(&RealFs, args.output.out.as_deref().unwrap_or(&args.input), &text)?;
    Ok(Exit::Done)
}
