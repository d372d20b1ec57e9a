//! Starts a job, prints its events, and waits for its end.

use crate::exit::Exit;
use crate::live::{LiveLine, Talk};
use crate::reporter::{Form, Manner, Reporter};
use crate::signals::{FirstSignal, Interrupt};
use crate::terminal::ColorChoice;
use nub_jobs::{Failure, JobContext, JobEvent, JobRequest, JobResult, quote_word, sanitize, start};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How often the live line is updated while nothing happens.
const TICK: Duration = Duration::from_millis(100);

/// How a command is shown.
#[derive(Clone, Copy, Debug)]
pub struct CommandDisplay {
    /// Form and amount of output.
    pub manner: Manner,
    /// Whether JSON is a stream of events, or one document at the end.
    pub json: JsonForm,
    /// What the first signal does.
    pub first_signal: FirstSignal,
    /// Rewords failures for the command.
    pub adapt: fn(Failure) -> Failure,
}

impl CommandDisplay {
    /// For a command whose result is one text or document.
    pub fn document(manner: Manner, first_signal: FirstSignal) -> CommandDisplay {
        CommandDisplay { manner, json: JsonForm::Document, first_signal, adapt: |failure| failure }
    }

    /// For a command that reports events.
    pub fn events(manner: Manner) -> CommandDisplay {
        let first_signal = FirstSignal::Finishes;
        CommandDisplay { manner, json: JsonForm::Events, first_signal, adapt: |failure| failure }
    }
}

/// What JSON a command prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonForm {
    /// One event per line, as it happens.
    Events,
    /// One document at the end.
    Document,
}

impl Manner {
    /// The default amount of output, with results in this form.
    pub fn usual(form: Form) -> Manner {
        Manner { form, talk: Talk::Normal, color: ColorChoice::Auto }
    }
}

/// The command line, quoted for a shell.
fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| quote_word(&sanitize(word.as_encoded_bytes())));
    ["nub".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Runs a job and passes its result to `finish`, which prints it and returns the exit.
pub fn run(
    request: JobRequest,
    stage: CommandDisplay,
    finish: impl FnOnce(JobResult, &mut Reporter) -> Result<Exit, Failure>,
) -> Exit {
    let context = match JobContext::of_process() {
        Ok(context) => context.with_stdin().with_command_line(command_line()),
        Err(failure) => return refuse(&failure, stage.manner),
    };
    let handle = start(request, context);
    let mut reporter = Reporter::new(stage.manner, Some(handle.control()));
    let interrupt = match Interrupt::watch(handle.control(), stage.first_signal) {
        Ok(interrupt) => interrupt,
        Err(error) => {
            handle.stop_now();
            return fail(&Failure::environment(format!("cannot watch for signals: {error}")), &reporter);
        }
    };
    let mut live = LiveLine::new(stage.manner.talk);
    loop {
        match handle.events().recv_timeout(TICK) {
            Ok(event) => show(event, stage.json, &interrupt, &mut live, &mut reporter),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        live.tick();
    }
    live.clear();
    let exit = match handle.join().result {
        Ok(result) => finish(result, &mut reporter).unwrap_or_else(|failure| fail(&failure, &reporter)),
        Err(failure) if says_why(stage, &interrupt) && !reporter.is_broken() => {
            fail(&(stage.adapt)(failure), &reporter)
        }
        Err(failure) => failure.kind.into(),
    };
    match interrupt.signal() {
        Some(signal) => Exit::Signal(signal),
        None => reporter.end(exit).unwrap_or_else(|failure| fail(&failure, &reporter)),
    }
}

/// Reports an error before a job is started.
pub fn refuse(failure: &Failure, manner: Manner) -> Exit {
    let mut reporter = Reporter::new(manner, None);
    reporter.json(&failure.to_event().to_line());
    fail(failure, &reporter)
}

/// Whether a missing result must be explained. Not if the user stopped a reduction or a campaign; a search that was told to finish
/// says what it did not find.
fn says_why(stage: CommandDisplay, interrupt: &Interrupt) -> bool {
    let finishes = stage.first_signal == FirstSignal::Finishes && stage.json == JsonForm::Document;
    interrupt.signal().is_none() || finishes
}

fn fail(failure: &Failure, reporter: &Reporter) -> Exit {
    reporter.failure(failure);
    failure.kind.into()
}

fn show(
    event: JobEvent,
    json: JsonForm,
    interrupt: &Interrupt,
    live: &mut LiveLine,
    reporter: &mut Reporter,
) {
    match &event {
        JobEvent::Progress(progress) => return live.progress(progress.clone()),
        JobEvent::Note(note) => {
            live.clear();
            return reporter.remark(note);
        }
        JobEvent::Output(output) if json == JsonForm::Document || reporter.form() != Form::Json => {
            return reporter.result(&output.text);
        }
        // A comparison is printed at the end.
        JobEvent::Compared(_) => return,
        JobEvent::Start(start) => live.begin(start),
        JobEvent::Accepted(step) => live.accepted(step),
        JobEvent::Found(group) => {
            live.clear();
            let word = if group.state == "regression" { "REGRESSION" } else { "found" };
            reporter.text(&format!("{word} {}: {}", group.name, sanitize(group.title.as_bytes())));
        }
        JobEvent::Reduced(group) => {
            live.clear();
            let note = if group.note.is_empty() { String::new() } else { format!(" ({})", group.note) };
            let sizes = [group.bytes_before, group.bytes_after].map(Option::unwrap_or_default);
            let [before, after] = sizes;
            reporter
                .text(&format!("reduced {}: {before} to {after} bytes{note}: {}", group.name, group.file));
        }
        JobEvent::Withdrawn(group) => {
            live.clear();
            reporter.text(&format!("withdrawn {}: it could not be reproduced for its reduction", group.name));
        }
        JobEvent::Refused(_) | JobEvent::Error(_) if interrupt.signal().is_some() => return,
        _ => {}
    }
    if json == JsonForm::Events {
        reporter.json(&event.to_line());
    }
}
