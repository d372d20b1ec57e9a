//! A run with a pure oracle whose accepted states are recorded.

use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::{
    AcceptedStep, AllowedCandidates, Engine, ReduceConfig, ReductionObserver, ReductionStop, StepError,
    smt::SmtLib,
};
use std::sync::Arc;

struct Record(Vec<String>);

impl ReductionObserver for Record {
    fn accepted(&mut self, _step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        self.0.push(normal(std::str::from_utf8(bytes).expect("the scripts are text")));
        Ok(())
    }
}

/// The text with normalised white space.
pub fn normal(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The accepted states and the result, both [`normal`].
pub fn reduce(
    text: &str,
    fails: impl Fn(&str) -> bool + Sync,
    strategy: impl FnOnce(&mut Engine<'_, SmtLib>) -> Result<(), ReductionStop>,
) -> (Vec<String>, String) {
    let oracle = FnOracle::new(|bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(&fails));
    let format = SmtLib::new(text.as_bytes(), AllowedCandidates::Any);
    let mut record = Record(Vec::new());
    let (result, bytes, _) = Engine::run(
        &format,
        &oracle,
        text.into(),
        ReduceConfig::default(),
        &Cancel::new(),
        &mut record,
        strategy,
    );
    assert_eq!(result, Ok(()));
    (record.0, normal(&String::from_utf8_lossy(&bytes)))
}
