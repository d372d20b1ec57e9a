//! A run to its end with a pure oracle, one worker and no observer.

use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::{Engine, Quiet, ReduceConfig, ReductionStats, ReductionStop, SubjectFormat};

/// The smallest text that the strategy finds, and what that cost. No edit may panic.
#[track_caller]
pub fn run_quietly<F: SubjectFormat>(
    format: &F,
    text: &[u8],
    fails: impl Fn(&[u8]) -> bool + Sync,
    strategy: impl FnOnce(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
) -> (Vec<u8>, ReductionStats) {
    let oracle = FnOracle::new(fails);
    let (config, cancel) = (ReduceConfig::default(), Cancel::new());
    let (result, bytes, stats) =
        Engine::run(format, &oracle, text.to_vec(), config, &cancel, &mut Quiet, strategy);
    assert_eq!(result, Ok(()));
    assert_eq!(stats.panics, 0);
    (bytes, stats)
}
