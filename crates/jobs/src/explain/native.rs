//! Both runs as C tests, and their replay in the compiled program.

use super::FailureCase;
use crate::c_program::native::{Native, OPEN_ORDER, in_one_line, why_not};
use crate::c_program::{LoadedProgram, absolute};
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::CompiledReplay;
use nub_c_ir::analysis::leaves_order_open;
use nub_c_ir::{Access, AllocationMaker, FunctionId};
use nub_explain::output::Compiled;
use nub_explain::{Explanation, PropertyKind, PropertyText, RunValues, Story, looks_at_addresses};
use nub_harness::{Ending, TestCase, TestSuite, c_file, one_text, stubs};

const ADDRESSES: &str = "it behaves differently, because the program depends on addresses of objects";
const UNSEEN: &str = "the compiler removed undefined operations";
const SILENT: &str = "the compiled program does not detect that it reaches the place";

/// The failing run and, if there is one, the passing run.
pub fn suite(loaded: &LoadedProgram, function: FunctionId, found: &Explanation) -> TestSuite {
    let fails = |property: &PropertyText, run: &RunValues| {
        let ending = match property.kind {
            PropertyKind::Assertion => Ending::Aborts,
            _ => Ending::Undefined,
        };
        TestCase { ending, ..run.case.clone() }
    };
    let cases = match found {
        Explanation::NoViolation { .. } => Vec::new(),
        Explanation::NoPassingRun { property, failing, .. } => vec![fails(property, failing)],
        Explanation::Explained(story) => {
            vec![fails(&story.property, &story.failing), story.passing.case.clone()]
        }
    };
    let stubs = stubs(&loaded.program, function);
    let function = loaded.program.function(function).name.clone();
    let comment = format!("Runs of {function}, each of which must end as it does here. Made by nub explain.");
    TestSuite { comment, function, stubs, cases }
}

/// Compiles and runs them. An unexpected end is a bug in nub, unless C allows it; a program that cannot be compiled on its own is not
/// an error. Leaves the tests in the form that compiles.
pub fn replay(
    job: &Job,
    case: &FailureCase,
    found: &Explanation,
    suite: &mut TestSuite,
) -> Result<Compiled, Failure> {
    let FailureCase { request, loaded, function, .. } = *case;
    if case.is_over() {
        return Ok(Compiled::NotRun("the time limit was reached".to_owned()));
    }
    if let Some(reason) = obstacle(job, case, found, suite) {
        return Ok(Compiled::NotRun(reason));
    }
    let source = absolute(&request.input).to_string_lossy().into_owned();
    let native = Native::new(&request.program, &job.context, &job.control)?;
    let mut checked = native.check(&c_file(suite, &source));
    if checked.as_ref().is_err_and(|failure| failure.kind == FailureKind::Internal) {
        let other = suite.right_to_left();
        if other != *suite && native.check(&c_file(&other, &source)).is_ok() {
            *suite = other;
            checked = Ok(());
        }
    }
    // A program may define `main` as a macro, or depend on macros that headers undefine: its preprocessed text has neither
    // problem.
    if checked.as_ref().is_err_and(|failure| failure.kind == FailureKind::Environment) {
        let text = String::from_utf8_lossy(&loaded.text);
        if one_text(suite, &text).is_some_and(|text| native.check(&text).is_ok()) {
            checked = Ok(());
        }
    }
    match checked {
        Ok(()) => Ok(Compiled::Confirmed),
        Err(failure) if failure.kind == FailureKind::Environment => {
            Ok(Compiled::NotRun(in_one_line(&failure)))
        }
        Err(_) if leaves_order_open(&loaded.program, function) => Ok(Compiled::NotRun(OPEN_ORDER.to_owned())),
        Err(_) if looks_at_addresses(&loaded.program, function) => Ok(Compiled::NotRun(ADDRESSES.to_owned())),
        Err(failure) => {
            // Undefined behaviour need not be visible, and a compiler may remove it. That does not apply to the
            // passing run.
            let Some(reason) = property(found).and_then(excuse) else { return Err(failure) };
            let passing = suite.cases.iter().filter(|case| case.ending == Ending::Returns).cloned().collect();
            let passing = TestSuite { cases: passing, ..suite.clone() };
            let is_right = passing.cases.is_empty() || native.check(&c_file(&passing, &source)).is_ok();
            if !is_right {
                return Err(failure);
            }
            if reason == SILENT {
                *suite = passing;
            }
            Ok(Compiled::NotRun(reason.to_owned()))
        }
    }
}

/// Why the compiled program may continue where a property is violated.
fn excuse(property: &PropertyText) -> Option<&'static str> {
    match property.kind {
        PropertyKind::Assertion => property.is_silent.then_some(SILENT),
        _ => Some(UNSEEN),
    }
}

fn obstacle(job: &Job, case: &FailureCase, found: &Explanation, suite: &TestSuite) -> Option<String> {
    let FailureCase { request, loaded, .. } = *case;
    if request.output.replay == CompiledReplay::Never {
        return Some("--no-native".to_owned());
    }
    if request.failing.uninitialised_inputs {
        return Some("a compiled program cannot be given --uninitialised-inputs".to_owned());
    }
    if suite.cases.is_empty() {
        return Some("there are no runs".to_owned());
    }
    let writes_registers = suite.cases.iter().any(|case| !case.registers.is_empty());
    if writes_registers || loaded.program.accesses.iter().any(Access::needs_device) {
        return Some("a compiled program reads its volatile objects itself".to_owned());
    }
    if let Some(name) = suite.cases.iter().find_map(|case| case.unset.first()) {
        return Some(format!("`{name}` is read before it is written"));
    }
    let is_set =
        |name: &str| suite.cases.iter().flat_map(|case| &case.inputs).any(|input| input.name == name);
    if let Some(global) =
        loaded.program.globals.iter().find(|global| global.is_extern && is_set(&global.name))
    {
        return Some(format!("`{}` is defined elsewhere", global.name));
    }
    let is_run = |story: &Story| story.failing.is_replayed && story.passing.is_replayed;
    let has_allocations =
        loaded.program.allocations.iter().any(|found| found.maker == AllocationMaker::Library);
    if has_allocations && matches!(found, Explanation::Explained(story) if !is_run(story)) {
        return Some("a run may need more memory than is available".to_owned());
    }
    if let Some(kind) = property(found).map(|property| property.kind).filter(|kind| !is_seen(*kind)) {
        return Some(format!("sanitizers do not see a violation of kind {kind}"));
    }
    if request.input.extension().is_some_and(|extension| extension == "i") {
        return Some("a preprocessed file cannot be included with the headers of the test".to_owned());
    }
    why_not(job, &request.program)
}

fn property(found: &Explanation) -> Option<&PropertyText> {
    match found {
        Explanation::NoViolation { .. } => None,
        Explanation::NoPassingRun { property, .. } => Some(property),
        Explanation::Explained(story) => Some(&story.property),
    }
}

/// Whether the compiled program ends when such a property is violated.
fn is_seen(kind: PropertyKind) -> bool {
    use PropertyKind::{Inf, Nan, Pointer, Precision, Uninitialised, Unwinding};
    !matches!(kind, Uninitialised | Unwinding | Pointer | Nan | Inf | Precision)
}
