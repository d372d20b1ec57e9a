//! Replaces terms by a simpler expression, depending on their sort.
//!
//! ```text
//! (bvadd x y)  =>  (_ bv0 8)             x  =>  0       (or p q)  =>  false
//! (bvadd x y)  =>  _substvar_1_, declared at the top
//! ```
//!
//! Constants are skipped (§2.2), and so are fresh variables if the substitution is a fresh variable: otherwise no
//! fixpoint would be reached. Steps for sorts that the logic does not have find no terms.

use super::terms_of;
use crate::Edit;
use crate::dag::DagSubstitution;
use crate::smtlib::SmtView;
use nub_smtlib::{CommandKind, NodeId, NodeKind, SmtSort};

/// ddSMT's prefix for fresh variables; they are recognised by it in the next round.
const FRESH: &[u8] = b"_substvar_";

/// The sort of the terms to replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// `(_ BitVec n)` for any n
    BitVec,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `Bool`
    Bool,
}

/// The replacement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplacementValue {
    /// Constant 0 of the sort
    Zero,
    /// `false`
    False,
    /// `true`
    True,
    /// A variable that occurs nowhere else
    Fresh,
}

pub(super) fn items(
    view: &SmtView,
    kind: CommandKind,
    of: Of,
    value: ReplacementValue,
) -> Vec<DagSubstitution> {
    let mut next = if value == ReplacementValue::Fresh { first_fresh(view.text()) } else { 0 };
    let mut items = Vec::new();
    for term in terms_of(view, kind) {
        let Some((zero, sort)) = texts(view, term, of) else { continue };
        if is_constant(view, term) {
            continue;
        }
        let text = match value {
            ReplacementValue::Zero => zero,
            ReplacementValue::False => b"false".to_vec(),
            ReplacementValue::True => b"true".to_vec(),
            ReplacementValue::Fresh if view.slice(term).starts_with(FRESH) => continue,
            ReplacementValue::Fresh => {
                next += 1;
                format!("_substvar_{next}_").into_bytes()
            }
        };
        let declaration = (value == ReplacementValue::Fresh)
            .then(|| [b"(declare-fun ", &text[..], b" () ", &sort, b")\n"].concat());
        items.push(DagSubstitution { edit: Edit::replace(view.span(term), text), declaration });
    }
    items
}

/// Constant 0 and the name of the sort, if the term has the requested sort.
fn texts(view: &SmtView, term: NodeId, of: Of) -> Option<(Vec<u8>, Vec<u8>)> {
    let (zero, sort) = match (of, view.analysis().sorts().get(view.sort(term)?)) {
        (Of::BitVec, SmtSort::BitVec(width)) => (format!("(_ bv0 {width})"), format!("(_ BitVec {width})")),
        (Of::Int, SmtSort::Int) => ("0".to_owned(), "Int".to_owned()),
        (Of::Real, SmtSort::Real) => ("0.0".to_owned(), "Real".to_owned()),
        (Of::Bool, SmtSort::Bool) => ("false".to_owned(), "Bool".to_owned()),
        _ => return None,
    };
    Some((zero.into_bytes(), sort.into_bytes()))
}

/// True for literals; variables are not constants in the terminology of [Niemetz13].
fn is_constant(view: &SmtView, term: NodeId) -> bool {
    match view.tree().kind(term) {
        NodeKind::Numeral | NodeKind::Decimal | NodeKind::Hex | NodeKind::Binary | NodeKind::String => true,
        NodeKind::List => view.head_symbol(term) == Some(b"_"),
        _ => matches!(view.slice(term), b"true" | b"false"),
    }
}

/// The largest number of a fresh variable in the text.
fn first_fresh(text: &[u8]) -> u64 {
    let numbers = memchr::memmem::find_iter(text, FRESH).map(|at| {
        let digits = text[at + FRESH.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0u64, |n, digit| n.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    });
    // A number of twenty digits in the input must not cause an overflow.
    numbers.max().unwrap_or(0).min(u64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    const TEXT: &[u8] = b"(declare-const x (_ BitVec 8))(declare-const _substvar_4_ Int)\
        (assert (= (bvadd x #x01) (_ bv1 8)))(assert (< _substvar_4_ 1))";

    fn each(of: Of, value: ReplacementValue) -> Vec<String> {
        let view = SmtView::new(TEXT);
        let items = items(&view, CommandKind::Assert, of, value);
        let cut = |item: &DagSubstitution| {
            let text = render(TEXT, &item.edit.splices);
            String::from_utf8(text[62..].to_vec()).unwrap()
        };
        items.iter().map(cut).collect()
    }

    #[test]
    fn constants_are_skipped() {
        let zeros = each(Of::BitVec, ReplacementValue::Zero);
        assert_eq!(zeros.len(), 2);
        assert_eq!(zeros[0], "(assert (= (_ bv0 8) (_ bv1 8)))(assert (< _substvar_4_ 1))");
        assert_eq!(zeros[1], "(assert (= (bvadd (_ bv0 8) #x01) (_ bv1 8)))(assert (< _substvar_4_ 1))");
        assert_eq!(each(Of::Bool, ReplacementValue::True).len(), 2);
    }

    #[test]
    fn fresh_variables_are_new_and_stay() {
        let view = SmtView::new(TEXT);
        assert_eq!(each(Of::Int, ReplacementValue::Zero).len(), 1);
        assert!(items(&view, CommandKind::Assert, Of::Int, ReplacementValue::Fresh).is_empty());
        let fresh = items(&view, CommandKind::Assert, Of::BitVec, ReplacementValue::Fresh);
        assert_eq!(
            fresh[0].declaration.as_deref(),
            Some(&b"(declare-fun _substvar_5_ () (_ BitVec 8))\n"[..])
        );
        assert_eq!(&fresh[1].edit.splices[0].text[..], b"_substvar_6_");
    }
}
