//! `nub fuzz`: campaigns that look for bugs of solvers.
//!
//! In order: find the solvers and try them out ([`solvers`]), set up the inputs ([`inputs`]), open the campaign's folder,
//! hunt ([`nub_fuzz::hunt`]), show what happens ([`audience`]) and what came of it ([`status`]).

pub mod args;
mod audience;
mod inputs;
mod replay;
mod solvers;
mod status;

use crate::exit::{Exit, Failure};
use crate::progress::Talk;
use crate::reporter::{Form, Reporter};
use crate::signals::Interrupt;
use args::{FuzzArgs, FuzzCommand, RunArgs};
use audience::Screen;
use clap::Parser;
use nub_fuzz::campaign::{Campaign, CampaignError, State, export};
use nub_fuzz::{Bench, BenchError, Conduct, Effort, Feed, HuntError, Plan, Solver, Support, Trouble, hunt};
use nub_process::{Cancel, Runner};
use nub_store::TempRoot;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(args: &FuzzArgs) -> Result<Exit, Failure> {
    match &args.command {
        None => campaign(&args.run).map(|(exit, _)| exit),
        Some(FuzzCommand::Status { campaign, json }) => status::run(campaign, *json),
        Some(FuzzCommand::Replay { campaign, unit, out }) => replay::run(campaign, *unit, out.as_deref()),
        Some(FuzzCommand::Merge { campaign, other }) => merge(campaign, other),
        Some(FuzzCommand::Export { campaign, out }) => export_to(campaign, out),
        Some(FuzzCommand::Report { campaign }) => {
            let path = status::write_page(campaign, &State::read(campaign).map_err(failed)?)?;
            println_line(&path.display().to_string());
            Ok(Exit::Done)
        }
    }
}

fn println_line(line: &str) {
    use std::io::Write;
    // A broken pipe ends quietly.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// A campaign that is set up: solvers found and tried out, inputs ready.
pub struct Setup {
    /// Who runs on what.
    pub plan: Plan,
    /// What must stay the same.
    pub identity: Vec<(String, String)>,
    /// To be told.
    pub notes: Vec<String>,
}

/// Sets a campaign up.
pub fn set_up(args: &RunArgs, runner: &Runner) -> Result<Setup, Failure> {
    let mut found = solvers::solvers(&args.solvers, runner)?;
    let inputs = inputs::inputs(&args.inputs, &found)?;
    let temp = TempRoot::open(&std::env::temp_dir())?;
    let cancel = Cancel::new();
    let bench = Bench::new(runner, temp.path(), 0, solvers::limits(&args.solvers), &cancel)?;
    let mut notes = inputs.notes;
    for &language in &inputs.languages {
        if !found.iter().any(|solver| solver.reads(language)) {
            return Err(Failure::usage(format!("no solver reads {}", language.name())));
        }
        notes.extend(solvers::try_out(&mut found, language, &bench, !args.solvers.no_options)?);
    }
    let unit_size = args.inputs.unit.map_or(20, u64::from);
    let fed = |solver: &Solver| if solver.feed == Feed::Stdin { " <" } else { "" };
    let commands = found.iter().map(|it| format!("{}={}{}", it.name, it.command.join(" "), fed(it)));
    let commands: Vec<String> = commands.collect();
    let identity = vec![
        ("set of solvers".to_owned(), commands.join("\n")),
        ("source of inputs".to_owned(), inputs.identity),
        ("--seed".to_owned(), args.inputs.seed.to_string()),
        ("--unit".to_owned(), unit_size.to_string()),
        ("version of nub".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let plan = Plan {
        solvers: found,
        source: inputs.source,
        first_seed: args.inputs.seed,
        unit_size,
        tries_options: !args.solvers.no_options,
        support: Support::default(),
    };
    Ok(Setup { plan, identity, notes })
}

fn runner() -> Result<Runner, Failure> {
    Runner::new()
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot run programs here: {error}")))
}

/// Runs a campaign to its end. The second result is how many groups it has.
pub fn campaign(args: &RunArgs) -> Result<(Exit, usize), Failure> {
    let (enough, cancel) = (Cancel::new(), Cancel::new());
    let interrupt = Interrupt::watch(vec![enough.clone(), cancel.clone()])
        .map_err(|error| Failure::new(Exit::Environment, format!("cannot watch for signals: {error}")))?;
    let form = if args.output.json { Form::Json } else { Form::Text };
    let talk = if args.output.quiet { Talk::Quiet } else { Talk::Normal };
    let reporter = Reporter::new(form, talk, args.output.color, vec![enough.clone(), cancel.clone()]);
    let runner = runner()?;
    let Setup { plan, identity, notes } = set_up(args, &runner)?;
    notes.iter().for_each(|note| reporter.note(note));
    let words = words_of(args)?;
    let mut campaign = Campaign::open(&args.output.campaign, &words, identity).map_err(failed)?;
    if !campaign.state().units.is_empty() {
        reporter.note(&format!("going on after {} inputs", campaign.state().tally.n_inputs));
    }
    let start = Instant::now();
    start_timer(args.stop.max_time, enough.clone());
    let clock = move || start.elapsed();
    let effort = Effort {
        solver_time: args.stop.reduce_time.unwrap_or(Effort::default().solver_time),
        ..Effort::default()
    };
    let conduct = Conduct {
        jobs: args.output.jobs.map_or_else(all_cores, usize::from),
        limits: solvers::limits(&args.solvers),
        effort,
        max_units: args.stop.max_inputs.map(|inputs| inputs.div_ceil(plan.unit_size)),
        max_groups: args.stop.max_groups,
        enough: &enough,
        cancel: &cancel,
        clock: &clock,
    };
    let mut screen =
        Screen::new(reporter.clone(), campaign.path().to_owned(), campaign.known().clone(), start);
    let hunted = hunt(&plan, &mut campaign, &runner, &conduct, &mut screen);
    screen.clear();
    // What was found before a trouble stays found.
    status::write_page(campaign.path(), campaign.state())?;
    if let Err(error) = hunted {
        return Err(trouble(error, &args.output.campaign));
    }
    status::finish(&reporter, campaign.path(), campaign.state())?;
    let n_groups = campaign.state().book.by_severity().len();
    Ok((interrupt.signal().map_or(Exit::Done, Exit::Signal), n_groups))
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn start_timer(limit: Option<Duration>, enough: Cancel) {
    let Some(limit) = limit else { return };
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        enough.cancel();
    });
}

/// The arguments that make the same campaign again, for `replay` and `export`.
fn words_of(args: &RunArgs) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    for text in &args.solvers.solvers {
        add("--solver", text.clone());
    }
    for text in &args.solvers.options {
        add("--options", text.clone());
    }
    for spec in &args.inputs.generate {
        add("--generate", spec.clone());
    }
    for folder in &args.inputs.mutate {
        let folder = std::path::absolute(folder)
            .map_err(|error| Failure::new(Exit::Environment, error.to_string()))?;
        add("--mutate", folder.to_string_lossy().into_owned());
    }
    add("--seed", args.inputs.seed.to_string());
    add("--unit", args.inputs.unit.map_or(20, u64::from).to_string());
    add("--timeout", args.solvers.timeout.as_secs_f64().to_string());
    add("--memory", args.solvers.memory.to_string());
    words.extend(args.solvers.stdin.then(|| "--stdin".to_owned()));
    words.extend(args.solvers.no_built_in.then(|| "--no-built-in".to_owned()));
    words.extend(args.solvers.no_options.then(|| "--no-options".to_owned()));
    Ok(words)
}

#[derive(Parser)]
#[command(no_binary_name = true)]
struct RunWords {
    #[command(flatten)]
    run: RunArgs,
}

/// The arguments of a campaign, from its folder.
pub fn args_of(state: &State) -> Result<RunArgs, Failure> {
    let parsed = RunWords::try_parse_from(&state.args);
    parsed.map(|words| words.run).map_err(|error| {
        Failure::new(Exit::Refused, format!("the campaign's arguments cannot be read: {error}"))
            .with_hint("it was begun with another version of nub")
    })
}

/// A campaign's plan, from its folder.
pub fn plan_of(state: &State, runner: &Runner) -> Result<(Plan, RunArgs), Failure> {
    let args = args_of(state)?;
    let setup = set_up(&args, runner)?;
    Ok((setup.plan, args))
}

fn merge(campaign: &Path, other: &Path) -> Result<Exit, Failure> {
    let state = State::read(campaign).map_err(failed)?;
    let mut campaign = Campaign::open(campaign, &state.args, state.identity).map_err(failed)?;
    let merged = campaign.merge(other).map_err(failed)?;
    status::write_page(campaign.path(), campaign.state())?;
    println_line(&format!(
        "{} units, {} groups and {} members of known groups were taken over",
        merged.n_units, merged.n_groups, merged.n_members
    ));
    Ok(Exit::Done)
}

fn export_to(campaign: &Path, out: &Path) -> Result<Exit, Failure> {
    let state = State::read(campaign).map_err(failed)?;
    let (plan, _) = plan_of(&state, &runner()?)?;
    let n_cases = export::export(&plan, &state, campaign, out).map_err(failed)?;
    println_line(&format!("{n_cases} cases; sh {}/run.sh runs them", out.display()));
    Ok(Exit::Done)
}

/// Why a campaign cannot be opened or written.
pub fn failed(error: CampaignError) -> Failure {
    match error {
        CampaignError::Store(error) => error.into(),
        error @ CampaignError::Differs { .. } => Failure::new(Exit::Refused, error.to_string())
            .with_hint("take another folder with --campaign, or the same options"),
        error @ CampaignError::Missing(_) => Failure::usage(error.to_string()),
        error @ CampaignError::Known(_) => Failure::usage(error.to_string())
            .with_hint("a line is `known ID`, `fixed ID`, or with /REGEX/ for an ID; # starts a comment"),
    }
}

fn trouble(error: HuntError, folder: &Path) -> Failure {
    match error {
        HuntError::Campaign(error) => failed(error),
        HuntError::Trouble(Trouble::OurFault { seed, message }) => Failure::new(
            Exit::Internal,
            format!("all solvers reject the input of seed {seed}: {message}"),
        )
        .with_hint(format!(
            "the generator is wrong, or no solver supports what it makes; `nub fuzz replay {} UNIT --out DIR` shows \
             the input",
            folder.display()
        )),
        HuntError::Trouble(Trouble::Bench(BenchError::Store(error))) => error.into(),
        HuntError::Trouble(Trouble::Bench(error)) => Failure::new(Exit::Environment, error.to_string()),
        HuntError::Trouble(Trouble::Cancelled) => Failure::new(Exit::Environment, "stopped"),
    }
}
