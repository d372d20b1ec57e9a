//! `nub fuzz`: campaigns that look for bugs in solvers.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::{Form, Manner};
use crate::signals::FirstSignal;
use args::{FuzzArgs, FuzzCommand};
use nub_jobs::{Failure, FuzzJob, JobEvent, JobRequest, JobResult};
use nub_report::fuzz::CampaignState;

/// Runs the command.
pub fn run(args: &FuzzArgs) -> Result<Exit, Failure> {
    match &args.command {
        None => {
            let form = if args.run.output.json { Form::Json } else { Form::Text };
            Ok(campaign(args.run.job()?, args.run.output.talk.manner(form)).0)
        }
        Some(command) => Ok(inspect(command)),
    }
}

/// Runs a campaign to its end, and returns what it has found.
pub fn campaign(job: FuzzJob, manner: Manner) -> (Exit, Option<CampaignState>) {
    let mut found = None;
    let request = JobRequest::Fuzz(Box::new(job));
    let exit = front::run(request, CommandDisplay::events(manner), |result, reporter| {
        if let JobResult::Fuzz(result) = result {
            reporter.text(result.campaign.to_text().trim_end());
            reporter.talk_line(&format!("report: {}", result.page.display()));
            found = Some(result.campaign);
        }
        Ok(Exit::DONE)
    });
    (exit, found)
}

/// Other commands about a campaign.
fn inspect(command: &FuzzCommand) -> Exit {
    let form = match command {
        FuzzCommand::Status { json: true, .. } => Form::Json,
        _ => Form::Text,
    };
    let stage = CommandDisplay::document(Manner::usual(form), FirstSignal::Ends);
    front::run(command.request(), stage, |result, reporter| {
        if let JobResult::Campaign(campaign) = result {
            reporter.text(campaign.to_text().trim_end());
            reporter.json(&JobEvent::Campaign(*campaign).to_line());
        }
        Ok(Exit::DONE)
    })
}
