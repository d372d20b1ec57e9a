//! Point repair: at one point of a site, is there a value with which every run through this point passes?
//!
//! A point is a site with values of its operands, and perhaps of one more variable. Let `x` be a failing run that reaches the point. A value is
//! guessed with which `x` passes. Then a run is searched that reaches the point with this value and still fails, first among the known runs. If there
//! is none, the point is repaired. Otherwise the next value must work for that run too (counterexample-guided synthesis). For a truth value there is
//! no second guess.

use super::Refusal;
use super::encoded_program::{EncodedProgram, Search};
use super::known_runs::KnownRuns;
use super::numbers::ordinal;
use super::runs::{Change, End, Run, Stage};
use super::site_programs::SitePrograms;

/// The result.
#[derive(Clone, Debug)]
pub(super) enum Point {
    /// The value that is in the table now repairs.
    Repaired,
    /// No value does. The runs need different values, or, if there is only one run, it cannot be made to pass at all.
    Impossible(Vec<Run>),
    /// Unknown within the limits.
    Unknown,
}

/// What kind of value a site has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// 0 or 1.
    Truth {
        /// What it is in the run.
        now: bool,
    },
    /// Any number.
    Number {
        /// The position of its value in the run among all numbers of its representation.
        now: i128,
    },
}

/// At most this many numbers are tried in place of a value that repairs but is not meaningful.
const MAX_CLOSER: usize = 6;

/// Answers questions: with the clauses, the interpreter, and known runs.
pub(super) struct PointSearch<'i> {
    pub copy: EncodedProgram<'i>,
    /// The program that records what sites do.
    pub stage: Stage<'i>,
    /// Programs for single changes. Without them the stage also runs changes.
    pub players: Option<SitePrograms<'i>>,
    pub library: KnownRuns,
    pub max_rounds: usize,
}

impl PointSearch<'_> {
    /// Finds a value for the last change of a table, so that this run passes and all others through the point.
    pub fn repair(&mut self, run: &Run, table: &mut [Change], shape: Shape) -> Result<Point, Refusal> {
        match shape {
            Shape::Truth { now } => Ok(self.truth(run, table, now)),
            Shape::Number { now } => self.number(run, table, now),
        }
    }

    /// Whether some value at the point makes this run pass; then it is in the table. `None` if this is unknown.
    pub fn can_pass(
        &mut self,
        run: &Run,
        table: &mut [Change],
        shape: Shape,
    ) -> Result<Option<bool>, Refusal> {
        match shape {
            Shape::Truth { now } => {
                set(table, u128::from(!now));
                Ok(Some(self.end_with(run, table) == End::Passes))
            }
            Shape::Number { .. } => {
                let passes = self.copy.passes_by_value(table, run)?;
                let Some(guess) = self.copy.value(table, &[passes]) else {
                    return Ok(None);
                };
                guess.into_iter().for_each(|value| set(table, value));
                Ok(Some(guess.is_some()))
            }
        }
    }

    /// How a run ends with a table.
    pub fn end_with(&mut self, run: &Run, table: &[Change]) -> End {
        match (&mut self.players, table) {
            (Some(players), [change]) => players.end_with(&run.inputs, change),
            _ => self.stage.end_with(&run.inputs, table),
        }
    }

    /// A run through the last point that fails with the table.
    fn against(&mut self, table: &[Change]) -> Search {
        let PointSearch { library, players, stage, .. } = self;
        let known = library.against(table, |run| match (&mut *players, table) {
            (Some(players), [change]) => players.end_with(&run.inputs, change),
            _ => stage.end_with(&run.inputs, table),
        });
        if let Some(run) = known {
            return Search::Found(run.clone());
        }
        let found = self.copy.failing_through(table);
        if let Search::Found(run) = &found {
            let (_, instances) = self.stage.instances(&run.inputs, &[]);
            self.library.add(run.clone(), &instances);
        }
        found
    }

    fn truth(&mut self, run: &Run, table: &mut [Change], now: bool) -> Point {
        set(table, u128::from(!now));
        if self.end_with(run, table) != End::Passes {
            return Point::Impossible(Vec::new());
        }
        match self.against(table) {
            Search::None => Point::Repaired,
            Search::Found(other) => Point::Impossible(vec![other]),
            Search::Unknown => Point::Unknown,
        }
    }

    fn number(&mut self, run: &Run, table: &mut [Change], now: i128) -> Result<Point, Refusal> {
        let mut wanted = vec![self.copy.passes_by_value(table, run)?];
        let mut others = Vec::new();
        for _ in 0..self.max_rounds {
            let Some(guess) = self.copy.value(table, &wanted) else { return Ok(Point::Unknown) };
            let Some(value) = guess else { return Ok(Point::Impossible(others)) };
            set(table, value);
            let other = match self.against(table) {
                Search::Found(other) if !other.values.is_empty() => Search::Found(other),
                // The solver knows all inputs of the run.
                Search::Found(_) => self.copy.failing_through(table),
                answer => answer,
            };
            match other {
                Search::None => {
                    self.closer(run, table, (now, value));
                    return Ok(Point::Repaired);
                }
                Search::Unknown => return Ok(Point::Unknown),
                Search::Found(other) => {
                    wanted.push(self.copy.passes_by_value(table, &other)?);
                    others.push(other);
                }
            }
        }
        Ok(Point::Unknown)
    }
}

impl PointSearch<'_> {
    /// Among the values that repair, one that appears in the program and is close to the present value is the most meaningful, and changes least.
    fn closer(&mut self, run: &Run, table: &mut [Change], (now, value): (i128, u128)) {
        let site = table.last().map_or(0, |change| change.site);
        let (mut numbers, float) = (self.copy.numbers(site).to_vec(), self.copy.float(site));
        let distance = |number: &u128| (ordinal(float, *number) - now).unsigned_abs();
        numbers.retain(|number| distance(number) < distance(&value));
        numbers.sort_by_key(distance);
        for number in numbers.into_iter().take(MAX_CLOSER) {
            set(table, number);
            let is_right = self.end_with(run, table) == End::Passes;
            if is_right && matches!(self.against(table), Search::None) {
                return;
            }
        }
        set(table, value);
    }
}

fn set(table: &mut [Change], value: u128) {
    if let Some(last) = table.last_mut() {
        last.value = value;
    }
}
