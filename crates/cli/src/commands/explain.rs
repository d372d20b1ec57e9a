//! `nub explain`: why an assertion fails, by the closest passing run.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::{Form, Reporter};
use crate::signals::FirstSignal;
use args::{ExplainArgs, ExplainOutputArgs};
use nub_explain::output::{self, Detail};
use nub_jobs::{ExplainResult, JobResult};
use nub_report::explain::explain_json;

/// Runs the command. Nothing is printed or written before both runs were replayed. The first signal ends the search with what is
/// known.
pub fn run(args: &ExplainArgs) -> Exit {
    let form = if args.output.json { Form::Json } else { Form::Text };
    let stage = CommandDisplay::document(args.output.talk.manner(form), FirstSignal::Finishes);
    front::run(args.request(), stage, |result, reporter| {
        let code = result.exit_code();
        if let JobResult::Explain(result) = result {
            print(&result, &args.output, reporter);
        }
        Ok(Exit::Code(code))
    })
}

fn print(result: &ExplainResult, args: &ExplainOutputArgs, reporter: &mut Reporter) {
    let is_json = reporter.form() == Form::Json;
    let text = match result {
        ExplainResult::Report { report, .. } if is_json => explain_json(report),
        ExplainResult::Report { report, .. } => {
            let detail = Detail { has_trace: args.trace, has_unexecuted: args.unexecuted };
            output::report_text(report, detail)
        }
        ExplainResult::Answer { json, .. } if is_json => json.clone(),
        ExplainResult::Answer { text, .. } => text.clone(),
    };
    reporter.result(text.as_bytes());
    if let ExplainResult::Report { unwritten: Some(failure), .. } = result {
        reporter.failure(failure);
    }
}
