//! The tree: nothing is lost, nothing is rejected, brackets and kinds are those of the standard.

use nub_smtlib::check::check_tree;
use nub_smtlib::{NodeId, NodeKind, Tree};

fn kinds(text: &[u8]) -> Vec<NodeKind> {
    let (tree, diagnostics) = Tree::parse(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    tree.nodes().map(|node| tree.kind(node)).collect()
}

#[test]
fn kinds_of_atoms() {
    use NodeKind::*;
    let text = b"a |b c| :key 12 1.5 #x1f #b01 \"s\" ()";
    assert_eq!(kinds(text), [Symbol, Quoted, Keyword, Numeral, Decimal, Hex, Binary, String, List]);
}

#[test]
fn malformed_numbers_are_symbols() {
    for text in [&b"1."[..], b".5", b"1.2.3", b"#x", b"#b2", b"#xg", b"12a", b":", b"-1", b"1/3", b"#f3m7"] {
        assert_eq!(kinds(text), [NodeKind::Symbol], "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn two_marks_in_a_string_are_one_character() {
    let text = b"\"a\"\"b\" \"\" \"\"\"\"";
    let (tree, diagnostics) = Tree::parse(text);
    assert!(diagnostics.is_empty());
    let slices: Vec<&[u8]> = tree.nodes().map(|node| tree.span(node).slice(text)).collect();
    assert_eq!(slices, [&b"\"a\"\"b\""[..], b"\"\"", b"\"\"\"\""]);
}

#[test]
fn brackets_and_comments_within_atoms() {
    assert_eq!(kinds(b"|a(;| \"(;)\" ; ) ( |\n x"), [NodeKind::Quoted, NodeKind::String, NodeKind::Symbol]);
    assert_eq!(kinds(b"|a\nb|\"c\nd\""), [NodeKind::Quoted, NodeKind::String]);
}

#[test]
fn structure_in_preorder() {
    let (tree, _) = Tree::parse(b"(a (b c) ()) d");
    let roots: Vec<NodeId> = tree.roots().collect();
    assert_eq!(roots, [NodeId(0), NodeId(5 + 1)]);
    assert_eq!(tree.children(NodeId(0)).collect::<Vec<_>>(), [NodeId(1), NodeId(2), NodeId(5)]);
    assert_eq!(tree.parent(NodeId(3)), Some(NodeId(2)));
    assert_eq!(tree.size(NodeId(2)), 3);
    assert_eq!(tree.first_child(NodeId(5)), None);
    assert_eq!(tree.child(NodeId(0), 2), Some(NodeId(5)));
    assert!(tree.is_within(NodeId(4), NodeId(0)) && !tree.is_within(NodeId(6), NodeId(0)));
}

#[test]
fn unbalanced_brackets_are_reported_and_kept() {
    let cases: [(&[u8], usize, usize); 6] =
        [(b"(", 1, 1), (b")", 0, 1), (b"(a))b", 3, 1), (b"((a", 3, 2), (b"|a", 1, 1), (b"\"a\"\"", 1, 1)];
    for (text, n_nodes, n_findings) in cases {
        let (tree, diagnostics) = Tree::parse(text);
        let shown = String::from_utf8_lossy(text);
        assert_eq!((tree.len(), diagnostics.len()), (n_nodes, n_findings), "{shown}");
        assert!(diagnostics.iter().all(|finding| finding.hint.is_some()), "{shown}");
    }
}

#[test]
fn every_byte_is_taken() {
    for byte in 0..=u8::MAX {
        for text in [vec![byte], vec![b'(', byte, b')'], vec![b'a', byte, b'b'], vec![byte; 3]] {
            check_tree(&text);
        }
    }
    let all: Vec<u8> = (0..=u8::MAX).collect();
    check_tree(&all);
    assert_eq!(kinds(b"a\0b"), [NodeKind::Symbol, NodeKind::Symbol], "NUL is white space");
}

#[test]
fn printing_inverts_parsing() {
    check_tree(b"; head\n(set-info :x |a b|)\t(assert (= \"a\"\"\" #x0f))\r\n()(()) ; tail");
}
