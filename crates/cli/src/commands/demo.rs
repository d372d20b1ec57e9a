//! `nub demo`: the whole workflow on a built-in bug, with nothing installed; then explains one C program and covers another.
//!
//! It runs an ordinary campaign of `nub fuzz`: the tested solver is `nub solve` with one deliberately wrong rewriting rule
//! (`bitvec/src/rewrite/planted.rs`), and the built-in solver without that rule finds the right answer. The output is not
//! faked.

use super::fuzz;
use super::fuzz::args::generated;
use crate::exit::Exit;
use crate::reporter::{Form, Manner, print};
use clap::Args;
use nub_jobs::{Failure, FailureKind, FuzzJob, InputOptions, SolverOptions};
use nub_report::fuzz::GroupReport;
use nub_store::{RealFs, commit, create_folder};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the solver with the defect.
const SOLVER: &str = "defective";
/// What is generated: small scripts over narrow bit-vectors, in which the rule applies often.
const SPEC: &str = "--to smt2 --theories bv -n 30 --maxwidth 4 --vars 2";
/// Maximum number of inputs; a few hundred are usually enough.
const MAX_INPUTS: u64 = 20_000;

/// Programs in C: the command, the name of the file, its text, and what is shown.
const PROGRAMS: [(&str, &str, &str, &str); 2] = [
    (
        "explain -f check",
        "parking.c",
        include_str!("../../../../examples/explain/parking.c"),
        "A car park charges less for a longer stay. Why? A failing run, and the closest passing run:",
    ),
    (
        "cover",
        "shipping.c",
        include_str!("../../../../examples/cover/shipping.c"),
        "The fewest tests that reach MC/DC of a function, and the goals that no test can reach:",
    ),
];

/// Options of `nub demo`.
#[derive(Args, Clone, Debug)]
pub struct DemoArgs {
    /// Folder for the files of the demonstration
    #[arg(default_value = "nub-demo", value_name = "DIR")]
    pub folder: PathBuf,
    /// Seed of the inputs
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

/// Runs the command.
pub fn run(demo: &DemoArgs) -> Result<Exit, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(FailureKind::Environment, format!("cannot locate the nub executable: {error}"))
    })?;
    let program = program.to_string_lossy().replace('\'', r"'\''");
    let request = campaign(demo, format!("{SOLVER}='{program}' solve --planted-defect"))?;
    say(&format!(
        "A solver with a bug: a copy of one rewriting rule, for bvurem by a power of two, keeps one bit too many. nub \
         fuzz\ngenerates formulas, compares that solver with the one without the bug, and reduces a formula on which they disagree:\n\n  nub \
         fuzz --solver \"{SOLVER}=nub solve --planted-defect\" --generate '{SPEC}' --max-groups 1 --out {}\n\n",
        demo.folder.display()
    ));
    let (exit, found) = fuzz::campaign(request, Manner::usual(Form::Text));
    if exit != Exit::DONE {
        return Ok(exit);
    }
    let Some(group) = found.as_ref().and_then(|campaign| campaign.groups.first()) else {
        return Err(Failure::new(FailureKind::Internal, "the planted defect was not found")
            .with_hint("another --seed generates other formulas"));
    };
    show(group, &demo.folder)?;
    programs(&demo.folder)
}

/// Explains one program and covers another, with the ordinary commands.
fn programs(folder: &Path) -> Result<Exit, Failure> {
    let folder = folder.join("c");
    create_folder(&RealFs, &folder)?;
    for (command, name, text, what) in PROGRAMS {
        let path = folder.join(name);
        commit(&RealFs, &path, text.as_bytes())?;
        say(&format!("\n{what}\n\n  nub {command} {}\n\n", path.display()));
        let words = ["nub"].into_iter().chain(command.split(' ')).map(OsString::from);
        let exit = crate::cli::run(words.chain([path.into_os_string()]).collect());
        if exit != Exit::DONE {
            return Ok(exit);
        }
    }
    say(&format!("\nTo look at all of this in the browser:\n\n  nub workbench {}\n\n", folder.display()));
    Ok(Exit::DONE)
}

fn campaign(demo: &DemoArgs, solver: String) -> Result<FuzzJob, Failure> {
    Ok(FuzzJob {
        solvers: SolverOptions { solvers: vec![solver], ..SolverOptions::default() },
        inputs: InputOptions {
            generate: vec![generated(SPEC.to_owned())?],
            seed: demo.seed,
            ..InputOptions::default()
        },
        max_groups: Some(1),
        max_inputs: Some(MAX_INPUTS),
        campaign: demo.folder.clone(),
        ..FuzzJob::default()
    })
}

/// Shows the reduced file.
fn show(group: &GroupReport, folder: &Path) -> Result<(), Failure> {
    let path = Path::new(&group.file);
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::environment(format!("cannot read {}: {error}", path.display())))?;
    say(&format!("\n{}:\n\n", path.display()));
    print(format!("{}\n", text.trim_end()).as_bytes())?;
    say(&format!(
        "\nTry it: nub solve {0}, and nub solve --planted-defect {0}\nTo look at: {1}\nTo see more in the browser: nub workbench {2}\n",
        path.display(),
        folder.join("index.html").display(),
        folder.display()
    ));
    Ok(())
}

fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
