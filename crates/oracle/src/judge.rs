//! The rule that turns finished runs into a verdict. Pure.

use nub_process::ProcessEnd;

use crate::baseline::{end_text, shorten};
use crate::golden::{Contradiction, Golden};
use crate::lab::Run;
use crate::{Convention, OracleConfig};

/// The runs on one candidate: the command, and the cross-check if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub first: Run,
    pub second: Option<Run>,
}

/// What the runs of a candidate must show.
#[derive(Clone, Debug)]
pub(crate) enum Judge {
    /// Exit status 0.
    Script,
    /// The golden outcome of each command.
    Golden { first: Box<Golden>, second: Option<Box<Golden>> },
    /// A contradiction between two solvers.
    Contradiction(Box<Contradiction>),
}

impl Judge {
    /// Makes the runs on the original the ones that candidates are compared with.
    pub fn new(config: &OracleConfig, sample: &Sample) -> Judge {
        if matches!(config.convention, Convention::Script { .. }) {
            return Judge::Script;
        }
        let first = Box::new(Golden::new(&config.expect, &sample.first.outcome, &sample.first.names));
        let (Some(check), Some(run)) = (&config.cross_check, &sample.second) else {
            return Judge::Golden { first, second: None };
        };
        let is_default = config.expect.is_default() && check.expect.is_default();
        let pair = Contradiction::find(&sample.first, run).filter(|_| is_default);
        match pair {
            Some(pair) => Judge::Contradiction(Box::new(pair)),
            None => {
                let second = Golden::new(&check.expect, &run.outcome, &run.names);
                Judge::Golden { first, second: Some(Box::new(second)) }
            }
        }
    }

    /// Whether the first run is still compatible with the failure.
    pub fn allows_first(&self, run: &Run) -> bool {
        match self {
            Judge::Script => run.outcome.end == ProcessEnd::Exit(0),
            Judge::Golden { first, .. } => first.matches(&run.outcome, &run.names),
            Judge::Contradiction(pair) => pair.allows_first(&run.outcome, &run.names),
        }
    }

    /// Whether the runs show the failure. If a second run is needed and missing, they do not.
    pub fn matches(&self, sample: &Sample) -> bool {
        if !self.allows_first(&sample.first) {
            return false;
        }
        match (self, &sample.second) {
            (Judge::Script | Judge::Golden { second: None, .. }, _) => true,
            (Judge::Golden { second: Some(golden), .. }, Some(run)) => {
                golden.matches(&run.outcome, &run.names)
            }
            (Judge::Contradiction(pair), Some(run)) => pair.matches(&sample.first, run),
            (_, None) => false,
        }
    }

    /// What a failing run of the first command shows, in a few words: how it ends, or its answers if it ends well.
    pub fn shows(&self) -> String {
        match self {
            Judge::Script => "exit 0".to_owned(),
            Judge::Golden { first, .. } => shows(first),
            Judge::Contradiction(pair) => pair.texts().0.to_owned(),
        }
    }

    /// The same for the second command; empty if there is none.
    pub fn second_shows(&self) -> String {
        match self {
            Judge::Script | Judge::Golden { second: None, .. } => String::new(),
            Judge::Golden { second: Some(second), .. } => shows(second),
            Judge::Contradiction(pair) => pair.texts().1.to_owned(),
        }
    }
}

fn shows(golden: &Golden) -> String {
    let essence = golden.essence_text();
    if golden.end() == ProcessEnd::Exit(0) && !essence.is_empty() {
        shorten(&essence)
    } else {
        end_text(golden.end())
    }
}
