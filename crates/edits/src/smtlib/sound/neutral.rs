//! What the rules about numbers share: literals, and removing neutral arguments.

use super::application;
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::{NodeId, NodeKind, SortId};

/// True for a literal of this value, written as `1`, `1.0`, `01.00` or similar.
pub(super) fn is_number(view: &SmtView, node: NodeId, value: u8) -> bool {
    if !matches!(view.tree().kind(node), NodeKind::Numeral | NodeKind::Decimal) {
        return false;
    }
    let mut parts = view.slice(node).splitn(2, |&byte| byte == b'.');
    let (whole, fraction) = (parts.next().unwrap_or(b""), parts.next().unwrap_or(b""));
    let significant: &[u8] = &whole[whole.iter().take_while(|&&byte| byte == b'0').count()..];
    let expected: &[u8] = if value == 0 { b"" } else { b"1" };
    significant == expected && fraction.iter().all(|&byte| byte == b'0')
}

/// True if the term is certainly an integer or a real number.
pub(super) fn is_numeric(view: &SmtView, term: NodeId) -> bool {
    matches!(view.sort(term), Some(SortId::INT | SortId::REAL))
}

/// The term without the arguments that are the neutral element of its operator, if that keeps its sort.
pub(super) fn without(view: &SmtView, term: NodeId, op: &str, neutral: u8) -> Option<Edit> {
    let (actual, args) = application(view, term)?;
    if actual != op || args.len() < 2 || !is_numeric(view, term) {
        return None;
    }
    let (dropped, kept): (Vec<NodeId>, Vec<NodeId>) =
        args.into_iter().partition(|&arg| is_number(view, arg, neutral));
    let of_sort = |nodes: &[NodeId]| nodes.iter().copied().find(|&node| view.sort(node) == view.sort(term));
    match (&dropped[..], &kept[..]) {
        ([], _) => None,
        (all, []) => Some(Edit::keep_part(view.span(term), view.span(of_sort(all)?))),
        (_, [only]) => {
            of_sort(&kept)?;
            Some(Edit::keep_part(view.span(term), view.span(*only)))
        }
        _ => {
            of_sort(&kept)?;
            Some(Edit::of(dropped.iter().map(|&node| (view.cut_span(node), Vec::new()))))
        }
    }
}
