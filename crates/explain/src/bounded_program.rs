//! A program to search for runs: its text, its types, its unrolled function.

use crate::property::{Instance, instances};
use crate::session::ExplainRefusal;
use nub_bitvec::{Evaluator, TermId, Value};
use nub_c_ir::FunctionId;
use nub_c_ir::ProgramSource;
use nub_sat::SatStop;
use nub_unroll::{Ssa, UnrollConfig, Unrolled, unroll_ssa};

/// A program and all its runs up to a bound.
pub(crate) struct BoundedProgram<'p> {
    pub source: ProgramSource<'p>,
    /// The program in which runs are replayed, if it is another text of the same program; positions then agree by line.
    pub original: Option<ProgramSource<'p>>,
    pub unrolled: Unrolled,
    pub ssa: Ssa,
    /// Iterations of each loop.
    pub unwind: u32,
    /// All properties, in an order of execution.
    pub instances: Vec<Instance>,
}

impl<'p> BoundedProgram<'p> {
    pub fn new(
        source: ProgramSource<'p>,
        function: FunctionId,
        config: &UnrollConfig,
    ) -> Result<BoundedProgram<'p>, ExplainRefusal> {
        let (unrolled, ssa) =
            unroll_ssa(source.program, function, config).map_err(|refusal| match refusal {
                nub_unroll::UnrollRefusal::Limit(nub_unroll::Limit::Time, _) => {
                    ExplainRefusal::Stopped(SatStop::Cancelled)
                }
                other => ExplainRefusal::Unsupported(other.diagnostics()),
            })?;
        let instances = instances(source.program, &unrolled);
        Ok(BoundedProgram { source, original: None, unrolled, ssa, unwind: config.unwind, instances })
    }

    /// Whether these one-bit terms are true in a run.
    pub fn are_true(&self, terms: &[TermId], inputs: &[Value]) -> Vec<bool> {
        let found = Evaluator::new(&self.unrolled.pool, terms).run(&self.unrolled.assignment(inputs));
        found.iter().map(nub_bitvec::Datum::is_true).collect()
    }

    /// The first violation in a run, of the property with this name.
    pub fn broken(&self, id: &str, inputs: &[Value]) -> Option<Instance> {
        let mine: Vec<&Instance> = self.instances.iter().filter(|found| found.id == id).collect();
        let terms = |found: &&Instance| [found.guard, found.condition.unwrap_or(found.guard)];
        let terms: Vec<TermId> = mine.iter().flat_map(terms).collect();
        let values = self.are_true(&terms, inputs);
        let is_broken =
            |(found, pair): &(&&Instance, &[bool])| pair[0] && (found.condition.is_none() || !pair[1]);
        mine.iter().zip(values.chunks(2)).find(is_broken).map(|(found, _)| Instance::clone(found))
    }
}
