//! What must hold for every pass on plain text, as a function that panics otherwise.

use super::{
    PlainView, blanks::Blanks, brackets::Brackets, bytes::Bytes, lines::Lines, names::ShortNames,
    nests::Nests, numbers::Numbers, render, strings::Strings, words::PlainWords,
};
use crate::check::{Draw, check_edit, is_apart, merge};
use crate::{Edit, Pass};

/// Number of edits of one pass that are rendered.
const N_EDITS: usize = 12;
/// Number of edits that are merged into a group.
const GROUP: usize = 5;

/// Every pass on plain text. New passes must be added here.
pub const PASSES: &[&dyn Pass<PlainView>] = &[
    &Blanks,
    &Brackets::Cut,
    &Brackets::Empty,
    &Brackets::Unwrap,
    &Bytes,
    &Lines,
    &Nests,
    &Numbers,
    &ShortNames,
    &Strings,
    &PlainWords::Fields,
    &PlainWords::Tokens,
];

/// Runs every pass on this text: its edits are disjoint splices within the text, no edit makes the text longer, and
/// candidates have exactly the length that follows from the splices.
///
/// # Panics
/// If that does not hold.
pub fn check_passes(text: &[u8]) {
    let view = PlainView::new(text.to_vec());
    for pass in PASSES {
        let edits = pass.edits(&view);
        for edit in &edits {
            check_edit(pass.name(), text, edit);
            assert!(edit.gain() >= 0, "{}: the text gets longer", pass.name());
        }
        let mut draw = Draw::new(pass.name(), text);
        for n in 0..N_EDITS.min(edits.len()) {
            let group = if n % 2 == 0 { 1 } else { GROUP };
            let merged = merge((0..group).map(|_| draw.one_of(&edits)));
            let splices = merged.splices();
            assert!(is_apart(splices.iter()), "{}: merged splices are disjoint", pass.name());
            let gain = Edit { splices }.gain();
            assert_eq!(render(&view, &merged).len() as i64, text.len() as i64 - gain, "{}", pass.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: &[&[u8]] = &[
        b"if (counter > 100) {\n  print(\"a\\\"b\", 'c');\n\n  counter = [counter, {}];\n}\n",
        b"\x00\xff\xc3\xa9 (]\n\r\n\t\x80\x80 99999999999999999999999 '\"'",
        b"a [({[({[({[({[({[({[({[({[({[({[({[(b)]})]})]})]})]})]})]})]})]})]})]})] c",
    ];

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            (0..=sample.len()).for_each(|end| check_passes(&sample[..end]));
        }
    }

    #[test]
    fn any_bytes() {
        let mut draw = Draw::new("bytes", b"");
        for _ in 0..200 {
            let length = draw.0.below(60);
            let text: Vec<u8> = (0..length).map(|_| draw.0.bits() as u8).collect();
            check_passes(&text);
        }
    }

    /// Nothing here is quadratic: every list for a large file is bounded, so this ends quickly.
    #[test]
    fn large_files_have_bounded_lists() {
        const SIZE: usize = 5_000_000;
        const MAX_EDITS: usize = 1 << 19;
        for piece in
            ["a\n", "(", "()", "((", "'", "\"a\" ", "12 ", "9", " ", "\u{e9}", "ab ", "\0", "a(b[c]{d})\n"]
        {
            let view = PlainView::new(piece.repeat(SIZE / piece.len()).into());
            for pass in PASSES.iter().filter(|pass| pass.name() != Blanks.name()) {
                let edits = pass.edits(&view);
                let n_splices: usize = edits.iter().map(|edit| edit.splices.len()).sum();
                let is_bounded = edits.len() <= MAX_EDITS && n_splices <= SIZE;
                assert!(is_bounded, "{} on {piece:?}: {} edits", pass.name(), edits.len());
            }
        }
    }

    #[test]
    fn every_pass_is_checked_and_finds_something() {
        for pass in PASSES {
            let finds = |text: &&[u8]| !pass.edits(&PlainView::new(text.to_vec())).is_empty();
            assert!(SAMPLES.iter().any(finds), "{}", pass.name());
        }
        let (_, list) = include_str!("check.rs").split_once("pub const PASSES").unwrap();
        let (list, _) = list.split_once("];").unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/plain");
        for entry in folder.read_dir().unwrap().map(Result::unwrap) {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            for rest in text.split("\nimpl Pass<View> for ").skip(1) {
                let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(list.contains(&format!("&{name}")), "{name} is missing in PASSES");
            }
        }
    }
}
