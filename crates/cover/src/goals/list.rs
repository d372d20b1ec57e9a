//! The goals of a criterion.

use super::boundaries::boundary_goals;
use super::{
    BoundaryGoals, Criterion, CriterionReading, GoalSubject, Path, RunEvent, SourceGoal, TooMany, pairs,
    paths,
};
use nub_c_ir::{
    Condition, ConditionTest, DecisionId, DecisionKind, DecisionOutcome, FunctionId, NumberComparison,
    Program, StatementId, StatementKind, TerminatorKind,
};

/// A decision of the function under test.
struct Place<'p> {
    program: &'p Program,
    function: FunctionId,
    id: DecisionId,
    /// From 1, in the order of the text.
    number: usize,
}

/// All goals of a function, in the order of the text. O(decisions * paths²). Those of the path criterion depend on the bound of the loops: see
/// [`route_goals`](super::route_goals).
pub fn goals(
    program: &Program,
    function: FunctionId,
    reading: CriterionReading,
) -> Result<Vec<SourceGoal>, (DecisionId, TooMany)> {
    let comparisons = match reading.boundaries {
        BoundaryGoals::Omitted => Vec::new(),
        BoundaryGoals::Added => program.number_comparisons(function),
    };
    let mut all = match reading.criterion {
        Criterion::Statement => statements(program, function),
        _ => Vec::new(),
    };
    for (index, id) in decisions(program, function).into_iter().enumerate() {
        let place = Place { program, function, id, number: index + 1 };
        place.goals(reading, &mut all).map_err(|error| (id, error))?;
        place.boundaries(&comparisons, &mut all);
    }
    Ok(all)
}

/// The decisions of a function that are counted.
pub fn decisions(program: &Program, function: FunctionId) -> Vec<DecisionId> {
    let all = program.decisions.iter().enumerate();
    let counts =
        all.filter(|(_, decision)| decision.function == function && decision.kind != DecisionKind::Assertion);
    counts.map(|(index, _)| DecisionId(index as u32)).collect()
}

fn statements(program: &Program, function: FunctionId) -> Vec<SourceGoal> {
    let name = &program.functions[function.index()].name;
    let all = program.statements.iter().enumerate();
    let own = all
        .filter(|(_, statement)| statement.function == function && statement.kind != StatementKind::Implicit);
    let goal = |(number, (index, _)): (usize, (usize, _))| {
        let event = RunEvent::Statement(StatementId(index as u32));
        single(format!("{name}/s{}", number + 1), event)
    };
    own.enumerate().map(goal).collect()
}

fn single(id: String, event: RunEvent) -> SourceGoal {
    SourceGoal { id, subject: GoalSubject::Event(event), ways: vec![vec![event]] }
}

impl Place<'_> {
    fn prefix(&self) -> String {
        format!("{}/d{}", self.program.functions[self.function.index()].name, self.number)
    }

    fn goals(&self, reading: CriterionReading, all: &mut Vec<SourceGoal>) -> Result<(), TooMany> {
        use Criterion::*;
        if matches!(reading.criterion, Decision | ConditionDecision | Mcdc) {
            self.outcomes(all);
        }
        if matches!(reading.criterion, Condition | ConditionDecision | Mcdc) {
            self.conditions(all);
        }
        if matches!(reading.criterion, Mcdc | McdcPairs) {
            self.independence(reading, all)?;
        }
        Ok(())
    }

    fn boundaries(&self, comparisons: &[NumberComparison], all: &mut Vec<SourceGoal>) {
        let mut own: Vec<&NumberComparison> =
            comparisons.iter().filter(|found| found.test.decision == self.id).collect();
        own.sort_by_key(|found| found.test.condition);
        own.into_iter().for_each(|found| all.extend(boundary_goals(&self.prefix(), found)));
    }

    /// Whether it is constant. Compilers fold such a condition and do not count it: `while (1)`, the `while (0)` of macros.
    fn is_constant(&self, condition: u32) -> bool {
        self.program.decisions[self.id.index()].conditions[condition as usize].constant.is_some()
    }

    fn outcomes(&self, all: &mut Vec<SourceGoal>) {
        let decision = &self.program.decisions[self.id.index()];
        let is_constant = |condition: &Condition| condition.constant.is_some();
        if !decision.conditions.is_empty() && decision.conditions.iter().all(is_constant) {
            return;
        }
        for outcome in outcomes(self.program, self.function, self.id) {
            let word = match outcome {
                DecisionOutcome::True => "true".to_owned(),
                DecisionOutcome::False => "false".to_owned(),
                DecisionOutcome::Case(case) => format!("case{}", case + 1),
                DecisionOutcome::Default => "default".to_owned(),
            };
            all.push(single(format!("{}/{word}", self.prefix()), RunEvent::Outcome(self.id, outcome)));
        }
    }

    fn conditions(&self, all: &mut Vec<SourceGoal>) {
        let n = self.program.decisions[self.id.index()].conditions.len() as u32;
        for condition in (0..n).filter(|condition| !self.is_constant(*condition)) {
            for value in [true, false] {
                let id = format!("{}/c{}/{value}", self.prefix(), condition + 1);
                let test = ConditionTest { decision: self.id, condition };
                all.push(single(id, RunEvent::Condition(test, value)));
            }
        }
    }

    fn independence(&self, reading: CriterionReading, all: &mut Vec<SourceGoal>) -> Result<(), TooMany> {
        let decision = &self.program.decisions[self.id.index()];
        let ways: Vec<Path> = paths(decision, reading.evaluation)?;
        let n = decision.conditions.len() as u32;
        for condition in (0..n).filter(|condition| !self.is_constant(*condition)) {
            let pairs = pairs(decision, &ways, condition, reading.mcdc);
            let event = |path: usize| RunEvent::Path(self.id, path as u32);
            let subject = GoalSubject::Independence(ConditionTest { decision: self.id, condition });
            let ways = pairs.into_iter().map(|pair| pair.map(event).to_vec()).collect();
            all.push(SourceGoal { id: format!("{}/c{}/mcdc", self.prefix(), condition + 1), subject, ways });
        }
        Ok(())
    }
}

/// All outcomes of a decision.
pub(crate) fn outcomes(program: &Program, function: FunctionId, id: DecisionId) -> Vec<DecisionOutcome> {
    if program.decisions[id.index()].kind != DecisionKind::Switch {
        return vec![DecisionOutcome::True, DecisionOutcome::False];
    }
    let mut n_cases = 0;
    for block in &program.functions[function.index()].blocks {
        match &block.terminator.kind {
            TerminatorKind::Switch { cases, decision, .. } if *decision == id => n_cases = cases.len() as u32,
            _ => {}
        }
    }
    (0..n_cases).map(DecisionOutcome::Case).chain([DecisionOutcome::Default]).collect()
}
