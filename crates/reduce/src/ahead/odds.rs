//! How likely it is that a candidate still fails.
//!
//! Learned from the answers of this search, by pass, by the number of edits that a candidate adds, and by whether the last
//! candidate of the pass failed: successes come in runs. Where little is known, the rate over all passes is used.

use nub_oracle::Verdict;
use rustc_hash::FxHashMap;

/// Factor by which the weight of an answer decreases with each later one of its kind.
const FADING: f64 = 0.97;
/// The weight of a prior, in answers: of the rate over all passes for one pass, and of the expected rate of any search for all
/// passes.
const WEIGHT: f64 = 2.0;
const FIRST_WEIGHT: f64 = 8.0;
/// The initial probability that a candidate fails, by the result of the last candidate and by the logarithm of the number of edits:
/// measured over about 5,000 asks of 21 reductions.
const FIRST: [[f64; 5]; 3] =
    [[0.23, 0.14, 0.25, 0.6, 0.6], [0.54, 0.3, 0.4, 0.6, 0.85], [0.09, 0.16, 0.3, 0.47, 0.47]];
/// The share of all candidates that failed in these reductions.
const FIRST_LEVEL: f64 = 0.2;
/// The probability that a second run on failing bytes fails too.
const CONFIRMED: f64 = 0.98;

/// What is known about a candidate before it is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Event {
    pub(super) pass: &'static str,
    /// The logarithm of the number of edits it adds.
    pub(super) log_edits: u32,
    pub(super) after: After,
    /// Whether the run repeats one on the same bytes.
    pub(super) is_confirmation: bool,
}

/// The result of the last candidate of the same pass.
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

    /// The rate, combined with the prior `prior`, which counts as `weight` answers.
    fn given(self, prior: f64, weight: f64) -> f64 {
        (self.fails + weight * prior) / (self.n + weight)
    }
}

/// The statistics that probabilities are computed from.
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

    /// The expected rate of such a candidate in any search, shifted by half of the difference between this search and
    /// others.
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
