//! A script with its declared names replaced by numbers and without its layout: two scripts that differ only in these
//! become equal.
//!
//! ```text
//! (declare-const x Int) (assert (= x y))   =>   (declare-const ⟨0⟩ Int) (assert (= ⟨0⟩ y))
//! ```
//!
//! Names are replaced regardless of scope: a name has the same number everywhere. That is a renaming of the whole script, so scripts
//! with the same result are renamings of each other; but scripts that only differ by a renaming within one scope may have different
//! results.

use super::SmtView;
use rustc_hash::{FxHashMap, FxHashSet};

/// Precedes every atom, so that adjacent atoms stay separate.
const ATOM: u8 = 1;
/// Precedes every number.
const NUMBER: u8 = 2;

/// The script with numbers for names, in the order in which they first occur, and without its layout. Linear in the
/// script.
pub fn up_to_names(view: &SmtView) -> Vec<u8> {
    let (tree, text) = (view.tree(), view.text());
    let declared: FxHashSet<&[u8]> =
        view.analysis().decls().iter().map(|decl| view.slice(decl.name)).collect();
    let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for node in tree.nodes().filter(|&node| !tree.is_list(node)) {
        let span = view.span(node).range();
        push_brackets(&mut out, &text[from..span.start]);
        from = span.end;
        let atom = view.slice(node);
        if tree.is_symbol(node) && declared.contains(atom) {
            let n_known = numbers.len();
            out.push(NUMBER);
            out.extend_from_slice(&numbers.entry(atom).or_insert(n_known).to_ne_bytes());
        } else {
            out.push(ATOM);
            out.extend_from_slice(atom);
        }
    }
    push_brackets(&mut out, &text[from..]);
    out
}

fn push_brackets(out: &mut Vec<u8>, gap: &[u8]) {
    out.extend(gap.iter().filter(|byte| matches!(byte, b'(' | b')')));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<u8> {
        up_to_names(&SmtView::new(text.as_bytes()))
    }

    #[test]
    fn renamings_are_the_same_and_nothing_else_is() {
        let text = of("(declare-const x Int)(declare-const y Int)(assert (< x y 0))");
        assert_eq!(of("(declare-const y Int)(declare-const foo Int)(assert (< y foo 0))"), text);
        assert_eq!(of("(declare-const x Int)\n(declare-const y Int)(assert(<  x y 0) )"), text, "layout");
        for other in [
            "(declare-const x Int)(declare-const y Int)(assert (< y x 0))",
            "(declare-const x Int)(declare-const y Int)(assert (< x x 0))",
            "(declare-const x Int)(declare-const y Int)(assert (< x y 1))",
            "(declare-const x Int)(declare-const y Int)(assert (> x y 0))",
        ] {
            assert_ne!(of(other), text, "{other}");
        }
    }

    #[test]
    fn bound_names_count_too() {
        assert_eq!(of("(assert (forall ((x Int)) (= x z)))"), of("(assert (forall ((y Int)) (= y z)))"));
        assert_ne!(of("(assert (forall ((x Int)) (= x z)))"), of("(assert (forall ((x Int)) (= z x)))"));
    }
}
