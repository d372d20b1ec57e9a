//! The state of a search: its subject, what it has learned, its counts. Nothing here asks, waits or reports, so a copy can
//! continue with guessed answers ([`crate::ahead`]).

use super::{CHECK_BYTES, ROLLBACK, ReduceConfig, ReductionStop, again, learn};
use crate::cache::Cache;
use crate::{ReductionStats, SubjectFormat, is_smaller};
use nub_edits::dag::is_free;
use nub_edits::{Edit, Grouping, MergedEdits, Pass};
use nub_process::Cancel;
use nub_random::Rng;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The state of a search.
pub(crate) struct SearchState<'e, F: SubjectFormat> {
    pub(crate) format: &'e F,
    pub(super) config: ReduceConfig,
    pub(super) cancel: &'e Cancel,
    pub(super) view: Rc<F::View>,
    /// Bytes of the last accepted candidate, newer than `view` until the next [`SearchState::rebase`].
    pub(super) best: Option<Arc<Vec<u8>>>,
    /// The smallest subject that a strategy with an order of its own has left behind ([`super::Engine::adopt`]).
    pub(super) smallest: Option<Arc<Vec<u8>>>,
    /// Subjects from which a second search can start ([`super::Engine::again`]).
    pub(super) trail: again::Trail,
    /// The best subject of earlier searches, until this one has found something smaller.
    pub(super) bar: Option<Arc<Vec<u8>>>,
    /// The canonical form of that subject: a search that reaches it has found nothing new.
    pub(super) end: Option<Rc<Vec<u8>>>,
    /// The number of asks at which a second search ends.
    pub(super) ration: Option<u64>,
    /// The seed of the first search, while a second one has its own.
    pub(super) first_seed: u64,
    pub(super) cache: Cache,
    pub(super) learned: learn::Learned,
    pub(super) stats: ReductionStats,
    /// Steps taken, including unreported ones of a second search.
    pub(super) n_steps: u64,
    /// The pass whose step changed the subject, until the step is reported.
    pub(super) news: Option<&'static str>,
    /// Whether every candidate is checked to be well-formed, however large.
    pub(crate) careful: bool,
    /// Whether ill-formed candidates are asked, whatever the format allows ([`crate::strategies::stage`]).
    pub(crate) asks_ill_formed: bool,
    /// Whether edits that failed before in the same context are asked again.
    pub(crate) retry_failed: bool,
    /// The passes that may run; all if there is no list.
    pub(crate) allowed: Option<Rc<BTreeSet<&'static str>>>,
    /// Whether passes that never succeed may be abandoned before their last edit ([`SearchState::patience`]).
    pub(crate) may_give_up: bool,
    pub(super) n_unsure: u32,
}

/// A built candidate: to be asked or not.
pub(crate) enum Candidate {
    /// Not smaller, ill-formed, or known to pass.
    Useless,
    /// Worth an ask.
    Ask(Vec<u8>),
}

impl<'e, F: SubjectFormat> SearchState<'e, F> {
    pub(super) fn new(
        format: &'e F,
        subject: Vec<u8>,
        config: ReduceConfig,
        cancel: &'e Cancel,
    ) -> SearchState<'e, F> {
        let stats = ReductionStats { bytes: subject.len() as u64, ..ReductionStats::default() };
        let mut state = SearchState {
            format,
            config,
            cancel,
            view: Rc::new(format.read(subject)),
            best: None,
            smallest: None,
            trail: again::Trail::default(),
            bar: None,
            end: None,
            ration: None,
            first_seed: 0,
            cache: Cache::default(),
            learned: learn::Learned::default(),
            stats,
            n_steps: 0,
            news: None,
            careful: false,
            asks_ill_formed: false,
            retry_failed: false,
            allowed: None,
            may_give_up: false,
            n_unsure: 0,
        };
        state.trail.pass_by(format.text(&state.view));
        if format.text(&state.view).len() <= CHECK_BYTES
            && let Some(form) = format.canonical(&state.view)
        {
            state.cache.put_subject(&form);
        }
        state
    }

    /// An independent copy. Cheap: large parts are shared.
    pub(crate) fn fork(&mut self) -> SearchState<'e, F> {
        SearchState {
            format: self.format,
            config: self.config.clone(),
            cancel: self.cancel,
            view: self.view.clone(),
            best: self.best.clone(),
            smallest: self.smallest.clone(),
            trail: self.trail.clone(),
            bar: self.bar.clone(),
            end: self.end.clone(),
            ration: self.ration,
            first_seed: self.first_seed,
            cache: self.cache.fork(),
            learned: self.learned.fork(),
            stats: self.stats.clone(),
            n_steps: self.n_steps,
            news: self.news,
            careful: self.careful,
            asks_ill_formed: self.asks_ill_formed,
            retry_failed: self.retry_failed,
            allowed: self.allowed.clone(),
            may_give_up: self.may_give_up,
            n_unsure: self.n_unsure,
        }
    }

    /// Resets everything that strategies may set.
    pub(super) fn set_defaults(&mut self) {
        self.careful = false;
        self.asks_ill_formed = false;
        self.retry_failed = false;
        self.allowed = None;
        self.may_give_up = false;
    }

    /// The current subject as passes see it.
    pub(crate) fn view(&self) -> &F::View {
        &self.view
    }

    /// The current subject.
    pub(crate) fn text(&self) -> &[u8] {
        match &self.best {
            Some(best) => best,
            None => self.format.text(&self.view),
        }
    }

    /// The current subject as shared bytes.
    pub(super) fn shared_text(&self) -> Arc<Vec<u8>> {
        self.best.clone().unwrap_or_else(|| self.format.shared_text(&self.view))
    }

    /// Whether a pass is one of those that may run.
    pub(crate) fn allows(&self, pass: &str) -> bool {
        self.allowed.as_ref().is_none_or(|names| names.contains(pass))
    }

    /// The edits of a pass on the current subject that may be asked. If the pass panics, only this pass is
    /// lost.
    pub(crate) fn edits(&mut self, pass: &dyn Pass<F::View>) -> Vec<Edit> {
        let Ok(mut edits) = catch_unwind(AssertUnwindSafe(|| pass.edits(&self.view))) else {
            self.stats.panics += 1;
            return Vec::new();
        };
        let protected = self.format.protected(&self.view);
        if !protected.is_empty() {
            edits.retain(|edit| is_free(edit, &protected));
        }
        self.leave_out_failed(pass.name(), &mut edits);
        if self.config.seed != 0 && pass.grouping() != Grouping::Bisect {
            Rng::new(self.config.seed).shuffle(&mut edits);
        }
        edits
    }

    /// Builds the candidate with some splices on the view.
    pub(crate) fn candidate(&mut self, splices: &MergedEdits) -> Candidate {
        let least_len = self.format.least_len(&self.view, splices);
        if least_len > self.text().len() {
            return Candidate::Useless;
        }
        let bytes = self.format.render(&self.view, splices);
        debug_assert!(bytes.len() >= least_len);
        if !is_smaller(&bytes, self.text()) {
            return Candidate::Useless;
        }
        match self.cache.get(&bytes) {
            Some(true) => return Candidate::Ask(bytes),
            Some(false) => {
                self.stats.cached += 1;
                return Candidate::Useless;
            }
            None => {}
        }
        if self.careful || bytes.len() <= CHECK_BYTES {
            let view = self.format.read(bytes.clone());
            if !self.accepts(&view) {
                self.stats.invalid += 1;
                return Candidate::Useless;
            }
            let form = self.format.canonical(&view);
            if form.is_some_and(|form| self.cache.has_passed_alike(&bytes, &form)) {
                self.stats.cached += 1;
                return Candidate::Useless;
            }
        }
        Candidate::Ask(bytes)
    }

    pub(super) fn is_well_formed(&self, bytes: &[u8]) -> bool {
        self.accepts(&self.format.read(bytes.to_vec()))
    }

    /// Whether a subject may be asked.
    fn accepts(&self, view: &F::View) -> bool {
        self.asks_ill_formed || self.format.is_valid(view)
    }

    /// Makes a candidate the best subject.
    pub(crate) fn accept(&mut self, pass: &'static str, bytes: Arc<Vec<u8>>) {
        debug_assert!(is_smaller(&bytes, self.text()), "every step is smaller");
        self.step_to(pass, bytes);
    }

    pub(super) fn step_to(&mut self, pass: &'static str, bytes: Arc<Vec<u8>>) {
        self.n_steps += 1;
        self.learned.brighten();
        if self.bar.take_if(|bar| is_smaller(&bytes, bar)).is_some() || self.bar.is_none() {
            self.stats.accepted += 1;
            self.stats.passes.entry(pass).or_default().accepted += 1;
            self.stats.bytes = bytes.len() as u64;
            self.news = Some(pass);
            self.trail.pass_by(&bytes);
        }
        self.best = Some(bytes);
    }

    /// Parses the best subject, so that passes see it. False if it turned out to be ill-formed and was
    /// dropped.
    pub(crate) fn rebase(&mut self) -> bool {
        let Some(bytes) = self.best.take() else { return true };
        // Drops the old view before the new one is built: both together would be our peak memory.
        let old = self.format.shared_text(&self.view);
        self.view = Rc::new(self.format.read(Vec::new()));
        self.view = Rc::new(self.format.read_shared(bytes));
        if self.accepts(&self.view) {
            return true;
        }
        self.view = Rc::new(self.format.read_shared(old));
        self.stats.rollbacks += 1;
        if self.bar.is_none() {
            self.stats.bytes = self.format.text(&self.view).len() as u64;
            self.news = Some(ROLLBACK);
        }
        false
    }

    /// Returns an error if the reduction must end.
    pub(crate) fn check_stop(&self) -> Result<(), ReductionStop> {
        if self.cancel.is_cancelled() {
            return Err(ReductionStop::Cancelled);
        }
        if [self.config.max_asks, self.ration].into_iter().flatten().any(|max| self.stats.asks >= max) {
            return Err(ReductionStop::MaxAsks);
        }
        Ok(())
    }
}
