//! `nub cover encode` and `decode`: clauses for a SAT solver of the user's own, and its answer as tests.

use super::args::{DecodeArgs, EncodeArgs};
use super::{failure, nothing, options};
use crate::commands::c_program::read;
use crate::exit::{Exit, Failure};
use nub_cover::describe::Source;
use nub_cover::split;
use nub_store::{RealFs, commit};

/// Writes the clauses.
pub fn encode(args: &EncodeArgs) -> Result<Exit, Failure> {
    if args.program.criterion.len() > 1 {
        return Err(Failure::usage("one criterion at a time"));
    }
    let (loaded, function) = super::read(&args.program, &args.load)?;
    let source = Source { program: &loaded.program, text: &loaded.text };
    let made = split::encode(source, function, &options(&args.program), args.tests);
    match made.map_err(|error| failure(&loaded, error))? {
        Some(text) => commit(&RealFs, &args.out, text.as_bytes())?,
        None => return Err(nothing(&loaded, function)),
    }
    Ok(Exit::Done)
}

/// Prints the tests, as CSV.
pub fn decode(args: &DecodeArgs) -> Result<Exit, Failure> {
    let (answer, cnf) = (read(&args.answer)?, read(&args.cnf)?);
    let tests = split::decode(&String::from_utf8_lossy(&answer), &String::from_utf8_lossy(&cnf))
        .map_err(Failure::usage)?;
    match tests {
        Some(csv) => print!("{csv}"),
        None => println!("Unsatisfiable, no test cases derived."),
    }
    Ok(Exit::Done)
}
