//! How near an explanation is to what is known to be faulty.

use schemars::JsonSchema;
use serde::Serialize;

/// A line of a file, as places of a report name it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
pub struct FileLine {
    /// The file, as in a place of the report.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// The score of a report: 1 - |BFS*| / |PDG|, where BFS* is the smallest layer of a breadth-first search from the report that holds a faulty line.
/// Near 1 is best. It is 0 if the report has all lines, or if no faulty line is met.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Score {
    /// The search follows dependence forward, from cause to effect.
    pub forward: f64,
    /// It goes in either direction.
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

/// What a reader of the failing run alone would have read, and how much of that a report spares: 1 - |BFS*| / |CE| (section 6.3). The
/// bare counterexample has the score 0 then, if a faulty line is in it.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct AgainstRun {
    /// The search follows dependence forward.
    pub forward: f64,
    /// It goes in either direction.
    pub either: f64,
    /// Lines that the failing run executes.
    pub n_executed: usize,
}

/// The explanation against faulty lines that are known.
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
