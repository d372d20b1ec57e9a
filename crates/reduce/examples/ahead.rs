//! Counts what workers save: `cargo run -p nub-reduce --example ahead -- FILE NEEDLE...` reduces a file that fails while it
//! contains all needles, with 1 to 64 workers on a simulated clock, and prints how many runs in sequence that takes. With
//! `--test SCRIPT` for the needles, a script judges each candidate once; its run time does not count.
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used)] // an example program

#[path = "../tests/virtual_workers/mod.rs"]
mod virtual_workers;

use nub_btor::BtorDialect;
use nub_dimacs::DimacsKind;
use nub_oracle::FnOracle;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, Runner};
use nub_reduce::strategies::auto::{ResultLayout, auto};
use nub_reduce::strategies::{auto_btor, auto_dimacs, auto_plain};
use nub_reduce::{
    AllowedCandidates, Engine, Quiet, ReduceConfig, ReductionStats, ReductionStop, SubjectFormat,
};
use nub_reduce::{btor::Btor, dimacs::Dimacs, plain::Plain, smt::SmtLib};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use virtual_workers::VirtualWorkers;

/// Whether a candidate fails.
type Predicate = dyn Fn(&[u8]) -> bool + Sync;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let needles: Vec<String> = args.collect();
    let text = std::fs::read(&path).unwrap();
    let fails: Box<Predicate> = match &needles[..] {
        [option, script] if option == "--test" => Box::new(judged_by(script.clone(), path.clone())),
        _ => Box::new(move |bytes: &[u8]| {
            let is_in =
                |needle: &String| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
            needles.iter().all(is_in)
        }),
    };
    assert!(fails(&text), "the file must fail");
    println!("{path}");
    println!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "workers", "seconds", "speed-up", "needed", "all", "bytes"
    );
    let mut first = None;
    for n_workers in [1, 2, 4, 16, 64] {
        let (seconds, bytes, stats) = match path.rsplit('.').next() {
            Some("smt2") => {
                let strategy = |engine: &mut Engine<'_, SmtLib>| auto(engine, ResultLayout::Compact);
                run(&SmtLib::new(&text, AllowedCandidates::WellFormed), &text, n_workers, &*fails, &strategy)
            }
            Some("btor") => run(
                &Btor::new(&text, BtorDialect::Btor, AllowedCandidates::WellFormed),
                &text,
                n_workers,
                &*fails,
                &auto_btor,
            ),
            Some("btor2") => run(
                &Btor::new(&text, BtorDialect::Btor2, AllowedCandidates::WellFormed),
                &text,
                n_workers,
                &*fails,
                &auto_btor,
            ),
            Some("cnf") => run(
                &Dimacs::new(&text, DimacsKind::Cnf, AllowedCandidates::WellFormed),
                &text,
                n_workers,
                &*fails,
                &auto_dimacs,
            ),
            _ => run(&Plain::new(), &text, n_workers, &*fails, &auto_plain),
        };
        let (first_seconds, first_bytes) = first.get_or_insert_with(|| (seconds, bytes.clone()));
        assert!(bytes == *first_bytes, "the same bytes with any number of workers");
        let speed_up = *first_seconds as f64 / seconds as f64;
        let all = stats.asks + stats.speculative;
        let (asks, size) = (stats.asks, bytes.len());
        println!("{n_workers:>8} {seconds:>8} {speed_up:>8.2} {asks:>8} {all:>8} {size:>8}");
    }
}

/// A script's verdicts, each asked for once.
fn judged_by(script: String, path: String) -> impl Fn(&[u8]) -> bool + Sync {
    let folder = std::env::temp_dir().join(format!("nub-ahead-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(Path::new(&path).file_name().unwrap());
    let runner = Runner::new().unwrap();
    let known: Mutex<BTreeMap<Vec<u8>, bool>> = Mutex::default();
    move |bytes: &[u8]| {
        let mut known = known.lock().unwrap();
        if let Some(fails) = known.get(bytes) {
            return *fails;
        }
        std::fs::write(&file, bytes).unwrap();
        let (args, folder) = (vec![file.clone().into_os_string()], Some(folder.clone()));
        let command = Command {
            program: script.clone().into(),
            args,
            folder,
            env: Vec::new(),
            input: ChildInput::Null,
        };
        let outcome = runner.run(&command, &ProcessLimits::default(), &Cancel::new()).unwrap();
        let fails = outcome.end == ProcessEnd::Exit(0);
        known.insert(bytes.to_vec(), fails);
        fails
    }
}

fn run<F: SubjectFormat>(
    format: &F,
    text: &[u8],
    n_workers: usize,
    fails: &Predicate,
    strategy: &impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
) -> (u64, Vec<u8>, ReductionStats) {
    let oracle = FnOracle::new(fails);
    let mut workers = VirtualWorkers::new(n_workers, &oracle);
    let config = ReduceConfig { jobs: n_workers, ..ReduceConfig::default() };
    let (cancel, text) = (Cancel::new(), text.to_vec());
    let (result, bytes, stats) =
        Engine::search_on(&mut workers, format, text, config, &cancel, &mut Quiet, strategy);
    assert_eq!(result, Ok(()));
    (workers.seconds(), bytes, stats)
}
