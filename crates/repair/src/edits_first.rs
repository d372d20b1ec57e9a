//! The order of the search: points and then edits, or the other way round where floats are computed with.

use super::damage::balanced;
use super::edits::Tried;
use super::search::{Base, Searched, Trials};
use super::{Refusal, RepairSettings};
use nub_c_ir::ProgramSource;

impl Searched<'_> {
    /// Finds sites, other values at points, and edits.
    pub(super) fn explore(
        &mut self,
        source: ProgramSource<'_>,
        base: Base,
        settings: &RepairSettings,
    ) -> Result<(), Refusal> {
        let edits_first = base.computes_floats && !settings.points_only;
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
    /// program shares its terms with what it is compared with.
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
        let is_right = |edit: &Tried| edit.is_enough() && !edit.is_large() && edit.edit.kind.is_rare();
        if self.edits.iter().any(is_right) {
            return Ok(());
        }
        base.passing = std::mem::take(&mut self.passing);
        let edits: Vec<Option<usize>> = self.candidates.drain(..).map(|candidate| candidate.edit).collect();
        self.witnesses.clear();
        self.sites(source, &base, Trials::Points, settings)?;
        // The same sites in the same order.
        self.candidates.iter_mut().zip(edits).for_each(|(candidate, edit)| candidate.edit = edit);
        self.passing = base.passing;
        Ok(())
    }
}
