//! Evaluates the same terms many times, fast: values of up to 64 bits are machine words, and groups of terms are evaluated only on
//! request. The meaning of operators is defined by [`evaluate`](crate::evaluate), and the tests compare with it.

use crate::eval::apply;
use crate::lanes::{LaneBuilder, LaneEvaluator, LanePlace};
use crate::words::{MAX_BITS, WordOp};
use crate::{Assignment, Datum, Op, Pool, Sort, TermId, Value, cone, cone_beyond};

/// Terms in groups. The first group is always evaluated, the others on request.
#[derive(Clone, Debug)]
pub struct Evaluator<'p> {
    pool: &'p Pool,
    groups: Vec<TermGroup>,
    /// The term at each position, operands first.
    order: Vec<TermId>,
    /// By position: the width of the word; 0 if the value is not a word.
    widths: Vec<u8>,
    /// By position: values of constants that are words, otherwise zero.
    constants: Vec<u64>,
    /// Positions of variables, and of constants that are not words.
    leaves: Vec<u32>,
    /// By position: how often the value is used. Empty if all values are words.
    n_uses: Vec<u32>,
}

/// Terms that are evaluated together: those that the first group does not contain.
#[derive(Clone, Debug)]
struct TermGroup {
    steps: Vec<TermStep>,
    /// Positions of its roots.
    roots: Vec<u32>,
}

/// A term to be evaluated.
#[derive(Clone, Copy, Debug)]
struct TermStep {
    place: u32,
    args: [u32; 3],
    /// `None` if the operator or an operand does not fit into a word.
    word: Option<WordOp>,
}

/// The values of terms under one assignment, as far as they have been requested.
#[derive(Clone, Debug)]
pub struct Evaluation {
    words: Vec<u64>,
    /// By position: values that are not words. Empty if all values are words.
    others: Vec<Option<Datum>>,
    /// By position: remaining uses.
    left: Vec<u32>,
}

impl<'p> Evaluator<'p> {
    /// An evaluator with one group. Preparing it costs O(n log n) for n terms below the roots.
    pub fn new(pool: &'p Pool, roots: &[TermId]) -> Evaluator<'p> {
        Evaluator::with_groups(pool, &[roots.to_vec()])
    }

    /// An evaluator with several groups of roots. Each group has the terms below its roots that are not below those of the first.
    pub fn with_groups(pool: &'p Pool, roots: &[Vec<TermId>]) -> Evaluator<'p> {
        let order = cone(pool, &roots.concat());
        let place = |id: TermId| order.binary_search(&id).expect("operands are in the cone");
        let widths: Vec<u8> = order.iter().map(|id| word_width(pool.sort(*id))).collect();
        let is_leaf = |id: TermId| matches!(pool.term(id).op(), Op::Var | Op::Const);
        let mut is_first = vec![false; order.len()];
        let mut groups: Vec<TermGroup> = Vec::with_capacity(roots.len());
        for (number, roots) in roots.iter().enumerate() {
            let own = cone_beyond(pool, roots, |id| is_first[place(id)]);
            let places: Vec<usize> = own.iter().map(|id| place(*id)).collect();
            if number == 0 {
                places.iter().for_each(|at| is_first[*at] = true);
            }
            let inner = places.iter().filter(|at| !is_leaf(order[**at]));
            let steps = inner.map(|at| step(pool, &widths, *at, order[*at], place)).collect();
            groups.push(TermGroup { steps, roots: roots.iter().map(|root| place(*root) as u32).collect() });
        }
        let mut constants = vec![0; order.len()];
        let mut leaves = Vec::new();
        for (at, id) in order.iter().enumerate().filter(|(_, id)| is_leaf(**id)) {
            match pool.value(*id).and_then(Value::to_u64).filter(|_| widths[at] > 0) {
                Some(word) => constants[at] = word,
                None => leaves.push(at as u32),
            }
        }
        let n_uses = n_uses(&groups, &widths);
        Evaluator { pool, groups, order, widths, constants, leaves, n_uses }
    }

    /// The values of the roots of the first group, in their order. Each term is evaluated once; an array that is no longer needed is
    /// changed in place, so a chain of n writes costs O(n log n).
    pub fn run(&self, assignment: &Assignment) -> Vec<Datum> {
        let mut found = self.start(assignment);
        let roots = self.groups.first().map_or(&[][..], |group| &group.roots);
        roots.iter().map(|root| self.datum(&mut found, *root)).collect()
    }

    /// Evaluates the first group.
    pub fn start(&self, assignment: &Assignment) -> Evaluation {
        let n_others = self.n_uses.len();
        let mut found = Evaluation {
            words: self.constants.clone(),
            others: vec![None; n_others],
            left: self.n_uses.clone(),
        };
        for &leaf in &self.leaves {
            let id = self.order[leaf as usize];
            let value = match self.pool.value(id) {
                Some(value) => Datum::Bits(value.clone()),
                None => assignment.get(id).cloned().unwrap_or_else(|| Datum::zero(self.pool.sort(id))),
            };
            self.put(&mut found, leaf, value);
        }
        self.evaluate(&mut found, 0);
        found
    }

    /// Evaluates a group. It must not be the first group, and not have been evaluated before.
    pub fn evaluate(&self, found: &mut Evaluation, group: usize) {
        for step in self.groups.get(group).map_or(&[][..], |group| &group.steps) {
            match step.word {
                Some(word) => {
                    let ([a, b, c], words) = (step.args, &mut found.words);
                    words[step.place as usize] =
                        word.apply(words[a as usize], words[b as usize], words[c as usize]);
                }
                None => {
                    let term = self.pool.term(self.order[step.place as usize]);
                    let mut args = [0, 1, 2].map(|_| Datum::zero(Sort::BIT));
                    for (arg, &place) in args.iter_mut().zip(&step.args[..term.args().len()]) {
                        *arg = self.datum(found, place);
                    }
                    let value = apply(term, args);
                    debug_assert_eq!(value.sort(), term.sort(), "{}", term.op());
                    self.put(found, step.place, value);
                }
            }
        }
    }

    /// The roots of the first group, for many assignments at once. `None` if some value is not a word. O(n).
    pub fn lanes(&self) -> Option<LaneEvaluator> {
        let group = self.groups.first()?;
        if !self.n_uses.is_empty() {
            return None;
        }
        let mut builder = LaneBuilder::default();
        let mut is_variable = vec![false; self.order.len()];
        self.leaves.iter().for_each(|leaf| is_variable[*leaf as usize] = true);
        // What only other groups use gets places, too.
        let mut places: Vec<LanePlace> = Vec::with_capacity(self.order.len());
        let mut steps = group.steps.iter().peekable();
        for (at, width) in self.widths.iter().enumerate() {
            places.push(match steps.next_if(|step| step.place as usize == at) {
                Some(step) => {
                    let n_args = self.pool.term(self.order[at]).args().len();
                    let args: Vec<LanePlace> =
                        step.args[..n_args].iter().map(|arg| places[*arg as usize]).collect();
                    builder.step(step.word?, &args)
                }
                None if is_variable[at] => builder.variable(self.order[at], *width),
                None => builder.constant(*width, self.constants[at]),
            });
        }
        Some(builder.finish(group.roots.iter().map(|root| places[*root as usize])))
    }

    /// How many terms a group evaluates.
    pub fn n_steps(&self, group: usize) -> usize {
        self.groups.get(group).map_or(0, |group| group.steps.len())
    }

    /// Whether each root of an evaluated group is true, in their order.
    pub fn truths(&self, found: &Evaluation, group: usize) -> impl Iterator<Item = bool> {
        let is_true = |place: &u32| self.widths[*place as usize] == 1 && found.words[*place as usize] == 1;
        self.groups[group].roots.iter().map(is_true)
    }

    fn put(&self, found: &mut Evaluation, place: u32, value: Datum) {
        match value {
            Datum::Bits(value) if self.widths[place as usize] > 0 => {
                found.words[place as usize] = value.to_u64().expect("it has at most 64 bits");
            }
            value => found.others[place as usize] = Some(value),
        }
    }

    /// The value at a position. Counts as one of its uses.
    fn datum(&self, found: &mut Evaluation, place: u32) -> Datum {
        let place = place as usize;
        if self.widths[place] > 0 {
            return Datum::Bits(Value::from_u64(u32::from(self.widths[place]), found.words[place]));
        }
        found.left[place] -= 1;
        let value = match found.left[place] {
            0 => found.others[place].take(),
            _ => found.others[place].clone(),
        };
        value.expect("operands come first, and are kept while they are used")
    }
}

/// The width of the sort's values as words; 0 if they are not words.
fn word_width(sort: Sort) -> u8 {
    sort.bits().filter(|width| *width <= MAX_BITS).map_or(0, |width| width as u8)
}

fn step(pool: &Pool, widths: &[u8], at: usize, id: TermId, place: impl Fn(TermId) -> usize) -> TermStep {
    let term = pool.term(id);
    let mut args = [0; 3];
    args.iter_mut().zip(term.args()).for_each(|(to, arg)| *to = place(arg) as u32);
    let own = &args[..term.args().len()];
    let is_word = widths[at] > 0 && own.iter().all(|arg| widths[*arg as usize] > 0);
    let word = (is_word && WordOp::is_word(term.op())).then(|| {
        let mut operands = [0; 2];
        operands.iter_mut().zip(own).for_each(|(to, arg)| *to = widths[*arg as usize]);
        let low = if term.op() == Op::Slice { term.index(1) as u8 } else { 0 };
        WordOp { op: term.op(), width: widths[at], operands, low }
    });
    TermStep { place: at as u32, args, word }
}

/// How often each value that is not a word is used, over all groups; empty if all are words.
fn n_uses(groups: &[TermGroup], widths: &[u8]) -> Vec<u32> {
    if !widths.contains(&0) {
        return Vec::new();
    }
    let mut n_uses = vec![0; widths.len()];
    let steps = groups.iter().flat_map(|group| &group.steps).filter(|step| step.word.is_none());
    // A missing operand is represented by the first position: an extra use only keeps that value alive longer.
    steps.flat_map(|step| step.args).for_each(|arg| n_uses[arg as usize] += 1);
    groups.iter().flat_map(|group| &group.roots).for_each(|root| n_uses[*root as usize] += 1);
    n_uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{RandomValues, Sampler, Shapes};
    use crate::{Rewriting, evaluate};

    /// For each assignment: whether each root is true, evaluated at once. `None` if some value is not a word.
    fn truths_at_once(evaluator: &Evaluator<'_>, assignments: &[Assignment]) -> Option<Vec<Vec<bool>>> {
        let lanes = evaluator.lanes()?;
        let variables: Vec<TermId> = lanes.variables().collect();
        let word = |variable: usize, lane: usize| match assignments.get(lane)?.get(variables[variable])? {
            Datum::Bits(value) => value.to_u64(),
            Datum::Array(_) => None,
        };
        let roots = lanes.run(|variable, lane| word(variable, lane).unwrap_or(0));
        let of_lane = |lane: usize| roots.iter().map(|lanes| lanes >> lane & 1 == 1).collect();
        Some((0..assignments.len()).map(of_lane).collect())
    }

    /// Values of random terms, including widths just below and above a word, equal those of the reference, in any grouping.
    #[test]
    fn it_agrees_with_the_reference() {
        let mut n_at_once = 0;
        for seed in 0..400 {
            let shapes = match seed % 4 {
                0 => Shapes::bits(8),
                1 => Shapes::bits(64),
                2 => Shapes::bits(70),
                _ => Shapes::arrays(8, 4),
            };
            let mut pool = Pool::with_rewriting(Rewriting::Off);
            let mut sampler = Sampler::new(&mut pool, shapes, 4, seed);
            let terms: Vec<TermId> = (0..60).map(|_| sampler.grow(&mut pool)).collect();
            let truths: Vec<TermId> = (0..10).map(|_| sampler.truth(&mut pool)).collect();
            let evaluator = Evaluator::new(&pool, &terms);
            let groups: Vec<Vec<TermId>> = truths.chunks(3).map(<[TermId]>::to_vec).collect();
            let grouped = Evaluator::with_groups(&pool, &groups);
            let mut assignments = Vec::new();
            for _ in 0..10 {
                let assignment = sampler.rng.assignment(&pool, &sampler.vars);
                let expected = evaluate(&pool, &assignment, &terms);
                assert!(evaluator.run(&assignment) == expected, "seed {seed}");
                assignments.push(assignment.clone());
                let mut found = grouped.start(&assignment);
                let mut order: Vec<usize> = (1..groups.len()).collect();
                order.rotate_left(sampler.rng.below(3));
                order.truncate(1 + sampler.rng.below(3));
                for group in order {
                    grouped.evaluate(&mut found, group);
                    let values = evaluate(&pool, &assignment, &groups[group]);
                    let expected: Vec<bool> = values.iter().map(Datum::is_true).collect();
                    assert_eq!(grouped.truths(&found, group).collect::<Vec<bool>>(), expected, "seed {seed}");
                }
            }
            let one_by_one = |own: &Assignment| grouped.truths(&grouped.start(own), 0).collect();
            let expected: Vec<Vec<bool>> = assignments.iter().map(one_by_one).collect();
            if let Some(found) = truths_at_once(&grouped, &assignments) {
                n_at_once += 1;
                assert_eq!(found, expected, "seed {seed}");
            }
        }
        assert!(n_at_once > 50, "{n_at_once}");
    }

    /// Each operator on corner cases of each width.
    #[test]
    fn words_are_right_at_the_corners() {
        for width in [1, 2, 7, 8, 31, 32, 63, 64] {
            let corners = [
                Value::zero(width),
                Value::one(width),
                Value::ones(width),
                Value::min_signed(width),
                Value::max_signed(width),
                Value::from_u64(width, u64::from(width)),
                Value::from_u64(width, 0x1234_5678_9abc_def1),
            ];
            let mut pool = Pool::with_rewriting(Rewriting::Off);
            let vars = [0, 1].map(|_| pool.var(Sort::Bits(width)));
            let is_binary = |op: &Op| op.info().shape.n_args() <= 2 && op.info().shape.n_indices() == 0;
            let ops: Vec<Op> = Op::all().filter(|op| WordOp::is_word(*op) && is_binary(op)).collect();
            let fits = |op: &Op| width == 1 || !matches!(op, Op::Implies | Op::Iff);
            let args = |op: Op| vars[..op.info().shape.n_args()].to_vec();
            let terms: Vec<TermId> = ops.into_iter().filter(fits).map(|op| pool.mk(op, &args(op))).collect();
            // Evaluated at once: each term that is a word equals a variable with its value.
            let is_word = |term: &&TermId| word_width(pool.sort(**term)) > 0;
            let words: Vec<TermId> = terms.iter().filter(is_word).copied().collect();
            let results: Vec<TermId> = words.iter().map(|term| pool.var(pool.sort(*term))).collect();
            let equations: Vec<TermId> =
                words.iter().zip(&results).map(|(term, result)| pool.mk(Op::Eq, &[*term, *result])).collect();
            let (evaluator, of_equations) =
                (Evaluator::new(&pool, &terms), Evaluator::new(&pool, &equations));
            for (a, b) in corners.iter().flat_map(|a| corners.iter().map(move |b| (a, b))) {
                let mut assignment = Assignment::new();
                assignment.set(vars[0], Datum::Bits(a.clone()));
                assignment.set(vars[1], Datum::Bits(b.clone()));
                assert_eq!(evaluator.run(&assignment), evaluate(&pool, &assignment, &terms), "{a} {b}");
                for (result, value) in results.iter().zip(evaluate(&pool, &assignment, &words)) {
                    assignment.set(*result, value);
                }
                let found = truths_at_once(&of_equations, &[assignment]);
                assert_eq!(found, Some(vec![vec![true; equations.len()]]), "{a} {b} of {width} bits");
            }
        }
    }
}
