//! The report of one group, with only what a maintainer needs.

use super::book::Entry;
use crate::SolverRole;
use crate::examine::UnitPlan;

/// The longest reduced file that is included in the report.
const MAX_SHOWN: usize = 4_000;

/// The report of a group, in Markdown.
pub fn report(plan: &UnitPlan, entry: &Entry, text: &[u8]) -> String {
    let extension = entry.language.extension();
    let mut report = format!("# {}\n\n", entry.finding.title());
    let small = entry.small.as_ref();
    let options = small.map_or(&entry.options, |small| &small.options);
    report.push_str("## To reproduce\n\n");
    for solver in &plan.solvers {
        if solver.name == entry.finding.solver {
            let line = solver.shell_line(options, entry.language, &format!("reduced.{extension}"));
            report.push_str(&format!("    {line}\n\n"));
        }
    }
    if text.len() <= MAX_SHOWN {
        let shown = String::from_utf8_lossy(text);
        report.push_str(&format!(
            "`reduced.{extension}`, {} bytes:\n\n```\n{}\n```\n\n",
            text.len(),
            shown.trim_end()
        ));
    } else {
        report.push_str(&format!("`reduced.{extension}` has {} bytes.\n\n", text.len()));
    }
    report.push_str("## What the solvers answered on the original input\n\n");
    for (name, said) in &entry.said {
        report.push_str(&format!("- {name}: {said}\n"));
    }
    report.push_str("\n## Versions\n\n");
    for solver in plan.solvers.iter().filter(|solver| solver.role == SolverRole::Tested) {
        report.push_str(&format!("- {}: {}\n", solver.name, solver.version));
    }
    if !entry.finding.stack.is_empty() {
        report.push_str("\n## Stack\n\n");
        for frame in &entry.finding.stack {
            report.push_str(&format!("    {frame}\n"));
        }
    }
    report.push_str(&format!(
        "\n## Origin\n\nGroup {}, unit {}, seed {}",
        entry.key.id(),
        entry.unit,
        entry.seed
    ));
    if let Some(small) = small {
        report.push_str(&format!(
            "; reduced from {} to {} bytes with {} test runs",
            small.n_bytes_before, small.n_bytes_after, small.n_asks
        ));
        if !small.note.is_empty() {
            report.push_str(&format!(" ({})", small.note));
        }
        if !small.twin.is_empty() {
            report.push_str(&format!(". The reduced file has the same operators as that of {}", small.twin));
        }
    }
    report.push_str(".\n");
    report
}
