//! Finds the workers that have joined and can do a run.

use crate::error::{FleetError, offers};
use crate::link::Link;
use crate::protocol::{Build, BuildId, Hello, PROTOCOL};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Stop waiting after this time without another answer.
const QUIET: Duration = Duration::from_millis(500);
/// Pause between requests while no suitable worker has answered.
const CALL_AGAIN: Duration = Duration::from_millis(500);

/// What a run needs of its workers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunNeeds {
    /// Programs, by their registered names.
    pub programs: Vec<String>,
    /// Kinds of tasks.
    pub tasks: Vec<String>,
    /// How long to wait for the first worker that can do it.
    pub patience: Duration,
}

/// The workers that can do a run.
pub(crate) struct Crew {
    pub builds: BTreeMap<String, Build>,
    pub workers: Vec<Hello>,
}

impl Crew {
    pub(crate) fn needs(&self) -> BTreeMap<String, BuildId> {
        self.builds.iter().map(|(name, build)| (name.clone(), build.id.clone())).collect()
    }
}

/// Sends a request that many may answer, and collects the answers.
pub(crate) async fn ask_all<T: DeserializeOwned>(link: &Link, subject: &str) -> Vec<T> {
    let inbox = link.client.new_inbox();
    let Ok(mut replies) = link.client.subscribe(inbox.clone()).await else { return Vec::new() };
    if link.client.publish_with_reply(subject.to_owned(), inbox, Vec::new().into()).await.is_err() {
        return Vec::new();
    }
    let mut answers = Vec::new();
    while let Ok(Some(reply)) = tokio::time::timeout(QUIET, replies.next()).await {
        // The server sends a reply without a payload if there is no subscriber.
        if reply.payload.is_empty() {
            break;
        }
        answers.extend(serde_json::from_slice(&reply.payload).ok());
    }
    answers
}

/// Asks all workers repeatedly until one can do the run or the patience is used up.
pub(crate) async fn muster(link: &Link, needs: &RunNeeds) -> Result<Crew, FleetError> {
    let began = Instant::now();
    loop {
        let answers = ask_all(link, "nub.roll").await;
        let result = choose(&link.address.shown(), &answers, needs);
        match result {
            // Waiting for more workers cannot resolve different builds.
            Err(FleetError::MixedBuilds { .. }) => return result,
            Err(_) if began.elapsed() < needs.patience => tokio::time::sleep(CALL_AGAIN).await,
            _ => return result,
        }
    }
}

/// The workers that can do a run, if all of them have the same builds.
fn choose(address: &str, answers: &[Hello], needs: &RunNeeds) -> Result<Crew, FleetError> {
    if answers.is_empty() {
        return Err(FleetError::NoWorker { address: address.to_owned() });
    }
    let workers: Vec<Hello> = answers.iter().filter(|hello| hello.protocol == PROTOCOL).cloned().collect();
    if workers.is_empty() {
        let shown = |hello: &Hello| format!("{} on {}", hello.nub, hello.host);
        let versions = answers.iter().map(shown).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
        return Err(FleetError::Versions { versions: versions.join(", ") });
    }
    let mut builds = BTreeMap::new();
    for name in &needs.programs {
        builds.insert(name.clone(), one_build(name, &workers)?);
    }
    let can = |hello: &Hello| {
        let has = |build: &Build| hello.programs.iter().any(|own| own.id == build.id);
        builds.values().all(has) && needs.tasks.iter().all(|kind| hello.tasks.contains(kind))
    };
    let workers: Vec<Hello> = workers.into_iter().filter(can).collect();
    if workers.is_empty() {
        Err(FleetError::NoProgram { program: needs.programs.join("`, `"), offers: offers(answers) })
    } else {
        Ok(Crew { builds, workers })
    }
}

/// The build that all workers with this program share.
fn one_build(name: &str, workers: &[Hello]) -> Result<Build, FleetError> {
    let mut found: BTreeMap<&BuildId, (&Build, BTreeSet<&str>)> = BTreeMap::new();
    for hello in workers {
        for build in hello.programs.iter().filter(|build| build.name == name) {
            found.entry(&build.id).or_insert((build, BTreeSet::new())).1.insert(&hello.host);
        }
    }
    let mut found = found.into_values();
    let Some(first) = found.next() else {
        return Err(FleetError::NoProgram { program: name.to_owned(), offers: offers(workers) });
    };
    let others: Vec<_> = found.collect();
    if others.is_empty() {
        return Ok(first.0.clone());
    }
    let shown = |(build, hosts): &(&Build, BTreeSet<&str>)| {
        let hosts = hosts.iter().copied().collect::<Vec<_>>().join(", ");
        let version = if build.version.is_empty() { String::new() } else { format!("{}, ", build.version) };
        format!("{hosts}: {} ({version}file {})", build.command, short(&build.program_hash))
    };
    let builds = std::iter::once(&first).chain(&others).map(shown).collect::<Vec<_>>().join("; ");
    Err(FleetError::MixedBuilds { program: name.to_owned(), builds })
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::WorkerName;

    fn hello(host: &str, programs: &[(&str, &str)]) -> Hello {
        let build = |&(name, id): &(&str, &str)| Build {
            name: name.to_owned(),
            id: BuildId(id.to_owned()),
            program_hash: "0123456789abcdef".to_owned(),
            version: "v1".to_owned(),
            command: name.to_owned(),
        };
        Hello {
            protocol: PROTOCOL,
            worker: WorkerName(host.to_owned()),
            host: host.to_owned(),
            nub: "0.1.0".to_owned(),
            slots: 2,
            programs: programs.iter().map(build).collect(),
            tasks: Vec::new(),
        }
    }

    fn chosen(answers: &[Hello], programs: &[&str]) -> Result<Vec<String>, FleetError> {
        let programs = programs.iter().map(|name| (*name).to_owned()).collect();
        let needs = RunNeeds { programs, ..RunNeeds::default() };
        choose("nats://h", answers, &needs)
            .map(|crew| crew.workers.into_iter().map(|hello| hello.host).collect())
    }

    #[test]
    fn only_those_who_have_everything_work() {
        let answers =
            [hello("a", &[("z3", "1"), ("cvc5", "2")]), hello("b", &[("z3", "1")]), hello("c", &[])];
        assert_eq!(chosen(&answers, &["z3"]), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(chosen(&answers, &["z3", "cvc5"]), Ok(vec!["a".to_owned()]));
        assert_eq!(chosen(&answers, &[]).map(|hosts| hosts.len()), Ok(3));
    }

    #[test]
    fn errors_name_machines() {
        assert!(matches!(chosen(&[], &["z3"]), Err(FleetError::NoWorker { .. })));
        let mixed = chosen(&[hello("a", &[("z3", "1")]), hello("b", &[("z3", "2")])], &["z3"]).unwrap_err();
        assert!(mixed.to_string().contains("a: z3 (v1, file 0123456789ab); b: z3"), "{mixed}");
        let none = chosen(&[hello("a", &[("cvc5", "1")])], &["z3"]).unwrap_err();
        assert_eq!(none.to_string(), "no worker has a program `z3`; a offers cvc5");
        let old = Hello { protocol: 0, nub: "0.0.9".to_owned(), ..hello("a", &[("z3", "1")]) };
        let old = chosen(&[old], &["z3"]).unwrap_err();
        assert_eq!(old.to_string(), "all workers run another version of nub: 0.0.9 on a");
    }
}
