//! Functions without effect, and copies of them that may be called where the program would not.

use super::sites::is_changeable;
use nub_c_ir::{
    Block, BlockId, Body, Callee, CheckKind, Function, FunctionId, Instr, InstrKind, PlaceBase, Program,
    Terminator, TerminatorKind,
};
use rustc_hash::FxHashMap;

/// Calls in calls that are looked at.
const MAX_FUNCTIONS: usize = 64;

/// It returns an integer, has no loop, writes its own variables alone, reads no input, and calls only such functions, none of them itself.
/// Cost: the size of the functions.
pub(crate) fn is_pure(program: &Program, id: FunctionId) -> bool {
    let mut todo = vec![id];
    let mut seen = Vec::new();
    while let Some(id) = todo.pop() {
        if seen.contains(&id) {
            continue;
        }
        let function = program.function(id);
        let is_defined = matches!(function.body, Body::Defined)
            && function.loops.is_empty()
            && is_changeable(program, function.result);
        let is_escaping = function.locals.iter().any(|local| local.address_taken);
        if !is_defined || is_escaping || seen.len() >= MAX_FUNCTIONS || !goes_forward(function) {
            return false;
        }
        seen.push(id);
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            match &instr.kind {
                InstrKind::Store { place, .. } | InstrKind::Zero { place }
                    if matches!(place.base, PlaceBase::Local(_)) => {}
                InstrKind::Begin | InstrKind::LifetimeBegin { .. } | InstrKind::Check { .. } => {}
                InstrKind::Call { callee: Callee::Direct(callee), .. } => todo.push(*callee),
                _ => return false,
            }
        }
    }
    !calls_itself(program, &seen)
}

/// No jump back: every block is run once at most. Lowering numbers blocks so that only loops lead back.
fn goes_forward(function: &Function) -> bool {
    let ends = |block: &Block| {
        matches!(block.terminator.kind, TerminatorKind::Stop(_) | TerminatorKind::Unreachable)
    };
    let forward = function
        .blocks
        .iter()
        .enumerate()
        .all(|(index, block)| block.terminator.kind.successors().iter().all(|next| next.index() > index));
    forward && !function.blocks.iter().any(ends)
}

/// Some function of the list is on a cycle of calls. The list is short, so the closure is computed plainly.
fn calls_itself(program: &Program, list: &[FunctionId]) -> bool {
    let place = |id: FunctionId| list.iter().position(|other| *other == id);
    let mut reaches = vec![vec![false; list.len()]; list.len()];
    for (from, id) in list.iter().enumerate() {
        for to in callees(program.function(*id)).filter_map(place) {
            reaches[from][to] = true;
        }
    }
    for middle in 0..list.len() {
        let through = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&through).for_each(|(reach, more)| *reach |= *more);
        }
    }
    (0..list.len()).any(|at| reaches[at][at])
}

fn callees(function: &Function) -> impl Iterator<Item = FunctionId> + '_ {
    function.blocks.iter().flat_map(|block| &block.instrs).filter_map(|instr| match &instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    })
}

/// Copies of pure functions, made on demand. Where the original would be undefined, the copy returns 0.
#[derive(Default)]
pub(super) struct Copies {
    made: FxHashMap<FunctionId, FunctionId>,
}

impl Copies {
    /// The copy of a pure function of the original program, added to the new one. Its callees are copied too.
    pub fn of(&mut self, original: &Program, program: &mut Program, id: FunctionId) -> FunctionId {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if self.made.contains_key(&id) {
                continue;
            }
            self.made.insert(id, FunctionId(program.functions.len() as u32));
            let function = original.function(id);
            program.functions.push(function.clone());
            todo.extend(callees(function));
        }
        for (from, to) in self.sorted() {
            let mut copy = original.function(from).clone();
            for instr in copy.blocks.iter_mut().flat_map(|block| &mut block.instrs) {
                if let InstrKind::Call { callee: Callee::Direct(callee), .. } = &mut instr.kind
                    && let Some(new) = self.made.get(callee)
                {
                    *callee = *new;
                }
            }
            let zero = zero_of(&mut copy);
            without_checks(&mut copy, zero);
            program.functions[to.index()] = copy;
        }
        self.made[&id]
    }

    fn sorted(&self) -> Vec<(FunctionId, FunctionId)> {
        let mut list: Vec<_> = self.made.iter().map(|(from, to)| (*from, *to)).collect();
        list.sort_unstable();
        list
    }
}

/// The terminator that returns 0.
fn zero_of(function: &mut Function) -> TerminatorKind {
    let id = nub_c_ir::ExprId(function.exprs.len() as u32);
    let (ty, span) = (function.result, function.span);
    function.exprs.push(nub_c_ir::Expr { kind: nub_c_ir::ExprKind::Int(0), ty, span });
    TerminatorKind::Return(Some(id))
}

/// Each check becomes a branch: if it does not hold, the function returns at once. Blocks are cut from the end, so that numbers of
/// instructions stay true.
fn without_checks(function: &mut Function, zero: TerminatorKind) {
    let out = BlockId(function.blocks.len() as u32);
    let origin = function.blocks[0].terminator.origin;
    function.blocks.push(Block { instrs: Vec::new(), terminator: Terminator { kind: zero, origin } });
    for index in 0..out.index() {
        while let Some((at, kind, condition)) = last_check(&function.blocks[index]) {
            let rest: Vec<Instr> = function.blocks[index].instrs.drain(at + 1..).collect();
            function.blocks[index].instrs.pop();
            if kind == CheckKind::Uninitialised {
                function.blocks[index].instrs.extend(rest);
                continue;
            }
            let next = BlockId(function.blocks.len() as u32);
            let kind = TerminatorKind::Branch {
                condition,
                then_block: next,
                else_block: out,
                test: None,
                loop_header: None,
            };
            let block = &mut function.blocks[index];
            let origin = block.terminator.origin;
            let terminator = std::mem::replace(&mut block.terminator, Terminator { kind, origin });
            function.blocks.push(Block { instrs: rest, terminator });
        }
    }
}

fn last_check(block: &Block) -> Option<(usize, CheckKind, nub_c_ir::ExprId)> {
    let found = block.instrs.iter().enumerate().rev();
    found
        .filter_map(|(at, instr)| match instr.kind {
            InstrKind::Check { kind, condition } => Some((at, kind, condition)),
            _ => None,
        })
        .next()
}
