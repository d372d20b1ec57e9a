//! Circuits of floating-point operations against the evaluator: all operands of tiny formats in all rounding modes, 64 at a time.
//! `NUB_FULL=1` includes `fma` on formats of more than five bits.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.
#![allow(clippy::print_stdout)] // The count is for readers.

use nub_bitvec::check::Rng;
use nub_bitvec::float::{
    Float, FloatFormat, FloatOp, FloatOperation, FloatResult, FloatTerms, RoundingMode, Signedness,
};
use nub_bitvec::{Pool, Sort, TermId, Value};
use nub_cnf::{AigEdge, Blaster};

const TINY: [(u32, u32); 8] = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (3, 5)];

fn is_full() -> bool {
    std::env::var_os("NUB_FULL").is_some_and(|value| value == "1")
}

fn operations(format: FloatFormat) -> Vec<FloatOperation> {
    use FloatOp::*;
    let mut ops = FloatOp::PLAIN.to_vec();
    for width in 1..=9 {
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            ops.extend([FromInteger(signedness, width), ToInteger(signedness, width)]);
        }
    }
    ops.extend(TINY.map(|(eb, sb)| FromFloat(FloatFormat::new(eb, sb).unwrap())));
    ops.into_iter().map(|op| FloatOperation { op, format }).collect()
}

/// What an input of the graph represents.
#[derive(Clone, Copy)]
enum Input {
    /// A bit of an operand.
    Bit(usize, u32),
    /// A bit that SMT-LIB leaves unspecified.
    Free,
}

/// One operation as a graph.
struct Circuit {
    blaster: Blaster,
    inputs: Vec<Input>,
    result: Vec<AigEdge>,
}

impl Circuit {
    /// The rounding mode is `mode`, or an operand if that is `None`.
    fn new(operation: FloatOperation, mode: Option<RoundingMode>) -> Circuit {
        let (mut pool, mut terms) = (Pool::new(), FloatTerms::default());
        let mut args: Vec<TermId> =
            operation.operand_widths().iter().map(|width| pool.var(Sort::Bits(*width))).collect();
        if let Some(mode) = mode {
            args[0] = pool.constant(mode.code());
        }
        let result = terms.apply(&mut pool, operation, &args);
        let mut blaster = Blaster::new();
        blaster.blast(&pool, &[result]).unwrap();
        let of_input = |number: u32| {
            let (term, bit) = blaster.input(number).unwrap();
            args.iter().position(|arg| *arg == term).map_or(Input::Free, |at| Input::Bit(at, bit))
        };
        let inputs = (0..blaster.aig().n_inputs()).map(of_input).collect();
        let result = blaster.bits(&pool, result).to_vec();
        Circuit { blaster, inputs, result }
    }

    /// The bits of the result, one lane per assignment.
    fn run(&self, lanes: &[Vec<u64>], rng: &mut Rng) -> Vec<u64> {
        let bit_of = |operand: usize, bit: u32| {
            lanes.iter().enumerate().fold(0, |word, (lane, args)| word | (args[operand] >> bit & 1) << lane)
        };
        let aig = self.blaster.aig();
        let mut words: Vec<u64> = Vec::with_capacity(aig.len());
        for node in 0..aig.len() {
            let of_edge = |edge: AigEdge| {
                let word = words[edge.node()];
                if edge.is_complement() { !word } else { word }
            };
            let word = match (aig.operands(node), aig.input_number(node)) {
                (Some([a, b]), _) => of_edge(a) & of_edge(b),
                (None, Some(number)) => match self.inputs[number as usize] {
                    Input::Bit(operand, bit) => bit_of(operand, bit),
                    Input::Free => rng.bits(),
                },
                (None, None) => 0,
            };
            words.push(word);
        }
        let value = |edge: &AigEdge| {
            let word = words[edge.node()];
            if edge.is_complement() { !word } else { word }
        };
        self.result.iter().map(value).collect()
    }
}

/// Where the operation takes a float, NaN has only one representation.
fn is_legal(operation: FloatOperation, index: usize, bits: u64) -> bool {
    let is_one = |format: FloatFormat| {
        let value = Value::from_u64(format.width(), bits);
        *Float::from_bits(format, value.clone()).bits() == value
    };
    match operation.op {
        _ if operation.has_mode() && index == 0 => true,
        FloatOp::FromInteger(..) | FloatOp::FromBits => true,
        FloatOp::FromFloat(from) => is_one(from),
        _ => is_one(operation.format),
    }
}

/// Some operands with the expected results, and the circuits to check.
struct Batch<'a> {
    operation: FloatOperation,
    circuits: &'a [Circuit],
    lanes: Vec<Vec<u64>>,
    expected: Vec<FloatResult>,
    rng: Rng,
}

impl Batch<'_> {
    fn add(&mut self, args: Vec<u64>) {
        let widths = self.operation.operand_widths();
        let values: Vec<Value> =
            args.iter().zip(&widths).map(|(bits, width)| Value::from_u64(*width, *bits)).collect();
        self.expected.push(self.operation.evaluate(&values.iter().collect::<Vec<_>>()));
        self.lanes.push(args);
        if self.lanes.len() == 64 {
            self.check();
        }
    }

    fn check(&mut self) {
        for circuit in self.circuits {
            let found = circuit.run(&self.lanes, &mut self.rng);
            for (lane, (args, expected)) in self.lanes.iter().zip(&self.expected).enumerate() {
                let bits = Value::from_bits(found.iter().map(|word| word >> lane & 1 == 1));
                assert!(expected.allows(&bits), "{:?} {args:?}: {bits:?}, not {expected:?}", self.operation);
            }
        }
        self.lanes.clear();
        self.expected.clear();
    }
}

fn check_all(operation: FloatOperation) -> usize {
    let widths = operation.operand_widths();
    let first = usize::from(operation.has_mode());
    let modes: Vec<Option<RoundingMode>> =
        if first == 1 { RoundingMode::ALL.map(Some).into() } else { vec![None] };
    let mut n_checked = 0;
    let legal: Vec<Vec<u64>> = (first..widths.len())
        .map(|at| (0..1 << widths[at]).filter(|bits| is_legal(operation, at, *bits)).collect())
        .collect();
    let n_all: usize = legal.iter().map(Vec::len).product();
    for mode in modes {
        let mut circuits = vec![Circuit::new(operation, mode)];
        circuits.extend(mode.map(|_| Circuit::new(operation, None)));
        let rng = Rng::new(5);
        let mut batch =
            Batch { operation, circuits: &circuits, lanes: Vec::new(), expected: Vec::new(), rng };
        for number in 0..n_all {
            let mut rest = number;
            let code = mode.map(|mode| mode.code().to_u64().unwrap());
            let mut args: Vec<u64> = code.into_iter().collect();
            for values in &legal {
                args.push(values[rest % values.len()]);
                rest /= values.len();
            }
            batch.add(args);
        }
        batch.check();
        n_checked += n_all;
    }
    n_checked
}

#[test]
fn circuits_of_tiny_formats_are_right_for_all_operands() {
    let mut n_checked = 0;
    for (eb, sb) in TINY {
        let format = FloatFormat::new(eb, sb).unwrap();
        for operation in operations(format) {
            if operation.op == FloatOp::Fma && eb + sb > 5 && !is_full() {
                continue;
            }
            n_checked += check_all(operation);
        }
    }
    println!("{n_checked} results");
    assert!(n_checked > 1_000_000);
}
