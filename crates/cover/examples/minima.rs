//! Sizes and times of all criteria for one function: `minima FILE.i [FUNCTION [CRITERION]]`. FILE is preprocessed C.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // A tool for measuring, not part of nub.

use nub_c_ir::{Body, DataModel, FunctionId, lower};
use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::{CoverOptions, Unwind, cover, output};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("minima FILE.i [FUNCTION]")?;
    let name = args.next();
    let only = args.next();
    let text = std::fs::read(&path)?;
    let start = Instant::now();
    let (unit, found) = nub_c_syntax::parse(&text);
    let (program, more) = lower(&unit, &DataModel::lp64());
    found.iter().chain(&more).for_each(|found| eprintln!("{}", found.message));
    let own = program.functions.iter().position(|function| match &name {
        Some(name) => function.name == *name,
        None => matches!(function.body, Body::Defined) && !function.is_model,
    });
    let function = FunctionId(own.ok_or("no such function")? as u32);
    println!("{path}: front end {:?}", start.elapsed());
    let criteria =
        [Criterion::Decision, Criterion::Condition, Criterion::ConditionDecision, Criterion::McdcPairs];
    let is_wanted = |criterion: &Criterion| only.as_ref().is_none_or(|name| criterion.word() == name);
    for criterion in criteria.into_iter().filter(is_wanted) {
        let start = Instant::now();
        let readings = vec![CriterionReading::new(criterion)];
        let options = CoverOptions { readings, unwind: Unwind::UpTo(64), ..CoverOptions::default() };
        let source = SourceQuotes { program: &program, text: &text };
        let reports = cover(source, function, &options).map_err(|error| format!("{error:?}"))?;
        for report in reports {
            println!(
                "{:20} {:3} tests, lower {:3} by {:7} goals {}/{} infeasible {} unwind {:?} questions {} {:?}",
                report.criterion,
                report.tests.len(),
                report.lower_bound,
                report.proof,
                report.summary.covered,
                report.summary.goals,
                report.summary.infeasible,
                report.unwind,
                report.n_questions,
                start.elapsed()
            );
            if std::env::var_os("SHOW").is_some() {
                println!("{}", output::table(&report));
            }
        }
    }
    Ok(())
}
