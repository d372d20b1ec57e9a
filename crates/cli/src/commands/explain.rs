//! `nub explain`: why an assertion fails, by the closest run that passes.

pub mod args;
mod native;
mod options;
mod parse;
mod rank;
mod score;
mod write;

use super::c_program::Loaded;
use super::c_program::progress::watch;
use crate::exit::{Exit, Failure};
use args::ExplainArgs;
use nub_c_ir::FunctionId;
use nub_explain::output::{self, Report};
use nub_explain::{Explanation, Options, Refusal, cause, explain, properties};
use std::io::Write;
use std::sync::Arc;

/// Runs the command. Nothing is printed or written before both runs were replayed.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let loaded = Arc::new(Loaded::read(&args.input, &args.load)?);
    let function = function(&loaded, args)?;
    let file = args.file_name();
    let source = loaded.source(&file);
    let options = options::options(args, &loaded)?;
    if let Some(text) =
        question(args, &loaded, function, &options).map_err(|refusal| failure(&loaded, refusal))?
    {
        print(&text);
        return Ok(Exit::Done);
    }
    let watching = watch("looking for the closest run", "--timeout N stops with the best so far");
    let found = explain(source, function, &options).map_err(|refusal| failure(&loaded, refusal))?;
    drop(watching);
    let mut suite = native::suite(&loaded, function, &found);
    let compiled = native::replay(args, (&loaded, function), &found, &mut suite)?;
    let (ranking, no_ranking) = match rank::ranking(args, &loaded, function, &found, &options) {
        Ok(ranking) => (ranking, None),
        Err(reason) => (None, Some(reason)),
    };
    let reference = score::reference(args, source, function, &found, ranking.as_ref())?;
    let report = Report { ranking, no_ranking, reference, ..Report::new(found, compiled) };
    write::write_all(args, &report, &suite)?;
    print(&if args.output.json { output::json(&report) } else { output::report_text(&report) });
    match report.explanation {
        Explanation::Explained(_) => Ok(Exit::Done),
        // Nothing is explained.
        _ => Ok(Exit::NotReduced),
    }
}

/// What the properties are, or whether the failure has a certain cause, if that is all that is asked.
fn question(
    args: &ExplainArgs,
    loaded: &Loaded,
    function: FunctionId,
    options: &Options,
) -> Result<Option<String>, Refusal> {
    let file = args.file_name();
    let source = loaded.source(&file);
    if args.failing.list {
        return Ok(Some(output::properties(&properties(source, function, options)?)));
    }
    let Some(predicate) = &args.failing.cause else { return Ok(None) };
    let predicate = options::placed(args, loaded, predicate);
    let found = cause(source, function, &predicate, options)?;
    Ok(Some(if args.output.json { output::cause_json(&found) } else { output::cause_text(&found) }))
}

/// A broken pipe ends quietly.
fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn function(loaded: &Loaded, args: &ExplainArgs) -> Result<FunctionId, Failure> {
    let main = loaded.program.function_by_name("main").filter(|_| args.function.is_none());
    main.map_or_else(|| loaded.function(args.function.as_deref()), Ok)
}

fn failure(loaded: &Loaded, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Unsupported(found) => loaded.failure(&found),
        Refusal::TooLarge(message) => Failure::usage(message).with_hint("a smaller --unwind may help"),
        Refusal::Internal(message) => Failure::new(Exit::Internal, message),
        Refusal::UnknownProperty(_) => Failure::usage(refusal.to_string()).with_hint("--list names them"),
        other => Failure::usage(other.to_string()),
    }
}
