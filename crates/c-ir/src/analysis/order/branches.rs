//! The same for expressions with branches: `next() + (a && n)`, `(a ? n : 0) - next()`.
//!
//! The sides of `&&`, `||` and `?:` are blocks of their own, so the parts of one expression lie in several blocks. Two parts in different blocks are
//! in a fixed order if one decides whether the other is evaluated, which is what those operators are about (C17 6.5.13 to 6.5.15); they do not matter
//! to each other if no run evaluates both. All other pairs are compared as those of one block are.

use super::{Part, Statements, Touched, decided, operands, uses_any};
use crate::analysis::control::deciding;
use crate::ids::*;
use crate::ir::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// With more parts, a statement counts as one whose order matters: comparing them would take too long.
const MAX_PARTS: usize = 256;

/// A part of a statement, and where it is.
struct PlacedPart {
    block: usize,
    exprs: Vec<ExprId>,
    part: Part,
    /// Whether it is the branch at the end of its block.
    is_branch: bool,
}

/// A statement whose parts lie in several blocks.
struct Branching<'b, 's> {
    statements: &'b Statements<'s>,
    parts: Vec<PlacedPart>,
    /// For each block, the branches that decide whether it is executed.
    deciding: &'b [Vec<usize>],
    /// For each block with a part, the blocks that are executed after it in one evaluation of the statement.
    later: BTreeMap<usize, Vec<bool>>,
}

impl Statements<'_> {
    /// Whether some statement has two parts in different blocks whose order matters.
    pub(super) fn is_open_across_blocks(&self) -> bool {
        let mut blocks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut calling: FxHashSet<usize> = FxHashSet::default();
        for (at, block) in self.function.blocks.iter().enumerate() {
            let of_instrs = block.instrs.iter().map(|instr| instr.origin.statement);
            for statement in of_instrs.chain([block.terminator.origin.statement]) {
                let list = blocks.entry(statement.index()).or_default();
                if list.last() != Some(&at) {
                    list.push(at);
                }
            }
            let is_call = |instr: &&Instr| matches!(instr.kind, InstrKind::Call { .. });
            calling.extend(block.instrs.iter().filter(is_call).map(|instr| instr.origin.statement.index()));
        }
        blocks.retain(|statement, list| list.len() > 1 && calling.contains(statement));
        if blocks.is_empty() {
            return false;
        }
        let deciding = deciding(self.function);
        blocks.iter().any(|(statement, list)| self.branching(*statement, list, &deciding).is_open())
    }

    fn branching<'b>(
        &'b self,
        statement: usize,
        blocks: &[usize],
        deciding: &'b [Vec<usize>],
    ) -> Branching<'b, 'b> {
        let is_own = |origin: &SourceOrigin| origin.statement.index() == statement;
        let mut parts = Vec::new();
        let mut first = blocks[0];
        for &block in blocks {
            let body = &self.function.blocks[block];
            for instr in body.instrs.iter().filter(|instr| is_own(&instr.origin)) {
                match &instr.kind {
                    InstrKind::Begin => first = block,
                    InstrKind::Check { .. } => {}
                    kind => parts.push(PlacedPart {
                        block,
                        exprs: operands(kind),
                        part: self.part(&[], kind),
                        is_branch: false,
                    }),
                }
            }
            let exprs = decided(&body.terminator.kind);
            if is_own(&body.terminator.origin) && !exprs.is_empty() {
                let part = Part {
                    touched: Touched::default(),
                    operands: self.reads(&[], &exprs),
                    is_call: false,
                    results: FxHashSet::default(),
                    after: Vec::new(),
                };
                parts.push(PlacedPart { block, exprs, part, is_branch: true });
            }
        }
        let later = blocks.iter().map(|block| (*block, self.later(*block, first))).collect();
        Branching { statements: self, parts, deciding, later }
    }

    /// The blocks that are reached from the end of one without another evaluation of the statement, which starts with `first`. O(blocks).
    fn later(&self, from: usize, first: usize) -> Vec<bool> {
        let mut found = vec![false; self.function.blocks.len()];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for next in self.function.blocks[at].terminator.kind.successors() {
                let next = next.index();
                if next != first && !std::mem::replace(&mut found[next], true) {
                    todo.push(next);
                }
            }
        }
        found
    }
}

impl Branching<'_, '_> {
    fn is_open(&self) -> bool {
        let is_long = self.parts.len() > MAX_PARTS;
        is_long
            || (0..self.parts.len()).any(|first| {
                let block = self.parts[first].block;
                let is_later = |other: &usize| self.is_later(block, self.parts[*other].block);
                let mut rest = (0..self.parts.len()).filter(is_later).peekable();
                rest.peek().is_some() && {
                    let derived = self.derived(first);
                    rest.any(|second| self.is_open_between(first, second, &derived))
                }
            })
    }

    fn is_later(&self, first: usize, second: usize) -> bool {
        first != second && self.later.get(&first).is_some_and(|later| later[second])
    }

    fn is_open_between(&self, first: usize, second: usize, derived: &Derived) -> bool {
        let locals = self.locals_before(second, derived);
        let (first, second) = (&self.parts[first], &self.parts[second]);
        if derived.decides[second.block] {
            return false;
        }
        let Statements { program, function, .. } = *self.statements;
        let is_derived = |local: LocalId| locals.contains(&local);
        let mut reads = Touched::default();
        reads.add_reads(function, &second.exprs, &is_derived);
        first.part.is_call && first.part.touched.conflicts(&reads, program)
            || second.part.is_call
                && !uses_any(function, second.exprs.clone(), &is_derived)
                && (first.part.touched.conflicts(&second.part.touched, program)
                    || first.part.operands.conflicts(&second.part.touched, program))
    }

    /// The locals that hold derived values where a part is evaluated.
    fn locals_before(&self, at: usize, derived: &Derived) -> FxHashSet<LocalId> {
        let is_before = |earlier: &usize| {
            let (from, to) = (self.parts[*earlier].block, self.parts[at].block);
            derived.parts[*earlier] && (from == to && *earlier < at || self.is_later(from, to))
        };
        let before = (0..self.parts.len()).filter(is_before);
        before.flat_map(|earlier| self.parts[earlier].part.results.iter().copied()).collect()
    }

    /// What comes after a part in every run: values that are computed from its own, and what those decide. O(parts³) in the worst case.
    fn derived(&self, start: usize) -> Derived {
        let function = self.statements.function;
        let mut found =
            Derived { parts: vec![false; self.parts.len()], decides: vec![false; function.blocks.len()] };
        found.parts[start] = true;
        loop {
            let mut is_changed = false;
            for block in self.later.keys().copied().filter(|block| !found.decides[*block]).collect::<Vec<_>>()
            {
                let is_decided = self.deciding[block].iter().any(|branch| {
                    let is_after = found.decides[*branch] || self.branches_on(*branch, &found);
                    is_after && self.is_later(*branch, block)
                });
                found.decides[block] = is_decided;
                is_changed |= is_decided;
            }
            for at in (0..self.parts.len()).filter(|at| !found.parts[*at]).collect::<Vec<_>>() {
                let locals = self.locals_before(at, &found);
                let placed = &self.parts[at];
                let uses = || uses_any(function, placed.exprs.clone(), &|local| locals.contains(&local));
                found.parts[at] = found.decides[placed.block] || uses();
                is_changed |= found.parts[at];
            }
            if !is_changed {
                return found;
            }
        }
    }

    /// Whether the branch at the end of a block is a derived part.
    fn branches_on(&self, block: usize, derived: &Derived) -> bool {
        let mut parts = self.parts.iter().zip(&derived.parts);
        parts.any(|(placed, is_derived)| *is_derived && placed.is_branch && placed.block == block)
    }
}

/// What comes after a part.
struct Derived {
    /// Parts that use its value, or a value that was computed from it; itself among them.
    parts: Vec<bool>,
    /// Blocks that are executed only if its value says so.
    decides: Vec<bool>,
}
