//! Table proof: is a change of one site enough for the whole program?
//!
//! Entries are added one by one to a table at the site: a run that still fails gives the next point, and point repair its value. When no run fails
//! any more, the site with this table is a repair of the program, and changing its line alone is enough: proved, up to the bounds. If runs reach the
//! site only once and no value at one point works for all of them, no function of these operands is a repair.

use super::encoded_program::{EncodedProgram, ProgramQuestion, Search};
use super::known_runs::KnownRuns;
use super::point::{Point, PointSearch};
use super::runs::{Change, End, Run};
use super::search::Problem;
use super::site_tables::{Style, instrument};
use super::try_site::{Witness, shape};
use super::visible::Visible;
use super::{Refusal, RepairSettings, sites::Site};
use nub_report::ranking::RepairProof;
use nub_sat::certify::CertificationResult;

/// Table sizes, tried one after the other; the last is [`RepairSettings::max_entries`].
const SIZES: [usize; 2] = [4, 16];

/// A table under construction.
struct Builder<'a> {
    problem: &'a Problem<'a>,
    site: &'a Site,
    /// The additional variable that the site reads.
    extra: Option<&'a Visible>,
    witnesses: &'a [Witness],
    settings: &'a RepairSettings,
    table: Vec<Change>,
    n_questions: usize,
}

/// Tries to prove that a change of this site alone repairs the program. Also returns how many questions that took.
pub(super) fn prove(
    problem: &Problem<'_>,
    site: &Site,
    extra: Option<&Visible>,
    witnesses: &[Witness],
    settings: &RepairSettings,
) -> Result<(RepairProof, usize), Refusal> {
    let mut sizes: Vec<usize> = SIZES.into_iter().filter(|size| *size < settings.max_entries).collect();
    sizes.push(settings.max_entries);
    let mut builder =
        Builder { problem, site, extra, witnesses, settings, table: Vec::new(), n_questions: 0 };
    for size in sizes {
        if let Some(proof) = builder.with_size(size)? {
            return Ok((proof, builder.n_questions));
        }
    }
    Ok((RepairProof::Open { n_entries: builder.table.len() }, builder.n_questions))
}

impl Builder<'_> {
    /// Continues with a table of this size; `None` if it is full and runs still fail.
    fn with_size(&mut self, size: usize) -> Result<Option<RepairProof>, Refusal> {
        let problem = self.problem;
        let sites = std::slice::from_ref(self.site);
        let visible = [self.extra.cloned().into_iter().collect::<Vec<_>>()];
        let make = |style: Style| instrument(problem.program, problem.start, sites, &visible, size, style);
        let (plain, telling) = (make(Style::Plain), make(Style::Telling));
        let Problem { start, config, target, .. } = problem;
        let question = ProgramQuestion { start: *start, config, target };
        let mut copy = EncodedProgram::new(&plain, sites, question, self.settings)?;
        copy.settle(&self.table, 0);
        let max_rounds = self.settings.max_rounds;
        let (stage, library) = (problem.stage(&telling), KnownRuns::default());
        let mut lab = PointSearch { copy, stage, players: None, library, max_rounds };
        let proof = loop {
            let run = match lab.copy.failing(&self.table, &[]) {
                Search::None => break Some(self.closed(&mut lab)),
                Search::Unknown => break Some(RepairProof::Open { n_entries: self.table.len() }),
                Search::Found(run) => run,
            };
            if self.table.len() == size {
                break None;
            }
            let n_before = self.table.len();
            if let Some(proof) = self.add_entry(&mut lab, &run)? {
                break Some(proof);
            }
            lab.copy.settle(&self.table, n_before);
        };
        self.n_questions += lab.copy.n_questions;
        Ok(proof)
    }

    /// No run fails any more. The interpreter confirms it on the known runs, and the proof is generated again and checked.
    fn closed(&self, lab: &mut PointSearch<'_>) -> RepairProof {
        let passes = |witness: &Witness| lab.stage.end_with(&witness.run.inputs, &self.table) == End::Passes;
        let n_entries = self.table.len();
        let is_right = self.witnesses.iter().all(passes);
        match lab.copy.certified(&self.table) {
            CertificationResult::Wrong => RepairProof::Open { n_entries },
            checked if is_right => RepairProof::Repairs {
                n_entries,
                is_complete: !lab.copy.is_bounded(),
                checked,
                premises: lab.copy.premises(),
            },
            _ => RepairProof::Open { n_entries },
        }
    }

    /// Adds an entry, so that this run passes. If there is none, returns what that implies.
    fn add_entry(&mut self, lab: &mut PointSearch<'_>, run: &Run) -> Result<Option<RepairProof>, Refusal> {
        let (_, instances) = lab.stage.instances(&run.inputs, &self.table);
        // A site cannot change a run that does not reach it. If no run reaches it twice, the result depends on one point alone.
        let mut is_refuted = instances.is_empty();
        for instance in &instances {
            let key = self.extra.and(instance.visible.first()).map(|value| (0, *value));
            let change = Change { site: 0, keys: instance.keys.clone(), extra: key, value: 0 };
            let is_known = |old: &Change| old.keys == change.keys && old.extra == change.extra;
            if self.table.iter().any(is_known) {
                continue;
            }
            self.table.push(change);
            let shape = shape(lab, self.site, instance);
            match lab.repair(run, &mut self.table, shape)? {
                Point::Repaired => return Ok(None),
                Point::Impossible(_) => is_refuted |= self.extra.is_none() && lab.copy.is_once(0),
                Point::Unknown => {}
            }
            self.table.pop();
        }
        let n_entries = self.table.len();
        Ok(Some(if is_refuted { RepairProof::Refuted } else { RepairProof::Open { n_entries } }))
    }
}
