//! `nub generate`: well-sorted formulas from a seed, in four formats, and SMT-LIB scripts over all theories.

pub mod args;
mod solver;
mod source;
mod unsynced;

use crate::exit::{Exit, Failure};
use crate::signals::Interrupt;
use args::GenerateArgs;
use nub_generate::{Config, ConfigError, Files, Format, Mistake, Ratio, Stats, Status, bisect, from_table};
use nub_process::Cancel;
use nub_store::{commit, create_folder};
use solver::{Answer, Solver};
use source::Source;
use std::io::Write;
use std::path::Path;
use unsynced::Unsynced;

/// Files that each step of a bisection asks about. The share is then good to about six points.
const N_PROBES: u64 = 60;

/// Runs the command.
pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let cancel = Cancel::new();
    let interrupt = Interrupt::watch(vec![cancel.clone()])
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot watch for signals: {error}")))?;
    let (format, mut config) = (args.format(), args.config());
    let script = args.script_config();
    check_script_options(args)?;
    if script.is_none() {
        format.check(&config).map_err(bad_option)?;
    }
    last_seed(args)?;
    let solver = solver(args, &cancel)?;
    if let Some(wanted) = args.answer.unsat_share {
        config.clauses = ratio_for_share(args, &config, wanted, solver.as_ref())?;
    }
    let files = Source::new(script, config, format).map_err(bad_option)?;
    let mut session =
        Session { args, files, stats: Stats::default(), answers: Vec::new(), wrong: Vec::new() };
    session.write_all(solver.as_ref(), &cancel)?;
    session.show_stats();
    Ok(interrupt.signal().map_or(Exit::Done, Exit::Signal))
}

fn bad_option(error: ConfigError) -> Failure {
    Failure::usage(error.to_string()).with_hint("`nub generate --help` lists the options with their defaults")
}

/// `--theories` makes SMT-LIB, and knows nothing of graphs and clauses.
fn check_script_options(args: &GenerateArgs) -> Result<(), Failure> {
    if args.script.theories.is_none() {
        return Ok(());
    }
    if args.format() != Format::SmtLib {
        return Err(Failure::usage("--theories: only SMT-LIB has theories").with_hint("add --to smt2"));
    }
    if args.answer.unsat_share.is_some() {
        return Err(Failure::usage("--unsat-share: a script has no clauses to count")
            .with_hint("--status unsat makes scripts that are unsatisfiable by construction"));
    }
    Ok(())
}

/// Seeds are counted up and must not wrap.
fn last_seed(args: &GenerateArgs) -> Result<u64, Failure> {
    args.output.seed.checked_add(args.output.count - 1).ok_or_else(|| {
        Failure::usage(format!("--count: there are not that many seeds from {} on", args.output.seed))
    })
}

fn solver(args: &GenerateArgs, cancel: &Cancel) -> Result<Option<Solver>, Failure> {
    if args.command.is_empty() {
        return Ok(None);
    }
    if !args.output.stats && args.answer.unsat_share.is_none() {
        return Err(Failure::usage("what is the solver for?")
            .with_hint("--stats counts its answers, --unsat-share chooses --clauses with it"));
    }
    Solver::new(&args.command, args.format().name(), args.answer.timeout, cancel.clone()).map(Some)
}

/// The ratio of clauses per variable for a wanted share of unsatisfiable files.
fn ratio_for_share(
    args: &GenerateArgs,
    config: &Config,
    wanted: u32,
    solver: Option<&Solver>,
) -> Result<Ratio, Failure> {
    let Some(solver) = solver else { return ratio_from_table(args, config, wanted) };
    let mut failure = None;
    let found = bisect(wanted, |ratio| match unsat_share(args, config, ratio, solver) {
        Ok(share) => Some(share),
        Err(error) => {
            failure = Some(error);
            None
        }
    });
    match (found, failure) {
        (Some(ratio), _) => {
            say(&format!("clauses per variable: {ratio} (by bisection, {N_PROBES} files per step)\n"));
            Ok(ratio)
        }
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Failure::usage("--unsat-share: no ratio gives this share")),
    }
}

fn ratio_from_table(args: &GenerateArgs, config: &Config, wanted: u32) -> Result<Ratio, Failure> {
    let standard =
        Config { nodes: config.nodes, cnf: true, oldformat: config.oldformat, ..Config::default() };
    let is_standard = args.format() != Format::Dimacs && *config == standard;
    let found = from_table(config.nodes, wanted).filter(|_| is_standard);
    let ratio = found.ok_or_else(|| {
        Failure::usage("--unsat-share: nothing was measured for this share with these options").with_hint(
            "give a solver to find the ratio with: `nub generate --unsat-share 50 ... -- boolector`",
        )
    })?;
    say(&format!("clauses per variable: {ratio} (from a table of measurements)\n"));
    Ok(ratio)
}

/// The share of unsatisfiable files at a ratio, in percent of those that the solver answers.
fn unsat_share(args: &GenerateArgs, config: &Config, ratio: Ratio, solver: &Solver) -> Result<u32, Failure> {
    let config = Config { clauses: ratio, ..config.clone() };
    let mut files = Files::new(config, args.format()).map_err(bad_option)?;
    let (mut n_unsat, mut n_answers) = (0u32, 0u32);
    for idx in 0..N_PROBES {
        let text = file(&mut files, args.output.seed.wrapping_add(idx))?;
        match solver.ask(&text)? {
            Answer::Other => continue,
            Answer::Unsat => n_unsat += 1,
            Answer::Sat => {}
        }
        n_answers += 1;
    }
    (100 * n_unsat).checked_div(n_answers).ok_or_else(|| {
        Failure::new(Exit::Refused, format!("the solver gives no answer at {ratio} clauses per variable"))
            .with_hint("a smaller -n, or a longer --timeout; try the solver on one file first")
    })
}

fn file(files: &mut Files, seed: u64) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    files.write(seed, &mut text).map_err(mistake(seed))?;
    Ok(text)
}

fn script_or_file(source: &mut Source, seed: u64) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    source.write(seed, &mut text).map_err(mistake(seed))?;
    Ok(text)
}

fn mistake(seed: u64) -> impl FnOnce(Mistake) -> Failure {
    move |mistake| {
        Failure::new(Exit::Internal, format!("seed {seed}: what was generated is not well sorted: {mistake}"))
            .with_hint("this is a bug in nub; options and seed reproduce it")
    }
}

/// One run: the files, and what is known about them.
struct Session<'a> {
    args: &'a GenerateArgs,
    files: Source,
    stats: Stats,
    answers: Vec<Answer>,
    /// Seeds that the solver got wrong, if the answer is known.
    wrong: Vec<(u64, Answer)>,
}

impl Session<'_> {
    fn write_all(&mut self, solver: Option<&Solver>, cancel: &Cancel) -> Result<(), Failure> {
        let output = &self.args.output;
        if let Some(folder) = &output.out {
            create_folder(&Unsynced, folder)?;
        }
        for seed in output.seed..=last_seed(self.args)? {
            if cancel.is_cancelled() {
                break;
            }
            let text = script_or_file(&mut self.files, seed)?;
            // Before anything is written: a solver that cannot be run is noticed here.
            if output.stats {
                self.count(seed, &text, solver)?;
            }
            match &output.out {
                Some(folder) => self.write_file(folder, seed, &text)?,
                None if self.write_stream(seed, &text).is_err() => break,
                None => {}
            }
        }
        Ok(())
    }

    fn write_file(&self, folder: &Path, seed: u64, text: &[u8]) -> Result<(), Failure> {
        let path = folder.join(format!("{seed}.{}", self.args.format().name()));
        Ok(commit(&Unsynced, &path, text)?)
    }

    /// An error is a reader that went away; that ends the stream quietly.
    fn write_stream(&self, seed: u64, text: &[u8]) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        if self.args.format() == Format::SmtLib && seed != self.args.output.seed {
            stdout.write_all(b"(reset)\n")?;
        }
        stdout.write_all(text)?;
        stdout.flush()
    }

    fn count(&mut self, seed: u64, text: &[u8], solver: Option<&Solver>) -> Result<(), Failure> {
        if let Some(dag) = self.files.formula(seed).map_err(mistake(seed))? {
            self.stats.add(dag);
        }
        let Some(solver) = solver else { return Ok(()) };
        let answer = solver.ask(text)?;
        self.answers.push(answer);
        let expected = self.files.status().map(|status| match status {
            Status::Sat => Answer::Sat,
            Status::Unsat => Answer::Unsat,
        });
        if answer != Answer::Other && expected.is_some_and(|expected| expected != answer) {
            self.wrong.push((seed, answer));
        }
        Ok(())
    }

    /// To standard error if the files went to standard output.
    fn show_stats(&self) {
        if !self.args.output.stats {
            return;
        }
        let mut text = if self.stats.n_files > 0 { self.stats.to_string() } else { String::new() };
        if !self.answers.is_empty() {
            text.push_str("answers\n");
            for answer in [Answer::Sat, Answer::Unsat, Answer::Other] {
                let count = self.answers.iter().filter(|given| **given == answer).count();
                let percent = 100 * count / self.answers.len();
                text.push_str(&format!("  {:<13} {count} ({percent} %)\n", answer.name()));
            }
        }
        for (seed, answer) in &self.wrong {
            text.push_str(&format!("wrong answer    seed {seed}: {}\n", answer.name()));
        }
        match self.args.output.out {
            // A broken pipe ends quietly.
            Some(_) => drop(std::io::stdout().lock().write_all(text.as_bytes())),
            None => say(&text),
        }
    }
}

fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
