//! Statements that are not modelled: a run that reaches one ends there, and other runs continue.
//!
//! What was built for such a statement is cut off: no edge leads to it, and its decisions are not goals. Nothing is known about a run from there on,
//! so no claim depends on what the statement does. Other functions must assume that it writes, and passes on, whatever it names.

use super::{Fault, Lower, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// The state of lowering at the start of a statement.
pub(super) struct StatementStart {
    block: BlockId,
    n_instrs: usize,
    statement: StatementId,
    n_blocks: usize,
    n_loops: usize,
    n_gotos: usize,
    n_statements: usize,
    n_decisions: usize,
    n_allocations: usize,
    n_labels: usize,
    n_cases: usize,
}

impl Lower<'_> {
    /// Records where a statement starts, after its labels.
    pub(super) fn statement_start(&self) -> StatementStart {
        let (fun, program) = (&self.fun, &self.shared.program);
        StatementStart {
            block: fun.current,
            n_instrs: fun.blocks[fun.current.index()].instrs.len(),
            statement: fun.statement,
            n_blocks: fun.blocks.len(),
            n_loops: fun.loops.len(),
            n_gotos: fun.gotos.len(),
            n_statements: program.statements.len(),
            n_decisions: program.decisions.len(),
            n_allocations: program.allocations.len(),
            n_labels: self.defined_labels(),
            n_cases: self.open_cases(),
        }
    }

    fn defined_labels(&self) -> usize {
        self.fun.labels.values().filter(|label| label.is_defined).count()
    }

    fn open_cases(&self) -> usize {
        self.fun.switches.iter().map(|open| open.cases.len() + usize::from(open.default.is_some())).sum()
    }

    /// Replaces the statement by a cut, if it is valid C that is not modelled. A statement that is jumped into cannot be replaced.
    pub(super) fn cut(&mut self, start: &StatementStart, refusal: &Refusal, span: Span) -> bool {
        let has_labels = self.defined_labels() != start.n_labels || self.open_cases() != start.n_cases;
        if refusal.1 != Fault::Model || has_labels {
            return false;
        }
        let fun = &mut self.fun;
        fun.loops.truncate(start.n_loops);
        fun.gotos.truncate(start.n_gotos);
        // Labels that are jumped to have their blocks already, and get their content later.
        for block in &mut fun.blocks[start.n_blocks..] {
            (block.instrs, block.terminator) = (Vec::new(), None);
        }
        fun.blocks[start.block.index()].instrs.truncate(start.n_instrs);
        fun.blocks[start.block.index()].terminator = None;
        fun.current = start.block;
        fun.statement = start.statement;
        let program = &mut self.shared.program;
        program.statements.truncate(start.n_statements);
        program.decisions.truncate(start.n_decisions);
        program.allocations.truncate(start.n_allocations);
        let reason = refusal.0.as_deref().cloned();
        let reason = reason.unwrap_or_else(|| Diagnostic::error(span, "this statement is not supported"));
        self.fun.cuts.push(reason);
        self.begin_statement(StatementKind::Expression, span);
        self.end_block(TerminatorKind::Cut, span);
        self.switch_to_unreachable();
        self.expose_named(span);
        true
    }

    /// Assembly without instructions and without outputs: `asm volatile("" ::: "memory")` only keeps the compiler from moving accesses.
    pub(super) fn is_barrier(&self, asm: Span) -> bool {
        let text = self.source_text(asm);
        let mut parts = text.split('"');
        let head = parts.next().unwrap_or_default();
        let (template, after) = (parts.next().unwrap_or("?"), parts.next().unwrap_or_default());
        let is_empty = template.trim().is_empty() && !after.trim().is_empty();
        is_empty && !head.contains("goto") && !text.contains("\"=")
    }

    /// Assumes that whatever the text names may be changed or pointed to when other functions run. Assembly has no tree, so the words of the text are
    /// used.
    fn expose_named(&mut self, span: Span) {
        let text = self.source_text(span);
        let words: FxHashSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for global in &mut self.shared.program.globals {
            global.address_taken |= words.contains(global.name.as_str());
        }
    }
}
