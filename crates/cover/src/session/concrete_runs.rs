//! Concrete runs in a session: when they are tried, and where their results go.

use super::{NamedRun, Session, inputs_of};
use crate::concrete::{RunSearch, Supplement};
use crate::encode::{UndefinedBehaviour, encode};
use crate::goals::{Criterion, CriterionReading};
use crate::judge::Judge;
use crate::measure::Measure;
use crate::options::{Bounds, Error, Unwind, unroll_config};
use crate::report::CoverReport;
use crate::search::Explorer;
use crate::task::{BegunTask, Task, Wanted};
use nub_sat::SatLimits;
use nub_unroll::Unrolled;

impl Session<'_> {
    /// Whether concrete runs can be used. They cannot if the user chose the bound of loops or the number of tests, because they respect neither; nor
    /// for paths through the function and places of undefined behaviour, which depend on the unrolling.
    pub(super) fn can_try_runs(&self) -> bool {
        let options = self.options;
        let is_path = |reading: &CriterionReading| reading.criterion == Criterion::Path;
        matches!(options.unwind, Unwind::UpTo(_))
            && options.max_tests.is_none()
            && options.undefined == UndefinedBehaviour::Excluded
            && !options.readings.iter().any(is_path)
    }

    /// Searches for concrete runs, unless that was done before.
    pub(super) fn try_runs(&self) {
        if !self.can_try_runs() || self.supplement.borrow().is_some() {
            return;
        }
        let options = self.options;
        let mut search = RunSearch::new(self.source, self.function, options, self.lists);
        let slice = || [options.concrete.start(), options.limits.clone()];
        let runs = search.search(options.seed, slice);
        *self.supplement.borrow_mut() = Some(Supplement::new(search, runs));
    }

    /// Reports about concrete runs alone, where the function is too large to be unrolled.
    pub(super) fn by_runs_alone(&self, bounds: Bounds, error: Error) -> Result<Vec<CoverReport>, Error> {
        let Session { source, options, .. } = *self;
        let mut supplement = self.supplement.borrow_mut();
        let Some(supplement) = supplement.as_mut().filter(|_| options.existing.is_empty()) else {
            return Err(error);
        };
        let Some(mut unrolled) = supplement.first() else { return Err(error) };
        let (goals, evaluation) = (self.lists.iter().flatten(), options.evaluation());
        let none = SatLimits::none();
        let encoded = encode(source.program, &mut unrolled, goals, &[], evaluation, options.undefined, &none)
            .map_err(|obstacle| Error::TooLarge(obstacle.to_string()))?;
        let config = unroll_config(source, self.function, options, bounds);
        let judge = Judge::new(source, &unrolled, &config, evaluation, options.undefined, &options.closing);
        let tasks = options.readings.iter().zip(self.lists).map(|(reading, list)| Task {
            source,
            unrolled: &unrolled,
            encoded: &encoded,
            reading: *reading,
            goals: list,
            existing: &[],
            bound: bounds.unwind,
            elements: config.pointers.elements,
            judge: &judge,
            config: &config,
            larger: Wanted::default(),
            routes_stop: None,
        });
        tasks.map(|task| task.by_runs_alone(supplement, options)).collect()
    }

    /// Adds these runs and the concrete ones, as far as they are within the bounds.
    pub(super) fn add_runs(
        &self,
        explorer: &mut Explorer<'_>,
        unrolled: &Unrolled,
        measure: &Measure<'_>,
        runs: &[NamedRun],
    ) {
        let supplement = self.supplement.borrow();
        let concrete = supplement.iter().flat_map(Supplement::runs);
        let concrete: Vec<NamedRun> = concrete.map(|run| run.inputs.iter().cloned().collect()).collect();
        let runs = runs.iter().chain(&concrete);
        for run in runs.filter_map(|run| measure.run(inputs_of(unrolled, run)).ok()) {
            explorer.known_mut().saw(run);
        }
    }

    /// Begins the tasks. If not all goals are decided soon, concrete runs are tried, and the search goes on with what they reach.
    pub(super) fn begin(
        &self,
        tasks: &[Task<'_>],
        explorer: &mut Explorer<'_>,
        unrolled: &Unrolled,
        measure: &Measure<'_>,
    ) -> Vec<BegunTask> {
        let options = self.options;
        if self.can_try_runs() && self.supplement.borrow().is_none() {
            let begun = tasks.iter().map(|task| task.begin(explorer, options, &options.first));
            let begun: Vec<BegunTask> = begun.collect();
            if !begun.iter().any(BegunTask::is_stopped) {
                return begun;
            }
            self.try_runs();
            self.add_runs(explorer, unrolled, measure, &[]);
        }
        tasks.iter().map(|task| task.begin(explorer, options, &options.limits)).collect()
    }

    /// Finishes the tasks, with concrete runs for goals that may still be reached.
    pub(super) fn finish(
        &self,
        tasks: &[Task<'_>],
        begun: Vec<BegunTask>,
        explorer: &mut Explorer<'_>,
    ) -> Result<Vec<CoverReport>, Error> {
        let options = self.options;
        if begun.iter().any(BegunTask::is_incomplete) && !options.limits.cancel.is_cancelled() {
            self.try_runs();
        }
        let mut supplement = self.supplement.borrow_mut();
        let finish = |(task, begun): (&Task<'_>, BegunTask)| {
            task.finish(explorer, options, begun, supplement.as_mut())
        };
        tasks.iter().zip(begun).map(finish).collect()
    }
}
