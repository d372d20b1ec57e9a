//! A pass under another scheme than its own.

use nub_edits::{Edit, Grouping, MergedEdits, Pass};

/// One edit at a time, the list rebuilt after a success: for edits that seldom succeed, where groups would only cost.
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

/// All edits at once, the halves, the quarters, and no less: for edits of which most succeed or none.
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
            // Of few edits a half or a quarter may be what was asked for before.
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

/// One edit of several; those in conflict with earlier ones are left out.
fn together(edits: &[Edit]) -> Edit {
    let mut merged = MergedEdits::default();
    for edit in edits {
        merged.add(edit);
    }
    Edit { splices: merged.splices() }
}
