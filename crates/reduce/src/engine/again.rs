//! Further descents: the search starts again at an earlier subject, in another order.
//!
//! A fixpoint is a local minimum. Which one is reached depends on the order of the steps: a constant that became `false`
//! early may be what a later merge of two variables needed. Small subjects are cheap to ask, so a second descent pays off,
//! starting where the subject was a few times as large, with edits shuffled and passes in another order. Its result counts
//! only if it is smaller than the best known one; until then it is not reported, and the file on disk stays the best one.

use super::{Engine, SearchState};
use crate::{ReductionStop, SubjectFormat, is_smaller};
use std::rc::Rc;
use std::sync::Arc;

/// Subjects above this size are not kept: a second descent from there would cost as much as the first.
const MAX_BYTES: usize = 1 << 14;
/// A subject is kept when it is smaller than the last one kept by at least one part in this many.
const PARTS: usize = 5;

/// Subjects of the first descent, each smaller than the one before: O(log n) of them.
#[derive(Clone, Default)]
pub(super) struct Trail {
    subjects: Vec<Arc<Vec<u8>>>,
}

impl Trail {
    pub(super) fn pass_by(&mut self, subject: &[u8]) {
        let last = self.subjects.last().map_or(usize::MAX, |last| last.len());
        if subject.len() <= MAX_BYTES && subject.len() <= last - last / PARTS {
            self.subjects.push(Arc::new(subject.to_vec()));
        }
    }

    /// The smallest subject of at least `bytes`, or the largest there is.
    fn near(&self, bytes: usize) -> Option<&Arc<Vec<u8>>> {
        self.subjects.iter().rev().find(|subject| subject.len() >= bytes).or(self.subjects.first())
    }
}

/// A further descent.
pub(crate) struct Way {
    /// It starts at a subject of at least this size, if there was one.
    pub(crate) bytes: usize,
    /// Shuffles the edits of every pass.
    pub(crate) seed: u64,
    /// Maximum number of asks.
    pub(crate) max_asks: u64,
}

impl<'e, F: SubjectFormat> Engine<'e, F> {
    /// Descends again with `work`. True if that found something smaller; otherwise the subject is restored.
    pub(crate) fn again(
        &mut self,
        way: &Way,
        work: impl FnOnce(&mut Engine<'e, F>) -> Result<(), ReductionStop>,
    ) -> Result<bool, ReductionStop> {
        if !self.noted(|engine| engine.state.begin_way(way)) {
            return Ok(false);
        }
        let result = work(self);
        if self.found.is_some() {
            return result.map(|()| false);
        }
        let found = self.noted(|engine| engine.state.end_way());
        // An error can be ignored, as in a pass: the file on disk fails.
        let _ = self.tell();
        match result {
            Err(ReductionStop::MaxAsks) if self.check_stop().is_ok() => Ok(found),
            other => other.map(|()| found),
        }
    }
}

impl<F: SubjectFormat> SearchState<'_, F> {
    /// False if there is no subject to start from.
    fn begin_way(&mut self, way: &Way) -> bool {
        let best = Arc::new(self.text().to_vec());
        let Some(start) = self.trail.near(way.bytes).filter(|start| is_smaller(&best, start)) else {
            return false;
        };
        self.view = Rc::new(self.format.read(start.to_vec()));
        self.best = None;
        self.learned.forget_failures();
        self.end = self.format.canonical(&self.format.read(best.to_vec())).map(Rc::new);
        self.bar = Some(best);
        self.first_seed = std::mem::replace(&mut self.config.seed, way.seed);
        self.ration = Some(self.stats.asks + way.max_asks);
        true
    }

    /// Whether the descent has found something smaller. If not, the subject is restored.
    fn end_way(&mut self) -> bool {
        self.rebase();
        self.ration = None;
        self.end = None;
        self.config.seed = self.first_seed;
        let Some(best) = self.bar.take() else { return true };
        self.best = None;
        self.view = Rc::new(self.format.read(best.to_vec()));
        false
    }

    /// Ends a descent that has reached the known best subject: the rest of it would find nothing new.
    pub(super) fn end_if_joined(&mut self) {
        let Some(end) = &self.end else { return };
        if self.format.canonical(&self.view).as_ref() == Some(&**end) {
            self.ration = Some(self.stats.asks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::SmtLib;
    use crate::{
        AcceptedStep, AllowedCandidates, ReduceConfig, ReductionObserver, ReductionStats, StepError,
    };
    use nub_oracle::FnOracle;
    use nub_process::Cancel;
    use std::sync::Arc;

    /// Sizes of the reported subjects.
    #[derive(Default)]
    struct Told(Vec<usize>);

    impl ReductionObserver for Told {
        fn accepted(&mut self, _step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
            self.0.push(bytes.len());
            Ok(())
        }
    }

    /// Descends to 40 bytes, then again from 100 by the given steps.
    fn descend(steps: &[usize], max_asks: u64) -> (bool, Vec<u8>, Vec<usize>, ReductionStats) {
        let of = |n: usize| format!("{}(exit)", " ".repeat(n - 6)).into_bytes();
        let format = SmtLib::new(&of(1_000), AllowedCandidates::WellFormed);
        let oracle = FnOracle::new(|_: &[u8]| true);
        let mut told = Told::default();
        let way = Way { bytes: 90, seed: 1, max_asks };
        let (found, text, stats) = Engine::run(
            &format,
            &oracle,
            of(1_000),
            ReduceConfig::default(),
            &Cancel::new(),
            &mut told,
            |engine| {
                for n in [300, 100, 95, 40] {
                    engine.accept("first", of(n)).unwrap();
                }
                engine.rebase();
                let found = engine.again(&way, |engine| {
                    assert_eq!(engine.text().len(), 100);
                    for &n in steps {
                        engine.check_stop()?;
                        engine.accept("second", of(n))?;
                    }
                    Ok(())
                });
                found.unwrap()
            },
        );
        (found, text, told.0, stats)
    }

    #[test]
    fn only_what_is_smaller_leaves_the_engine() {
        let (found, text, told, stats) = descend(&[60, 30, 20], 10);
        assert!(found);
        assert_eq!(text.len(), 20);
        assert_eq!(told, [300, 100, 95, 40, 30, 20]);
        assert_eq!(stats.bytes, 20);
    }

    #[test]
    fn a_way_that_leads_nowhere_is_forgotten() {
        let (found, text, told, stats) = descend(&[60, 50], 10);
        assert!(!found);
        assert_eq!(text.len(), 40);
        assert_eq!(told, [300, 100, 95, 40]);
        assert_eq!(stats.bytes, 40);
    }

    #[test]
    fn a_way_is_over_where_it_meets_the_known_end() {
        let of = |name: &str| format!("(declare-const {name} Int)").into_bytes();
        let start = [of("xyz"), of("y")].concat();
        let format = SmtLib::new(&start, AllowedCandidates::WellFormed);
        let oracle = FnOracle::new(|_: &[u8]| true);
        let way = Way { bytes: start.len(), seed: 1, max_asks: 10 };
        let (found, text, _) = Engine::run(
            &format,
            &oracle,
            start,
            ReduceConfig::default(),
            &Cancel::new(),
            &mut Told::default(),
            |engine| {
                engine.accept("first", of("a")).unwrap();
                engine.rebase();
                engine.again(&way, |engine| {
                    engine.state.end_if_joined();
                    assert_eq!(engine.check_stop(), Ok(()));
                    engine.accept("second", of("xyz"))?;
                    engine.rebase();
                    engine.state.end_if_joined();
                    engine.check_stop()?;
                    panic!("the same up to a name is known");
                })
            },
        );
        assert_eq!((found, text), (Ok(false), of("a")));
    }

    #[test]
    fn a_way_ends_with_its_ration_and_the_search_does_not() {
        let (found, text, ..) = descend(&[30], 0);
        assert!(!found, "no ask was left");
        assert_eq!(text.len(), 40);
    }
}
