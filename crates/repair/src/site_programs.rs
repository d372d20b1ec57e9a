//! Programs with a table at one site only, to run changes in the interpreter.
//!
//! The program with tables at all sites computes keys everywhere, which makes a run many times longer. For one change it is enough to have a table at
//! its site and, if the change has an extra variable, to read only this variable.

use super::runs::{Change, End, Output, Stage};
use super::search::Problem;
use super::site_tables::{Instrumented, Style, instrument};
use super::sites::Site;
use super::visible::Visible;
use nub_c_ir::RunInputs;
use rustc_hash::FxHashMap;

/// Programs that are kept at once.
const MAX_KEPT: usize = 64;

/// Programs by site and extra variable, built when they are first needed.
pub(super) struct SitePrograms<'a> {
    problem: &'a Problem<'a>,
    sites: &'a [Site],
    visible: &'a [Vec<Visible>],
    made: FxHashMap<(usize, Option<usize>), Instrumented>,
    pub n_runs: usize,
}

impl<'a> SitePrograms<'a> {
    pub fn new(problem: &'a Problem<'a>, sites: &'a [Site], visible: &'a [Vec<Visible>]) -> SitePrograms<'a> {
        SitePrograms { problem, sites, visible, made: FxHashMap::default(), n_runs: 0 }
    }

    fn with<T>(&mut self, change: &Change, play: impl FnOnce(&Stage<'_>, &[Change]) -> T) -> T {
        let variable = change.extra.map(|(variable, _)| variable);
        let key = (change.site, variable);
        if !self.made.contains_key(&key) {
            if self.made.len() >= MAX_KEPT {
                self.made.clear();
            }
            let visible = variable.and_then(|variable| self.visible[change.site].get(variable)).cloned();
            let visible = [visible.into_iter().collect::<Vec<_>>()];
            let site = std::slice::from_ref(&self.sites[change.site]);
            let Problem { program, start, .. } = *self.problem;
            self.made.insert(key, instrument(program, start, site, &visible, 1, Style::Plain));
        }
        self.n_runs += 1;
        let extra = change.extra.map(|(_, value)| (0, value));
        let change = Change { site: 0, extra, ..change.clone() };
        play(&self.problem.stage(&self.made[&key]), &[change])
    }

    /// How a run ends with a change.
    pub fn end_with(&mut self, inputs: &RunInputs, change: &Change) -> End {
        self.with(change, |stage, table| stage.end_with(inputs, table))
    }

    /// What the specification sees of a run with a change.
    pub fn output(&mut self, inputs: &RunInputs, change: &Change) -> (End, Output) {
        self.with(change, |stage, table| stage.output(inputs, table))
    }
}
