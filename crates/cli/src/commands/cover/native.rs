//! Replay of the tests in the compiled program.

use super::args::{Harness, ProgramArgs, RunArgs};
use super::write::c_text;
use crate::commands::c_program::native::{Native, Quick, why_not};
use crate::commands::c_program::{LoadArgs, Loaded, absolute};
use crate::exit::{Exit, Failure};
use nub_c_ir::FunctionId;
use nub_cover::output;
use nub_cover::report::{Report, Test};

/// What a report says if the compiled tests agree.
const CONFIRMED: &str = "confirmed";

/// Compiles the tests of the reports and runs them, where that is possible, and notes in each what came of that. A test that ends
/// differently is a defect of this program.
pub fn replay(
    program: &ProgramArgs,
    load: &LoadArgs,
    args: &RunArgs,
    (loaded, function): (&Loaded, FunctionId),
    reports: &mut [Report],
) -> Result<(), Failure> {
    let is_empty = reports.iter().all(|report| report.tests.is_empty());
    if args.no_native || is_empty {
        return Ok(());
    }
    let all = all_tests(reports);
    let came = if confirms(load, loaded, function, &all) {
        CONFIRMED.to_owned()
    } else if let Some(reason) = obstacle(program, load) {
        if args.native {
            return Err(Failure::usage(format!("the tests cannot be compiled: {reason}")));
        }
        reason
    } else {
        let text = c_text(Harness::Plain, &all, &absolute(&program.input).to_string_lossy());
        match Native::new(load)?.check(&text) {
            Ok(()) => CONFIRMED.to_owned(),
            Err(failure) if failure.exit == Exit::Environment && !args.native => {
                failure.message.lines().take(2).collect::<Vec<_>>().join(": ")
            }
            Err(failure) => return Err(failure),
        }
    };
    for report in reports.iter_mut().filter(|report| !report.tests.is_empty()) {
        report.native = Some(came.clone());
    }
    Ok(())
}

/// The fast way to the usual end. If it does not lead there, nothing is known, and the tests are compiled as the user would.
fn confirms(load: &LoadArgs, loaded: &Loaded, function: FunctionId, all: &Report) -> bool {
    let program = loaded.original.as_ref().unwrap_or(&loaded.text);
    let Ok(program) = std::str::from_utf8(program) else { return false };
    let Some(text) = output::one_text(all, program) else { return false };
    let quick = Quick {
        text: &text,
        is_preprocessed: loaded.original.is_none(),
        has_pointers: loaded.program.uses_pointers(function),
    };
    // A compiler that is not there is reported by the other way.
    Native::new(load).and_then(|native| native.confirms(&quick)).unwrap_or(false)
}

/// One report with the tests of all, each once: the compiler takes longer than anything else here, so it is called once.
fn all_tests(reports: &[Report]) -> Report {
    let mut all = reports[0].clone();
    for test in reports.iter().skip(1).flat_map(|report| &report.tests) {
        let is_new =
            |other: &Test| (&other.pre, &other.args, &other.reads) != (&test.pre, &test.args, &test.reads);
        if all.tests.iter().all(is_new) {
            all.tests.push(test.clone());
        }
    }
    all
}

fn obstacle(program: &ProgramArgs, load: &LoadArgs) -> Option<String> {
    if program.input.extension().is_some_and(|extension| extension == "i") {
        return Some("a preprocessed file cannot be included beside the headers of the tests".to_owned());
    }
    why_not(load)
}
