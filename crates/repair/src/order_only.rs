//! Uses fewer bits for values that are only copied and compared.
//!
//! A program that sorts does not compute with numbers: it copies them, and asks which of two is smaller. Its runs depend only on the order of the inputs. So
//! for n inputs, n different values are enough, plus a few if inputs are compared with constants:
//!
//! ```text
//! four inputs, x < 100      ->      0 to 3 are below 100, 4 is 100, 5 to 8 are above: four bits instead of 32
//! ```
//!
//! Why no run is lost: replace the values of a failing run by positions in the same order, and each constant by its own position. Every comparison has the
//! same answer and every choice is the same, so the run over positions fails too. (Small domains for formulas of equality and order: Pnueli, Rodeh, Strichman, Siegel, *The
//! small model property: how small can it be?*, 2002.) With this, a proof that a selection sort of 8 numbers sorts takes 0.2 s; without it, the proof did
//! not end within 20 s.

use nub_bitvec::{Op, Pool, Sort, TermId, Value, cone};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

#[cfg(test)]
mod tests;

/// Wider values are left as they are.
const MAX_WIDTH: u32 = 64;

/// A condition in which variables that are only copied and compared have fewer bits.
pub(super) struct Narrowed {
    /// Satisfiable if the original condition is. The converse need not hold: above the last constant there may be more positions than numbers.
    pub term: TermId,
    /// The new variable of each old one.
    pub variables: BTreeMap<TermId, TermId>,
    domains: Vec<(Domain, Vec<TermId>)>,
}

impl Narrowed {
    /// The values of the old variables, given those of the new ones. `None` if there are fewer numbers than different positions.
    pub fn widened(&self, new: impl Fn(TermId) -> u64) -> Option<BTreeMap<TermId, Value>> {
        let mut found = BTreeMap::new();
        for (domain, members) in &self.domains {
            let positions: Vec<u64> = members.iter().map(|old| new(self.variables[old])).collect();
            for (old, position) in members.iter().zip(&positions) {
                let number = domain.number(*position, &positions)?;
                found.insert(*old, Value::from_i128(domain.width, number));
            }
        }
        Some(found)
    }
}

/// The condition with fewer bits for values that are only copied and compared; `None` if there are none. Linear in the number of terms.
pub(super) fn narrowed(pool: &mut Pool, root: TermId) -> Option<Narrowed> {
    let order = cone(pool, &[root]);
    let mut classes = Classes::new(pool, &order);
    classes.look(pool, &order);
    let domains = classes.domains(pool);
    if domains.is_empty() || pool.width(root) != 1 {
        return None;
    }
    let mut rebuild = Rebuild { pool, classes, domains, new: FxHashMap::default() };
    order.iter().for_each(|id| rebuild.enter(*id));
    let Rebuild { pool, classes, domains, new } = rebuild;
    let mut members: BTreeMap<usize, Vec<TermId>> = BTreeMap::new();
    let mut variables = BTreeMap::new();
    for id in order.iter().copied().filter(|id| pool.op(*id) == Op::Var) {
        if let Some(class) = classes.of(id).filter(|class| domains.contains_key(class)) {
            members.entry(class).or_default().push(id);
            variables.insert(id, new[&id]);
        }
    }
    let domains =
        domains.into_iter().map(|(class, domain)| (domain, members.remove(&class).unwrap_or_default()));
    Some(Narrowed { term: new[&root], variables, domains: domains.collect() })
}

/// How values of a class are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ordering {
    Signed,
    Unsigned,
}

/// What is known about a class of terms: those that are copied into or compared with each other.
#[derive(Clone, Default)]
struct Class {
    n_variables: u64,
    constants: Vec<TermId>,
    is_signed: bool,
    is_unsigned: bool,
    /// A value of the class is used in another way.
    is_spoiled: bool,
}

/// The variables and choices (`Ite`), in classes; a union-find structure.
struct Classes {
    numbers: FxHashMap<TermId, usize>,
    parents: Vec<usize>,
    classes: Vec<Class>,
}

impl Classes {
    /// Each variable and each choice in a class of its own.
    fn new(pool: &Pool, order: &[TermId]) -> Classes {
        let is_member = |id: &TermId| {
            let width = pool.sort(*id).bits().filter(|width| (2..=MAX_WIDTH).contains(width));
            width.is_some() && matches!(pool.op(*id), Op::Var | Op::Ite)
        };
        let numbers: FxHashMap<TermId, usize> = order.iter().copied().filter(is_member).zip(0..).collect();
        let mut classes = vec![Class::default(); numbers.len()];
        for (id, number) in &numbers {
            classes[*number].n_variables = u64::from(pool.op(*id) == Op::Var);
        }
        Classes { parents: (0..classes.len()).collect(), numbers, classes }
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    /// The class of a variable or choice.
    fn of(&self, id: TermId) -> Option<usize> {
        self.numbers.get(&id).map(|number| self.root(*number))
    }

    fn unite(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        // The smaller class is merged into the larger one, so constants seldom move and paths stay short.
        let (into, from) =
            if self.classes[a].n_variables < self.classes[b].n_variables { (b, a) } else { (a, b) };
        let other = std::mem::take(&mut self.classes[from]);
        let own = &mut self.classes[into];
        own.n_variables += other.n_variables;
        own.constants.extend(other.constants);
        own.is_signed |= other.is_signed;
        own.is_unsigned |= other.is_unsigned;
        own.is_spoiled |= other.is_spoiled;
        self.parents[from] = into;
    }

    /// Puts two terms into one class, because they are compared or one is a copy of the other.
    fn meet(&mut self, pool: &Pool, a: TermId, b: TermId) {
        match (self.of(a), self.of(b)) {
            (Some(a), Some(b)) => self.unite(a, b),
            (Some(class), None) => self.join(pool, class, b),
            (None, Some(class)) => self.join(pool, class, a),
            (None, None) => {}
        }
    }

    fn join(&mut self, pool: &Pool, class: usize, other: TermId) {
        match pool.op(other) {
            Op::Const => self.classes[class].constants.push(other),
            _ => self.classes[class].is_spoiled = true,
        }
    }

    /// Builds the classes, and marks those with values that are used in another way.
    fn look(&mut self, pool: &Pool, order: &[TermId]) {
        for &id in order {
            let args: Vec<TermId> = pool.args(id).collect();
            match (pool.op(id), args.as_slice()) {
                (Op::Ite, [choice, yes, no]) => {
                    self.spoil(&[*choice]);
                    if self.of(id).is_some() {
                        self.meet(pool, id, *yes);
                        self.meet(pool, id, *no);
                    } else {
                        self.spoil(&[*yes, *no]);
                    }
                }
                (op, [a, b]) => match comparison(op) {
                    Some(ordering) => {
                        self.meet(pool, *a, *b);
                        if let Some(class) = self.of(*a).or_else(|| self.of(*b)) {
                            self.classes[class].is_signed |= ordering == Some(Ordering::Signed);
                            self.classes[class].is_unsigned |= ordering == Some(Ordering::Unsigned);
                        }
                    }
                    None => self.spoil(&args),
                },
                _ => self.spoil(&args),
            }
        }
    }

    fn spoil(&mut self, args: &[TermId]) {
        for arg in args {
            if let Some(class) = self.of(*arg) {
                self.classes[class].is_spoiled = true;
            }
        }
    }

    /// The domain of each class for which it saves bits.
    fn domains(&self, pool: &Pool) -> BTreeMap<usize, Domain> {
        let mut found = BTreeMap::new();
        for (id, number) in &self.numbers {
            let class = self.root(*number);
            let Class { n_variables, constants, is_signed, is_unsigned, is_spoiled } = &self.classes[class];
            if *is_spoiled || is_signed & is_unsigned || found.contains_key(&class) {
                continue;
            }
            let ordering = if *is_signed { Ordering::Signed } else { Ordering::Unsigned };
            let numbers = constants.iter().filter_map(|id| pool.value(*id));
            let mut numbers: Vec<i128> = numbers.map(|value| number_of(value, ordering)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            found.extend(
                Domain::new(pool.width(*id), ordering, *n_variables, numbers).map(|domain| (class, domain)),
            );
        }
        found
    }
}

/// How an operator compares: `None` if it does not, `Some(None)` if it compares for equality, which is the same in both orders.
fn comparison(op: Op) -> Option<Option<Ordering>> {
    match op {
        Op::Eq | Op::Ne => Some(None),
        Op::Ult | Op::Ule | Op::Ugt | Op::Uge => Some(Some(Ordering::Unsigned)),
        Op::Slt | Op::Sle | Op::Sgt | Op::Sge => Some(Some(Ordering::Signed)),
        _ => None,
    }
}

/// The corresponding comparison of positions, which are unsigned.
fn of_positions(op: Op) -> Op {
    match op {
        Op::Slt => Op::Ult,
        Op::Sle => Op::Ule,
        Op::Sgt => Op::Ugt,
        Op::Sge => Op::Uge,
        other => other,
    }
}

fn number_of(value: &Value, ordering: Ordering) -> i128 {
    let bits = i128::from(value.to_u64().unwrap_or(0));
    if ordering == Ordering::Signed && value.sign_bit() { bits - (1 << value.width()) } else { bits }
}

/// Positions that replace values: one for each constant and, in each gap between constants, as many as there are variables, or values if there are fewer.
struct Domain {
    /// Bits of the values.
    width: u32,
    /// Bits of the positions.
    new_width: u32,
    /// The smallest and the largest value.
    least: i128,
    most: i128,
    /// Each constant with its position.
    constants: Vec<(i128, u64)>,
}

impl Domain {
    /// `None` if positions have as many bits as values.
    fn new(width: u32, ordering: Ordering, n_variables: u64, numbers: Vec<i128>) -> Option<Domain> {
        let (least, most) = match ordering {
            Ordering::Signed => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
            Ordering::Unsigned => (0, (1_i128 << width) - 1),
        };
        let room =
            |from: i128, to: i128| u64::try_from((to - from).max(0)).unwrap_or(u64::MAX).min(n_variables);
        let (mut position, mut from) = (0_u64, least);
        let mut constants = Vec::with_capacity(numbers.len());
        for number in numbers {
            position += room(from, number);
            constants.push((number, position));
            position += 1;
            from = number + 1;
        }
        let n_positions = position + room(from, most + 1);
        let new_width = (u64::BITS - n_positions.saturating_sub(1).leading_zeros()).max(1);
        (new_width < width).then_some(Domain { width, new_width, least, most, constants })
    }

    /// The position of a constant.
    fn position(&self, number: i128) -> u64 {
        let found = self.constants.binary_search_by_key(&number, |(constant, _)| *constant);
        found.map_or(0, |at| self.constants[at].1)
    }

    /// A value for a position, where `used` lists all positions in use: the value is near a constant, or near zero if there are no constants.
    fn number(&self, position: u64, used: &[u64]) -> Option<i128> {
        let after = self.constants.partition_point(|(_, at)| *at < position);
        if let Some((number, _)) = self.constants.get(after).filter(|(_, at)| *at == position) {
            return Some(*number);
        }
        let before = after.checked_sub(1).map(|at| self.constants[at]);
        let next = self.constants.get(after).copied();
        let is_between =
            |at: u64| before.is_none_or(|(_, low)| at > low) && next.is_none_or(|(_, high)| at < high);
        let distinct = |range: &dyn Fn(u64) -> bool| {
            let mut found: Vec<u64> =
                used.iter().copied().filter(|at| is_between(*at) && range(*at)).collect();
            found.sort_unstable();
            found.dedup();
            found.len() as i128
        };
        let (n_below, n_above) = (distinct(&|at| at < position), distinct(&|at| at > position));
        let number = match (before, next) {
            (Some((number, _)), _) => number + 1 + n_below,
            (None, Some((number, _))) => number - 1 - n_above,
            (None, None) => n_below,
        };
        let is_low_enough = next.map_or(self.most, |(high, _)| high - 1) >= number;
        (is_low_enough && number >= self.least).then_some(number)
    }
}

/// Builds the terms again, with positions instead of values.
struct Rebuild<'p> {
    pool: &'p mut Pool,
    classes: Classes,
    domains: BTreeMap<usize, Domain>,
    new: FxHashMap<TermId, TermId>,
}

impl Rebuild<'_> {
    fn enter(&mut self, id: TermId) {
        let term = *self.pool.term(id);
        let args: Vec<TermId> = term.args().collect();
        let class = match comparison(term.op()) {
            Some(_) => args.iter().find_map(|arg| self.classes.of(*arg)),
            None => self.classes.of(id),
        };
        let class = class.filter(|class| self.domains.contains_key(class));
        let image = match class {
            Some(class) if term.op() == Op::Var => self.pool.var(Sort::Bits(self.domains[&class].new_width)),
            Some(class) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.operand(*arg, class)).collect();
                self.pool.mk(of_positions(term.op()), &args)
            }
            None => {
                let args: Vec<TermId> = args.iter().map(|arg| self.new[arg]).collect();
                let is_same = args.iter().copied().eq(term.args());
                let indices: Vec<u32> =
                    (0..term.op().info().shape.n_indices()).map(|index| term.index(index)).collect();
                if is_same { id } else { self.pool.mk_indexed(term.op(), &args, &indices) }
            }
        };
        self.new.insert(id, image);
    }

    /// An operand of a comparison or choice of a class. A constant becomes its position; the condition of a choice has one bit and stays.
    fn operand(&mut self, arg: TermId, class: usize) -> TermId {
        let domain = &self.domains[&class];
        let value = self.pool.value(arg).filter(|value| value.width() == domain.width && domain.width > 1);
        let Some(value) = value else { return self.new[&arg] };
        let ordering = if domain.least < 0 { Ordering::Signed } else { Ordering::Unsigned };
        let position = domain.position(number_of(value, ordering));
        self.pool.constant(Value::from_u64(domain.new_width, position))
    }
}
