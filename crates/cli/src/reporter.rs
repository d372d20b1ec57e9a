//! Where messages go: results and events to standard output, talk to standard error.

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

/// How a command speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// The form of results.
    pub form: Form,
    /// How much is shown beside them.
    pub talk: Talk,
    /// When to use colour.
    pub color: ColorChoice,
}

/// Speaks for one command.
pub struct Reporter {
    form: Form,
    talk: Talk,
    paint: Paint,
    /// Told to stop when nobody reads standard output any more.
    job: Option<JobControl>,
    lost: Option<io::Error>,
}

/// Prints the result of a command that has no job.
///
/// # Errors
/// If it cannot be written, as on a full disk.
pub fn print(bytes: &[u8]) -> Result<Exit, Failure> {
    let mut reporter = Reporter::new(Manner::usual(false), None);
    reporter.result(bytes);
    reporter.end(Exit::DONE)
}

/// How a command ends that would end with `exit` if its output had arrived.
///
/// # Errors
/// If it could not be written: the result is not whole.
pub fn printed(written: Result<(), &io::Error>, exit: Exit) -> Result<Exit, Failure> {
    match written {
        Ok(()) => Ok(exit),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(Exit::Signal(signal_hook::consts::SIGPIPE))
        }
        Err(error) => Err(Failure::environment(format!("cannot write to standard output: {error}"))),
    }
}

/// Says something on standard error. If nobody listens, there is nobody to tell.
pub fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

impl Reporter {
    /// A reporter; when the reader of its results goes away, the job is told to stop.
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

    /// A line of the result for people.
    pub fn text(&mut self, line: &str) {
        if self.form == Form::Text {
            self.result(format!("{line}\n").as_bytes());
        }
    }

    /// A line of JSON, if that is wanted.
    pub fn json(&mut self, line: &str) {
        if self.form == Form::Json {
            self.result(format!("{line}\n").as_bytes());
        }
    }

    /// A part of the result, whatever its form, newline included.
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

    /// Whether the reader of standard output went away.
    pub fn is_broken(&self) -> bool {
        self.lost.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// How a command ends that would end with `exit` if all that it printed had arrived.
    ///
    /// # Errors
    /// If some of it could not be written: the result is not whole.
    pub fn end(&self, exit: Exit) -> Result<Exit, Failure> {
        printed(self.lost.as_ref().map_or(Ok(()), Err), exit)
    }

    /// What a job has to say beside its result.
    pub fn remark(&self, note: &NoteEvent) {
        match note.level {
            NoteLevel::Detail => self.detail(&note.message),
            NoteLevel::Note => self.note(&note.message),
            NoteLevel::Warning => self.warn(&note.message),
        }
    }

    /// Something to know, unless quiet.
    pub fn note(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.say(&format!("{} {text}\n", self.paint.on(Style::Note, "note:")));
        }
    }

    /// Something to know in any case.
    pub fn warn(&self, text: &str) {
        self.say(&format!("{} {text}\n", self.paint.on(Style::Note, "warning:")));
    }

    /// Plain talk, unless quiet.
    pub fn talk_line(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.say(&format!("{text}\n"));
        }
    }

    /// Plain talk, if verbose.
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
