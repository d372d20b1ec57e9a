//! `nub reduce IN -- CMD`: the smallest file that still shows the failure.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay, JsonForm};
use crate::live::Talk;
use crate::reporter::{Form, Manner, Reporter};
use crate::signals::FirstSignal;
use args::ReduceArgs;
use nub_jobs::{CompareResult, Failure, JobRequest, JobResult, ReduceResult};
use nub_report::{Confirmed, EndEvent, StopReason, comparison_csv, comparison_tables};

/// Runs the command.
pub fn run(args: &ReduceArgs) -> Exit {
    let form = if args.output.json { Form::Json } else { Form::Text };
    let manner = args.output.talk.manner(form);
    if args.search.compare_strategies.is_none() && !args.more.is_empty() {
        let failure = Failure::usage("only --compare-strategies takes several files")
            .with_hint("the command comes after `--`; one file is reduced at a time");
        return front::refuse(&failure, manner);
    }
    let tables = if args.search.csv { TableForm::Csv } else { TableForm::Text };
    start(args.request(), manner, tables, |failure| failure)
}

/// How a comparison is printed, if not as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableForm {
    /// Tables as text.
    Text,
    /// Comma-separated values.
    Csv,
}

/// Runs a reduction or a comparison, and prints the result. `adapt` rewords failures for the command line.
pub fn start(request: JobRequest, manner: Manner, tables: TableForm, adapt: fn(Failure) -> Failure) -> Exit {
    let stage = CommandDisplay { manner, json: JsonForm::Events, first_signal: FirstSignal::Finishes, adapt };
    front::run(request, stage, |result, reporter| {
        let code = result.exit_code();
        match result {
            JobResult::Reduce(result) => tell(&result, reporter),
            JobResult::Commands(lines) => lines.iter().for_each(|line| reporter.text(line)),
            JobResult::Compare(result) => tell_comparison(&result, tables, reporter),
            _ => {}
        }
        Ok(Exit::Code(code))
    })
}

fn tell_comparison(result: &CompareResult, tables: TableForm, reporter: &mut Reporter) {
    let comparison = &result.comparison;
    let text = match reporter.form() {
        Form::Json => comparison.to_line() + "\n",
        _ if tables == TableForm::Csv => comparison_csv(comparison),
        _ => comparison_tables(comparison),
    };
    reporter.result(text.as_bytes());
}

/// The table, the warnings, and the two last lines: where the result is and how to reproduce.
fn tell(result: &ReduceResult, reporter: &mut Reporter) {
    if let Some(end) = &result.end {
        tell_counts(result, end, reporter);
    }
    if result.is_reduced {
        reporter.text(&result.output);
        reporter.text(&result.reproduce);
    }
    if let Some(failure) = &result.obstacle {
        reporter.json(&failure.to_event().to_line());
        reporter.failure(failure);
    }
}

fn tell_counts(result: &ReduceResult, end: &EndEvent, reporter: &Reporter) {
    reporter.talk_line(&end.to_text());
    let counts = result.search;
    if counts.remembered > 0 {
        reporter.note(&format!("{} test runs were answered from the earlier run", counts.remembered));
    }
    if reporter.talk() == Talk::Verbose || counts.panics + counts.rollbacks > 0 {
        reporter.note(&format!(
            "{} candidates were ill-formed and not tested, {} steps were rolled back, {} edits were lost to internal errors",
            counts.invalid, counts.rollbacks, counts.panics
        ));
    }
    if end.flaky {
        reporter.warn("the command is flaky: runs on the same file disagreed");
    }
    if !end.reduced {
        reporter.talk_line("not reduced: nothing smaller was found, and no file was written");
        return;
    }
    let Confirmed { fails, runs } = end.confirmed;
    if runs > 0 && fails == runs {
        reporter.talk_line(&format!("checked: the file on disk failed in {fails} of {runs} more runs"));
    } else if runs > 0 {
        reporter.warn(&format!("the file on disk failed in only {fails} of {runs} more runs"));
    } else if end.reason != StopReason::Interrupted {
        reporter.warn("the file on disk was not checked again");
    }
}
