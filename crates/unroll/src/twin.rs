//! A function and variants of it over the same inputs: in which runs is there an observable difference?
//!
//! The variants run in the machine that has run the original, from the same start: parameters, the memory behind pointers and global variables are
//! the same cells, so they have the same inputs, and equal computations are one term. What a variant reads and the original does not is a new input.
//!
//! Cost: that of unrolling each variant, minus what is shared.

use crate::cells::Cells;
use crate::config::{UnrollConfig, UnrollRefusal};
use crate::layout::CellKind;
use crate::machine::{Machine, Step};
use crate::places::*;
use crate::stubs::{ObservedCall, ObservedValue};
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{FunctionId, GlobalId, Program, StopKind, TypeId};

/// A variant may share at most this many scalars of a parameter with the original: those that are inputs whether or not they are read.
const MAX_SHARED: u64 = 256;

/// The limit for variants is computed as if the original had executed at least this many instructions.
const MIN_VARIANT: usize = 100;

/// A variant of the function under test, run on the same inputs. All terms are one bit.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The variant.
    pub function: FunctionId,
    /// Neither run is ignored, and one returns and the other does not, or they return different numbers, or leave different numbers in memory that
    /// the caller can see.
    pub differs: TermId,
    /// They may differ in something else: pointers in memory, bit-fields, padding, structures that are returned.
    pub may_differ: TermId,
    /// The variant has undefined behaviour.
    pub undefined: TermId,
    /// The variant leaves the model: it exceeds a bound or violates an assumption.
    pub leaves: TermId,
    /// Assumptions of the user hold in the variant.
    pub assumed: TermId,
    /// Whether the variant reads the same inputs in the same order while it runs, as far as it reads any. If not, a value that is read may differ
    /// from what the terms say.
    pub reads_alike: bool,
}

/// How a run ended, and with what.
struct Ending {
    returned: TermId,
    result: Option<TermId>,
    calls: Vec<CallEnd>,
    stops: Vec<ProgramStop>,
    stub_calls: Vec<ObservedCall>,
    /// [`Unrolled::varying`]
    varying: Vec<(TermId, TermId)>,
    cells: Option<Cells>,
    /// Where the result was put.
    result_object: Option<ObjectId>,
}

/// What a variant has read so far.
#[derive(Debug)]
pub(crate) struct TwinReads {
    /// The reads of the original: positions in [`Unrolled::inputs`].
    original: Vec<usize>,
    n_done: usize,
    are_alike: bool,
}

/// Like [`crate::unroll`], together with the variants. A variant that cannot be unrolled does not affect the others. The inputs are those of all.
pub fn unroll_twins(
    program: &Program,
    function: FunctionId,
    variants: &[FunctionId],
    config: &UnrollConfig,
) -> Result<(Unrolled, Vec<Result<Twin, UnrollRefusal>>), UnrollRefusal> {
    let mut machine = Machine::new(program, function, config);
    machine.start()?;
    machine.run_to_end()?;
    machine.finish_decisions();
    machine.depart_where_open_values_matter();
    let original = machine.ending();
    let n_instructions = machine.work.n_instructions.max(MIN_VARIANT);
    machine.work.max_variant = config.limits.max_variant_ratio.map(|ratio| ratio * n_instructions);
    let twins = variants.iter().map(|variant| machine.twin(*variant, &original)).collect();
    Ok((machine.into_unrolled(), twins))
}

impl Machine<'_> {
    /// A call of a variant has the parameters of the original's call with the same number.
    pub(crate) fn share_parameters(&mut self, n_params: usize) -> Step<()> {
        let own: Vec<ObjectId> = self.frame().locals[..n_params].to_vec();
        let Some(first) = self.sequence.entries.get(self.sequence.call as usize).cloned() else {
            self.sequence.entries.push(own);
            return Ok(());
        };
        for (from, to) in first.into_iter().zip(own) {
            let n_cells =
                self.memory.objects[from.index()].layout.as_ref().map_or(0, |layout| layout.n_cells);
            if n_cells > MAX_SHARED {
                return Err(UnrollRefusal::unsupported(
                    self.current.span,
                    "a parameter has too many members",
                ));
            }
            let [from, to] = [from, to].map(|object| self.memory.objects[object.index()].first_cell);
            for number in 0..n_cells as u32 {
                if let Some(cell) = self.memory.defaults.get(&(from + number)).copied() {
                    self.memory.defaults.insert(to + number, cell);
                }
            }
        }
        Ok(())
    }

    /// The input that the original read under this name, if a variant reads.
    pub(crate) fn read_of_original(&mut self, name: &str, width: u32, guard: TermId) -> Option<TermId> {
        let reads = self.sequence.twin_reads.as_mut()?;
        let next = reads.original.get(reads.n_done).map(|index| &self.out.inputs[*index]);
        reads.n_done += 1;
        let is_next = |input: &InputVariable| input.name == name && input.guard == guard;
        reads.are_alike &= next.is_some_and(is_next);
        let is_it = |index: &&usize| self.out.inputs[**index].name == name;
        let found = &self.out.inputs[*reads.original.iter().find(is_it)?];
        (self.pool.width(found.term) == width).then_some(found.term)
    }

    /// Runs a variant from the start. What was found out about the original is kept.
    fn twin(&mut self, function: FunctionId, original: &Ending) -> Step<Twin> {
        let mut kept = self.begin_twin(function);
        let done = self.share_statics(kept.function, function).and_then(|()| {
            self.start()?;
            self.run_to_end()?;
            self.depart_where_open_values_matter();
            Ok(())
        });
        let found = done.and_then(|()| self.compare(function, original));
        kept.inputs = std::mem::take(&mut self.out.inputs);
        kept.variable_arguments = std::mem::take(&mut self.out.variable_arguments);
        kept.objects = std::mem::take(&mut self.out.objects);
        kept.contexts = std::mem::take(&mut self.out.contexts);
        self.out = kept;
        self.frames.clear();
        self.sequence.ended.clear();
        found
    }

    /// Whether a variant is running, whose tests are those of the original.
    pub(crate) fn is_variant(&self) -> bool {
        self.sequence.twin_reads.is_some()
    }

    /// Sets the results of the original aside.
    fn begin_twin(&mut self, function: FunctionId) -> Unrolled {
        let is_read = |input: &InputVariable| matches!(input.place, InputPlace::Read { .. });
        let original = (0..self.out.inputs.len()).filter(|at| is_read(&self.out.inputs[*at])).collect();
        self.sequence.twin_reads = Some(TwinReads { original, n_done: 0, are_alike: true });
        self.work.n_reads.clear();
        (
            self.sequence.call,
            self.work.n_instructions,
            self.work.n_allocations,
            self.work.n_constant_rounds,
        ) = (0, 0, 0, 0);
        (self.sequence.final_cells, self.sequence.result_object) = (None, None);
        let never = self.pool.truth(false);
        let mut fresh = Unrolled::new(function, self.config, never);
        fresh.inputs = std::mem::take(&mut self.out.inputs);
        fresh.variable_arguments = std::mem::take(&mut self.out.variable_arguments);
        fresh.objects = std::mem::take(&mut self.out.objects);
        fresh.contexts = std::mem::take(&mut self.out.contexts);
        std::mem::replace(&mut self.out, fresh)
    }

    /// Static variables of the variant are those of the original, unless they have other initial values.
    fn share_statics(&mut self, original: FunctionId, variant: FunctionId) -> Step<()> {
        let program = self.program;
        let statics = |owner: FunctionId| -> Vec<GlobalId> {
            let ids = (0..).map(GlobalId).zip(&program.globals);
            ids.filter(|(_, global)| global.owner == Some(owner)).map(|(id, _)| id).collect()
        };
        let (old, new) = (statics(original), statics(variant));
        let name = |id: &GlobalId| &program.globals[id.index()].name;
        if !old.iter().map(name).eq(new.iter().map(name)) {
            return Err(UnrollRefusal::unsupported(
                self.current.span,
                "the static variables are not the same",
            ));
        }
        let is_same = |(old, new): &(GlobalId, GlobalId)| {
            program.globals[old.index()].initial == program.globals[new.index()].initial
        };
        for (old, new) in old.into_iter().zip(new).filter(is_same) {
            let object = self.global(old)?;
            self.memory.statics.globals.insert(new, object);
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        Ending {
            returned: self.out.returned,
            result: self.out.result,
            calls: self.out.calls.clone(),
            stops: self.out.stops.clone(),
            stub_calls: self.out.stub_calls.clone(),
            varying: self.out.varying.clone(),
            cells: self.sequence.final_cells.clone(),
            result_object: self.sequence.result_object,
        }
    }

    fn compare(&mut self, function: FunctionId, original: &Ending) -> Step<Twin> {
        let variant = self.ending();
        let mut seen = self.ends_apart(original, &variant);
        let mut hidden = Vec::new();
        if !is_called_alike(&original.stub_calls, &variant.stub_calls) {
            hidden.push(self.pool.truth(true));
        }
        let both = terms::and(&mut self.pool, original.returned, variant.returned);
        let results = original.calls.iter().zip(&variant.calls).map(|(a, b)| {
            let results = a.result.zip(b.result);
            (a.returned, b.returned, results)
        });
        let last = (original.returned, variant.returned, original.result.zip(variant.result));
        for (a, b, results) in results.chain([last]).collect::<Vec<_>>() {
            if let Some((of_a, of_b)) = results {
                let other = self.unequal(of_a, of_b, Some(self.program.function(function).result));
                let varies = original.varies(of_a).chain(variant.varies(of_b)).collect::<Vec<_>>();
                let varies = self.any(&varies);
                let other = self.broken((other, varies));
                let both = terms::and(&mut self.pool, a, b);
                seen.push(terms::and(&mut self.pool, both, other));
            }
        }
        if let (Some(a), Some(b)) = (&original.cells, &variant.cells) {
            for (ty, other) in self.memory_apart(a, b)? {
                let other = terms::and(&mut self.pool, both, other);
                let is_number = ty.is_some_and(|ty| self.program.types.number_format(ty).is_some());
                if is_number { seen.push(other) } else { hidden.push(other) }
            }
            hidden.extend(self.records_apart(original, &variant)?);
        }
        let checks: Vec<_> = self.out.rules().map(|check| (check.guard, check.condition)).collect();
        let assumes: Vec<_> = self.out.assumes.iter().map(|found| (found.guard, found.condition)).collect();
        let broken = checks.into_iter().map(|pair| self.broken(pair)).collect::<Vec<_>>();
        let refused = assumes.into_iter().map(|pair| self.broken(pair)).collect::<Vec<_>>();
        let leaving: Vec<TermId> = self.out.leaving().collect();
        let refused = self.any(&refused);
        Ok(Twin {
            function,
            differs: self.any(&seen),
            may_differ: self.any(&hidden),
            undefined: self.any(&broken),
            leaves: self.any(&leaving),
            assumed: self.pool.not(refused),
            reads_alike: self.sequence.twin_reads.as_ref().is_none_or(|reads| reads.are_alike),
        })
    }

    fn any(&mut self, terms: &[TermId]) -> TermId {
        let none = self.pool.truth(false);
        terms.iter().fold(none, |any, term| terms::or(&mut self.pool, any, *term))
    }

    fn broken(&mut self, (guard, condition): (TermId, TermId)) -> TermId {
        let not = self.pool.not(condition);
        terms::and(&mut self.pool, guard, not)
    }

    /// Whether a test can distinguish these values of a type. It treats all NaNs as equal.
    fn unequal(&mut self, a: TermId, b: TermId, ty: Option<TypeId>) -> TermId {
        if self.pool.width(a) != self.pool.width(b) {
            return self.pool.truth(true);
        }
        let mut equal = terms::eq(&mut self.pool, a, b);
        let format = ty.and_then(|ty| self.program.types.float_format(ty));
        if let Some(format) = format.filter(|format| format.width() == self.pool.width(a)) {
            let nans = [a, b].map(|term| self.is_nan_term(term, format));
            let both = terms::and(&mut self.pool, nans[0], nans[1]);
            equal = terms::or(&mut self.pool, equal, both);
        }
        self.pool.not(equal)
    }

    /// Whether one returns and the other does not, or they stop in different ways.
    fn ends_apart(&mut self, original: &Ending, variant: &Ending) -> Vec<TermId> {
        let mut found = vec![self.pool.mk(Op::Xor, &[original.returned, variant.returned])];
        for kind in [StopKind::Abort, StopKind::Exit, StopKind::AssertFailed] {
            let guards = |ending: &Ending| -> Vec<TermId> {
                ending.stops.iter().filter(|stop| stop.kind == kind).map(|stop| stop.guard).collect()
            };
            let a = self.any(&guards(original));
            let b = self.any(&guards(variant));
            found.push(self.pool.mk(Op::Xor, &[a, b]));
        }
        found
    }

    /// Parts of memory that outlive the call, with the condition that they differ. No test compares those without a type: bit-fields, padding, static
    /// variables.
    fn memory_apart(&mut self, a: &Cells, b: &Cells) -> Step<Vec<(Option<TypeId>, TermId)>> {
        let mut found = Vec::new();
        for (id, of_a, of_b) in a.differences(b) {
            let object = self.memory.object_of(id);
            let kind = &self.out.objects[object.index()].kind;
            if !matches!(kind, ObjectKind::Global(_) | ObjectKind::Pointee(_)) {
                continue;
            }
            // No test can name an object that is static in a function.
            let is_hidden = match kind {
                ObjectKind::Global(global) => self.program.globals[global.index()].owner.is_some(),
                _ => false,
            };
            let Some(at) = self.memory.cell_at(object, id) else { continue };
            let start = self.default_cell(object, at)?;
            let [of_a, of_b] = [of_a, of_b].map(|cell| cell.unwrap_or(start).value);
            let ty = match at.kind {
                CellKind::Scalar(ty) if !is_hidden => Some(ty),
                _ => None,
            };
            let other = self.unequal(of_a, of_b, ty);
            found.push((ty, other));
        }
        Ok(found)
    }

    /// Whether structures that are returned differ.
    fn records_apart(&mut self, original: &Ending, variant: &Ending) -> Step<Vec<TermId>> {
        let (Some(a), Some(b)) = (original.result_object, variant.result_object) else {
            return Ok(Vec::new());
        };
        let (Some(of_a), Some(of_b), None) = (&original.cells, &variant.cells, original.result) else {
            return Ok(Vec::new());
        };
        let n_cells = self.memory.objects[a.index()].layout.as_ref().map_or(0, |layout| layout.n_cells);
        let [a, b] = [a, b].map(|object| self.memory.objects[object.index()].first_cell);
        let mut found = Vec::new();
        for number in 0..n_cells as u32 {
            match (of_a.get(a + number), of_b.get(b + number)) {
                (None, None) => {}
                (Some(a), Some(b)) => found.push(self.unequal(a.value, b.value, None)),
                _ => found.push(self.pool.truth(true)),
            }
        }
        Ok(found)
    }
}

impl Ending {
    /// Bits that say that a result varies with something that C leaves open.
    fn varies(&self, result: TermId) -> impl Iterator<Item = TermId> {
        self.varying.iter().filter(move |(term, _)| *term == result).map(|(_, varies)| *varies)
    }
}

/// Whether the same stubs are called in the same runs and see the same values. Terms that are not identical may still be equal.
fn is_called_alike(original: &[ObservedCall], variant: &[ObservedCall]) -> bool {
    let is_same_value = |(a, b): (&ObservedValue, &ObservedValue)| (a.exists, a.term) == (b.exists, b.term);
    let is_same = |(a, b): (&ObservedCall, &ObservedCall)| {
        (a.callee, a.guard, a.values.len()) == (b.callee, b.guard, b.values.len())
            && a.values.iter().zip(&b.values).all(is_same_value)
    };
    original.len() == variant.len() && original.iter().zip(variant).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Limit, UnrollLimits};
    use nub_c_ir::{DataModel, lower};

    /// A variant that does not end is given up in proportion to the original, and does not affect the others.
    #[test]
    fn a_variant_without_end_is_given_up_early() {
        let text = b"int f(int a) { int i, s = a; for (i = 0; i < 8; i++) s ^= i; return s; }
            int endless(int a) { int i, s = a; for (i = 0; i < 8; ) s ^= i; return s; }
            int other(int a) { int i, s = a; for (i = 0; i < 8; i++) s |= i; return s; }";
        let (program, _) = lower(&nub_c_syntax::parse(text).0, &DataModel::lp64());
        let id = |name: &str| program.function_by_name(name).unwrap();
        let limits = UnrollLimits { max_variant_ratio: Some(3), ..UnrollLimits::default() };
        let config = UnrollConfig { limits, ..UnrollConfig::default() };
        let (_, twins) = unroll_twins(&program, id("f"), &[id("endless"), id("other")], &config).unwrap();
        assert!(
            matches!(twins[0], Err(UnrollRefusal::Limit(Limit::Instructions(300..2_000), _))),
            "{twins:?}"
        );
        assert!(twins[1].is_ok());
    }
}
