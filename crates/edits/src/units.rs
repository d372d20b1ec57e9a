//! Combines many places into few edits.

use crate::Edit;
use nub_text::Span;

/// Limit on the edits in one list. Places that are asked together can be separated in a later round, when there are
/// fewer; a list of every byte of a large file would take many times more memory than the file.
pub(crate) const MAX_UNITS: usize = 1 << 16;

/// One cut per place or, if there are more than [`MAX_UNITS`], one per run of adjacent places, as short as possible. A run
/// is removed as a whole, including what is between its places.
pub(crate) fn cuts(places: &[Span]) -> Vec<Edit> {
    let run = places.len().div_ceil(MAX_UNITS).max(1);
    let whole = |run: &[Span]| Span { start: run[0].start, end: run[run.len() - 1].end };
    places.chunks(run).map(|run| Edit::cut(whole(run))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_everything() {
        let places: Vec<Span> = (0..3 * MAX_UNITS - 1).map(|at| Span::new(at, at + 1)).collect();
        let edits = cuts(&places);
        assert_eq!(edits.len(), MAX_UNITS);
        assert_eq!(edits.iter().map(Edit::gain).sum::<i64>(), places.len() as i64);
        assert_eq!(cuts(&places[..MAX_UNITS]).len(), MAX_UNITS);
        assert!(cuts(&[]).is_empty());
    }
}
