//! The options of `nub generate`. Option names and defaults are those of the thesis.

use crate::values::{TalkArgs, choices, run_time};
use clap::Args;
use nub_generate::{Arithmetic, Ratio, ScriptDialect, Theories};
use nub_jobs::{FileFormat, FormulaStatus, GenerateJob, GraphOptions, ScriptOptions};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nub generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// A solver for --unsat-share and --stats, after `--`. `{}` stands for the file; without it the file is appended
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    #[command(flatten)]
    pub output: GenerateOutputArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
    #[command(flatten)]
    pub more: MoreArgs,
    #[command(flatten)]
    pub script: ScriptArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// What is written.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is written")]
pub struct GenerateOutputArgs {
    /// Seed of the first file; the next file has the next seed. Same seed, same bytes, on every machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How many files
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// Folder for the files, named after their seeds; by default they are written to standard output one after another,
    /// SMT-LIB with a `(reset)` in between
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The format to write: smt2, btor, btor2 or dimacs
    #[arg(long, default_value = "btor", value_parser = choices::<FileFormat>(), value_name = "FORMAT", hide_possible_values = true)]
    pub to: FileFormat,
    /// Print statistics of the generated files: operators, widths, depth, sharing; with CMD also its answers
    #[arg(long)]
    pub stats: bool,
}

/// Options of the graph, named as in the thesis.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The graph (Vida 2008, section 2.3)")]
pub struct GraphArgs {
    /// Start merging at this many nodes; merging adds about a quarter
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    pub nodes: u32,
    /// Or start merging at this depth
    #[arg(short = 'd', long, value_name = "N", default_value_t = 9999)]
    pub depth: u32,
    /// Variables to start with [default: 10]; with --theories the maximum of each sort [default: 4]
    #[arg(long, value_name = "N")]
    pub vars: Option<u32>,
    /// Arrays to start with
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub arrays: u32,
    /// Writes to start with
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub writes: u32,
    /// Smallest width of variables, words and array elements
    #[arg(long, value_name = "W", default_value_t = 1)]
    pub minwidth: u32,
    /// Largest width of variables, words and array elements [default: 4; with --theories 32]
    #[arg(long, value_name = "W")]
    pub maxwidth: Option<u32>,
    /// Largest width of array indices
    #[arg(long, value_name = "W", default_value_t = 4)]
    pub arrmaxwidth: u32,
    /// Sharing in percent: 0 gives a tree, in which every node has one parent; the higher, the more nodes have several parents
    #[arg(long, value_name = "PERCENT", default_value_t = 50)]
    pub dag: u32,
    /// Use every kind of node that the widths allow
    #[arg(long)]
    pub all: bool,
    /// No arrays
    #[arg(long)]
    pub noarrays: bool,
    /// Merge with a CNF of three literals per clause, not with random logic
    #[arg(long)]
    pub cnf: bool,
    /// Clauses per variable of the CNF: more clauses, more unsatisfiable files
    #[arg(long, value_name = "RATIO", default_value_t = Ratio::whole(4))]
    pub clauses: Ratio,
    /// Only --vars one-bit variables and the CNF
    #[arg(long)]
    pub cnfonly: bool,
    /// Version 2 of BTOR, with `nego` and `cond` on arrays, for old solvers
    #[arg(long, conflicts_with = "newformat")]
    pub oldformat: bool,
    /// Version 3 of BTOR, which current solvers read; the default
    #[arg(long)]
    pub newformat: bool,
}

/// The answers of solvers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Satisfiable or not")]
pub struct AnswerArgs {
    /// Generate files with a known answer: sat files have a planted model; unsat files contain f and the negation of a rewritten f
    #[arg(long, value_name = "ANSWER", value_parser = choices::<FormulaStatus>())]
    pub status: Option<FormulaStatus>,
    /// Choose --clauses so that this share of files is unsatisfiable: by bisection with CMD, or without CMD from a table of
    /// measurements for the standard options. Implies --cnf
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=99),
        conflicts_with_all = ["status", "clauses"])]
    pub unsat_share: Option<u32>,
    /// Time that CMD may take for one file
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = run_time)]
    pub timeout: Duration,
}

/// Options that the thesis does not have.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Beyond the thesis")]
pub struct MoreArgs {
    /// Operators that its table 2.1 lacks: one, ones, inc, dec, proxy, and logic on whole words
    #[arg(long)]
    pub more_ops: bool,
    /// Constants to start with, mostly zeros and ones
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub consts: u32,
    /// How often, in percent, a child is one of the first nodes of its width, so leaves are often combined
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    pub early: u32,
    /// How often, in percent, a node gets a twin with swapped operands and a common parent
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    pub twins: u32,
    /// How often, in percent, a reference to a bit-vector is negated
    #[arg(long, value_name = "PERCENT", default_value_t = 25)]
    pub negated: u32,
    /// How often, in percent, a node is constrained to its value in the planted model of --status sat, so that a solver that gets
    /// the node wrong finds no model
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    pub pins: u32,
    /// Use only these operators, by their BTOR names; the final layers use their own
    #[arg(long, value_name = "OP,OP,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// N nodes in each layer above the leaves: one number, or one per layer; the last one is repeated
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    pub per_layer: Vec<u32>,
    /// A transition system: states with initial and next values, and a property to violate
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub states: u32,
    /// Constraints of the transition system
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub constraints: u32,
    /// Literals per clause of a DIMACS file
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub k: u32,
}

/// Scripts over all theories.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "SMT-LIB scripts")]
pub struct ScriptArgs {
    /// A script over these theories, not a graph: core, bv, fp, arrays, ints, reals, uf, strings, datatypes, quantifiers, or
    /// all. -n is the number of applications. cvc5 needs --incremental --fp-exp --strings-exp --arrays-exp for some of them
    #[arg(long, value_name = "T,T,...")]
    pub theories: Option<Theories>,
    /// Assertions of a script
    #[arg(long, value_name = "N", default_value_t = 6, requires = "theories")]
    pub assertions: u32,
    /// Several check-sat, with push, pop, local declarations and assumptions in between
    #[arg(long, requires = "theories")]
    pub incremental: bool,
    /// Ask for models and values. After `unsat` solvers answer with an error
    #[arg(long, requires = "theories")]
    pub models: bool,
    /// Name all assertions and ask for a core. After `sat` solvers answer with an error
    #[arg(long, requires = "theories")]
    pub cores: bool,
    /// Which operators: those that z3 4.8.12 and cvc5 1.0.3 read (common), all of the standard (standard), or the standard's and those of one solver (z3, cvc5)
    #[arg(long, value_name = "NAME", default_value_t, requires = "theories")]
    pub dialect: ScriptDialect,
    /// Whether products of variables may occur: `linear` has none, `nonlinear` may have them
    #[arg(long, value_name = "NAME", default_value_t, requires = "theories")]
    pub arithmetic: Arithmetic,
}

impl GenerateArgs {
    /// The request.
    pub fn job(&self) -> GenerateJob {
        let args = self.clone();
        GenerateJob {
            command: args.command,
            seed: args.output.seed,
            count: args.output.count,
            out: args.output.out,
            to: args.output.to,
            stats: args.output.stats,
            graph: self.graph_options(),
            script: args.script.theories.map(|theories| ScriptOptions {
                theories: theories.to_string(),
                assertions: args.script.assertions,
                incremental: args.script.incremental,
                models: args.script.models,
                cores: args.script.cores,
                dialect: args.script.dialect.to_string(),
                arithmetic: args.script.arithmetic.to_string(),
            }),
            status: args.answer.status,
            unsat_share: args.answer.unsat_share,
            timeout: args.answer.timeout,
        }
    }

    fn graph_options(&self) -> GraphOptions {
        let (graph, more) = (&self.graph, &self.more);
        GraphOptions {
            nodes: graph.nodes,
            depth: graph.depth,
            vars: graph.vars,
            arrays: graph.arrays,
            writes: graph.writes,
            minwidth: graph.minwidth,
            maxwidth: graph.maxwidth,
            arrmaxwidth: graph.arrmaxwidth,
            dag: graph.dag,
            all: graph.all,
            noarrays: graph.noarrays,
            cnf: graph.cnf,
            clauses: graph.clauses.to_string(),
            cnfonly: graph.cnfonly,
            oldformat: graph.oldformat,
            more_ops: more.more_ops,
            consts: more.consts,
            early: more.early,
            twins: more.twins,
            negated: more.negated,
            pins: more.pins,
            only: more.only.clone(),
            per_layer: more.per_layer.clone(),
            states: more.states,
            constraints: more.constraints,
            k: more.k,
        }
    }
}
