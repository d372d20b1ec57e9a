//! Known runs, by the points they reach.
//!
//! Most repairs are refuted by a run that was seen before. Running it again costs far less than asking the solver for another.

use super::damage::Passing;
use super::runs::{Change, End, Instance, Run, Stage};
use super::site_programs::SitePrograms;
use rustc_hash::FxHashMap;

/// At most this many runs are tried against one change.
const MAX_TRIED: usize = 6;
/// At most this many passing runs are tried with one change; the share among the others is assumed to be the same.
const MAX_SAMPLE: usize = 60;

/// A point: a site and the values of its operands.
type PointKey = (usize, Vec<u128>);

/// A run that reaches a point.
struct Visit {
    run: usize,
    /// Values of the visible variables there.
    visible: Vec<u128>,
}

/// The runs.
#[derive(Default)]
pub(super) struct KnownRuns {
    runs: Vec<Run>,
    visits: FxHashMap<PointKey, Vec<Visit>>,
    /// Positions of passing runs, by the points they reach.
    passing: FxHashMap<PointKey, Vec<Visit>>,
}

impl KnownRuns {
    /// Adds a run; its evaluations of sites are those without any change.
    pub fn add(&mut self, run: Run, instances: &[Instance]) {
        let number = self.runs.len();
        self.runs.push(run);
        enter(&mut self.visits, number, instances);
    }

    /// Adds runs that pass, to compute damage.
    pub fn add_passing(&mut self, stage: &Stage<'_>, passing: &[Passing]) {
        for (number, passing) in passing.iter().enumerate() {
            let (_, instances) = stage.instances(&passing.run.inputs, &[]);
            enter(&mut self.passing, number, &instances);
            self.add(passing.run.clone(), &instances);
        }
    }

    /// A known run that reaches the point of the last change and fails with the table, as `end` decides.
    pub fn against(&self, table: &[Change], mut end: impl FnMut(&Run) -> End) -> Option<&Run> {
        let last = table.last()?;
        let visits = self.visits.get(&(last.site, last.keys.clone()))?;
        let fitting = visits.iter().filter(|visit| fits(last, &visit.visible));
        let runs = fitting.map(|visit| &self.runs[visit.run]).take(MAX_TRIED);
        let mut failing = runs.filter(|run| end(run) == End::Fails);
        failing.next()
    }

    /// The share of passing runs whose output changes with this change. Only those that reach its point are run, and if there are many a sample.
    pub fn damage(&self, players: &mut SitePrograms<'_>, passing: &[Passing], change: &Change) -> (f64, f64) {
        let visits = self.passing.get(&(change.site, change.keys.clone()));
        let is_other = |visit: &&Visit| {
            let run = &passing[visit.run];
            let (end, output) = players.output(&run.run.inputs, change);
            end != End::Passes || output != run.output
        };
        let mut fitting: Vec<&Visit> =
            visits.into_iter().flatten().filter(|visit| fits(change, &visit.visible)).collect();
        // A run may reach the point more than once.
        fitting.dedup_by_key(|visit| visit.run);
        let n_sample = fitting.len().clamp(1, MAX_SAMPLE);
        let n_changed = fitting.iter().copied().take(MAX_SAMPLE).filter(is_other).count();
        let share = n_changed as f64 / n_sample as f64;
        let altered = fitting.len() as f64 / passing.len().max(1) as f64;
        (share * altered, altered)
    }
}

/// Whether the extra variable has the value of the change.
fn fits(change: &Change, visible: &[u128]) -> bool {
    change.extra.is_none_or(|(variable, value)| visible.get(variable) == Some(&value))
}

/// Records each point of a run once.
fn enter(visits: &mut FxHashMap<PointKey, Vec<Visit>>, run: usize, instances: &[Instance]) {
    for instance in instances {
        let list = visits.entry((instance.site, instance.keys.clone())).or_default();
        if list.last().is_none_or(|last| last.run != run || last.visible != instance.visible) {
            list.push(Visit { run, visible: instance.visible.clone() });
        }
    }
}
