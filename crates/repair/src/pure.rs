//! Pure functions, and copies of them that may be called where the program would not.

use nub_c_ir::analysis::direct_callees;
use nub_c_ir::{
    BasicBlock, BlockId, Callee, CheckKind, Function, FunctionId, Instr, InstrKind, Program, Terminator,
    TerminatorKind,
};
use rustc_hash::FxHashMap;

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
            todo.extend(direct_callees(function));
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

/// Each check becomes a branch: if it does not hold, the function returns immediately. Blocks are split from the end, so that numbers of instructions
/// stay valid.
fn without_checks(function: &mut Function, zero: TerminatorKind) {
    let out = BlockId(function.blocks.len() as u32);
    let origin = function.blocks[0].terminator.origin;
    function.blocks.push(BasicBlock { instrs: Vec::new(), terminator: Terminator { kind: zero, origin } });
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
            function.blocks.push(BasicBlock { instrs: rest, terminator });
        }
    }
}

fn last_check(block: &BasicBlock) -> Option<(usize, CheckKind, nub_c_ir::ExprId)> {
    let found = block.instrs.iter().enumerate().rev();
    found
        .filter_map(|(at, instr)| match instr.kind {
            InstrKind::Check { kind, condition } => Some((at, kind, condition)),
            _ => None,
        })
        .next()
}
