//! Requests about formulas: solving, translating, generating them.

use crate::format::FileFormat;
use crate::plain;
use crate::vocabulary::vocabulary;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Answer sat, unsat or unknown with the built-in solver.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SolveJob {
    /// An SMT-LIB, BTOR, BTOR2 or DIMACS file; `-` is standard input.
    pub input: PathBuf,
    /// Its format; by default it is detected from the content.
    pub from: Option<FileFormat>,
    /// For a transition system: search for a bad state in steps up to this one.
    pub bound: Option<u32>,
    /// Print the model after every `sat`.
    pub model: bool,
    /// Give up after this time.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
    /// Before `unsat` is printed, prove it and check the proof.
    pub check_proof: bool,
    /// Write the checked proof of the last `unsat` here.
    pub proof: Option<PathBuf>,
    /// Which SAT solver to use: `cadical`, `own`, or a command; by default CaDiCaL.
    pub sat_solver: Option<String>,
    /// Use a rewriting rule that is wrong on purpose.
    pub planted_defect: bool,
    /// Keeps request and events.
    pub folder: Option<PathBuf>,
}

/// Translate between BTOR, BTOR2 and SMT-LIB; unroll transition systems.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConvertJob {
    /// A BTOR or BTOR2 file; `-` is standard input.
    pub input: PathBuf,
    /// The file to write; by default the result is an event.
    pub out: Option<PathBuf>,
    /// The format to write; by default it is determined by the name of `out`.
    pub to: Option<FileFormat>,
    /// The format of the input; by default it is detected from the content.
    pub from: Option<FileFormat>,
    /// Write steps up to this one of a transition system as one formula.
    pub unroll: Option<u32>,
    /// With `unroll`: a bad state is reached in the last step, not in one before.
    pub exactly: bool,
    /// Write the same format, with ids from 1 without gaps.
    pub renumber: bool,
}

vocabulary! {
    /// The answer to a formula.
    FormulaStatus {
        /// There is a model
        Sat: "sat",
        /// There is none
        Unsat: "unsat",
    }
}

/// Generate valid random formulas.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct GenerateJob {
    /// A solver that may be asked. `{}` is the file; without it the file is appended.
    #[serde(with = "plain::words")]
    pub command: Vec<OsString>,
    /// Seed of the first file; the next file has the next seed.
    pub seed: u64,
    /// How many files.
    pub count: u64,
    /// Folder for the files; by default they are events.
    pub out: Option<PathBuf>,
    /// The format.
    pub to: FileFormat,
    /// Report statistics of the generated files.
    pub stats: bool,
    /// The graph.
    pub graph: GraphOptions,
    /// A script over theories, not a graph.
    pub script: Option<ScriptOptions>,
    /// The answer is known by construction.
    pub status: Option<FormulaStatus>,
    /// Choose the clauses so that this share of files, in percent, is unsatisfiable.
    pub unsat_share: Option<u32>,
    /// Time that the solver may take for one file.
    #[serde(with = "plain::seconds")]
    pub timeout: Duration,
}

impl Default for GenerateJob {
    fn default() -> GenerateJob {
        GenerateJob {
            command: Vec::new(),
            seed: 0,
            count: 1,
            out: None,
            to: FileFormat::Btor,
            stats: false,
            graph: GraphOptions::default(),
            script: None,
            status: None,
            unsat_share: None,
            timeout: Duration::from_secs(10),
        }
    }
}

/// The graph that is generated, with the parameters of Vida 2008, section 2.3, and more.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphOptions {
    /// Start merging at this many nodes.
    pub nodes: u32,
    /// Or start merging at this depth.
    pub depth: u32,
    /// Variables to start with; for a script, the maximum of each sort.
    pub vars: Option<u32>,
    /// Arrays to start with.
    pub arrays: u32,
    /// Writes to start with.
    pub writes: u32,
    /// Smallest width of variables, words and array elements.
    pub minwidth: u32,
    /// Largest width of variables, words and array elements.
    pub maxwidth: Option<u32>,
    /// Largest width of array indices.
    pub arrmaxwidth: u32,
    /// How much is shared, in percent.
    pub dag: u32,
    /// Every kind of node that the widths allow occurs.
    pub all: bool,
    /// No arrays.
    pub noarrays: bool,
    /// Merge with a CNF of three literals per clause.
    pub cnf: bool,
    /// Clauses per variable of the CNF, such as `4.26`.
    pub clauses: String,
    /// Only one-bit variables and the CNF.
    pub cnfonly: bool,
    /// Version 2 of BTOR, for old solvers.
    pub oldformat: bool,
    /// Operators that the thesis lacks.
    pub more_ops: bool,
    /// Constants to start with.
    pub consts: u32,
    /// How often, in percent, a child is one of the first nodes of its width.
    pub early: u32,
    /// How often, in percent, a node gets a twin with its operands swapped.
    pub twins: u32,
    /// How often, in percent, a reference to a bit-vector is negated.
    pub negated: u32,
    /// How often, in percent, a node is constrained to its value in the assignment of `status`.
    pub pins: u32,
    /// Only these operators, by their names in BTOR.
    pub only: Vec<String>,
    /// Nodes in each layer above the leaves; the last number is repeated.
    pub per_layer: Vec<u32>,
    /// States of a transition system.
    pub states: u32,
    /// Constraints of the transition system.
    pub constraints: u32,
    /// Literals per clause of a DIMACS file.
    pub k: u32,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        let config = nub_generate::GenerateConfig::default();
        GraphOptions {
            nodes: config.nodes,
            depth: config.depth,
            vars: None,
            arrays: config.arrays,
            writes: config.writes,
            minwidth: config.minwidth,
            maxwidth: None,
            arrmaxwidth: config.arrmaxwidth,
            dag: config.dag,
            all: config.all,
            noarrays: config.noarrays,
            cnf: config.cnf,
            clauses: config.clauses.to_string(),
            cnfonly: config.cnfonly,
            oldformat: config.oldformat,
            more_ops: config.more_ops,
            consts: config.consts,
            early: config.early,
            twins: config.twins,
            negated: config.negated,
            pins: config.pins,
            only: Vec::new(),
            per_layer: config.per_layer,
            states: config.states,
            constraints: config.constraints,
            k: config.k,
        }
    }
}

/// A script over theories.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptOptions {
    /// The theories, with commas.
    pub theories: String,
    /// Assertions.
    pub assertions: u32,
    /// Several `check-sat`, with `push` and `pop`.
    pub incremental: bool,
    /// Ask for models and values.
    pub models: bool,
    /// Name all assertions and ask for a core.
    pub cores: bool,
    /// Which operators: `common`, `standard`, `z3`, `cvc5`.
    pub dialect: String,
    /// `linear` or `nonlinear`.
    pub arithmetic: String,
}

impl SolveJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.input);
        [&mut self.proof, &mut self.folder].into_iter().flatten().for_each(change);
    }
}

impl ConvertJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.input);
        self.out.iter_mut().for_each(change);
    }
}
