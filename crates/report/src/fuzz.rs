//! What `nub fuzz` reports: events of a running campaign, and its state.

use crate::counted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A group of findings: one bug, as far as nub can tell.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct GroupReport {
    /// Eight hexadecimal digits.
    pub id: String,
    /// The name of its folder below `groups`.
    pub name: String,
    /// One line that describes it.
    pub title: String,
    /// `wrong`, `crash`, `hang` and so on.
    pub kind: String,
    /// The faulty solver.
    pub solver: String,
    /// Severity from 0; higher is worse.
    pub severity: u32,
    /// `new`, `known` or `regression`.
    pub state: String,
    /// Number of findings.
    pub members: u64,
    /// The unit of the first one, for `nub fuzz replay`.
    pub unit: u64,
    /// Its seed.
    pub seed: u64,
    /// The command on the reduced file, or on the input if it is not reduced yet.
    pub command: String,
    /// Size of the first input.
    pub bytes_before: Option<u64>,
    /// Size of the reduced file.
    pub bytes_after: Option<u64>,
    /// Asks of the reduction.
    pub asks: Option<u64>,
    /// Why the reduction is incomplete; empty if it is complete.
    pub note: String,
    /// An older group whose reduced file has the same operators; empty if there is none.
    pub like: String,
    /// The reduced file, if it is short.
    pub text: Option<String>,
    /// The path of the reduced file, or of the input if it is not reduced yet.
    #[serde(default)]
    pub file: String,
    /// Each solver's answer to the first input.
    pub said: Vec<(String, String)>,
}

/// Counts of a solver.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SolverCounts {
    /// Its name.
    pub name: String,
    /// Inputs it was given.
    pub inputs: u64,
    /// Programs started.
    pub starts: u64,
    /// Total time of its runs in seconds.
    pub seconds: f64,
    /// Answers `sat`.
    pub sat: u64,
    /// Answers `unsat`.
    pub unsat: u64,
    /// Answers `unknown`.
    pub unknown: u64,
    /// Runs over the time limit.
    pub timeouts: u64,
    /// Runs without an answer.
    pub other: u64,
    /// By operator: the number of inputs with it, and how many of them were answered with `sat` or `unsat`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub operators: BTreeMap<String, (u64, u64)>,
}

/// The state of a campaign.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct CampaignState {
    /// Its folder.
    pub folder: String,
    /// The arguments of `nub fuzz`.
    pub arguments: Vec<String>,
    /// Finished units.
    pub units: u64,
    /// Inputs.
    pub inputs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Total time of all runs of the campaign in seconds.
    pub seconds: f64,
    /// Findings that could not be reproduced.
    pub flaky: u64,
    /// By solver.
    pub solvers: Vec<SolverCounts>,
    /// Operators that occurred.
    pub operators: u64,
    /// Total number of operators.
    pub operators_of: u64,
    /// Operators that did not occur.
    pub operators_missing: Vec<String>,
    /// Groups, worst first, without those that resemble an older one.
    pub groups: Vec<GroupReport>,
}

impl CampaignState {
    /// Inputs per second.
    pub fn rate(&self) -> f64 {
        self.inputs as f64 / self.seconds.max(1e-3)
    }

    /// The report as text: the bugs, worst first, then statistics.
    pub fn to_text(&self) -> String {
        let mut text = match self.groups.len() {
            0 => "No bugs found.\n".to_owned(),
            1 => "1 bug found:\n".to_owned(),
            n => format!("{n} distinct bugs found, worst first:\n"),
        };
        for group in &self.groups {
            let size = match (group.bytes_before, group.bytes_after) {
                (Some(before), Some(after)) => format!("reduced from {before} to {after} bytes"),
                _ => "not reduced yet".to_owned(),
            };
            let state = if group.state == "new" { String::new() } else { format!(" [{}]", group.state) };
            text.push_str(&format!(
                "{}{state}: {}\n    seen {}, first in unit {}, {size}\n",
                group.name,
                group.title,
                times(group.members),
                group.unit
            ));
        }
        text.push_str(&self.work_text());
        text
    }

    /// Inputs, time, and a line for each solver.
    fn work_text(&self) -> String {
        let mut text = format!(
            "\n{} in {:.0} s ({:.1}/s), {}; {} of {} operators used; {} that could not be reproduced\n",
            counted(self.inputs, "input"),
            self.seconds,
            self.rate(),
            counted(self.units, "unit"),
            self.operators,
            self.operators_of,
            counted(self.flaky, "finding")
        );
        text.push_str(
            "solver              inputs   starts  seconds      sat    unsat  unknown     slow    other\n",
        );
        for solver in &self.solvers {
            text.push_str(&format!(
                "{:<18} {:>7} {:>8} {:>8.1} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
                solver.name,
                solver.inputs,
                solver.starts,
                solver.seconds,
                solver.sat,
                solver.unsat,
                solver.unknown,
                solver.timeouts,
                solver.other
            ));
        }
        text
    }
}

/// How often, in words.
pub(crate) fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JobEvent;

    #[test]
    fn once_is_not_one_times() {
        assert_eq!([1, 2].map(times), ["once", "2 times"]);
    }

    fn campaign() -> CampaignState {
        let group = GroupReport {
            id: "1a2b3c4d".into(),
            name: "z3-crash-1a2b3c4d".into(),
            title: "z3: crash".into(),
            kind: "crash".into(),
            solver: "z3".into(),
            severity: 5,
            state: "new".into(),
            members: 3,
            unit: 1,
            seed: 21,
            command: "z3 reduced.smt2".into(),
            bytes_before: Some(900),
            bytes_after: Some(40),
            asks: Some(77),
            note: String::new(),
            like: String::new(),
            text: Some("(check-sat)".into()),
            file: "c/groups/z3-crash-1a2b3c4d/reduced.smt2".into(),
            said: vec![("z3".into(), "killed by SIGSEGV".into())],
        };
        let solver = SolverCounts {
            name: "z3".into(),
            inputs: 40,
            starts: 4,
            seconds: 1.5,
            sat: 20,
            unsat: 19,
            unknown: 0,
            timeouts: 0,
            other: 1,
            operators: BTreeMap::from([("bvadd".to_owned(), (40, 39))]),
        };
        CampaignState {
            folder: "c".into(),
            arguments: vec!["--solver".into(), "z3".into()],
            units: 2,
            inputs: 40,
            bytes: 9_000,
            seconds: 2.0,
            flaky: 0,
            solvers: vec![solver],
            operators: 50,
            operators_of: 60,
            operators_missing: vec!["bvsmod".into()],
            groups: vec![group],
        }
    }

    #[test]
    fn the_manual_names_every_field_and_type() {
        let manual = include_str!("../../../docs/json.md");
        for event in [JobEvent::Found(campaign().groups.remove(0)), JobEvent::Campaign(campaign())] {
            let value: serde_json::Value = serde_json::from_str(&event.to_line()).expect("our own line");
            let mut todo = vec![&value];
            while let Some(value) = todo.pop() {
                todo.extend(value.as_array().into_iter().flatten());
                for (name, inner) in value.as_object().into_iter().flatten() {
                    assert!(
                        manual.contains(&format!("`{name}`")),
                        "docs/json.md says nothing about `{name}`"
                    );
                    // The keys of the table of operators are names of operators, not fields.
                    if name != "operators" {
                        todo.push(inner);
                    }
                }
            }
            let back: JobEvent = serde_json::from_str(&event.to_line()).expect("our own line");
            assert_eq!(back, event);
        }
    }

    #[test]
    fn the_text_shows_the_group() {
        let campaign = campaign();
        assert!(
            campaign
                .to_text()
                .starts_with("1 bug found:\nz3-crash-1a2b3c4d: z3: crash\n    seen 3 times, first in unit 1, reduced from 900 to 40 bytes\n")
        );
    }
}
