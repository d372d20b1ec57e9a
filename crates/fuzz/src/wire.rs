//! Units and findings as messages between machines.
//!
//! A worker that examines a unit sends the result, and the campaign records it as if it had been examined here.

use crate::examine::{Examined, ReproducedFinding};
use crate::finding::Finding;
use crate::options::OptionSet;
use crate::reduction::{NotReduced, Reduced};
use crate::tally::{SolverTally, Tally};
use crate::{FuzzInput, InputOrigin, Language, PrintedAnswer};
use serde::{Deserialize, Serialize};

/// A unit that was examined, as a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SentUnit {
    n_inputs: u64,
    n_bytes: u64,
    n_flaky: u64,
    solvers: Vec<(String, Vec<u64>)>,
    points: Vec<(String, String)>,
    hash: Option<[u8; 32]>,
    found: Vec<SentFinding>,
}

/// A finding with its input, as a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SentFinding {
    finding: Finding,
    seed: u64,
    text: Vec<u8>,
    language: String,
    status: Option<PrintedAnswer>,
    is_derived: bool,
    options: Vec<Vec<String>>,
    said: Vec<(String, String)>,
}

/// The result of a reduction, as a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SentReduction {
    /// See [`Reduced`].
    Reduced {
        /// What is wrong on the reduced file.
        finding: Finding,
        /// The reduced file.
        text: Vec<u8>,
        /// The options that are needed.
        options: Vec<Vec<String>>,
        /// Asks.
        n_asks: u64,
        /// Whether the search reached its end.
        is_whole: bool,
    },
    /// See [`NotReduced::Gone`].
    Gone,
    /// See [`NotReduced::TruthUnknown`].
    TruthUnknown,
    /// See [`NotReduced::Cancelled`].
    Cancelled,
}

impl From<&Examined> for SentUnit {
    fn from(examined: &Examined) -> SentUnit {
        let tally = &examined.tally;
        let counts = |(name, counts): (&String, &SolverTally)| {
            let mut counts = *counts;
            (name.clone(), counts.fields().iter().map(|count| **count).collect())
        };
        SentUnit {
            n_inputs: tally.n_inputs,
            n_bytes: tally.n_bytes,
            n_flaky: tally.n_flaky,
            solvers: tally.solvers.iter().map(counts).collect(),
            points: tally.points.iter().cloned().collect(),
            hash: tally.hash,
            found: examined.found.iter().map(SentFinding::from).collect(),
        }
    }
}

impl SentUnit {
    /// The unit, unless the message is from another version of nub.
    #[must_use]
    pub fn receive(self) -> Option<Examined> {
        let mut tally = Tally {
            n_inputs: self.n_inputs,
            n_bytes: self.n_bytes,
            n_flaky: self.n_flaky,
            points: self.points.into_iter().collect(),
            hash: self.hash,
            ..Tally::default()
        };
        for (name, numbers) in self.solvers {
            let mut counts = SolverTally::default();
            for (place, number) in counts.fields().into_iter().zip(numbers) {
                *place = number;
            }
            tally.solvers.insert(name, counts);
        }
        let found = self.found.into_iter().map(SentFinding::receive).collect::<Option<Vec<_>>>()?;
        Some(Examined { found, tally })
    }
}

impl From<&ReproducedFinding> for SentFinding {
    fn from(found: &ReproducedFinding) -> SentFinding {
        SentFinding {
            finding: found.finding.clone(),
            seed: found.input.seed,
            text: found.input.text.clone(),
            language: found.input.language.name().to_owned(),
            status: found.input.status,
            is_derived: found.input.origin == InputOrigin::Derived,
            options: found.options.args.clone(),
            said: found.said.clone(),
        }
    }
}

impl SentFinding {
    /// The finding, unless the message is from another version of nub.
    #[must_use]
    pub fn receive(self) -> Option<ReproducedFinding> {
        let input = FuzzInput {
            seed: self.seed,
            text: self.text,
            language: Language::by_name(&self.language)?,
            status: self.status,
            origin: if self.is_derived { InputOrigin::Derived } else { InputOrigin::Generated },
        };
        Some(ReproducedFinding {
            finding: self.finding,
            input,
            options: OptionSet { args: self.options },
            said: self.said,
        })
    }
}

impl From<Result<Reduced, NotReduced>> for SentReduction {
    fn from(result: Result<Reduced, NotReduced>) -> SentReduction {
        match result {
            Ok(Reduced { finding, text, options, n_asks, is_whole }) => {
                SentReduction::Reduced { finding, text, options: options.args, n_asks, is_whole }
            }
            Err(NotReduced::Gone) => SentReduction::Gone,
            Err(NotReduced::TruthUnknown) => SentReduction::TruthUnknown,
            Err(NotReduced::Cancelled) => SentReduction::Cancelled,
        }
    }
}

impl From<SentReduction> for Result<Reduced, NotReduced> {
    fn from(sent: SentReduction) -> Result<Reduced, NotReduced> {
        match sent {
            SentReduction::Reduced { finding, text, options, n_asks, is_whole } => {
                Ok(Reduced { finding, text, options: OptionSet { args: options }, n_asks, is_whole })
            }
            SentReduction::Gone => Err(NotReduced::Gone),
            SentReduction::TruthUnknown => Err(NotReduced::TruthUnknown),
            SentReduction::Cancelled => Err(NotReduced::Cancelled),
        }
    }
}
