//! Levels of deeply nested brackets.
//!
//! ```text
//! ((([x BUG]) y))   =>   [x BUG]        three levels, with what is beside the next one
//! ```
//!
//! `brackets` asks one region after the other, each of which may contain what is needed: one ask for each level. Levels are
//! independent of each other, so a group of them is asked at once. Ordinary files are not nested so deeply; on them the pass does nothing.

use super::PlainView;
use super::brackets::Region;
use crate::{Edit, Pass, pass::MAX_EDITS};

/// Nests of fewer levels are left to the other passes.
const MIN_LEVELS: u32 = 32;

/// See the module.
pub struct Nests;

impl Pass<PlainView> for Nests {
    fn name(&self) -> &'static str {
        "nests"
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let nodes = nodes(view.regions());
        let mut edits = Vec::new();
        for root in nodes.iter().filter(|node| node.is_root && node.levels >= MIN_LEVELS) {
            let mut outer = root;
            while let Some(inner) = outer.deepest.map(|at| &nodes[at])
                && edits.len() < MAX_EDITS
            {
                edits.push(Edit::keep_part(outer.region.span, inner.region.span));
                outer = inner;
            }
        }
        edits
    }
}

/// A region among others.
struct Node {
    region: Region,
    /// The levels of brackets, including its own.
    levels: u32,
    /// The region directly within it that has most levels.
    deepest: Option<usize>,
    is_root: bool,
}

/// The tree of regions, which are ordered by their ends: inner ones come first. Linear.
fn nodes(regions: &[Region]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(regions.len());
    // Regions that are not yet within another one.
    let mut roots: Vec<usize> = Vec::new();
    for &region in regions {
        let mut node = Node { region, levels: 1, deepest: None, is_root: true };
        while let Some(at) = roots.pop_if(|at| region.span.contains(nodes[*at].region.span)) {
            nodes[at].is_root = false;
            if nodes[at].levels >= node.levels {
                (node.levels, node.deepest) = (nodes[at].levels + 1, Some(at));
            }
        }
        roots.push(nodes.len());
        nodes.push(node);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::plain::render;

    #[test]
    fn all_levels_but_the_innermost() {
        let levels = MIN_LEVELS as usize;
        let nested =
            |levels: usize| format!("a {}(x) BUG{} (y)", "([z] ".repeat(levels - 1), ")".repeat(levels - 1));
        let view = PlainView::new(nested(levels).into());
        let edits = Nests.edits(&view);
        assert_eq!(edits.len(), levels - 1);
        let mut merged = MergedEdits::default();
        assert!(edits.iter().all(|edit| merged.add(edit)), "levels are independent");
        assert_eq!(render(&view, &merged), b"a (x) (y)");
        assert!(Nests.edits(&PlainView::new(nested(levels - 1).into())).is_empty());
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        let text = ["([".repeat(500_000), "])".repeat(500_000)].concat();
        assert_eq!(Nests.edits(&PlainView::new(text.into())).len(), MAX_EDITS);
    }
}
