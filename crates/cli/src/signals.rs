//! SIGINT, SIGTERM and SIGHUP: the first asks nicely, the second insists, the third is the system's.

use nub_process::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time that is left for removing temporary files after a second signal.
const LAST_CHANCE: Duration = Duration::from_millis(150);

/// Which signal came, if any.
#[derive(Clone, Default)]
pub struct Interrupt {
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Watches for signals from now on. The first one raises all of `cancels`; the second kills what runs without grace
    /// and ends this process soon, after all last wishes, the third at once.
    pub fn watch(cancels: Vec<Cancel>) -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        IS_WATCHED.store(true, Ordering::SeqCst);
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let seen = interrupt.clone();
        std::thread::spawn(move || {
            let mut n_signals = 0;
            for signal in signals.forever() {
                n_signals += 1;
                seen.signal.store(signal, Ordering::SeqCst);
                match n_signals {
                    1 => cancels.iter().for_each(Cancel::cancel),
                    2 => {
                        cancels.iter().for_each(Cancel::cancel_now);
                        std::thread::spawn(move || {
                            std::thread::sleep(LAST_CHANCE);
                            fulfil_wishes();
                            die_of(signal);
                        });
                    }
                    _ => die_of(signal),
                }
            }
        });
        Ok(interrupt)
    }

    /// The last signal that came.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }
}

type LastWish = Box<dyn FnOnce() + Send>;

static LAST_WISHES: Mutex<Vec<LastWish>> = Mutex::new(Vec::new());
/// Somebody else decides what a signal does.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

fn wishes() -> MutexGuard<'static, Vec<LastWish>> {
    LAST_WISHES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fulfil_wishes() {
    wishes().drain(..).for_each(|wish| wish());
}

/// From now on the first signal ends this process after `last_wish` and those before it: for commands that have nothing to show before
/// their end. With an [`Interrupt`] that is the second signal.
pub fn before_end(last_wish: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut known = wishes();
    if known.is_empty() && !IS_WATCHED.load(Ordering::SeqCst) {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                fulfil_wishes();
                die_of(signal);
            }
        });
    }
    known.push(Box::new(last_wish));
    Ok(())
}

/// Ends this process with the true status of a signal.
pub fn die_of(signal: i32) {
    // Returns only if the signal's default is to do nothing, which is not the case for ours.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
