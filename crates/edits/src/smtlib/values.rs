//! The simplest value of a sort, and sorts as text.

use super::SmtView;
use crate::dag::KnownConstant;
use nub_smtlib::{DeclKind, NodeId, SmtSort, SortId};

/// The longest sort that is written; longer ones get no value.
const MAX_SORT_TEXT: usize = 256;

/// The values that can replace a term of this sort at this node, simplest first.
pub(super) fn values(view: &SmtView, sort: SortId, at: NodeId) -> Vec<Vec<u8>> {
    let text = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match view.analysis().sorts().get(sort) {
        SmtSort::Bool => text(&["false", "true"]),
        SmtSort::Int => text(&["0", "1"]),
        SmtSort::Real => text(&["0.0", "1.0"]),
        SmtSort::String => text(&["\"\""]),
        SmtSort::RegLan => text(&["re.none", "re.all"]),
        SmtSort::RoundingMode => text(&["RNE"]),
        SmtSort::BitVec(width) => {
            vec![bit_vector(*width, KnownConstant::Zero), bit_vector(*width, KnownConstant::Ones)]
        }
        SmtSort::Float(exponent, significand) => {
            let value = |name: &str| format!("(_ {name} {exponent} {significand})").into_bytes();
            vec![value("+zero"), value("NaN")]
        }
        SmtSort::FiniteField(prime) => {
            vec![[b"(as ff0 (_ FiniteField ", &prime[..], b"))"].concat()]
        }
        SmtSort::Seq(_) => of_sort(view, sort, "(as seq.empty ", ")"),
        SmtSort::Set(_) => of_sort(view, sort, "(as set.empty ", ")"),
        SmtSort::Bag(_) => of_sort(view, sort, "(as bag.empty ", ")"),
        SmtSort::User(..) => [constructors(view, sort, at), constants(view, sort, at)].concat(),
        SmtSort::Array(..) | SmtSort::Fun(_) | SmtSort::Other(_) | SmtSort::Tuple(_) => {
            constants(view, sort, at)
        }
        SmtSort::Unknown | SmtSort::Param(_) => Vec::new(),
    }
}

/// Zero or all ones of a width, in the shortest notation.
pub(super) fn bit_vector(width: u32, value: KnownConstant) -> Vec<u8> {
    let ones = value == KnownConstant::Ones;
    let digits = |prefix: &[u8], digit: u8, n: u32| [prefix, &vec![digit; n as usize]].concat();
    let mut all = vec![digits(b"#b", if ones { b'1' } else { b'0' }, width.min(MAX_DIGITS))];
    if width.is_multiple_of(4) {
        all.push(digits(b"#x", if ones { b'f' } else { b'0' }, (width / 4).min(MAX_DIGITS)));
    }
    if !ones {
        all.push(format!("(_ bv0 {width})").into_bytes());
    }
    // A notation that was truncated does not have the right width: for very wide ones only the indexed form is left.
    all.retain(|text| width <= MAX_DIGITS || text.starts_with(b"("));
    all.into_iter().min_by_key(Vec::len).unwrap_or_else(|| format!("(_ bv1 {width})").into_bytes())
}

/// The largest width at which literals are written digit by digit.
const MAX_DIGITS: u32 = 256;

fn constants(view: &SmtView, sort: SortId, at: NodeId) -> Vec<Vec<u8>> {
    let visible = view.variables().visible(view, sort, at);
    visible.take(1).map(|id| view.slice(view.analysis().decl(id).name).to_vec()).collect()
}

/// Nullary constructors of a datatype that is not an instance of a parametric one: those need no qualification.
fn constructors(view: &SmtView, sort: SortId, at: NodeId) -> Vec<Vec<u8>> {
    let analysis = view.analysis();
    let ids = analysis.decl_ids().filter(|&id| {
        let decl = analysis.decl(id);
        decl.kind == DeclKind::Constructor
            && decl.params.is_empty()
            && decl.result == sort
            && decl.scope.0 <= at
            && at < decl.scope.1
    });
    ids.take(1).map(|id| view.slice(analysis.decl(id).name).to_vec()).collect()
}

fn of_sort(view: &SmtView, sort: SortId, before: &str, after: &str) -> Vec<Vec<u8>> {
    sort_text(view, sort)
        .map(|text| [before.as_bytes(), &text, after.as_bytes()].concat())
        .into_iter()
        .collect()
}

/// A sort as text, or `None` if it has no name or a very long one.
pub(super) fn sort_text(view: &SmtView, sort: SortId) -> Option<Vec<u8>> {
    // A sort parameter has a name, but not one that can be used outside its declaration.
    let is_closed = !matches!(view.analysis().sorts().get(sort), SmtSort::Unknown | SmtSort::Param(_));
    view.analysis().sort_text(view.script(), sort, MAX_SORT_TEXT).filter(|_| is_closed)
}
