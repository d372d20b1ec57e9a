//! SIGINT, SIGTERM and SIGHUP: the first lets the job finish if it has begun, the second kills it, the third has the default
//! action.

use nub_jobs::JobControl;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// Time for removing temporary files after a second signal.
const LAST_CHANCE: Duration = Duration::from_millis(150);

/// What the first signal does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstSignal {
    /// The job finishes with the best so far.
    Finishes,
    /// The job has no partial result: it is stopped, and this process ends.
    Ends,
}

/// The last signal received, if any.
#[derive(Clone, Default)]
pub struct Interrupt {
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Watches for signals from now on. The second one kills all running programs and ends this process soon, the third ends
    /// it immediately.
    pub fn watch(job: JobControl, first: FirstSignal) -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let seen = interrupt.clone();
        std::thread::spawn(move || {
            let mut n_signals = if first == FirstSignal::Ends { 1 } else { 0 };
            for signal in signals.forever() {
                n_signals += 1;
                seen.signal.store(signal, Ordering::SeqCst);
                match n_signals {
                    1 => {
                        job.cancel();
                        // While a job waits for a file that it must read first, such as a pipe that nobody writes to, there is nothing to finish.
                        end(job.clone(), signal, JobControl::is_reading);
                    }
                    2 => end(job.clone(), signal, |_| true),
                    _ => die_of(signal),
                }
            }
        });
        Ok(interrupt)
    }

    /// The last signal received.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }
}

/// Once it is due, stops the job and ends this process, unless it ends by itself first.
fn end(job: JobControl, signal: i32, is_due: fn(&JobControl) -> bool) {
    std::thread::spawn(move || {
        while !is_due(&job) {
            std::thread::sleep(LAST_CHANCE);
        }
        job.stop_now();
        std::thread::sleep(LAST_CHANCE);
        die_of(signal);
    });
}

/// Ends this process by the signal, so that its exit status is correct.
pub fn die_of(signal: i32) {
    // Returns only if the default action of the signal is to do nothing, which is not the case for these.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
