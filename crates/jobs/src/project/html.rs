//! The pages of a project: an index of all functions, and one page per file with its coverage.
//!
//! Plain HTML without scripts: it can be mailed, archived, and shown by any build server.

use super::cobertura::escape;
use super::coverage::FileCoverage;
use super::task::FunctionRecord;
use super::unit::Unit;
use nub_report::{FunctionState, ProjectReport};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const STYLE: &str = "\
<meta name=\"viewport\" content=\"width=device-width\">
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .15em .6em; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, td.why { text-align: left; }
td.why { color: #8a4b00; }
pre { font: 13px/1.35 ui-monospace, monospace; overflow-x: auto; }
pre span { display: block; white-space: pre; }
.hit { background: #e4f5e4; } .part { background: #fdf3d0; } .miss { background: #fbe3e3; }
h2 { margin-top: 1.5em; } a { color: #0645ad; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; } th, td { border-color: #444; } a { color: #8ab4f8; } td.why { color: #e0a458; }
  .hit { background: #173217; } .part { background: #3a3215; } .miss { background: #3d1a1a; }
}
</style>
";

/// A file of the project with its coverage and functions.
pub struct FilePage<'p> {
    /// The file.
    pub unit: &'p Unit,
    /// What its tests execute.
    pub coverage: &'p FileCoverage,
    /// Its functions.
    pub records: Vec<&'p FunctionRecord>,
}

fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n{STYLE}</head><body>\n<h1>{title}</h1>\n"
    )
}

/// The index.
pub fn index(report: &ProjectReport, files: &[FilePage<'_>]) -> String {
    let total = &report.total;
    let mut text = head("Coverage");
    writeln!(
        text,
        "<p>{} of {} functions with decisions answered{}: {} tests cover {} of {} goals, {:.1} % of those not proved infeasible. \
         {} infeasible (proved), {} infeasible under a stated assumption, {} open.</p>",
        report.answered,
        report.functions.len(),
        super::table::undecided(report),
        total.tests,
        total.covered,
        total.goals,
        total.percent(),
        total.infeasible,
        total.infeasible_if,
        total.open
    )
    .expect(NEVER_FAILS);
    for unread in &report.unread {
        writeln!(text, "<p>{} cannot be read: {}</p>", escape(&unread.file), escape(&unread.why))
            .expect(NEVER_FAILS);
    }
    for file in files.iter().filter(|file| !file.records.is_empty()) {
        let name = escape(&file.unit.name);
        writeln!(text, "<h2><a href=\"html/{}.html\">{name}</a></h2>", escape(&file.unit.id))
            .expect(NEVER_FAILS);
        text.push_str(&functions(file, "html/"));
    }
    text + "</body></html>\n"
}

/// The table of the functions of a file; `folder` is where its page is.
fn functions(file: &FilePage<'_>, folder: &str) -> String {
    let mut text =
        "<table><tr><th>function</th><th>goals</th><th>covered</th><th>infeasible</th><th>infeasible if</th>\
         <th>open</th><th>tests</th><th>minimal</th><th>s</th></tr>\n"
            .to_owned();
    for record in &file.records {
        let outcome = &record.outcome;
        let link = format!("{folder}{}.html#L{}", escape(&file.unit.id), outcome.line);
        write!(text, "<tr><td><a href=\"{link}\">{}</a></td>", escape(&outcome.function)).expect(NEVER_FAILS);
        let counts = &outcome.counts;
        if outcome.state == FunctionState::Answered {
            for number in [
                counts.goals,
                counts.covered,
                counts.infeasible,
                counts.infeasible_if,
                counts.open,
                counts.tests,
            ] {
                write!(text, "<td>{number}</td>").expect(NEVER_FAILS);
            }
            let minimal = counts.minimal_word();
            writeln!(text, "<td>{minimal}</td><td>{:.1}</td></tr>", outcome.seconds).expect(NEVER_FAILS);
        } else {
            let why = escape(outcome.why.as_deref().unwrap_or_default());
            writeln!(text, "<td class=\"why\" colspan=\"8\">{why}</td></tr>").expect(NEVER_FAILS);
        }
    }
    text + "</table>\n"
}

/// A file: its functions, the goals that no test covers with the reasons, and its text with what was executed.
pub fn file_page(file: &FilePage<'_>, source: &str) -> String {
    let mut text = head(&file.unit.name);
    text.push_str("<p><a href=\"../index.html\">All files</a></p>\n");
    text.push_str(&functions(file, ""));
    for record in file.records.iter().filter(|record| !record.uncovered.is_empty()) {
        writeln!(text, "<h2>{}: not covered</h2>\n<ul>", escape(&record.outcome.function))
            .expect(NEVER_FAILS);
        for goal in &record.uncovered {
            let (line, what, why) =
                (goal.line, escape(&format!("{} {}", goal.goal, goal.wanted)), escape(&goal.why));
            writeln!(text, "<li><a href=\"#L{line}\">line {line}</a>: <code>{what}</code>: {why}</li>")
                .expect(NEVER_FAILS);
        }
        text.push_str("</ul>\n");
    }
    text.push_str("<h2>Lines</h2>\n<p>How often the tests of this file execute each line, and the outcomes of its conditions.</p>\n<pre>");
    let (lines, branches) = (file.coverage.lines(), file.coverage.branches());
    for (number, line) in (1..).zip(source.lines()) {
        let conditions = branches.get(&number).map(Vec::as_slice).unwrap_or_default();
        let n_taken: usize = conditions.iter().map(|counts| counts.n_taken()).sum();
        let times = lines.get(&number);
        let class = match times {
            None => "",
            Some(0) => "miss",
            Some(_) if n_taken < 2 * conditions.len() => "part",
            Some(_) => "hit",
        };
        let times = times.map(u64::to_string).unwrap_or_default();
        let taken =
            if conditions.is_empty() { String::new() } else { format!("{n_taken}/{}", 2 * conditions.len()) };
        writeln!(
            text,
            "<span id=\"L{number}\" class=\"{class}\">{number:5} {times:>7} {taken:>5}  {}</span>",
            escape(line)
        )
        .expect(NEVER_FAILS);
    }
    text + "</pre>\n</body></html>\n"
}
