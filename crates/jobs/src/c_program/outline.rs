//! The functions of a C file with their control flow, for drawing.

use super::preprocess::text_of;
use crate::context::JobContext;
use crate::failure::Failure;
use crate::request::ProgramOptions;
use nub_c_ir::{
    BasicBlock, BlockId, Body, DataModel, FileId, Function, Program, StopKind, TerminatorKind, lower,
};
use nub_c_syntax::parse;
use nub_text::{Severity, Span};
use serde::Serialize;
use std::path::Path;

/// A function with its blocks; the first is its entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FunctionOutline {
    /// Its name.
    pub name: String,
    /// The line it is declared in, from 1.
    pub line: u32,
    /// Its blocks; empty if it uses something unsupported.
    pub blocks: Vec<BlockOutline>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BlockOutline {
    /// Lines of its statements and of the condition at its end, in order.
    pub lines: Vec<u32>,
    /// The source text of the condition, statement or end.
    pub text: String,
    /// Its successors, with conditions.
    pub edges: Vec<FlowEdge>,
}

/// An edge of the control flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FlowEdge {
    /// The block.
    pub to: usize,
    /// `true`, `false`, a case, or nothing.
    pub when: String,
}

/// The functions of a file, not of its headers.
///
/// # Errors
/// If it cannot be read, or has a syntax error.
pub fn outline(
    path: &Path,
    options: &ProgramOptions,
    context: &JobContext,
) -> Result<Vec<FunctionOutline>, Failure> {
    let text = text_of(path, options, context)?.text;
    let (unit, found) = parse(&text);
    if let Some(error) = found.iter().find(|found| found.severity == Severity::Error) {
        return Err(Failure::from_diagnostic(path, &text, error));
    }
    let model = DataModel::by_name(options.model()).unwrap_or_else(DataModel::lp64);
    let (program, _) = lower(&unit, &model);
    let is_own = |function: &&Function| {
        !matches!(function.body, Body::Missing) && !function.is_model && function.position.file == FileId(0)
    };
    let functions = program.functions.iter().filter(is_own);
    Ok(functions.map(|function| Outliner { program: &program, text: &text }.function(function)).collect())
}

struct Outliner<'program> {
    program: &'program Program,
    text: &'program [u8],
}

impl Outliner<'_> {
    fn function(&self, function: &Function) -> FunctionOutline {
        let blocks = function.blocks.iter().map(|block| self.block(block)).collect();
        FunctionOutline { name: function.name.clone(), line: function.position.line, blocks }
    }

    fn block(&self, block: &BasicBlock) -> BlockOutline {
        let statements = block.instrs.iter().map(|instr| instr.origin);
        let mut lines: Vec<u32> = statements.map(|origin| origin.position.line).collect();
        if !matches!(block.terminator.kind, TerminatorKind::Goto(_)) {
            lines.push(block.terminator.origin.position.line);
        }
        lines.sort_unstable();
        lines.dedup();
        BlockOutline { lines, text: self.caption(block), edges: edges(&block.terminator.kind) }
    }

    /// The source text of the condition or of the last statement.
    fn caption(&self, block: &BasicBlock) -> String {
        let statement =
            |id: nub_c_ir::StatementId| self.program.statements.get(id.0 as usize).map(|it| it.span);
        let span = match &block.terminator.kind {
            TerminatorKind::Branch { test: Some(test), .. } => {
                let decision = self.program.decisions.get(test.decision.0 as usize);
                decision
                    .and_then(|decision| decision.conditions.get(test.condition as usize))
                    .map(|it| it.span)
            }
            TerminatorKind::Switch { decision, .. } => {
                self.program.decisions.get(decision.0 as usize).map(|decision| decision.span)
            }
            TerminatorKind::Goto(_) => {
                block.instrs.last().and_then(|instr| statement(instr.origin.statement))
            }
            TerminatorKind::Stop(StopKind::AssertFailed) => return "assertion fails".to_owned(),
            _ => statement(block.terminator.origin.statement),
        };
        span.map(|span| self.written(span)).unwrap_or_default()
    }

    fn written(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(span.slice(self.text));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn edges(kind: &TerminatorKind) -> Vec<FlowEdge> {
    let edge = |to: &BlockId, when: String| FlowEdge { to: to.0 as usize, when };
    match kind {
        TerminatorKind::Goto(to) => vec![edge(to, String::new())],
        TerminatorKind::Branch { then_block, else_block, .. } => {
            vec![edge(then_block, "true".to_owned()), edge(else_block, "false".to_owned())]
        }
        TerminatorKind::Switch { cases, default, .. } => {
            let case = |case: &nub_c_ir::SwitchCase| edge(&case.target, format!("case {}", case.low));
            cases.iter().map(case).chain([edge(default, "default".to_owned())]).collect()
        }
        TerminatorKind::Return(_)
        | TerminatorKind::Stop(_)
        | TerminatorKind::Unreachable
        | TerminatorKind::Cut => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods)] // A test prepares its own file.
    fn functions_have_blocks_with_conditions_and_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.c");
        std::fs::write(
            &path,
            "int f(int x) {\n  if (x > 0 &&\n      x < 9)\n    return 1;\n  return 0;\n}\n",
        )
        .unwrap();
        let context = JobContext::of_process().unwrap();
        let found = outline(&path, &ProgramOptions::default(), &context).unwrap();
        assert_eq!((found.len(), found[0].name.as_str(), found[0].line), (1, "f", 1));
        let by_text = |text: &str| found[0].blocks.iter().find(|block| block.text == text).unwrap();
        let first = by_text("x > 0");
        assert_eq!(first.edges.iter().map(|edge| edge.when.as_str()).collect::<Vec<_>>(), ["true", "false"]);
        assert_eq!(found[0].blocks[first.edges[0].to].text, "x < 9");
        assert_eq!(by_text("x < 9").lines, [3]);
        assert!(found[0].blocks.iter().any(|block| block.lines.contains(&4) && block.edges.is_empty()));
        std::fs::write(&path, "int f( {").unwrap();
        assert!(outline(&path, &ProgramOptions::default(), &context).is_err());
    }
}
