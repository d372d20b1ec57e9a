//! The state of a campaign: as text, as JSON, as a page.

use super::failed;
use super::solvers::as_written;
use crate::failure::Failure;
use crate::handle::Job;
use crate::pages::EndedJob;
use crate::request::{FuzzJob, JobRequest};
use nub_fuzz::campaign::book::Entry;
use nub_fuzz::campaign::{JournaledCampaign, group_file, read_known};
use nub_fuzz::{FuzzedSolver, KnownList, KnownState, Language, operator_names};
use nub_report::JobEvent;
use nub_report::fuzz::{CampaignState, GroupReport, SolverCounts};
use nub_store::{RealFs, commit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The longest reduced file that is shown.
const MAX_SHOWN: usize = 4_000;

/// Writes the page, and returns its path.
pub fn write_page(
    folder: &Path,
    state: &JournaledCampaign,
    begun: &FuzzJob,
    job: &Job,
) -> Result<PathBuf, Failure> {
    let campaign = report(folder, state, begun)?;
    let title = format!("{} bugs in {} inputs", campaign.groups.len(), campaign.inputs);
    let asked = JobRequest::Fuzz(Box::new(begun.clone()));
    let page = EndedJob::new(&title, &asked, &job.context, &[JobEvent::Campaign(campaign)]).campaign_page();
    let path = folder.join("index.html");
    commit(&RealFs, &path, page.as_bytes())?;
    Ok(path)
}

/// A group as part of a report.
pub fn group(
    folder: &Path,
    entry: &Entry,
    known: &KnownList,
    commands: &dyn Fn(&Entry) -> String,
) -> GroupReport {
    let small = entry.small.as_ref();
    let text = small.and_then(|_| std::fs::read(group_file(folder, entry, "reduced")).ok());
    let shown = text.filter(|text| text.len() <= MAX_SHOWN);
    let state = match known.state(&entry.key, &entry.finding.title()) {
        None => "new",
        Some(KnownState::Known) => "known",
        Some(KnownState::Fixed) => "regression",
    };
    GroupReport {
        id: entry.key.id().to_owned(),
        name: entry.key.slug().to_owned(),
        title: entry.finding.title(),
        kind: entry.finding.kind.slug().to_owned(),
        solver: entry.finding.solver.clone(),
        severity: entry.finding.severity() as u32,
        state: state.to_owned(),
        members: entry.count,
        unit: entry.unit,
        seed: entry.seed,
        command: commands(entry),
        bytes_before: small.map(|small| small.n_bytes_before),
        bytes_after: small.map(|small| small.n_bytes_after),
        asks: small.map(|small| small.n_asks),
        note: small.map_or(String::new(), |small| small.note.clone()),
        like: small.map_or(String::new(), |small| small.twin.clone()),
        text: shown.map(|text| String::from_utf8_lossy(&text).into_owned()),
        file: group_file(folder, entry, if small.is_some() { "reduced" } else { "input" })
            .to_string_lossy()
            .into_owned(),
        said: entry.said.clone(),
    }
}

/// The whole campaign.
pub fn report(folder: &Path, state: &JournaledCampaign, begun: &FuzzJob) -> Result<CampaignState, Failure> {
    let known = read_known(&folder.join("known.txt")).map_err(failed)?;
    let solvers = &begun.solvers;
    // No solver is run: one may no longer be installed.
    let written = solvers.solvers.iter().filter_map(|text| as_written(solvers, text).ok());
    let written: Vec<FuzzedSolver> = written.collect();
    let command = |entry: &Entry| {
        let options = entry.small.as_ref().map_or(&entry.options, |small| &small.options);
        let file = group_file(Path::new(""), entry, if entry.small.is_some() { "reduced" } else { "input" });
        let file = file.to_string_lossy();
        match written.iter().find(|solver| solver.name == entry.finding.solver) {
            Some(solver) => solver.shell_line(options, entry.language, &file),
            None => format!("{} {file}", entry.finding.solver),
        }
    };
    let names: BTreeSet<&str> = state.tally.points.iter().map(|(name, _)| name.as_str()).collect();
    let languages: BTreeSet<&str> = state.book.entries().iter().map(|entry| entry.language.name()).collect();
    let language = language_of(&names, &languages);
    let all = operator_names(language);
    let missing = all.iter().filter(|name| !names.contains(*name)).map(|name| (*name).to_owned());
    let solvers = state.tally.solvers.iter().map(|(name, counts)| SolverCounts {
        name: name.clone(),
        inputs: counts.n_inputs,
        starts: counts.n_starts,
        seconds: counts.time_us as f64 / 1e6,
        sat: counts.n_sat,
        unsat: counts.n_unsat,
        unknown: counts.n_unknown,
        timeouts: counts.n_timeouts,
        other: counts.n_other,
        operators: tried(state, name),
    });
    let entries = state.book.by_severity();
    Ok(CampaignState {
        folder: folder.display().to_string(),
        arguments: state.args.clone(),
        units: state.units.len() as u64,
        inputs: state.tally.n_inputs,
        bytes: state.tally.n_bytes,
        seconds: state.elapsed.as_secs_f64(),
        flaky: state.tally.n_flaky + state.book.n_withdrawn() as u64,
        solvers: solvers.collect(),
        operators: all.iter().filter(|name| names.contains(*name)).count() as u64,
        operators_of: all.len() as u64,
        operators_missing: missing.collect(),
        groups: entries.into_iter().map(|entry| group(folder, entry, &known, &command)).collect(),
    })
}

/// How many inputs a solver was given and decided, by operator.
fn tried(state: &JournaledCampaign, solver: &str) -> BTreeMap<String, (u64, u64)> {
    let found = state.tally.tried.get(solver).into_iter().flatten();
    found.map(|(operator, tried)| (operator.clone(), (tried.n_inputs, tried.n_decided))).collect()
}

/// The language whose operators occurred most.
fn language_of(names: &BTreeSet<&str>, found: &BTreeSet<&str>) -> Language {
    if let Some(language) = found.first().and_then(|name| Language::by_name(name)) {
        return language;
    }
    let n_known =
        |language: &Language| operator_names(*language).iter().filter(|name| names.contains(*name)).count();
    Language::ALL.into_iter().rev().max_by_key(n_known).unwrap_or(Language::SmtLib)
}
