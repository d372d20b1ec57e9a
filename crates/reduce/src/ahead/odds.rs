//! How likely it is that a candidate still fails.
//!
//! Learned from the answers of this search, by pass, by the number of edits that a candidate adds, and by whether the last
//! candidate of the pass failed: successes come in runs. Where little is known, what is known of all passes counts.

use nub_oracle::Verdict;
use rustc_hash::FxHashMap;

/// What is left of the weight of an answer after the next one of its kind.
const FADING: f64 = 0.97;
/// How many answers the more general rate is worth.
const WEIGHT: f64 = 2.0;
/// The chance of a failure before anything is known.
const FIRST: f64 = 0.2;
/// The chance that a run fails again on bytes on which one has failed.
const CONFIRMED: f64 = 0.98;

/// What is known of a candidate before it is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Event {
    pub(super) pass: &'static str,
    /// The logarithm of the number of edits it adds.
    pub(super) log_edits: u32,
    pub(super) after: After,
    /// The run is one more on the same bytes.
    pub(super) is_confirmation: bool,
}

/// What the last candidate of the same pass did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum After {
    /// There was none.
    Nothing,
    Fails,
    Passes,
}

#[derive(Clone, Copy, Default)]
struct Rate {
    n: f64,
    fails: f64,
}

impl Rate {
    fn learn(&mut self, fails: bool) {
        self.n = FADING * self.n + 1.0;
        self.fails = FADING * self.fails + f64::from(u8::from(fails));
    }

    /// The rate, if `prior` is what is expected without it.
    fn given(self, prior: f64) -> f64 {
        (self.fails + WEIGHT * prior) / (self.n + WEIGHT)
    }
}

/// See the module.
#[derive(Default)]
pub(super) struct Odds {
    all: Rate,
    by_shape: FxHashMap<(u32, After), Rate>,
    by_event: FxHashMap<Event, Rate>,
}

impl Odds {
    /// The chance that a candidate still fails.
    pub(super) fn fails(&self, event: &Event) -> f64 {
        if event.is_confirmation {
            return CONFIRMED;
        }
        let shape = self.by_shape.get(&(event.log_edits, event.after)).copied().unwrap_or_default();
        let own = self.by_event.get(event).copied().unwrap_or_default();
        own.given(shape.given(self.all.given(FIRST)))
    }

    pub(super) fn learn(&mut self, event: Option<Event>, verdict: &Verdict) {
        let Some(event) = event.filter(|event| !event.is_confirmation && verdict.is_sure()) else { return };
        let fails = verdict.fails();
        self.all.learn(fails);
        self.by_shape.entry((event.log_edits, event.after)).or_default().learn(fails);
        self.by_event.entry(event).or_default().learn(fails);
    }
}
