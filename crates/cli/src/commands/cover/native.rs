//! Replay of the tests in the compiled program.

use super::args::{Criterion, Harness, ProgramArgs, RunArgs};
use super::write::c_text;
use crate::commands::c_program::native::{Native, why_not};
use crate::commands::c_program::quick::{Early, Needs, Quick};
use crate::commands::c_program::{LoadArgs, Loaded, absolute};
use crate::exit::{Exit, Failure};
use nub_c_ir::FunctionId;
use nub_cover::output;
use nub_cover::report::{Report, Test};
use nub_harness::{System, tests_as_data};
use nub_process::Cancel;
use std::sync::Arc;

/// What a report says if the compiled tests agree.
const CONFIRMED: &str = "confirmed";

/// What it says if there is no time for that.
const TIME_OVER: &str = "time limit reached";

/// The replay, which begins before there are tests: the compiler takes longer than most searches.
pub struct Replay {
    native: Option<Arc<Native>>,
    early: Option<Early>,
}

impl Replay {
    /// Starts the compiler if the function will be searched and its tests are numbers.
    pub fn start(
        program: &ProgramArgs,
        load: &LoadArgs,
        args: &RunArgs,
        loaded: &Loaded,
        function: FunctionId,
    ) -> Replay {
        let has_work = loaded.program.refusals(function).is_empty()
            && (program.criterion.contains(&Criterion::Statement)
                || loaded.program.decisions_of(function).next().is_some());
        let mut replay = Replay { native: None, early: None };
        if args.no_native || program.globals || program.calls > 1 || !has_work {
            return replay;
        }
        // What stops it here is reported when there are tests to compile.
        if let Some(quick) = early_text(loaded, function)
            && let Ok(native) = replay.native(load)
        {
            replay.early = Some(Early::start(&native, quick));
        }
        replay
    }

    fn native(&mut self, load: &LoadArgs) -> Result<Arc<Native>, Failure> {
        if let Some(native) = &self.native {
            return Ok(Arc::clone(native));
        }
        let native = Arc::new(Native::new(load)?);
        self.native = Some(Arc::clone(&native));
        Ok(native)
    }

    /// Compiles the tests of the reports and runs them, where that is possible, and notes in each what came of that. A test that ends
    /// differently is a defect of this program.
    pub fn finish(
        mut self,
        program: &ProgramArgs,
        load: &LoadArgs,
        args: &RunArgs,
        (loaded, function): (&Loaded, FunctionId),
        (reports, limit): (&mut [Report], &Cancel),
    ) -> Result<(), Failure> {
        let is_empty = reports.iter().all(|report| report.tests.is_empty());
        if args.no_native || is_empty {
            return Ok(());
        }
        let all = all_tests(reports);
        let came = if limit.is_cancelled() && !args.native {
            TIME_OVER.to_owned()
        } else if unset(&all).is_none() && self.confirms(load, loaded, function, &all) {
            CONFIRMED.to_owned()
        } else if let Some(reason) = unset(&all).or_else(|| self.obstacle(program, load, &all)) {
            if args.native {
                return Err(Failure::usage(format!("the tests cannot be compiled: {reason}")));
            }
            reason
        } else {
            let text = c_text(Harness::Plain, &all, &absolute(&program.input).to_string_lossy());
            match self.native(load)?.check(&text) {
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

    /// Why the tests cannot be compiled.
    fn obstacle(&mut self, program: &ProgramArgs, load: &LoadArgs, all: &Report) -> Option<String> {
        if let Some(obstacle) = &all.stubs.obstacle {
            return Some(obstacle.clone());
        }
        // A copy of the program includes the headers of the system itself.
        if all.stubs.copy.is_none() && program.input.extension().is_some_and(|extension| extension == "i") {
            return Some("a preprocessed file cannot be included beside the headers of the tests".to_owned());
        }
        match self.native(load) {
            Ok(native) => native.why_not(),
            Err(_) => why_not(load),
        }
    }

    /// The fast way to the usual end. If it does not lead there, nothing is known, and the tests are compiled as the user would.
    fn confirms(&mut self, load: &LoadArgs, loaded: &Loaded, function: FunctionId, all: &Report) -> bool {
        match (self.early.take(), output::data(all)) {
            (Some(early), Some(data)) => return early.confirms(&data).unwrap_or(false),
            (Some(early), None) => early.wait(),
            (None, _) => {}
        }
        let Some(text) = program_text(loaded).and_then(|program| output::one_text(all, program)) else {
            return false;
        };
        let needs = if loaded.program.uses_pointers(function) { Needs::Addresses } else { Needs::Libc };
        let quick = Quick { text, is_preprocessed: loaded.original.is_none(), needs };
        // A compiler that is not there is reported by the other way.
        self.native(load).and_then(|native| native.confirms(&quick)).unwrap_or(false)
    }
}

/// A variable that no test in C can set.
fn unset(report: &Report) -> Option<String> {
    let name = report.tests.iter().find_map(|test| test.unset.first())?;
    Some(format!(
        "`{name}` is static in a function, so that no test in C can set it; --calls N makes tests of several calls"
    ))
}

/// A program that reads its tests.
fn early_text(loaded: &Loaded, function: FunctionId) -> Option<Quick> {
    let is_plain = loaded.program.accesses.iter().all(|access| access.ordinary.is_some());
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !is_plain {
        return None;
    }
    let (needs, system) = match loaded.program.uses_pointers(function) {
        true => (Needs::Addresses, System::Hosted),
        false => (Needs::Nothing, System::Bare),
    };
    let text = tests_as_data(&loaded.program, function, program_text(loaded)?, system)?;
    Some(Quick { text, is_preprocessed: loaded.original.is_none(), needs })
}

fn program_text(loaded: &Loaded) -> Option<&str> {
    std::str::from_utf8(loaded.original.as_ref().unwrap_or(&loaded.text)).ok()
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
