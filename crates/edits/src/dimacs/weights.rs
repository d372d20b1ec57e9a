//! Lowers weights.
//!
//! ```text
//!               one        fewer
//! 35 1 0        1 1 0      3 1 0, 18 1 0, ... 34 1 0
//! h 1 2 0  =>   1 1 2 0
//! ```
//!
//! A hard clause becomes a soft one of weight 1. A soft clause whose weight has at least two digits is tried as a hard one if
//! that is shorter (`h`).

use super::DimacsView;
use crate::smaller_numbers::smaller;
use crate::{Edit, Pass};
use nub_dimacs::{ClauseId, DimacsKind, Weight};

/// How far to lower weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimacsWeights {
    /// To 1, or to `h`.
    One,
    /// One digit less, half, ... one less.
    Fewer,
}

impl Pass<DimacsView> for DimacsWeights {
    fn name(&self) -> &'static str {
        match self {
            DimacsWeights::One => "weights-one",
            DimacsWeights::Fewer => "weights-fewer",
        }
    }

    /// Soft clauses first. If a weight has several edits, a group takes the first.
    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let file = view.file();
        let ids = (0..file.clauses().len() as u32).map(ClauseId);
        let weights = ids.filter_map(|id| Some((file.is_hard(id), *file.weight(id)?)));
        let (hard, soft): (Vec<_>, Vec<_>) = weights.partition(|(is_hard, _)| *is_hard);
        let mut edits = Vec::new();
        match self {
            DimacsWeights::One => {
                let all = soft.iter().chain(&hard).map(|(_, weight)| weight);
                let larger = all.filter(|weight| weight.value != Some(1));
                edits.extend(larger.map(|weight| Edit::replace(weight.span, b"1".as_slice())));
                if file.kind() == DimacsKind::WcnfNew {
                    let long = soft.iter().filter(|(_, weight)| weight.span.len() > 1);
                    edits.extend(long.map(|(_, weight)| Edit::replace(weight.span, b"h".as_slice())));
                }
            }
            DimacsWeights::Fewer => edits.extend(soft.iter().flat_map(|(_, weight)| fewer(weight))),
        }
        edits
    }
}

fn fewer(weight: &Weight) -> impl Iterator<Item = Edit> + use<> {
    let span = weight.span;
    let values = smaller(weight.value.unwrap_or(0)).filter(|&value| value > 1);
    values.map(move |value| Edit::replace(span, value.to_string().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pass: DimacsWeights, text: &str, kind: DimacsKind) -> Vec<String> {
        let view = DimacsView::new(text.into(), kind);
        let splice = |edit: &Edit| String::from_utf8(edit.splices[0].text.to_vec()).unwrap();
        pass.edits(&view).iter().map(splice).collect()
    }

    #[test]
    fn what_is_asked() {
        let text = "h 1 0\n35 1 0\n1 2 0\n7 1 0\n";
        assert_eq!(texts(DimacsWeights::One, text, DimacsKind::WcnfNew), ["1", "1", "1", "h"]);
        assert_eq!(
            texts(DimacsWeights::Fewer, text, DimacsKind::WcnfNew),
            ["3", "18", "27", "31", "33", "34", "4", "6"]
        );
        let old = "p wcnf 2 2 40\n40 1 0\n35 1 0\n";
        assert_eq!(texts(DimacsWeights::One, old, DimacsKind::Wcnf), ["1", "1"]);
    }
}
