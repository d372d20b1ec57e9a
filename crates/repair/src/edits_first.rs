//! The order of the search: points and then edits, or the other way round for floating-point arithmetic and for long runs.

use super::damage::balanced;
use super::edits::{Retyped, Tried, type_edits};
use super::search::{Base, Candidate, Searched};
use super::sites::Site;
use super::try_site::Found;
use super::{Refusal, RepairSettings};
use nub_c_ir::ProgramSource;
use nub_report::ranking::Part;

/// What is tried at sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trials {
    /// Other values at points.
    Points,
    /// Nothing: they are only listed.
    Nothing,
}

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

    /// Tries edits first, and other values at points only if no edit is right. Questions about floats are expensive, and the program with the right
    /// edit usually has the same terms as the specification that it is compared with. Where runs are long, a program with a table at each place of
    /// each iteration is large.
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
        // The same sites in the same order, followed by declarations.
        let n_sites = self.candidates.len();
        self.candidates.iter_mut().zip(&untried).for_each(|(candidate, before)| candidate.edit = before.edit);
        self.candidates.extend(untried.into_iter().skip(n_sites));
        self.passing = base.passing;
        Ok(())
    }

    /// Whether some edit is right, is small, and is of a kind with few alternatives.
    fn has_right_edit(&self) -> bool {
        let is_right = |edit: &Tried| edit.is_enough() && !edit.is_large() && edit.edit.kind.is_rare();
        self.edits.iter().any(is_right)
    }

    /// Tries other types for variables. The declaration is then the place of the fault, whether or not it has an initialiser.
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
