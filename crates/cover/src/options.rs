//! What to do, the limits, and why there may be no report.

use crate::describe::SourceQuotes;
use crate::encode::UndefinedBehaviour;
use crate::existing::{ExistingTest, RunRefusal};
use crate::goals::{CriterionReading, EvaluationMode};
use crate::mutants::Mutation;
use nub_c_ir::FunctionId;
use nub_sat::SatLimits;
use nub_text::Diagnostic;
use std::fmt;
use std::sync::Arc;

/// Array parameters that are longer get as many elements as other pointers do: unrolling refuses an access to more of them if the index is not
/// constant.
const MAX_DECLARED_LENGTH: u64 = 4_096;

/// Where following all calls takes too long, calls are cut from this many terms on: a second or two.
const MAX_CALL_TERMS: usize = 400_000;
/// If there is little time left, calls are cut at this fraction of the terms.
pub(crate) const SHORT_CALL: usize = 16;

/// What to do.
#[derive(Clone, Debug)]
pub struct CoverOptions {
    /// Criteria, all with the same evaluation of conditions.
    pub readings: Vec<CriterionReading>,
    /// How far loops are unrolled.
    pub unwind: Unwind,
    /// How to unroll; its bound is replaced.
    pub unroll: nub_unroll::UnrollConfig,
    /// How much memory pointers are given.
    pub memory: Memory,
    /// Existing tests, to be completed.
    pub existing: Vec<ExistingTest>,
    /// At most this many new tests, which then reach as many goals as possible.
    pub max_tests: Option<usize>,
    /// Whether undefined behaviour is listed.
    pub undefined: UndefinedBehaviour,
    /// Mutants of the function, if values should kill them.
    pub mutation: Option<Mutation>,
    /// For the order of the search.
    pub seed: u64,
    /// When to stop the first attempt: if the function is not unrolled by then, or not all goals are decided, concrete runs come first.
    pub first: SatLimits,
    /// When to stop concrete runs: their time starts with them.
    pub concrete: LaterLimits,
    /// When to stop following every call to its end: from then on long calls are cut, so that there is an answer about the rest.
    pub whole: SatLimits,
    /// A call is long when there are more terms than this.
    pub max_call_terms: usize,
    /// When to stop following long calls even that far: from then on, a small part of these terms makes a call long.
    pub cut: SatLimits,
    /// When to stop.
    pub limits: SatLimits,
    /// When to stop checking and polishing what was found: a little later.
    pub closing: SatLimits,
}

impl Default for CoverOptions {
    fn default() -> CoverOptions {
        CoverOptions {
            readings: Vec::new(),
            unwind: Unwind::UpTo(16),
            unroll: nub_unroll::UnrollConfig::default(),
            memory: Memory::Fixed,
            existing: Vec::new(),
            max_tests: None,
            undefined: UndefinedBehaviour::default(),
            mutation: None,
            seed: 0,
            first: SatLimits::none(),
            concrete: LaterLimits::default(),
            whole: SatLimits::none(),
            max_call_terms: MAX_CALL_TERMS,
            cut: SatLimits::none(),
            limits: SatLimits::none(),
            closing: SatLimits::none(),
        }
    }
}

/// Limits whose time starts when they are asked for. There are none by default.
#[derive(Clone, Default)]
pub struct LaterLimits {
    start: Option<Arc<dyn Fn() -> SatLimits + Send + Sync>>,
}

impl LaterLimits {
    /// The function starts the clock.
    pub fn new(start: impl Fn() -> SatLimits + Send + Sync + 'static) -> LaterLimits {
        LaterLimits { start: Some(Arc::new(start)) }
    }

    pub(crate) fn start(&self) -> SatLimits {
        self.start.as_ref().map_or_else(SatLimits::none, |start| start())
    }
}

impl fmt::Debug for LaterLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.start.is_some() { "LaterLimits(limited)" } else { "LaterLimits(unlimited)" })
    }
}

/// How far loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// This many iterations.
    Exactly(u32),
    /// Starts with a few, and doubles them while a goal is unreachable only because of the bound, up to this many.
    UpTo(u32),
}

/// How many elements the input pointers point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// As many as [`CoverOptions::unroll`] says.
    Fixed,
    /// Starts with that number, and doubles it while a goal is unreachable only because of it, up to this many. With each doubling, one more pointer
    /// in a row is followed.
    UpTo(u64),
}

impl CoverOptions {
    /// How conditions are evaluated, by all criteria.
    pub(crate) fn evaluation(&self) -> EvaluationMode {
        let first = self.readings.first();
        first.map_or(EvaluationMode::ShortCircuit, |reading| reading.evaluation)
    }

    /// Elements behind a pointer after this many doublings.
    pub(crate) fn elements(&self, doublings: u32) -> u64 {
        let first = self.unroll.pointers.elements;
        match self.memory {
            Memory::Fixed => first,
            Memory::UpTo(most) => first.checked_shl(doublings).unwrap_or(most).min(most).max(first),
        }
    }
}

/// What is modelled in one round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Iterations of each loop.
    pub unwind: u32,
    /// How often the memory behind pointers was doubled.
    pub doublings: u32,
}

/// How to unroll to a bound. A parameter that is declared as an array points to the declared number of elements.
pub(crate) fn unroll_config(
    source: SourceQuotes<'_>,
    function: FunctionId,
    options: &CoverOptions,
    bounds: Bounds,
) -> nub_unroll::UnrollConfig {
    let (unwind, recursion) = (bounds.unwind, bounds.unwind.max(1));
    let patience = patience(&options.limits);
    // Tests are compiled programs, where a failed assertion of any kind ends the run.
    let cprover_assert_stops = true;
    let mut config = nub_unroll::UnrollConfig {
        unwind,
        recursion,
        patience,
        cprover_assert_stops,
        ..options.unroll.clone()
    };
    let elements = options.elements(bounds.doublings);
    let pointers = &mut config.pointers;
    // A caller may own more memory than is modelled: what needs it is not infeasible.
    pointers.beyond = nub_unroll::Beyond::Unknown;
    // Where undefined behaviour is listed, the memory before a pointer is what is in question.
    pointers.room = match options.undefined {
        UndefinedBehaviour::Excluded => nub_unroll::RoomModel::All,
        _ => nub_unroll::RoomModel::None,
    };
    (pointers.elements, pointers.characters) = (elements, pointers.characters.max(elements));
    pointers.depth += bounds.doublings;
    for param in source.program.function(function).params() {
        if let Some(length) = param.declared_length.filter(|length| *length <= MAX_DECLARED_LENGTH) {
            config.pointers.by_name.entry(param.name.clone()).or_insert(length);
        }
    }
    config
}

/// Until these limits are reached.
pub(crate) fn patience(limits: &SatLimits) -> nub_unroll::Patience {
    let cancel = limits.cancel.clone();
    nub_unroll::Patience::until(move || cancel.is_cancelled())
}

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum Error {
    /// The program does something that is not supported, or is too large, at these places.
    Refused(Vec<Diagnostic>),
    /// A decision has too many paths through it for MC/DC, or the function too many paths.
    TooManyWays(Diagnostic),
    /// A test of the user cannot be measured: its number, counted from 1, and why.
    BadTest(usize, RunRefusal),
    /// There would be too many clauses.
    TooLarge(String),
    /// A defect of nub.
    Internal(String),
}
