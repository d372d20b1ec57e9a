//! A campaign as one HTML page: no scripts, nothing from elsewhere.

use crate::fuzz::{CampaignState, GroupReport, times};
use nub_text::html::{escape, page};
use std::fmt::Write;

const STYLE: &str = "\
body{max-width:60em}h2{margin:0}td,th{text-align:right}td:first-child,th:first-child{text-align:left}\
pre{background:var(--code);padding:.8em;border-radius:4px;margin:.6em 0}\
article{border:1px solid var(--line);border-left:5px solid #888;border-radius:4px;padding:1em;margin:1em 0}\
article.worst{border-left-color:#c0202a}article.bad{border-left-color:#d9822b}\
.state{color:#fff;background:#666;border-radius:3px;padding:0 .4em;font-size:.85em}.regression{background:#c0202a}";

/// Severities from which a group is shown as unsound, and as a crash.
const WORST: u32 = 9;
const BAD: u32 = 5;

/// The page.
pub fn campaign_page(campaign: &CampaignState) -> String {
    let title = format!("{} groups in {}", campaign.groups.len(), campaign.folder);
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<h1>{} groups in {} inputs</h1>\n<p class=\"facts\">{:.0} s, {:.1} inputs/s, {} of {} operators, {} \
         suspicions that did not come back<br><code>nub fuzz {}</code></p>",
        campaign.groups.len(),
        campaign.inputs,
        campaign.seconds,
        campaign.rate(),
        campaign.operators,
        campaign.operators_of,
        campaign.flaky,
        escape(&campaign.arguments.join(" "))
    );
    solvers(campaign, &mut body);
    for group in &campaign.groups {
        article(group, &mut body);
    }
    page(&title, STYLE, &body)
}

fn solvers(campaign: &CampaignState, page: &mut String) {
    page.push_str(
        "<table><tr><th>solver<th>inputs<th>starts<th>seconds<th>sat<th>unsat<th>unknown<th>slow<th>other</tr>\n",
    );
    for solver in &campaign.solvers {
        let _ = writeln!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{:.1}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            escape(&solver.name),
            solver.inputs,
            solver.starts,
            solver.seconds,
            solver.sat,
            solver.unsat,
            solver.unknown,
            solver.timeouts,
            solver.other
        );
    }
    page.push_str("</table>\n");
}

fn article(group: &GroupReport, page: &mut String) {
    let class = match group.severity {
        WORST.. => "worst",
        BAD.. => "bad",
        _ => "mild",
    };
    let state = match group.state.as_str() {
        "new" => String::new(),
        state => format!(" <span class=\"state {}\">{}</span>", escape(state), escape(state)),
    };
    let _ = writeln!(page, "<article class=\"{class}\" id=\"{}\">", escape(&group.id));
    let _ = writeln!(page, "<h2>{}{state}</h2>", escape(&group.title));
    let size = match (group.bytes_before, group.bytes_after) {
        (Some(before), Some(after)) => {
            format!("{before} bytes made {after} with {} asks", group.asks.unwrap_or(0))
        }
        _ => "not reduced yet".to_owned(),
    };
    let note = if group.note.is_empty() { String::new() } else { format!(" ({})", group.note) };
    let _ = writeln!(
        page,
        "<p class=\"facts\">{}, first in unit {} (seed {}); {size}{}</p>",
        times(group.members),
        group.unit,
        group.seed,
        escape(&note)
    );
    if let Some(text) = &group.text {
        let _ = writeln!(page, "<pre>{}</pre>", escape(text.trim_end()));
    }
    let _ = writeln!(page, "<pre>{}</pre>", escape(&group.command));
    if !group.said.is_empty() {
        page.push_str("<p class=\"facts\">");
        for (name, said) in &group.said {
            let _ = write!(page, "{}: {}<br>", escape(name), escape(said));
        }
        page.push_str("</p>\n");
    }
    page.push_str("</article>\n");
}
