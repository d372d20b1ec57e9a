//! Replay of the tests in the compiled program.

use super::write::c_text;
use crate::c_program::native::{Native, OPEN_ORDER, in_one_line, why_not};
use crate::c_program::quick::{Early, Needs, Quick};
use crate::c_program::{LoadedProgram, absolute};
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::{CompiledReplay, CoverJob, CoverageCriterion, TestHarness};
use nub_c_ir::analysis::leaves_order_open;
use nub_c_ir::{Access, FunctionId};
use nub_cover::output;
use nub_cover::report::{CoverReport, NativeResult, TestReport};
use nub_harness::{System, tests_as_data};
use nub_process::Cancel;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The reason if there is no time left.
const TIME_OVER: &str = "time limit reached";

/// A compiler that is at work when the time limit is reached may go on for this long. Most need less for a file, and without it their work is lost.
const GRACE: Duration = Duration::from_secs(2);

/// Tests of a project are compiled in any case: their time is this share of the limit, and at most [`MOST_LATE`].
const LATE_SHARE: f64 = 0.2;
const MOST_LATE: Duration = Duration::from_secs(3);

/// C17 6.7.2.1: which types besides `int` a bit-field may have, and what they are then, is up to the compiler.
const WIDE_BIT_FIELDS: &str =
    "C leaves the type of bit-fields wider than `int` open, and this compiler chooses another one than clang";

/// How much of a time limit the search has.
pub fn search_time(replay: CompiledReplay, limit: Duration) -> Duration {
    match replay {
        CompiledReplay::Late => limit - limit.mul_f64(LATE_SHARE).min(MOST_LATE),
        _ => limit,
    }
}

/// The replay, which starts before there are tests: the compiler takes longer than most searches.
pub struct Replay<'j> {
    job: &'j Job,
    request: &'j CoverJob,
    /// When the time of the search started.
    start: Instant,
    native: Option<Arc<Native>>,
    early: Option<Early>,
}

impl<'j> Replay<'j> {
    /// Starts the compiler if the search will run and the tests consist of numbers.
    pub fn start(
        job: &'j Job,
        request: &'j CoverJob,
        loaded: &LoadedProgram,
        function: FunctionId,
    ) -> Replay<'j> {
        let options = &request.function;
        let has_work = loaded.program.whole_refusals(function).is_empty()
            && (options.criterion.contains(&CoverageCriterion::Statement)
                || loaded.program.decisions_of(function).next().is_some());
        let mut replay = Replay { job, request, start: Instant::now(), native: None, early: None };
        let is_wanted = request.replay != CompiledReplay::Never;
        if !is_wanted || options.globals || options.calls > 1 || !has_work {
            return replay;
        }
        // An error here is reported when there are tests to compile.
        if let Some(quick) = early_text(loaded, function)
            && let Ok(native) = replay.native()
        {
            replay.early = Some(Early::start(&native, quick));
        }
        replay
    }

    /// Whether there is no answer without the compiled tests.
    fn is_required(&self) -> bool {
        self.request.replay == CompiledReplay::Required
    }

    fn native(&mut self) -> Result<Arc<Native>, Failure> {
        if let Some(native) = &self.native {
            return Ok(Arc::clone(native));
        }
        let native = Native::new(&self.request.program, &self.job.context, &self.job.control)?;
        // A user who requires the compiled tests waits for them.
        if let (Some(limit), false) = (self.request.function.max_time, self.is_required()) {
            native.end_within((limit + GRACE).saturating_sub(self.start.elapsed()));
        }
        Ok(Arc::clone(self.native.insert(Arc::new(native))))
    }

    /// Compiles the tests of the reports and runs them, where that is possible, and records the result in each. A test that ends
    /// differently is a bug in nub.
    pub fn finish(
        mut self,
        loaded: &LoadedProgram,
        function: FunctionId,
        reports: &mut [CoverReport],
        limit: &Cancel,
    ) -> Result<(), Failure> {
        let is_empty = reports.iter().all(|report| report.tests.is_empty());
        if self.request.replay == CompiledReplay::Never || is_empty {
            return Ok(());
        }
        let is_required = self.is_required();
        let all = all_tests(reports);
        let is_late = self.request.replay == CompiledReplay::Late;
        let came = if limit.is_cancelled() && !is_required && !is_late {
            NativeResult::NotRun(TIME_OVER.to_owned())
        } else if unset(&all).is_none() && self.confirms(loaded, function, &all) {
            NativeResult::Confirmed
        } else if let Some(reason) = unset(&all).or_else(|| self.obstacle(&all)) {
            if is_required {
                return Err(Failure::usage(format!("the tests cannot be compiled: {reason}")));
            }
            NativeResult::NotRun(reason)
        } else {
            match self.check(&all) {
                Ok(()) => NativeResult::Confirmed,
                Err(failure) if failure.kind == FailureKind::Environment && !is_required => {
                    NativeResult::NotRun(in_one_line(&failure))
                }
                Err(failure) if failure.kind == FailureKind::Internal => {
                    self.in_other_order(loaded, function, &all, reports, failure)?
                }
                Err(failure) => return Err(failure),
            }
        };
        for report in reports.iter_mut().filter(|report| !report.tests.is_empty()) {
            report.native = Some(came.clone());
        }
        Ok(())
    }

    /// Compiles the tests as the user would, and runs them.
    fn check(&mut self, all: &CoverReport) -> Result<(), Failure> {
        let input = absolute(&self.request.function.input);
        let text = c_text(TestHarness::Plain, all, &input.to_string_lossy());
        self.native()?.check(&text)
    }

    /// Some test ends differently. C leaves the order of calls in one expression open: if the tests agree for a compiler that goes from right to
    /// left, they are changed accordingly; otherwise that is the reason, if the order matters. So may be the type of a wide bit-field.
    fn in_other_order(
        &mut self,
        loaded: &LoadedProgram,
        function: FunctionId,
        all: &CoverReport,
        reports: &mut [CoverReport],
        failure: Failure,
    ) -> Result<NativeResult, Failure> {
        let mut other = all.clone();
        let is_other = right_to_left(&mut other);
        if is_other && self.check(&other).is_ok() {
            reports.iter_mut().for_each(|report| {
                right_to_left(report);
            });
            return Ok(NativeResult::Confirmed);
        }
        let reason = if leaves_order_open(&loaded.program, function) {
            OPEN_ORDER
        } else if loaded.program.uses_wide_bit_fields(function) {
            WIDE_BIT_FIELDS
        } else {
            return Err(failure);
        };
        if self.is_required() {
            return Err(Failure::usage(format!("the compiled tests disagree: {reason}")));
        }
        Ok(NativeResult::NotRun(reason.to_owned()))
    }

    /// Why the tests cannot be compiled.
    fn obstacle(&mut self, all: &CoverReport) -> Option<String> {
        if let Some(obstacle) = &all.stubs.obstacle {
            return Some(obstacle.clone());
        }
        // A copy of the program includes the system headers itself.
        let input = &self.request.function.input;
        if all.stubs.copy.is_none() && input.extension().is_some_and(|extension| extension == "i") {
            return Some("a preprocessed file cannot be included beside the headers of the tests".to_owned());
        }
        match self.native() {
            Ok(native) => native.why_not(),
            Err(_) => why_not(self.job, &self.request.program),
        }
    }

    /// Tries to confirm the tests in fast mode. If that fails, nothing is known, and the tests are compiled as the user would.
    fn confirms(&mut self, loaded: &LoadedProgram, function: FunctionId, all: &CoverReport) -> bool {
        // Bodies of other files may not compile after the macros of this one, so the user's test file is compiled
        // instead.
        if loaded.program.linked.is_some() {
            return false;
        }
        match (self.early.take(), output::data(all)) {
            (Some(early), Some(data)) => return early.confirms(&data).unwrap_or(false),
            (Some(early), None) => early.wait(),
            (None, _) => {}
        }
        let text = output::one_text(all, "").and_then(|tests| loaded.text_near(&tests));
        let Some(text) = text.and_then(|program| output::one_text(all, &program)) else { return false };
        let needs = if loaded.program.uses_pointers(function) { Needs::Addresses } else { Needs::Libc };
        let quick = Quick { text, is_preprocessed: loaded.original.is_none(), needs };
        // The regular replay reports a missing compiler.
        self.native().and_then(|native| native.confirms(&quick)).unwrap_or(false)
    }
}

/// Reverses the values that one statement reads, and the calls of stubs that it makes. Whether that changes anything.
fn right_to_left(report: &mut CoverReport) -> bool {
    let mut is_other = false;
    for test in &mut report.tests {
        let before = (test.reads.clone(), test.calls.clone());
        test.reads.chunk_by_mut(|a, b| a.statement == b.statement).for_each(<[_]>::reverse);
        test.calls.chunk_by_mut(|a, b| a.statement == b.statement).for_each(<[_]>::reverse);
        is_other |= before != (test.reads.clone(), test.calls.clone());
    }
    is_other
}

/// A variable that no test in C can set.
fn unset(report: &CoverReport) -> Option<String> {
    let name = report.tests.iter().find_map(|test| test.unset.first())?;
    Some(format!(
        "`{name}` is static in a function, so that no test in C can set it; --calls N makes tests of several calls"
    ))
}

/// A program that reads its tests.
fn early_text(loaded: &LoadedProgram, function: FunctionId) -> Option<Quick> {
    let is_plain = !loaded.program.accesses.iter().any(Access::needs_device);
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !is_plain {
        return None;
    }
    let (needs, system) = if loaded.program.uses_pointers(function) {
        (Needs::Addresses, System::Hosted)
    } else {
        (Needs::Nothing, System::Bare)
    };
    let as_data = |program: &str| tests_as_data(&loaded.program, function, program, system);
    let text = as_data(&loaded.text_near(&as_data("")?)?)?;
    Some(Quick { text, is_preprocessed: loaded.original.is_none(), needs })
}

/// One report with the tests of all, each once: the compiler takes longer than anything else here, so it is called once.
fn all_tests(reports: &[CoverReport]) -> CoverReport {
    let mut all = reports[0].clone();
    // A copy of the program serves tests that do not need one as well.
    if let Some(other) = reports.iter().find(|report| report.stubs.copy.is_some()) {
        all.stubs = other.stubs.clone();
    }
    for test in reports.iter().skip(1).flat_map(|report| &report.tests) {
        let is_new = |other: &TestReport| {
            (&other.pre, &other.args, &other.reads) != (&test.pre, &test.args, &test.reads)
        };
        if all.tests.iter().all(is_new) {
            all.tests.push(test.clone());
        }
    }
    all
}
