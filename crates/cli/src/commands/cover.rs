//! `nub cover`: the fewest tests that cover a C function.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::{Form, Reporter};
use crate::signals::FirstSignal;
use crate::terminal::stdout_width;
use args::{CoverArgs, CoverCommand, CoverRunArgs};
use nub_cover::output;
use nub_cover::report::CoverReport;
use nub_jobs::{DecodeJob, Failure, JobRequest, JobResult, UnitJob, project_table};
use nub_report::ProjectReport;
use nub_report::cover::cover_json;
use std::path::{Path, PathBuf};

/// Width of tables that are written to a file.
const PLAIN_WIDTH: usize = 100;

/// Runs the command.
pub fn run(args: &CoverArgs) -> Result<Exit, Failure> {
    let request = match (&args.command, &args.program) {
        (Some(CoverCommand::Encode(args)), _) => JobRequest::Encode(Box::new(args.request())),
        (Some(CoverCommand::Decode(args)), _) => {
            JobRequest::Decode(DecodeJob { answer: args.answer.clone(), cnf: args.cnf.clone() })
        }
        (Some(CoverCommand::Unit { task, talk }), _) => {
            let request = JobRequest::Unit(UnitJob { task: task.clone() });
            let stage = CommandDisplay::document(talk.manner(Form::Text), FirstSignal::Ends);
            return Ok(front::run(request, stage, |result, _| Ok(Exit::Code(result.exit_code()))));
        }
        (None, program) => match (&args.project.project, program) {
            (Some(build), _) => args.project_request(build)?,
            _ if !args.project.compile.is_empty() => args.project_request(Path::new(""))?,
            _ if args.fleet.on.is_some() => {
                return Err(Failure::usage("--on covers the functions of a project: give --project FOLDER"));
            }
            (None, Some(program)) if program.input.is_some() => args.request(program),
            _ => return Err(Failure::usage("no C file was given")),
        },
    };
    let manner = args.run.talk.manner(if args.run.json { Form::Json } else { Form::Text });
    let stage = match &request {
        JobRequest::Project(_) => CommandDisplay::events(manner),
        _ => CommandDisplay::document(manner, FirstSignal::Ends),
    };
    Ok(front::run(request, stage, |result, reporter| {
        Ok(match result {
            JobResult::Cover(reports) => {
                print(&args.run, &reports, reporter);
                grade(&args.run, &reports, reporter)
            }
            JobResult::Project(report) => {
                let width = stdout_width().unwrap_or(PLAIN_WIDTH);
                if reporter.form() == Form::Text {
                    reporter.result(project_table(&report, width).as_bytes());
                }
                grade_project(args, &report, reporter)
            }
            JobResult::Decoded(tests) => {
                let text = tests.unwrap_or_else(|| "Unsatisfiable, no test cases derived.\n".to_owned());
                reporter.result(text.as_bytes());
                Exit::DONE
            }
            JobResult::Encoded => {
                if let Some(name) = unnamed_output(args) {
                    reporter.result(format!("{}\n", name.display()).as_bytes());
                }
                Exit::DONE
            }
            other => Exit::Code(other.exit_code()),
        })
    }))
}

/// The file that `encode` writes if no name is given; the user is told.
fn unnamed_output(args: &CoverArgs) -> Option<PathBuf> {
    match &args.command {
        Some(CoverCommand::Encode(args)) if args.out.is_none() => Some(args.request().out),
        _ => None,
    }
}

fn print(args: &CoverRunArgs, reports: &[CoverReport], reporter: &mut Reporter) {
    let text = match reporter.form() {
        Form::Json => cover_json(reports),
        _ if args.csv => reports.iter().map(output::csv).collect(),
        _ => reports.iter().map(output::table).collect::<Vec<_>>().join("\n"),
    };
    reporter.result(text.as_bytes());
}

/// Whether all criteria reach the required coverage.
fn grade(args: &CoverRunArgs, reports: &[CoverReport], reporter: &Reporter) -> Exit {
    let grades = reports
        .iter()
        .map(|report| grade_percent(args, &report.criterion.to_string(), report.summary.percent(), reporter));
    grades.max_by_key(|exit| exit.code()).unwrap_or(Exit::DONE)
}

/// If a file cannot be read, its goals are unknown, so the percentage is too. A function requested by name is in a file that was read.
fn grade_project(args: &CoverArgs, report: &ProjectReport, reporter: &Reporter) -> Exit {
    let grade = grade_percent(&args.run, "the project", report.total.percent(), reporter);
    let is_one = args.program.as_ref().is_some_and(|program| program.function.is_some());
    match report.unread.first() {
        Some(unread) if grade == Exit::DONE && args.run.fail_under.is_some() && !is_one => {
            let name = &unread.file;
            reporter.talk_line(&format!("the project: {name} cannot be read, so its coverage is unknown"));
            Exit::NEGATIVE
        }
        _ => grade,
    }
}

fn grade_percent(args: &CoverRunArgs, what: &str, percent: f64, reporter: &Reporter) -> Exit {
    let Some(wanted) = args.fail_under.filter(|wanted| percent < *wanted) else { return Exit::DONE };
    reporter.talk_line(&format!("{what}: {percent:.1} % is less than {wanted} %"));
    Exit::NEGATIVE
}
