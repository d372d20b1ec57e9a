//! A campaign as one HTML page: no scripts, nothing from elsewhere.

use crate::fuzz::{Campaign, Group, times};
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1c1e21;background:#fff}\
h1{font-size:1.5em}h2{font-size:1.1em;margin:0}table{border-collapse:collapse;margin:1em 0}\
td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}\
pre{background:#f5f6f7;padding:.8em;overflow:auto;border-radius:4px;margin:.6em 0}\
article{border:1px solid #ddd;border-left:5px solid #888;border-radius:4px;padding:1em;margin:1em 0}\
article.worst{border-left-color:#c0202a}article.bad{border-left-color:#d9822b}\
.facts{color:#555;margin:.3em 0}.state{color:#fff;background:#666;border-radius:3px;padding:0 .4em;font-size:.85em}\
.regression{background:#c0202a}\
@media(prefers-color-scheme:dark){body{background:#16181b;color:#e4e6e8}pre{background:#22262a}\
td,th,article{border-color:#3a3f45}.facts{color:#a8adb3}}";

/// Severities from which a group is shown as unsound, and as a crash.
const WORST: u32 = 9;
const BAD: u32 = 5;

/// The page.
pub fn campaign_page(campaign: &Campaign) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{} groups in {}</title>\n<style>{STYLE}</style></head><body>\n",
        campaign.groups.len(),
        escape(&campaign.folder)
    );
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
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
    solvers(campaign, &mut page);
    for group in &campaign.groups {
        article(group, &mut page);
    }
    page.push_str("</body></html>\n");
    page
}

fn solvers(campaign: &Campaign, page: &mut String) {
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

fn article(group: &Group, page: &mut String) {
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

/// Text in HTML. Solvers print anything.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            control if control.is_control() && control != '\n' && control != '\t' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_solvers_print_does_not_become_markup() {
        assert_eq!(escape("<b>&'\"\u{1b}[1m"), "&lt;b&gt;&amp;&#39;&quot;\u{fffd}[1m");
    }
}
