//! The journal of a campaign: the content of each record. The format is private to this file.

use super::book::{Entry, Small};
use crate::finding::Finding;
use crate::options::OptionSet;
use crate::tally::{OperatorTally, SolverTally, Tally};
use crate::{GroupKey, Language};
use nub_store::{JournalRecord, JournalRecordKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// The start of a campaign, or of its continuation.
pub fn header(args: &[String], identity: &[(String, String)]) -> JournalRecord {
    let mut record = JournalRecord::new(JournalRecordKind::Header).with("args", json(&args));
    for (name, value) in identity {
        record = record.with(&format!("id:{name}"), value);
    }
    record
}

/// Names and values.
type Pairs = Vec<(String, String)>;

/// The arguments of the campaign, and what must stay the same.
pub fn read_header(record: &JournalRecord) -> Option<(Vec<String>, Pairs)> {
    let args = serde_json::from_slice(record.get("args")?).ok()?;
    let identity = record.fields.iter().filter_map(|(name, value)| {
        let name = name.strip_prefix("id:")?.to_owned();
        Some((name, String::from_utf8_lossy(value).into_owned()))
    });
    Some((args, identity.collect()))
}

/// A finished unit. `elapsed` is since the last header; points are those that no earlier unit had.
pub fn unit(number: u64, tally: &Tally, new_points: &[(String, String)], elapsed: Duration) -> JournalRecord {
    let mut record = JournalRecord::new(JournalRecordKind::Unit)
        .with_number("unit", number)
        .with_number("inputs", tally.n_inputs)
        .with_number("bytes", tally.n_bytes)
        .with_number("flaky", tally.n_flaky)
        .with_number("elapsed", elapsed.as_micros() as u64)
        .with("hash", tally.hash.unwrap_or_default());
    for (name, counts) in &tally.solvers {
        let mut counts = *counts;
        let numbers: Vec<String> = counts.fields().iter().map(|number| number.to_string()).collect();
        record = record.with(&format!("solver:{name}"), numbers.join(","));
    }
    for (name, operators) in &tally.tried {
        let counts = operators.iter().map(|(operator, tried)| (operator, (tried.n_inputs, tried.n_decided)));
        let counts: BTreeMap<&String, (u64, u64)> = counts.collect();
        record = record.with(&format!("tried:{name}"), json(&counts));
    }
    if !new_points.is_empty() {
        record = record.with("points", json(&new_points));
    }
    record
}

/// The number of a unit, its counts, and the time since the last header.
pub fn read_unit(record: &JournalRecord) -> Option<(u64, Tally, Duration)> {
    let mut tally = Tally {
        n_inputs: record.number("inputs")?,
        n_bytes: record.number("bytes")?,
        n_flaky: record.number("flaky")?,
        hash: record.get("hash")?.try_into().ok(),
        ..Tally::default()
    };
    for (name, value) in &record.fields {
        let Some(name) = name.strip_prefix("solver:") else { continue };
        let mut counts = SolverTally::default();
        let text = std::str::from_utf8(value).ok()?;
        for (place, number) in counts.fields().into_iter().zip(text.split(',')) {
            *place = number.parse().ok()?;
        }
        tally.solvers.insert(name.to_owned(), counts);
    }
    // Campaigns of earlier versions have none.
    for (name, value) in &record.fields {
        let Some(name) = name.strip_prefix("tried:") else { continue };
        let counts: BTreeMap<String, (u64, u64)> = serde_json::from_slice(value).ok()?;
        let tried = |(n_inputs, n_decided)| OperatorTally { n_inputs, n_decided };
        let operators = counts.into_iter().map(|(operator, counts)| (operator, tried(counts)));
        tally.tried.insert(name.to_owned(), operators.collect());
    }
    if let Some(points) = record.get("points") {
        let points: Vec<(String, String)> = serde_json::from_slice(points).ok()?;
        tally.points.extend(points);
    }
    Some((record.number("unit")?, tally, Duration::from_micros(record.number("elapsed")?)))
}

/// A finding: a new group, or another member of an old one.
pub fn finding(entry: &Entry, unit: u64, seed: u64) -> JournalRecord {
    JournalRecord::new(JournalRecordKind::Finding)
        .with_number("unit", unit)
        .with_number("seed", seed)
        .with("key", json(&entry.key))
        .with("language", entry.language.name())
        .with("finding", json(&entry.finding))
        .with("options", json(&entry.options.args))
        .with("said", json(&entry.said))
}

/// An entry as of its first finding, with unit and seed.
pub fn read_finding(record: &JournalRecord) -> Option<(Entry, u64, u64)> {
    let finding: Finding = serde_json::from_slice(record.get("finding")?).ok()?;
    let (unit, seed) = (record.number("unit")?, record.number("seed")?);
    let key: GroupKey = serde_json::from_slice(record.get("key")?).ok()?;
    let entry = Entry {
        key: key.clone(),
        found_as: key,
        finding,
        unit,
        seed,
        count: 1,
        language: Language::by_name(&text(record, "language")?)?,
        options: OptionSet { args: serde_json::from_slice(record.get("options")?).ok()? },
        said: serde_json::from_slice(record.get("said")?).ok()?,
        small: None,
    };
    Some((entry, unit, seed))
}

/// The reduction of a group has finished.
pub fn reduced(group: &str, small: &Small) -> JournalRecord {
    JournalRecord::new(JournalRecordKind::Reduced)
        .with("group", group)
        .with_number("before", small.n_bytes_before)
        .with_number("after", small.n_bytes_after)
        .with_number("asks", small.n_asks)
        .with("options", json(&small.options.args))
        .with("operators", json(&small.operators))
        .with("note", &small.note)
        .with("finding", json(&small.finding))
        .with_number("withdrawn", u64::from(small.is_withdrawn))
        .with("twin", &small.twin)
}

/// The group and its reduced input.
pub fn read_reduced(record: &JournalRecord) -> Option<(String, Small)> {
    let small = Small {
        n_bytes_before: record.number("before")?,
        n_bytes_after: record.number("after")?,
        n_asks: record.number("asks")?,
        options: OptionSet { args: serde_json::from_slice(record.get("options")?).ok()? },
        operators: serde_json::from_slice(record.get("operators")?).ok()?,
        note: text(record, "note")?,
        finding: record.get("finding").and_then(|json| serde_json::from_slice(json).ok()).unwrap_or_default(),
        is_withdrawn: record.number("withdrawn") == Some(1),
        twin: text(record, "twin")?,
    };
    Some((text(record, "group")?, small))
}

fn text(record: &JournalRecord, name: &str) -> Option<String> {
    String::from_utf8(record.get(name)?.to_vec()).ok()
}

/// Strings, numbers and lists of them: serialising them cannot fail.
fn json<T: serde::Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
