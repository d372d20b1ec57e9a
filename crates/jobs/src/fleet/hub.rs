//! Runs a NATS server for users who have none.

use super::failure;
use super::login::first_line;
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::HubJob;
use crate::result::JobResult;
use nub_fleet::{Hub, HubOptions};

/// Runs the server until told to stop.
pub(crate) fn hub(job: &Job, request: &HubJob) -> Result<JobResult, Failure> {
    let options = HubOptions {
        host: request.host.clone(),
        port: request.port,
        folder: std::path::absolute(&request.folder)
            .map_err(|error| Failure::environment(format!("{}: {error}", request.folder.display())))?,
        login: login(request)?,
        tls: request.certificate.clone().zip(request.key.clone()),
    };
    if options.login.is_none() && !options.is_local() {
        return Err(Failure::new(
            FailureKind::Refused,
            format!("anyone who can reach {} could run the workers' programs", options.host),
        )
        .with_hint("give --user NAME and --password-file FILE, or listen on 127.0.0.1"));
    }
    let shown = options.shown();
    let hub = Hub::set_up(options).map_err(failure)?;
    let runner = job.context.runner()?;
    let events = job.events.clone();
    hub.run(&runner, job.control.search(), &|| {
        events.output(format!("{shown}\n").as_bytes());
        events.note(format!("`nub worker --join {shown}` joins; Ctrl-C stops the server"));
    })
    .map_err(failure)?;
    Ok(JobResult::Told)
}

fn login(request: &HubJob) -> Result<Option<(String, String)>, Failure> {
    let (user, file) = match (&request.user, &request.password_file) {
        (None, None) => return Ok(None),
        (Some(user), Some(file)) => (user.clone(), file),
        _ => return Err(Failure::usage("--user and --password-file belong together")),
    };
    Ok(Some((user, first_line(file)?)))
}
