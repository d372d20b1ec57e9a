//! The minimal files that `auto` must reach on BTOR2, as equalities.

#![allow(clippy::unwrap_used)] // tests may panic

#[path = "common/quiet.rs"]
mod quiet;

use nub_bitvec::{Datum, Value};
use nub_btor::{BtorDialect, BtorFile, BtorModel, Sort, Tag, eval};
use nub_random::Rng;
use nub_reduce::btor::Btor;
use nub_reduce::strategies::auto_btor;
use nub_reduce::{AllowedCandidates, ReductionStats};
use quiet::run_quietly;

/// Runs `auto` under an oracle that refuses every file with a fault.
fn reduce(text: &str, fails: impl Fn(&BtorFile) -> bool + Sync) -> (String, ReductionStats) {
    let fails = |bytes: &[u8]| {
        let file = BtorFile::read(bytes, BtorDialect::Btor2);
        file.faults().is_empty() && fails(&file)
    };
    let format = Btor::new(text.as_bytes(), BtorDialect::Btor2, AllowedCandidates::WellFormed);
    let (bytes, stats) = run_quietly(&format, text.as_bytes(), fails, auto_btor);
    (String::from_utf8(bytes).unwrap(), stats)
}

fn has(file: &BtorFile, tags: &[Tag]) -> bool {
    tags.iter().all(|&tag| file.lines().iter().any(|line| line.tag == Some(tag)))
}

/// Writes a combinational BTOR2 file: sorts of 1 to 8 bits, an array sort for each, inputs, then operators.
struct Writer {
    text: String,
    last: usize,
    rng: Rng,
    /// By width: the sort, and the nodes so far.
    nodes: Vec<(usize, Vec<usize>)>,
    /// By width of index and element: the sort, and the nodes so far.
    arrays: Vec<(usize, Vec<usize>)>,
}

const N_WIDTHS: usize = 8;

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut writer = Writer {
            text: String::new(),
            last: 0,
            rng: Rng::new(seed),
            nodes: Vec::new(),
            arrays: Vec::new(),
        };
        for width in 1..=N_WIDTHS {
            let sort = writer.line(&format!("sort bitvec {width}"));
            let nodes = (0..3).map(|_| writer.line(&format!("input {sort}"))).collect();
            writer.nodes.push((sort, nodes));
            let array = writer.line(&format!("sort array {sort} {sort}"));
            let input = writer.line(&format!("input {array} memory{width}"));
            writer.arrays.push((array, vec![input]));
        }
        writer
    }

    fn line(&mut self, rest: &str) -> usize {
        self.last += 1;
        self.text += &format!("{} {rest}\n", self.last);
        self.last
    }

    /// A reference to a node of width `at` + 1, sometimes negated.
    fn any(&mut self, at: usize) -> String {
        let pick = self.rng.below(self.nodes[at].1.len());
        let minus = ["", "-"][self.rng.below(2)];
        format!("{minus}{}", self.nodes[at].1[pick])
    }

    fn operator(&mut self) {
        const SAME: [&str; 8] = ["add", "udiv", "urem", "sub", "and", "xor", "mul", "sll"];
        let at = self.rng.below(N_WIDTHS);
        let (sort, (a, b)) = (self.nodes[at].0, (self.any(at), self.any(at)));
        let (array_sort, array) = (self.arrays[at].0, *self.arrays[at].1.last().unwrap());
        let (rest, to) = match self.rng.below(6) {
            0 => (format!("slice {} {a} {at} {at}", self.nodes[0].0), 0),
            1 => (format!("ult {} {a} {b}", self.nodes[0].0), 0),
            2 if at > 0 => {
                let low = self.rng.below(at);
                let (a, b) = (self.any(at - low - 1), self.any(low));
                (format!("concat {sort} {a} {b}"), at)
            }
            3 => {
                let id = self.line(&format!("write {array_sort} {array} {a} {b}"));
                self.arrays[at].1.push(id);
                (format!("read {sort} {id} {a}"), at)
            }
            _ => (format!("{} {sort} {a} {b}", SAME[self.rng.below(SAME.len())]), at),
        };
        let id = self.line(&rest);
        self.nodes[to].1.push(id);
    }
}

fn combinational(seed: u64, n_operators: usize) -> String {
    let mut writer = Writer::new(seed);
    for n in 0..n_operators {
        writer.operator();
        if n % 20 == 19 {
            let bit = writer.any(0);
            writer.line(&format!("constraint {bit}"));
        }
    }
    writer.text
}

/// The smallest file with the four operators, in the order of bytes, tokens, alphabet.
///
/// - It needs these eight lines. `write` takes an array, and only an `input` or a `state` is an array without needing
///   another one; an array sort needs a bit-vector sort. `udiv` takes a bit-vector, and only a leaf is one without
///   needing another: a `read` would need an index. So there are two sorts, two leaves and the four operators, and
///   since everything else can have one bit, no more.
/// - No line can be shorter. All ids and widths have one digit. `one` is the shortest leaf; `input` and `state` are
///   equally long. Every reference is one digit without minus.
/// - All such files have the same number of bytes and tokens; they differ in the order of lines, `input` or `state`,
///   and which of two nodes an operand is. Each line is the alphabetically first that is possible there: the sort,
///   `one` before `sort array`, `constraint` as soon as there is a bit, `sort array` before `udiv`, `input` before
///   `udiv`, and the operand with the smaller id.
const LEAST: &str = "1 sort bitvec 1\n2 one 1\n3 constraint 2\n4 sort array 1 1\n5 input 4\n6 udiv 1 2 2\n7 urem 1 2 2\n8 write 4 5 2 2\n";

#[test]
fn four_operators() {
    let tags = [Tag::Write, Tag::Udiv, Tag::Urem, Tag::Constraint];
    for seed in 0..4 {
        let text = combinational(seed, 300);
        let file = BtorFile::read(text.as_bytes(), BtorDialect::Btor2);
        assert!(file.faults().is_empty() && has(&file, &tags), "{:?}", file.faults());
        let (least, stats) = reduce(&text, |file| has(file, &tags));
        assert_eq!(least, LEAST, "seed {seed}");
        assert!(stats.asks < 1_000, "seed {seed}: {} asks", stats.asks);
    }
}

/// The first step up to 100 in which `bad` holds, in a simulation with all inputs zero.
fn bad_at(file: &BtorFile) -> Option<usize> {
    let model = BtorModel::of(file).ok()?;
    let zero = |node| match model.node(node).sort {
        Sort::Bits(width) => Datum::Bits(Value::zero(width)),
        Sort::Array { .. } => unreachable!("the test has no arrays"),
    };
    let mut now = eval::first_step(&model, zero).ok()?;
    for step in 0..=100 {
        if now.is_bad(&model) {
            return Some(step);
        }
        now = eval::next_step(&model, &now, zero).ok()?;
    }
    None
}

/// Counts from zero until `limit` is reached, then keeps its value; `hit` remembers it.
fn counter(limit: u32) -> String {
    format!(
        "1 sort bitvec 8\n2 sort bitvec 1\n3 zero 1\n4 zero 2\n5 state 1 count\n6 state 2 hit\n7 init 1 5 3\n\
         8 init 2 6 4\n9 one 1\n10 add 1 5 9\n11 constd 1 {limit}\n12 ulte 2 11 5\n13 ite 1 12 5 10\n\
         14 next 1 5 13\n15 or 2 6 12\n16 next 2 6 15\n17 input 2 reset\n18 and 2 12 -17\n19 bad 18\n"
    )
}

#[test]
fn a_bound_of_100_becomes_0() {
    let text = counter(100);
    assert_eq!(bad_at(&BtorFile::read(text.as_bytes(), BtorDialect::Btor2)), Some(100));
    let (least, _) = reduce(&text, |file| bad_at(file).is_some());
    assert_eq!(least, "1 sort bitvec 1\n2 one 1\n3 bad 2\n");
}

/// The failure needs a state that moves: no `bad` in the first step.
#[test]
fn a_bound_of_100_becomes_1_where_it_cannot_be_0() {
    let (least, _) = reduce(&counter(100), |file| bad_at(file).is_some_and(|step| step > 0));
    assert_eq!(bad_at(&BtorFile::read(least.as_bytes(), BtorDialect::Btor2)), Some(1), "{least}");
    assert_eq!(least, "1 sort bitvec 1\n2 state 1\n3 bad 2\n4 next 1 2 -2\n");
}
