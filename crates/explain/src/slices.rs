//! Which differences between two runs are needed: two-phase delta-slicing.
//!
//! Every value may be as in the run that fails, or as in the run that passes; the latter only if its own expression, over the values
//! chosen for its operands, yields that. Values that do not differ are constants. The smallest choice for which all assertions hold is a
//! slice. Such a choice need not be a run: only the set of differences is of interest.
//!
//! The choice is one variable per difference, so everything is rebuilt in a pool of its own in which nearly all is constant.
//! Cost: each expression is walked down to the values it reads, so the sum of their sizes, and then one small minimisation per slice.

use crate::cuts::{Both, Cuts, Reader};
use crate::session::Refusal;
use crate::system::{System, assignment};
use nub_bitvec::{Evaluator, Op, Pool, Sort, TermId, Value};
use nub_c_ir::Program;
use nub_cnf::Lit;
use nub_sat::{Limits, Minimum, Strategy, minimise};
use nub_unroll::{Unrolled, What};
use rustc_hash::FxHashMap;

/// All smallest slices, or as many as were asked for.
pub(crate) struct Slices {
    /// Positions among the values that count, ascending.
    pub list: Vec<Vec<usize>>,
    pub is_complete: bool,
}

/// The inputs of both runs.
pub(crate) type Inputs<'i> = [&'i [Value]; 2];

/// Finds them.
pub(crate) fn slices(
    program: &Program,
    unrolled: &Unrolled,
    counted: &[usize],
    both: Both<'_>,
    inputs: Inputs<'_>,
    max_slices: usize,
    limits: &Limits,
) -> Result<Slices, Refusal> {
    let of_runs = condition_values(unrolled, inputs);
    let is_alias = |index: usize, term: TermId| {
        let values = of_runs.get(&term);
        values.is_some_and(|[a, b]| *a == both.before[index].is_one() && *b == both.after[index].is_one())
    };
    let cuts = Cuts::new(program, unrolled, counted, is_alias);
    let mut relaxed = Relaxed::new(unrolled, both, inputs[1]);
    let mut system = System::new();
    for (index, &at) in counted.iter().enumerate() {
        let Some(choice) = relaxed.choices[index] else { continue };
        let found = &unrolled.assignments[at];
        let reader = cuts.reader(index);
        // A guard is never a copy of another one.
        let is_copy = !matches!(found.what, What::Guard(_));
        let term = relaxed.rebuild(&cuts, found.term, &reader, is_copy);
        let wanted = relaxed.pool.constant(both.after[index].clone());
        let equal = relaxed.pool.mk(Op::Eq, &[term, wanted]);
        let holds = relaxed.pool.mk(Op::Implies, &[choice, equal]);
        let lit = system.lit(&relaxed.pool, holds)?;
        system.solver.add(&[lit]);
    }
    let asserts = unrolled.asserts.iter().map(|p| (p.guard, p.condition, p.context, p.origin));
    let assumes = unrolled.assumes.iter().map(|p| (p.guard, p.condition, p.context, p.origin));
    for (guard, condition, context, origin) in asserts.chain(assumes) {
        let reader = cuts.reader_of(context, origin);
        let guard = relaxed.rebuild(&cuts, guard, &reader, true);
        let condition = relaxed.rebuild(&cuts, condition, &reader, true);
        let holds = relaxed.pool.mk(Op::Implies, &[guard, condition]);
        let lit = system.lit(&relaxed.pool, holds)?;
        system.solver.add(&[lit]);
    }
    enumerate(&relaxed, &mut system, max_slices, limits)
}

/// One smallest slice after the other; each is forbidden before the next is asked for.
fn enumerate(
    relaxed: &Relaxed<'_>,
    system: &mut System,
    max_slices: usize,
    limits: &Limits,
) -> Result<Slices, Refusal> {
    let mut lits: Vec<(usize, Lit)> = Vec::new();
    for (index, choice) in relaxed.choices.iter().enumerate() {
        if let Some(choice) = choice {
            lits.push((index, system.lit(&relaxed.pool, *choice)?));
        }
    }
    let costs: Vec<Lit> = lits.iter().map(|(_, lit)| *lit).collect();
    let mut found = Slices { list: Vec::new(), is_complete: false };
    while found.list.len() < max_slices {
        let (cost, model) = match minimise(system.solver.as_mut(), &costs, &[], Strategy::Both, limits) {
            Minimum::Optimal { cost, model } => (cost, model),
            Minimum::Infeasible(_) => {
                found.is_complete = true;
                break;
            }
            Minimum::Interval { .. } => break,
        };
        if found.list.first().is_some_and(|first: &Vec<usize>| cost > first.len()) {
            found.is_complete = true;
            break;
        }
        let is_true =
            |lit: Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
        let chosen: Vec<(usize, Lit)> = lits.iter().copied().filter(|(_, lit)| is_true(*lit)).collect();
        let block: Vec<Lit> = chosen.iter().map(|(_, lit)| !*lit).collect();
        system.solver.add(&block);
        found.list.push(chosen.into_iter().map(|(index, _)| index).collect());
        if block.is_empty() {
            found.is_complete = true;
            break;
        }
    }
    found.list.sort();
    Ok(found)
}

/// The values of all conditions in both runs.
fn condition_values(unrolled: &Unrolled, inputs: Inputs<'_>) -> FxHashMap<TermId, [bool; 2]> {
    let conditions = unrolled.decisions.iter().flat_map(|evaluation| &evaluation.conditions);
    let terms: Vec<TermId> = conditions.map(|condition| condition.value).collect();
    let evaluator = Evaluator::new(&unrolled.pool, &terms);
    let [a, b] = inputs.map(|inputs| evaluator.run(&assignment(unrolled, inputs)));
    let pairs = a.iter().zip(&b).map(|(a, b)| [a.is_true(), b.is_true()]);
    terms.into_iter().zip(pairs).collect()
}

/// The relaxed program: terms over the choices.
struct Relaxed<'u> {
    unrolled: &'u Unrolled,
    pool: Pool,
    /// Per value that counts, whether it is as in the run that passes; absent if both runs agree.
    choices: Vec<Option<TermId>>,
    /// The values themselves.
    values: Vec<TermId>,
    /// Inputs as in the run that passes, for those that no value stands for.
    inputs: FxHashMap<TermId, Value>,
}

impl<'u> Relaxed<'u> {
    fn new(unrolled: &'u Unrolled, both: Both<'_>, inputs: &[Value]) -> Relaxed<'u> {
        let mut pool = Pool::new();
        let (mut choices, mut values) = (Vec::new(), Vec::new());
        for (before, after) in both.before.iter().zip(both.after) {
            let constant = pool.constant(before.clone());
            if before == after {
                choices.push(None);
                values.push(constant);
                continue;
            }
            let (choice, after) = (pool.var(Sort::BOOL), pool.constant(after.clone()));
            choices.push(Some(choice));
            values.push(pool.mk(Op::Ite, &[choice, after, constant]));
        }
        let terms = unrolled.inputs.iter().map(|input| input.term);
        let inputs = terms.zip(inputs.iter().cloned()).collect();
        Relaxed { unrolled, pool, choices, values, inputs }
    }

    /// A term over the values that it is made of. At the root a value of the same term is taken only if `is_copy`.
    fn rebuild(&mut self, cuts: &Cuts<'_>, root: TermId, reader: &Reader, is_copy: bool) -> TermId {
        let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if made.contains_key(&term) {
                stack.pop();
                continue;
            }
            let value = if term == root && !is_copy { None } else { cuts.resolve(term, reader) };
            if let Some(value) = value {
                made.insert(term, self.values[value]);
                continue;
            }
            let guard = if is_copy { cuts.resolve_negated(term, reader) } else { None };
            if let Some(guard) = guard {
                let negated = self.pool.not(self.values[guard]);
                made.insert(term, negated);
                continue;
            }
            let n_before = stack.len();
            stack.extend(self.unrolled.pool.args(term).filter(|arg| !made.contains_key(arg)));
            if stack.len() == n_before {
                let rebuilt = self.apply(term, &made);
                made.insert(term, rebuilt);
            }
        }
        made[&root]
    }

    /// A term with other operands.
    fn apply(&mut self, id: TermId, made: &FxHashMap<TermId, TermId>) -> TermId {
        let term = self.unrolled.pool.term(id);
        if let Some(value) = self.unrolled.pool.value(id) {
            return self.pool.constant(value.clone());
        }
        if term.op() == Op::Var {
            let zero = || Value::zero(term.width());
            let value = self.inputs.get(&id).cloned().unwrap_or_else(zero);
            return self.pool.constant(value);
        }
        let args: Vec<TermId> = term.args().map(|arg| made[&arg]).collect();
        let n_indices = term.op().info().shape.n_indices();
        let indices: Vec<u32> = (0..n_indices).map(|at| term.index(at)).collect();
        self.pool.mk_indexed(term.op(), &args, &indices)
    }
}
