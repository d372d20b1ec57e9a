//! Lowers the indices of operators.
//!
//! ```text
//! ((_ re.^ 40) r)   =>   ((_ re.^ 0) r), ((_ re.^ 1) r), ((_ re.^ 20) r)
//! (_ char #x196aa)  =>   (_ char #x0)
//! ```
//!
//! Indices that determine a width (`extract`, `zero_extend`) are also offered: the check of the whole candidate rejects those that do
//! not fit. Widths of sorts and formats of floating-point numbers are left to [`super::bv_width`] and
//! [`super::fp_format`], which change them everywhere.

use super::SmtView;
use super::literals::numerals;
use crate::{Edit, Pass};
use nub_smtlib::ops::{IndexRange, OperatorSignature, SmtOp, SortRule, Theory};
use nub_smtlib::{NodeId, NodeKind, NodeRole};

/// The pass does nothing on files with more terms.
const MAX_TERMS: usize = 2_000;

/// See the module.
pub struct Indices;

impl Pass<SmtView> for Indices {
    fn name(&self) -> &'static str {
        "indices"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        if view.terms().nth(MAX_TERMS).is_some() {
            return Vec::new();
        }
        let indices = view.tree().nodes().filter(|&node| view.analysis().role(node) == NodeRole::Index);
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for node in indices {
            let texts = smaller(view, node).into_iter().enumerate();
            edits.extend(texts.map(|(rank, text)| (rank, Edit::replace(view.span(node), text))));
        }
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

fn smaller(view: &SmtView, index: NodeId) -> Vec<Vec<u8>> {
    let text = view.slice(index);
    let mut all = match view.tree().kind(index) {
        NodeKind::Numeral => numerals(text),
        NodeKind::Hex => vec![b"#x0".to_vec(), text[..text.len() - 1].to_vec()],
        _ => Vec::new(),
    };
    let Some(op) = operator(view, index).filter(|op| op.theory != Theory::FloatingPoint) else {
        return Vec::new();
    };
    all.retain(|new| new != b"#x" && !(new == b"0" && is_positive(op)));
    all.retain(|new| new.len() < text.len() || (new.len() == text.len() && new.as_slice() < text));
    all.dedup();
    all
}

/// The operator that has this index.
fn operator(view: &SmtView, index: NodeId) -> Option<&'static SmtOp> {
    let list = view.tree().parent(index)?;
    view.analysis().op_of(view.tree().child(list, 1)?)
}

/// Whether the indices of an operator must be at least one.
fn is_positive(op: &SmtOp) -> bool {
    op.index_range == IndexRange::Positive
        || matches!(op.signature, OperatorSignature::Rule(SortRule::Repeat | SortRule::IntToBv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(term: &str) -> Vec<String> {
        let view =
            SmtView::new(format!("(declare-const r RegLan)(assert (str.in_re \"\" {term}))").as_bytes());
        let edits = Indices.edits(&view);
        edits.iter().map(|edit| String::from_utf8(edit.splices[0].text.to_vec()).unwrap()).collect()
    }

    #[test]
    fn indices_of_operators() {
        assert_eq!(all("((_ re.^ 9) r)"), ["0", "1", "2", "4", "7", "8"]);
        assert_eq!(all("((_ re.loop 1 2) r)"), ["0", "0", "1"]);
        assert_eq!(all("(str.to_re (_ char #x1f))"), ["#x0", "#x1"]);
        assert_eq!(all("(str.to_re (_ char #x0))"), Vec::<String>::new());
        assert_eq!(all("r"), Vec::<String>::new());
    }

    #[test]
    fn indices_that_begin_with_one_and_formats() {
        let all = |body: &str| Indices.edits(&SmtView::new(format!("(assert {body})").as_bytes())).len();
        assert_eq!(all("((_ divisible 1) 5)"), 0);
        assert_eq!(all("(= ((_ repeat 1) #b0) #b0)"), 0);
        assert_eq!(all("(fp.isNaN (_ NaN 8 24))"), 0);
        assert_eq!(all("((_ divisible 2) 5)"), 1);
    }
}
