//! From a failing run to the closest passing one, and the differences between them.

use crate::addresses::looks_at_addresses;
use crate::bounded_program::BoundedProgram;
use crate::closest_run::{Closest, Passing, passes};
use crate::convention::{Counted, of_source};
use crate::describe::Narrator;
use crate::failing_run::Failing;
use crate::options::{ExplainOptions, Slicing};
use crate::replay::{End as RunEnd, Replay, replay};
use crate::session::{ExplainRefusal, has_allocations};
use crate::slices::{End, Pair, Slices, slices};
use crate::story::{
    Delta, DeltaKind, ExplanationNote, Interval, OtherRun, OtherValue, Story, TraceValue, changed_inputs,
};
use crate::trust::Trusted;
use crate::values::{Both, Seen};
use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::SignedOverflow;
use nub_sat::SatLimits;
use nub_sat::certify::CertificationResult;
use nub_unroll::{AllocationModel, Assumption};

/// At most this many further runs are offered if the closest one says little.
const MAX_NEXT: usize = 3;
/// Conflicts of each question for such a run: it need not be exactly the next one.
const NEXT_CONFLICTS: u64 = 5_000;
/// The same for floating-point arithmetic: a conflict costs more, and tried runs are known.
const NEXT_FLOAT_CONFLICTS: u64 = 500;

/// Conflicts of a question for a slice after the time limit.
const LATE_CONFLICTS: u64 = 1_000;

/// Something that both runs keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// Over inputs.
    pub plain: TermId,
    /// Over the variables of definitions.
    pub named: TermId,
}

/// The question: a failing run, and what counts.
pub(crate) struct Telling<'a, 'p> {
    pub bounded: &'a mut BoundedProgram<'p>,
    pub failing: &'a Failing,
    pub counted: Counted,
    pub trusted: Trusted,
    /// The failing run.
    pub before: Seen,
    pub kept: Vec<Kept>,
}

/// A passing run, described.
struct Told {
    deltas: Vec<Delta>,
    /// Positions among the counted values.
    positions: Vec<usize>,
    slices: Vec<Vec<usize>>,
    end: End,
}

impl<'a, 'p> Telling<'a, 'p> {
    pub fn new(
        bounded: &'a mut BoundedProgram<'p>,
        failing: &'a Failing,
        trusted: Trusted,
        options: &ExplainOptions,
    ) -> Telling<'a, 'p> {
        let counted =
            Counted::beside(failing, bounded.source.program, &bounded.unrolled, &trusted, &options.weights);
        let before = Seen::new(&bounded.unrolled, &counted.positions, &failing.inputs);
        Telling { bounded, failing, counted, trusted, before, kept: Vec::new() }
    }

    /// The search for passing runs that keep what must be kept.
    pub fn search(&mut self, limits: &SatLimits) -> Result<Closest, ExplainRefusal> {
        let mut goal = passes(&mut self.bounded.unrolled);
        for kept in &self.kept {
            goal = self.bounded.unrolled.pool.mk(Op::And, &[goal, kept.plain]);
        }
        let BoundedProgram { unrolled, source, .. } = &mut *self.bounded;
        let (program, from) = (source.program, &self.failing.inputs);
        Closest::new(unrolled, program, &self.counted, &self.before.values, from, goal, limits)
    }

    /// The story of the first run of a search, and of the others that were requested.
    pub fn story(
        &self,
        search: &mut Closest,
        first: &Passing,
        options: &ExplainOptions,
    ) -> Result<Story, ExplainRefusal> {
        let told = self.tell(&first.inputs, options)?;
        let checked = if first.lower == first.upper {
            search.certified(&self.bounded.unrolled.pool, first.upper, &options.limits)
        } else {
            CertificationResult::NotChecked
        };
        if checked == CertificationResult::Wrong {
            return Err(ExplainRefusal::Internal(
                "the proof that no run is closer could not be repeated".to_owned(),
            ));
        }
        let mut notes = Vec::new();
        match told.end {
            // Nothing is reported about what was not requested.
            End::More if options.max_slices == 0 => {}
            End::Complete => {}
            End::More => notes.push(ExplanationNote::MoreSlices),
            End::Stopped => notes.push(ExplanationNote::SlicesStopped),
        }
        let is_poor = self.is_poor(&told);
        let mut others = Others { list: Vec::new(), n_closest: 1, is_complete: false };
        search.forbid(&told.positions);
        let max_closest = options.max_runs;
        let max_next = if is_poor { MAX_NEXT } else { 0 };
        if max_closest > 1 || max_next > 0 {
            self.others(search, first.upper, (max_closest, max_next), options, &mut others)?;
        }
        notes.extend((max_closest > 1 && !others.is_complete).then_some(ExplanationNote::MoreRuns));
        notes.extend(is_poor.then_some(ExplanationNote::Poor));
        let overflow = self.bounded.source.program.model.signed_overflow;
        notes.extend((overflow == SignedOverflow::Wraps).then_some(ExplanationNote::OverflowWraps));
        notes.extend(notes_of_premises(self.bounded, options.unroll.allocations));
        let distance = distance(&told.deltas);
        let (bounded, failing) = (&*self.bounded, self.failing);
        let program = bounded.source.program;
        let passing = self.run(&first.inputs, &RunEnd::Passes)?;
        let fails = self.run(&failing.inputs, &RunEnd::Fails(failing.property.clone()))?;
        Ok(Story {
            function: program.function(bounded.unrolled.function).name.clone(),
            property: Narrator(bounded.source).property(&bounded.unrolled, &failing.property),
            unwind: bounded.unwind,
            changed_inputs: changed_inputs(&fails, &passing),
            failing: fails,
            passing,
            distance: Interval { lower: first.lower.min(distance), upper: distance },
            checked,
            n_values: self.counted.positions.len(),
            is_one_step: options.slicing == Slicing::OneStep,
            trace: self.trace(&first.inputs),
            deltas: told.deltas,
            slices: told.slices,
            has_all_slices: told.end == End::Complete,
            n_runs: others.n_closest,
            has_all_runs: others.is_complete,
            others: others.list,
            assumptions: Vec::new(),
            trusted: self.trusted.names(program),
            notes,
        })
    }

    /// A run for the report, after the interpreter ended the same way.
    pub fn run(&self, inputs: &[Value], end: &RunEnd) -> Result<crate::story::RunValues, ExplainRefusal> {
        let (source, unrolled) = (self.bounded.source, &self.bounded.unrolled);
        let replayed = match self.bounded.original {
            Some(original) => Replay::ByLine(original.program),
            None => Replay::ByPlace(source.program),
        };
        let is_replayed = replay(replayed, unrolled, inputs, end).map_err(|disagreement| {
            if looks_at_addresses(source.program, unrolled.function) {
                ExplainRefusal::Addresses
            } else {
                ExplainRefusal::Internal(disagreement.to_string())
            }
        })?;
        Ok(crate::story::RunValues { is_replayed, ..Narrator(source).run(unrolled, inputs) })
    }

    /// More runs, the closest first: as many as requested of those that are as close as the first one, then further ones up to a small number.
    fn others(
        &self,
        search: &mut Closest,
        least: usize,
        (max_closest, max_next): (usize, usize),
        options: &ExplainOptions,
        others: &mut Others,
    ) -> Result<(), ExplainRefusal> {
        let limits = match max_closest {
            1 if self.bounded.source.program.computes_floats() => {
                options.limits.with_conflicts(NEXT_FLOAT_CONFLICTS)
            }
            1 => options.limits.with_conflicts(NEXT_CONFLICTS),
            _ => options.limits.clone(),
        };
        loop {
            let next = match search.next(&self.bounded.unrolled.pool, &limits) {
                Ok(next) => next,
                Err(ExplainRefusal::Stopped(_)) => return Ok(()),
                Err(other) => return Err(other),
            };
            let Some(next) = next else {
                others.is_complete = true;
                return Ok(());
            };
            let is_closest = next.upper <= least;
            others.is_complete |= next.lower > least;
            let is_wanted = is_closest && others.n_closest < max_closest;
            if !is_wanted && others.list.len() >= max_next {
                return Ok(());
            }
            others.n_closest += usize::from(is_closest);
            let told = self.tell(&next.inputs, options)?;
            search.forbid(&told.positions);
            others.list.push(OtherRun {
                passing: self.run(&next.inputs, &RunEnd::Passes)?,
                distance: distance(&told.deltas),
                deltas: told.deltas,
                slices: told.slices,
                trace: self.other_trace(&next.inputs),
            });
        }
    }

    /// The differences of a passing run.
    fn tell(&self, inputs: &[Value], options: &ExplainOptions) -> Result<Told, ExplainRefusal> {
        let unrolled = &self.bounded.unrolled;
        let after = Seen::new(unrolled, &self.counted.positions, inputs);
        let both = Both { before: &self.before.values, after: &after.values };
        let executed = [self.before.executed.as_slice(), &after.executed];
        let (deltas, positions) =
            Narrator(self.bounded.source).deltas(unrolled, &self.counted, both, executed);
        let named: Vec<TermId> = self.kept.iter().map(|kept| kept.named).collect();
        let (ssa, counted) = (&self.bounded.ssa, &self.counted);
        let pair = Pair { unrolled, ssa, counted, both, inputs, assumed: &named };
        let Slices { list, end } = match options.max_slices {
            0 => Slices { list: Vec::new(), end: End::More },
            most => patient_slices(pair, most, &options.limits)?,
        };
        // A slice is a set of differences, so each has its position.
        let place = |index: &usize| positions.binary_search(index).ok();
        let slices = list.iter().map(|slice| slice.iter().filter_map(place).collect()).collect();
        Ok(Told { deltas, positions, slices, end })
    }

    /// All values of both runs, including trusted code and values that are the same in all runs.
    fn trace(&self, passing: &[Value]) -> Vec<TraceValue> {
        let (source, unrolled) = (self.bounded.source, &self.bounded.unrolled);
        let positions = of_source(source.program, unrolled);
        let failing = Seen::new(unrolled, &positions, &self.failing.inputs);
        let passing = Seen::new(unrolled, &positions, passing);
        Narrator(source).trace(unrolled, &positions, [&failing, &passing])
    }

    /// The values of another passing run at the positions of the complete traces.
    fn other_trace(&self, passing: &[Value]) -> Vec<OtherValue> {
        let (source, unrolled) = (self.bounded.source, &self.bounded.unrolled);
        let positions = of_source(source.program, unrolled);
        Narrator(source).other_trace(unrolled, &positions, &Seen::new(unrolled, &positions, passing))
    }

    /// Whether every slice contains only inputs, in whatever form they reach the function under test.
    fn is_poor(&self, told: &Told) -> bool {
        let is_input = |index: &usize| {
            let delta = &told.deltas[*index];
            let found = &self.bounded.unrolled.assignments[self.counted.positions[told.positions[*index]]];
            let is_copy = self.bounded.unrolled.inputs.iter().any(|input| input.term == found.term);
            delta.kind == DeltaKind::Input || is_copy
        };
        !told.slices.is_empty() && told.slices.iter().all(|slice| slice.iter().all(is_input))
    }
}

/// The slices. If the time limit is reached before there is any, one is searched all the same: both runs are known, so it seldom takes long, and a
/// story without it says little.
fn patient_slices(pair: Pair<'_>, most: usize, limits: &SatLimits) -> Result<Slices, ExplainRefusal> {
    // After the time limit the clauses are built once, not first for a search that stops immediately.
    if !limits.cancel.is_cancelled() {
        match slices(pair, most, limits) {
            Ok(found) if found.end == End::Stopped && found.list.is_empty() => {}
            Err(ExplainRefusal::Stopped(_)) => {}
            found => return found,
        }
    }
    slices(pair, 1, &SatLimits::none().with_conflicts(LATE_CONFLICTS))
}

/// Other runs that pass.
struct Others {
    list: Vec<OtherRun>,
    /// The number of closest runs, including the first one.
    n_closest: usize,
    /// Whether there are no more closest runs.
    is_complete: bool,
}

fn distance(deltas: &[Delta]) -> usize {
    deltas.iter().map(|delta| delta.weight as usize).sum()
}

/// The assumptions of both runs about floating-point numbers and memory.
fn notes_of_premises(bounded: &BoundedProgram<'_>, model: AllocationModel) -> Vec<ExplanationNote> {
    let known = [
        (Assumption::Nans, ExplanationNote::MadeNans),
        (Assumption::ZeroOfTwo, ExplanationNote::ZeroOfTwo),
        (Assumption::MathResults, ExplanationNote::MathResults),
    ];
    let premises = bounded.unrolled.float_premises();
    let is_made = |from: &Assumption| from.of_floats().is_some_and(|words| premises.contains(&words));
    let of_memory = has_allocations(bounded).then_some(match model {
        AllocationModel::Sized => ExplanationNote::PossibleAllocationsSucceed,
        AllocationModel::Succeed => ExplanationNote::AllocationsSucceed,
    });
    known.into_iter().filter(|(from, _)| is_made(from)).map(|(_, note)| note).chain(of_memory).collect()
}
