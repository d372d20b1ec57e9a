//! Index widths of arrays in old BTOR files, which do not declare them.
//!
//! Before version 3 an array is `ID array WIDTH`. Its index width is that of the first index at which it is read or written,
//! directly or through `write`, `cond` and `eq`. One pass over the text, done only if such a line is found, groups arrays
//! into classes of equal sort (union-find) and collects the widths of their indices.

use crate::numbers::number;
use crate::{BtorDialect, Tag};
use std::collections::BTreeMap;

/// What an id denotes.
#[derive(Clone, Copy)]
enum Kind {
    /// A bit-vector of this width.
    Bits(u32),
    /// An array of this class.
    Array(usize),
}

#[derive(Default)]
struct Classes {
    /// The class with which each class was joined; itself if it is a representative.
    joined: Vec<usize>,
    /// Index width by class, once known.
    widths: Vec<Option<u32>>,
}

impl Classes {
    fn add(&mut self) -> usize {
        self.joined.push(self.joined.len());
        self.widths.push(None);
        self.joined.len() - 1
    }

    fn find(&mut self, mut class: usize) -> usize {
        while self.joined[class] != class {
            self.joined[class] = self.joined[self.joined[class]];
            class = self.joined[class];
        }
        class
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.widths[a] = self.widths[a].or(self.widths[b]);
        self.joined[b] = a;
    }

    fn learn(&mut self, class: usize, width: u32) {
        let class = self.find(class);
        self.widths[class].get_or_insert(width);
    }
}

/// Index widths by the id of the array, as far as they follow from its uses.
pub(super) fn index_widths(text: &[u8]) -> BTreeMap<u64, u32> {
    let mut kinds = BTreeMap::new();
    let mut classes = Classes::default();
    let mut arrays = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let content = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let mut fields =
            content.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|field| !field.is_empty());
        let (Some(id), Some(name)) = (fields.next(), fields.next()) else { continue };
        let (Ok(id), Some(tag)) = (number(id), Tag::by_name(name, BtorDialect::Btor)) else { continue };
        // Up to five fields without their minus signs; a field that is not a number counts as 0.
        let numbers: Vec<u64> = fields
            .take(5)
            .map(|field| number(field.strip_prefix(b"-").unwrap_or(field)).unwrap_or(0))
            .collect();
        let kind = learn(tag, &numbers, &kinds, &mut classes);
        if tag == Tag::Array
            && let Some(Kind::Array(class)) = kind
        {
            arrays.push((id, class));
        }
        if let Some(kind) = kind {
            kinds.entry(id).or_insert(kind);
        }
    }
    let mut width_of = |class: usize| {
        let class = classes.find(class);
        classes.widths[class]
    };
    arrays.iter().filter_map(|&(id, class)| Some((id, width_of(class)?))).collect()
}

/// What a line implies about arrays. Returns what the line itself denotes.
fn learn(tag: Tag, numbers: &[u64], kinds: &BTreeMap<u64, Kind>, classes: &mut Classes) -> Option<Kind> {
    let bits = numbers.first().and_then(|&width| u32::try_from(width).ok()).map(Kind::Bits);
    let kind_at = |at: usize| numbers.get(at).and_then(|id| kinds.get(id)).copied();
    let class_at = |at: usize| match kind_at(at) {
        Some(Kind::Array(class)) => Some(class),
        _ => None,
    };
    // The position of the first reference: an index width may precede it.
    let first = match tag {
        Tag::Acond => 2,
        Tag::Write if numbers.len() == 5 => 2,
        _ => 1,
    };
    match tag {
        Tag::Array => {
            let class = classes.add();
            if let Some(width) =
                numbers.get(1).and_then(|&width| u32::try_from(width).ok()).filter(|&w| w > 0)
            {
                classes.learn(class, width);
            }
            Some(Kind::Array(class))
        }
        Tag::Read | Tag::Write => {
            let class = class_at(first)?;
            if let Some(Kind::Bits(width)) = kind_at(first + 1) {
                classes.learn(class, width);
            }
            if tag == Tag::Read { bits } else { Some(Kind::Array(class)) }
        }
        Tag::Ite | Tag::Acond => match (class_at(first + 1), class_at(first + 2)) {
            (Some(a), Some(b)) => {
                classes.join(a, b);
                Some(Kind::Array(a))
            }
            _ => bits,
        },
        Tag::Eq | Tag::Neq => {
            if let (Some(a), Some(b)) = (class_at(1), class_at(2)) {
                classes.join(a, b);
            }
            bits
        }
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str) -> Vec<(u64, u32)> {
        index_widths(text.as_bytes()).into_iter().collect()
    }

    #[test]
    fn uses_tell_index_widths() {
        assert_eq!(widths("1 array 8\n2 var 3\n3 read 8 1 -2\n"), [(1, 3)]);
        assert_eq!(widths("1 array 8\n2 var 3\n3 var 8\n4 write 8 1 2 3\n"), [(1, 3)]);
        assert_eq!(widths("1 array 8 name\n2 array 8 5\n3 eq 1 1 2\n"), [(1, 5), (2, 5)]);
    }

    #[test]
    fn through_conditions_and_writes() {
        let text = "1 array 8\n2 array 8 ; c\n3 var 1\n4 cond 8 3 1 2\n5 var 6\n6 var 8\n7 write 8 4 5 6\n";
        assert_eq!(widths(text), [(1, 6), (2, 6)]);
    }

    #[test]
    fn what_nobody_uses_is_not_known() {
        assert_eq!(widths("1 array 8\n2 read 8 1 9\n3 eq 1 1 1\nx\n\n4 array\n"), []);
    }
}
