//! Laws of mutation: a mutant is as well sorted as its seed, differs from it, and is a function of files and number.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_generate::{
    Files, FormulaFormat, FormulaMutator, GenerateConfig, KindSet, MutateConfig, MutateDialect, MutationKind,
    QuantifierUse,
};
use nub_smtlib::{CommandKind, Script};
use std::collections::BTreeMap;
use std::path::Path;

/// One small script per theory, with features that are easy to get wrong: shadowing, patterns, names, levels, converted numbers.
const SEEDS: &[&str] = &[
    "(set-logic QF_LIA)\n(set-info :status sat)\n(declare-const x Int)\n(declare-const y Int)\n(assert (< (+ x 1) (* 2 y)))\n(assert (or (= x 3) (> y (- 7))))\n(check-sat)\n(get-model)\n(exit)\n",
    "(set-logic QF_LRA)(declare-fun a () Real)(declare-fun b () Real)(assert (<= (+ a (* 2 b)) 3))(assert (not (= a (/ b 4))))(check-sat)",
    "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 16))(assert (bvult ((_ zero_extend 8) x) (bvadd y #x00ff)))(assert (= ((_ extract 7 0) y) (bvnot x)))(assert (let ((z (bvmul x x))) (bvsle z (concat #b1 ((_ extract 6 0) z)))))(check-sat)",
    "(set-logic QF_ABV)(declare-const m (Array (_ BitVec 4) (_ BitVec 8)))(declare-const i (_ BitVec 4))(assert (= (select (store m i #x01) (bvadd i #x1)) #xff))(assert (distinct m (store m #x0 #x00)))(check-sat)",
    "(set-logic QF_BVFP)(declare-const f (_ FloatingPoint 8 24))(declare-const g (_ FloatingPoint 8 24))(declare-const r RoundingMode)(assert (fp.lt (fp.add r f g) (fp #b0 #x7f #b00000000000000000000000)))(assert (= ((_ fp.to_sbv 8) RNE f) #x01))(assert (fp.isNaN ((_ to_fp 8 24) RTZ 0.5)))(check-sat)",
    "(set-logic QF_SLIA)(declare-const s String)(declare-const t String)(assert (= (str.++ s \"ab\") t))(assert (str.in_re s (re.+ (re.range \"a\" \"c\"))))(assert (< (str.len s) (str.indexof t \"b\" 0)))(assert (str.in_re t ((_ re.loop 1 3) (str.to_re \"x\"))))(check-sat)",
    "(set-logic UFLIA)(declare-sort U 0)(declare-fun f (U) Int)(declare-fun g (U) Int)(declare-const u U)(assert (forall ((x U)) (! (> (f x) (g x)) :pattern ((f x)))))(assert (exists ((u U) (i Int)) (= (f u) i)))(assert (< (f u) (g u)))(check-sat)",
    "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(assert ((_ is cons) l))(assert (= (tl l) (cons 1 nil)))(assert (match l ((nil true) ((cons h k) (and (> h 0) (= k nil))))))(check-sat)",
    "(set-option :produce-unsat-cores true)(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)(assert (! (and p q) :named n1))(assert (! (not p) :named n2))(assert (=> n1 q))(check-sat)(get-unsat-core)",
    "(set-logic QF_LIA)(declare-const x Int)(push 1)(declare-const y Int)(assert (< x y))(check-sat)(pop 1)(push 1)(declare-const y Bool)(assert (=> y (< x 0)))(check-sat)(pop 1)(check-sat)",
    "(declare-const x Real)(declare-const n Int)(define-fun sq ((v Real)) Real (* v v))(assert (= (sq x) 2))(assert (< (to_real n) (+ x 1)))(assert (let ((x 3) (y x)) (< y (to_real x))))(check-sat)",
    "(set-logic QF_AX)(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const i I)(declare-const e E)(assert (= (select a i) e))(assert (not (= a (store a i e))))(check-sat)",
];

const BTOR: &str = "1 var 8 x\n2 constd 8 7\n3 add 8 1 2\n4 ult 1 3 -1\n5 array 8 4\n6 var 4\n7 read 8 5 6\n8 eq 1 7 3\n9 and 1 4 8\n10 root 1 9\n";
const BTOR2: &str = "1 sort bitvec 8\n2 sort bitvec 1\n3 state 1 s\n4 zero 1\n5 init 1 3 4\n6 one 1\n7 add 1 3 6\n8 next 1 3 7\n9 ones 1\n10 eq 2 3 9\n11 uext 1 10 7\n12 ugt 2 11 3\n13 constraint 12\n14 bad 10\n";
const CNF: &str = "c three\np cnf 4 3\n1 -2 3 0\n-1 4 0\n2 -3 -4 0\n";

fn all_files() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> =
        SEEDS.iter().chain(&[BTOR, BTOR2, CNF]).map(|text| text.as_bytes().to_vec()).collect();
    for format in [FormulaFormat::Btor, FormulaFormat::Btor2, FormulaFormat::SmtLib] {
        let mut generator =
            Files::new(GenerateConfig { nodes: 40, ..GenerateConfig::default() }, format).unwrap();
        for seed in 0..3 {
            let mut text = Vec::new();
            generator.write(seed, &mut text).unwrap();
            files.push(text);
        }
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smtlib/tests");
    for folder in ["sorts", "fuzz-failures"] {
        let mut paths: Vec<_> =
            tests.join(folder).read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        files.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
    }
    files
}

/// The mutant has no fault that its seeds do not have.
fn check_smt(seed: &[u8], other: Option<&[u8]>, mutant: &[u8], n: u64) {
    let n_unknown = |text: &[u8]| Script::parse(text).0.analyse().unknown().len();
    let shown = String::from_utf8_lossy(mutant);
    let (script, diagnostics) = Script::parse(mutant);
    let analysis = script.analyse();
    assert!(diagnostics.is_empty(), "{n}: {diagnostics:?}\n{shown}");
    assert!(analysis.errors().is_empty(), "{n}: {:?}\n{shown}", analysis.errors());
    assert!(
        analysis.unknown().len() <= n_unknown(seed) + other.map_or(0, n_unknown),
        "{n}: unknown\n{shown}"
    );
    let is_status = |(node, kind)| {
        kind == CommandKind::SetInfo
            && script.tree().child(node, 1).is_some_and(|key| script.slice(key) == b":status")
    };
    assert!(!script.commands().any(is_status), "{n}: a status is left\n{shown}");
}

#[test]
fn mutants_are_as_good_as_their_seeds() {
    let files = all_files();
    for (max_mutations, dialect) in
        [(1, MutateDialect::Common), (6, MutateDialect::Cvc5), (3, MutateDialect::Z3)]
    {
        let config = MutateConfig {
            max_mutations,
            dialect,
            quantifiers: QuantifierUse::Always,
            ..MutateConfig::default()
        };
        let (mutator, _) = FormulaMutator::new(files.clone(), config);
        let mut n_mutants = 0;
        const N: u64 = 1_500;
        for n in 0..N {
            let mut text = Vec::new();
            let Some(mutant) = mutator.write(n, &mut text) else {
                assert!(text.is_empty(), "nothing is appended");
                continue;
            };
            n_mutants += 1;
            let seed = &files[mutant.file];
            assert_ne!(*seed, text, "{n}: {:?}", mutant.kinds);
            assert!(!mutant.kinds.is_empty() && mutant.kinds.len() <= max_mutations as usize);
            match mutant.format {
                FormulaFormat::SmtLib => {
                    check_smt(seed, mutant.other.map(|other| &files[other][..]), &text, n)
                }
                FormulaFormat::Btor | FormulaFormat::Btor2 => {
                    let dialect = nub_btor::BtorDialect::guess(seed).unwrap();
                    let kinds = |text: &[u8]| nub_btor::BtorFile::read(text, dialect).fault_kinds();
                    assert!(kinds(&text).is_subset(kinds(seed)), "{n}: {}", String::from_utf8_lossy(&text));
                }
                FormulaFormat::Dimacs => {
                    let file = nub_dimacs::DimacsFile::read(text.clone(), nub_dimacs::DimacsKind::Cnf);
                    assert!(file.faults().is_empty(), "{n}: {}", String::from_utf8_lossy(&text));
                }
            }
        }
        assert!(n_mutants * 100 > N * 90, "{n_mutants} of {N}");
    }
}

#[test]
fn every_technique_is_reached_and_only_the_wanted_ones() {
    let files = all_files();
    for &kind in MutationKind::ALL {
        let kinds = KindSet::NONE.with(kind);
        let config = MutateConfig {
            kinds,
            quantifiers: QuantifierUse::Always,
            max_mutations: 1,
            ..MutateConfig::default()
        };
        let (mutator, _) = FormulaMutator::new(files.clone(), config);
        let mut n_found = 0;
        for n in 0..600 {
            if let Some(mutant) = mutator.write(n, &mut Vec::new()) {
                assert_eq!(mutant.kinds, [kind.name()]);
                n_found += 1;
            }
        }
        assert!(n_found >= 5, "{}: {n_found} of 600", kind.name());
    }
}

#[test]
fn same_number_same_bytes() {
    let make = || {
        let (mutator, skipped) = FormulaMutator::new(all_files(), MutateConfig::default());
        let mut text = Vec::new();
        let mutants: Vec<_> = (0..300).map(|n| mutator.write(n, &mut text)).collect();
        (text, mutants, skipped)
    };
    assert!(make() == make());
}

#[test]
fn mutants_of_one_seed_are_many() {
    let (mutator, _) = FormulaMutator::new(vec![SEEDS[2].as_bytes().to_vec()], MutateConfig::default());
    let mut seen: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for n in 0..500 {
        let mut text = Vec::new();
        if mutator.write(n, &mut text).is_some() {
            seen.insert(text, n);
        }
    }
    assert!(seen.len() > 440, "{} different mutants of 500", seen.len());
}

#[test]
fn files_that_are_no_seeds_are_skipped_with_a_reason() {
    let files: &[(&[u8], &str)] = &[
        (b"", "nothing is asserted"),
        (b"\x00\xff garbage", "nothing is asserted"),
        (b"(assert", "not SMT-LIB"),
        (b"(declare-const x Int)(assert (and x x))", "ill-sorted"),
        (b"(check-sat)", "nothing is asserted"),
        (b"1 var 8\n2 add 8 1 7\n", "not well-formed BTOR"),
        (b"p cnf 2 5\n1 0\n", "not well-formed DIMACS"),
        (b"p wcnf 2 1 5\n5 1 0\n", "only cnf"),
    ];
    let (mutator, skipped) =
        FormulaMutator::new(files.iter().map(|(text, _)| text.to_vec()).collect(), MutateConfig::default());
    assert!(mutator.is_empty() && mutator.write(0, &mut Vec::new()).is_none());
    assert_eq!(skipped.len(), files.len());
    for (skip, (_, reason)) in skipped.iter().zip(files) {
        assert!(skip.reason.to_string().contains(reason), "{}", skip.reason);
    }
}
