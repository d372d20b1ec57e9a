//! The total order in which every accepted candidate is smaller: by bytes, then tokens, then
//! lexicographically. It is well-founded, so reduction terminates.

use std::cmp::Ordering;

/// True if `left` comes before `right`.
pub fn is_smaller(left: &[u8], right: &[u8]) -> bool {
    let order = left
        .len()
        .cmp(&right.len())
        .then_with(|| if left == right { Ordering::Equal } else { n_tokens(left).cmp(&n_tokens(right)) })
        .then_with(|| left.cmp(right));
    order == Ordering::Less
}

/// Counts brackets, and sequences of bytes that are neither brackets nor white space.
fn n_tokens(text: &[u8]) -> usize {
    let mut n = 0;
    let mut in_atom = false;
    for &byte in text {
        let bracket = byte == b'(' || byte == b')';
        let atom = !bracket && byte > b' ';
        n += usize::from(bracket || (atom && !in_atom));
        in_atom = atom;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_then_tokens_then_lexical() {
        assert!(is_smaller(b"ab", b"abc"));
        assert!(is_smaller(b"abc", b"a c"));
        assert!(is_smaller(b"(f 0)", b"(f 7)"));
        assert!(!is_smaller(b"x", b"x"));
    }
}
