//! Events and goals in source terms.

use crate::goals::{Boundary, EvaluationMode, GoalSubject, Path, Route, RunEvent, Turn, paths};
use nub_c_ir::{
    ConditionTest, Decision, DecisionId, DecisionKind, DecisionOutcome, FunctionId, Program, TerminatorKind,
};
use nub_text::Span;

/// Longer pieces of source are cut in the middle.
const MAX_TEXT: usize = 70;

/// The program and its text, to quote from.
#[derive(Clone, Copy)]
pub struct SourceQuotes<'p> {
    /// The program.
    pub program: &'p Program,
    /// The preprocessed text that its spans refer to.
    pub text: &'p [u8],
}

impl SourceQuotes<'_> {
    /// The text at a span, in one line.
    pub fn quote(&self, span: Span) -> String {
        self.program.quote(self.text, span)
    }

    fn decision(&self, id: DecisionId) -> &Decision {
        &self.program.decisions[id.index()]
    }

    /// The text of a condition.
    pub fn condition(&self, test: ConditionTest) -> String {
        self.quote(self.decision(test.decision).conditions[test.condition as usize].span)
    }

    /// `is true`, `takes case 5`.
    pub fn outcome(&self, decision: DecisionId, outcome: DecisionOutcome) -> String {
        match outcome {
            DecisionOutcome::True => "is true".to_owned(),
            DecisionOutcome::False => "is false".to_owned(),
            DecisionOutcome::Default => "takes no case".to_owned(),
            DecisionOutcome::Case(case) => format!("takes `{}`", self.case_text(decision, case)),
        }
    }

    fn case_text(&self, decision: DecisionId, case: u32) -> String {
        let function = self.program.function(self.decision(decision).function);
        let labels = function.blocks.iter().find_map(|block| match &block.terminator.kind {
            TerminatorKind::Switch { cases, decision: id, .. } if *id == decision => Some(cases),
            _ => None,
        });
        let span = labels.and_then(|cases| cases.get(case as usize)).map(|case| case.span);
        span.map_or_else(|| format!("case #{}", case + 1), |span| self.quote(span))
    }

    /// `if`, `while`: the kind of a decision, for reports.
    pub fn kind(&self, decision: DecisionId) -> &'static str {
        match self.decision(decision).kind {
            DecisionKind::If => "if",
            DecisionKind::While => "while",
            DecisionKind::Do => "do",
            DecisionKind::For => "for",
            DecisionKind::Conditional => "?:",
            DecisionKind::Switch => "switch",
            DecisionKind::Value => "value",
            DecisionKind::Assertion => "assertion",
        }
    }

    /// The file and line of a function.
    pub fn function_place(&self, function: FunctionId) -> (String, u32) {
        let position = self.program.function(function).position;
        let file = self.program.files.get(position.file.index()).cloned().unwrap_or_default();
        (file, position.line)
    }
}

/// Describes events: with the source, and what the criterion adds.
#[derive(Clone, Copy)]
pub struct EventWords<'p> {
    /// The source to quote from.
    pub source: SourceQuotes<'p>,
    /// What the events of paths mean.
    pub routes: &'p [Route],
    /// How conditions are evaluated.
    pub evaluation: EvaluationMode,
}

impl EventWords<'_> {
    /// The line of an event in the user's file; for a path, where it ends.
    pub fn line(&self, event: RunEvent) -> u32 {
        match event {
            RunEvent::Statement(statement) => self.source.program.statements[statement.index()].position.line,
            RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _) => {
                self.source.decision(decision).position.line
            }
            RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) => {
                self.source.decision(test.decision).conditions[test.condition as usize].position.line
            }
            RunEvent::Route(id) => match self.routes[id.index()].turns.last() {
                Some(turn) => self.source.decision(turn.decision).position.line,
                None => 0,
            },
        }
    }

    /// What happens: `line 7: month == 3 is true`.
    pub fn event(&self, event: RunEvent) -> String {
        let line = self.line(event);
        let what = match event {
            RunEvent::Statement(statement) => {
                format!(
                    "`{}` is executed",
                    shorten(&self.source.quote(self.source.program.statements[statement.index()].span))
                )
            }
            RunEvent::Outcome(decision, outcome) => {
                format!(
                    "`{}` {}",
                    shorten(&self.source.quote(self.source.decision(decision).span)),
                    self.source.outcome(decision, outcome)
                )
            }
            RunEvent::Condition(test, value) => format!("`{}` is {value}", self.source.condition(test)),
            RunEvent::Boundary(test, Boundary::Equal) => {
                format!("both sides of `{}` are equal", self.source.condition(test))
            }
            RunEvent::Boundary(test, boundary) => {
                format!("the left side of `{}` is {boundary} the right side", self.source.condition(test))
            }
            RunEvent::Path(decision, index) => self.path(decision, index),
            RunEvent::Route(id) => return self.route(&self.routes[id.index()]),
        };
        format!("line {line}: {what}")
    }

    /// A path: the outcomes that were not forced, in the order of execution.
    fn route(&self, route: &Route) -> String {
        let turns = route.turns.iter().filter(|turn| !turn.is_forced);
        let texts: Vec<String> = turns.map(|turn| self.turn(turn)).collect();
        if texts.is_empty() { "the only path".to_owned() } else { texts.join(", ") }
    }

    /// `3: a > b is true`.
    pub fn turn(&self, turn: &Turn) -> String {
        let decision = self.source.decision(turn.decision);
        let outcome = self.source.outcome(turn.decision, turn.outcome);
        format!("line {}: `{}` {outcome}", decision.position.line, shorten(&self.source.quote(decision.span)))
    }

    /// A path through a decision: the conditions that are evaluated, with their values.
    fn path(&self, decision: DecisionId, index: u32) -> String {
        let all = paths(self.source.decision(decision), self.evaluation).unwrap_or_default();
        let Some(Path { values, outcome }) = all.get(index as usize) else { return "no path".to_owned() };
        let part = |(condition, value): (usize, &Option<bool>)| {
            let test = ConditionTest { decision, condition: condition as u32 };
            value.map(|value| format!("{} {}", self.source.condition(test), if value { "T" } else { "F" }))
        };
        let parts: Vec<String> = values.iter().enumerate().filter_map(part).collect();
        format!("{} gives {outcome}", parts.join(", "))
    }

    /// What a goal requires, without its position: `month == 3 true`.
    pub fn subject(&self, subject: GoalSubject) -> (String, String) {
        match subject {
            GoalSubject::Event(RunEvent::Statement(statement)) => (
                self.source.quote(self.source.program.statements[statement.index()].span),
                "executed".to_owned(),
            ),
            GoalSubject::Event(RunEvent::Outcome(decision, outcome)) => {
                let word = self.source.outcome(decision, outcome);
                let word = word.trim_start_matches("is ").trim_start_matches("takes ").to_owned();
                (self.source.quote(self.source.decision(decision).span), word)
            }
            GoalSubject::Event(RunEvent::Condition(test, value)) => {
                (self.source.condition(test), value.to_string())
            }
            GoalSubject::Event(RunEvent::Boundary(test, boundary)) => {
                (self.source.condition(test), boundary.to_string())
            }
            GoalSubject::Event(RunEvent::Route(id)) => {
                let route = &self.routes[id.index()];
                (self.route(route), if route.is_complete() { "taken" } else { "begun" }.to_owned())
            }
            GoalSubject::Event(event @ RunEvent::Path(..)) => (self.event(event), String::new()),
            GoalSubject::Independence(test) => (self.source.condition(test), "decides".to_owned()),
        }
    }
}

/// One line, shortened if it is too long.
pub fn shorten(line: &str) -> String {
    let n = line.chars().count();
    if n <= MAX_TEXT {
        return line.to_owned();
    }
    let half = (MAX_TEXT - 5) / 2;
    let start: String = line.chars().take(half).collect();
    let end: String = line.chars().skip(n - half).collect();
    format!("{start} ... {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_in_the_middle() {
        assert_eq!(shorten("a == 1"), "a == 1");
        let long = "x".repeat(100) + &"y".repeat(100);
        let short = shorten(&long);
        assert!(short.starts_with("xxx") && short.ends_with("yyy") && short.chars().count() <= MAX_TEXT);
    }
}
