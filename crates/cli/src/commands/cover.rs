//! `nub cover`: the fewest tests that cover a C function.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::{Form, Reporter};
use crate::signals::FirstSignal;
use args::{CoverArgs, CoverCommand, CoverRunArgs};
use nub_cover::output;
use nub_cover::report::CoverReport;
use nub_jobs::{DecodeJob, EncodeJob, Failure, JobRequest, JobResult};

/// Runs the command.
pub fn run(args: &CoverArgs) -> Result<Exit, Failure> {
    let request = match (&args.command, &args.program) {
        (Some(CoverCommand::Encode(args)), _) => JobRequest::Encode(Box::new(EncodeJob {
            function: args.program.options(&args.sat),
            program: args.load.options(),
            tests: args.tests,
            out: args.out.clone(),
        })),
        (Some(CoverCommand::Decode(args)), _) => {
            JobRequest::Decode(DecodeJob { answer: args.answer.clone(), cnf: args.cnf.clone() })
        }
        (None, Some(program)) => args.request(program),
        (None, None) => return Err(Failure::usage("a C file is missing")),
    };
    let stage = CommandDisplay::document(args.run.talk.text_or_json(args.run.json), FirstSignal::Ends);
    Ok(front::run(request, stage, |result, reporter| {
        Ok(match result {
            JobResult::Cover(reports) => {
                print(&args.run, &reports, reporter);
                grade(&args.run, &reports, reporter)
            }
            JobResult::Decoded(tests) => {
                let text = tests.unwrap_or_else(|| "Unsatisfiable, no test cases derived.\n".to_owned());
                reporter.result(text.as_bytes());
                Exit::DONE
            }
            other => Exit::Code(other.exit_code()),
        })
    }))
}

fn print(args: &CoverRunArgs, reports: &[CoverReport], reporter: &mut Reporter) {
    let text = match reporter.form() {
        Form::Json => output::json(reports),
        _ if args.csv => reports.iter().map(output::csv).collect(),
        _ => reports.iter().map(output::table).collect::<Vec<_>>().join("\n"),
    };
    reporter.result(text.as_bytes());
}

fn grade(args: &CoverRunArgs, reports: &[CoverReport], reporter: &Reporter) -> Exit {
    let Some(wanted) = args.fail_under else { return Exit::DONE };
    let is_below = |report: &&CoverReport| report.summary.percent() < wanted;
    for report in reports.iter().filter(is_below) {
        reporter.talk_line(&format!(
            "{}: {:.1} % is less than {wanted} %",
            report.criterion,
            report.summary.percent()
        ));
    }
    if reports.iter().any(|report| is_below(&report)) { Exit::NEGATIVE } else { Exit::DONE }
}
