//! One page: the source twice, on the left with the values of the failing run, on the right with those of the passing run.
//! No script, nothing from elsewhere, light and dark.

use super::place::inputs;
use super::runs::{Row, rows};
use super::text::conditions;
use super::{Compiled, ExplainReport, ranking, text, trace};
use crate::describe::readable;
use crate::session::Explanation;
use crate::story::{Delta, DeltaKind, OtherRun, Story};
use nub_repair::Ranking;
use nub_text::html::{escape as escaped, page};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Files of up to this many lines are shown whole.
const WHOLE_FILE: usize = 80;
/// Lines before and after one that matters, in longer files.
const CONTEXT: usize = 4;

const STYLE: &str = include_str!("page.css");
/// What the marks of the source mean.
const LEGEND: &str = "<p class=\"facts\">Marked lines have other values in the other run; the values with a bold frame suffice, a faint value is one \
    that the run does not reach. A number before a line is its rank.</p>\n";
/// Lines that are left out.
const GAP: &str = "<tr class=\"gap\"><td>&#8942;<td><td></tr>\n";

/// A file of the program, as the user sees it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As in [`crate::StoryPlace::file`].
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// The page. `files` are those that the report names, as far as they could be read.
pub fn html(report: &ExplainReport, files: &[SourceFile]) -> String {
    let (title, body) = match &report.explanation {
        Explanation::Explained(story) => (story.property.text.as_str(), explained(report, story, files)),
        Explanation::NoPassingRun { property, .. } => {
            let plain = format!("<pre class=\"plain\">{}</pre>\n", escaped(&text(&report.explanation)));
            (property.text.as_str(), plain + &ranking_of(report, &property.place.file))
        }
        other => ("nub explain", format!("<pre class=\"plain\">{}</pre>\n", escaped(&text(other)))),
    };
    page(title, STYLE, &body)
}

fn explained(report: &ExplainReport, story: &Story, files: &[SourceFile]) -> String {
    let rows = rows(story);
    let mut page = head(report, story);
    page.push_str(&facts(conditions(story).lines()));
    page.push_str(&ranking_of(report, &story.property.place.file));
    page.push_str(LEGEND);
    for file in files {
        let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.delta.place.file == file.name).collect();
        let is_here = story.property.place.file == file.name;
        let violated = story.property.place.line.filter(|_| is_here);
        let ranks = ranks(report, &file.name);
        page.push_str(&source(file, &own, violated, &ranks));
    }
    page.push_str(&without_line(&rows, files));
    page.push_str(&slices(story));
    page.push_str(&others(&story.others));
    page.push_str(&traces(story));
    page
}

/// All smallest choices of differences that suffice, if there are several.
fn slices(story: &Story) -> String {
    if story.slices.len() < 2 {
        return String::new();
    }
    let mut out = format!("<h2>{} smallest sets suffice</h2>\n<ol>\n", story.slices.len());
    for slice in &story.slices {
        let named = |delta: &Delta| {
            format!("{} ({} &rarr; {})", escaped(&delta.what), escaped(&delta.before), escaped(&delta.after))
        };
        let names: Vec<String> = slice.iter().filter_map(|at| story.deltas.get(*at)).map(named).collect();
        // Writing to a string does not fail.
        let _ = writeln!(out, "<li>{}</li>", names.join(", "));
    }
    out.push_str("</ol>\n");
    out
}

/// The complete traces, folded.
fn traces(story: &Story) -> String {
    let mut out = "<details><summary>Complete traces of both runs</summary>\n<table class=\"runs\"><tr><th>line<th>function<th>value<th class=\"bad\">fails<th class=\"good\">passes</tr>\n".to_owned();
    for value in &story.trace {
        let shown = |text: &str, is_executed: bool| match is_executed {
            true => escaped(text),
            false => format!("({})", escaped(text)),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr><td>{}<td>{}<td><code>{}</code><td>{}<td>{}</tr>",
            value.place.line.map_or_else(String::new, |line| line.to_string()),
            escaped(&value.place.function),
            escaped(&trace::named(value)),
            shown(&value.failing, value.is_executed_failing),
            shown(&value.passing, value.is_executed_passing)
        );
    }
    out.push_str("</table></details>\n");
    out
}

/// Likely fault locations, or why that is not known.
fn ranking_of(report: &ExplainReport, file: &str) -> String {
    let why_not = report.no_ranking.iter().map(|why| format!("No fault localisation: {why}."));
    report.ranking.as_ref().map_or_else(String::new, |found| ranked(found, file)) + &facts(why_not)
}

/// Other runs that pass.
fn others(runs: &[OtherRun]) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let mut out =
        "<h2>Other runs that pass</h2>\n<table class=\"runs\"><tr><th>distance<th>inputs</tr>\n".to_owned();
    for run in runs {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<tr><td>{}<td>{}</tr>", run.distance, escaped(&inputs(&run.passing)));
    }
    out.push_str("</table>\n");
    out
}

/// The ranks of the lines of a file.
fn ranks(report: &ExplainReport, file: &str) -> BTreeMap<usize, usize> {
    let lines = (1..).zip(report.ranking.iter().flat_map(ranking::shown));
    let own = lines.filter(|(_, line)| line.file == file);
    own.map(|(rank, line)| (line.line as usize, rank)).collect()
}

fn head(report: &ExplainReport, story: &Story) -> String {
    let place = &story.property.place;
    let line = place.line.map_or_else(String::new, |line| format!(":{line}"));
    let proof = match story.distance.is_proved() {
        true => "proved: no passing run is closer".to_owned(),
        false => format!("at least {}", story.distance.lower),
    };
    let compiled = match &report.compiled {
        Compiled::Confirmed => {
            "Both runs were replayed in the interpreter and in the compiled program".to_owned()
        }
        Compiled::NotRun(reason) => format!("Not replayed in the compiled program: {reason}"),
    };
    format!(
        "<h1><code>{}</code> is violated</h1>\n<p class=\"facts\">{}{line} in <code>{}</code>. The runs differ in {} of {} values; \
         {proof}. {}.</p>\n",
        escaped(&story.property.text),
        escaped(&place.file),
        escaped(&place.function),
        story.deltas.len(),
        story.n_values,
        escaped(&compiled)
    ) + &format!(
        "<table class=\"runs\"><tr><th class=\"bad\">fails<td>{}</tr><tr><th class=\"good\">passes<td>{}</tr><tr><th>changed inputs<td>{}</tr></table>\n",
        escaped(&inputs(&story.failing)),
        escaped(&inputs(&story.passing)),
        escaped(&super::text::changed(story))
    )
}

/// The ranking as a table. Places in the file of the property are lines.
fn ranked(found: &Ranking, file: &str) -> String {
    if ranking::shown(found).next().is_none() {
        return facts(ranking::text(found).lines());
    }
    let mut out = "<h2>Likely fault locations</h2>\n<table class=\"runs ranks\"><tr><th>rank<th>place<th>function<th>statement<th>change<th>how far</tr>\n".to_owned();
    for (rank, line) in (1..).zip(ranking::shown(found)) {
        let place = match line.file == file {
            true => format!("line {}", line.line),
            false => format!("{}:{}", line.file, line.line),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            rank,
            escaped(&place),
            escaped(&line.function),
            escaped(&readable(&line.text)),
            escaped(&ranking::what(line)),
            escaped(&ranking::facts(line))
        );
    }
    let _ = writeln!(out, "</table>");
    out.push_str(&facts(ranking::verdict(found).lines()));
    out.push_str(&facts(found.notes.iter().map(|note| format!("Note: {note}."))));
    out
}

/// Sentences, one paragraph each.
fn facts<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let paragraph = |line: T| format!("<p class=\"facts\">{}</p>\n", escaped(line.as_ref()));
    lines.into_iter().map(paragraph).collect()
}

/// A file in two columns. O(n log n) in its lines and rows.
fn source(
    file: &SourceFile,
    rows: &[&Row<'_>],
    violated: Option<u32>,
    ranks: &BTreeMap<usize, usize>,
) -> String {
    let mut out = format!(
        "<h2>{}</h2>\n<table class=\"source\"><thead><tr><th><th class=\"bad\">the failing run<th class=\"good\">the passing run</tr></thead>\n",
        escaped(&file.name)
    );
    // What is at each line that matters.
    let mut at: BTreeMap<usize, Vec<&Row<'_>>> = BTreeMap::new();
    let bare = violated.into_iter().map(|line| line as usize).chain(ranks.keys().copied());
    for line in bare {
        at.entry(line).or_default();
    }
    for row in rows {
        row.delta.place.line.into_iter().for_each(|line| at.entry(line as usize).or_default().push(row));
    }
    let is_short = file.lines.len() <= WHOLE_FILE;
    let mut last = 0;
    for (index, text) in file.lines.iter().enumerate() {
        let number = index + 1;
        let near = number.saturating_sub(CONTEXT)..=number + CONTEXT;
        if !is_short && at.range(near).next().is_none() {
            continue;
        }
        if number != last + 1 {
            out.push_str(GAP);
        }
        last = number;
        let here = at.get(&number).map_or(&[][..], Vec::as_slice);
        let mark = ranks.get(&number).map(|rank| format!("<i class=\"r\">{rank}</i>")).unwrap_or_default();
        out.push_str(&line(&format!("{mark}{number}"), text, here, violated == Some(number as u32)));
    }
    if last < file.lines.len() {
        out.push_str(GAP);
    }
    out.push_str("</table>\n");
    out
}

fn line(number: &str, text: &str, rows: &[&Row<'_>], is_violated: bool) -> String {
    let class = match () {
        () if rows.iter().any(|row| row.is_needed) => " class=\"needed\"",
        () if is_violated => " class=\"violated\"",
        () if !rows.is_empty() => " class=\"differs\"",
        () => "",
    };
    let code = format!("<code>{}</code>", escaped(text));
    let fails: String = rows.iter().map(|row| badge(row, &row.fails, row.delta.is_executed_before)).collect();
    let passes: String =
        rows.iter().map(|row| badge(row, &row.passes, row.delta.is_executed_after)).collect();
    let (fails, passes) = match is_violated {
        true => (fails + "<b class=\"v bad\">violated</b>", passes + "<b class=\"v good\">holds</b>"),
        false => (fails, passes),
    };
    format!("<tr{class}><td>{number}<td>{code}{fails}<td>{code}{passes}</tr>\n")
}

/// A value beside the source.
fn badge(row: &Row<'_>, value: &str, is_executed: bool) -> String {
    let text = match row.delta.kind {
        DeltaKind::Guard => format!("{} is {value}", row.delta.what),
        DeltaKind::Return => format!("{} gives {value}", row.delta.what),
        _ => format!("{} = {value}", row.delta.what),
    };
    let needed = if row.is_needed { " n" } else { "" };
    let off = if is_executed { "" } else { " off" };
    format!("<b class=\"v{needed}{off}\">{}</b>", escaped(&text))
}

/// Where paths meet, and places in files that could not be read.
fn without_line(rows: &[Row<'_>], files: &[SourceFile]) -> String {
    let is_shown = |row: &&Row<'_>| {
        let file = files.iter().find(|file| file.name == row.delta.place.file);
        let line = row.delta.place.line.unwrap_or(0) as usize;
        file.is_some_and(|file| (1..=file.lines.len()).contains(&line))
    };
    let rest: Vec<&Row<'_>> = rows.iter().filter(|row| !is_shown(row)).collect();
    if rest.is_empty() {
        return String::new();
    }
    let mut out = "<h2>Elsewhere</h2>\n<p class=\"facts\">Where paths meet, and what has no line.</p>\n<table class=\"runs\"><tr><th>function<th>value<th class=\"bad\">fails<th class=\"good\">passes</tr>\n".to_owned();
    for row in rest {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr><td>{}<td><code>{}</code><td>{}<td>{}</tr>",
            escaped(&row.delta.place.function),
            escaped(&row.name()),
            escaped(&row.fails),
            escaped(&row.passes)
        );
    }
    out.push_str("</table>\n");
    out
}
