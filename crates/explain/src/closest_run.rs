//! The passing runs that differ as little as possible from a failing one.

use crate::cases::{CaseBounds, DistanceQuestion, FromRun, by_cases};
use crate::convention::Counted;
use crate::near::Inputs;
use crate::session::ExplainRefusal;
use crate::sum::Sum;
use crate::system::{System, all_hold};
use crate::tried_floats::TriedFloats;
use nub_bitvec::{Op, Pool, TermId, Value};
use nub_c_ir::Program;
use nub_cnf::{Lit, Totalizer};
use nub_sat::certify::{CertificationResult, FreshClauses};
use nub_sat::{Minimum, SatAnswer, SatLimits, SatStop, Strategy, fewer_than, minimise_from};
use nub_unroll::Unrolled;

/// Values times distance. Beyond this, the minimum is not proved a second time, and only runs that differ in the same values are compared by their
/// inputs: there would be that many counting clauses.
const MAX_COUNTED: usize = 100_000;

/// For floating-point arithmetic a conflict costs more, and questions about inputs get this fraction of them.
const FLOAT_SHARE: u64 = 4;

/// A passing run.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// Values of all inputs.
    pub inputs: Vec<Value>,
    /// No passing run is closer than this.
    pub lower: usize,
    /// Its distance.
    pub upper: usize,
}

/// All assertions, assumptions and checks hold, and no bound is reached.
pub(crate) fn passes(unrolled: &mut Unrolled) -> TermId {
    let Unrolled { pool, asserts, checks, assumes, over, .. } = unrolled;
    let mut list: Vec<(TermId, TermId)> = Vec::new();
    list.extend(asserts.iter().map(|property| (property.guard, property.condition)));
    list.extend(checks.iter().map(|property| (property.guard, property.condition)));
    list.extend(assumes.iter().map(|property| (property.guard, property.condition)));
    let never = pool.truth(false);
    list.extend(over.iter().map(|over| (over.guard, never)));
    all_hold(pool, list)
}

/// The search. It has its own solver, since given inputs hold for the failing run only.
pub(crate) struct Closest {
    system: System,
    goal: Lit,
    /// For each counted value: it differs.
    differ: Vec<Lit>,
    sum: Sum,
    inputs: Inputs,
    /// The goal as a term; and for each counted value a term that is true if it is the same in both runs, with its weight.
    terms: (TermId, Vec<(TermId, u32)>),
    /// Passing runs that were found by trying, the closest first.
    known: Vec<KnownRun>,
    /// The failing run, until the case analysis was done.
    from: Option<FromRun>,
}

/// A passing run that was found without a solver.
struct KnownRun {
    inputs: Vec<Value>,
    /// For each counted value: it differs.
    differs: Vec<bool>,
    distance: usize,
    n_changed: usize,
}

impl Closest {
    /// Searches for runs for which `goal` is true. `before` are the counted values in the run with the inputs `from`.
    pub fn new(
        unrolled: &mut Unrolled,
        program: &Program,
        counted: &Counted,
        before: &[Value],
        from: &[Value],
        goal: TermId,
        limits: &SatLimits,
    ) -> Result<Closest, ExplainRefusal> {
        let mut system = System::new(limits);
        let mut terms = (goal, Vec::with_capacity(before.len()));
        let goal = system.lit(&unrolled.pool, goal)?;
        let mut differ = Vec::with_capacity(before.len());
        let mut sum = Sum::default();
        let all = counted.positions.iter().zip(&counted.weights).zip(before);
        for ((&at, &weight), value) in all {
            if limits.cancel.is_cancelled() {
                return Err(ExplainRefusal::Stopped(SatStop::Cancelled));
            }
            let term = unrolled.assignments[at].term;
            let constant = unrolled.pool.constant(value.clone());
            let equal = unrolled.pool.mk(Op::Eq, &[term, constant]);
            let lit = !system.lit(&unrolled.pool, equal)?;
            sum.add(&mut system, lit, weight);
            terms.1.push((equal, weight));
            differ.push(lit);
        }
        let mut inputs = Inputs::new(unrolled, &program.types, &mut system, from)?;
        let tried = TriedFloats::new(program, unrolled, &[]);
        inputs.conflict_share = if tried.is_some() { FLOAT_SHARE } else { 1 };
        let known = tried.map_or_else(Vec::new, |tried| known(&tried, unrolled, from, &terms));
        let variables = unrolled.inputs.iter().map(|input| input.term).collect();
        // Ranges know nothing about the results of library functions.
        let has_cases = unrolled.library_calls.is_empty();
        let from = has_cases.then(|| FromRun { inputs: variables, values: from.to_vec() });
        Ok(Closest { system, goal, differ, sum, inputs, terms, known, from })
    }

    /// Generates a proof that no run is closer than this, and checks it.
    pub fn certified(&self, pool: &Pool, distance: usize, limits: &SatLimits) -> CertificationResult {
        let Some(bound) = distance.checked_sub(1) else { return CertificationResult::Checked };
        if self.terms.1.len().saturating_mul(distance) > MAX_COUNTED || limits.cancel.is_cancelled() {
            return CertificationResult::NotChecked;
        }
        let mut fresh = FreshClauses::default();
        let mut differ = Vec::new();
        let Ok(goal) = fresh.lit(pool, self.terms.0) else { return CertificationResult::NotChecked };
        for (equal, weight) in &self.terms.1 {
            if limits.cancel.is_cancelled() {
                return CertificationResult::NotChecked;
            }
            let Ok(lit) = fresh.lit(pool, *equal) else { return CertificationResult::NotChecked };
            differ.extend(std::iter::repeat_n(!lit, *weight as usize));
        }
        fresh.refuted(&[goal], &differ, bound, limits)
    }

    /// Whether a run is closer than this.
    pub fn is_closer(&mut self, bound: usize, limits: &SatLimits) -> SatAnswer {
        fewer_than(self.system.solver.as_mut(), self.sum.lits(), &[self.goal], bound, limits)
    }

    /// The closest run that is not forbidden; of several, the one with the fewest and smallest changes of inputs. `None` if there is none.
    pub fn next(&mut self, pool: &Pool, limits: &SatLimits) -> Result<Option<Passing>, ExplainRefusal> {
        let by_cases = self.by_cases(pool, limits);
        if let Some(found) = &by_cases {
            if found.is_enough(self.terms.1.len()) {
                let CaseBounds { lower, upper, inputs } = found.clone();
                return Ok(Some(Passing { inputs, lower, upper }));
            }
            self.inputs.prefer(&mut self.system, &found.inputs);
        }
        let found = match self.next_by_solver(pool, limits) {
            Err(ExplainRefusal::Stopped(_)) if by_cases.is_some() => None,
            found => found?,
        };
        let Some(cases) = by_cases else { return Ok(found) };
        let lower = cases.lower.max(found.as_ref().map_or(0, |found| found.lower));
        Ok(Some(match found.filter(|found| found.upper <= cases.upper) {
            Some(found) => Passing { lower: lower.min(found.upper), ..found },
            None => Passing { lower, upper: cases.upper, inputs: cases.inputs },
        }))
    }

    /// Bounds on the distance by case analysis of inputs, once: later questions forbid runs.
    fn by_cases(&mut self, pool: &Pool, limits: &SatLimits) -> Option<CaseBounds> {
        let from = self.from.take()?;
        by_cases(pool, DistanceQuestion { goal: self.terms.0, same: &self.terms.1, from: &from }, limits)
    }

    fn next_by_solver(&mut self, pool: &Pool, limits: &SatLimits) -> Result<Option<Passing>, ExplainRefusal> {
        let solver = self.system.solver.as_mut();
        let start = self.known.first().map_or_else(Vec::new, |known| self.inputs.assumed(&known.inputs));
        let (lower, upper, model) =
            match minimise_from(solver, self.sum.lits(), &[self.goal], &start, Strategy::Both, limits) {
                Minimum::Infeasible(_) => return Ok(None),
                Minimum::Optimal { cost, model } => (cost, cost, model),
                Minimum::Interval { lower, upper: Some((upper, model)), .. } => (lower, upper, model),
                Minimum::Interval { upper: None, stop, .. } => return Err(ExplainRefusal::Stopped(stop)),
            };
        let is_true =
            |lit: &Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
        let mut wanted = vec![self.goal];
        if self.sum.lits().len().saturating_mul(upper + 1) > MAX_COUNTED {
            wanted.extend(self.differ.iter().filter(|lit| !is_true(lit)).map(|lit| !*lit));
        } else {
            let mut counter = Totalizer::new(self.sum.lits());
            wanted.extend(counter.more_than(upper, self.system.solver.as_mut()).map(|more| !more));
        }
        // Among runs of the same distance, the one with the fewest changed inputs comes first.
        let start =
            if self.known.first().is_some_and(|known| known.distance == upper) { start } else { Vec::new() };
        let nearest = self.inputs.nearest(pool, &mut self.system, wanted, &start, limits)?;
        let inputs = nearest.unwrap_or_else(|| self.inputs.of_model(is_true));
        Ok(Some(Passing { inputs, lower, upper }))
    }

    /// Forbids runs in which all these values differ, given by their positions among the counted ones.
    pub fn forbid(&mut self, differing: &[usize]) {
        self.known.retain(|known| !differing.iter().all(|index| known.differs[*index]));
        self.from = None;
        let clause: Vec<Lit> = differing.iter().map(|index| !self.differ[*index]).collect();
        self.system.solver.add(&clause);
    }
}

/// Passing runs near a failing one, found by trying; the closest first, and among these the one with the fewest changed inputs.
fn known(
    tried: &TriedFloats,
    unrolled: &Unrolled,
    from: &[Value],
    (goal, counted): &(TermId, Vec<(TermId, u32)>),
) -> Vec<KnownRun> {
    let terms: Vec<TermId> = std::iter::once(*goal).chain(counted.iter().map(|found| found.0)).collect();
    let runs = tried.near(unrolled, from, &terms).into_iter().filter(|(_, found)| found[0].is_true());
    let known = runs.map(|(inputs, found)| {
        let differs: Vec<bool> = found[1..].iter().map(|equal| !equal.is_true()).collect();
        let weight =
            |(differs, (_, weight)): (&bool, &(TermId, u32))| usize::from(*differs) * *weight as usize;
        let distance = differs.iter().zip(counted).map(weight).sum();
        let n_changed = inputs.iter().zip(from).filter(|(new, old)| new != old).count();
        KnownRun { inputs, differs, distance, n_changed }
    });
    let mut known: Vec<KnownRun> = known.collect();
    known.sort_by_key(|known| (known.distance, known.n_changed));
    known
}
