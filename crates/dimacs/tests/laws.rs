//! Any bytes are read without a panic and nothing is lost (`nub_dimacs::check`). Inputs: words of the format in any
//! order, arbitrary bytes, and very long repetitions.

use nub_dimacs::{DimacsFile, DimacsKind, check::check_read};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "p",
    "cnf",
    "wcnf",
    "inccnf",
    "c",
    "a",
    "e",
    "h",
    "d",
    "%",
    "0",
    "00",
    "1",
    "-1",
    "2",
    "-3",
    "17",
    "-",
    "-0",
    "+1",
    "x",
    "2147483647",
    "2147483648",
    "-2147483648",
    "18446744073709551616",
    "\u{0}",
    "é",
    "c0",
    "p1",
    "h1",
];
const BLANKS: &[&str] = &[" ", "\n", "\r\n", "  ", "\t", "\n\n"];

fn words() -> impl Strategy<Value = String> {
    let word = (0..WORDS.len(), 0..BLANKS.len());
    proptest::collection::vec(word, 0..40)
        .prop_map(|picks| picks.into_iter().flat_map(|(word, blank)| [WORDS[word], BLANKS[blank]]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn words_in_any_order(text in words()) {
        check_read(text.as_bytes());
    }

    #[test]
    fn any_bytes(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_read(&text);
    }
}

#[test]
fn every_byte_in_every_place() {
    let text = b"p cnf 2 1\ne 1 0\n1 -2 0\n";
    for place in 0..text.len() {
        for byte in 0..=u8::MAX {
            let mut changed = text.to_vec();
            changed[place] = byte;
            check_read(&changed);
        }
    }
}

#[test]
fn too_much_of_one_thing() {
    const MANY: usize = 1_000_000;
    for piece in ["0\n", "1\n", "-", "9", "c\n", "p\n", "e\n", "h\n", "%", "x ", "e 1 0\n", " "] {
        let text = piece.repeat(MANY / piece.len()).into_bytes();
        for kind in DimacsKind::ALL {
            let file = DimacsFile::read(text.clone(), kind);
            assert!(file.faults().len() <= (1 << 20) + 19, "{piece:?}");
        }
    }
}
