//! The order of the search: points and then edits, or the other way round where floats are computed with or runs are long.

use super::damage::balanced;
use super::edits::{Retyped, Tried, type_edits};
use super::search::{Base, Candidate, Searched, Trials};
use super::sites::Site;
use super::try_site::Found;
use super::{Refusal, RepairSettings};
use nub_c_ir::ProgramSource;
use nub_report::ranking::Part;

impl Searched<'_> {
    /// Finds sites, other values at points, and edits.
    pub(super) fn explore(
        &mut self,
        source: ProgramSource<'_>,
        base: Base,
        settings: &RepairSettings,
    ) -> Result<(), Refusal> {
        let edits_first = (base.computes_floats || self.problem.is_long) && !settings.points_only;
        if edits_first {
            self.edits_first(source, base, settings)?;
        } else {
            self.sites(source, &base, Trials::Points, settings)?;
            self.failing = base.runs;
            self.passing = balanced(base.passing);
        }
        if !settings.points_only {
            let rules = self.rules(source, settings)?;
            if !edits_first {
                self.edit(source, settings)?;
            }
            self.rule_edits = (self.edits.len()..).take(rules.len()).collect();
            self.edits.extend(rules);
        }
        Ok(())
    }

    /// Edits first, and other values at points if no edit is right: questions about floats are expensive, and with most edits that are right the
    /// program shares its terms with what it is compared with. Where runs are long, so is a program with a table at each place of each round.
    fn edits_first(
        &mut self,
        source: ProgramSource<'_>,
        mut base: Base,
        settings: &RepairSettings,
    ) -> Result<(), Refusal> {
        self.sites(source, &base, Trials::Nothing, settings)?;
        self.failing = base.runs.clone();
        self.passing = balanced(std::mem::take(&mut base.passing));
        self.edit(source, settings)?;
        if base.computes_floats && !self.has_right_edit() {
            self.retype(source, settings)?;
        }
        let is_good = |edit: &Tried| edit.is_enough() || edit.is_likely;
        if self.has_right_edit() || self.problem.is_long && self.edits.iter().any(is_good) {
            return Ok(());
        }
        base.passing = std::mem::take(&mut self.passing);
        let untried: Vec<Candidate> = self.candidates.drain(..).collect();
        self.witnesses.clear();
        self.sites(source, &base, Trials::Points, settings)?;
        // The same sites in the same order, and after them declarations.
        let n_sites = self.candidates.len();
        self.candidates.iter_mut().zip(&untried).for_each(|(candidate, before)| candidate.edit = before.edit);
        self.candidates.extend(untried.into_iter().skip(n_sites));
        self.passing = base.passing;
        Ok(())
    }

    /// Some edit is right, is small, and is one of a few.
    fn has_right_edit(&self) -> bool {
        let is_right = |edit: &Tried| edit.is_enough() && !edit.is_large() && edit.edit.kind.is_rare();
        self.edits.iter().any(is_right)
    }

    /// Tries other types for variables. The declaration is the place of the fault then, whether or not it has an initial value.
    fn retype(&mut self, source: ProgramSource<'_>, settings: &RepairSettings) -> Result<(), Refusal> {
        let mut effort = self.effort;
        let found = type_edits(self.plain_task(source, settings), &mut effort)?;
        self.effort = effort;
        for Retyped { function, local, tried } in found.into_iter().filter(|found| found.tried.is_enough()) {
            let declared = &self.problem.program.function(function).locals[local];
            let (span, position) = (declared.span, declared.position);
            let Some(model) = self.candidates.iter().find(|candidate| candidate.site.function == function)
            else {
                continue;
            };
            let site = Site { span, position, part: Part::Assignment, ..model.site.clone() };
            let edit = Some(self.edits.len());
            let declared =
                Candidate { site, edit, visible: Vec::new(), found: Found::default(), first: model.first };
            self.candidates.push(declared);
            self.edits.push(tried);
        }
        Ok(())
    }
}
