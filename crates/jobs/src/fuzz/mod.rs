//! Campaigns that look for bugs in solvers.
//!
//! In order: find and check the solvers ([`solvers`]), set up the inputs ([`inputs`]), open the campaign's folder, hunt
//! ([`nub_fuzz::hunt`]), report events ([`audience`]) and the result ([`status`]).

mod audience;
pub(crate) mod elsewhere;
mod inputs;
mod replay;
mod solvers;
mod status;

use crate::context::JobContext;
use crate::failure::{Failure, FailureKind};
use crate::folder::{Earlier, JobFolder};
use crate::handle::Job;
use crate::request::{CampaignAction, CampaignJob, FuzzJob, JobRequest};
use crate::result::{FuzzResult, JobResult};
use audience::EventAudience;
use elsewhere::RemoteHunt;
use inputs::FuzzInputs;
use nub_fleet::{REGISTERED, RemoteRun, RunNeeds};
use nub_fuzz::campaign::{Campaign, CampaignError, JournaledCampaign, export};
use nub_fuzz::{
    Bench, BenchError, Conduct, Feed, FuzzedSolver, HuntElsewhere, HuntError, ReductionEffort, Support,
    Trouble, UnitPlan, hunt,
};
use nub_process::{Cancel, Runner};
use nub_report::JobEvent;
use nub_store::TempRoot;
use solvers::TriedOptions;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A campaign that is set up: solvers found and checked, inputs ready.
pub(crate) struct CampaignSetup {
    /// Which solvers run on which inputs.
    pub plan: UnitPlan,
    /// What must stay the same.
    pub identity: Vec<(String, String)>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl CampaignSetup {
    /// A campaign with `solvers`, which `named` identifies, on `inputs`.
    fn new(
        request: &FuzzJob,
        named: String,
        solvers: Vec<FuzzedSolver>,
        inputs: FuzzInputs,
    ) -> CampaignSetup {
        let unit_size = request.inputs.unit.max(1);
        let identity = vec![
            ("set of solvers".to_owned(), named),
            ("source of inputs".to_owned(), inputs.identity),
            ("--seed".to_owned(), request.inputs.seed.to_string()),
            ("--unit".to_owned(), unit_size.to_string()),
            ("version of nub".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let plan = UnitPlan {
            solvers,
            source: inputs.source,
            first_seed: request.inputs.seed,
            unit_size,
            tries_options: !request.solvers.no_options,
            support: Support::default(),
        };
        CampaignSetup { plan, identity, notes: inputs.notes }
    }
}

/// Sets a campaign up.
pub(crate) fn set_up(
    request: &FuzzJob,
    context: &JobContext,
    runner: &Runner,
) -> Result<CampaignSetup, Failure> {
    let mut found = solvers::solvers(&request.solvers, context, runner)?;
    let inputs = inputs::inputs(&request.inputs, &found)?;
    let temp = TempRoot::open(&context.temp)?;
    let cancel = Cancel::new();
    let bench = Bench::new(runner, temp.path(), 0, solvers::limits(&request.solvers), &cancel)?;
    let mut notes = inputs.notes;
    let tried = if request.solvers.no_options { TriedOptions::None } else { TriedOptions::Accepted };
    for &language in &inputs.languages {
        if !found.iter().any(|solver| solver.reads(language)) {
            return Err(Failure::usage(format!("no solver reads {}", language.name())));
        }
        notes.extend(solvers::try_out(&mut found, language, &bench, tried, &context.folder)?);
    }
    let fed = |solver: &FuzzedSolver| if solver.feed == Feed::Stdin { " <" } else { "" };
    let commands = found.iter().map(|it| format!("{}={}{}", it.name, it.command.join(" "), fed(it)));
    let commands: Vec<String> = commands.collect();
    Ok(CampaignSetup::new(request, commands.join("\n"), found, FuzzInputs { notes, ..inputs }))
}

/// Runs a campaign to its end.
pub(crate) fn fuzz(job: &Job, request: &FuzzJob) -> Result<JobResult, Failure> {
    let runner = job.context.runner()?;
    let request = &absolute(request)?;
    let remote = open_fleet(job, request)?;
    let CampaignSetup { plan, identity, notes } = match &remote {
        Some(run) => set_up_elsewhere(request, &job.context, run)?,
        None => set_up(request, &job.context, &runner)?,
    };
    notes.into_iter().for_each(|note| job.events.note(note));
    let mut campaign = Campaign::open(&request.campaign, &words_of(request), identity).map_err(failed)?;
    job.record_in(campaign.path(), JobRequest::Fuzz(Box::new(request.clone())), Earlier::Kept);
    if !campaign.state().units.is_empty() {
        job.events.note(format!("continuing after {} inputs", campaign.state().tally.n_inputs));
    }
    let timer = crate::timer::Timer::within(request.max_time, job.control.search());
    let (start, cancel) = (Instant::now(), job.control.child());
    let clock = move || start.elapsed();
    let effort = ReductionEffort {
        solver_time: request.reduce_time.unwrap_or(ReductionEffort::default().solver_time),
        ..ReductionEffort::default()
    };
    let elsewhere = remote.clone().map(|run| RemoteHunt::new(run, request));
    let conduct = Conduct {
        jobs: request
            .jobs
            .unwrap_or_else(|| remote.as_ref().map_or_else(crate::all_cores, |run| run.n_slots())),
        limits: solvers::limits(&request.solvers),
        effort,
        max_units: request.max_inputs.map(|inputs| inputs.div_ceil(plan.unit_size)),
        max_groups: request.max_groups,
        enough: job.control.search(),
        cancel: &cancel,
        clock: &clock,
        elsewhere: elsewhere.as_ref().map(|hunt| hunt as &dyn HuntElsewhere),
    };
    let mut audience =
        EventAudience::new(job.events.clone(), campaign.path().to_owned(), campaign.known().clone());
    let hunted = hunt(&plan, &mut campaign, runner.as_ref(), &conduct, &mut audience);
    drop(timer);
    // Findings from before an error are kept.
    let page = status::write_page(campaign.path(), campaign.state(), request, job)?;
    if let Err(error) = hunted {
        return Err(trouble(error, &request.campaign));
    }
    let report = status::report(campaign.path(), campaign.state(), request)?;
    job.events.send(JobEvent::Campaign(report.clone()));
    let n_groups = campaign.state().book.by_severity().len();
    Ok(JobResult::Fuzz(Box::new(FuzzResult { campaign: report, page, n_groups })))
}

/// The workers that have all solvers of the campaign, if it is one for other machines.
fn open_fleet(job: &Job, request: &FuzzJob) -> Result<Option<Arc<RemoteRun>>, Failure> {
    if request.fleet.on.is_none() {
        return Ok(None);
    }
    elsewhere::check_task(&request.solvers, &request.inputs)?;
    let names = request.solvers.solvers.iter().map(|text| text.trim_start_matches(REGISTERED).to_owned());
    let needs = RunNeeds {
        programs: names.chain([elsewhere::OWN.to_owned()]).collect(),
        tasks: vec![elsewhere::TASK.to_owned()],
        ..RunNeeds::default()
    };
    let about = format!("fuzz {}", request.campaign.display());
    crate::fleet::open_run(job, &request.fleet, needs, &about)
}

/// Sets up a campaign whose solvers are on other machines, which check them.
fn set_up_elsewhere(
    request: &FuzzJob,
    context: &JobContext,
    run: &RemoteRun,
) -> Result<CampaignSetup, Failure> {
    let found = solvers::elsewhere(&request.solvers, context, run.builds())?;
    let inputs = inputs::inputs(&request.inputs, &found)?;
    let builds = run.builds().values().map(|build| format!("{}={}", build.name, build.id.0));
    let builds: Vec<String> = builds.collect();
    Ok(CampaignSetup::new(request, builds.join("\n"), found, inputs))
}

/// Makes paths absolute, so that a campaign can be continued from any folder.
fn absolute(request: &FuzzJob) -> Result<FuzzJob, Failure> {
    let mut request = request.clone();
    for folder in &mut request.inputs.mutate {
        *folder = std::path::absolute(&*folder).map_err(|error| Failure::environment(error.to_string()))?;
    }
    Ok(request)
}

/// Performs another action on a campaign.
pub(crate) fn campaign(job: &Job, request: &CampaignJob) -> Result<JobResult, Failure> {
    let folder = request.campaign.as_path();
    let state = JournaledCampaign::read(folder).map_err(failed)?;
    let begun = begun_with(folder)?;
    match &request.action {
        CampaignAction::Status => Ok(JobResult::Campaign(Box::new(status::report(folder, &state, &begun)?))),
        CampaignAction::Replay { unit, out } => {
            replay::run(job, &state, &begun, *unit, out.as_deref()).map(|()| JobResult::Told)
        }
        CampaignAction::Merge { other } => merge(job, &state, &begun, folder, other),
        CampaignAction::Export { out } => {
            let plan = set_up(&begun, &job.context, &*job.context.runner()?)?.plan;
            let n_cases = export::export(&plan, &state, folder, out).map_err(failed)?;
            tell(job, &format!("{n_cases} cases; sh {}/run.sh runs them", out.display()));
            Ok(JobResult::Told)
        }
        CampaignAction::Report => {
            let path = status::write_page(folder, &state, &begun, job)?;
            tell(job, &path.display().to_string());
            Ok(JobResult::Told)
        }
    }
}

/// The request that started a campaign, from its folder.
fn begun_with(folder: &Path) -> Result<FuzzJob, Failure> {
    match JobFolder::open(folder)?.request {
        JobRequest::Fuzz(request) => Ok(*request),
        other => Err(Failure::usage(format!(
            "{} is the folder of a job of kind {}",
            folder.display(),
            other.kind()
        ))),
    }
}

fn merge(
    job: &Job,
    state: &JournaledCampaign,
    begun: &FuzzJob,
    folder: &Path,
    other: &Path,
) -> Result<JobResult, Failure> {
    let mut campaign = Campaign::open(folder, &state.args, state.identity.clone()).map_err(failed)?;
    let merged = campaign.merge(other).map_err(failed)?;
    status::write_page(campaign.path(), campaign.state(), begun, job)?;
    tell(
        job,
        &format!(
            "merged {} units, {} groups and {} members of known groups",
            merged.n_units, merged.n_groups, merged.n_members
        ),
    );
    Ok(JobResult::Told)
}

fn tell(job: &Job, line: &str) {
    job.events.output(format!("{line}\n").as_bytes());
}

/// The arguments that repeat the campaign, for reports.
fn words_of(request: &FuzzJob) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    for text in &request.solvers.solvers {
        add("--solver", text.clone());
    }
    for text in &request.solvers.options {
        add("--options", text.clone());
    }
    for spec in &request.inputs.generate {
        add("--generate", spec.spec.clone());
    }
    for folder in &request.inputs.mutate {
        add("--mutate", folder.to_string_lossy().into_owned());
    }
    add("--seed", request.inputs.seed.to_string());
    add("--unit", request.inputs.unit.to_string());
    add("--timeout", request.solvers.timeout.as_secs_f64().to_string());
    add("--memory", request.solvers.memory.to_string());
    words.extend(request.solvers.stdin.then(|| "--stdin".to_owned()));
    words.extend(request.solvers.no_built_in.then(|| "--no-built-in".to_owned()));
    words.extend(request.solvers.no_options.then(|| "--no-options".to_owned()));
    words
}

/// Why a campaign cannot be opened or written.
pub(crate) fn failed(error: CampaignError) -> Failure {
    match error {
        CampaignError::Store(error) => error.into(),
        error @ CampaignError::Differs { .. } => Failure::new(FailureKind::Refused, error.to_string())
            .with_hint("choose another folder with --out, or use the same options"),
        error @ CampaignError::Missing(_) => Failure::usage(error.to_string())
            .with_hint("name the folder of a campaign, as given by --out; the default is nub-campaign"),
        error @ CampaignError::Known(_) => Failure::usage(error.to_string())
            .with_hint("a line is `known ID`, `fixed ID`, or with /REGEX/ for an ID; # starts a comment"),
    }
}

fn trouble(error: HuntError, folder: &Path) -> Failure {
    match error {
        HuntError::Campaign(error) => failed(error),
        HuntError::Trouble(Trouble::OurFault { seed, message }) => Failure::new(
            FailureKind::Internal,
            format!("all solvers reject the input of seed {seed}: {message}"),
        )
        .with_hint(format!(
            "the generator is wrong, or no solver supports what it makes; `nub fuzz replay {} UNIT --out DIR` shows \
             the input",
            folder.display()
        )),
        HuntError::Trouble(Trouble::Bench(BenchError::Store(error))) => error.into(),
        HuntError::Trouble(Trouble::Bench(error)) => Failure::new(FailureKind::Environment, error.to_string()),
        HuntError::Trouble(Trouble::Elsewhere(why)) => Failure::environment(format!("a unit could not be examined: {why}")),
        HuntError::Trouble(Trouble::Cancelled) => Failure::new(FailureKind::Environment, "stopped"),
    }
}
