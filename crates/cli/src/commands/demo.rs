//! `nub demo`: the whole pipeline on a bug that is built in, with nothing installed.
//!
//! A script of about 200 KB is made from a seed ([`generate`]) and given to a "solver" that is nub itself in a child
//! process ([`solver`]): it dies with SIGABRT on a planted condition. The rest is `nub reduce` as everybody runs it.

mod generate;
pub mod solver;

use super::reduce::{self, args};
use crate::exit::{Exit, Failure};
use clap::Args;
use nub_store::{RealFs, commit, create_folder};
use std::io::Write;
use std::path::PathBuf;

const SEED: u64 = 2026;
const TARGET_BYTES: usize = 200_000;

/// Options of `nub demo`.
#[derive(Args, Clone, Debug)]
pub struct DemoArgs {
    /// Folder for the files of the demonstration
    #[arg(default_value = "nub-demo", value_name = "DIR")]
    pub folder: PathBuf,
    /// Another input
    #[arg(long, default_value_t = SEED, value_name = "N")]
    pub seed: u64,
}

/// Runs the command.
pub fn run(demo: &DemoArgs) -> Result<Exit, Failure> {
    let script = generate::script(demo.seed, TARGET_BYTES);
    create_folder(&RealFs, &demo.folder)?;
    let input = demo.folder.join("bug.smt2");
    let out = demo.folder.join("bug.reduced.smt2");
    commit(&RealFs, &input, &script)?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot find myself: {error}")))?;
    say(&format!(
        "{} has {} bytes and {} lines. On it, this solver dies of a failed assertion:\n\n  {} demo-solver {}\n\n\
         Which part of the file does it? nub reduce asks the solver about smaller and smaller files.\n\n",
        input.display(),
        script.len(),
        script.iter().filter(|&&byte| byte == b'\n').count(),
        program.display(),
        input.display(),
    ));
    let reduce = args::ReduceArgs {
        input,
        command: vec![program.into_os_string(), "demo-solver".into()],
        oracle: args::OracleArgs::default(),
        search: args::SearchArgs::default(),
        output: args::OutputArgs { out: Some(out.clone()), ..args::OutputArgs::default() },
    };
    let exit = reduce::run(&reduce);
    if exit == Exit::Done {
        let text = std::fs::read(&out).map_err(|error| {
            Failure::new(Exit::Environment, format!("cannot read {}: {error}", out.display()))
        })?;
        say(&format!("\n{} is now:\n\n", out.display()));
        // A broken pipe ends quietly.
        let _ = std::io::stdout().lock().write_all(&text);
    }
    Ok(exit)
}

fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
