//! Bounded unrolling: all runs of a C function up to a bound, as terms over its inputs.
//!
//! [`unroll`] executes the control flow graph of `c-ir` symbolically. Both sides of a branch are executed, and where they merge, values that differ
//! are selected by an `ite`, a phi. Calls are inlined, loops and recursion are executed as often as [`UnrollConfig`] says, and a run that needs more
//! ends in [`Unrolled::over`]: so what holds without excluding those runs holds for any number of iterations. The result, [`Unrolled`], has every
//! assignment with its guard, every evaluation of a decision, every condition for defined behaviour, and what each means in the source.
//!
//! ```
//! use nub_bitvec::{Assignment, Datum, Value, evaluate};
//! use nub_unroll::{UnrollConfig, unroll};
//!
//! let (unit, _) = nub_c_syntax::parse(b"int f(int a, int b) { if (a > b) a = b; return a; }");
//! let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
//! let f = program.function_by_name("f").unwrap();
//! let unrolled = unroll(&program, f, &UnrollConfig::default()).unwrap();
//!
//! let mut values = Assignment::new();
//! values.set(unrolled.inputs[0].term, Datum::Bits(Value::from_u64(32, 7)));
//! values.set(unrolled.inputs[1].term, Datum::Bits(Value::from_u64(32, 3)));
//! let result = evaluate(&unrolled.pool, &values, &[unrolled.result.unwrap()]).remove(0);
//! assert_eq!(result.bits().to_u64(), Some(3));
//! ```
//!
//! **Memory.** Objects are divided into scalars (`layout`), each a cell of a persistent map (`cells`): a fork costs nothing, a merge costs what was
//! stored since the fork. A pointer is an address, constant wherever possible, with a table of the objects it may point to (`pointer`). An access
//! with an index that is not constant refers to one of several cells (`access`).
//!
//! **Control.** Blocks are executed in a weak topological order (`plan`), each once per iteration of the loops around it. Path conditions are lists
//! that share prefixes (`paths`), so that the path after an `if` is the one before it.
//!
//! **Separate values.** [`unroll_ssa`] also gives each assignment a variable of its own (`ssa`), for questions such as what would happen if only this
//! value were different.
//!
//! **Cost.** O(unrolled instructions × size of their expressions) terms, plus one phi per scalar that differs at a merge, plus the cells of
//! each access with an open index. Nothing recurses over the program.
//!
//! **What differs from a real machine.** Reads of one union member after a write of another, and pointers turned into integers, follow the byte order
//! of the data model and addresses of our own. A pointer made from an integer that is not constant is refused where it is dereferenced.

mod access;
mod addresses;
mod aliases;
mod allocate;
mod assumptions;
mod branches;
mod calls;
mod cells;
mod checks;
mod config;
mod current;
mod evaluations;
mod exprs;
mod floats;
mod function_inputs;
mod initial;
mod input_names;
mod inputs;
mod instructions;
mod layout;
mod left_open;
mod library;
mod long_calls;
mod loops;
mod machine;
mod made_nans;
mod math_contracts;
mod members;
mod memory;
mod merge;
mod names;
mod neighbours;
mod object_graph;
mod objects;
mod offset;
mod open_equality;
mod open_values;
mod open_world;
mod outside;
mod paths;
mod places;
mod plan;
mod pointer;
mod pointer_ops;
mod products;
mod registers;
mod replay;
mod reused_addresses;
mod scalars;
mod seen_addresses;
mod sequence;
mod shared_literals;
mod shortcut;
mod single_run;
mod split_evaluations;
mod ssa;
mod stubs;
mod tautology;
mod terms;
mod twin;
mod unrolled;
mod user_places;
mod variable_arguments;
mod variants;
mod weak;
mod work;

pub use config::{
    Aliases, AllocationModel, Beyond, Globals, Limit, Patience, Pointers, RoomModel, Uninitialised,
    UnrollConfig, UnrollLimits, UnrollRefusal, WorldAssumption,
};
pub use evaluations::{ConditionEvaluation, DecisionEvaluation};
pub use input_names::{input_name, input_names};
pub use places::*;
pub use replay::{interpreter_inputs, to_bits};
pub use shortcut::{Next, shortcuts};
pub use single_run::{AskedInput, ChooseInput, SingleRuns};
pub use ssa::{Definition, Equality, Guarded, Ssa};
pub use stubs::{ObservedCall, ObservedValue};
pub use twin::{Twin, unroll_twins};
pub use unrolled::*;
pub use variable_arguments::{MAX_VARIABLE_ARGUMENTS, VariableArgument, type_of_argument};

use nub_c_ir::{FunctionId, Program};

/// All runs of a function up to the bounds of `config`.
pub fn unroll(
    program: &Program,
    function: FunctionId,
    config: &UnrollConfig,
) -> Result<Unrolled, UnrollRefusal> {
    machine::Machine::new(program, function, config).run().map(|(unrolled, _)| unrolled)
}

/// Like [`unroll`]; in addition to the terms over inputs, returns the definition of each value over the values it reads.
pub fn unroll_ssa(
    program: &Program,
    function: FunctionId,
    config: &UnrollConfig,
) -> Result<(Unrolled, Ssa), UnrollRefusal> {
    let mut machine = machine::Machine::new(program, function, config);
    machine.names = Some(ssa::Names::default());
    machine.run()
}
