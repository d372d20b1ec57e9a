//! Requests about rewriting rules.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Check rewriting rules: syntax, sorts, and whether they preserve the meaning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct RulesJob {
    /// The rules; `-` is standard input.
    pub file: PathBuf,
    /// Greatest width and index that is tried.
    pub widths: u32,
    /// Which SAT solver to use: `cadical`, `own`, or a command; by default CaDiCaL.
    pub sat_solver: Option<String>,
}

impl Default for RulesJob {
    fn default() -> RulesJob {
        RulesJob { file: PathBuf::new(), widths: crate::rules::MAX_WIDTH, sat_solver: None }
    }
}
