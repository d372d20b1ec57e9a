//! What must hold for every model: printing and reading give it back, translations preserve its meaning.
#![allow(clippy::unwrap_used)]

mod common;

use common::{ModelValues, Rng, combinational, sequential};
use nub_bitvec::Datum;
use nub_btor::eval::{Values, evaluate, first_step, next_step};
use nub_btor::{
    BadStateStep, BtorDialect, BtorFile, BtorModel, BtorNodeId, Ref, Sort, Tag, convert, print, to_smtlib,
    unroll,
};

fn read(text: &[u8], dialect: BtorDialect) -> BtorModel {
    let file = BtorFile::read(text, dialect);
    assert!(file.faults().is_empty(), "{:?}\n{}", file.faults(), String::from_utf8_lossy(text));
    BtorModel::of(&file).unwrap()
}

#[test]
fn reading_inverts_printing() {
    for seed in 0..200 {
        let model = combinational(seed, 60);
        for dialect in [BtorDialect::Btor, BtorDialect::Btor2] {
            let fitted = convert(&model, dialect).unwrap();
            let again = read(&print(&fitted, dialect), dialect);
            // In BTOR only variables have symbols.
            let printed = [&fitted, &again].map(|model| print(model, dialect));
            assert_eq!(printed[0], printed[1], "seed {seed}");
            assert!(dialect == BtorDialect::Btor || fitted == again, "seed {seed}");
        }
        let model = convert(&sequential(seed, 60, true), BtorDialect::Btor2).unwrap();
        assert!(model == read(&print(&model, BtorDialect::Btor2), BtorDialect::Btor2), "seed {seed}");
    }
}

/// Values of the inputs by their position, so that translations get the same ones.
fn values_of(model: &BtorModel, seed: u64) -> Values {
    let mut rng = Rng::new(seed);
    let inputs: Vec<Datum> = model.inputs().iter().map(|&input| rng.datum(model.node(input).sort)).collect();
    let leaf = |node: BtorNodeId| inputs[model.inputs().binary_search(&node).unwrap()].clone();
    evaluate(model, leaf).unwrap()
}

/// Whether each root is set. A translation keeps the order of properties.
fn answers(model: &BtorModel, values: &Values) -> Vec<bool> {
    model.properties().iter().map(|property| values.is_set(property.refs[0])).collect()
}

#[test]
fn translations_mean_the_same() {
    let mut n_set = [0; 2];
    for seed in 0..300 {
        let model = combinational(seed, 80);
        let to_btor2 = convert(&model, BtorDialect::Btor2).unwrap();
        let to_btor = convert(&model, BtorDialect::Btor).unwrap();
        let back =
            convert(&read(&print(&to_btor2, BtorDialect::Btor2), BtorDialect::Btor2), BtorDialect::Btor)
                .unwrap();
        for round in 0..20 {
            let seed = seed * 1000 + round;
            let expected = answers(&model, &values_of(&model, seed));
            for other in [&to_btor2, &to_btor, &back] {
                assert_eq!(answers(other, &values_of(other, seed)), expected, "seed {seed}");
            }
            expected.iter().for_each(|&set| n_set[usize::from(set)] += 1);
        }
    }
    assert!(n_set.iter().all(|&n| n > 500), "both answers occur: {n_set:?}");
}

/// Every shift of every width up to 9 by every amount, against the evaluator on the original.
#[test]
fn shifts_by_any_amount_on_any_width() {
    for width in 1..=9u32 {
        for tag in [Tag::Sll, Tag::Srl, Tag::Sra, Tag::Rol, Tag::Ror] {
            let mut model = BtorModel::new();
            let args = [0, 1].map(|_| Ref::from(model.push_input(Sort::Bits(width))));
            let shift = model.push_op(tag, &args, &[]).unwrap();
            model.add_property(Tag::Output, &[shift.into()]).unwrap();
            model.add_property(Tag::Root, &[shift.into()]).unwrap();
            let btor = convert(&model, BtorDialect::Btor).unwrap();
            let text = print(&btor, BtorDialect::Btor);
            assert!(
                BtorFile::read(&text, BtorDialect::Btor).faults().is_empty(),
                "{}",
                String::from_utf8_lossy(&text)
            );
            let patterns = [1, (1 << width) - 1, 1 << (width - 1), 0b1_0110_1101 % (1 << width)];
            for (a, b) in patterns.into_iter().flat_map(|a| (0..1u64 << width).map(move |b| (a, b))) {
                let leaf = |node: BtorNodeId| {
                    let number = if node.index() == 0 { a } else { b };
                    Datum::Bits(nub_bitvec::Value::from_u64(width, number))
                };
                let expected = evaluate(&model, leaf).unwrap().get(shift.into());
                let found = evaluate(&btor, leaf).unwrap().get(btor.properties()[0].refs[0]);
                assert_eq!(found, expected, "{tag:?} of {a} by {b} in {width} bits");
            }
        }
    }
}

/// Simulates the model step by step, and compares with the unrolled model.
#[test]
fn unrolling_is_simulation() {
    let mut n_bad = 0;
    for seed in 0..200u64 {
        let model = sequential(seed, 60, seed.is_multiple_of(2));
        for (k, reach) in [(0, BadStateStep::UpTo), (3, BadStateStep::UpTo), (3, BadStateStep::Exactly)] {
            let unrolled = unroll(&model, k, reach).unwrap();
            assert!(unrolled.states().is_empty());
            for round in 0..5 {
                let is_reached = simulate(&model, k, reach, seed * 100 + round);
                let values = evaluate(&unrolled, |node| {
                    let name = std::str::from_utf8(unrolled.symbol(node).unwrap()).unwrap();
                    named(name, unrolled.node(node).sort, &model, seed * 100 + round)
                })
                .unwrap();
                let found = values.satisfies(&unrolled) && values.is_bad(&unrolled);
                assert_eq!(found, is_reached, "seed {seed} k {k} {reach:?}");
                n_bad += u32::from(is_reached);
            }
        }
    }
    assert!(n_bad > 50, "{n_bad}");
}

/// A value that depends on the name of an input and its step.
fn by_name(name: &str, step: u32, sort: Sort, seed: u64) -> Datum {
    let hash = name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    Rng::new(hash ^ u64::from(step) << 40).datum(sort)
}

fn name_of(model: &BtorModel, node: BtorNodeId) -> String {
    let kind = if model.node(node).tag == Tag::State { "state" } else { "input" };
    let symbol = model.symbol(node).map(|name| String::from_utf8(name.to_vec()).unwrap());
    symbol.unwrap_or_else(|| format!("{kind}{}", node.index()))
}

/// The value of `name@step`. An array with a constant initial value has that constant everywhere.
fn named(name: &str, sort: Sort, model: &BtorModel, seed: u64) -> Datum {
    let (name, step) = name.rsplit_once('@').unwrap();
    let step = step.parse().unwrap();
    let is_it = |state: &&nub_btor::BtorState| name_of(model, state.node) == name;
    let init = model.states().iter().find(is_it).and_then(|state| state.init);
    if let (Some(init), 0, Sort::Array { index, .. }) = (init, step, sort) {
        let values = evaluate(model, |node| by_name(&name_of(model, node), 0, model.node(node).sort, seed));
        return Datum::Array(nub_bitvec::ArrayValue::constant(
            index,
            values.unwrap().get(init).bits().clone(),
        ));
    }
    by_name(name, step, sort, seed)
}

/// Whether a bad state is reached, with all constraints satisfied up to that step.
fn simulate(model: &BtorModel, k: u32, reach: BadStateStep, seed: u64) -> bool {
    let free =
        |step: u32| move |node: BtorNodeId| by_name(&name_of(model, node), step, model.node(node).sort, seed);
    let mut now = first_step(model, free(0)).unwrap();
    let (mut is_allowed, mut is_reached) = (now.satisfies(model), false);
    for step in 0..=k {
        if step > 0 {
            now = next_step(model, &now, free(step)).unwrap();
            is_allowed &= now.satisfies(model);
        }
        is_reached |= is_allowed && now.is_bad(model) && (reach == BadStateStep::UpTo || step == k);
    }
    is_reached
}

#[test]
fn scripts_are_balanced_and_linear() {
    let mut n_all_levels = 0;
    for seed in 0..50 {
        let model = combinational(seed, 100);
        let script = to_smtlib(&model).unwrap();
        let mut depth = 0i32;
        let mut deepest = 0;
        for &byte in &script {
            depth += i32::from(byte == b'(') - i32::from(byte == b')');
            deepest = deepest.max(depth);
        }
        assert_eq!(depth, 0);
        let n_levels = script.windows(5).filter(|part| part == b"(let ").count();
        assert!(deepest < 12 + n_levels as i32, "terms do not nest");
        n_all_levels += n_levels;
    }
    assert!(n_all_levels > 100, "most scripts have several levels: {n_all_levels}");
}
