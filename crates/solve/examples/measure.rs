//! Measures the processor time of making terms, circuits and clauses, and of minimising a sum, on Linux:
//! `cargo run --release -p nub-solve --example measure`.

#![allow(clippy::print_stdout)] // A program of its own.

use nub_bitvec::check::{RandomValues, Rng};
use nub_bitvec::{Evaluator, Op, Pool, Sort, TermId, Value, evaluate};
use nub_cnf::{Blaster, Cnf, Tseitin};
use nub_sat::{Minimum, Strategy, built_in, minimise};
use nub_solve::{BvSolver, SatLimits};

fn main() {
    terms(300_000);
    circuits();
    for (n_words, width) in [(170, 16), (400, 16)] {
        closest_run(n_words, width);
    }
}

/// Processor time of this thread. Wall time says little on a busy machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// Words that are computed from earlier words.
fn program(pool: &mut Pool, n_words: usize, width: u32, seed: u64) -> (Vec<TermId>, Vec<TermId>) {
    use Op::*;
    let ops = [Add, Sub, Xor, Add, And, Or, Add, Sub, Xor, Mul];
    let mut rng = Rng::new(seed);
    let inputs: Vec<TermId> = (0..8).map(|_| pool.var(Sort::Bits(width))).collect();
    let mut words = inputs.clone();
    while words.len() < n_words + inputs.len() {
        let args = [rng.pick(&words), rng.pick(&words)];
        words.push(pool.mk(rng.pick(&ops), &args));
    }
    let made = words.split_off(inputs.len());
    (inputs, made)
}

fn terms(n_terms: usize) {
    let mut pool = Pool::new();
    let start = cpu_seconds();
    let (inputs, words) = program(&mut pool, n_terms, 32, 1);
    let made = cpu_seconds() - start;
    let evaluator = Evaluator::new(&pool, &words);
    let assignment = Rng::new(1).assignment(&pool, &inputs);
    let start = cpu_seconds();
    evaluator.run(&assignment);
    let run = cpu_seconds() - start;
    println!(
        "terms: {n_terms} applications of 32 bits in {:.0} ns each, {} terms; evaluated in {:.0} ns per term",
        made * 1e9 / n_terms as f64,
        pool.len(),
        run * 1e9 / pool.len() as f64
    );
}

/// Repeats per measurement: building one circuit takes less than a tick of the clock.
const N_REPEATS: u32 = 200;

fn circuits() {
    for (op, width) in
        [(Op::Add, 32), (Op::Mul, 32), (Op::Mul, 64), (Op::Udiv, 32), (Op::Shl, 64), (Op::Umulo, 32)]
    {
        let mut pool = Pool::new();
        let (x, y) = (pool.var(Sort::Bits(width)), pool.var(Sort::Bits(width)));
        let applied = pool.mk(op, &[x, y]);
        let (mut blaster, mut cnf) = (Blaster::new(), Cnf::new());
        let start = cpu_seconds();
        for _ in 0..N_REPEATS {
            blaster = Blaster::new();
            let built = blaster.blast(&pool, &[applied]);
            assert!(built.is_ok(), "small enough");
        }
        let blasted = (cpu_seconds() - start) / f64::from(N_REPEATS);
        let start = cpu_seconds();
        for _ in 0..N_REPEATS {
            cnf = Cnf::new();
            let mut tseitin = Tseitin::new();
            for edge in blaster.bits(&pool, applied) {
                tseitin.lit(blaster.aig(), *edge, &mut cnf);
            }
        }
        let encoded = (cpu_seconds() - start) / f64::from(N_REPEATS);
        let n_nodes = blaster.aig().len();
        println!(
            "{op} {width}: {n_nodes} nodes in {:.0} ns each, {} variables, {} clauses in {:.0} ns each",
            blasted * 1e9 / n_nodes as f64,
            cnf.n_vars(),
            cnf.n_clauses(),
            encoded * 1e9 / cnf.n_clauses() as f64
        );
    }
}

/// The run whose last bit differs, and which differs from a given run in as few words as possible.
fn closest_run(n_words: usize, width: u32) {
    let mut pool = Pool::new();
    let (inputs, words) = program(&mut pool, n_words, width, 5);
    let given = Rng::new(3).assignment(&pool, &inputs);
    let all = [inputs.as_slice(), &words].concat();
    let values: Vec<Value> = evaluate(&pool, &given, &all).iter().map(|value| value.bits().clone()).collect();
    let last = words[words.len() - 1];
    let is_set = values[all.len() - 1].bit(0);
    let bit = pool.slice(last, 0, 0);
    let goal = if is_set { pool.not(bit) } else { bit };
    let mut deltas = Vec::new();
    for (word, value) in all.iter().zip(&values) {
        let same = pool.constant(value.clone());
        deltas.push(pool.mk(Op::Ne, &[*word, same]));
    }
    for strategy in [Strategy::CoreGuided, Strategy::Improving, Strategy::Both] {
        let mut solver = BvSolver::new(built_in());
        solver.assert(goal);
        solver.check(&mut pool, &[], &SatLimits { conflicts: Some(0), ..SatLimits::none() });
        let lits: Vec<_> = deltas.iter().filter_map(|delta| solver.lit(&pool, *delta, 0)).collect();
        for (word, value) in all.iter().zip(&values) {
            for bit in 0..width {
                if let Some(lit) = solver.lit(&pool, *word, bit) {
                    solver.sat().prefer(lit.negated_if(!value.bit(bit)));
                }
            }
        }
        let n_vars = solver.sat().n_vars();
        let start = cpu_seconds();
        let limits = SatLimits { conflicts: Some(5_000), ..SatLimits::none() };
        let found = match minimise(solver.sat(), &lits, &[], strategy, &limits) {
            Minimum::Optimal { cost, .. } => format!("optimum {cost}"),
            Minimum::Interval { lower, upper, .. } => format!("[{lower}, {:?}]", upper.map(|upper| upper.0)),
            Minimum::Infeasible(_) => "no other run".to_owned(),
        };
        let seconds = cpu_seconds() - start;
        println!(
            "closest run of {n_words} words: {n_vars} variables, {strategy:?}: {found} in {seconds:.2} s"
        );
    }
}
