//! The law of mutants: on random functions of one byte, states, kills and the fewest additional tests agree with the compiled mutants on all 256
//! inputs. 12 functions; 300 with `NUB_FULL=1`, `NUB_SEED=n` starts elsewhere.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_c_ir::{DataModel, Program, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::mutants::{Mutation, ProgramMutant, ReadText, mutated};
use nub_cover::report::{CoverReport, MutantState, MutationReport};
use nub_cover::{CoverOptions, cover};
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, Runner};
use nub_random::Rng;
use nub_test_kit::for_all_seeds;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const N_MUTANTS: usize = 20;

fn n_functions() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 300 } else { 12 }
}

fn first_seed() -> u64 {
    std::env::var("NUB_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// Neither it nor its mutants have undefined behaviour: everything is unsigned (a byte itself would become an `int`, and
/// `-byte << 1` shifts a negative number), and shift amounts and divisors are small constants above zero.
fn expression(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 || rng.below(4) == 0 {
        return match rng.below(4) {
            0 => format!("{}u", rng.below(40)),
            1 => "y".to_owned(),
            _ => "x".to_owned(),
        };
    }
    let left = expression(rng, depth - 1);
    match rng.below(4) {
        0 => format!("({left} {} {}u)", rng.pick(&["/", "%", "<<", ">>"]), 1 + rng.below(6)),
        1 => format!("({}{left})", rng.pick(&["~", "-"])),
        _ => format!("({left} {} {})", rng.pick(&["+", "-", "*", "&", "|", "^"]), expression(rng, depth - 1)),
    }
}

fn condition(rng: &mut Rng, depth: u32) -> String {
    if depth > 0 && rng.below(2) == 0 {
        let (left, right) = (condition(rng, depth - 1), condition(rng, depth - 1));
        return format!("({left} {} {right})", rng.pick(&["&&", "||"]));
    }
    let (left, right) = (expression(rng, 1), rng.below(200));
    format!("{left} {} {right}u", rng.pick(&["<", "<=", ">", ">=", "==", "!="]))
}

fn function(name: &str, rng: &mut Rng) -> String {
    let mut text = format!(
        "unsigned {name}(unsigned char byte) {{\n  unsigned x = byte, y = x * {}u;\n",
        1 + rng.below(9)
    );
    for _ in 0..1 + rng.below(3) {
        writeln!(text, "  if ({})\n    y = {};", condition(rng, 1), expression(rng, 2)).unwrap();
        if rng.below(2) == 0 {
            writeln!(text, "  y += {};", expression(rng, 1)).unwrap();
        }
    }
    writeln!(text, "  return y {} {}u;\n}}", rng.pick(&["%", "+", "^", "&"]), 1 + rng.below(30)).unwrap();
    text
}

fn program_of(text: &[u8]) -> Program {
    let (unit, _) = nub_c_syntax::parse(text);
    lower(&unit, &DataModel::lp64()).0
}

fn report(name: &str, text: &str, seed: u64) -> CoverReport {
    let program = program_of(text.as_bytes());
    let read = ReadText::new(|text, _| Some(program_of(text)));
    let mutation = Some(Mutation { read, wanted: Some(N_MUTANTS) });
    let readings = vec![CriterionReading::new(Criterion::Mcdc)];
    let options = CoverOptions { readings, mutation, seed, ..CoverOptions::default() };
    let function = program.function_by_name(name).unwrap();
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, function, &options).unwrap().remove(0)
}

fn run(program: &Path, args: &[&str], input: Option<&str>) -> Option<(ProcessEnd, String, String)> {
    let runner = Runner::new().ok()?;
    let input = input.map_or(ChildInput::Null, |text| ChildInput::Bytes(text.as_bytes().into()));
    let args = args.iter().map(OsString::from).collect();
    let command = Command { program: program.into(), args, folder: None, env: Vec::new(), input };
    let limits = ProcessLimits {
        wall: Some(Duration::from_secs(300)),
        keep_output: 1 << 30,
        ..ProcessLimits::default()
    };
    let outcome = runner.run(&command, &limits, &Cancel::new()).ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((outcome.end, text(&outcome.stdout.bytes), text(&outcome.stderr.bytes)))
}

/// The result of each function for each byte, from the compiler; `None` without a compiler.
fn compiled(text: &str, names: &[String]) -> Option<Vec<Vec<u32>>> {
    let mut program = format!("#include <stdio.h>\n{text}\nint main(void) {{\n");
    for name in names {
        writeln!(program, "  for (int x = 0; x < 256; x++) printf(\"%u \", {name}(x));\n  puts(\"\");")
            .unwrap();
    }
    program.push_str("  return 0;\n}\n");
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("program");
    let args = ["-w", "-O0", "-x", "c", "-", "-o", output.to_str().unwrap()];
    let (end, _, errors) = run(Path::new("gcc"), &args, Some(&program))?;
    assert_eq!(end, ProcessEnd::Exit(0), "{errors}");
    let (_, stdout, _) = run(&output, &[], None)?;
    Some(stdout.lines().map(|line| line.split(' ').filter_map(|word| word.parse().ok()).collect()).collect())
}

/// The fewest inputs that kill all of some mutants, by sets of sets.
fn fewest(original: &[u32], survivors: &[&Vec<u32>]) -> usize {
    let kills = |x: usize| {
        (0..survivors.len()).filter(|k| survivors[*k][x] != original[x]).fold(0u32, |all, k| all | 1 << k)
    };
    let inputs: BTreeSet<u32> = (0..256).map(kills).collect();
    let all = (1u32 << survivors.len()) - 1;
    let mut reached = BTreeSet::from([0u32]);
    for n in 0.. {
        if reached.contains(&all) {
            return n;
        }
        reached = reached.iter().flat_map(|set| inputs.iter().map(move |more| set | more)).collect();
    }
    unreachable!("all of them differ somewhere")
}

/// The values of the only input of tests.
fn inputs(report: &CoverReport) -> Vec<usize> {
    report.tests.iter().map(|test| test.inputs[0].value.parse().unwrap()).collect()
}

fn check(text: &str, report: &CoverReport, mutants: &[ProgramMutant], original: &[u32], tables: &[Vec<u32>]) {
    let mutation: &MutationReport = report.mutation.as_ref().unwrap();
    assert_eq!(mutation.mutants.len(), mutants.len(), "{text}");
    let (tests, n_first) = (inputs(report), report.n_coverage_tests());
    let mut survivors = Vec::new();
    let mut n_killed = 0;
    for (found, table) in mutation.mutants.iter().zip(tables) {
        let differs = (0..256).any(|x| original[x] != table[x]);
        let expected = if differs { MutantState::Killed } else { MutantState::Equivalent };
        assert_eq!(found.state, expected, "{found:?}\n{text}");
        let killers = |from: usize, to: usize| -> Vec<usize> {
            (from..to)
                .filter(|test| original[tests[*test]] != table[tests[*test]])
                .map(|test| test + 1)
                .collect()
        };
        let first = killers(0, n_first);
        n_killed += usize::from(!first.is_empty());
        if differs && first.is_empty() {
            survivors.push(table);
        }
        let expected = if first.is_empty() { killers(n_first, tests.len()) } else { first };
        assert_eq!(found.tests, expected, "{found:?}\n{text}");
    }
    assert_eq!(mutation.killed, n_killed, "{text}");
    assert_eq!(mutation.differ, n_killed + survivors.len(), "{text}");
    assert!(mutation.is_minimal, "{mutation:?}\n{text}");
    assert_eq!(mutation.more_tests, fewest(original, &survivors), "{text}");
}

#[test]
fn all_inputs_agree() {
    let mut cases = Vec::new();
    let (mut program, mut names) = (String::new(), Vec::new());
    for seed in (first_seed()..).take(n_functions() as usize) {
        let name = format!("f{seed}");
        let text = function(&name, &mut Rng::new(seed));
        let found = mutated(text.as_bytes(), &name, N_MUTANTS).unwrap();
        program.push_str(std::str::from_utf8(&found.text).unwrap());
        names.push(name.clone());
        names.extend(found.mutants.iter().map(|mutant| mutant.name.clone()));
        cases.push((seed, name, text, found.mutants));
    }
    let Some(tables) = compiled(&program, &names) else {
        eprintln!("there is no gcc: nothing is compared");
        return;
    };
    let mut rest = tables.as_slice();
    let cases: Vec<_> = cases
        .into_iter()
        .map(|case| {
            let (own, others) = rest.split_at(1 + case.3.len());
            rest = others;
            (case, own)
        })
        .collect();
    let counts = for_all_seeds(0..cases.len() as u64, |number| {
        let ((seed, name, text, mutants), own) = &cases[number as usize];
        let report = report(name, text, *seed);
        check(text, &report, mutants, &own[0], &own[1..]);
        let mutation = report.mutation.unwrap();
        (mutation.differ, mutation.more_tests)
    });
    let some_differ = counts.iter().any(|counts| counts.0 > 0);
    let some_need_more = counts.iter().any(|counts| counts.1 > 0);
    assert!(some_differ && some_need_more, "there must be something to compare");
}
