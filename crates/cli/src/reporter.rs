//! Where messages go: results and events to standard output, talk to standard error.

use crate::exit::{Exit, Failure};
use crate::progress::Talk;
use crate::render::failure_text;
use crate::terminal::{ColorChoice, Paint, Style};
use nub_process::Cancel;
use nub_report::{Event, Fault, Refused};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The form of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Text,
    /// Events, one JSON object per line.
    Json,
    /// Nothing.
    Silent,
}

/// Speaks for one command.
#[derive(Clone)]
pub struct Reporter {
    form: Form,
    talk: Talk,
    paint: Paint,
    /// Raised when nobody reads standard output any more.
    cancels: Vec<Cancel>,
    is_broken: Arc<AtomicBool>,
}

impl Reporter {
    /// A reporter; when the reader of its events goes away, `cancels` are raised.
    pub fn new(form: Form, talk: Talk, color: ColorChoice, cancels: Vec<Cancel>) -> Reporter {
        Reporter { form, talk, paint: Paint::for_stderr(color), cancels, is_broken: Arc::default() }
    }

    /// How much is shown.
    pub fn talk(&self) -> Talk {
        self.talk
    }

    /// An event, if events are wanted.
    pub fn event(&self, make: impl FnOnce() -> Event) {
        if self.form == Form::Json {
            self.result(&make().to_line());
        }
    }

    /// An event of another kind, as a line, if events are wanted.
    pub fn event_line(&self, make: impl FnOnce() -> String) {
        if self.form == Form::Json {
            self.result(&make());
        }
    }

    /// A line of the result for people.
    pub fn text(&self, line: &str) {
        if self.form == Form::Text {
            self.result(line);
        }
    }

    /// The result, whatever its form.
    pub fn line(&self, line: &str) {
        self.result(line);
    }

    fn result(&self, line: &str) {
        let mut stdout = io::stdout().lock();
        let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        if written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            self.is_broken.store(true, Ordering::Relaxed);
            self.cancels.iter().for_each(Cancel::cancel);
        }
    }

    /// Whether the reader of standard output went away.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
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
    pub fn detail(&self, text: &str) {
        if self.talk == Talk::Verbose {
            self.say(&format!("{}\n", self.paint.on(Style::Faint, text)));
        }
    }

    /// An error.
    pub fn failure(&self, failure: &Failure) -> Exit {
        self.event(|| match failure.exit {
            Exit::Refused => {
                Event::Refused(Refused { message: failure.message.clone(), hint: failure.hint.clone() })
            }
            exit => Event::Error(Fault {
                exit: exit.code(),
                message: failure.message.clone(),
                hint: failure.hint.clone(),
                place: failure.place.clone(),
            }),
        });
        self.say(&failure_text(failure, self.paint));
        failure.exit
    }

    fn say(&self, text: &str) {
        // If nobody listens, there is nobody to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}
