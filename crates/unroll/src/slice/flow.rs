//! Relevance in one function.

use super::Goals;
use super::effects::Places;
use super::set::Set;
use nub_c_ir::{
    BlockId, Callee, ExprId, Function, FunctionId, Instr, InstrKind, Place, Program, TerminatorKind,
};
use rustc_hash::FxHashMap;

/// What is known about a function from its calls and from its body.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// Shared places that are relevant after some call.
    pub(super) after: Set,
    /// Some call needs what it returns.
    pub(super) returns: bool,
    /// Shared places that are relevant before it.
    pub(super) before: Set,
    /// Parameters that are relevant.
    pub(super) params: Vec<bool>,
    /// It decides something, or changes something relevant.
    pub(super) matters: bool,
}

/// What is relevant after a call.
#[derive(Clone, Debug)]
pub(super) struct After {
    shared: Set,
    returns: bool,
}

impl Summary {
    pub(super) fn new(n_shared: usize) -> Summary {
        let (after, before) = (Set::new(n_shared), Set::new(n_shared));
        Summary { after, returns: false, before, params: Vec::new(), matters: false }
    }

    /// One more call; true if that says more.
    pub(super) fn join_after(&mut self, after: &After) -> bool {
        let has_grown = self.after.join(&after.shared) || (after.returns && !self.returns);
        self.returns |= after.returns;
        has_grown
    }

    /// What the body needs; true if that is more.
    pub(super) fn join_before(&mut self, before: &Set, params: &[bool], matters: bool) -> bool {
        let mut has_grown = self.before.join(before) || (matters && !self.matters);
        self.matters |= matters;
        self.params.resize(params.len().max(self.params.len()), false);
        for (old, new) in self.params.iter_mut().zip(params) {
            has_grown |= *new && !*old;
            *old |= *new;
        }
        has_grown
    }
}

/// The result for one function.
pub(super) struct Found {
    pub(super) kept: Vec<Vec<bool>>,
    pub(super) before: Set,
    pub(super) params: Vec<bool>,
    pub(super) matters: bool,
    pub(super) calls: Vec<(FunctionId, After)>,
}

pub(super) struct Flow<'a> {
    program: &'a Program,
    places: &'a Places<'a>,
    function: &'a Function,
    goals: Goals,
    summaries: &'a FxHashMap<FunctionId, Summary>,
    own: Summary,
    /// What is relevant at the start of each block.
    starts: Vec<Set>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        program: &'a Program,
        places: &'a Places<'a>,
        id: FunctionId,
        goals: Goals,
        summaries: &'a FxHashMap<FunctionId, Summary>,
    ) -> Flow<'a> {
        let function = program.function(id);
        let own = summaries.get(&id).cloned().unwrap_or_else(|| Summary::new(places.n_shared()));
        let starts = vec![Set::new(places.n_places(function)); function.blocks.len()];
        Flow { program, places, function, goals, summaries, own, starts }
    }

    /// Computes the sets, from the end to the start, until nothing changes.
    pub(super) fn run(&mut self) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for block in (0..self.function.blocks.len()).rev() {
                let set = self.block(BlockId(block as u32), |_, _, _| {});
                has_changed |= self.starts[block].join(&set);
            }
        }
    }

    /// What is relevant at the start of a block. Calls `seen` for each instruction from the last to the first, with whether it stays and
    /// what is relevant after it.
    fn block(&self, id: BlockId, mut seen: impl FnMut(usize, bool, &Set)) -> Set {
        let block = self.function.block(id);
        let mut set = Set::new(self.places.n_places(self.function));
        for next in block.terminator.kind.successors() {
            set.join(&self.starts[next.index()]);
        }
        match &block.terminator.kind {
            TerminatorKind::Branch { condition: value, .. } | TerminatorKind::Switch { value, .. } => {
                self.places.read(self.function, *value, &mut set);
            }
            TerminatorKind::Return(value) => {
                set.join(&self.own.after);
                if let Some(value) = value.filter(|_| self.own.returns) {
                    self.places.read(self.function, value, &mut set);
                }
            }
            TerminatorKind::Goto(_) | TerminatorKind::Stop(_) | TerminatorKind::Unreachable => {}
        }
        for (at, instr) in block.instrs.iter().enumerate().rev() {
            let before = set.clone();
            let is_kept = self.instruction(instr, &mut set);
            seen(at, is_kept, &before);
        }
        set
    }

    /// Goes back over an instruction; true if it stays.
    fn instruction(&self, instr: &Instr, set: &mut Set) -> bool {
        match &instr.kind {
            InstrKind::Store { place, value } => self.store(place, Some(*value), set),
            InstrKind::Zero { place } => self.store(place, None, set),
            InstrKind::Allocate { result: place, fails, .. } => self.store(place, *fails, set),
            InstrKind::Begin | InstrKind::LifetimeEnd { .. } => true,
            InstrKind::LifetimeBegin { local } => {
                let place = self.places.local(self.function, *local);
                if place != self.places.memory() {
                    set.remove(place);
                }
                true
            }
            // A test that does not give the value would give the next one too early.
            InstrKind::Input { place, .. } => {
                let write = self.places.write(self.function, place);
                if write.is_whole {
                    set.remove(write.place);
                }
                self.places.read_operands(self.function, place, set);
                true
            }
            InstrKind::Assume { condition } | InstrKind::Assert { condition, .. } => {
                self.condition(self.goals.asserts, *condition, set)
            }
            InstrKind::Check { condition, .. } => self.condition(self.goals.checks, *condition, set),
            InstrKind::Observe { .. } => false,
            InstrKind::Free { pointer } => self.condition(self.goals.checks, *pointer, set),
            InstrKind::Call { callee, args, result } => self.call(*callee, args, result.as_ref(), set),
        }
    }

    fn condition(&self, is_goal: bool, condition: ExprId, set: &mut Set) -> bool {
        if is_goal {
            self.places.read(self.function, condition, set);
        }
        is_goal
    }

    fn store(&self, place: &Place, value: Option<ExprId>, set: &mut Set) -> bool {
        let write = self.places.write(self.function, place);
        if !set.contains(write.place) {
            return false;
        }
        if write.is_whole {
            set.remove(write.place);
        }
        self.places.read_operands(self.function, place, set);
        if let Some(value) = value {
            self.places.read(self.function, value, set);
        }
        true
    }

    /// The functions that a call may mean.
    fn callees(&self, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(id) => vec![id],
            Callee::Pointer(_) => {
                let ids = (0..).map(FunctionId).zip(&self.program.functions);
                ids.filter(|(_, function)| function.address_taken).map(|(id, _)| id).collect()
            }
        }
    }

    fn call(&self, callee: Callee, args: &[ExprId], result: Option<&Place>, set: &mut Set) -> bool {
        let write = result.map(|place| self.places.write(self.function, place));
        let needs_result = write.as_ref().is_some_and(|write| set.contains(write.place));
        if let Some(write) = write.filter(|write| write.is_whole) {
            set.remove(write.place);
        }
        let mut matters = needs_result;
        for id in self.callees(callee) {
            // Statements of the user are to be covered wherever they are.
            matters |= !self.program.function(id).is_model;
            let Some(summary) = self.summaries.get(&id) else {
                // Not looked at yet. It will be, and then this function again.
                matters = true;
                continue;
            };
            matters |= summary.matters;
            set.join(&summary.before);
            for (arg, _) in args.iter().zip(&summary.params).filter(|(_, is_relevant)| **is_relevant) {
                self.places.read(self.function, *arg, set);
            }
        }
        if let (true, Callee::Pointer(pointer)) = (matters, callee) {
            self.places.read(self.function, pointer, set);
        }
        matters
    }

    /// After the last round: what stays, what the callees need to know, what the callers need to know.
    pub(super) fn finish(self) -> Found {
        let n_shared = self.places.n_shared();
        let mut calls = Vec::new();
        let mut kept: Vec<Vec<bool>> = Vec::with_capacity(self.function.blocks.len());
        let mut matters = false;
        for (number, block) in self.function.blocks.iter().enumerate() {
            let mut stays = vec![false; block.instrs.len()];
            self.block(BlockId(number as u32), |at, is_kept, after| {
                stays[at] = is_kept;
                let kind = &block.instrs[at].kind;
                let is_mark = matches!(
                    kind,
                    InstrKind::Begin | InstrKind::LifetimeBegin { .. } | InstrKind::LifetimeEnd { .. }
                );
                matters |= is_kept && !is_mark;
                if let InstrKind::Call { callee, result, .. } = kind {
                    let returns = result
                        .as_ref()
                        .is_some_and(|place| after.contains(self.places.write(self.function, place).place));
                    let mut shared = Set::new(n_shared);
                    (0..n_shared)
                        .filter(|place| after.contains(*place))
                        .for_each(|place| shared.insert(place));
                    let found = self.callees(*callee).into_iter();
                    calls.extend(found.map(|id| (id, After { shared: shared.clone(), returns })));
                }
            });
            let kind = &block.terminator.kind;
            matters |= !matches!(kind, TerminatorKind::Goto(_) | TerminatorKind::Return(_));
            kept.push(stays);
        }
        let start = &self.starts[0];
        let mut before = Set::new(n_shared);
        (0..n_shared).filter(|place| start.contains(*place)).for_each(|place| before.insert(place));
        let params = (0..self.function.n_params)
            .map(|param| start.contains(self.places.local(self.function, nub_c_ir::LocalId(param as u32))))
            .collect();
        Found { kept, before, params, matters, calls }
    }
}
