//! The same answers as z3 and cvc5. Runs with `NUB_E2E=1`, if these are installed; `NUB_E2E_COUNT` sets how many formulas.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::check::{RandomValues, Sampler, Shapes};
use nub_bitvec::{Assignment, Datum, Op, OperandShape, Pool, Rewriting, TermId, evaluate, script};
use nub_process::{Cancel, ChildInput, Command, ProcessLimits as RunLimits, Runner};
use nub_sat::built_in;
use nub_solve::{BvAnswer, BvSolver, SatLimits};
use std::sync::Arc;
use std::time::Duration;

const PEERS: &[(&str, &[&str])] =
    &[("z3", &["-in"]), ("cvc5", &["--lang", "smt2", "--arrays-exp", "--incremental", "-"])];

/// Messages of cvc5 about constant arrays that it does not support: of terms that are not constants, and related to one another.
const BEYOND_PEERS: &[&str] =
    &["expected a value", "does not yet support write-chains connecting two different constant arrays"];

/// The answers of a peer to a script, one per line.
fn ask(runner: &Runner, (program, args): (&str, &[&str]), text: String) -> Vec<String> {
    let command = Command {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        folder: None,
        env: Vec::new(),
        input: ChildInput::Bytes(Arc::from(text.into_bytes())),
    };
    let limits = RunLimits { wall: Some(Duration::from_secs(120)), ..RunLimits::default() };
    let outcome = runner.run(&command, &limits, &Cancel::new()).unwrap();
    String::from_utf8_lossy(&outcome.stdout.bytes).lines().map(str::to_owned).collect()
}

/// The assertions, then our model as more assertions.
fn with_model(pool: &Pool, roots: &[TermId], answer: &BvAnswer) -> String {
    let made = script(pool, roots);
    let mut text = format!("(set-logic ALL)\n{}(check-sat)\n", made.text);
    if let BvAnswer::Sat(model) = answer {
        for (var, name) in &made.vars {
            let value = &model.values(pool, &[*var])[0];
            text.push_str(&format!("(assert (= {name} {value}))\n"));
        }
        text.push_str("(check-sat)\n");
    }
    text
}

fn check(runner: &Runner, pool: &mut Pool, roots: &[TermId], what: &str) -> bool {
    let mut solver = BvSolver::new(built_in());
    roots.iter().for_each(|root| solver.assert(*root));
    let answer = solver.check(pool, &[], &SatLimits::none());
    let expected: &[&str] = match answer {
        BvAnswer::Sat(_) => &["sat", "sat"],
        BvAnswer::Unsat(_) => &["unsat"],
        BvAnswer::Unknown(ref reason) => panic!("{what}: {reason}"),
    };
    let text = with_model(pool, roots, &answer);
    for &peer in PEERS {
        let said = ask(runner, peer, text.clone());
        if said.iter().any(|line| BEYOND_PEERS.iter().any(|limit| line.contains(limit))) {
            continue;
        }
        // A peer may answer `unknown`, but must not contradict.
        let agrees = said.iter().zip(expected).all(|(said, ours)| said == ours || said == "unknown");
        assert!(agrees && said.len() == expected.len(), "{what}: {} says {said:?}\n{text}", peer.0);
    }
    matches!(answer, BvAnswer::Sat(_))
}

#[test]
fn random_formulas_have_the_same_answers() {
    if !PEERS.iter().all(|(name, _)| nub_test_kit::end_to_end_tool(name).is_some()) {
        return;
    }
    let n_formulas: u64 = std::env::var("NUB_E2E_COUNT").map_or(150, |count| count.parse().unwrap());
    let runner = Runner::new().unwrap();
    let mut n_sat = 0;
    for seed in 0..n_formulas {
        let rewriting = if seed % 2 == 0 { Rewriting::On } else { Rewriting::Off };
        let mut pool = Pool::with_rewriting(rewriting);
        let shapes = match seed % 3 {
            0 => Shapes::bits(8),
            1 => Shapes::arrays(8, 4),
            _ => Shapes::arrays(3, 2),
        };
        let mut sampler = Sampler::new(&mut pool, shapes, 6, seed);
        let mut roots = Vec::new();
        for _ in 0..1 + seed % 4 {
            (0..12).for_each(|_| _ = sampler.grow(&mut pool));
            roots.push(sampler.truth(&mut pool));
        }
        n_sat += u64::from(check(&runner, &mut pool, &roots, &format!("seed {seed}")));
    }
    assert!(n_sat > n_formulas / 20 && n_sat < n_formulas * 19 / 20, "{n_sat} of {n_formulas} are sat");
}

/// For every operator, the SMT-LIB term in the table has the same value as the evaluator: on constants, in one script for all.
#[test]
fn operators_mean_what_the_table_says() {
    if !PEERS.iter().all(|(name, _)| nub_test_kit::end_to_end_tool(name).is_some()) {
        return;
    }
    let mut rng = nub_bitvec::check::Rng::new(7);
    let mut pool = Pool::with_rewriting(Rewriting::Off);
    let mut roots = Vec::new();
    for op in Op::all() {
        for round in 0..40 {
            let width = [1, 2, 3, 4, 5, 8, 33][round % 7];
            let mut constant = |pool: &mut Pool, width: u32| pool.constant(rng.value(width));
            let [x, y, bit, other_bit] = [width, width, 1, 1].map(|width| constant(&mut pool, width));
            let by = constant(&mut pool, [width, 1, 4, 9][round % 4]);
            let applied = match op.info().shape {
                OperandShape::Leaf
                | OperandShape::Read
                | OperandShape::Write
                | OperandShape::ConstArray
                | OperandShape::Slice => continue,
                OperandShape::Same(1) | OperandShape::Predicate(1) => pool.mk(op, &[x]),
                OperandShape::Truths(_) => pool.mk(op, &[bit, other_bit]),
                OperandShape::Shift | OperandShape::Concat => pool.mk(op, &[x, by]),
                OperandShape::Extend | OperandShape::Repeat => {
                    pool.mk_indexed(op, &[x], &[1 + round as u32 % 3])
                }
                OperandShape::Ite => pool.mk(op, &[bit, x, y]),
                OperandShape::Same(_) | OperandShape::Predicate(_) | OperandShape::Equal => {
                    pool.mk(op, &[x, y])
                }
            };
            let value = evaluate(&pool, &Assignment::new(), &[applied]);
            let Datum::Bits(value) = value[0].clone() else { continue };
            let expected = pool.constant(value);
            roots.push(pool.mk(Op::Eq, &[applied, expected]));
        }
    }
    let made = script(&pool, &roots);
    let runner = Runner::new().unwrap();
    for &peer in PEERS {
        let said = ask(&runner, peer, format!("(set-logic ALL)\n{}(check-sat)\n", made.text));
        assert_eq!(said, ["sat"], "{}", peer.0);
    }
    assert!(roots.len() > 1500, "{}", roots.len());
}
