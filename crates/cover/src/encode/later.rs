//! What a run may do after it was cut: any path through the rest of the control flow graph, but only one.
//!
//! Nothing is known about the data there, so a new variable decides each branch. A loop may execute everything in it, and is left at one of its
//! exits. Because of this, goals after a loop exclude each other: without it a run that was cut could do everything at once, and no lower bound on
//! the number of tests would hold without the bound of the loop.

use super::events::any;
use nub_bitvec::{Op, Pool, Sort, TermId, Value};
use nub_c_ir::{
    BlockId, ConditionTest, DecisionId, DecisionOutcome, Function, InstrKind, StatementId, TerminatorKind,
};
use rustc_hash::FxHashMap;

/// Width of the variable that chooses an exit.
const CHOICE_BITS: u32 = 32;

/// The rest of the function as terms.
#[derive(Default)]
pub struct Later {
    /// For each statement: control reaches it.
    statements: FxHashMap<StatementId, Vec<TermId>>,
    /// For each condition: it is evaluated and true, and false.
    conditions: FxHashMap<ConditionTest, [Vec<TermId>; 2]>,
    /// For each decision: some condition of it is evaluated.
    decisions: FxHashMap<DecisionId, Vec<TermId>>,
    /// For each decision of a `switch` and outcome.
    cases: FxHashMap<(DecisionId, DecisionOutcome), TermId>,
}

impl Later {
    /// Follows control from the blocks where runs were cut, each with its guard. Linear in the graph.
    pub fn new(pool: &mut Pool, function: &Function, cut: &[(BlockId, TermId)]) -> Later {
        let mut later = Later::default();
        if cut.is_empty() {
            return later;
        }
        let mut entered: Vec<Vec<TermId>> = vec![Vec::new(); function.blocks.len()];
        cut.iter().for_each(|(block, guard)| entered[block.index()].push(*guard));
        // Components are listed last first; control goes from the first to the last.
        let components = components(function);
        for component in components.iter().rev() {
            let ways: Vec<TermId> =
                component.iter().flat_map(|block| entered[block.index()].clone()).collect();
            if ways.is_empty() {
                continue;
            }
            let reached = any(pool, &ways);
            let is_loop = component.len() > 1 || targets(function, component[0]).contains(&component[0]);
            let choice = pool.var(Sort::Bits(CHOICE_BITS));
            let mut n_exits = 0;
            for block in component {
                let mut edges = Vec::new();
                for target in targets(function, *block) {
                    let is_inside = is_loop && component.contains(&target);
                    let edge = if is_inside { reached } else { chosen(pool, reached, choice, &mut n_exits) };
                    if !is_inside {
                        entered[target.index()].push(edge);
                    }
                    edges.push(edge);
                }
                later.note(function, *block, reached, &edges);
            }
        }
        later
    }

    fn note(&mut self, function: &Function, id: BlockId, reached: TermId, edges: &[TermId]) {
        let block = function.block(id);
        for instr in block.instrs.iter().filter(|instr| matches!(instr.kind, InstrKind::Begin)) {
            self.statements.entry(instr.origin.statement).or_default().push(reached);
        }
        match (&block.terminator.kind, edges) {
            (TerminatorKind::Branch { test: Some(test), .. }, [on_true, on_false]) => {
                self.decisions.entry(test.decision).or_default().push(reached);
                let [trues, falses] = self.conditions.entry(*test).or_default();
                trues.push(*on_true);
                falses.push(*on_false);
            }
            (TerminatorKind::Switch { decision, .. }, [cases @ .., default]) => {
                for (case, edge) in (0..).zip(cases) {
                    self.cases.insert((*decision, DecisionOutcome::Case(case)), *edge);
                }
                self.cases.insert((*decision, DecisionOutcome::Default), *default);
            }
            _ => {}
        }
    }

    /// The statement is executed.
    pub fn statement(&self, statement: StatementId) -> Vec<TermId> {
        self.statements.get(&statement).cloned().unwrap_or_default()
    }

    /// Some condition of the decision is evaluated.
    pub fn decision(&self, decision: DecisionId) -> Vec<TermId> {
        self.decisions.get(&decision).cloned().unwrap_or_default()
    }

    /// The condition is evaluated and true.
    pub fn is_true(&self, test: ConditionTest) -> Vec<TermId> {
        self.conditions.get(&test).map(|[is_true, _]| is_true.clone()).unwrap_or_default()
    }

    /// The condition is evaluated and false.
    pub fn is_false(&self, test: ConditionTest) -> Vec<TermId> {
        self.conditions.get(&test).map(|[_, is_false]| is_false.clone()).unwrap_or_default()
    }

    /// The switch has the outcome.
    pub fn case(&self, decision: DecisionId, outcome: DecisionOutcome) -> Option<TermId> {
        self.cases.get(&(decision, outcome)).copied()
    }
}

/// The next exit is taken.
fn chosen(pool: &mut Pool, reached: TermId, choice: TermId, n_exits: &mut u64) -> TermId {
    let number = pool.constant(Value::from_u64(CHOICE_BITS, *n_exits));
    *n_exits += 1;
    let is_it = pool.mk(Op::Eq, &[choice, number]);
    pool.mk(Op::And, &[reached, is_it])
}

/// The targets of a block, one entry per edge: of a switch its cases in order, then the default.
fn targets(function: &Function, block: BlockId) -> Vec<BlockId> {
    function.block(block).terminator.kind.successors()
}

/// The strongly connected components, each after those that it leads to (Tarjan). With an explicit stack.
fn components(function: &Function) -> Vec<Vec<BlockId>> {
    let n = function.blocks.len();
    let (mut number, mut low) = (vec![usize::MAX; n], vec![0; n]);
    let (mut is_open, mut open, mut found) = (vec![false; n], Vec::new(), Vec::new());
    let mut next = 0;
    for root in (0..n as u32).map(BlockId) {
        if number[root.index()] != usize::MAX {
            continue;
        }
        let mut stack: Vec<(BlockId, Vec<BlockId>)> = vec![(root, Vec::new())];
        while let Some((block, rest)) = stack.last_mut() {
            let (block, at) = (*block, block.index());
            if number[at] == usize::MAX {
                (number[at], low[at], is_open[at]) = (next, next, true);
                next += 1;
                open.push(block);
                *rest = targets(function, block);
            }
            if let Some(target) = rest.pop() {
                if number[target.index()] == usize::MAX {
                    stack.push((target, Vec::new()));
                } else if is_open[target.index()] {
                    low[at] = low[at].min(number[target.index()]);
                }
                continue;
            }
            stack.pop();
            if let Some((parent, _)) = stack.last() {
                low[parent.index()] = low[parent.index()].min(low[at]);
            }
            if low[at] == number[at] {
                let start = open.iter().rposition(|other| *other == block).unwrap_or(0);
                let component = open.split_off(start);
                component.iter().for_each(|block| is_open[block.index()] = false);
                found.push(component);
            }
        }
    }
    found
}
