//! SMT-LIB scripts over bit-vectors, floating point, arrays of them, functions and declared sorts, without quantifiers.
//!
//! `Bool` is a bit-vector of width 1. A float is its encoding with a single NaN, a rounding mode one of five codes of three bits;
//! other encodings and codes are excluded wherever a variable or an element of an array is used. A function is an array from
//! its concatenated arguments to its result: congruence is the same as for arrays. A declared sort is a bit-vector sort with
//! a value for every term of the script that has the sort; without quantifiers no model needs more. Anything that is not
//! supported is rejected with its position and never skipped.
//!
//! The files: `session` (commands), `source` (the script and its sorts), `duplicates` (names declared twice), `terms` (the walk over terms), `operators`
//! (applications), `theory` (chooses how to translate an operator), `floats`, `slots` (arrays with few indices), `print` (values and models),
//! `check_model/` (models of other solvers).

mod check_model;
mod duplicates;
mod floats;
mod operators;
mod print;
mod session;
mod slots;
mod source;
mod terms;
mod theory;

pub use check_model::{ModelCheck, check_model};

use crate::{OutputSink, SolveConfig, SolveVerdict};
use nub_smtlib::{CommandKind, Script};
use nub_text::Diagnostic;
use session::{Session, Then};
use source::Source;

/// Runs a script and prints the answers to its commands. The result is the answer to its last question, `None` if there is no
/// question. Answers that were printed before an error are valid.
pub fn run(
    text: &[u8],
    config: &SolveConfig,
    out: OutputSink<'_>,
) -> Result<Option<SolveVerdict>, Diagnostic> {
    let (script, diagnostics) = Script::parse(text);
    if let Some(first) = diagnostics.into_iter().next() {
        return Err(first);
    }
    let analysis = script.analyse();
    let source = Source::new(&script, &analysis);
    let exit = script.commands().find(|(_, kind)| *kind == CommandKind::Exit).map(|(node, _)| node);
    source.check_sorts(exit)?;
    duplicates::check(&source, exit)?;
    let mut session = Session::new(&source, config, out);
    for (node, kind) in script.commands() {
        if session.command(node, kind)? == Then::Exit {
            break;
        }
    }
    Ok(session.last_verdict())
}
