//! How close the explanation is to the lines known to be faulty.

use super::rank::SCORED;
use super::values;
use crate::failure::Failure;
use crate::input::read;
use crate::request::ExplainJob;
use nub_c_ir::FunctionId;
use nub_explain::output::Reference;
use nub_explain::pdg::{FileLine, Pdg, faulty_lines, score, score_against_run};
use nub_explain::repair::Ranking;
use nub_explain::{Delta, Explanation, ProgramSource, StoryPlace};

/// The score, if a correct version or faulty lines are given.
pub fn reference(
    request: &ExplainJob,
    source: ProgramSource<'_>,
    function: FunctionId,
    found: &Explanation,
    ranking: Option<&Ranking>,
) -> Result<Option<Reference>, Failure> {
    let Explanation::Explained(story) = found else { return Ok(None) };
    if request.output.reference.is_none() && request.output.faulty.is_empty() {
        return Ok(None);
    }
    let faulty = faulty(request, source)?;
    let slice = story.slices.first();
    let deltas: Vec<&Delta> = match slice {
        Some(slice) => slice.iter().filter_map(|index| story.deltas.get(*index)).collect(),
        None => story.deltas.iter().collect(),
    };
    let line = |place: &StoryPlace| Some(FileLine { file: place.file.clone(), line: place.line? });
    let reported: Vec<FileLine> = deltas.iter().filter_map(|delta| line(&delta.place)).collect();
    let differing: Vec<FileLine> = story.deltas.iter().filter_map(|delta| line(&delta.place)).collect();
    let executed = story.trace.iter().filter(|value| value.is_executed_failing);
    let executed: Vec<FileLine> = executed.filter_map(|value| line(&value.place)).collect();
    let pdg = Pdg::new(source, function);
    let slice = score(&pdg, &reported, &faulty);
    let differences = score(&pdg, &differing, &faulty);
    let counterexample = score(&pdg, &executed, &faulty);
    let slice_against_run = score_against_run(&pdg, &reported, &faulty, &executed);
    let differences_against_run = score_against_run(&pdg, &differing, &faulty, &executed);
    let ranking = ranking.and_then(|ranking| {
        let first = ranking.lines.iter().take(SCORED);
        let lines: Vec<FileLine> =
            first.map(|line| FileLine { file: line.file.clone(), line: line.line }).collect();
        score(&pdg, &lines, &faulty)
    });
    Ok(Some(Reference {
        faulty,
        slice,
        ranking,
        differences,
        counterexample,
        slice_against_run,
        differences_against_run,
    }))
}

/// The given lines, and those that differ from the correct version.
fn faulty(request: &ExplainJob, source: ProgramSource<'_>) -> Result<Vec<FileLine>, Failure> {
    // A file is named as in line markers, or by the end of its name.
    let name = |wanted: &str| {
        let found = source.program.files.iter().find(|file| file.ends_with(wanted));
        found.cloned().unwrap_or_else(|| wanted.to_owned())
    };
    let own = source.program.files.first().filter(|file| !file.is_empty());
    let own = own.map_or(source.file, String::as_str);
    let named = values::all("--faulty", &request.output.faulty, values::file_line)?;
    let line = |(file, line): (Option<String>, u32)| FileLine {
        file: file.as_deref().map_or_else(|| own.to_owned(), name),
        line,
    };
    let mut lines: Vec<FileLine> = named.into_iter().map(line).collect();
    if let Some(correct) = &request.output.reference {
        let found = faulty_lines(&read(&request.input)?, &read(correct)?).ok_or_else(|| {
            Failure::usage(format!(
                "{} and {} have little in common",
                request.input.display(),
                correct.display()
            ))
            .with_hint("--faulty [FILE:]LINE names faulty lines")
        })?;
        lines.extend(found.into_iter().map(|line| FileLine { file: own.to_owned(), line }));
    }
    lines.sort();
    lines.dedup();
    Ok(lines)
}
