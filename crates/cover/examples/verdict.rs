//! Does the program satisfy its assertions and the rules of C? `verdict [--function NAME] [--unwind N] [--without RULE]... [--allocations-succeed]
//! FILE.i`; FILE is preprocessed C. One line: `holds` (with the assumptions, if any), `fails: WHAT in line N`, or why there is no answer.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A tool for measuring, not part of nub.

use nub_c_ir::{CheckKind, DataModel, lower};
use nub_cover::verdict::{CoverVerdict, Question, verdict};
use nub_sat::SatLimits;
use nub_text::Severity;
use nub_unroll::{AllocationModel, Uninitialised, UnrollConfig};

/// What a model checker checks by default.
const RULES: [(&str, CheckKind); 8] = [
    ("overflow", CheckKind::Overflow),
    ("shift", CheckKind::ShiftAmount),
    ("shift-base", CheckKind::ShiftBase),
    ("float-conversion", CheckKind::FloatConversion),
    ("division", CheckKind::DivisionByZero),
    ("bounds", CheckKind::Bounds),
    ("pointer", CheckKind::Pointer),
    ("null", CheckKind::Null),
];
/// The largest number of iterations of a loop.
const MAX_UNWIND: u32 = 256;
/// Conflicts of one question.
const CONFLICTS: u64 = 2_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules: Vec<CheckKind> = RULES.map(|(_, kind)| kind).into();
    rules.push(CheckKind::Free);
    let mut switched_off = Vec::new();
    let (mut name, mut file, mut unwind) = ("main".to_owned(), None, None);
    let mut allocations = AllocationModel::Sized;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or("a value is missing");
        match arg.as_str() {
            "--function" => name = value()?,
            "--unwind" => unwind = Some(value()?.parse::<u32>()?),
            "--without" => {
                let rule = value()?;
                let kinds = || RULES.iter().filter(|(name, _)| *name == rule).map(|(_, kind)| *kind);
                rules.retain(|kind| kinds().all(|off| off != *kind));
                // Compilers define these then: gcc has `-fwrapv`, and shifts negative numbers.
                let has_meaning =
                    |kind: &CheckKind| matches!(kind, CheckKind::Overflow | CheckKind::ShiftBase);
                switched_off.extend(kinds().filter(|kind| !has_meaning(kind)));
            }
            "--allocations-succeed" => allocations = AllocationModel::Succeed,
            _ => file = Some(arg),
        }
    }
    let text = std::fs::read(file.ok_or("verdict FILE.i")?)?;
    let config = UnrollConfig {
        unwind: unwind.unwrap_or(4),
        uninitialised: Uninitialised::Input,
        allocations,
        ..UnrollConfig::default()
    };
    let question = Question { rules, switched_off, unroll: config, max_unwind: unwind.unwrap_or(MAX_UNWIND) };
    println!("{}", answer(&text, &name, &question));
    Ok(())
}

fn answer(text: &[u8], name: &str, question: &Question) -> String {
    let (unit, found) = nub_c_syntax::parse(text);
    let (mut program, _) = lower(&unit, &DataModel::lp64());
    // What is refused in a function matters only if a run can reach it.
    let error = found.iter().find(|found| found.severity == Severity::Error);
    if let Some(error) = error {
        return format!("refused: {}", error.message);
    }
    let Some(function) = program.function_by_name(name) else {
        return "refused: no such function".to_owned();
    };
    program.supply_missing(function);
    match verdict(&program, function, question, &SatLimits::none().with_conflicts(CONFLICTS)) {
        CoverVerdict::Holds => match question.unroll.allocations {
            AllocationModel::Succeed => "holds if every allocation succeeds".to_owned(),
            AllocationModel::Sized => "holds".to_owned(),
        },
        CoverVerdict::Fails(what, line) => format!("fails: {what} in line {line}"),
        CoverVerdict::BeyondBound => "beyond the bound".to_owned(),
        CoverVerdict::Unknown(stop) => format!("not decided: {stop}"),
        CoverVerdict::Refused(found) => {
            format!("refused: {}", found.first().map_or("", |found| found.message.as_str()))
        }
    }
}
