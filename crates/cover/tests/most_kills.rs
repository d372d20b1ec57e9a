//! The law of maximal kills: on random functions of one byte with one decision, no two tests that reach both outcomes kill more mutants than the
//! tests of a report that claims the maximum. All inputs and all pairs are tried in the interpreter. 15 functions; 200 with `NUB_FULL=1`,
//! `NUB_SEED=n` starts elsewhere.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::interp::{Argument, RuntimeValue};
use nub_c_ir::{DataModel, InterpreterLimits, Program, RunInputs, lower, run};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::mutants::{Mutation, ReadText, mutated};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, cover};
use nub_random::Rng;
use nub_test_kit::for_all_seeds;

const N_MUTANTS: usize = 30;

/// Neither it nor its mutants have undefined behaviour.
fn expression(rng: &mut Rng, depth: u32) -> String {
    let leaf = |rng: &mut Rng| match rng.below(3) {
        0 => format!("{}u", rng.below(60)),
        1 => "y".to_owned(),
        _ => "x".to_owned(),
    };
    if depth == 0 {
        return leaf(rng);
    }
    let (left, op, right) = (expression(rng, depth - 1), rng.below(6), leaf(rng));
    format!("({left} {} {right})", ["+", "-", "*", "&", "|", "^"][op as usize])
}

/// The function, and one that returns the outcome of its decision.
fn functions(rng: &mut Rng) -> String {
    let first = format!("unsigned y = x * {}u;", 1 + rng.below(9));
    let relation = ["<", "<=", ">", ">=", "==", "!="][rng.below(6) as usize];
    let condition = format!("{} {relation} {}u", expression(rng, 1), rng.below(120));
    format!(
        "unsigned f(unsigned char x) {{ {first} if ({condition}) y = {}; else y = {}; return y {} {}u; }}\n\
         unsigned taken(unsigned char x) {{ {first} return {condition}; }}\n",
        expression(rng, 2),
        expression(rng, 2),
        ["%", "+", "^", "&"][rng.below(4) as usize],
        1 + rng.below(30),
    )
}

fn program_of(text: &[u8]) -> Program {
    let (unit, _) = nub_c_syntax::parse(text);
    lower(&unit, &DataModel::lp64()).0
}

fn report(text: &str) -> CoverReport {
    let program = program_of(text.as_bytes());
    let read = ReadText::new(|text, _| Some(program_of(text)));
    let options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Decision)],
        mutation: Some(Mutation { read, wanted: Some(N_MUTANTS) }),
        ..CoverOptions::default()
    };
    let function = program.function_by_name("f").unwrap();
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, function, &options).unwrap().remove(0)
}

/// What a function returns for each byte.
fn results(program: &Program, name: &str) -> Vec<u128> {
    let function = program.function_by_name(name).unwrap();
    let result = |x: u128| {
        let inputs = RunInputs { arguments: vec![Argument::Int(x)], ..RunInputs::default() };
        match run(program, function, &inputs, &InterpreterLimits::default()).returned {
            Some(RuntimeValue::Int(value)) => value,
            other => panic!("{name}({x}): {other:?}"),
        }
    };
    (0..256).map(result).collect()
}

/// The largest number of mutants that one test per outcome, or the only test, can kill.
fn most(text: &str) -> usize {
    let variants = mutated(text.as_bytes(), "f", N_MUTANTS).unwrap();
    let program = program_of(&variants.text);
    let (original, taken) = (results(&program, "f"), results(&program, "taken"));
    let mut kills = vec![0u64; 256];
    for (number, mutant) in variants.mutants.iter().enumerate() {
        let found = results(&program, &mutant.name);
        (0..256).filter(|x| found[*x] != original[*x]).for_each(|x| kills[x] |= 1 << number);
    }
    let of = |outcome: u128| -> Vec<u64> {
        let mut found: Vec<u64> = (0..256).filter(|x| taken[*x] == outcome).map(|x| kills[x]).collect();
        found.sort_unstable();
        found.dedup();
        if found.is_empty() { vec![0] } else { found }
    };
    let (yes, no) = (of(1), of(0));
    let pairs = yes.iter().flat_map(|a| no.iter().map(move |b| (a | b).count_ones() as usize));
    pairs.max().unwrap()
}

#[test]
fn no_pair_of_tests_kills_more() {
    let is_full = std::env::var_os("NUB_FULL").is_some_and(|value| value == "1");
    let n: u64 = if is_full { 200 } else { 15 };
    let first = std::env::var("NUB_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let counts = for_all_seeds(first..first + n, |seed| {
        let text = functions(&mut Rng::new(seed));
        let (report, most) = (report(&text), most(&text));
        let mutation = report.mutation.unwrap();
        assert!(mutation.killed <= most, "{text}: {} of {most}", mutation.killed);
        if mutation.is_most {
            assert_eq!(mutation.killed, most, "{text}");
        }
        (mutation.is_most, mutation.is_most && mutation.killed < mutation.differ)
    });
    let n_proved = counts.iter().filter(|counts| counts.0).count() as u64;
    let n_short = counts.iter().filter(|counts| counts.1).count();
    assert!(2 * n_proved >= n, "{n_proved} of {n} are proved");
    assert!(n_short > 0, "all mutants are killed anyway");
}
