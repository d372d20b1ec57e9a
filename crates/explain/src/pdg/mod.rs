//! How good is a report? The score of Renieris and Reiss on the program dependence graph (section 6.3 of the paper).
//!
//! Nodes are lines with something to execute, in functions that can be reached, and lines with initial values of globals that these use. An
//! edge leads to a line from each line that it depends on:
//!
//! - *control* (`control`): from a branch to what it decides, by post-dominators; from a call to what its function always does;
//! - *data* (`data`): from a definition to each use that it reaches. Arrays and structures are one variable each. A store through a pointer
//!   may go to every variable whose address is taken, and to memory without a name (`access`);
//! - *calls* (`calls`): from a call to the uses of parameters, from `return` to the call, from a definition of a global in one function to
//!   uses in others that it may reach.
//!
//! From the lines of a report, the graph is searched breadth-first until a faulty line is reached (`score`). `faulty` finds the faulty lines: those
//! that differ from a correct version.

mod access;
mod calls;
mod control;
mod data;
mod diff;
mod faulty;
mod score;

pub use faulty::faulty_lines;
pub use score::{AgainstRun, Score, score, score_against_run};

use nub_c_ir::ProgramSource;
use nub_c_ir::{Body, FileId, FunctionId, Position, Program};
pub use nub_report::explain::FileLine;
use std::collections::{BTreeMap, BTreeSet};

/// A node: a line.
type Node = (FileId, u32);

/// A program dependence graph.
#[derive(Clone, Debug)]
pub struct Pdg {
    /// Lines in order.
    pub nodes: Vec<FileLine>,
    /// From a node to a node that depends on it; no loops at one node.
    pub edges: BTreeSet<(usize, usize)>,
}

/// The nodes and edges found so far.
#[derive(Default)]
struct Draft {
    nodes: BTreeSet<Node>,
    edges: BTreeSet<(Node, Node)>,
}

impl Draft {
    fn edge(&mut self, from: Node, to: Node) {
        if from != to {
            self.edges.insert((from, to));
        }
    }
}

impl Pdg {
    /// The graph of all functions that `root` can reach. Cost: for each function, definitions times blocks in the worst case.
    pub fn new(source: ProgramSource<'_>, root: FunctionId) -> Pdg {
        let program = source.program;
        let functions = calls::reached(program, root);
        let mut draft = Draft::default();
        let bodies = calls::bodies(program, &functions);
        for body in bodies.values() {
            draft.nodes.extend(body.accesses.iter().flatten().map(|access| access.node));
            control::edges(program, body, &mut draft);
        }
        calls::edges(program, &bodies, &mut draft);
        draft.finish(source)
    }

    /// The node of a line.
    pub fn node(&self, line: &FileLine) -> Option<usize> {
        self.nodes.binary_search(line).ok()
    }
}

impl Draft {
    /// Replaces numbers by names. Lines of library models have no name that a user knows.
    fn finish(self, source: ProgramSource<'_>) -> Pdg {
        let name = |file: FileId| {
            let name = source.program.files.get(file.index()).filter(|name| !name.is_empty());
            name.map_or(source.file, String::as_str).to_owned()
        };
        let line = |(file, line): &Node| FileLine { file: name(*file), line: *line };
        let nodes: BTreeSet<FileLine> = self.nodes.iter().map(line).collect();
        let numbers: BTreeMap<&FileLine, usize> = nodes.iter().zip(0..).collect();
        let number = |node: &Node| numbers.get(&line(node)).copied();
        let edges = self.edges.iter().filter_map(|(from, to)| Some((number(from)?, number(to)?)));
        let edges = edges.filter(|(from, to)| from != to).collect();
        Pdg { edges, nodes: nodes.into_iter().collect() }
    }
}

fn node(position: Position) -> Node {
    (position.file, position.line)
}

fn has_body(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    matches!(function.body, Body::Defined) && !function.is_model
}
