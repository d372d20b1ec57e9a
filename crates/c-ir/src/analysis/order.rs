//! Where C leaves the order of evaluation open and it may matter.
//!
//! `f(next(), next())`, `n - next()`: a compiler may make the calls in any order, and read `n` before or after the call (C17 6.5.2.2). The interpreter
//! goes from left to right. A compiled program may do otherwise and still be right.

mod branches;

use super::calls::reached;
use crate::ids::*;
use crate::ir::*;
use crate::lower::{children, place_children};
use rustc_hash::FxHashSet;

/// Whether some expression that a run from `start` may evaluate has a call that conflicts with another part of it: one of them writes what the other
/// reads or writes, and neither uses the value of the other. Sequence points of the comma operator are ignored. O(size × functions), and more for
/// expressions with branches.
pub fn leaves_order_open(program: &Program, start: FunctionId) -> bool {
    let is_reached = reached(program, start);
    let touched = Touched::of_functions(program, &is_reached);
    let functions = program.functions.iter().zip(is_reached);
    let mut own = functions.filter(|(function, is_reached)| *is_reached && !function.is_model);
    own.any(|(function, _)| {
        let statements = Statements { program, function, touched: &touched };
        function.blocks.iter().any(|block| statements.is_open_in(block)) || statements.is_open_across_blocks()
    })
}

/// What a piece of code reads and writes that others can see.
#[derive(Clone, PartialEq, Eq, Default)]
struct Touched {
    reads: FxHashSet<GlobalId>,
    writes: FxHashSet<GlobalId>,
    /// Through pointers.
    reads_memory: bool,
    writes_memory: bool,
}

impl Touched {
    /// For each function that is reached, with all its callees.
    fn of_functions(program: &Program, is_reached: &[bool]) -> Vec<Touched> {
        let mut found: Vec<Touched> = program
            .functions
            .iter()
            .zip(is_reached)
            .map(|(function, is_reached)| {
                let mut touched = Touched::default();
                if *is_reached {
                    function.blocks.iter().for_each(|block| touched.add_block(function, block));
                }
                // What the library keeps for itself, such as `errno`, does not make the order of its calls matter.
                if function.is_model {
                    touched.reads.clear();
                    touched.writes.clear();
                }
                touched
            })
            .collect();
        loop {
            let mut is_changed = false;
            for (at, function) in program.functions.iter().enumerate().filter(|(at, _)| is_reached[*at]) {
                let mut all = found[at].clone();
                for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                    if let InstrKind::Call { callee, .. } = &instr.kind {
                        called(program, *callee).for_each(|id| all.join(&found[id.index()]));
                    }
                }
                is_changed |= all != found[at];
                found[at] = all;
            }
            if !is_changed {
                return found;
            }
        }
    }

    fn join(&mut self, other: &Touched) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
    }

    fn add_block(&mut self, function: &Function, block: &BasicBlock) {
        for instr in &block.instrs {
            self.add_reads(function, &operands(&instr.kind), &|_| false);
            if let Some(place) = instr.kind.written() {
                self.add_write(place);
            }
            self.writes_memory |= matches!(instr.kind, InstrKind::Free { .. });
        }
        self.add_reads(function, &decided(&block.terminator.kind), &|_| false);
    }

    fn add_write(&mut self, place: &Place) {
        match place.base {
            PlaceBase::Global(global) => {
                self.writes.insert(global);
            }
            PlaceBase::Pointer(_) => self.writes_memory = true,
            PlaceBase::Local(_) | PlaceBase::String(_) => {}
        }
    }

    /// Adds what these expressions read. Reads of certain locals, and reads at addresses computed from them, are skipped: they come after whatever
    /// set those locals. A `Load` of a local variable whose address is taken counts as memory.
    fn add_reads(&mut self, function: &Function, exprs: &[ExprId], is_after: &dyn Fn(LocalId) -> bool) {
        let mut todo = exprs.to_vec();
        while let Some(id) = todo.pop() {
            let kind = &function.expr(id).kind;
            children(kind, &mut todo);
            let ExprKind::Load(place) = kind else { continue };
            let mut inner = Vec::new();
            place_children(place, &mut inner);
            if uses_any(function, inner, is_after) {
                continue;
            }
            match place.base {
                PlaceBase::Global(global) => {
                    self.reads.insert(global);
                }
                PlaceBase::Pointer(_) => self.reads_memory = true,
                PlaceBase::Local(local) => {
                    self.reads_memory |= function.locals[local.index()].address_taken && !is_after(local);
                }
                PlaceBase::String(_) => {}
            }
        }
    }

    /// Whether one writes what the other reads or writes.
    fn conflicts(&self, other: &Touched, program: &Program) -> bool {
        self.changes(other, program) || other.changes(self, program)
    }

    fn changes(&self, other: &Touched, program: &Program) -> bool {
        let is_exposed = |id: &GlobalId| program.globals[id.index()].address_taken;
        let mut touched = other.reads.iter().chain(&other.writes);
        let is_memory = other.reads_memory || other.writes_memory;
        touched.clone().any(|id| self.writes.contains(id))
            || self.writes_memory && (is_memory || touched.any(is_exposed))
            || is_memory && self.writes.iter().any(is_exposed)
    }
}

/// The statements of a function.
struct Statements<'s> {
    program: &'s Program,
    function: &'s Function,
    touched: &'s [Touched],
}

/// A part of a statement that is evaluated at once.
struct Part {
    touched: Touched,
    /// What the evaluation of its operands reads.
    operands: Touched,
    is_call: bool,
    /// The locals that hold its value, or a value computed from it.
    results: FxHashSet<LocalId>,
    /// The parts whose values it uses.
    after: Vec<usize>,
}

impl Statements<'_> {
    fn is_open_in(&self, block: &BasicBlock) -> bool {
        let mut rest = block.instrs.as_slice();
        while let Some(first) = rest.first() {
            let statement = first.origin.statement;
            let length = rest.iter().take_while(|instr| instr.origin.statement == statement).count();
            let (same, others) = rest.split_at(length);
            let is_decided = others.is_empty() && block.terminator.origin.statement == statement;
            let end = if is_decided { decided(&block.terminator.kind) } else { Vec::new() };
            let has_call = same.iter().any(|instr| matches!(instr.kind, InstrKind::Call { .. }));
            if has_call && self.is_open(same, &end) {
                return true;
            }
            rest = others;
        }
        false
    }

    /// Whether the order of the parts of a statement matters.
    fn is_open(&self, instrs: &[Instr], end: &[ExprId]) -> bool {
        let mut parts: Vec<Part> = Vec::new();
        for instr in instrs.iter().filter(|instr| !matches!(instr.kind, InstrKind::Check { .. })) {
            let part = self.part(&parts, &instr.kind);
            if self.conflicts(&parts, &part) {
                return true;
            }
            parts.push(part);
        }
        let last = Part {
            touched: Touched::default(),
            operands: self.reads(&parts, end),
            is_call: false,
            results: FxHashSet::default(),
            after: Vec::new(),
        };
        self.conflicts(&parts, &last)
    }

    /// What expressions read, except where the address comes from the value of an earlier call.
    fn reads(&self, before: &[Part], exprs: &[ExprId]) -> Touched {
        let mut touched = Touched::default();
        let is_after =
            |local: LocalId| before.iter().any(|part| part.is_call && part.results.contains(&local));
        touched.add_reads(self.function, exprs, &is_after);
        touched
    }

    fn part(&self, before: &[Part], kind: &InstrKind) -> Part {
        let exprs = operands(kind);
        let uses =
            |part: &Part| uses_any(self.function, exprs.clone(), &|local| part.results.contains(&local));
        let after: Vec<usize> = (0..before.len()).filter(|at| uses(&before[*at])).collect();
        let mut part = Part {
            touched: Touched::default(),
            operands: self.reads(before, &exprs),
            is_call: false,
            results: FxHashSet::default(),
            after,
        };
        if let Some(Place { base: PlaceBase::Local(local), .. }) = kind.written() {
            part.results.insert(*local);
        }
        if let InstrKind::Call { callee, .. } = kind {
            part.is_call = true;
            called(self.program, *callee).for_each(|id| part.touched.join(&self.touched[id.index()]));
        } else if let Some(place) = kind.written() {
            part.touched.add_write(place);
        }
        part
    }

    /// Whether a call among the earlier parts conflicts with the operands of this one, or this one is a call that conflicts with an earlier part.
    fn conflicts(&self, before: &[Part], part: &Part) -> bool {
        let is_after = |at: &usize| part.after.contains(at);
        before.iter().enumerate().any(|(at, earlier)| {
            // An assignment is made after its operands were evaluated.
            earlier.is_call && earlier.touched.conflicts(&part.operands, self.program)
                || part.is_call
                    && !is_after(&at)
                    && (earlier.touched.conflicts(&part.touched, self.program)
                        || earlier.operands.conflicts(&part.touched, self.program))
        })
    }
}

/// The functions that a call may call.
fn called(program: &Program, callee: Callee) -> impl Iterator<Item = FunctionId> + '_ {
    let taken = program.functions.iter().enumerate().filter(move |(at, function)| match callee {
        Callee::Direct(id) => id.index() == *at,
        Callee::Pointer(_) => function.address_taken,
    });
    taken.map(|(at, _)| FunctionId::next(at))
}

/// Whether the value of an expression depends on one of certain locals.
fn uses_any(function: &Function, exprs: Vec<ExprId>, is_one: &dyn Fn(LocalId) -> bool) -> bool {
    let mut todo = exprs;
    while let Some(id) = todo.pop() {
        let kind = &function.expr(id).kind;
        children(kind, &mut todo);
        if let ExprKind::Load(Place { base: PlaceBase::Local(local), .. }) = kind
            && is_one(*local)
        {
            return true;
        }
    }
    false
}

/// The expressions that an instruction evaluates.
fn operands(kind: &InstrKind) -> Vec<ExprId> {
    let mut found = Vec::new();
    match kind {
        InstrKind::Store { place, value } => {
            place_children(place, &mut found);
            found.push(*value);
        }
        InstrKind::Zero { place } | InstrKind::Input { place, .. } => place_children(place, &mut found),
        InstrKind::Call { callee, args, .. } => {
            found.extend_from_slice(args);
            found.extend(match callee {
                Callee::Pointer(pointer) => Some(*pointer),
                Callee::Direct(_) => None,
            });
        }
        InstrKind::Assume { condition } | InstrKind::Assert { condition, .. } => found.push(*condition),
        InstrKind::Allocate { size, old, .. } => found.extend(size.iter().chain(old)),
        InstrKind::Free { pointer } => found.push(*pointer),
        InstrKind::Begin
        | InstrKind::LifetimeBegin { .. }
        | InstrKind::LifetimeEnd { .. }
        | InstrKind::LeftOpen { .. }
        | InstrKind::Observe { .. }
        | InstrKind::Check { .. } => {}
    }
    found
}

/// The expressions that a terminator evaluates.
fn decided(kind: &TerminatorKind) -> Vec<ExprId> {
    match kind {
        TerminatorKind::Branch { condition, .. } => vec![*condition],
        TerminatorKind::Switch { value, .. } => vec![*value],
        TerminatorKind::Return(value) => value.iter().copied().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    fn is_open(statement: &str) -> bool {
        let text = format!(
            "int n, m; int next(void) {{ return ++n; }} int other(void) {{ return ++m; }} int same(int a) {{ return a; }}
             int get(const char **p) {{ return *(*p)++; }} int two(int a, int b) {{ return a - b; }} int *where(void) {{ n++; return &m; }}
             int main(void) {{ const char *s = \"ab\"; int x = 0; int a[4] = {{0}}; {statement}; return x; }}"
        );
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, found) = crate::lower(&unit, &DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        leaves_order_open(&program, program.function_by_name("main").unwrap())
    }

    #[test]
    fn the_order_matters() {
        for statement in [
            "x = next() - next()",
            "x = two(next(), next())",
            "x = n - next()",
            "x = next() - n",
            "x = two(n, next())",
            "x = two(next(), n)",
            "x = two(get(&s), get(&s))",
            "x = *s + get(&s)",
            "x = same(n) - next()",
            "a[n & 3] = next()",
            "n += next()",
            "if (next() > n) x = 1",
            "return n++ - next()",
            "x = next() + (x && next())",
            "x = next() - (x || n)",
            "x = (x && next()) - n",
            "x = (n && x) - next()",
            "x = (x ? n : 2) + next()",
            "x = next() + (x ? n : 0)",
            "x = two(next(), x ? next() : 0)",
            "x = two(x && next(), n)",
            "x = (x ? next() : other()) - n",
            "while ((x && n) + next() < 9) x++",
            "n += x && next()",
            "x = *s + (x && get(&s))",
            "a[x || next()] = n",
            "x = same(x && next()) ? x : n ? other() - m : 0",
        ] {
            assert!(is_open(statement), "{statement}");
        }
    }

    #[test]
    fn the_order_does_not_matter() {
        for statement in [
            "x = next()",
            "x = same(1) - same(2)",
            "x = next() && next()",
            "x = next() - other()",
            "x = next() - m",
            "x = same(next())",
            "x = two(next(), 3) + x",
            "n = next()",
            "next(); next()",
            "x = *where()",
            "x = two(get(&s), 1)",
            "x = next() && n",
            "x = x && next() && n",
            "x = (x || next()) ? n : next()",
            "x = n ? next() : 0",
            "x = x ? next() : n",
            "x = (next() ? 1 : 2) + other()",
            "x = (x && next()) + other()",
            "x = n && x && next()",
            "x = same(n) && next()",
            "x = x ? two(next(), 1) : next()",
            "while (n < 9 && next()) x = n",
            "do x = n; while (x && next())",
            "n = x && next()",
            "x = same(x && next()) ? n : 0",
            "if (x && next() > 3 || n) x = 2",
            "for (x = n; x && next(); x = n) x--",
        ] {
            assert!(!is_open(statement), "{statement}");
        }
    }
}
