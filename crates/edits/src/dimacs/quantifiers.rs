//! Flips a quantifier, so that its block joins its neighbours.
//!
//! ```text
//! e 1 0
//! a 2 0   =>   e 1 2 3 0
//! e 3 0
//! ```

use super::DimacsView;
use super::render::join;
use crate::{Edit, Pass};
use nub_dimacs::QuantifierBlock;
use nub_text::Span;

/// See the module.
pub struct DimacsQuantifiers;

impl Pass<DimacsView> for DimacsQuantifiers {
    fn name(&self) -> &'static str {
        "quantifiers"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let blocks = view.file().blocks();
        (0..blocks.len()).filter_map(|index| turn(view, blocks, index)).collect()
    }
}

fn turn(view: &DimacsView, blocks: &[QuantifierBlock], index: usize) -> Option<Edit> {
    let block = &blocks[index];
    let other = block.quantifier.other();
    let before = index.checked_sub(1).map(|before| &blocks[before]).filter(|b| b.quantifier == other);
    let after = blocks.get(index + 1).filter(|block| block.quantifier == other);
    let mut splices: Vec<(Span, Vec<u8>)> = Vec::new();
    let joins = [before.map(|before| join(view, before, block)), after.map(|after| join(view, block, after))];
    splices.extend(
        joins.into_iter().flatten().flat_map(|edit| edit.splices).map(|s| (s.span, s.text.into_vec())),
    );
    if before.is_none() {
        let letter = Span { start: block.span.start, end: block.span.start + 1 };
        splices.push((letter, vec![other.letter()]));
    }
    Edit::try_of(splices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn first_middle_last() {
        let view =
            DimacsView::new(b"p cnf 3 1\ne 1 0\na 2 0\ne 3 0\n1 2 3 0\n".to_vec(), DimacsKind::Qdimacs);
        let edits = DimacsQuantifiers.edits(&view);
        let after: Vec<String> = edits
            .iter()
            .map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap())
            .map(|text| text.lines().skip(1).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(after, ["a 1 2 0|e 3 0|1 2 3 0", "e 1 2 3 0|1 2 3 0", "e 1 0|a 2 3 0|1 2 3 0"]);
    }
}
