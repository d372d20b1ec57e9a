//! What the engine learns about the edits of a subject: which have failed, and which kinds never succeed.

use super::SearchState;
use crate::SubjectFormat;
use crate::layered::Layered;
use crate::schedule::{self, Round};
use nub_edits::Edit;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// In a large subject, failed edits are asked again after it has shrunk by one part in this many.
const RETRY_PART: usize = 8;
/// A large subject is stubborn if less than this share of recent asks succeeded: groups of edits would only fail
/// together. The second figure is the number of recent asks.
const STUBBORN: f64 = 0.1;
const LAST_ASKS: f64 = 64.0;
/// An ask is worthwhile while it gains one part of the subject in this many on average.
const WORTHWHILE_PART: u64 = 2_500;
/// The minimum number of asks that a kind of edit is allowed, and the maximum without a success.
const MIN_PATIENCE: u64 = 12;
const MAX_PATIENCE: u64 = 64;
/// The share of these asks that every later round is allowed, and the minimum.
const LATER_PART: u64 = 8;
const MIN_LATER: u64 = 2;
/// Up to this size every edit is asked.
const SMALL: usize = 600;

/// What has been learned so far.
pub(super) struct Learned {
    /// Edits that failed alone, with the size of the subject when they did.
    failed: Layered<u64, u32>,
    /// The same for edits of a large subject that start in the same way.
    alike: Layered<u64, Alike>,
    /// The results of each kind of edit so far.
    kinds: FxHashMap<Kind, Round>,
    /// The probability that a single edit of a pass succeeds, from its last round.
    priors: FxHashMap<&'static str, f64>,
    /// The share of recent asks that succeeded.
    yielding: f64,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned {
            failed: Layered::default(),
            alike: Layered::default(),
            kinds: FxHashMap::default(),
            priors: FxHashMap::default(),
            yielding: 1.0,
        }
    }
}

impl Learned {
    /// Counts an ask in the share of recent asks that succeeded; older ones lose weight.
    pub(super) fn fade(&mut self) {
        self.yielding *= 1.0 - 1.0 / LAST_ASKS;
    }

    /// Counts a success in that share.
    pub(super) fn brighten(&mut self) {
        self.yielding += 1.0 / LAST_ASKS;
    }

    /// Forgets which edits failed: the search continues elsewhere.
    pub(super) fn forget_failures(&mut self) {
        self.failed.clear();
        self.alike.clear();
    }

    /// A copy.
    pub(super) fn fork(&mut self) -> Learned {
        Learned {
            failed: self.failed.fork(),
            alike: self.alike.fork(),
            kinds: self.kinds.clone(),
            priors: self.priors.clone(),
            yielding: self.yielding,
        }
    }
}

impl<F: SubjectFormat> SearchState<'_, F> {
    /// Removes edits that failed before. In a small subject: those in the same context, unless they are to be asked
    /// again. In a large one, edits that start in the same way are only counted: as many are removed as have failed,
    /// while the subject has shrunk little. Where hardly anything succeeds, an edit that has only moved would fail again.
    pub(super) fn leave_out_failed(&self, pass: &'static str, edits: &mut Vec<Edit>) {
        if self.learned.failed.is_empty() {
            return;
        }
        let (text, context) = (self.format.text(&self.view), self.format.context());
        if self.is_thorough() {
            edits.retain(|edit| match self.learned.failed.get(&edit_key(pass, text, edit, context)) {
                Some(size) => self.retry_failed && size as usize > text.len(),
                None => true,
            });
            return;
        }
        let mut left_out: FxHashMap<u64, u32> = FxHashMap::default();
        edits.retain(|edit| {
            let key = likeness(pass, text, edit, context);
            let Some(alike) = self.learned.alike.get(&key).filter(|alike| alike.is_recent(text.len())) else {
                return true;
            };
            let n = left_out.entry(key).or_default();
            *n += 1;
            *n > alike.n
        });
    }

    /// Whether every edit is to be asked on the final subject.
    fn is_thorough(&self) -> bool {
        !self.may_give_up || self.text().len() <= SMALL
    }

    /// Remembers that an edit failed alone.
    pub(crate) fn remember_failure(&mut self, pass: &'static str, edit: &Edit) {
        let (text, context) = (self.format.text(&self.view), self.format.context());
        let size = text.len() as u32;
        self.learned.failed.insert(edit_key(pass, text, edit, context), size);
        if !self.is_thorough() {
            let key = likeness(pass, text, edit, context);
            let known = self.learned.alike.get(&key).filter(|alike| alike.is_recent(text.len()));
            let alike = known.unwrap_or(Alike { n: 0, size });
            self.learned.alike.insert(key, Alike { n: alike.n + 1, ..alike });
        }
    }

    /// How many edits of a pass are asked together in the first round.
    pub(crate) fn first_size(&self, pass: &'static str, n: usize) -> usize {
        if !self.is_thorough() && self.learned.yielding < STUBBORN {
            return 1;
        }
        schedule::first_size(n, self.learned.priors.get(pass).copied())
    }

    /// How many asks a round of single edits of one kind may spend without a success, so that an irreducible
    /// subject is recognised early. There is no limit on a small subject, or if the strategy forbids giving up.
    ///
    /// After `accepted` successes in `asked` asks the next one succeeds with probability of about (accepted + ½) /
    /// (asked + 1). An ask is worthwhile while this probability times the gain is a sufficient part of the subject:
    /// large edits are tried longer than small ones, and kinds that have succeeded here longer than others.
    pub(crate) fn patience(&self, kind: Kind) -> u64 {
        if self.is_thorough() {
            return u64::MAX;
        }
        let Round { asked, accepted } = self.learned.kinds.get(&kind).copied().unwrap_or_default();
        let worthwhile =
            kind.gain() * WORTHWHILE_PART * (2 * accepted + 1) / (2 * self.text().len() as u64 + 1);
        let allowed = match accepted {
            0 => worthwhile.clamp(MIN_PATIENCE, MAX_PATIENCE),
            _ => worthwhile.max(MIN_PATIENCE),
        };
        allowed.saturating_sub(asked).max(allowed.min(MAX_PATIENCE) / LATER_PART).max(MIN_LATER)
    }

    /// Remembers the probability that a single edit succeeds.
    pub(crate) fn remember_probability(&mut self, pass: &'static str, probability: f64) {
        self.learned.priors.insert(pass, probability);
    }

    /// Remembers the results of a round of edits of one kind.
    pub(crate) fn remember_round(&mut self, kind: Kind, round: Round) {
        let known = self.learned.kinds.entry(kind).or_default();
        known.asked += round.asked;
        known.accepted += round.accepted;
    }
}

/// Edits of the same pass with a similar gain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kind {
    pass: &'static str,
    /// Logarithm of the median gain in bytes, rounded down.
    log_gain: u32,
}

impl Kind {
    pub(crate) fn of(pass: &'static str, edits: &[Edit]) -> Kind {
        let mut gains: Vec<i64> = edits.iter().map(Edit::gain).collect();
        let middle = gains.len() / 2;
        let median = if gains.is_empty() { 0 } else { *gains.select_nth_unstable(middle).1 };
        Kind { pass, log_gain: median.max(1).ilog2() }
    }

    fn gain(self) -> u64 {
        1 << self.log_gain
    }
}

/// Failed edits that start in the same way.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    n: u32,
    /// Size of the subject when the first of them failed.
    size: u32,
}

impl Alike {
    /// Whether a subject of `bytes` has shrunk little since then.
    fn is_recent(&self, bytes: usize) -> bool {
        self.size as usize <= bytes + bytes / RETRY_PART
    }
}

/// Recognises an edit after something inside it has changed: by the bytes around the start of each of its splices.
fn likeness(pass: &str, text: &[u8], edit: &Edit, context: usize) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(pass.as_bytes());
    for splice in &edit.splices {
        let start = splice.span.range().start;
        hasher.write(&text[start.saturating_sub(context)..(start + context).min(text.len())]);
        hasher.write(&splice.text);
    }
    hasher.finish()
}

/// Recognises an edit after the subject has changed elsewhere: by pass, new text, length, and the bytes at both
/// ends of the removed text.
fn edit_key(pass: &str, text: &[u8], edit: &Edit, context: usize) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(pass.as_bytes());
    for splice in &edit.splices {
        let range = splice.span.range();
        let head = range.start.saturating_sub(context)..(range.start + context).min(text.len());
        let tail = range.end.saturating_sub(context)..(range.end + context).min(text.len());
        hasher.write(&text[head]);
        hasher.write(&text[tail]);
        hasher.write(&splice.text);
        hasher.write_usize(splice.span.len());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::SmtLib;
    use crate::{AllowedCandidates, Engine, Quiet, ReduceConfig};
    use nub_oracle::FnOracle;
    use nub_process::Cancel;
    use nub_text::Span;

    /// Runs `work` with an engine that may give up, on `bytes` bytes of comments.
    fn with_engine<T>(bytes: usize, work: impl FnOnce(&mut SearchState<'_, SmtLib>) -> T) -> T {
        let subject = ";a (f x)\n".repeat(bytes / 9).into_bytes();
        let format = SmtLib::new(&subject, AllowedCandidates::Any);
        let oracle = FnOracle::new(|_: &[u8]| false);
        let cancel = Cancel::new();
        let (result, ..) =
            Engine::run(&format, &oracle, subject, ReduceConfig::default(), &cancel, &mut Quiet, |engine| {
                engine.state.may_give_up = true;
                work(&mut engine.state)
            });
        result
    }

    fn cuts(bytes: usize) -> Vec<Edit> {
        (0..10).map(|i| Edit::cut(Span::new(9 * i, 9 * i + bytes))).collect()
    }

    #[test]
    fn large_edits_and_those_that_have_paid_are_asked_longer() {
        with_engine(2_000, |engine| {
            let (small, large) = (Kind::of("cut", &cuts(4)), Kind::of("cut", &cuts(80)));
            assert_eq!((engine.patience(small), engine.patience(large)), (12, 40));
            engine.remember_round(large, Round { asked: 30, accepted: 0 });
            assert_eq!(engine.patience(large), 10);
            engine.remember_round(large, Round { asked: 100, accepted: 0 });
            assert_eq!(engine.patience(large), 5, "a few in every later round");
            engine.remember_round(large, Round { asked: 0, accepted: 5 });
            assert!(engine.patience(large) > 300);
            assert_eq!(engine.patience(small), 12);
            engine.may_give_up = false;
            assert_eq!(engine.patience(small), u64::MAX);
        });
        with_engine(SMALL, |engine| assert_eq!(engine.patience(Kind::of("cut", &cuts(4))), u64::MAX));
    }

    #[test]
    fn of_edits_that_begin_alike_as_many_are_left_out_as_failed() {
        with_engine(2_000, |engine| {
            // Far enough from the start for all of them to look the same.
            let all: Vec<Edit> = (20..25).map(|i| Edit::cut(Span::new(9 * i, 9 * i + 9))).collect();
            engine.remember_failure("cut", &all[3]);
            engine.remember_failure("cut", &all[0]);
            let mut left = all.clone();
            engine.leave_out_failed("cut", &mut left);
            assert_eq!(left, all[2..]);
            let mut of_another = all.clone();
            engine.leave_out_failed("hoist", &mut of_another);
            assert_eq!(of_another, all);
        });
    }

    #[test]
    fn what_failed_is_asked_again_when_a_good_part_has_gone() {
        let alike = Alike { n: 1, size: 900 };
        assert!(alike.is_recent(800));
        assert!(!alike.is_recent(799));
    }

    #[test]
    fn a_subject_on_which_nothing_succeeds_is_asked_edit_by_edit() {
        with_engine(2_000, |engine| {
            assert_eq!(engine.first_size("cut", 50), 50);
            for _ in 0..200 {
                engine.learned.fade();
            }
            assert_eq!(engine.first_size("cut", 50), 1);
            engine.may_give_up = false;
            assert_eq!(engine.first_size("cut", 50), 50);
        });
    }
}
