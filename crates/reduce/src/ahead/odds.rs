//! How likely it is that a candidate still fails.
//!
//! Learned from the answers of this search, by pass, by the number of edits that a candidate adds, and by whether the last
//! candidate of the pass failed: successes come in runs. Where little is known, what is known of all passes counts.

use nub_oracle::Verdict;
use rustc_hash::FxHashMap;

/// What is left of the weight of an answer after the next one of its kind.
const FADING: f64 = 0.97;
/// How many answers of a pass the rate of all passes is worth, and how many answers of all passes what is expected of every search.
const WEIGHT: f64 = 2.0;
const FIRST_WEIGHT: f64 = 8.0;
/// The chance of a failure before anything is known, by what the last candidate did and by the logarithm of the number of edits: the rates
/// in about 5,000 asks of 21 reductions.
const FIRST: [[f64; 5]; 3] =
    [[0.23, 0.14, 0.25, 0.6, 0.6], [0.54, 0.3, 0.4, 0.6, 0.85], [0.09, 0.16, 0.3, 0.47, 0.47]];
/// The share of all candidates that failed there.
const FIRST_LEVEL: f64 = 0.2;
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

    /// The rate, if `prior` is what is expected without it and worth `weight` answers.
    fn given(self, prior: f64, weight: f64) -> f64 {
        (self.fails + weight * prior) / (self.n + weight)
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
        own.given(shape.given(self.first(event), FIRST_WEIGHT), WEIGHT)
    }

    /// What is expected of the shape in every search, shifted by half of what this one yields more or less than others.
    fn first(&self, event: &Event) -> f64 {
        let shape = (event.log_edits as usize).min(FIRST[0].len() - 1);
        let shift = logit(self.all.given(FIRST_LEVEL, FIRST_WEIGHT)) - logit(FIRST_LEVEL);
        1.0 / (1.0 + (-logit(FIRST[event.after as usize][shape]) - shift / 2.0).exp())
    }

    pub(super) fn learn(&mut self, event: Option<Event>, verdict: &Verdict) {
        let Some(event) = event.filter(|event| !event.is_confirmation && verdict.is_sure()) else { return };
        let fails = verdict.fails();
        self.all.learn(fails);
        self.by_shape.entry((event.log_edits, event.after)).or_default().learn(fails);
        self.by_event.entry(event).or_default().learn(fails);
    }
}

fn logit(chance: f64) -> f64 {
    (chance / (1.0 - chance)).ln()
}
