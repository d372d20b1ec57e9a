//! Many places in few edits.

use crate::Edit;
use nub_text::Span;

/// Edits in one list. A group of places that is asked together can be taken apart in a later round, when there are
/// fewer; a list of every byte of a large file would cost more memory than the file many times over.
pub(crate) const MAX_UNITS: usize = 1 << 16;

/// One cut per place, or if there are more than [`MAX_UNITS`] one per run of neighbours, as short as possible. A run
/// is cut as a whole, with what is between its places.
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
