//! How close an explanation is to the lines known to be faulty.

use schemars::JsonSchema;
use serde::Serialize;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
pub struct FileLine {
    /// The file, named as in the report.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// The score of a report: 1 - |BFS*| / |PDG|, where BFS* is the smallest layer of a breadth-first search from the report that contains a
/// faulty line. Values near 1 are best. It is 0 if the report contains all lines, or if no faulty line is found.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Score {
    /// The search follows dependence forward, from cause to effect.
    pub forward: f64,
    /// The search follows dependence in either direction.
    pub either: f64,
    /// A faulty line is in the report.
    pub is_hit: bool,
    /// Lines of the report that are nodes.
    pub n_reported: usize,
    /// Faulty lines that are nodes.
    pub n_faulty: usize,
    /// Nodes.
    pub n_nodes: usize,
    /// Edges.
    pub n_edges: usize,
}

/// The fraction of the failing run that a reader of the report need not inspect: 1 - |BFS*| / |CE| (section 6.3). The bare
/// counterexample has score 0 if it contains a faulty line.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct AgainstRun {
    /// The search follows dependence forward.
    pub forward: f64,
    /// The search follows dependence in either direction.
    pub either: f64,
    /// Lines that the failing run executes.
    pub n_executed: usize,
}

/// The explanation compared with the lines known to be faulty.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Reference {
    /// The faulty lines.
    pub faulty: Vec<FileLine>,
    /// The lines of the slice; of all differences if there is no slice.
    pub slice: Option<Score>,
    /// The first lines of the ranking.
    pub ranking: Option<Score>,
    /// All differences, before slicing.
    pub differences: Option<Score>,
    /// The bare failing run: all lines that it executes.
    pub counterexample: Option<Score>,
    /// The slice, in lines of the failing run.
    pub slice_against_run: Option<AgainstRun>,
    /// All differences, in lines of the failing run.
    pub differences_against_run: Option<AgainstRun>,
}
