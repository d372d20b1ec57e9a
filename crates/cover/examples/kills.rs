//! How many of the given mutants can a minimum set of MC/DC tests kill? `kills FILE.i FUNCTION MUTANT...`, each mutant a file with the function
//! under the name `nub_mutant`. FILE is preprocessed C. Prints the tests, the mutants that they kill, those that differ, and whether no tests kill more.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A tool for measuring, not part of nub.

use nub_c_ir::{DataModel, Program, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::mutants::{Mutation, ReadText};
use nub_cover::{CoverOptions, cover};
use nub_sat::SatLimits;

/// Conflicts of the solver for one question: mutants with loops and divisions stay undecided rather than take hours.
const CONFLICTS: u64 = 20_000;

fn program_of(text: &[u8]) -> Program {
    lower(&nub_c_syntax::parse(text).0, &DataModel::lp64()).0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "kills FILE.i FUNCTION MUTANT...";
    let text = std::fs::read(args.next().ok_or(usage)?)?;
    let name = args.next().ok_or(usage)?;
    let mutants: Vec<String> = args.map(std::fs::read_to_string).collect::<Result<_, _>>()?;
    let (n_given, original) = (mutants.len(), text.clone());
    // The given mutants replace those that nub generates, under their names.
    let read = ReadText::new(move |_, names| {
        let mut all = original.clone();
        for (name, mutant) in names.iter().zip(&mutants) {
            all.extend_from_slice(mutant.replace("nub_mutant", name).as_bytes());
        }
        Some(program_of(&all))
    });
    let program = program_of(&text);
    let function = program.function_by_name(&name).ok_or("no such function")?;
    let options = CoverOptions {
        readings: vec![CriterionReading::new(Criterion::Mcdc)],
        mutation: Some(Mutation { read, wanted: Some(n_given) }),
        limits: SatLimits::none().with_conflicts(CONFLICTS),
        ..CoverOptions::default()
    };
    let source = SourceQuotes { program: &program, text: &text };
    for report in cover(source, function, &options).map_err(|error| format!("{error:?}"))? {
        let found = report.mutation.as_ref().ok_or("the mutants cannot be read")?;
        println!(
            "{name}: {} tests kill {} of {} that differ; {}",
            report.n_coverage_tests(),
            found.killed,
            found.differ,
            if found.is_most {
                "no tests of this number kill more (proved)"
            } else {
                "open whether that is the most"
            }
        );
    }
    Ok(())
}
