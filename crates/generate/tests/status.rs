//! Answers by construction, checked with the evaluator: on all assignments of small files, on many of large files.

#![allow(clippy::unwrap_used)] // tests

use nub_bitvec::{ArrayValue, Datum, Value};
use nub_btor::eval::evaluate;
use nub_btor::{BtorModel, Sort};
use nub_generate::{ExpectedStatus, GenerateConfig, Generator, Ratio, to_model};
use nub_random::Rng;

fn model(generator: &mut Generator, seed: u64) -> BtorModel {
    to_model(generator.formula(seed).unwrap()).unwrap().0
}

/// Number of bits of all variables together.
fn n_bits(model: &BtorModel) -> u32 {
    model.inputs().iter().map(|&input| model.node(input).sort.width()).sum()
}

fn satisfies(model: &BtorModel, assignment: u64) -> bool {
    let mut rest = assignment;
    let values = evaluate(model, |leaf| {
        let width = model.node(leaf).sort.width();
        let value = Value::from_u64(width, rest);
        rest >>= width;
        Datum::Bits(value)
    });
    values.unwrap().satisfies(model)
}

fn is_sat(model: &BtorModel) -> bool {
    (0..1u64 << n_bits(model)).any(|assignment| satisfies(model, assignment))
}

fn n_models(model: &BtorModel) -> usize {
    (0..1u64 << n_bits(model)).filter(|&assignment| satisfies(model, assignment)).count()
}

fn small(status: ExpectedStatus) -> Vec<GenerateConfig> {
    let base = GenerateConfig {
        nodes: 40,
        vars: 4,
        maxwidth: 3,
        noarrays: true,
        more_ops: true,
        status: Some(status),
        ..GenerateConfig::default()
    };
    vec![
        base.clone(),
        // Without the planted model nearly all of these would be unsatisfiable.
        GenerateConfig { cnf: true, clauses: Ratio::whole(6), ..base.clone() },
        GenerateConfig { cnfonly: true, vars: 9, clauses: Ratio::whole(7), ..base },
    ]
}

#[test]
fn sat_files_have_a_model() {
    for config in small(ExpectedStatus::Sat) {
        let mut generator = Generator::new(config.clone()).unwrap();
        for seed in 0..25 {
            assert!(is_sat(&model(&mut generator, seed)), "{config:?}, seed {seed}");
        }
    }
}

#[test]
fn pins_keep_the_planted_model_and_few_others() {
    let plain = GenerateConfig { maxwidth: 4, ..small(ExpectedStatus::Sat)[0].clone() };
    let pinned = GenerateConfig { pins: 60, ..plain.clone() };
    let models_of = |config: &GenerateConfig| {
        let mut generator = Generator::new(config.clone()).unwrap();
        (0..25).map(|seed| n_models(&model(&mut generator, seed))).collect::<Vec<_>>()
    };
    let pinned = models_of(&pinned);
    assert!(pinned.iter().all(|n_models| *n_models > 0), "{pinned:?}");
    let (n_pinned, n_plain) = (pinned.iter().sum::<usize>(), models_of(&plain).iter().sum::<usize>());
    assert!(n_pinned * 4 < n_plain, "{n_pinned} of {n_plain}");
}

#[test]
fn unsat_files_have_none() {
    for config in small(ExpectedStatus::Unsat) {
        let mut generator = Generator::new(config.clone()).unwrap();
        for seed in 0..25 {
            assert!(!is_sat(&model(&mut generator, seed)), "{config:?}, seed {seed}");
        }
    }
}

#[test]
fn without_a_status_dense_files_are_unsatisfiable() {
    // As a control: without planting, most of these formulas are unsatisfiable.
    let config = GenerateConfig { status: None, ..small(ExpectedStatus::Sat)[2].clone() };
    let mut generator = Generator::new(config).unwrap();
    let n_sat = (0..25).filter(|&seed| is_sat(&model(&mut generator, seed))).count();
    assert!(n_sat < 5, "{n_sat}");
}

fn random_datum(sort: Sort, rng: &mut Rng) -> Datum {
    match sort {
        Sort::Bits(width) => Datum::Bits(Value::from_u64(width, rng.bits())),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(index, Value::from_u64(element, rng.bits()));
            for _ in 0..4 {
                array.write(Value::from_u64(index, rng.bits()), Value::from_u64(element, rng.bits()));
            }
            Datum::Array(array)
        }
    }
}

/// Every rewrite rule preserves the value: f and not f' is false everywhere.
#[test]
fn contradictions_never_hold() {
    let mut rng = Rng::new(11);
    for (maxwidth, all) in [(4, true), (1, false), (20, true)] {
        let config = GenerateConfig {
            nodes: 400,
            maxwidth,
            all,
            more_ops: all,
            status: Some(ExpectedStatus::Unsat),
            ..GenerateConfig::default()
        };
        let mut generator = Generator::new(config).unwrap();
        for seed in 0..40 {
            let model = model(&mut generator, seed);
            for _ in 0..20 {
                let values = evaluate(&model, |leaf| random_datum(model.node(leaf).sort, &mut rng)).unwrap();
                assert!(!values.satisfies(&model), "seed {seed}, width {maxwidth}");
            }
        }
    }
}
