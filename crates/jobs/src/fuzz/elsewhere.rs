//! Campaigns on other machines: ranges of units and reductions are tasks.
//!
//! A task describes the inputs and names solvers; it never contains a command. The worker looks the names up in its own `nub.toml`,
//! checks the solvers once, and examines units as a campaign on one machine does. The built-in solver and the generator are nub
//! itself, so all workers must have the same build of nub.

use super::{CampaignSetup, set_up, solvers};
use crate::context::JobContext;
use crate::failure::Failure;
use crate::request::{FuzzJob, InputOptions, SolverOptions};
use nub_fleet::{FleetProgram, REGISTERED, RemoteRun, TaskError};
use nub_fuzz::{
    Bench, Examined, HuntElsewhere, NotReduced, Reduced, ReductionEffort, ReproducedFinding, SentFinding,
    SentReduction, SentUnit, Trouble, examine, reduce,
};
use nub_oracle::shell_word;
use nub_process::{Cancel, Runner};
use nub_reduce::Quiet;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The kind of these tasks.
pub(crate) const TASK: &str = "fuzz";
/// The name under which every worker registers nub itself.
pub(crate) const OWN: &str = "nub";
/// Target duration of a range of units.
const LEASE_TIME: Duration = Duration::from_secs(1);
/// Units in a range.
const MAX_UNITS: usize = 256;
/// For how many campaigns a worker remembers that it has checked the solvers.
const MAX_SETUPS: usize = 8;
/// Factor by which the weight of a measured time decreases with each later one.
const FADING: f64 = 0.8;

/// The settings of a campaign, without commands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct CampaignTask {
    solvers: SolverOptions,
    inputs: InputOptions,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct FuzzTask {
    campaign: CampaignTask,
    order: FuzzOrder,
}

/// The order of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum FuzzOrder {
    Examine(Vec<u64>),
    Reduce { found: Box<SentFinding>, max_asks: u64, solver_time: Duration },
}

/// The result of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum FuzzDone {
    Examined { units: Vec<(u64, Result<SentUnit, SentTrouble>)>, took: Duration },
    Reduced(SentReduction),
}

/// Why a unit could not be finished.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum SentTrouble {
    Bench(String),
    OurFault(u64, String),
    Cancelled,
}

/// A campaign whose units are examined by workers.
pub(crate) struct RemoteHunt {
    run: Arc<RemoteRun>,
    campaign: CampaignTask,
    /// Average time of a unit in seconds.
    seconds: Mutex<Option<f64>>,
}

impl RemoteHunt {
    pub(crate) fn new(run: Arc<RemoteRun>, request: &FuzzJob) -> RemoteHunt {
        let campaign = CampaignTask { solvers: request.solvers.clone(), inputs: request.inputs.clone() };
        RemoteHunt { run, campaign, seconds: Mutex::default() }
    }

    fn ask(&self, order: FuzzOrder, cancel: &Cancel) -> Result<FuzzDone, Trouble> {
        let task = FuzzTask { campaign: self.campaign.clone(), order };
        let body = serde_json::to_vec(&task).map_err(|error| Trouble::Elsewhere(error.to_string()))?;
        let answer = self.run.task(TASK, body, cancel);
        let answer = answer.map_err(|why| why.map_or(Trouble::Cancelled, Trouble::Elsewhere))?;
        serde_json::from_slice(&answer).map_err(|error| Trouble::Elsewhere(error.to_string()))
    }

    fn learn(&self, took: Duration, n_units: usize) {
        let one = took.as_secs_f64() / n_units.max(1) as f64;
        let mut seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        *seconds = Some(seconds.map_or(one, |mean| FADING * mean + (1.0 - FADING) * one));
    }
}

impl HuntElsewhere for RemoteHunt {
    fn n_units(&self) -> usize {
        match *self.seconds.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(seconds) if seconds > 0.0 => {
                ((LEASE_TIME.as_secs_f64() / seconds) as usize).clamp(1, MAX_UNITS)
            }
            _ => 1,
        }
    }

    fn examine(&self, units: &[u64], cancel: &Cancel) -> Vec<(u64, Result<Examined, Trouble>)> {
        let failed = |why: String| Err(Trouble::Elsewhere(why));
        match self.ask(FuzzOrder::Examine(units.to_vec()), cancel) {
            Ok(FuzzDone::Examined { units: done, took }) if done.iter().map(|(unit, _)| unit).eq(units) => {
                self.learn(took, units.len());
                let received = |(unit, result): (u64, Result<SentUnit, SentTrouble>)| {
                    let result = match result {
                        Ok(sent) => {
                            sent.receive().ok_or(Trouble::Elsewhere("a unit cannot be read".to_owned()))
                        }
                        Err(SentTrouble::Bench(why)) => failed(why),
                        Err(SentTrouble::OurFault(seed, message)) => Err(Trouble::OurFault { seed, message }),
                        Err(SentTrouble::Cancelled) => Err(Trouble::Cancelled),
                    };
                    (unit, result)
                };
                done.into_iter().map(received).collect()
            }
            Err(Trouble::Cancelled) => units.iter().map(|&unit| (unit, Err(Trouble::Cancelled))).collect(),
            Err(Trouble::Elsewhere(why)) => units.iter().map(|&unit| (unit, failed(why.clone()))).collect(),
            _ => {
                units.iter().map(|&unit| (unit, failed("a worker sent the wrong units".to_owned()))).collect()
            }
        }
    }

    fn reduce(
        &self,
        found: &ReproducedFinding,
        effort: ReductionEffort,
        cancel: &Cancel,
    ) -> Result<Reduced, NotReduced> {
        let order = FuzzOrder::Reduce {
            found: Box::new(found.into()),
            max_asks: effort.asks,
            solver_time: effort.solver_time,
        };
        match self.ask(order, cancel) {
            Ok(FuzzDone::Reduced(sent)) => sent.into(),
            // It is repeated when the campaign continues.
            _ => Err(NotReduced::Cancelled),
        }
    }
}

/// Examines and reduces for other machines.
pub(crate) struct FuzzTasks {
    context: JobContext,
    programs: Vec<FleetProgram>,
    runner: Arc<Runner>,
    temp: PathBuf,
    n_benches: AtomicUsize,
    setups: Mutex<Vec<(CampaignTask, Arc<CampaignSetup>)>>,
}

impl FuzzTasks {
    pub(crate) fn new(
        context: JobContext,
        programs: Vec<FleetProgram>,
        runner: Arc<Runner>,
        temp: PathBuf,
    ) -> FuzzTasks {
        FuzzTasks {
            context,
            programs,
            runner,
            temp,
            n_benches: AtomicUsize::new(0),
            setups: Mutex::default(),
        }
    }

    /// The campaign with its solvers checked; each campaign is set up once.
    fn setup(&self, campaign: &CampaignTask) -> Result<Arc<CampaignSetup>, Failure> {
        // Held while solvers are checked: the other slots would do the same.
        let mut setups = self.setups.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, setup)) = setups.iter().find(|(known, _)| known == campaign) {
            return Ok(setup.clone());
        }
        let request = self.resolve(campaign)?;
        let setup = Arc::new(set_up(&request, &self.context, &self.runner)?);
        if setups.len() == MAX_SETUPS {
            setups.remove(0);
        }
        setups.push((campaign.clone(), setup.clone()));
        Ok(setup)
    }

    /// The campaign as a request on this machine: with registered commands instead of names.
    fn resolve(&self, campaign: &CampaignTask) -> Result<FuzzJob, Failure> {
        let CampaignTask { mut solvers, inputs } = campaign.clone();
        check_task(&solvers, &inputs)?;
        for text in &mut solvers.solvers {
            let name = text.strip_prefix(REGISTERED).unwrap_or_default();
            let program = self.programs.iter().find(|program| program.name == name);
            let program =
                program.ok_or_else(|| Failure::usage(format!("`{text}` is not registered here")))?;
            let words: Vec<String> =
                program.words.iter().map(|word| shell_word(word).to_string_lossy().into_owned()).collect();
            *text = format!("{name}={}", words.join(" "));
        }
        Ok(FuzzJob { solvers, inputs, ..FuzzJob::default() })
    }

    fn examine(&self, task: &FuzzTask, units: &[u64], cancel: &Cancel) -> Result<FuzzDone, Failure> {
        let began = Instant::now();
        let setup = self.setup(&task.campaign)?;
        let bench = self.bench(&task.campaign, cancel)?;
        let mut source = setup.plan.source.clone();
        let mut examined = Vec::with_capacity(units.len());
        for &unit in units {
            let result = examine(&setup.plan, &mut source, &bench, unit);
            examined.push((unit, result.map(|examined| SentUnit::from(&examined)).map_err(sent_trouble)));
        }
        Ok(FuzzDone::Examined { units: examined, took: began.elapsed() })
    }

    fn bench<'a>(&'a self, campaign: &CampaignTask, cancel: &'a Cancel) -> Result<Bench<'a>, Failure> {
        let number = self.n_benches.fetch_add(1, Ordering::Relaxed);
        let limits = solvers::limits(&campaign.solvers);
        Ok(Bench::new(self.runner.as_ref(), &self.temp, number, limits, cancel)?)
    }

    /// Does a task and returns its result.
    pub(crate) fn run(&self, body: &[u8], cancel: &Cancel) -> Result<Vec<u8>, TaskError> {
        let done = self.do_task(body, cancel).map_err(|failure| TaskError::Failed(failure.message))?;
        serde_json::to_vec(&done).map_err(|error| TaskError::Failed(error.to_string()))
    }

    fn do_task(&self, body: &[u8], cancel: &Cancel) -> Result<FuzzDone, Failure> {
        let task: FuzzTask = serde_json::from_slice(body)
            .map_err(|error| Failure::usage(format!("the task cannot be read: {error}")))?;
        match &task.order {
            FuzzOrder::Examine(units) => self.examine(&task, units, cancel),
            FuzzOrder::Reduce { found, max_asks, solver_time } => {
                let setup = self.setup(&task.campaign)?;
                let found = (**found)
                    .clone()
                    .receive()
                    .ok_or_else(|| Failure::usage("the finding cannot be read"))?;
                let effort = ReductionEffort { asks: *max_asks, solver_time: *solver_time };
                let bench = self.bench(&task.campaign, cancel)?;
                let result = reduce(&setup.plan, bench, &found, effort, cancel, &mut Quiet);
                Ok(FuzzDone::Reduced(result.into()))
            }
        }
    }
}

fn sent_trouble(trouble: Trouble) -> SentTrouble {
    match trouble {
        Trouble::Bench(error) => SentTrouble::Bench(error.to_string()),
        Trouble::Elsewhere(why) => SentTrouble::Bench(why),
        Trouble::OurFault { seed, message } => SentTrouble::OurFault(seed, message),
        Trouble::Cancelled => SentTrouble::Cancelled,
    }
}

/// Checks that a campaign can run on other machines: every solver is a name, and no other option refers to programs or
/// files.
pub(crate) fn check_task(solvers: &SolverOptions, inputs: &InputOptions) -> Result<(), Failure> {
    let refuse = |what: &str| Err(Failure::usage(format!("{what} cannot be used on other machines")));
    if let Some(text) = solvers.solvers.iter().find(|text| !text.starts_with(REGISTERED)) {
        return Err(Failure::usage(format!(
            "`{text}` is not the name of a program that is registered on the workers"
        ))
        .with_hint("with --on, give `-s @NAME`; [programs] in the nub.toml of a worker registers NAME"));
    }
    if !solvers.options.is_empty() {
        return refuse("--options");
    }
    if solvers.sat_solver.as_deref().is_some_and(|choice| !matches!(choice, "cadical" | "own")) {
        return refuse("--sat-solver with a command");
    }
    if !inputs.mutate.is_empty() {
        return refuse("--mutate");
    }
    let has_command = |options: &crate::request::GenerateJob| !options.command.is_empty();
    if inputs.generate.iter().any(|spec| spec.options.as_deref().is_some_and(has_command)) {
        refuse("--generate with a command")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{GenerateJob, GeneratedInputs};

    #[test]
    fn a_task_with_a_command_in_it_is_refused() {
        let solvers =
            |solver: &str| SolverOptions { solvers: vec![solver.to_owned()], ..SolverOptions::default() };
        let none = InputOptions::default();
        assert!(check_task(&solvers("@z3"), &none).is_ok());
        for solver in ["z3", "new=./z3", "sh -c 'rm -r ~'", "x=@z3"] {
            assert!(check_task(&solvers(solver), &none).is_err(), "{solver}");
        }
        let sat = SolverOptions { sat_solver: Some("sh -c x".to_owned()), ..solvers("@z3") };
        assert!(check_task(&sat, &none).is_err());
        let options = SolverOptions { options: vec!["z3=/etc/passwd".to_owned()], ..solvers("@z3") };
        assert!(check_task(&options, &none).is_err());
        let mutate = InputOptions { mutate: vec!["/etc".into()], ..InputOptions::default() };
        assert!(check_task(&solvers("@z3"), &mutate).is_err());
        let command = GenerateJob { command: vec!["sh".into()], ..GenerateJob::default() };
        let spec = GeneratedInputs { spec: String::new(), options: Some(Box::new(command)) };
        let generate = InputOptions { generate: vec![spec], ..InputOptions::default() };
        assert!(check_task(&solvers("@z3"), &generate).is_err());
    }
}
