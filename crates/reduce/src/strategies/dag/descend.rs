//! `descend`, an algorithm of nub: from the roots down, unneeded nodes become leaves, with about one ask per node
//! that stays.
//!
//! ```text
//! root -> and -> or -> read ...        root -> and -> or -> read ...
//!          |      |                             |      |
//!          +- x.. +- y..                        1      0
//! ```
//!
//! If a failure needs a path through the graph, usually one operand of each node on it is needed. If all others can be
//! replaced, the last one is assumed to be needed without an ask; it is asked only if it turns out that nothing below it is
//! needed ([`frontier`]). `bfs` asks for every child of every node that stays, up to three times.
//!
//! - An operand becomes the constant that lets the others through: ones under `and`, zero under `or`. The other constant and a
//!   variable are tried as long as they have a chance.
//! - Of the operands of a node, either the tallest is asked first, because it removes most, or the lowest, because it is
//!   less likely to be needed: whichever has succeeded more often so far.
//! - Several nodes are asked together, as many as pay off at the success rate so far ([`crate::schedule`]): in a long chain
//!   of conjuncts few are needed. A group that fails is halved until a single node is found that must stay.
//!
//! O(n) asks; every node is decided once. A path of k nodes through binary operators takes k to 2k asks.

mod frontier;

use super::Simplify;
use super::writing::{Writing, Zeros};
use crate::engine::{Asking, SearchState};
use crate::groups::Scheme;
use crate::schedule::best_size;
use crate::{Engine, ReductionStop, SubjectFormat};
use frontier::{First, Frontier, Rank, Shape, Status, Test};
use nub_edits::dag::{Changes, Dag, DagNode, Replacement, is_free};
use std::rc::Rc;
use std::sync::Arc;

const NAME: &str = "descend";
/// Another replacement of the same node is not asked if its probability of success is below this: one failure is enough as long as
/// nothing of the kind has succeeded.
const LEAST_CHANCE: f64 = 0.4;
/// Factor by which the weight of an observation decreases with each later one.
const FADING: f64 = 0.95;

/// Runs the descent to its end.
pub(in crate::strategies) fn descend<F>(engine: &mut Engine<'_, F>) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    // Steps are not undone here, so every candidate is checked before it is asked, however large.
    engine.state.careful = true;
    let result = engine.scheme(NAME, &|state| Box::new(Descent::new(state)));
    engine.state.careful = false;
    result.map(|_| ())
}

/// The descent on one parsed subject. All nodes belong to it.
#[derive(Clone)]
struct Descent {
    shape: Rc<Shape>,
    writing: Rc<Writing>,
    /// The accepted changes.
    changes: Changes,
    frontier: Frontier,
    /// Maximum size of the next group: a part of one that failed.
    most: usize,
    odds: Chances,
    stage: Stage,
    asked: Option<Asked>,
}

/// What is asked next.
#[derive(Clone, Copy)]
enum Stage {
    /// The next group of nodes.
    Group,
    /// The other replacements of a single node whose first one failed, from this choice on.
    Otherwise(Test, usize),
}

/// A candidate: nodes with what they become.
#[derive(Clone)]
struct Trial {
    replaced: Vec<(DagNode, Replacement)>,
    aim: Aim,
}

#[derive(Clone)]
enum Aim {
    /// All of these are replaced; then this frontier remains.
    Group(Vec<Test>, Frontier),
    /// This node gets another replacement.
    Otherwise(Test, usize),
}

#[derive(Clone)]
struct Asked {
    trial: Trial,
    changes: Changes,
}

impl Descent {
    fn new<F>(state: &SearchState<'_, F>) -> Descent
    where
        F: SubjectFormat,
        F::View: Dag,
    {
        let shape = Shape::new(state.view());
        Descent {
            writing: Rc::new(Writing::new(state.format, state.view(), Simplify::Off, Zeros::InPlace)),
            changes: Changes::default(),
            frontier: Frontier::new(&shape),
            shape: Rc::new(shape),
            most: usize::MAX,
            odds: Chances::default(),
            stage: Stage::Group,
            asked: None,
        }
    }

    /// What to try next; `None` if all nodes are decided.
    fn choose(&mut self, view: &impl Dag) -> Option<Trial> {
        if let Stage::Otherwise(test, from) = self.stage {
            let choices = self.odds.choices(test);
            for (choice, (with, chance)) in choices.into_iter().enumerate().skip(from) {
                let is_new = test.with != with && view.replace(test.node, with).is_some();
                if is_new && chance >= LEAST_CHANCE {
                    let replaced = vec![(test.node, with)];
                    return Some(Trial { replaced, aim: Aim::Otherwise(test, choice) });
                }
            }
            self.frontier.decide(&self.shape, test.node, Status::Kept);
            self.stage = Stage::Group;
        }
        let tallest = self.odds.tallest.chance() >= self.odds.lowest.chance();
        self.frontier.first = if tallest { First::Tallest } else { First::Lowest };
        let size = best_size(self.odds.neutral.chance()).min(self.most);
        // The next nodes, assuming that all asked ones can be replaced.
        let mut hope = self.frontier.clone();
        let mut tests: Vec<Test> = Vec::new();
        while tests.len() < size
            && let Some(test) = hope.next(&self.shape)
        {
            hope.decide(&self.shape, test.node, Status::Cut);
            tests.push(test);
        }
        let replaced: Vec<(DagNode, Replacement)> = tests.iter().map(|test| (test.node, test.with)).collect();
        (!tests.is_empty()).then_some(Trial { replaced, aim: Aim::Group(tests, hope) })
    }

    /// The changes of a trial, if any are allowed.
    fn changes(&self, view: &impl Dag, trial: &Trial) -> Option<Changes> {
        let can_be = |&(node, with): &(DagNode, Replacement)| {
            view.replace(node, with).is_some_and(|one| is_free(&one.edit, &self.writing.protected))
        };
        self.changes.with(trial.replaced.iter().copied().filter(can_be))
    }

    fn succeeded(&mut self, aim: Aim) {
        match aim {
            Aim::Group(tests, hope) => {
                self.odds.succeeded(&tests);
                self.frontier = hope;
                // The rest of a failed group contains a node that must stay.
                self.most = if self.most == usize::MAX { usize::MAX } else { (self.most / 2).max(1) };
            }
            Aim::Otherwise(test, choice) => {
                self.odds.choice(choice).succeeded(1);
                self.frontier.decide(&self.shape, test.node, Status::Cut);
                self.stage = Stage::Group;
            }
        }
    }

    fn failed(&mut self, aim: &Aim) {
        match aim {
            Aim::Group(tests, _) if tests.len() > 1 => {
                self.odds.neutral.failed();
                self.most = tests.len() / 2;
            }
            Aim::Group(..) => {
                self.most = usize::MAX;
                if let Some(test) = self.frontier.next(&self.shape) {
                    self.odds.failed(&test);
                    self.stage = Stage::Otherwise(test, 0);
                }
            }
            Aim::Otherwise(test, choice) => {
                self.odds.choice(*choice).failed();
                self.stage = Stage::Otherwise(*test, choice + 1);
            }
        }
    }

    /// A single node that cannot become a leaf is remembered, so that the passes on constants need not ask for it again.
    fn remember<F>(state: &mut SearchState<'_, F>, trial: &Trial)
    where
        F: SubjectFormat,
        F::View: Dag,
    {
        if let [(node, with)] = trial.replaced[..]
            && let Some(substitution) = state.view().replace(node, with)
        {
            state.remember_failure(with.pass(), &substitution.edit);
        }
    }
}

impl<F> Scheme<F> for Descent
where
    F: SubjectFormat,
    F::View: Dag,
{
    fn next(&mut self, state: &mut SearchState<'_, F>) -> Result<Option<Asking>, ReductionStop> {
        while let Some(trial) = self.choose(state.view()) {
            let Some(changes) = self.changes(state.view(), &trial) else {
                self.failed(&trial.aim);
                continue;
            };
            let bytes = self.writing.candidate(state.format, state.view(), &changes);
            // A replaced node may no longer be part of the subject.
            let known = if bytes == state.text() {
                Some(false)
            } else {
                state.check_stop()?;
                state.known(&bytes)
            };
            self.asked = Some(Asked { trial, changes });
            match known {
                None => return Ok(Some(Asking::new(NAME, bytes))),
                Some(true) => self.fails(state, Arc::new(bytes)),
                Some(false) => Scheme::<F>::passes(self, state),
            }
        }
        Ok(None)
    }

    fn fails(&mut self, state: &mut SearchState<'_, F>, bytes: Arc<Vec<u8>>) {
        let Some(Asked { trial, changes }) = self.asked.take() else { return };
        state.adopt(NAME, bytes);
        self.changes = changes;
        self.succeeded(trial.aim);
    }

    fn passes(&mut self, state: &mut SearchState<'_, F>) {
        let Some(Asked { trial, .. }) = self.asked.take() else { return };
        Descent::remember(state, &trial);
        self.failed(&trial.aim);
    }

    fn fork(&self) -> Box<dyn Scheme<F>> {
        Box::new(self.clone())
    }

    fn n_asked(&self) -> usize {
        self.asked.as_ref().map_or(1, |asked| asked.trial.replaced.len())
    }
}

/// The probabilities that a node can be replaced.
#[derive(Clone, Default)]
struct Chances {
    /// By the neutral constant.
    neutral: Odds,
    /// By the other constant, if that has failed.
    opposite: Odds,
    /// By a variable, if both have failed.
    variable: Odds,
    /// As the tallest of several operands.
    tallest: Odds,
    /// As the lowest.
    lowest: Odds,
}

impl Chances {
    fn succeeded(&mut self, tests: &[Test]) {
        self.neutral.succeeded(tests.len());
        for test in tests {
            if let Some(odds) = self.of(test.rank) {
                odds.succeeded(1);
            }
        }
    }

    fn failed(&mut self, test: &Test) {
        self.neutral.failed();
        if let Some(odds) = self.of(test.rank) {
            odds.failed();
        }
    }

    /// The replacements of a node after the first, with their probabilities.
    fn choices(&self, test: Test) -> [(Replacement, f64); 2] {
        let opposite = if test.with == Replacement::Zero { Replacement::Ones } else { Replacement::Zero };
        [(opposite, self.opposite.chance()), (Replacement::Variable, self.variable.chance())]
    }

    /// The statistics of one of these.
    fn choice(&mut self, choice: usize) -> &mut Odds {
        if choice == 0 { &mut self.opposite } else { &mut self.variable }
    }

    fn of(&mut self, rank: Rank) -> Option<&mut Odds> {
        match rank {
            Rank::Tallest => Some(&mut self.tallest),
            Rank::Lowest => Some(&mut self.lowest),
            Rank::Only => None,
        }
    }
}

/// A success rate in which recent observations count most.
#[derive(Clone, Copy, Default)]
struct Odds {
    asked: f64,
    succeeded: f64,
}

impl Odds {
    fn succeeded(&mut self, n: usize) {
        self.asked = self.asked * FADING + n as f64;
        self.succeeded = self.succeeded * FADING + n as f64;
    }

    fn failed(&mut self) {
        self.asked = self.asked * FADING + 1.0;
        self.succeeded *= FADING;
    }

    fn chance(self) -> f64 {
        (self.succeeded + 1.0) / (self.asked + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_follow_the_latest() {
        let mut odds = Odds::default();
        (0..30).for_each(|_| odds.failed());
        assert!(odds.chance() < 0.1);
        (0..30).for_each(|_| odds.succeeded(1));
        assert!(odds.chance() > 0.7, "{}", odds.chance());
    }
}
