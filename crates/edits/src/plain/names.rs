//! Shortens names, at all occurrences at once.
//!
//! ```text
//! int counter; counter++;   =>   int a; a++;
//! ```
//!
//! A name is a run of letters, digits and underscores that does not begin with a digit. The new names do not occur
//! in the file.

use super::PlainView;
use super::words::{is_name_byte, runs};
use crate::{Edit, Pass};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the names in one list, those with the most bytes in total first.
const MAX_NAMES: usize = 1_000;

/// See the module.
pub struct ShortNames;

impl Pass<PlainView> for ShortNames {
    fn name(&self) -> &'static str {
        "names"
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let text = view.text();
        let mut index: FxHashMap<&[u8], usize> = FxHashMap::default();
        let mut names: Vec<(&[u8], Vec<Span>)> = Vec::new();
        for span in runs(text, is_name_byte) {
            let name = span.slice(text);
            let at = *index.entry(name).or_insert_with(|| {
                names.push((name, Vec::new()));
                names.len() - 1
            });
            names[at].1.push(span);
        }
        let taken: FxHashSet<&[u8]> = names.iter().map(|(name, _)| *name).collect();
        let mut fresh = fresh_names().filter(|name| !taken.contains(name.as_slice()));
        names.retain(|(name, _)| name.len() > 1 && !name[0].is_ascii_digit());
        names.sort_by_key(|(name, places)| std::cmp::Reverse((name.len() - 1) * places.len()));
        let mut edits = Vec::new();
        for (name, places) in names.into_iter().take(MAX_NAMES) {
            let Some(new) = fresh.next().filter(|new| new.len() < name.len()) else { continue };
            edits.push(Edit::of(places.into_iter().map(|span| (span, new.clone()))));
        }
        edits
    }
}

/// a, b, ..., z, aa, ab, ..., zz.
fn fresh_names() -> impl Iterator<Item = Vec<u8>> {
    let letters = || b'a'..=b'z';
    let pairs = letters().flat_map(move |first| letters().map(move |second| vec![first, second]));
    letters().map(|letter| vec![letter]).chain(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::plain::render;

    #[test]
    fn everywhere_and_unused() {
        let view = PlainView::new(b"long a 1st long; other".to_vec());
        let edits = ShortNames.edits(&view);
        let mut merged = MergedEdits::default();
        assert!(merged.add(&edits[0]) && merged.add(&edits[1]));
        assert_eq!(render(&view, &merged), b"b a 1st b; c");
        assert_eq!(edits.len(), 2);
        assert_eq!(fresh_names().count(), 26 * 27);
    }
}
