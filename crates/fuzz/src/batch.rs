//! Many scripts in one process.
//!
//! Starting a solver takes longer than solving a small script: on 150 scripts of FuzzSMT, z3 4.8.12 was 6.3 times faster in one
//! process than in 150. Scripts are joined by `(reset)`, or each is put between `(push 1)` and `(pop 1)`; after each the solver
//! echoes a marker, so that its output can be split. Any script with an unusual result in a batch is run again alone.

use crate::answers::marker;
use crate::{Batch, Language};

/// Maximum bytes of a batch; beyond that, another one is started.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// Commands that would end or change the whole batch.
const ALONE: [&[u8]; 4] = [b"(exit", b"(reset", b"(set-option :print-success", b":diagnostic-output-channel"];

/// Whether a script can be part of a batch.
pub fn can_join(text: &[u8]) -> bool {
    text.len() < MAX_BATCH_BYTES && !ALONE.iter().any(|word| memchr::memmem::find(text, word).is_some())
}

/// Joins scripts. `None` if this solver takes one at a time.
pub fn join(texts: &[&[u8]], batch: Batch) -> Option<Vec<u8>> {
    let mut joined = Vec::with_capacity(texts.iter().map(|text| text.len() + 64).sum());
    for (index, text) in texts.iter().enumerate() {
        let (before, after): (&[u8], &[u8]) = match batch {
            Batch::None => return None,
            Batch::Reset if index == 0 => (b"", b""),
            Batch::Reset => (b"(reset)\n", b""),
            Batch::PushPop => (b"(push 1)\n", b"(pop 1)\n"),
        };
        joined.extend_from_slice(before);
        match batch {
            // A logic is set once, and only before the first level.
            Batch::PushPop => joined.extend(without_logic(text)),
            _ => joined.extend_from_slice(text),
        }
        if joined.last() != Some(&b'\n') {
            joined.push(b'\n');
        }
        joined.extend_from_slice(after);
        joined.extend_from_slice(format!("(echo \"{}\")\n", marker(index)).as_bytes());
    }
    Some(joined)
}

/// A script without its lines that set a logic or an option. Generated scripts have these on separate lines.
fn without_logic(text: &[u8]) -> Vec<u8> {
    let is_kept = |line: &&[u8]| !line.starts_with(b"(set-logic") && !line.starts_with(b"(set-option");
    text.split_inclusive(|&byte| byte == b'\n').filter(is_kept).flatten().copied().collect()
}

/// Splits consecutive inputs into batches: ranges of their indices. Linear.
pub fn portions(lengths: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut portions = Vec::new();
    let (mut start, mut n_bytes) = (0, 0);
    for (index, length) in lengths.iter().enumerate() {
        if index > start && n_bytes + length > MAX_BATCH_BYTES {
            portions.push(start..index);
            (start, n_bytes) = (index, 0);
        }
        n_bytes += length;
    }
    if start < lengths.len() {
        portions.push(start..lengths.len());
    }
    portions
}

/// Whether inputs can be joined: only SMT-LIB scripts can.
pub fn is_possible(language: Language, batch: Batch) -> bool {
    language == Language::SmtLib && batch != Batch::None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::split_batch;

    #[test]
    fn a_batch_comes_apart_again() {
        let texts: [&[u8]; 2] = [b"(set-logic QF_BV)\n(check-sat)", b"(set-logic QF_UF)\n(check-sat)\n"];
        let joined = String::from_utf8(join(&texts, Batch::Reset).unwrap()).unwrap();
        assert_eq!(joined.matches("(reset)").count(), 1);
        assert_eq!(joined.matches("(set-logic").count(), 2);
        let nested = String::from_utf8(join(&texts, Batch::PushPop).unwrap()).unwrap();
        assert_eq!((nested.matches("(push 1)").count(), nested.matches("(set-logic").count()), (2, 0));
        assert_eq!(join(&texts, Batch::None), None);
        // What a solver prints: an answer and a marker each; the second script died.
        let printed = format!("sat\n{}\n", marker(0));
        let parts = split_batch(printed.as_bytes(), 2);
        assert_eq!(parts[0].map(<[u8]>::trim_ascii), Some(&b"sat"[..]));
        assert_eq!(parts[1], None);
    }

    #[test]
    fn portions_cover_all_and_stay_small() {
        assert!(portions(&[]).is_empty());
        assert_eq!(portions(&[5, 5, 5]).first(), Some(&(0..3)));
        assert_eq!(portions(&[MAX_BATCH_BYTES, 1, MAX_BATCH_BYTES * 2, 1]), [0..1, 1..2, 2..3, 3..4]);
        assert!(!can_join(b"(check-sat)(exit)") && can_join(b"(check-sat)"));
    }
}
