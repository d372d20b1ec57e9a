//! From a function to an explanation.

use crate::bounded_program::BoundedProgram;
use crate::describe::Narrator;
use crate::failing_run::{self, Failing};
use crate::given_inputs::given;
use crate::insert_conditions::with_assumptions;
use crate::options::{Counterexample, ExplainOptions};
use crate::property::{Instance, PropertyKind, chosen};
use crate::render_story::Telling;
use crate::replay::End;
use crate::story::PropertyText;
use crate::system::System;
use crate::trust::Trusted;
use crate::unwinding;
use nub_bitvec::Op;
use nub_c_ir::analysis::leaves_order_open;
use nub_c_ir::{AllocationMaker, FunctionId, GlobalId, ProgramSource};
use nub_cnf::TooLarge;
pub use nub_report::explain::Explanation;
use nub_sat::{SatAnswer, SatLimits, SatStop};
use nub_text::Diagnostic;
use nub_unroll::{Aliases, AllocationModel, Bounded, Globals, Object, ObjectKind, UnrollConfig, Unrolled};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::fmt;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum ExplainRefusal {
    /// The program does something that is not supported, or is too large, at these places.
    Unsupported(Vec<Diagnostic>),
    /// There would be too many clauses.
    TooLarge(String),
    /// There is no input of this name.
    UnknownInput {
        /// The name.
        name: String,
        /// The existing ones.
        known: Vec<String>,
    },
    /// An input was given two values.
    InputTwice(String),
    /// The number given for an input is not a value of its type.
    InputRange {
        /// The input.
        name: String,
        /// Its type.
        ty: String,
        /// The smallest value.
        least: String,
        /// The largest value.
        most: String,
    },
    /// There is no property of this name or at this line.
    UnknownProperty(String),
    /// A given condition cannot be inserted into the source.
    Predicate {
        /// The reason.
        message: String,
        /// What to try instead.
        hint: Option<String>,
    },
    /// With the given inputs, no property fails.
    InputsPass,
    /// With the given inputs, a run exceeds the bound of a loop before any property fails.
    InputsTooLong {
        /// Iterations of each loop.
        unwind: u32,
    },
    /// Stopped before any failing or passing run was found.
    Stopped(SatStop),
    /// The program uses addresses as numbers, and a run ends differently with other addresses.
    Addresses,
    /// A defect of nub.
    Internal(String),
}

/// The message for a program that is not supported.
pub(crate) fn unsupported(found: &[Diagnostic]) -> &str {
    found.first().map_or("the program is not supported", |first| &first.message)
}

impl fmt::Display for ExplainRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplainRefusal::Unsupported(found) => f.write_str(unsupported(found)),
            ExplainRefusal::TooLarge(message) => f.write_str(message),
            ExplainRefusal::UnknownInput { name, .. } => write!(f, "there is no input `{name}`"),
            ExplainRefusal::InputTwice(name) => write!(f, "the input `{name}` was given twice"),
            ExplainRefusal::InputRange { name, ty, least, most } => {
                write!(f, "`{name}` is of type `{ty}`: expected a number from {least} to {most}")
            }
            ExplainRefusal::UnknownProperty(name) => write!(f, "there is no property {name}"),
            ExplainRefusal::Predicate { message, .. } => f.write_str(message),
            ExplainRefusal::InputsPass => {
                f.write_str("none of the selected properties fails with these inputs")
            }
            ExplainRefusal::InputsTooLong { unwind } => {
                write!(f, "with these inputs a run executes more than {unwind} iterations of a loop")
            }
            ExplainRefusal::Stopped(SatStop::Cancelled) => {
                f.write_str("stopped before a failing or a passing run was found")
            }
            ExplainRefusal::Stopped(stop) => write!(f, "stopped before there was an answer: {stop}"),
            ExplainRefusal::Addresses => {
                f.write_str("the outcome depends on the addresses of objects, which is not supported")
            }
            ExplainRefusal::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<TooLarge> for ExplainRefusal {
    fn from(error: TooLarge) -> ExplainRefusal {
        ExplainRefusal::TooLarge(error.to_string())
    }
}

/// All properties that `function` reaches within the bounds, by name.
pub fn properties(
    source: ProgramSource<'_>,
    function: FunctionId,
    options: &ExplainOptions,
) -> Result<Vec<PropertyText>, ExplainRefusal> {
    refuse(source, function)?;
    let bounded = BoundedProgram::new(source, function, &options.unroll)?;
    let mut list: Vec<PropertyText> =
        bounded.instances.iter().map(|found| Narrator(source).property(&bounded.unrolled, found)).collect();
    list.sort_by(|a, b| (a.place.line, &a.id).cmp(&(b.place.line, &b.id)));
    list.dedup();
    Ok(list)
}

pub(crate) fn refuse(source: ProgramSource<'_>, function: FunctionId) -> Result<(), ExplainRefusal> {
    let refusals = source.program.refusals(function);
    if refusals.is_empty() { Ok(()) } else { Err(ExplainRefusal::Unsupported(refusals)) }
}

/// Explains why a property that `function` reaches fails.
pub fn explain(
    source: ProgramSource<'_>,
    function: FunctionId,
    options: &ExplainOptions,
) -> Result<Explanation, ExplainRefusal> {
    refuse(source, function)?;
    let changed = with_assumptions(source, &options.assume)?;
    let (source, function) = match &changed {
        Some(changed) => (changed.source(source), changed.function(source, function)?),
        None => (source, function),
    };
    let mut bounded = BoundedProgram::new(source, function, &options.unroll)?;
    let failing = match find_failing(&mut bounded, options)? {
        Ok(failing) => failing,
        Err(none) => return Ok(none),
    };
    match unwinding::story(&mut bounded, &failing, options)? {
        Some(story) => Ok(Explanation::Explained(Box::new(story))),
        None => no_passing_run(&mut bounded, &failing, options),
    }
}

/// The failing run; if there is none, that is the explanation.
fn find_failing(
    bounded: &mut BoundedProgram<'_>,
    options: &ExplainOptions,
) -> Result<Result<Failing, Explanation>, ExplainRefusal> {
    let given = given(bounded, &options.inputs)?;
    let all = bounded.instances.clone();
    let chosen = chosen(&all, &options.properties)?;
    let n_properties = n_properties(&chosen);
    let mut system = System::new(&options.limits);
    let search = failing_run::Search::new(bounded.source.program, &bounded.unrolled, &mut system, &given)?;
    let mut search = match options.counterexample {
        Counterexample::First => search.trying(bounded.source.program, &bounded.unrolled, &given),
        // A run that was found by trying may be long.
        Counterexample::Shortest => search,
    };
    for list in &chosen {
        if let Some(failing) = search.find(&mut bounded.unrolled, &mut system, list, options)? {
            return Ok(Ok(failing));
        }
    }
    if !given.is_empty() {
        let unwind = options.unroll.unwind;
        return if can_exceed(&mut bounded.unrolled, &mut system, &options.limits)? {
            Err(ExplainRefusal::InputsTooLong { unwind })
        } else {
            Err(ExplainRefusal::InputsPass)
        };
    }
    let is_complete = !can_exceed(&mut bounded.unrolled, &mut system, &options.limits)?;
    let others = not_asked(&all, &chosen);
    let ends_before = search.find(&mut bounded.unrolled, &mut system, &others, options)?;
    let ends_before =
        ends_before.map(|found| Narrator(bounded.source).property(&bounded.unrolled, &found.property));
    let unwind = options.unroll.unwind;
    let premises = premises(bounded, &options.unroll);
    Ok(Err(Explanation::NoViolation { unwind, is_complete, n_properties, ends_before, premises }))
}

/// The assumptions about floating-point numbers, memory, input pointers and the order of evaluation, as text, each once.
fn premises(bounded: &BoundedProgram<'_>, config: &UnrollConfig) -> Vec<String> {
    let mut found = bounded.unrolled.float_premises();
    found.extend(has_allocations(bounded).then_some(match config.allocations {
        AllocationModel::Sized => "every allocation of at most half of the address space succeeds",
        AllocationModel::Succeed => "every allocation succeeds (--allocations-succeed)",
    }));
    let has_pointees =
        bounded.unrolled.objects.iter().any(|object| matches!(object.kind, ObjectKind::Pointee(_)));
    found.extend(has_pointees.then_some(match config.pointers.aliases {
        Aliases::None => "each input pointer is not null and points to an object of its own",
        Aliases::SameType => {
            "each input pointer is not null and points to an object of its own, or to the start of one of a few objects of \
             its type that other pointers or global variables refer to"
        }
    }));
    let is_open = leaves_order_open(bounded.source.program, bounded.unrolled.function);
    found.extend(
        is_open.then_some("the parts of an expression that call functions are evaluated from left to right"),
    );
    let has_wide_bits = bounded.source.program.uses_wide_bit_fields(bounded.unrolled.function);
    found.extend(
        has_wide_bits.then_some("bit-fields wider than `int` have the type that they are declared with"),
    );
    let of_memory = premise_of_memory(bounded, config);
    let of_globals = premise_of_globals(bounded, config);
    found.into_iter().map(str::to_owned).chain(of_memory).chain(of_globals).collect()
}

/// Runs that use more of an allocation than is modelled are not examined.
fn premise_of_memory(bounded: &BoundedProgram<'_>, config: &UnrollConfig) -> Option<String> {
    let mut over = bounded.unrolled.over.iter();
    over.any(|over| matches!(over.bounded, Bounded::Allocation(_))).then(|| {
        let elements = config.pointers.of_allocation();
        format!("no run uses more than {elements} elements of an allocation whose size is not constant (--elements N)")
    })
}

/// Only `main` is known to run first.
fn premise_of_globals(bounded: &BoundedProgram<'_>, config: &UnrollConfig) -> Option<String> {
    let (program, function) = (bounded.source.program, bounded.unrolled.function);
    if config.globals != Globals::Initial || program.function(function).name == "main" {
        return None;
    }
    let may_change = program.changeable_globals();
    let named = program.named_globals(function).into_iter().filter(|id| may_change[id.index()]);
    let is_set = |id: &GlobalId| {
        let global = &program.globals[id.index()];
        !global.is_extern && !global.name.contains('.')
    };
    let names: Vec<String> =
        named.filter(is_set).map(|id| format!("`{}`", program.globals[id.index()].name)).collect();
    match names.as_slice() {
        [] => None,
        [only] => {
            Some(format!("{only} has its initial value when the function is called (otherwise: --globals)"))
        }
        [first, second] => Some(format!(
            "{first} and {second} have their initial values when the function is called (otherwise: --globals)"
        )),
        [first, rest @ ..] => Some(format!(
            "{first} and {} other variables have their initial values when the function is called (otherwise: --globals)",
            rest.len()
        )),
    }
}

/// Whether some run requests memory from the library.
pub(crate) fn has_allocations(bounded: &BoundedProgram<'_>) -> bool {
    let program = bounded.source.program;
    let is_allocated = |object: &Object| match object.kind {
        ObjectKind::Heap(site) => program.allocations[site.index()].maker == AllocationMaker::Library,
        _ => false,
    };
    bounded.unrolled.objects.iter().any(is_allocated)
}

/// Properties that were not requested, without bounds of loops.
fn not_asked<'i>(all: &'i [Instance], chosen: &[Vec<&Instance>]) -> Vec<&'i Instance> {
    let asked: FxHashSet<usize> = chosen.iter().flatten().map(|found| found.order).collect();
    let is_other = |found: &&Instance| found.kind != PropertyKind::Unwinding && !asked.contains(&found.order);
    all.iter().filter(is_other).collect()
}

/// Properties that were examined, each counted once however often a run reaches it. O(n log n).
fn n_properties(chosen: &[Vec<&Instance>]) -> usize {
    let ids: BTreeSet<&str> = chosen.iter().flatten().map(|found| found.id.as_str()).collect();
    ids.len()
}

fn no_passing_run(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    options: &ExplainOptions,
) -> Result<Explanation, ExplainRefusal> {
    let property = Narrator(bounded.source).property(&bounded.unrolled, &failing.property);
    let telling = Telling::new(bounded, failing, Trusted::default(), options);
    let run = telling.run(&failing.inputs, &End::Fails(failing.property.clone()))?;
    let premises = premises(bounded, &options.unroll);
    let mut system = System::new(&options.limits);
    let is_complete = !can_exceed(&mut bounded.unrolled, &mut system, &options.limits)?;
    let (failing, unwind) = (Box::new(run), options.unroll.unwind);
    Ok(Explanation::NoPassingRun { property, failing, unwind, is_complete, premises })
}

/// Whether some run reaches a bound.
fn can_exceed(
    unrolled: &mut Unrolled,
    system: &mut System,
    limits: &SatLimits,
) -> Result<bool, ExplainRefusal> {
    let mut any = unrolled.pool.truth(false);
    for over in &unrolled.over {
        any = unrolled.pool.mk(Op::Or, &[any, over.guard]);
    }
    let any = system.lit(&unrolled.pool, any)?;
    // An assumption may exclude it; checking without assumptions is safe.
    Ok(system.solver.solve(&[any], limits) != SatAnswer::Unsat)
}
