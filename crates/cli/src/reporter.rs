//! Results and events go to standard output, other messages to standard error.

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
    is_broken: bool,
}

impl Reporter {
    /// A reporter; when standard output is closed, the job is told to stop.
    pub fn new(manner: Manner, job: Option<JobControl>) -> Reporter {
        let paint = Paint::for_stderr(manner.color);
        Reporter { form: manner.form, talk: manner.talk, paint, job, is_broken: false }
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
        if self.form == Form::Silent || self.is_broken {
            return;
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        if written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            self.is_broken = true;
            if let Some(job) = &self.job {
                job.cancel();
            }
        }
    }

    /// Whether standard output was closed.
    pub fn is_broken(&self) -> bool {
        self.is_broken
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
        // Errors are ignored if standard error is closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}
