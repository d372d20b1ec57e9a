//! A regression folder that works without nub: reduced files, the commands, what they must not do, and a script that
//! runs them all.

use super::book::Entry;
use super::{CampaignError, JournaledCampaign, group_file};
use crate::examine::UnitPlan;
use crate::finding::FindingKind;
use nub_store::{RealFs, commit, create_folder};
use std::path::Path;

/// One case per line of `cases.tsv`: file, kind, what is wrong, the command. The script reads it.
const RUN: &str = r#"#!/bin/sh
# Runs every case. A case fails if what was wrong is still wrong. Usage: ./run.sh [SECONDS per case]
cd "$(dirname "$0")" || exit 2
limit=${1:-10}
failed=0
while IFS='	' read -r file check wanted command; do
    output=$(timeout "$limit" sh -c "$command" 2>&1)
    status=$?
    last=$(printf '%s\n' "$output" | grep -E '^(s )?(sat|unsat|unknown|SATISFIABLE|UNSATISFIABLE|UNKNOWN)$' | tail -n 1)
    case $check in
        answer) [ "$last" = "$wanted" ] || [ -z "$last" ] && [ "$status" = "$wanted" ] && bad=1 || bad=0 ;;
        text) printf '%s\n' "$output" | grep -qF -- "$wanted" && bad=1 || bad=0 ;;
        time) [ "$status" = 124 ] && bad=1 || bad=0 ;;
        crash) [ "$status" -ge 128 ] || [ "$status" = "$wanted" ] && bad=1 || bad=0 ;;
        *) [ -z "$last" ] && bad=1 || bad=0 ;;
    esac
    if [ "$bad" = 1 ]; then
        echo "FAIL $file: $command"
        failed=$((failed + 1))
    else
        echo "ok   $file"
    fi
done < cases.tsv
[ "$failed" = 0 ]
"#;

/// Writes the folder: one file per group that is not a twin of another, worst first. Returns how many.
pub fn export(
    plan: &UnitPlan,
    state: &JournaledCampaign,
    campaign: &Path,
    out: &Path,
) -> Result<usize, CampaignError> {
    create_folder(&RealFs, out)?;
    let mut cases = String::new();
    let mut n_cases = 0;
    for entry in state.book.by_severity() {
        let small = group_file(campaign, entry, "reduced");
        let Ok(text) = std::fs::read(&small) else { continue };
        let name = format!("{}.{}", entry.key.slug(), entry.language.extension());
        commit(&RealFs, &out.join(&name), &text)?;
        if let Some(line) = case(plan, entry, &name) {
            cases.push_str(&line);
            n_cases += 1;
        }
    }
    commit(&RealFs, &out.join("cases.tsv"), cases.as_bytes())?;
    commit(&RealFs, &out.join("run.sh"), RUN.as_bytes())?;
    Ok(n_cases)
}

/// The line of a group.
fn case(plan: &UnitPlan, entry: &Entry, name: &str) -> Option<String> {
    let solver = plan.solvers.iter().find(|solver| solver.name == entry.finding.solver)?;
    let options = entry.small.as_ref().map_or(&entry.options, |small| &small.options);
    let command = solver.shell_line(options, entry.language, name);
    let (check, wanted) = match &entry.finding.kind {
        FindingKind::WrongAnswer { said, .. } | FindingKind::Disagreement { said, .. } => {
            ("answer", said.to_string())
        }
        FindingKind::Hang | FindingKind::Memory | FindingKind::Flood => ("time", "-".to_owned()),
        FindingKind::Crash => ("crash", "-".to_owned()),
        FindingKind::Garbage | FindingKind::Error => ("none", "-".to_owned()),
        _ => ("text", longest_plain(&entry.finding.message)),
    };
    let clean = |text: &str| text.replace(['\t', '\n'], " ");
    Some(format!("{name}\t{check}\t{}\t{}\n", clean(&wanted), clean(&command)))
}

/// The longest part of a message without masked places: usable with `grep -F`.
fn longest_plain(message: &str) -> String {
    let parts = message.split(['#', '<', '>', '|']);
    let longest = parts.max_by_key(|part| part.len()).unwrap_or_default().trim();
    if longest.is_empty() { "-".to_owned() } else { longest.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_not_looked_for() {
        assert_eq!(longest_plain("x.cpp:<pos>: Assertion `a' failed | at #"), ": Assertion `a' failed");
        assert_eq!(longest_plain(""), "-");
    }
}
