//! Single runs: the values of inputs are chosen when they are needed, so every term is a constant and no branch has two sides.
//!
//! The machine is the one that unrolls, with its memory model, its checks and its stubs. So a run of a function that is too large to be unrolled is
//! still exactly a run of the model: valid if no check fails and no bound is met, with inputs that a test can set. It costs what the run executes.

use crate::config::{UnrollConfig, UnrollRefusal};
use crate::machine::Machine;
use crate::open_world::ProgramFacts;
use crate::plan::Plan;
use crate::terms;
use crate::unrolled::{InputPart, InputPlace, Property, Unrolled};
use nub_bitvec::{Sort, TermId, Value};
use nub_c_ir::{CheckKind, FunctionId, Program, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An input whose value is needed.
#[derive(Clone, Copy, Debug)]
pub struct AskedInput<'i> {
    /// For reports. No two inputs of a run share a name.
    pub name: &'i str,
    /// Its type: an integer, or a pointer for parts other than [`InputPart::Value`].
    pub ty: TypeId,
    /// How a test sets it.
    pub place: &'i InputPlace,
    /// Which part of the place it is.
    pub part: &'i InputPart,
}

/// Chooses the value of an input that is this many bits wide. Each input is asked for once in a run.
pub type ChooseInput<'c> = &'c mut dyn FnMut(u32, &AskedInput<'_>) -> Value;

/// Runs of one function, one after the other.
pub struct SingleRuns<'p> {
    program: &'p Program,
    function: FunctionId,
    config: UnrollConfig,
    /// Computed once for all runs.
    plans: FxHashMap<FunctionId, Rc<Plan>>,
    facts: Rc<ProgramFacts>,
    n_instructions: usize,
}

impl<'p> SingleRuns<'p> {
    /// Runs with these bounds. Loops are executed as often as the run does, up to [`crate::UnrollLimits::max_constant_rounds`].
    pub fn new(program: &'p Program, function: FunctionId, config: UnrollConfig) -> SingleRuns<'p> {
        let (plans, facts) = (FxHashMap::default(), Rc::default());
        SingleRuns { program, function, config, plans, facts, n_instructions: 0 }
    }

    /// Instructions that all runs so far have executed: the time they took, without a clock.
    pub fn n_instructions(&self) -> usize {
        self.n_instructions
    }

    /// From now on, a run that executes more instructions ends without a result.
    pub fn set_max_instructions(&mut self, most: usize) {
        self.config.limits.max_instructions = most;
    }

    /// One run. The term of each input is its value. A run that breaks a rule or leaves the model ends there.
    pub fn run(&mut self, choose: ChooseInput<'_>) -> Result<Unrolled, UnrollRefusal> {
        let mut machine = Machine::new(self.program, self.function, &self.config);
        machine.plans = std::mem::take(&mut self.plans);
        machine.memory.open.facts = Rc::clone(&self.facts);
        machine.choose = Some(choose);
        let ended = machine.start().and_then(|()| machine.run_to_end());
        self.plans = std::mem::take(&mut machine.plans);
        self.n_instructions += machine.work.n_instructions;
        ended?;
        machine.finish_decisions();
        if !machine.is_lost() {
            machine.depart_where_open_values_matter();
        }
        Ok(machine.into_unrolled())
    }
}

impl Machine<'_> {
    /// The term of a new input: a variable, or the value that was chosen.
    pub(crate) fn input_term(&mut self, width: u32, asked: &AskedInput<'_>) -> TermId {
        match &mut self.choose {
            Some(choose) => {
                let value = choose(width, asked);
                debug_assert_eq!(
                    value.width(),
                    width,
                    "the value of {} has the width of its type",
                    asked.name
                );
                self.pool.constant(value)
            }
            None => self.pool.var(Sort::Bits(width)),
        }
    }

    /// Whether a single run has broken a rule or left the model, so that the rest of it says nothing.
    ///
    /// Asked after each instruction: what comes after the first lost one has no values, and pointers without values may point anywhere. Each check
    /// is looked at once.
    pub(crate) fn is_lost(&mut self) -> bool {
        if self.choose.is_none() {
            return false;
        }
        let (pool, out, seen) = (&self.pool, &self.out, &mut self.work.harmless);
        let is_true = |term: TermId| terms::known_truth(pool, term) == Some(true);
        let is_broken = |check: &Property<CheckKind>| {
            check.kind.is_rule()
                && is_true(check.guard)
                && terms::known_truth(pool, check.condition) == Some(false)
        };
        if out.checks[seen.n_checks..].iter().any(is_broken)
            || out.over[seen.n_over..].iter().any(|over| is_true(over.guard))
            || out.departures[seen.n_departures..].iter().any(|departure| is_true(departure.guard))
        {
            return true;
        }
        *seen = Harmless {
            n_checks: out.checks.len(),
            n_over: out.over.len(),
            n_departures: out.departures.len(),
        };
        false
    }
}

/// How many of each have been looked at, and do not end a single run.
#[derive(Debug, Default)]
pub(crate) struct Harmless {
    n_checks: usize,
    n_over: usize,
    n_departures: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Beyond, Pointers};

    /// The values that are returned for the inputs; `None` if the run breaks a rule or leaves the model.
    fn returned(text: &str, config: UnrollConfig, inputs: &[u64]) -> Vec<Option<u64>> {
        let (program, _) =
            nub_c_ir::lower(&nub_c_syntax::parse(text.as_bytes()).0, &nub_c_ir::DataModel::lp64());
        let mut runs = SingleRuns::new(&program, program.function_by_name("f").unwrap(), config);
        let mut found = Vec::new();
        for input in inputs {
            let mut choose = |width: u32, _: &AskedInput<'_>| Value::from_u64(width, *input);
            let run = runs.run(&mut choose).unwrap();
            let is_valid = run.leaving().next().is_none() && run.rules().next().is_none();
            let value = run.result.and_then(|term| run.pool.value(term)).and_then(Value::to_u64);
            found.push(value.filter(|_| is_valid));
        }
        found
    }

    #[test]
    fn loops_and_calls_are_followed_to_their_end() {
        let text = "static int g(int n) { return n ? 1 + g(n - 1) : 0; }
            int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += g(i); return s; }";
        let config = UnrollConfig { unwind: 1, recursion: 100, ..UnrollConfig::default() };
        assert_eq!(returned(text, config, &[0, 3, 60]), [Some(0), Some(3), Some(1770)]);
    }

    #[test]
    fn a_run_that_breaks_a_rule_ends() {
        let text = "int f(int n) { int a[4] = {1, 2, 3, 4}; int x = a[n]; while (n > 3) ; return x; }";
        assert_eq!(returned(text, UnrollConfig::default(), &[3, 4, 0]), [Some(4), None, Some(1)]);
    }

    #[test]
    fn a_run_that_is_too_long_has_no_result() {
        let (program, _) = nub_c_ir::lower(
            &nub_c_syntax::parse(b"int f(int n) { while (n > 0) n--; return n; }").0,
            &nub_c_ir::DataModel::lp64(),
        );
        let function = program.function_by_name("f").unwrap();
        let mut runs = SingleRuns::new(&program, function, UnrollConfig::default());
        let mut is_ended = |most: usize| {
            runs.set_max_instructions(most);
            runs.run(&mut |width: u32, _: &AskedInput<'_>| Value::from_u64(width, 100)).is_ok()
        };
        assert_eq!([is_ended(50), is_ended(5_000)], [false, true]);
    }

    #[test]
    fn nothing_is_executed_after_a_rule_was_broken() {
        let text =
            "int f(int n) { int a[4] = {1, 2, 3, 4}; int x = a[n]; x = a[x & 3]; x = a[x & 3]; return x; }";
        let (program, _) =
            nub_c_ir::lower(&nub_c_syntax::parse(text.as_bytes()).0, &nub_c_ir::DataModel::lp64());
        let pointers = Pointers { beyond: Beyond::Unknown, ..Pointers::default() };
        let config = UnrollConfig { pointers, ..UnrollConfig::default() };
        let n_instructions = |input: u64| {
            let mut runs = SingleRuns::new(&program, program.function_by_name("f").unwrap(), config.clone());
            runs.run(&mut |width: u32, _: &AskedInput<'_>| Value::from_u64(width, input)).unwrap();
            runs.n_instructions()
        };
        assert!(n_instructions(4) < n_instructions(3));
    }
}
