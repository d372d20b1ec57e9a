//! `auto` for any text: lines, then balanced brackets, then words, then bytes.
//!
//! Lines and brackets to their own fixpoint first, because a list of words or bytes is long; then everything in
//! rounds until nothing changes, and a last round that asks again the edits that failed on a larger file.

use super::rounds::{all, to_fixpoint};
use crate::plain::Plain;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::plain::{
    PlainView, blanks::Blanks, brackets::Brackets, bytes::Bytes, lines::Lines, names::ShortNames,
    nests::Nests, numbers::Numbers, strings::Strings, words::PlainWords,
};

type Auto<'e> = Engine<'e, Plain>;

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file.
pub fn auto_plain(engine: &mut Auto<'_>) -> Result<(), ReductionStop> {
    to_fixpoint(engine, round)
}

fn round(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    while all(engine, COARSE)? {
        changed = true;
    }
    changed |= all(engine, FINE)?;
    Ok(changed)
}

/// Passes that remove many bytes at a time.
const COARSE: &[&dyn Pass<PlainView>] = &[&Lines, &Nests, &Brackets::Cut, &Brackets::Empty];

/// Passes that remove few bytes.
const FINE: &[&dyn Pass<PlainView>] = &[
    &Brackets::Unwrap,
    &Strings,
    &PlainWords::Fields,
    &PlainWords::Tokens,
    &Blanks,
    &ShortNames,
    &Numbers,
    &Bytes,
];
