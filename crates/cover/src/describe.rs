//! Events and goals in the words of the source.

use crate::goals::{Evaluation, Event, Path, Subject, paths};
use nub_c_ir::{Decision, DecisionId, DecisionKind, FunctionId, Outcome, Program, TerminatorKind, Test};
use nub_text::Span;

/// Longer pieces of source are cut in the middle.
const MAX_TEXT: usize = 70;

/// The program and its text, to quote from.
#[derive(Clone, Copy)]
pub struct Source<'p> {
    /// The program.
    pub program: &'p Program,
    /// The preprocessed text that its spans mean.
    pub text: &'p [u8],
}

impl Source<'_> {
    /// The text at a span, in one line. A macro leaves line markers in it; the user did not write them.
    pub fn quote(&self, span: Span) -> String {
        let range = span.range();
        let bytes = self.text.get(range).unwrap_or_default();
        let words = String::from_utf8_lossy(bytes);
        let own = words.lines().filter(|line| !line.trim_start().starts_with('#'));
        own.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    fn decision(&self, id: DecisionId) -> &Decision {
        &self.program.decisions[id.index()]
    }

    /// The text of a condition.
    pub fn condition(&self, test: Test) -> String {
        self.quote(self.decision(test.decision).conditions[test.condition as usize].span)
    }

    /// The line of an event, as the user counts.
    pub fn line(&self, event: Event) -> u32 {
        match event {
            Event::Statement(statement) => self.program.statements[statement.index()].position.line,
            Event::Outcome(decision, _) | Event::Path(decision, _) => self.decision(decision).position.line,
            Event::Condition(test, _) => {
                self.decision(test.decision).conditions[test.condition as usize].position.line
            }
        }
    }

    /// What happens: `line 7: month == 3 is true`.
    pub fn event(&self, event: Event, evaluation: Evaluation) -> String {
        let line = self.line(event);
        let what = match event {
            Event::Statement(statement) => {
                format!(
                    "`{}` is executed",
                    shorten(&self.quote(self.program.statements[statement.index()].span))
                )
            }
            Event::Outcome(decision, outcome) => {
                format!(
                    "`{}` {}",
                    shorten(&self.quote(self.decision(decision).span)),
                    self.outcome(decision, outcome)
                )
            }
            Event::Condition(test, value) => format!("`{}` is {value}", self.condition(test)),
            Event::Path(decision, index) => self.path(decision, index, evaluation),
        };
        format!("line {line}: {what}")
    }

    /// `is true`, `takes case 5`.
    pub fn outcome(&self, decision: DecisionId, outcome: Outcome) -> String {
        match outcome {
            Outcome::True => "is true".to_owned(),
            Outcome::False => "is false".to_owned(),
            Outcome::Default => "takes no case".to_owned(),
            Outcome::Case(case) => format!("takes `{}`", self.case_text(decision, case)),
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

    /// A way through a decision: the conditions that are evaluated, with their values.
    fn path(&self, decision: DecisionId, index: u32, evaluation: Evaluation) -> String {
        let all = paths(self.decision(decision), evaluation).unwrap_or_default();
        let Some(Path { values, outcome }) = all.get(index as usize) else { return "no way".to_owned() };
        let part = |(condition, value): (usize, &Option<bool>)| {
            let test = Test { decision, condition: condition as u32 };
            value.map(|value| format!("{} {}", self.condition(test), if value { "T" } else { "F" }))
        };
        let parts: Vec<String> = values.iter().enumerate().filter_map(part).collect();
        format!("{} gives {outcome}", parts.join(", "))
    }

    /// What a goal asks, without its place: `month == 3 true`.
    pub fn subject(&self, subject: Subject) -> (String, String) {
        match subject {
            Subject::Event(Event::Statement(statement)) => {
                (self.quote(self.program.statements[statement.index()].span), "executed".to_owned())
            }
            Subject::Event(Event::Outcome(decision, outcome)) => {
                let word = self.outcome(decision, outcome);
                let word = word.trim_start_matches("is ").trim_start_matches("takes ").to_owned();
                (self.quote(self.decision(decision).span), word)
            }
            Subject::Event(Event::Condition(test, value)) => (self.condition(test), value.to_string()),
            Subject::Event(event @ Event::Path(..)) => {
                (self.event(event, Evaluation::ShortCircuit), String::new())
            }
            Subject::Independence(test) => (self.condition(test), "decides".to_owned()),
        }
    }

    /// `if`, `while`: what kind of decision, for people.
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

/// One line that is not too long.
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
