//! The law of `--keep`: whatever the strategy and the failure, a kept command, line or clause is in the result, byte for byte.
//! Clean-up is what broke it: a kept declaration went with its last use.
#![allow(clippy::unwrap_used)] // tests may panic

use nub_btor::BtorDialect;
use nub_dimacs::DimacsKind;
use nub_edits::dag::Dag;
use nub_edits::smtlib::mutators::MUTATOR_NAMES;
use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::strategies::auto::{ResultLayout, auto};
use nub_reduce::strategies::dag::{ALGORITHMS, Simplify, combine};
use nub_reduce::strategies::{
    MutatorSelection, Mutators, Recursion, Scheme, auto_btor, auto_dimacs, auto_plain, ddmin_clauses,
    ddmin_lines, ddsmt, mutate, sound,
};
use nub_reduce::{
    AllowedCandidates, Engine, Keep, Quiet, ReduceConfig, ReductionStop, SubjectFormat, btor::Btor,
    dimacs::Dimacs, plain::Plain, smt::SmtLib,
};

type Strategy<F> = (String, Box<dyn Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop>>);

type Predicate<'t> = &'t (dyn Fn(&[u8]) -> bool + Sync);

fn strategy<F: SubjectFormat>(
    name: impl Into<String>,
    run: impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop> + 'static,
) -> Strategy<F> {
    (name.into(), Box::new(run))
}

fn on_graphs<F>() -> Vec<Strategy<F>>
where
    F: SubjectFormat + 'static,
    F::View: Dag,
{
    let each = ALGORITHMS.into_iter().flat_map(|algorithm| {
        [Simplify::On, Simplify::Off].map(|simplify| {
            let name = format!("{} {simplify:?}", algorithm.name());
            strategy(name, move |engine| combine(engine, &[algorithm], simplify))
        })
    });
    each.collect()
}

fn on_scripts() -> Vec<Strategy<SmtLib>> {
    let mut all = on_graphs();
    all.push(strategy("auto", |engine| auto(engine, ResultLayout::Compact)));
    all.push(strategy("auto pretty", |engine| auto(engine, ResultLayout::Pretty)));
    all.push(strategy("ddsmt", ddsmt));
    all.push(strategy("sound", |engine| sound(engine, Recursion::Iterative)));
    let recursion = Recursion::Recursive { max_states: 200 };
    all.push(strategy("sound recursive", move |engine| match sound(engine, recursion) {
        Err(ReductionStop::MaxStates) => Ok(()),
        result => result,
    }));
    for scheme in [Scheme::Ddmin, Scheme::Hierarchical, Scheme::Hybrid] {
        all.push(strategy(format!("mutators {scheme:?}"), move |engine| {
            mutate(engine, &Mutators::new(MutatorSelection::All(MUTATOR_NAMES), None, scheme))
        }));
    }
    all
}

/// An arbitrary predicate that holds for about two texts in three.
fn odd(text: &[u8]) -> bool {
    let hash = text.iter().fold(7u32, |hash, &byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    !hash.is_multiple_of(3)
}

fn has(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

/// Reduces a file once for each of its lines, which is kept, with each strategy and several failures.
fn check<F: SubjectFormat>(text: &str, strategies: &[Strategy<F>], format: impl Fn(Keep) -> F) {
    // The header of a DIMACS file is not a unit.
    for kept in text.lines().filter(|line| !line.is_empty() && !line.starts_with("p cnf")) {
        for (name, strategy) in strategies {
            let failures: [(&str, Predicate<'_>); 3] = [
                ("any file fails", &|_| true),
                ("files with 'not' or 'xor' fail", &|other| has(other, "not") || has(other, "xor")),
                ("many files fail", &|other| other == text.as_bytes() || odd(other)),
            ];
            for (failure, fails) in failures {
                let line = kept.to_owned();
                let format = format(Keep::matching(move |unit| has(unit, &line)));
                let (result, after, stats) = Engine::run(
                    &format,
                    &FnOracle::new(fails),
                    text.into(),
                    ReduceConfig::default(),
                    &Cancel::new(),
                    &mut Quiet,
                    |engine| strategy(engine),
                );
                assert_eq!((result, stats.panics), (Ok(()), 0), "{name}: {kept}");
                let shown = String::from_utf8_lossy(&after);
                assert!(has(&after, kept), "{name}, {failure}: {kept} is not in\n{shown}");
            }
        }
    }
}

const SCRIPTS: [&str; 3] = [
    "(declare-const a Bool)\n(assert (not a))\n",
    "(set-logic ALL)\n(declare-const unused Int)\n(declare-sort S 0)\n(declare-const s S)\n(define-fun f ((b Bool)) Bool (not b))\n\
     (define-fun g () Bool (f true))\n(assert (let ((x (f g)) (y (= s s))) (xor x y)))\n(check-sat)\n(exit)\n",
    "(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n(push 1)\n\
     (assert (forall ((z (_ BitVec 8))) (not (= z (bvadd x y)))))\n(pop 1)\n(assert (= #x0f (bvand (bvnot x) y)))\n",
];

#[test]
fn commands() {
    for text in SCRIPTS {
        for candidates in [AllowedCandidates::WellFormed, AllowedCandidates::Any] {
            check(text, &on_scripts(), |keep| SmtLib::new(text.as_bytes(), candidates).keeping(keep));
        }
    }
}

#[test]
fn lines_of_graphs() {
    let btor2 =
        "1 sort bitvec 1\n2 input 1 a\n3 input 1 b\n4 and 1 2 3\n5 constraint 4\n6 xor 1 2 3\n7 bad 6\n";
    let states = "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n6 input 1\n7 add 1 4 6\n8 next 1 4 7\n\
         9 eq 2 4 -3\n10 input 2\n11 not 2 10\n12 xor 2 9 11\n13 bad 12\n14 justice 1 9\n";
    let btor = "1 var 4\n2 var 4\n3 add 4 1 2\n4 eq 1 1 2\n5 not 1 4\n6 xor 1 5 -4\n7 root 1 6\n8 root 1 4\n";
    let dialects = [(btor2, BtorDialect::Btor2), (states, BtorDialect::Btor2), (btor, BtorDialect::Btor)];
    for (text, dialect) in dialects {
        for candidates in [AllowedCandidates::WellFormed, AllowedCandidates::Any] {
            let mut all = on_graphs();
            all.push(strategy("auto", auto_btor));
            check(text, &all, |keep| Btor::new(text.as_bytes(), dialect, candidates).keeping(keep));
        }
    }
}

#[test]
fn clauses_and_blocks() {
    let text = "p cnf 5 4\ne 1 0\na 2 3 0\ne 4 5 0\n1 2 -4 0\n-3 5 0\n4 0\n-5 1 0\n";
    let all: Vec<Strategy<Dimacs>> = vec![strategy("auto", auto_dimacs), strategy("ddmin", ddmin_clauses)];
    for candidates in [AllowedCandidates::WellFormed, AllowedCandidates::Any] {
        check(text, &all, |keep| Dimacs::new(text.as_bytes(), DimacsKind::Qdimacs, candidates).keeping(keep));
    }
}

#[test]
fn lines_of_text() {
    let text = "int not(int x) {\n    return x + 1234;\n}\n\nconst char *s = \"abcdef [not]\";\n";
    let all: Vec<Strategy<Plain>> = vec![strategy("auto", auto_plain), strategy("ddmin", ddmin_lines)];
    check(text, &all, |keep| Plain::new().keeping(keep));
}
