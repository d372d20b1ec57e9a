//! One unrolled copy of the program with tables, as clauses of one incremental solver.

use super::few_inputs::{Enumerated, enumerate};
use super::numbers::{NamedNumbers, Widths, is_value, widths};
use super::order_only::narrowed;
use super::runs::{Change, Run};
use super::site_tables::{Entry, Instrumented};
use super::sites::Site;
use super::specialise::specialise;
use super::target::{Ends, Target, ends};
use super::zero_one::zero_one;
use super::{Refusal, RepairSettings};
use nub_bitvec::{Assignment, Datum, Op, TermId, Value, evaluate};
use nub_c_ir::{FloatEncoding, FunctionId, GlobalId, Program};
use nub_cnf::{Lit, LiteralUse, TermEncoder, TooLarge};
use nub_sat::certify::{CertificationResult, never_true};
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};
use nub_unroll::{AssignmentTarget as Stored, InputPlace, ObjectKind, UnrollConfig, Unrolled, unroll};
use rustc_hash::FxHashMap;

/// For floating-point arithmetic, a question may cost this fraction of what others may: easy questions need few conflicts, and many are out of reach
/// with any number. Each question that is given up halves what the next may cost, down to a minimum.
const FLOAT_SHARE: u64 = 20;
const LEAST_CONFLICTS: u64 = 100;
/// The number of questions of one copy in that case, so that the result does not depend on the speed of the machine.
const MAX_FLOAT_QUESTIONS: usize = 150;

/// A term and its bits.
pub(super) struct Slot {
    pub term: TermId,
    pub bits: Vec<Lit>,
}

/// An unrolled copy of the program with tables.
pub(super) struct EncodedProgram<'i> {
    pub(super) program: &'i Program,
    pub(super) entries: &'i [Entry],
    pub unrolled: Unrolled,
    pub(super) solver: Box<dyn SatSolver>,
    encoder: TermEncoder,
    /// The inputs of tables.
    pub(super) slots: FxHashMap<GlobalId, Slot>,
    /// Positions of the other inputs, and their bits.
    pub(super) inputs: Vec<(usize, Vec<Lit>)>,
    pub(super) passes: TermId,
    pub(super) violates: Lit,
    /// The same as a term.
    pub(super) violates_term: TermId,
    /// For each entry: whether the run uses it; as terms, and as literals.
    meet_terms: Vec<TermId>,
    meets: Vec<Lit>,
    /// The term `passes`, with the site and the extra variable fixed.
    pub(super) specialised: FxHashMap<(usize, usize), TermId>,
    widths: Vec<Widths>,
    /// Numbers that appear in the program: the first guesses for a value.
    numbers: NamedNumbers,
    /// A literal that says that the value of the first entry is one of them, for each representation (the width of floats, 0 for integers).
    pub(super) named: FxHashMap<u32, Lit>,
    /// How often each site occurs after unrolling.
    n_instances: Vec<usize>,
    /// Entries of the table that are fixed permanently.
    n_settled: usize,
    limits: SatLimits,
    /// Whether the program computes floats from others.
    pub computes_floats: bool,
    /// Whether a run was found whose inputs cannot be given to the interpreter.
    pub is_unplayable: bool,
    pub n_questions: usize,
}

/// What is asked about a program.
#[derive(Clone, Copy)]
pub(super) struct ProgramQuestion<'q> {
    /// The function that runs start in.
    pub start: FunctionId,
    /// How it is unrolled.
    pub config: &'q UnrollConfig,
    /// What counts as a failure.
    pub target: &'q Target,
}

/// The result of a search for a run.
pub(super) enum Search {
    Found(Run),
    None,
    Unknown,
}

impl<'i> EncodedProgram<'i> {
    pub fn new(
        instrumented: &'i Instrumented,
        sites: &[Site],
        question: ProgramQuestion<'_>,
        settings: &RepairSettings,
    ) -> Result<EncodedProgram<'i>, Refusal> {
        let mut copy = EncodedProgram::unencoded(instrumented, sites, question, settings)?;
        copy.encode()?;
        Ok(copy)
    }

    /// The copy as terms, without clauses yet.
    pub fn unencoded(
        instrumented: &'i Instrumented,
        sites: &[Site],
        question: ProgramQuestion<'_>,
        settings: &RepairSettings,
    ) -> Result<EncodedProgram<'i>, Refusal> {
        let ProgramQuestion { start, config, target } = question;
        let program = &instrumented.program;
        let mut unrolled =
            unroll(program, start, config).map_err(|refusal| match &settings.limits.cancel {
                cancel if cancel.is_cancelled() => Refusal::Stopped,
                _ => Refusal::Unsupported(refusal.diagnostics()),
            })?;
        let Ends { passes, violates, .. } = ends(&mut unrolled, target);
        let (meet_terms, n_instances) = meets(&mut unrolled, instrumented, sites.len());
        let computes_floats = program.computes_floats();
        let share = if computes_floats { FLOAT_SHARE } else { 1 };
        let max_conflicts = settings.max_conflicts / share;
        Ok(EncodedProgram {
            program,
            entries: &instrumented.entries,
            unrolled,
            solver: settings.limits.new_solver(),
            encoder: TermEncoder::new(),
            slots: FxHashMap::default(),
            inputs: Vec::new(),
            passes,
            violates: Lit::positive(0),
            violates_term: violates,
            meet_terms,
            meets: Vec::new(),
            specialised: FxHashMap::default(),
            widths: sites.iter().map(|site| widths(program, site)).collect(),
            numbers: NamedNumbers::new(program),
            named: FxHashMap::default(),
            n_settled: 0,
            n_instances,
            computes_floats,
            limits: settings.limits.with_conflicts(max_conflicts),
            is_unplayable: false,
            n_questions: 0,
        })
    }

    /// Clauses for all that is asked later.
    pub fn encode(&mut self) -> Result<(), Refusal> {
        self.enter_inputs()?;
        self.violates = self.lit(self.violates_term)?;
        for term in std::mem::take(&mut self.meet_terms) {
            if self.limits.cancel.is_cancelled() {
                return Err(Refusal::Stopped);
            }
            let lit = self.lit(term)?;
            self.meets.push(lit);
        }
        Ok(())
    }

    fn enter_inputs(&mut self) -> Result<(), Refusal> {
        let mut is_slot: FxHashMap<GlobalId, ()> = FxHashMap::default();
        for entry in self.entries {
            let own = [entry.site, entry.extra, entry.extra_key, entry.value];
            is_slot.extend(own.into_iter().chain(entry.keys.iter().copied()).map(|global| (global, ())));
        }
        for index in 0..self.unrolled.inputs.len() {
            let term = self.unrolled.inputs[index].term;
            let bits = self.encoder.bits(&self.unrolled.pool, term, LiteralUse::Any, self.solver.as_mut());
            let bits = bits.map_err(too_large)?;
            bits.iter().for_each(|bit| self.solver.prefer(!*bit));
            match self.unrolled.inputs[index].place {
                InputPlace::Global { global, .. } if is_slot.contains_key(&global) => {
                    self.slots.insert(global, Slot { term, bits });
                }
                _ => self.inputs.push((index, bits)),
            }
        }
        Ok(())
    }

    /// A literal that implies a one-bit term. All such literals are only ever assumed.
    pub(super) fn lit(&mut self, term: TermId) -> Result<Lit, Refusal> {
        let solver = self.solver.as_mut();
        self.encoder.lit(&self.unrolled.pool, term, LiteralUse::Positive, solver).map_err(too_large)
    }

    /// A new literal, free for clauses.
    pub fn new_lit(&mut self) -> Lit {
        self.solver.new_var()
    }

    pub fn add(&mut self, clause: &[Lit]) {
        self.solver.add(clause);
    }

    pub(super) fn ask(&mut self, assumptions: &[Lit]) -> SatAnswer {
        if self.computes_floats && self.n_questions >= MAX_FLOAT_QUESTIONS {
            return SatAnswer::Unknown(SatStop::Conflicts);
        }
        self.n_questions += 1;
        let answer = self.solver.solve(assumptions, &self.limits);
        if let (true, SatAnswer::Unknown(_), Some(most)) =
            (self.computes_floats, &answer, self.limits.conflicts)
        {
            self.limits.conflicts = Some((most / 2).max(LEAST_CONFLICTS.min(most)));
        }
        answer
    }

    /// Literals that say that a global of a table has this value, in its low bits: the others are not read, and each literal costs time.
    fn fixed(&self, global: GlobalId, value: u128, width: u32, found: &mut Vec<Lit>) {
        if let Some(slot) = self.slots.get(&global) {
            let width = slot.bits.len().min(width as usize);
            found.extend(is_value(&slot.bits[..width], value));
        }
    }

    /// Literals that fix the tables: these changes and no others.
    fn tables(&self, table: &[Change]) -> Vec<Lit> {
        let mut found = Vec::new();
        // The only site has number 1.
        let off = if self.widths.len() == 1 { 1 } else { u32::MAX };
        for (at, entry) in self.entries.iter().enumerate().skip(self.n_settled) {
            match table.get(at) {
                None => self.fixed(entry.site, 0, off, &mut found),
                Some(change) => self.change(entry, change, &mut found),
            }
        }
        found
    }

    fn change(&self, entry: &Entry, change: &Change, found: &mut Vec<Lit>) {
        let Some(widths) = self.widths.get(change.site) else { return };
        self.fixed(entry.site, change.site as u128 + 1, u32::MAX, found);
        for ((key, value), width) in entry.keys.iter().zip(&change.keys).zip(&widths.keys) {
            self.fixed(*key, *value, *width, found);
        }
        let (number, value) = change.extra.map_or((0, 0), |(number, value)| (number as u128 + 1, value));
        self.fixed(entry.extra, number, u32::MAX, found);
        if number > 0 {
            self.fixed(entry.extra_key, value, u32::MAX, found);
        }
        self.fixed(entry.value, change.value, widths.value, found);
    }

    /// Fixes the first entries of the table permanently.
    pub fn settle(&mut self, table: &[Change], from: usize) {
        for (entry, change) in self.entries.iter().zip(table).skip(from) {
            let mut units = Vec::new();
            self.change(entry, change, &mut units);
            units.iter().for_each(|unit| self.solver.add(&[*unit]));
        }
        self.n_settled = table.len();
    }

    /// A run that fails with these changes.
    pub fn failing(&mut self, table: &[Change], more: &[Lit]) -> Search {
        let mut assumptions = self.tables(table);
        assumptions.extend_from_slice(more);
        assumptions.push(self.violates);
        self.search(&assumptions)
    }

    /// A run that fails without any change. For floating-point arithmetic with few input values, all values are tried.
    pub fn failing_unchanged(&mut self) -> Search {
        let found = if self.computes_floats {
            enumerate(&self.unrolled.pool, self.violates_term)
        } else {
            Enumerated::TooMany
        };
        match found {
            Enumerated::Never => Search::None,
            Enumerated::TooMany => self.failing(&[], &[]),
            Enumerated::True(assignment) => {
                let mut values = self.zeros();
                for (input, value) in self.unrolled.inputs.iter().zip(&mut values) {
                    if let Some(Datum::Bits(found)) = assignment.get(input.term) {
                        *value = found.clone();
                    }
                }
                self.run(values).map_or(Search::Unknown, Search::Found)
            }
        }
    }

    /// A run that fails without any change, looked for among values of which only the order counts; `None` if there are no such values.
    /// Needs no clauses.
    pub fn failing_by_order(&mut self) -> Option<Search> {
        if self.is_network_right() {
            return Some(Search::None);
        }
        let narrowed = narrowed(&mut self.unrolled.pool, self.violates_term)?;
        let (pool, mut solver, mut encoder) =
            (&self.unrolled.pool, self.limits.new_solver(), TermEncoder::new());
        let mut bits_of = FxHashMap::default();
        for input in &self.unrolled.inputs {
            let term = narrowed.variables.get(&input.term).copied().unwrap_or(input.term);
            let bits = encoder.bits(pool, term, LiteralUse::Any, solver.as_mut()).ok()?;
            bits.iter().for_each(|bit| solver.prefer(!*bit));
            bits_of.insert(term, bits);
        }
        let violates = encoder.lit(pool, narrowed.term, LiteralUse::Positive, solver.as_mut()).ok()?;
        self.n_questions += 1;
        match solver.solve(&[violates], &self.limits) {
            SatAnswer::Unsat => return Some(Search::None),
            SatAnswer::Unknown(_) => return Some(Search::Unknown),
            SatAnswer::Sat => {}
        }
        let mut found: FxHashMap<TermId, Value> = FxHashMap::default();
        for (term, bits) in bits_of {
            let bits: Vec<bool> = bits.iter().map(|bit| solver.value(*bit)).collect();
            found.insert(term, Value::from_bits(bits));
        }
        let widened = narrowed.widened(|term| found.get(&term).and_then(Value::to_u64).unwrap_or(0))?;
        let inputs = self.unrolled.inputs.iter();
        let values: Option<Vec<Value>> = inputs
            .map(|input| widened.get(&input.term).or_else(|| found.get(&input.term)).cloned())
            .collect();
        let values = values?;
        let mut assignment = Assignment::new();
        for (input, value) in self.unrolled.inputs.iter().zip(&values) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        let is_failing = evaluate(pool, &assignment, &[self.violates_term])[0].is_true();
        is_failing.then(|| self.run(values).map_or(Search::Unknown, Search::Found))
    }

    /// All that is done with numbers is to put two of them in order, and no run fails with zeros and ones.
    fn is_network_right(&mut self) -> bool {
        let Some(fails) = zero_one(&mut self.unrolled.pool, self.violates_term) else { return false };
        let (mut solver, mut encoder) = (self.limits.new_solver(), TermEncoder::new());
        let lit = encoder.lit(&self.unrolled.pool, fails, LiteralUse::Positive, solver.as_mut());
        self.n_questions += 1;
        lit.is_ok_and(|lit| solver.solve(&[lit], &self.limits) == SatAnswer::Unsat)
    }

    /// A run that fails with these changes and uses the last of them.
    pub fn failing_through(&mut self, table: &[Change]) -> Search {
        let mut assumptions = self.tables(table);
        assumptions.push(self.violates);
        assumptions.extend(table.len().checked_sub(1).and_then(|last| self.meets.get(last)));
        self.search(&assumptions)
    }

    fn search(&mut self, assumptions: &[Lit]) -> Search {
        match self.ask(assumptions) {
            SatAnswer::Sat => self.model().map_or(Search::Unknown, Search::Found),
            SatAnswer::Unsat => Search::None,
            SatAnswer::Unknown(_) => Search::Unknown,
        }
    }

    /// The bits of inputs other than those of tables, with their positions.
    pub fn inputs(&self) -> &[(usize, Vec<Lit>)] {
        &self.inputs
    }

    /// The run of the model.
    fn model(&mut self) -> Option<Run> {
        let mut values = self.zeros();
        for (index, bits) in &self.inputs {
            let bits: Vec<bool> = bits.iter().map(|bit| self.solver.value(*bit)).collect();
            if !bits.is_empty() {
                values[*index] = Value::from_bits(bits);
            }
        }
        let run = self.run(values);
        self.is_unplayable |= run.is_none();
        run
    }

    /// Generates a proof that no run fails with these changes, and checks it.
    pub fn certified(&mut self, table: &[Change]) -> CertificationResult {
        let map = self.fixed_values(table);
        let pool = &mut self.unrolled.pool;
        let term = specialise(pool, self.violates_term, &map);
        if let Some(fails) = zero_one(pool, term)
            && never_true(pool, fails, &self.limits) == CertificationResult::Checked
        {
            return CertificationResult::Checked;
        }
        let term = narrowed(pool, term).map_or(term, |narrowed| narrowed.term);
        never_true(pool, term, &self.limits)
    }

    /// Prefers other values of the inputs than before, to spread the runs.
    pub fn shuffle(&mut self, mut random: impl FnMut() -> bool) {
        for (_, bits) in &self.inputs {
            bits.iter().for_each(|bit| self.solver.prefer(bit.negated_if(random())));
        }
    }

    /// Whether no run evaluates the site more than once, so that a run through a point depends only on the value at this point.
    pub fn is_once(&self, site: usize) -> bool {
        self.n_instances.get(site).is_some_and(|n_instances| *n_instances <= 1)
    }

    /// The representation of the value of a site if it is a float.
    pub fn float(&self, site: usize) -> Option<FloatEncoding> {
        self.widths.get(site).and_then(|widths| widths.float)
    }

    /// Numbers that appear in the program with the representation of the value of a site.
    pub fn numbers(&self, site: usize) -> &[u128] {
        self.numbers.of(self.float(site))
    }

    /// Whether some run exceeds a bound.
    pub fn is_bounded(&self) -> bool {
        !self.unrolled.over.is_empty()
    }

    /// Assumptions of proofs about floating-point numbers, where C leaves something open; as text, each once.
    pub fn premises(&self) -> Vec<String> {
        self.unrolled.float_premises().into_iter().map(str::to_owned).collect()
    }
}

fn too_large(error: TooLarge) -> Refusal {
    Refusal::TooLarge(error.to_string())
}

/// For each entry of the table, whether some instance of a site uses it; and how many instances each site has.
fn meets(unrolled: &mut Unrolled, instrumented: &Instrumented, n_sites: usize) -> (Vec<TermId>, Vec<usize>) {
    let falsity = unrolled.pool.truth(false);
    let mut found = vec![falsity; instrumented.entries.len()];
    let mut n_instances = vec![0; n_sites];
    for assignment in &unrolled.assignments {
        let Stored::Part { object, .. } = assignment.target else { continue };
        let ObjectKind::Local { function, local, .. } = unrolled.objects[object.index()].kind else {
            continue;
        };
        let Some((site, entry)) = instrumented.matches.get(&(function, local)) else { continue };
        if let Some(n_instances) = n_instances.get_mut(*site).filter(|_| *entry == 0) {
            *n_instances += 1;
        }
        let pool = &mut unrolled.pool;
        let is_used = pool.mk(Op::Redor, &[assignment.term]);
        let here = pool.mk(Op::And, &[assignment.guard, is_used]);
        found[*entry] = pool.mk(Op::Or, &[found[*entry], here]);
    }
    (found, n_instances)
}
