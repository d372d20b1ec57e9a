//! Removes blanks that no token needs, as the very last step.
//!
//! ```text
//! (assert (= (f x) (g y)))   =>   (assert(=(f x)(g y)))
//! ```
//!
//! Each command stays on its own line. One edit per blank, so that a failure that needs some of them keeps only
//! those.

use super::SmtView;
use crate::{Edit, Pass};
use nub_text::Span;

/// The pass does nothing on larger files.
const MAX_NODES: usize = 10_000;

/// See the module.
pub struct Squeeze;

impl Pass<SmtView> for Squeeze {
    fn name(&self) -> &'static str {
        "squeeze"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let tree = view.tree();
        if tree.len() > MAX_NODES || view.has_comments() {
            return Vec::new();
        }
        let inner = tree.nodes().filter(|&node| tree.parent(node).is_some());
        inner.filter_map(|node| blank_before(view.text(), view.span(node))).map(Edit::cut).collect()
    }
}

/// The white space before a node, if there is a bracket on at least one side of it.
fn blank_before(text: &[u8], node: Span) -> Option<Span> {
    let start = text[..node.range().start].iter().rposition(|&byte| byte > b' ')? + 1;
    let next_to_bracket = matches!(text[start - 1], b'(' | b')') || text[node.range().start] == b'(';
    (start < node.range().start && next_to_bracket).then(|| Span::new(start, node.range().start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[test]
    fn atoms_stay_apart() {
        let view = SmtView::new(b"(assert (= (f x) y \"a\" \"b\" (g z)))\n(check-sat)");
        let edits = Squeeze.edits(&view);
        let all = Edit::of(
            edits.into_iter().flat_map(|edit| edit.splices).map(|splice| (splice.span, splice.text)),
        );
        assert_eq!(render(view.text(), &all.splices), b"(assert(=(f x)y \"a\" \"b\"(g z)))\n(check-sat)");
    }
}
