//! What must hold for every input, as functions that panic otherwise.
//!
//! The fuzz targets in `fuzz/` and the tests call the same functions. An input that once failed is reduced and kept
//! as a numbered file in `tests/fuzz-failures/`.

use crate::{Analysis, DeclKind, NodeId, NodeKind, NodeRole, Script, SortId, Tree};
use nub_text::Span;

/// The tree: spans nest and are in order, there is nothing but white space and comments between tokens, and writing
/// tokens and gaps back gives the input.
///
/// # Panics
/// If that does not hold.
pub fn check_tree(text: &[u8]) {
    let (tree, diagnostics) = Tree::parse(text);
    for node in tree.nodes() {
        check_place(&tree, node);
    }
    for diagnostic in &diagnostics {
        assert!(diagnostic.span.end as usize <= text.len() && diagnostic.hint.is_some());
    }
    assert_eq!(Tree::first_fault(text), diagnostics.first().cloned(), "the same without a tree");
    let mut n_stray = 0;
    let mut printed = Vec::with_capacity(text.len());
    for token in tokens(&tree, text) {
        assert!(token.start as usize >= printed.len(), "tokens do not overlap");
        let gap = Span::new(printed.len(), token.start as usize);
        n_stray += check_gap(gap.slice(text));
        printed.extend_from_slice(gap.slice(text));
        printed.extend_from_slice(token.slice(text));
    }
    let rest = &text[printed.len()..];
    n_stray += check_gap(rest);
    printed.extend_from_slice(rest);
    assert_eq!(printed, text, "printing inverts parsing");
    assert!(n_stray <= diagnostics.len(), "a stray bracket is reported");
}

fn check_place(tree: &Tree, node: NodeId) {
    let span = tree.span(node);
    assert!(!span.is_empty(), "a node has at least one byte");
    assert!(tree.size(node) >= 1 && tree.after(node).index() <= tree.len());
    assert_eq!(tree.first_from(span.start), node, "nodes are in order of their first byte");
    let mut end = span.start + 1;
    for child in tree.children(node) {
        assert_eq!(tree.parent(child), Some(node));
        assert!(tree.is_list(node) && span.contains(tree.span(child)), "a child lies in its list");
        assert!(tree.span(child).start >= end, "siblings are in order and apart");
        end = tree.span(child).end;
    }
}

/// Atoms and brackets in the order of the text. An unclosed list has no closing bracket.
fn tokens(tree: &Tree, text: &[u8]) -> Vec<Span> {
    let mut tokens = Vec::new();
    for node in tree.nodes() {
        let span = tree.span(node);
        if !tree.is_list(node) {
            tokens.push(span);
            continue;
        }
        assert_eq!(text[span.start as usize], b'(');
        tokens.push(Span { start: span.start, end: span.start + 1 });
        if is_closed(tree, node, text) {
            tokens.push(Span { start: span.end - 1, end: span.end });
        }
    }
    tokens.sort_unstable();
    tokens
}

/// An unclosed list extends to the end of the input, so its last byte is part of a child, a comment or a nested list.
fn is_closed(tree: &Tree, list: NodeId, text: &[u8]) -> bool {
    let span = tree.span(list);
    if (span.end as usize) < text.len() {
        assert_eq!(text[span.end as usize - 1], b')', "a list that ends before the input ends is closed");
        return true;
    }
    let last = tree.children(list).last();
    let from = last.map_or(span.start + 1, |child| tree.span(child).end);
    let gap = Span { start: from.min(span.end), end: span.end };
    gap.slice(text).last() == Some(&b')') && check_gap(gap.slice(text)) == 1
}

/// Number of stray brackets between two tokens.
fn check_gap(gap: &[u8]) -> usize {
    let mut n_stray = 0;
    let mut in_comment = false;
    for &byte in gap {
        match byte {
            b'\n' if in_comment => in_comment = false,
            _ if in_comment => {}
            b';' => in_comment = true,
            b')' => n_stray += 1,
            _ => assert!(byte <= b' ', "byte {byte:#x} is in no token"),
        }
    }
    n_stray
}

/// Declarations, uses and sorts: the tables agree with each other, names are used in scope, terms have the sort
/// that their head gives them.
///
/// # Panics
/// If that does not hold.
pub fn check_analysis(text: &[u8]) {
    let (script, diagnostics) = Script::parse(text);
    let analysis = script.analyse();
    for node in script.tree().nodes() {
        check_node(&script, &analysis, node);
        if diagnostics.is_empty() {
            check_sort_text(&script, &analysis, node);
        }
    }
    check_decls(&script, &analysis);
    for &node in analysis.unknown() {
        assert!(script.tree().is_symbol(node) && analysis.decl_of(node).is_none());
    }
    for error in analysis.errors() {
        assert!(error.span.end as usize <= text.len() && error.hint.is_some());
    }
    if analysis.errors().is_empty() {
        for node in script.tree().nodes() {
            check_sort(&script, &analysis, node);
        }
    }
}

fn check_decls(script: &Script, analysis: &Analysis) {
    for id in analysis.decl_ids() {
        let decl = analysis.decl(id);
        assert_eq!(analysis.decl_of(decl.name), Some(id), "a name refers to what it declares");
        assert_eq!(analysis.role(decl.name), NodeRole::Name);
        assert!(script.tree().is_within(decl.name, decl.owner), "the owner contains the name");
        assert!(script.tree().is_within(decl.name, decl.binder), "the binder contains the name");
        assert!(decl.scope.0 <= decl.scope.1);
        assert!(!analysis.uses(id).contains(&decl.name));
        assert!(analysis.uses(id).is_sorted());
        for &node in analysis.uses(id) {
            assert_eq!(analysis.decl_of(node), Some(id));
            assert!(decl.scope.0 <= node && node < decl.scope.1, "names are used in scope");
        }
    }
}

fn check_node(script: &Script, analysis: &Analysis, node: NodeId) {
    assert_eq!(analysis.sort_of(node).is_some(), analysis.role(node) == NodeRole::Term);
    assert_eq!(analysis.sort_value(node).is_some(), analysis.role(node) == NodeRole::Sort);
    if let Some(head) = analysis.head(node) {
        assert!(script.tree().is_within(head.symbol, node) && script.tree().is_symbol(head.symbol));
        assert!(head.first_index.is_none_or(|index| script.tree().is_within(index, node)));
    }
    if analysis.decl_of(node).is_some() || analysis.op_of(node).is_some() {
        assert!(matches!(script.tree().kind(node), NodeKind::Symbol | NodeKind::Quoted));
    }
}

/// The text of a sort can be read again.
fn check_sort_text(script: &Script, analysis: &Analysis, node: NodeId) {
    const MAX_BYTES: usize = 200;
    let text = analysis.sort_of(node).and_then(|sort| analysis.sort_text(script, sort, MAX_BYTES));
    if let Some(text) = text {
        let (tree, diagnostics) = Tree::parse(&text);
        assert!(tree.roots().count() == 1 && diagnostics.is_empty(), "the text of a sort is one expression");
    }
}

/// The sort of a term against its head. Only called for scripts without errors.
fn check_sort(script: &Script, analysis: &Analysis, term: NodeId) {
    let Some(sort) = analysis.sort_of(term).filter(|&sort| sort != SortId::UNKNOWN) else { return };
    let tree = script.tree();
    let first = tree.first_child(term);
    let word = first.filter(|&first| tree.kind(first) == NodeKind::Symbol).map(|first| script.slice(first));
    if let Some(b"forall" | b"exists") = word
        && analysis.head(term).is_none()
    {
        assert_eq!(sort, SortId::BOOL, "a quantified formula is Boolean");
    }
    let Some(head) = analysis.head(term) else { return };
    let Some(decl) = head.decl.map(|id| analysis.decl(id)) else { return };
    // In `(as f S)` and `(_ f 1)` the head is not first: the sort is the one given, and what follows is not an argument.
    if first.is_some_and(|first| !tree.is_within(head.symbol, first)) {
        return;
    }
    let n_args = tree.children(term).count().saturating_sub(1);
    let is_plain = matches!(decl.kind, DeclKind::Fun | DeclKind::Macro) && decl.arity == 0;
    if is_plain && n_args == decl.params.len() && decl.result != SortId::UNKNOWN {
        assert_eq!(sort, decl.result, "an application has the result sort of its function");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small inputs that reach every check.
    const SAMPLES: &[&[u8]] = &[
        b"",
        b"; head\n(set-info :x |a b|)\t(assert (= \"a\"\"\" #x0f))\r\n()(()) ; tail",
        b"(a))b",
        b"((a",
        b"(; )",
        b"(|a",
        b"(\"a\"\"",
        b"(declare-fun f (Int) Int)(assert (forall ((x Int)) (let ((y (f x))) (= y x))))",
        b"(push 1)(declare-const x Int)(pop 1)(assert (= x 1))",
        b"(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))(assert ((_ is nil) (as nil (L Int))))",
        b"(define-fun-rec g ((x Int)) Int (ite (= x 0) 1 (g (- x 1))))(assert (! (= (g 2) 1) :named n))(assert n)",
        b"(push 1)(assert (exists ((y Int)) (! (> y 0) :named y)))(pop 1)(assert y)",
        b"(push 1)(declare-fun x (Int) Int)(set-option :global-declarations true)(declare-fun x (Bool) Int)(pop 1)(assert (= (x 1) 1))",
        b"(declare-const a (Array Int Int))(declare-fun f (Int) Int)(assert (= a ((_ map (p (Int) f)) a)))",
    ];

    fn check(text: &[u8]) {
        check_tree(text);
        check_analysis(text);
    }

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            for end in 0..=sample.len() {
                check(&sample[..end]);
            }
        }
    }

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures");
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            check(&std::fs::read(&path).unwrap());
        }
    }
}
