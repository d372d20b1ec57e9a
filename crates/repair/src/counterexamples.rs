//! Several failing runs, as different as possible.
//!
//! One run cannot distinguish a fault from a coincidence. Each further run is made to differ from all previous ones in one input after the other, as
//! long as it still fails; where an input has no value left, it has to differ at least from the last run. Values are spread by preferring other bits
//! each time: small numbers alone are often a special case.

use super::encoded_program::{EncodedProgram, Search};
use super::numbers::is_value;
use super::runs::Run;
use nub_bitvec::Value;
use nub_cnf::Lit;
use nub_random::Rng;

/// At most this many inputs are made to differ.
const MAX_INPUTS: usize = 64;

/// Up to `most` failing runs, including `first` if it is given. About two questions per run and input.
pub(super) fn counterexamples(
    copy: &mut EncodedProgram<'_>,
    first: Option<Vec<Value>>,
    most: usize,
) -> Vec<Run> {
    let fits = |values: &Vec<Value>| {
        let widths = copy.unrolled.inputs.iter().map(|input| copy.unrolled.pool.width(input.term));
        widths.eq(values.iter().map(Value::width))
    };
    let mut found: Vec<Run> = first.filter(fits).and_then(|values| copy.run(values)).into_iter().collect();
    let mut random = Rng::new(0);
    while found.len() < most {
        let Search::Found(run) = copy.failing(&[], &[]) else { break };
        if found.is_empty() {
            found.push(small(copy, run));
            continue;
        }
        copy.shuffle(|| random.percent(50));
        match different(copy, &found) {
            Some(run) if !found.iter().any(|other| other.values == run.values) => found.push(run),
            _ => break,
        }
    }
    found
}

/// Inputs with small values are easier to read: 0 and then 1 are tried for each.
fn small(copy: &mut EncodedProgram<'_>, run: Run) -> Run {
    let inputs: Vec<(usize, Vec<Lit>)> = copy.inputs().iter().take(MAX_INPUTS).cloned().collect();
    let (mut best, mut fixed) = (run, Vec::new());
    for (_, bits) in &inputs {
        for number in [0, 1] {
            let n_fixed = fixed.len();
            fixed.extend(is_value(bits, number));
            if let Search::Found(run) = copy.failing(&[], &fixed) {
                best = run;
                break;
            }
            fixed.truncate(n_fixed);
        }
    }
    best
}

/// A run that differs from the previous ones in as many inputs as possible, one after the other, starting with another input each time.
fn different(copy: &mut EncodedProgram<'_>, found: &[Run]) -> Option<Run> {
    let inputs: Vec<(usize, Vec<Lit>)> = copy.inputs().iter().take(MAX_INPUTS).cloned().collect();
    let n_inputs = inputs.len().max(1);
    let (mut best, mut fixed) = (None, Vec::new());
    for step in 0..inputs.len() {
        let (index, bits) = &inputs[(step + found.len()) % n_inputs];
        for least in [0, found.len() - 1] {
            let n_fixed = fixed.len();
            for run in &found[least..] {
                let differs = copy.differs(bits, &run.values[*index]);
                fixed.push(differs);
            }
            if let Search::Found(run) = copy.failing(&[], &fixed) {
                best = Some(run);
                break;
            }
            fixed.truncate(n_fixed);
        }
    }
    best
}

impl EncodedProgram<'_> {
    /// A literal that implies that the bits are not this value.
    fn differs(&mut self, bits: &[Lit], value: &Value) -> Lit {
        let differs = self.new_lit();
        let equal = is_value(bits, nub_unroll::to_bits(value));
        let clause: Vec<Lit> = std::iter::once(!differs).chain(equal.map(|bit| !bit)).collect();
        self.add(&clause);
        differs
    }
}
