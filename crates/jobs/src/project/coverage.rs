//! What the tests execute in a file: lines, and the outcomes of conditions, as observed by the interpreter or, where it cannot run a test, in the terms.

use nub_c_ir::{Decision, FileId, FunctionId, Position, Program, StatementKind, TreeNode};
use nub_cover::report::CoverReport;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The file of a unit itself; others are those that it includes.
pub const MAIN_FILE: FileId = FileId(0);

/// A line and a column of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SourcePoint {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// How often the tests of a function executed a statement, or evaluated a condition to a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// Where.
    pub place: SourcePoint,
    /// The value of a condition; none for a statement.
    pub outcome: Option<bool>,
    /// How often.
    pub times: u64,
}

/// How often a condition was true and false.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BranchCounts {
    /// True.
    pub on_true: u64,
    /// False.
    pub on_false: u64,
}

/// The statements and conditions of a file, each with how often it was executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCoverage {
    statements: BTreeMap<SourcePoint, u64>,
    conditions: BTreeMap<SourcePoint, BranchCounts>,
    /// Conditions with an odd number of `!` before them. gcov and llvm-cov take the `!` for a part of the condition, so outcomes are counted as theirs.
    negated: BTreeSet<SourcePoint>,
}

/// What the tests of reports executed. Those that cannot be written in C are not counted: measuring the compiled tests must give the same result.
pub fn executions(reports: &[CoverReport]) -> Vec<Execution> {
    let mut found: BTreeMap<(SourcePoint, Option<bool>), u64> = BTreeMap::new();
    for step in reports
        .iter()
        .flat_map(|report| &report.tests)
        .filter(|test| test.unset.is_empty())
        .flat_map(|test| &test.path)
    {
        let place = SourcePoint { line: step.line, column: step.column };
        *found.entry((place, step.outcome)).or_default() += step.times;
    }
    found.into_iter().map(|((place, outcome), times)| Execution { place, outcome, times }).collect()
}

impl FileCoverage {
    /// All statements and conditions of these functions in the main file, with count zero.
    pub fn of_functions(program: &Program, functions: &[FunctionId]) -> FileCoverage {
        let place = |position: Position| {
            let Position { line, column, .. } = position;
            (position.file == MAIN_FILE).then_some(SourcePoint { line, column })
        };
        let mut found = FileCoverage::default();
        for statement in &program.statements {
            if functions.contains(&statement.function) && statement.kind != StatementKind::Implicit {
                found.statements.extend(place(statement.position).map(|place| (place, 0)));
            }
        }
        for decision in program.decisions.iter().filter(|found| functions.contains(&found.function)) {
            let conditions = decision.conditions.iter().zip(negations(decision));
            for (condition, is_negated) in conditions.filter(|(condition, _)| condition.constant.is_none()) {
                let place = place(condition.position);
                found.conditions.extend(place.map(|place| (place, BranchCounts::default())));
                found.negated.extend(place.filter(|_| is_negated));
            }
        }
        found
    }

    /// Adds what the tests of a function executed. Code outside the file's own functions is not counted.
    pub fn add(&mut self, executions: &[Execution]) {
        for execution in executions {
            let counts = self.conditions.get_mut(&execution.place);
            let outcome = execution.outcome.map(|value| value != self.negated.contains(&execution.place));
            match (outcome, counts) {
                (Some(true), Some(counts)) => counts.on_true += execution.times,
                (Some(false), Some(counts)) => counts.on_false += execution.times,
                (Some(_), None) => {}
                (None, _) => {
                    if let Some(times) = self.statements.get_mut(&execution.place) {
                        *times += execution.times;
                    }
                }
            }
        }
    }

    /// Lines with statements, each with the count of the statement that was executed most.
    pub fn lines(&self) -> BTreeMap<u32, u64> {
        let mut lines = BTreeMap::new();
        for (place, times) in &self.statements {
            let line: &mut u64 = lines.entry(place.line).or_default();
            *line = (*line).max(*times);
        }
        lines
    }

    /// Conditions by line, from left to right.
    pub fn branches(&self) -> BTreeMap<u32, Vec<BranchCounts>> {
        let mut lines: BTreeMap<u32, Vec<BranchCounts>> = BTreeMap::new();
        for (place, counts) in &self.conditions {
            lines.entry(place.line).or_default().push(*counts);
        }
        lines
    }
}

/// For each condition, whether it has an odd number of `!` directly before it. O(nodes of the decision).
fn negations(decision: &Decision) -> Vec<bool> {
    let mut found = vec![false; decision.conditions.len()];
    // By node: the condition that it is, with or without `!`.
    let mut conditions: Vec<Option<u32>> = Vec::with_capacity(decision.tree.len());
    for node in &decision.tree {
        conditions.push(match node {
            TreeNode::Condition(number) => Some(*number),
            TreeNode::Not(operand) => conditions[*operand as usize],
            TreeNode::And(..) | TreeNode::Or(..) => None,
        });
        if let (TreeNode::Not(_), Some(Some(number))) = (node, conditions.last()) {
            found[*number as usize] = !found[*number as usize];
        }
    }
    found
}

impl BranchCounts {
    /// Outcomes that occurred.
    pub fn n_taken(self) -> usize {
        usize::from(self.on_true > 0) + usize::from(self.on_false > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As llvm-cov counts: `!a` and `!(b & 4)` are conditions, `!(c || d)` is not.
    #[test]
    fn negations_belong_to_conditions() {
        let text =
            b"int f(int a, int b, int c, int d) { return !a && (!!(b > 1) || !(b & 4) || !(c || !d)); }";
        let (unit, _) = nub_c_syntax::parse(text);
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let decision = program.decisions.iter().find(|decision| decision.conditions.len() == 5).unwrap();
        assert_eq!(negations(decision), [true, false, true, false, true]);
        let mut coverage = FileCoverage::of_functions(&program, &[program.function_by_name("f").unwrap()]);
        let place = *coverage.conditions.keys().next().unwrap();
        coverage.add(&[Execution { place, outcome: Some(false), times: 3 }]);
        assert_eq!(coverage.branches()[&1][0], BranchCounts { on_true: 3, on_false: 0 });
    }

    #[test]
    fn executions_are_added_where_something_can_be_executed() {
        let text =
            b"int f(int a) { if (a > 1 && a < 9)\n    return 1;\n  return 0; }\nint g(void) { return 2; }\n";
        let (unit, _) = nub_c_syntax::parse(text);
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let all: Vec<FunctionId> =
            ["f", "g"].iter().filter_map(|name| program.function_by_name(name)).collect();
        let mut coverage = FileCoverage::of_functions(&program, &all);
        assert_eq!(coverage.lines(), BTreeMap::from([(1, 0), (2, 0), (3, 0), (4, 0)]));
        assert_eq!(coverage.branches()[&1].len(), 2);
        let at = |line, column| SourcePoint { line, column };
        coverage.add(&[
            Execution { place: at(2, 5), outcome: None, times: 3 },
            Execution { place: at(1, 20), outcome: Some(true), times: 2 },
            Execution { place: at(9, 9), outcome: None, times: 7 },
        ]);
        assert_eq!(coverage.lines(), BTreeMap::from([(1, 0), (2, 3), (3, 0), (4, 0)]));
        assert_eq!(coverage.branches()[&1][0], BranchCounts { on_true: 2, on_false: 0 });
    }
}
