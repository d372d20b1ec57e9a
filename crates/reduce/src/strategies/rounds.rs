//! Shared by all `auto` strategies: passes in sequence, and rounds to a fixpoint.

use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::Pass;

/// Runs passes one after another. True if anything was accepted.
pub(super) fn all<F: SubjectFormat>(
    engine: &mut Engine<'_, F>,
    passes: &[&dyn Pass<F::View>],
) -> Result<bool, ReductionStop> {
    let mut changed = false;
    for pass in passes {
        changed |= engine.pass(*pass)?;
    }
    Ok(changed)
}

/// Repeats a round until it changes nothing. Later rounds skip edits that failed; a last round asks them again on the
/// smaller subject, and if that changes anything, everything starts over. So at the end every edit has been asked on
/// the final subject, unless the strategy gives up on some.
pub(super) fn to_fixpoint<'e, F: SubjectFormat>(
    engine: &mut Engine<'e, F>,
    mut round: impl FnMut(&mut Engine<'e, F>) -> Result<bool, ReductionStop>,
) -> Result<(), ReductionStop> {
    loop {
        while round(engine)? {}
        engine.state.retry_failed = true;
        let changed = round(engine);
        engine.state.retry_failed = false;
        if !changed? {
            return Ok(());
        }
    }
}
