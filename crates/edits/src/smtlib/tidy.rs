//! Removes comments and superfluous white space.
//!
//! ```text
//! ; why            =>   (assert (< x 1))
//! (assert   (< x
//!    1))
//! ```
//!
//! One edit for the whole file: one command per line, single blanks inside. If the failure needs the layout (a
//! lexer bug), the edit is rejected, and a second edit removes only comments.

use super::SmtView;
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// See the module.
pub struct SmtTidy;

impl Pass<SmtView> for SmtTidy {
    fn name(&self) -> &'static str {
        "tidy"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if !view.bracket_errors().is_empty() {
            return Vec::new();
        }
        let all = between(view, |_| true);
        let comments = view.has_comments().then(|| between(view, |text| text.contains(&b';')));
        [Some(all), comments].into_iter().flatten().filter(|edit| !edit.splices.is_empty()).collect()
    }
}

/// A script printed in the standard layout: one command per line, single blanks, no comments. Unchanged if its brackets are not balanced.
pub fn afresh(view: &SmtView) -> Vec<u8> {
    if !view.bracket_errors().is_empty() {
        return view.text().to_vec();
    }
    let mut text = crate::render(view.text(), &between(view, |_| true).splices);
    if !text.is_empty() {
        text.push(b'\n');
    }
    text
}

/// What is on both sides of a gap.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// Between two commands.
    Commands,
    /// Next to a bracket that needs no blank.
    Inside,
    /// Between two siblings.
    Siblings,
    /// Before the first or after the last command.
    Ends,
}

fn layout(gap: Gap) -> &'static [u8] {
    match gap {
        Gap::Commands => b"\n",
        Gap::Siblings => b" ",
        Gap::Inside | Gap::Ends => b"",
    }
}

/// Byte patterns instead of `==` on slices: a `memcmp` of length zero costs a hundred times more on processors with
/// masked loads, and there is an empty gap beside every bracket.
fn is_laid_out(text: &[u8], gap: Gap) -> bool {
    match gap {
        Gap::Commands => matches!(text, b"\n"),
        Gap::Siblings => matches!(text, b" "),
        Gap::Inside | Gap::Ends => text.is_empty(),
    }
}

/// An edit of every gap that differs from the layout and for which `wanted` holds. Nothing is allocated for
/// the other gaps: a large file has a million of them.
fn between(view: &SmtView, wanted: impl Fn(&[u8]) -> bool) -> Edit {
    let (tree, text) = (view.tree(), view.text());
    let mut splices: Vec<(Span, &[u8])> = Vec::new();
    let mut gap_at = |start: usize, end: usize, gap: Gap| {
        let old = &text[start..end];
        if !is_laid_out(old, gap) && wanted(old) {
            splices.push((Span::new(start, end), layout(gap)));
        }
    };
    let mut end = 0;
    for (index, node) in tree.roots().enumerate() {
        let span = tree.span(node);
        gap_at(end, span.start as usize, if index == 0 { Gap::Ends } else { Gap::Commands });
        end = span.end as usize;
    }
    gap_at(end, text.len(), Gap::Ends);
    for list in tree.nodes().filter(|&node| tree.is_list(node)) {
        let mut end = tree.span(list).start as usize + 1;
        for (index, child) in tree.children(list).enumerate() {
            gap_at(
                end,
                tree.span(child).start as usize,
                if index == 0 { Gap::Inside } else { Gap::Siblings },
            );
            end = tree.span(child).end as usize;
        }
        gap_at(end, tree.span(list).end as usize - 1, Gap::Inside);
    }
    Edit::of(splices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[test]
    fn one_command_per_line() {
        let view = SmtView::new(b"; c\n( assert   (< x ; d\n 1) )\n\n(check-sat) ; e\n");
        let edits = SmtTidy.edits(&view);
        assert_eq!(render(view.text(), &edits[0].splices), b"(assert (< x 1))\n(check-sat)");
        assert_eq!(edits.len(), 2);
    }
}
