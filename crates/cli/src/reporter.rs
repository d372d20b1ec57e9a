//! Results and events go to standard output, other messages to standard error.

use crate::exit::Exit;
use crate::live::Talk;
use crate::render::failure_text;
use crate::terminal::{ColorChoice, Paint, Style};
use nub_jobs::{Failure, JobControl};
use nub_report::{NoteEvent, NoteLevel};
use std::io::{self, Write};

/// The form of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Text,
    /// JSON.
    Json,
    /// Nothing.
    Silent,
}

/// Form and amount of a command's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// The form of results.
    pub form: Form,
    /// How much is shown besides results.
    pub talk: Talk,
    /// When to use colour.
    pub color: ColorChoice,
}

/// Prints the output of one command.
pub struct Reporter {
    form: Form,
    talk: Talk,
    paint: Paint,
    /// The job to stop when standard output is closed.
    job: Option<JobControl>,
    lost: Option<io::Error>,
}

/// Prints the result of a command that has no job.
///
/// # Errors
/// If it cannot be written, as on a full disk.
pub fn print(bytes: &[u8]) -> Result<Exit, Failure> {
    let mut reporter = Reporter::new(Manner::usual(Form::Text), None);
    reporter.result(bytes);
    reporter.end(Exit::DONE)
}

/// The end of a command: `exit`, if all its output was written.
///
/// # Errors
/// If it could not be written: the result is incomplete.
pub fn printed(written: Result<(), &io::Error>, exit: Exit) -> Result<Exit, Failure> {
    match written {
        Ok(()) => Ok(exit),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(Exit::Signal(signal_hook::consts::SIGPIPE))
        }
        Err(error) => Err(Failure::environment(format!("cannot write to standard output: {error}"))),
    }
}

/// Prints to standard error. Errors are ignored: standard error may be closed.
pub fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

impl Reporter {
    /// A reporter; when standard output is closed, the job is told to stop.
    pub fn new(manner: Manner, job: Option<JobControl>) -> Reporter {
        let paint = Paint::for_stderr(manner.color);
        Reporter { form: manner.form, talk: manner.talk, paint, job, lost: None }
    }

    /// How much is shown.
    pub fn talk(&self) -> Talk {
        self.talk
    }

    /// The form of results.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Prints a line of the result as text.
    pub fn text(&mut self, line: &str) {
        if self.form == Form::Text {
            self.result(format!("{line}\n").as_bytes());
        }
    }

    /// Prints a line of JSON, if that is the form.
    pub fn json(&mut self, line: &str) {
        if self.form == Form::Json {
            self.result(format!("{line}\n").as_bytes());
        }
    }

    /// Prints a part of the result, whatever its form, newline included.
    pub fn result(&mut self, bytes: &[u8]) {
        if self.form == Form::Silent || self.lost.is_some() {
            return;
        }
        let mut stdout = io::stdout().lock();
        self.lost = stdout.write_all(bytes).and_then(|()| stdout.flush()).err();
        if let Some(job) = self.job.as_ref().filter(|_| self.is_broken()) {
            job.cancel();
        }
    }

    /// Whether standard output was closed.
    pub fn is_broken(&self) -> bool {
        self.lost.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The end of a command: `exit`, if all its output was written.
    ///
    /// # Errors
    /// If some of it could not be written: the result is incomplete.
    pub fn end(&self, exit: Exit) -> Result<Exit, Failure> {
        printed(self.lost.as_ref().map_or(Ok(()), Err), exit)
    }

    /// Prints a note of a job.
    pub fn remark(&self, note: &NoteEvent) {
        match note.level {
            NoteLevel::Detail => self.detail(&note.message),
            NoteLevel::Note => self.note(&note.message),
            NoteLevel::Warning => self.warn(&note.message),
        }
    }

    /// Prints a note, unless quiet.
    pub fn note(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.say(&format!("{} {text}\n", self.paint.on(Style::Note, "note:")));
        }
    }

    /// Prints a warning, even if quiet.
    pub fn warn(&self, text: &str) {
        self.say(&format!("{} {text}\n", self.paint.on(Style::Note, "warning:")));
    }

    /// Prints a plain line, unless quiet.
    pub fn talk_line(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.say(&format!("{text}\n"));
        }
    }

    /// Prints a plain line, if verbose.
    fn detail(&self, text: &str) {
        if self.talk == Talk::Verbose {
            self.say(&format!("{}\n", self.paint.on(Style::Faint, text)));
        }
    }

    /// An error.
    pub fn failure(&self, failure: &Failure) {
        self.say(&failure_text(failure, self.paint));
    }

    fn say(&self, text: &str) {
        tell(text);
    }
}
