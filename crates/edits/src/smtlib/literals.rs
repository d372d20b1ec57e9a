//! Shrinks literals: numbers, bit-vectors, strings.
//!
//! ```text
//! 1234   => 0, 1, 2, 617, 926    #xdeadbeef => #x00000000, #x00000001     "abcd" => "", "ab", "cd"
//! 12.75  => 0.0, 1.0, 12.0       (_ bv5 4)  => #b0000, #b0101 (shorter notation)
//! ```
//!
//! The sort does not change: a numeral stays a numeral, a bit-vector keeps its width.

use super::SmtView;
use super::values::bit_vector;
use crate::dag::KnownConstant;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{NodeId, NodeKind, SmtSort};

/// Limit on the digits that are read as a number; longer numbers are cut in half.
const MAX_DIGITS: usize = 18;

/// See the module.
pub struct SmtLiterals;

impl Pass<SmtView> for SmtLiterals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        edits(view, |_| true)
    }
}

/// Only one kind of literals, for ddSMT's mutators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralsOf {
    /// Numerals and decimals.
    Numbers,
    /// Bit-vectors.
    Bits,
    /// Strings.
    Strings,
}

impl Pass<SmtView> for LiteralsOf {
    fn name(&self) -> &'static str {
        match self {
            LiteralsOf::Numbers => "number-literals",
            LiteralsOf::Bits => "bit-vector-literals",
            LiteralsOf::Strings => "string-literals",
        }
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        edits(view, |kind| match kind {
            NodeKind::Numeral | NodeKind::Decimal => *self == LiteralsOf::Numbers,
            NodeKind::String => *self == LiteralsOf::Strings,
            _ => *self == LiteralsOf::Bits,
        })
    }
}

/// Edits of the literals of some kinds, the simplest choice of each first.
fn edits(view: &SmtView, is_wanted: impl Fn(NodeKind) -> bool) -> Vec<Edit> {
    let mut edits: Vec<(usize, Edit)> = Vec::new();
    for term in view.terms().filter(|&term| is_wanted(view.tree().kind(term))) {
        if edits.len() >= MAX_EDITS {
            break;
        }
        for (rank, text) in smaller(view, term).into_iter().enumerate() {
            edits.push((rank, Edit::replace(view.span(term), text)));
        }
    }
    edits.sort_by_key(|(rank, _)| *rank);
    edits.into_iter().map(|(_, edit)| edit).collect()
}

/// Simpler literals of the same sort, simplest first.
fn smaller(view: &SmtView, term: NodeId) -> Vec<Vec<u8>> {
    let text = view.slice(term);
    let mut all = match view.tree().kind(term) {
        NodeKind::Numeral => numerals(text),
        NodeKind::Decimal => decimals(text),
        NodeKind::String => strings(text),
        NodeKind::Binary | NodeKind::Hex => bit_vectors(view, term),
        NodeKind::List if is_indexed_bit_vector(view, term) => bit_vectors(view, term),
        _ => Vec::new(),
    };
    all.retain(|new| new.len() < text.len() || (new.len() == text.len() && new.as_slice() < text));
    all
}

/// Smaller numerals, smallest first; some may be larger, or the same.
pub(super) fn numerals(text: &[u8]) -> Vec<Vec<u8>> {
    if text.len() > MAX_DIGITS {
        return vec![b"0".to_vec(), text[..text.len() / 2].to_vec()];
    }
    let Ok(value) = String::from_utf8_lossy(text).parse::<u64>() else { return Vec::new() };
    let mut all = vec![0, 1, 2, value / 2, value - value / 4, value - value / 8, value.saturating_sub(1)];
    all.dedup();
    all.into_iter().map(|n| n.to_string().into_bytes()).collect()
}

fn decimals(text: &[u8]) -> Vec<Vec<u8>> {
    let whole = &text[..text.iter().position(|&byte| byte == b'.').unwrap_or(text.len())];
    let mut all = vec![b"0.0".to_vec(), b"1.0".to_vec(), [whole, b".0"].concat()];
    all.extend(numerals(whole).into_iter().map(|whole| [&whole[..], b".0"].concat()));
    // Fewer digits after the point.
    all.push(text[..text.len() - 1].to_vec());
    all.retain(|new| !new.ends_with(b"."));
    all
}

fn strings(text: &[u8]) -> Vec<Vec<u8>> {
    let inner = &text[1..text.len().saturating_sub(1).max(1)];
    let quote = |part: &[u8]| [b"\"", part, b"\""].concat();
    // Splitting a string may split an escape, but the sort is still String.
    let middle = (inner.len() / 2..inner.len()).find(|&at| !inner[..at].ends_with(b"\"")).unwrap_or(0);
    let mut all = vec![quote(b"")];
    if !inner.contains(&b'"') && inner.len() > 1 {
        all.extend([
            quote(&inner[..middle]),
            quote(&inner[middle..]),
            quote(&inner[1..]),
            quote(&inner[..inner.len() - 1]),
        ]);
    }
    if inner.len() == 1 {
        all.push(quote(b"0"));
    }
    all
}

fn is_indexed_bit_vector(view: &SmtView, term: NodeId) -> bool {
    view.head_symbol(term) == Some(b"_")
        && view.tree().child(term, 1).is_some_and(|name| view.slice(name).starts_with(b"bv"))
}

fn bit_vectors(view: &SmtView, term: NodeId) -> Vec<Vec<u8>> {
    let Some(&SmtSort::BitVec(width)) = view.sort(term).map(|sort| view.analysis().sorts().get(sort)) else {
        return Vec::new();
    };
    let mut all = vec![bit_vector(width, KnownConstant::Zero)];
    all.extend(notations(width, 1).into_iter().next());
    if let Some(value) = value(view, term) {
        all.extend(notations(width, value));
    }
    all
}

/// The value of a bit-vector literal of at most 64 bits.
pub(super) fn value(view: &SmtView, term: NodeId) -> Option<u64> {
    let text = |node| std::str::from_utf8(view.slice(node)).ok();
    match view.tree().kind(term) {
        NodeKind::Binary => u64::from_str_radix(&text(term)?[2..], 2).ok(),
        NodeKind::Hex => u64::from_str_radix(&text(term)?[2..], 16).ok(),
        _ => text(view.tree().child(term, 1)?)?[2..].parse().ok(),
    }
}

fn notations(width: u32, value: u64) -> Vec<Vec<u8>> {
    if width > 64 {
        return vec![format!("(_ bv{value} {width})").into_bytes()];
    }
    let (w, quarter) = (width as usize, width as usize / 4);
    let mut all = vec![format!("#b{value:0w$b}").into_bytes(), format!("(_ bv{value} {width})").into_bytes()];
    if width.is_multiple_of(4) {
        all.push(format!("#x{value:0quarter$x}").into_bytes());
    }
    all.retain(|text| text.len() <= w + 12);
    all.sort_by_key(Vec::len);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let view = SmtView::new(format!("(assert (= {text} {text}))").as_bytes());
        let term = view.terms().nth(1).unwrap();
        smaller(&view, term).into_iter().map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn simpler_of_the_same_sort() {
        assert_eq!(all("9"), ["0", "1", "2", "4", "7", "8"]);
        assert_eq!(all("1.25")[..2], ["0.0", "1.0"]);
        assert_eq!(all("\"abcd\"")[..3], ["\"\"", "\"ab\"", "\"cd\""]);
        assert_eq!(all("(_ bv5 4)")[..2], ["#x0", "#x1"]);
        assert_eq!(all("#x0000"), Vec::<String>::new());
    }
}
