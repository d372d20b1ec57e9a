//! Reports periodically what a search is doing.

use crate::handle::Job;
use nub_report::{Progress, SearchProgress};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two reports.
const PERIOD: Duration = Duration::from_millis(500);

/// Sends progress events until it is dropped.
pub(crate) struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Job {
    /// Reports from now on what is being done, with a hint how to avoid the rest of it.
    pub(crate) fn searching(&self, doing: &str, hint: &str) {
        let progress = Progress::Search(SearchProgress { doing: doing.to_owned(), hint: hint.to_owned() });
        self.events.show(progress);
    }

    /// The same with a description that changes.
    pub(crate) fn searching_with(
        &self,
        doing: impl Fn() -> String + Send + 'static,
        hint: &'static str,
    ) -> Ticker {
        let (stop, stopped) = channel::<()>();
        let events = self.events.clone();
        let mut before = doing();
        self.searching(&before, hint);
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                let now = doing();
                if now != before {
                    before.clone_from(&now);
                    let progress = Progress::Search(SearchProgress { doing: now, hint: hint.to_owned() });
                    events.show(progress);
                }
            }
        });
        Ticker { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
