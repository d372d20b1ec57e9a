//! `nub explain`: why an assertion fails, by the closest run that passes.

pub mod args;
mod native;
mod options;
mod parse;
mod rank;
mod score;
mod write;

use super::c_program::progress::watch_with;
use super::c_program::{Loaded, nearest};
use crate::exit::{Exit, Failure};
use crate::signals::Interrupt;
use args::ExplainArgs;
use nub_c_ir::FunctionId;
use nub_explain::output::{self, Detail, Report};
use nub_explain::{
    Explanation, Options, Refusal, cause, explain, properties, unwritten_as_inputs, with_errors,
};
use nub_sat::{Bounds, Limits};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command. Nothing is printed or written before both runs were replayed. A first signal ends the search with what is known.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let started = Instant::now();
    let (loaded, options) = load(args)?;
    let function = function(&loaded, args)?;
    let ranking = [Limits::none(), Limits::none()];
    let searches = [&options.limits].into_iter().chain(&ranking);
    let interrupt = Interrupt::watch(searches.map(|limits| limits.cancel.clone()).collect())
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot watch for signals: {error}")))?;
    let deadline = args.timeout.map(|time| started + time);
    let exit = answer(args, (&loaded, function), &options, ranking, deadline);
    match (interrupt.signal(), exit) {
        (Some(signal), Ok(_)) => Ok(Exit::Signal(signal)),
        (Some(signal), Err(failure)) => Err(Failure { exit: Exit::Signal(signal), ..failure }),
        (None, exit) => exit,
    }
}

/// The program, with what was asked for put into its text.
fn load(args: &ExplainArgs) -> Result<(Arc<Loaded>, Options), Failure> {
    let file = args.file_name();
    let mut loaded = Loaded::read(&args.input, &args.load)?;
    let marked = with_errors(loaded.source(&file), &args.failing.error_labels);
    if let Some((text, program)) = marked.map_err(|refusal| failure(args, &loaded, refusal))? {
        loaded.replace(text, program);
    }
    let start = function(&loaded, args)?;
    let options = options::options(args, &loaded, start)?;
    if args.failing.uninitialised_inputs {
        let opened = unwritten_as_inputs(loaded.source(&file), start, &options);
        if let Some((text, program)) = opened.map_err(|refusal| failure(args, &loaded, refusal))? {
            loaded.replace(text, program);
        }
    }
    Ok((Arc::new(loaded), options))
}

/// `deadline` is when all has to be done.
fn answer(
    args: &ExplainArgs,
    (loaded, function): (&Arc<Loaded>, FunctionId),
    options: &Options,
    ranking: [Limits; 2],
    deadline: Option<Instant>,
) -> Result<Exit, Failure> {
    let file = args.file_name();
    let source = loaded.source(&file);
    if let Some(text) =
        question(args, loaded, function, options).map_err(|refusal| failure(args, loaded, refusal))?
    {
        print(&text);
        return Ok(Exit::Done);
    }
    let bounds = Arc::clone(&options.bounds);
    let watching = watch_with(move || doing(&bounds), "Ctrl-C shows the best so far");
    let found = explain(source, function, options).map_err(|refusal| failure(args, loaded, refusal))?;
    drop(watching);
    let mut suite = native::suite(loaded, function, &found);
    let compiled = native::replay(args, (loaded, function), &found, &mut suite, deadline)?;
    let (ranking, no_ranking) =
        match rank::ranking(args, (loaded, function), &found, (options, ranking), deadline) {
            Ok(ranking) => (ranking, None),
            Err(reason) => (None, Some(reason)),
        };
    let reference = score::reference(args, source, function, &found, ranking.as_ref())?;
    let report = Report { ranking, no_ranking, reference, ..Report::new(found, compiled) };
    // What was found is shown even if a file cannot be written.
    let detail = Detail { has_trace: args.output.trace, has_unexecuted: args.output.unexecuted };
    print(&if args.output.json { output::json(&report) } else { output::report_text(&report, detail) });
    write::write_all(args, &report, &suite)?;
    match report.explanation {
        Explanation::Explained(_) => Ok(Exit::Done),
        // Nothing is explained.
        _ => Ok(Exit::NotReduced),
    }
}

/// What is known of the closest run while it is looked for.
fn doing(bounds: &Bounds) -> String {
    match bounds.get() {
        (lower, Some(upper)) if lower < upper => format!("closest run: {upper} away, none below {lower}"),
        (_, Some(upper)) => format!("closest run: {upper} away"),
        (_, None) => "looking for a run that fails".to_owned(),
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
        let list = properties(source, function, options)?;
        let is_json = args.output.json;
        return Ok(Some(if is_json { output::properties_json(&list) } else { output::properties(&list) }));
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

fn failure(args: &ExplainArgs, loaded: &Loaded, refusal: Refusal) -> Failure {
    let usage = || Failure::usage(refusal.to_string());
    match &refusal {
        Refusal::Unsupported(found) => loaded.failure(found),
        Refusal::TooLarge(_) => usage().with_hint("a smaller --unwind may help"),
        Refusal::Internal(message) => Failure::new(Exit::Internal, message.clone()),
        Refusal::UnknownProperty(_) => usage().with_hint("--list names them"),
        Refusal::UnknownInput { name, known } if known.is_empty() => usage()
            .with_hint(format!("there are none: `{name}` is neither a parameter nor read from outside")),
        Refusal::UnknownInput { name, known } => {
            usage().with_hint(format!("there is {}", nearest(known.iter().map(String::as_str), name)))
        }
        Refusal::Predicate { hint: Some(hint), .. } => usage().with_hint(hint.clone()),
        Refusal::InputsTooLong { unwind } => {
            usage().with_hint(format!("--unwind {} follows it further", unwind.saturating_mul(2).max(1)))
        }
        Refusal::InputsPass => usage().with_hint("inputs that are not named are found: name fewer of them"),
        Refusal::Stopped(_) if args.timeout.is_some() => {
            usage().with_hint("--timeout N gives it more seconds")
        }
        _ => usage(),
    }
}
