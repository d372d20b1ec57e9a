//! Groups in rounds of shrinking size ([`crate::schedule`]), down to single edits.

use super::queue::{Queue, without_rivals};
use super::{Asked, Built, Scheme, Work, build};
use crate::engine::{Asking, SearchState};
use crate::schedule::{Round, estimate, next_size};
use crate::{ReductionStop, SubjectFormat};
use std::sync::Arc;

/// Maximum number of chunks for which complements are asked.
const MAX_COMPLEMENTS: usize = 8;

/// Whether complements (all chunks but one) are asked if no chunk succeeds: step 2 of ddmin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Complements {
    Ask,
    Skip,
}

/// The state of the rounds.
#[derive(Clone)]
pub(super) struct Rounds {
    work: Work,
    /// Edits not yet decided.
    open: Vec<usize>,
    size: usize,
    complements: Complements,
    stage: Stage,
    run: Option<RoundRun>,
}

/// The purpose of the current round.
#[derive(Clone, Copy)]
enum Stage {
    /// Groups of the current size.
    Groups,
    /// All chunks of that size but one, because no group succeeded.
    AllBut(Complement),
    /// All rounds are done.
    Over,
}

/// Which chunk is kept.
#[derive(Clone, Copy)]
struct Complement {
    kept: usize,
    n_chunks: usize,
    /// The results of the groups, from which the next size is computed.
    groups: Round,
}

/// A running round.
#[derive(Clone)]
struct RoundRun {
    queue: Queue,
    round: Round,
    /// Edits that are decided: successes, and those that failed alone.
    decided: Vec<usize>,
    patience: u64,
    asked: Option<Asked>,
}

impl Rounds {
    pub(super) fn new<F: SubjectFormat>(
        state: &SearchState<'_, F>,
        work: Work,
        complements: Complements,
    ) -> Rounds {
        let open: Vec<usize> = (0..work.edits.len()).collect();
        let size = state.first_size(work.pass, open.len());
        let mut rounds = Rounds { work, open, size, complements, stage: Stage::Over, run: None };
        rounds.begin_groups(state);
        rounds
    }

    fn answered(&mut self) -> Option<(&mut RoundRun, Asked)> {
        let run = self.run.as_mut()?;
        run.round.asked += 1;
        let asked = run.asked.take()?;
        Some((run, asked))
    }

    fn begin_groups<F: SubjectFormat>(&mut self, state: &SearchState<'_, F>) {
        if self.open.is_empty() {
            self.stage = Stage::Over;
            return;
        }
        self.stage = Stage::Groups;
        let queue = match self.size {
            1 => Queue::singles(&self.open),
            _ => Queue::of(&without_rivals(&self.work.edits, &self.open, self.size)),
        };
        self.begin(state, queue);
    }

    fn begin<F: SubjectFormat>(&mut self, state: &SearchState<'_, F>, queue: Queue) {
        let patience = if queue.size == 1 { state.patience(self.work.kind) } else { u64::MAX };
        let (round, decided) = (Round::default(), Vec::new());
        self.run = Some(RoundRun { queue, round, decided, patience, asked: None });
    }

    fn begin_all_but<F: SubjectFormat>(&mut self, state: &SearchState<'_, F>, complement: Complement) {
        self.stage = Stage::AllBut(complement);
        let chunks = self.open.chunks(self.size).enumerate();
        let group =
            chunks.filter(|(i, _)| *i != complement.kept).flat_map(|(_, chunk)| chunk.to_vec()).collect();
        self.begin(state, Queue::of(&[group]));
    }

    /// Removes successes and edits that failed alone from the list; then starts the next round, if there is
    /// one.
    fn end_round<F: SubjectFormat>(&mut self, state: &mut SearchState<'_, F>) {
        let Some(RoundRun { round, mut decided, .. }) = self.run.take() else { return };
        decided.sort_unstable();
        self.open.retain(|index| decided.binary_search(index).is_err());
        state.remember_round(self.work.kind, round);
        match self.stage {
            Stage::Groups => {
                let n_chunks = self.open.len().div_ceil(self.size);
                if self.complements == Complements::Ask
                    && round.accepted == 0
                    && self.size > 1
                    && (3..=MAX_COMPLEMENTS).contains(&n_chunks)
                {
                    self.begin_all_but(state, Complement { kept: 0, n_chunks, groups: round });
                } else {
                    self.end_size(state, round);
                }
            }
            Stage::AllBut(last) if round.accepted == 0 && last.kept + 1 < last.n_chunks => {
                self.begin_all_but(state, Complement { kept: last.kept + 1, ..last });
            }
            Stage::AllBut(Complement { groups, .. }) => self.end_size(state, groups),
            Stage::Over => {}
        }
    }

    fn end_size<F: SubjectFormat>(&mut self, state: &mut SearchState<'_, F>, round: Round) {
        if self.size == 1 {
            state.remember_probability(self.work.pass, estimate(1, round));
            self.stage = Stage::Over;
            return;
        }
        self.size = next_size(self.size, round).min(self.open.len().max(1));
        self.begin_groups(state);
    }
}

impl<F: SubjectFormat> Scheme<F> for Rounds {
    fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop> {
        while let Some(run) = &mut self.run {
            if let Some(bytes) = run.next(state, &self.work)? {
                return Ok(Some(Asking::new(self.work.pass, bytes)));
            }
            self.end_round(state);
        }
        Ok(None)
    }

    fn fails(&mut self, state: &mut SearchState<'_, F>, bytes: Arc<Vec<u8>>) {
        let Some((run, asked)) = self.answered() else { return };
        run.round.accepted += 1;
        run.queue.succeeded();
        run.decided.extend(asked.group);
        self.work.accepted = asked.splices;
        state.accept(self.work.pass, bytes);
    }

    /// A group failed: a single edit is then decided, unless it may have failed only because of its clean-up.
    fn passes(&mut self, state: &mut SearchState<'_, F>) {
        let Some((run, asked)) = self.answered() else { return };
        if run.queue.failed(&asked.group) {
            return;
        }
        let [index] = asked.group[..] else { return };
        if asked.cleaned {
            run.queue.ask_plain(asked.group);
            return;
        }
        run.decided.push(index);
        state.remember_failure(self.work.pass, &self.work.edits[index]);
    }

    fn n_asked(&self) -> usize {
        self.run.as_ref().and_then(|run| run.asked.as_ref()).map_or(1, |asked| asked.group.len())
    }

    fn fork(&self) -> Box<dyn Scheme<F>> {
        Box::new(self.clone())
    }
}

impl RoundRun {
    /// The next candidate of the round.
    fn next<F: SubjectFormat>(
        &mut self,
        state: &mut SearchState<'_, F>,
        work: &Work,
    ) -> Result<Option<Vec<u8>>, ReductionStop> {
        while (self.round.accepted > 0 || self.round.asked < self.patience)
            && let Some((group, cleaning)) = self.queue.next()
        {
            state.check_stop()?;
            match build(state, work, group, cleaning) {
                Built::Ask(asked, bytes) => {
                    self.asked = Some(asked);
                    return Ok(Some(bytes));
                }
                Built::Useless(group) if group.len() == 1 => self.decided.extend(group),
                Built::Useless(_) => {}
            }
        }
        Ok(None)
    }
}
