//! Runs a pass with a different scheme.

use nub_edits::{Edit, Grouping, MergedEdits, Pass};

/// One edit at a time; the list is rebuilt after a success. For edits that seldom succeed, where groups would only
/// waste asks.
pub(super) struct Singly<'p, V>(pub(super) &'p dyn Pass<V>);

impl<V> Pass<V> for Singly<'_, V> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn edits(&self, view: &V) -> Vec<Edit> {
        self.0.edits(view)
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }
}

/// All edits together, then halves, then quarters, and no smaller groups. For edits that mostly succeed or
/// fail together.
pub(super) struct Coarsely<'p, V> {
    pub(super) pass: &'p dyn Pass<V>,
    /// How often the whole is halved.
    pub(super) halvings: u32,
}

impl<V> Pass<V> for Coarsely<'_, V> {
    fn name(&self) -> &'static str {
        self.pass.name()
    }

    fn edits(&self, view: &V) -> Vec<Edit> {
        let edits = self.pass.edits(view);
        let mut groups: Vec<Edit> = Vec::new();
        for n in 0..=self.halvings {
            // With few edits, a half or a quarter may equal a group that was asked before.
            for group in edits.chunks(edits.len().div_ceil(1 << n).max(1)).map(together) {
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        groups
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }
}

/// Combines several edits into one, without those that conflict with earlier ones.
fn together(edits: &[Edit]) -> Edit {
    let mut merged = MergedEdits::default();
    for edit in edits {
        merged.add(edit);
    }
    Edit { splices: merged.splices() }
}
