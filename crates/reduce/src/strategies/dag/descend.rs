//! `descend`: ours. From the roots down, what is not needed becomes a leaf, with about one ask per node that stays.
//!
//! ```text
//! root -> and -> or -> read ...        root -> and -> or -> read ...
//!          |      |                             |      |
//!          +- x.. +- y..                        1      0
//! ```
//!
//! Where a failure needs a path through the graph, each node on it has one operand that is needed, mostly. If all others can
//! go, the last one is taken for needed without an ask; it is asked only if in the end nothing below it is needed
//! ([`frontier`]). `bfs` asks for every child of every node that stays, up to three times.
//!
//! - An operand becomes the constant that lets the others through: ones under `and`, zero under `or`. The other constant and a
//!   variable follow as long as such have a chance.
//! - Of the operands of a node the tallest is asked first, as it takes most along, or the lowest, as the others are less
//!   likely to be needed: whatever has succeeded more often so far.
//! - Several nodes are asked at once, as many as pay at the rate of success so far ([`crate::schedule`]): of a long chain of
//!   conjuncts few are needed. A group that fails is halved until a single node is found that must stay.
//!
//! O(n) asks; every node is decided once. On a path of k nodes through binary operators k to 2k.

mod frontier;

use super::trial::Zeros;
use super::{Simplify, Trial};
use crate::schedule::best_size;
use crate::{Engine, Format, Stop};
use frontier::{First, Frontier, Rank, Shape, Status, Test};
use nub_edits::dag::{Dag, Node, Replacement};

/// Below this chance of success another replacement of the same node is not asked: one failure is enough as long as nothing of the
/// kind has succeeded.
const LEAST_CHANCE: f64 = 0.4;
/// What is left of the weight of an observation after the next one.
const FADING: f64 = 0.95;

/// See the module.
pub(in crate::strategies) fn descend<F>(engine: &mut Engine<'_, F>) -> Result<(), Stop>
where
    F: Format,
    F::View: Dag,
{
    // Steps are not undone here, so every candidate is checked before it is asked, however large.
    engine.careful = true;
    let shape = Shape::new(engine.view());
    let mut descent = Descent {
        trial: Trial::new(engine, "descend", Simplify::Off).with_zeros(Zeros::InPlace),
        shape: &shape,
        frontier: Frontier::new(&shape),
        most: usize::MAX,
        odds: Chances::default(),
    };
    let mut result = Ok(true);
    while let Ok(true) = result {
        result = descent.step();
    }
    descent.trial.end();
    engine.careful = false;
    result.map(|_| ())
}

struct Descent<'d, 'e, F: Format> {
    trial: Trial<'d, 'e, F>,
    shape: &'d Shape,
    frontier: Frontier,
    /// Nodes in the next group at most: a part of one that failed.
    most: usize,
    odds: Chances,
}

/// How likely it is that a node can go.
#[derive(Default)]
struct Chances {
    /// By the constant that lets others through.
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

impl<F> Descent<'_, '_, F>
where
    F: Format,
    F::View: Dag,
{
    /// One ask, or a few for one node. False if all nodes are decided.
    fn step(&mut self) -> Result<bool, Stop> {
        let tallest = self.odds.tallest.chance() >= self.odds.lowest.chance();
        self.frontier.first = if tallest { First::Tallest } else { First::Lowest };
        let size = best_size(self.odds.neutral.chance()).min(self.most);
        // What comes next if all that is asked for can go.
        let mut hope = self.frontier.clone();
        let mut tests: Vec<Test> = Vec::new();
        while tests.len() < size
            && let Some(test) = hope.next(self.shape)
        {
            hope.decide(self.shape, test.node, Status::Cut);
            tests.push(test);
        }
        let group: Vec<(Node, Replacement)> = tests.iter().map(|test| (test.node, test.with)).collect();
        match tests[..] {
            [] => return Ok(false),
            _ if self.trial.replace_each(&group)? => {
                self.odds.succeeded(&tests);
                self.frontier = hope;
                // The rest of a group that failed holds what must stay.
                self.most = if self.most == usize::MAX { usize::MAX } else { (self.most / 2).max(1) };
            }
            [_, _, ..] => {
                self.odds.neutral.failed();
                self.most = tests.len() / 2;
            }
            [_] => {
                self.most = usize::MAX;
                if let Some(test) = self.frontier.next(self.shape) {
                    self.odds.failed(&test);
                    let status = if self.goes_otherwise(test)? { Status::Cut } else { Status::Kept };
                    self.frontier.decide(self.shape, test.node, status);
                }
            }
        }
        Ok(true)
    }

    /// The replacements that are less likely than the first.
    fn goes_otherwise(&mut self, test: Test) -> Result<bool, Stop> {
        let opposite = if test.with == Replacement::Zero { Replacement::Ones } else { Replacement::Zero };
        let others = [(opposite, &mut self.odds.opposite), (Replacement::Variable, &mut self.odds.variable)];
        for (with, odds) in others {
            let is_new = test.with != with && self.trial.view().replace(test.node, with).is_some();
            if !is_new || odds.chance() < LEAST_CHANCE {
                continue;
            }
            if self.trial.replace_each(&[(test.node, with)])? {
                odds.succeeded(1);
                return Ok(true);
            }
            odds.failed();
        }
        Ok(false)
    }
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

    fn of(&mut self, rank: Rank) -> Option<&mut Odds> {
        match rank {
            Rank::Tallest => Some(&mut self.tallest),
            Rank::Lowest => Some(&mut self.lowest),
            Rank::Only => None,
        }
    }
}

/// How often something has succeeded, the latest counting most.
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
