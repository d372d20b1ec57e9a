//! The two runs side by side: only what differs, in the order of the source.

use crate::story::{Delta, DeltaKind, Story};

/// One value that differs.
pub(super) struct Row<'s> {
    /// What differs.
    pub delta: &'s Delta,
    /// In the failing run; in parentheses if it is not executed.
    pub fails: String,
    /// In the passing run.
    pub passes: String,
    /// Whether it is in the slice that is shown.
    pub is_needed: bool,
}

impl Row<'_> {
    /// The variable, or the condition in parentheses.
    pub fn name(&self) -> String {
        let what = &self.delta.what;
        match self.delta.kind {
            DeltaKind::Guard => format!("({what})"),
            DeltaKind::Phi => format!("{what}, where paths meet"),
            _ => what.clone(),
        }
    }
}

/// The rows by file and line; values of one line in the order in which they are computed. Values without a line, where paths merge, come last in
/// their file. O(n log n).
pub(super) fn rows(story: &Story) -> Vec<Row<'_>> {
    let needed = story.slices.first().map_or(&[][..], Vec::as_slice);
    let mut rows: Vec<Row<'_>> = story
        .deltas
        .iter()
        .enumerate()
        .map(|(index, delta)| Row {
            delta,
            fails: shown(delta, &delta.before, delta.is_executed_before),
            passes: shown(delta, &delta.after, delta.is_executed_after),
            is_needed: needed.contains(&index),
        })
        .collect();
    rows.sort_by_key(|row| (&row.delta.place.file, row.delta.place.line.unwrap_or(u32::MAX)));
    rows
}

/// A guard includes the path to it, so it always has a value.
fn shown(delta: &Delta, value: &str, is_executed: bool) -> String {
    match delta.kind {
        DeltaKind::Guard if value == "0" => "false".to_owned(),
        DeltaKind::Guard => "true".to_owned(),
        _ if is_executed => value.to_owned(),
        _ => format!("({value})"),
    }
}
