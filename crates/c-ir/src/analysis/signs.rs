//! Results of which C defines the sign alone.
//!
//! `strcmp` and its like return a number below, equal to or above zero (C17 7.24.4). The model returns the difference of the bytes, as most libraries
//! do; sanitizers return -1, 0 or 1. A test that compares such a number may fail elsewhere, and that is neither a defect of the program nor of the test.

use super::calls::reached;
use crate::ids::FunctionId;
use crate::ir::Program;

/// Functions of the library that compare memory.
const COMPARING: [&str; 5] = ["memcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp"];

/// Whether a run from `start` may call such a function of the library.
pub fn compares_memory(program: &Program, start: FunctionId) -> bool {
    let functions = program.functions.iter().zip(reached(program, start));
    let mut models = functions.filter(|(function, is_reached)| *is_reached && function.is_model);
    models.any(|(function, _)| COMPARING.contains(&function.name.as_str()))
}
