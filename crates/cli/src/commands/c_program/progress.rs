//! A sign of life for searches that take longer.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Nothing is shown before.
const QUIET: Duration = Duration::from_secs(2);
/// Then it changes so often.
const TICK: Duration = Duration::from_millis(500);

/// While it lives, a line on the terminal says what is done and how long it has taken.
pub struct Watching {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Starts to watch. Without a terminal nothing is shown.
pub fn watch(doing: &'static str, hint: &'static str) -> Watching {
    watch_with(move || doing.to_owned(), hint)
}

/// The same for what changes while it is done.
pub fn watch_with(doing: impl Fn() -> String + Send + 'static, hint: &'static str) -> Watching {
    if !std::io::stderr().is_terminal() {
        return Watching { stop: None, thread: None };
    }
    let (stop, stopped) = channel::<()>();
    let thread = std::thread::spawn(move || {
        let start = Instant::now();
        let mut wait = QUIET;
        let mut is_shown = false;
        while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            eprint!("\r{}, {} s; {hint}\x1b[K", doing(), start.elapsed().as_secs());
            let _ = std::io::stderr().flush();
            (wait, is_shown) = (TICK, true);
        }
        if is_shown {
            eprint!("\r\x1b[K");
        }
    });
    Watching { stop: Some(stop), thread: Some(thread) }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
