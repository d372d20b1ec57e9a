//! Finds a large subset of a list of edits with which the subject still fails, with few asks.
//!
//! A [`Scheme`] decides how the edits of a pass are combined: it says which candidate is asked next and receives the answer, in
//! strict order. It does not know who asks, or when. So a copy of a scheme can be run with guessed answers ([`crate::ahead`]),
//! and the result does not depend on the number of asks in progress.

mod queue;
mod rounds;

use crate::engine::{Asking, Candidate, Kind, SearchState};
use crate::schedule::Round;
use crate::{ReductionStop, SubjectFormat};
use nub_edits::{Edit, Grouping, MergedEdits, Pass};
use queue::Cleaning;
use rounds::{Complements, Rounds};
use std::rc::Rc;
use std::sync::Arc;

/// How the edits of a pass are combined.
pub(crate) trait Scheme<F: SubjectFormat> {
    /// The next candidate, or `None` at the end.
    fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop>;

    /// Receives the answer to the last candidate: it still fails.
    fn fails(&mut self, state: &mut SearchState<'_, F>, bytes: Arc<Vec<u8>>);

    /// Receives the answer to the last candidate: it passes.
    fn passes(&mut self, state: &mut SearchState<'_, F>);

    /// A copy.
    fn fork(&self) -> Box<dyn Scheme<F>>;

    /// Whether the pass should list its edits again after the last answer.
    fn rerun(&self) -> Rerun {
        Rerun::No
    }

    /// How many edits the current candidate adds.
    fn n_asked(&self) -> usize {
        1
    }
}

/// Whether a scheme should be run once more on the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rerun {
    Needed,
    No,
}

/// The scheme of a pass on the current subject.
pub(crate) fn of_pass<F: SubjectFormat>(
    state: &mut SearchState<'_, F>,
    pass: &dyn Pass<F::View>,
) -> Box<dyn Scheme<F>> {
    let edits = state.edits(pass);
    let work = Work::new(pass.name(), edits);
    match pass.grouping() {
        Grouping::Groups => Box::new(Rounds::new(state, work, Complements::Skip)),
        Grouping::Complements => Box::new(Rounds::new(state, work, Complements::Ask)),
        Grouping::Single => Box::new(OneByOne::new(state, work)),
        Grouping::Bisect => Box::new(Bisection::new(work)),
    }
}

/// A list of edits to try on one view.
#[derive(Clone)]
struct Work {
    pass: &'static str,
    kind: Kind,
    edits: Rc<[Edit]>,
    accepted: MergedEdits,
}

impl Work {
    fn new(pass: &'static str, edits: Vec<Edit>) -> Work {
        Work { pass, kind: Kind::of(pass, &edits), edits: edits.into(), accepted: MergedEdits::default() }
    }
}

/// A candidate that was built.
#[derive(Clone)]
struct Asked {
    group: Vec<usize>,
    splices: MergedEdits,
    /// Whether the clean-up removed something.
    cleaned: bool,
}

/// The result of building a candidate.
enum Built {
    Ask(Asked, Vec<u8>),
    /// The candidate need not be asked; contains its group.
    Useless(Vec<usize>),
}

/// Builds the candidate of a group on top of the accepted edits.
fn build<F: SubjectFormat>(
    state: &mut SearchState<'_, F>,
    work: &Work,
    group: Vec<usize>,
    cleaning: Cleaning,
) -> Built {
    let mut splices = work.accepted.clone();
    let mut added = false;
    for &index in &group {
        added |= splices.add(&work.edits[index]);
    }
    let cleaned = added && cleaning == Cleaning::Clean && state.format.clean_up(state.view(), &mut splices);
    match if added { state.candidate(&splices) } else { Candidate::Useless } {
        Candidate::Ask(bytes) => Built::Ask(Asked { group, splices, cleaned }, bytes),
        // The result of the clean-up may be known to pass while the edit alone is not.
        Candidate::Useless if cleaned && group.len() == 1 => build(state, work, group, Cleaning::Plain),
        Candidate::Useless => Built::Useless(group),
    }
}

/// For edits that change the whole subject: one ask each, up to the first success.
#[derive(Clone)]
struct OneByOne {
    work: Work,
    /// The edit that is asked next.
    next: usize,
    round: Round,
    patience: u64,
}

impl OneByOne {
    fn new<F: SubjectFormat>(state: &SearchState<'_, F>, work: Work) -> OneByOne {
        let patience = state.patience(work.kind);
        OneByOne { work, next: 0, round: Round::default(), patience }
    }
}

impl<F: SubjectFormat> Scheme<F> for OneByOne {
    fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop> {
        while self.round.accepted == 0
            && self.next < self.work.edits.len()
            && self.round.asked < self.patience
        {
            state.check_stop()?;
            let built = build(state, &self.work, vec![self.next], Cleaning::Clean);
            self.next += 1;
            if let Built::Ask(_, bytes) = built {
                return Ok(Some(Asking::new(self.work.pass, bytes)));
            }
        }
        state.remember_round(self.work.kind, self.round);
        Ok(None)
    }

    fn fails(&mut self, state: &mut SearchState<'_, F>, bytes: Arc<Vec<u8>>) {
        self.round.asked += 1;
        self.round.accepted += 1;
        state.accept(self.work.pass, bytes);
    }

    fn passes(&mut self, state: &mut SearchState<'_, F>) {
        self.round.asked += 1;
        state.remember_failure(self.work.pass, &self.work.edits[self.next - 1]);
    }

    fn fork(&self) -> Box<dyn Scheme<F>> {
        Box::new(self.clone())
    }

    fn rerun(&self) -> Rerun {
        if self.round.accepted > 0 { Rerun::Needed } else { Rerun::No }
    }
}

/// Finds the strongest successful edit of a monotone list with log n asks.
#[derive(Clone)]
struct Bisection {
    work: Work,
    low: usize,
    high: usize,
}

impl Bisection {
    fn new(work: Work) -> Bisection {
        let high = work.edits.len();
        Bisection { work, low: 0, high }
    }

    fn middle(&self) -> usize {
        // The strongest first: often everything after the failing command is useless.
        if self.low == 0 && self.high == self.work.edits.len() { 0 } else { (self.low + self.high) / 2 }
    }

    fn leave_out_middle(&mut self) {
        self.low = self.middle() + 1;
    }
}

impl<F: SubjectFormat> Scheme<F> for Bisection {
    fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop> {
        while self.low < self.high {
            state.check_stop()?;
            if let Built::Ask(_, bytes) = build(state, &self.work, vec![self.middle()], Cleaning::Clean) {
                return Ok(Some(Asking::new(self.work.pass, bytes)));
            }
            self.leave_out_middle();
        }
        Ok(None)
    }

    fn fails(&mut self, state: &mut SearchState<'_, F>, bytes: Arc<Vec<u8>>) {
        self.high = self.middle();
        state.accept(self.work.pass, bytes);
    }

    fn passes(&mut self, _state: &mut SearchState<'_, F>) {
        self.leave_out_middle();
    }

    fn fork(&self) -> Box<dyn Scheme<F>> {
        Box::new(self.clone())
    }
}
