//! `nub solve`: the built-in solver on a file of any format.

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::sat_solver::SatSolverArgs;
use crate::signals::FirstSignal;
use crate::values::{TalkArgs, choices, total_time};
use clap::Args;
use nub_jobs::{FileFormat, JobRequest, SolveJob};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nub solve`.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// An SMT-LIB, BTOR, BTOR2 or DIMACS cnf file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The format of FILE: smt2, btor, btor2 or dimacs [default: by its content]
    #[arg(long, value_name = "FORMAT", value_parser = choices::<FileFormat>(), hide_possible_values = true)]
    pub from: Option<FileFormat>,
    /// For a transition system: search for a bad state in steps 0 to K
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// Print the model after every `sat`, in the syntax of the format
    #[arg(long)]
    pub model: bool,
    /// Give up after this time, and answer `unknown`
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
    /// Before `unsat` is printed, prove it and check the proof
    ///
    /// The proof is about the clauses that the file was translated to: they are solved a second time by a solver that writes
    /// down its steps, and each step is checked (DRAT). The proof does not cover the translation from the file to clauses; for DIMACS the clauses are the file. Lemmas about arrays are checked to be instances of the axioms. If the
    /// proof is rejected, the answer is `unknown` and the exit code 5. Takes about three times as long.
    #[arg(long)]
    pub check_proof: bool,
    /// Write the checked proof of the last `unsat` to PROOF in DRAT format
    ///
    /// For a DIMACS file it is a proof of that file. For other formats the clauses are written to PROOF.cnf, with comments
    /// that say which literals are the bits of which variable: `c x 3 17`. Existing files of these names are replaced, but
    /// never FILE itself. Implies --check-proof.
    #[arg(long, value_name = "PROOF")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub sat: SatSolverArgs,
    /// Keep the request and the events in this folder
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Events on standard output, one JSON object per line (docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
    /// Use a rewriting rule that is wrong on purpose, for `nub demo`
    #[arg(long, hide = true)]
    pub planted_defect: bool,
}

/// Runs the command. The last answer is the exit code.
pub fn run(args: &SolveArgs) -> Exit {
    let manner = args.talk.manner(if args.json { Form::Json } else { Form::Text });
    let args = args.clone();
    let request = JobRequest::Solve(SolveJob {
        input: args.input,
        from: args.from,
        bound: args.bound,
        model: args.model,
        max_time: args.max_time,
        check_proof: args.check_proof,
        proof: args.proof,
        sat_solver: args.sat.sat_solver,
        planted_defect: args.planted_defect,
        folder: args.folder,
    });
    let stage = CommandDisplay { first_signal: FirstSignal::Ends, ..CommandDisplay::events(manner) };
    front::run(request, stage, |result, _| Ok(Exit::Code(result.exit_code())))
}
