//! A second search for tests, on a thread of its own.
//!
//! Where the fractional number of tests hardly falls any more, dives are most of the work, and each of them may find the tests. The partner dives while the
//! turn goes on. It has its own runs, prices, solver and random numbers, is asked at fixed points of the search and its answer is waited for at others,
//! so the tests do not depend on which thread is faster.

use super::dive::dive;
use super::explorer::RunEvaluator;
use super::knowledge::{Behaviour, Knowledge};
use super::pool::RunPool;
use super::problem::Problem;
use super::weigh::{Weigh, WeighStart};
use nub_random::Rng;
use nub_sat::SatLimits;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

/// Dives per question.
const N_DIVES: usize = 2;

/// What a partner needs to start.
pub(super) struct PartnerStart<'p> {
    pub problem: &'p Problem,
    pub evaluator: Box<dyn RunEvaluator + Send + 'p>,
    pub start: WeighStart<'p>,
    pub known: &'p Knowledge,
    pub rng: Rng,
    pub limits: SatLimits,
}

/// What it is asked.
struct Question {
    /// Tests that it does not know.
    new: Vec<Behaviour>,
    /// With at most this many tests.
    most: usize,
}

/// What it has found.
pub(super) struct PartnerAnswer {
    /// Tests that meet all needs.
    pub tests: Option<Vec<Behaviour>>,
    /// Runs that it did not know before.
    pub new: Vec<Behaviour>,
}

/// The other thread, as the search sees it. It ends when this is dropped.
pub(super) struct Partner<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    /// Until the first question.
    start: Option<PartnerStart<'e>>,
    link: Option<(Sender<Question>, Receiver<PartnerAnswer>)>,
    /// How many runs of the pool it has been told.
    n_told: usize,
    is_asked: bool,
}

impl<'s, 'e> Partner<'s, 'e> {
    /// Without a start there is no partner, and no question has an answer.
    pub fn new(scope: &'s Scope<'s, 'e>, start: Option<PartnerStart<'e>>) -> Partner<'s, 'e> {
        Partner { scope, start, link: None, n_told: 0, is_asked: false }
    }

    /// Are there tests that meet all needs, at most this many? The first question starts the thread.
    pub fn ask(&mut self, pool: &RunPool, most: usize) {
        if let Some(start) = self.start.take() {
            let (questions, asked) = channel();
            let (answered, answers) = channel();
            let spawned = Builder::new().spawn_scoped(self.scope, move || work(start, &asked, &answered));
            // Without another thread, the search goes on alone.
            self.link = spawned.ok().map(|_| (questions, answers));
        }
        let Some((questions, _)) = &self.link else { return };
        let new = pool.tests_from(self.n_told);
        self.n_told = pool.met().len();
        self.is_asked = questions.send(Question { new, most }).is_ok();
    }

    /// Waits for the answer, if something was asked.
    pub fn answer(&mut self) -> Option<PartnerAnswer> {
        let is_asked = std::mem::take(&mut self.is_asked);
        let (_, answers) = self.link.as_ref().filter(|_| is_asked)?;
        answers.recv().ok()
    }
}

fn work(start: PartnerStart<'_>, questions: &Receiver<Question>, answers: &Sender<PartnerAnswer>) {
    let PartnerStart { problem, evaluator, start, known, mut rng, limits } = start;
    let mut weigh = Weigh::new(problem, Some(&*evaluator), &start, known);
    for question in questions {
        question.new.iter().for_each(|test| _ = weigh.add_test(test));
        let n_known = weigh.pool().met().len();
        let mut tests = None;
        for _ in 0..N_DIVES {
            tests = tests.or_else(|| dive(&mut weigh, known, question.most, &mut rng, &limits));
        }
        let new = weigh.pool().tests_from(n_known);
        if answers.send(PartnerAnswer { tests, new }).is_err() {
            return;
        }
    }
}
