//! `push` and `pop` go in pairs: with all that is between them, or alone.
//!
//! ```text
//! (push 1)                              (push 1)
//! (assert a)   =>   (check-sat)   or    (assert a)   =>   (assert a)
//! (pop 1)                               (pop 1)           (check-sat)
//! (check-sat)                           (check-sat)
//! ```

use super::View;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, Kind, NodeId};
use nub_text::Span;

/// What goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scopes {
    /// The pair and everything between.
    Whole,
    /// The pair alone; its content moves to the scope around it.
    Pair,
}

impl Pass<View> for Scopes {
    fn name(&self) -> &'static str {
        match self {
            Scopes::Whole => "scopes",
            Scopes::Pair => "push-pop",
        }
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        let mut edits = Vec::new();
        for Pair { push, pop } in pairs(view) {
            match (self, pop) {
                (Scopes::Whole, Some(pop)) => {
                    let (first, last) = (view.cut_span(push), view.span(pop));
                    edits.push(Edit::cut(Span { start: first.start, end: last.end }));
                }
                (Scopes::Pair, Some(pop)) => {
                    let cuts = [view.cut_span(push), view.cut_span(pop)];
                    edits.push(Edit::of(cuts.map(|span| (span, Vec::new()))));
                }
                // A scope that is never closed.
                (_, None) => edits.push(view.cut(push)),
            }
        }
        edits
    }
}

struct Pair {
    push: NodeId,
    pop: Option<NodeId>,
}

/// Matching commands of one level each, outermost first. A `push` or `pop` of several levels is in no pair.
fn pairs(view: &View) -> Vec<Pair> {
    let mut open: Vec<(Option<NodeId>, usize)> = Vec::new();
    let mut pairs = Vec::new();
    for &(node, kind) in view.commands() {
        match (kind, levels(view, node)) {
            (CommandKind::Push, 1) => {
                open.push((Some(node), pairs.len()));
                pairs.push(Pair { push: node, pop: None });
            }
            (CommandKind::Push, n) => open.extend((0..n.min(MAX_LEVELS)).map(|_| (None, 0))),
            (CommandKind::Pop, 1) => {
                if let Some((Some(_), index)) = open.pop() {
                    pairs[index].pop = Some(node);
                }
            }
            (CommandKind::Pop, n) => open.truncate(open.len().saturating_sub(n)),
            _ => {}
        }
    }
    // A push that a many-level pop closes has no partner of its own, and must not be cut alone.
    let unclosed: Vec<NodeId> = open.into_iter().filter_map(|(push, _)| push).collect();
    pairs.retain(|pair| pair.pop.is_some() || unclosed.contains(&pair.push));
    pairs
}

/// Levels of one command that are tracked.
const MAX_LEVELS: usize = 1 << 10;

fn levels(view: &View, command: NodeId) -> usize {
    match view.tree().child(command, 1) {
        Some(n) if view.tree().kind(n) == Kind::Numeral => {
            std::str::from_utf8(view.slice(n)).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
        }
        _ => 1,
    }
}
