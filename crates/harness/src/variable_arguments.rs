//! Arguments that a test passes after the parameters: those that its run requests, each with the type that the run expects.
//!
//! A test of `int sum(int n, ...)` whose run requests two numbers calls `sum(2, 3, 4)`. An argument that the run does not request, before one that it
//! does, is 0.

use crate::setup::{CallArgument, declared_or_literal, is_whole_parameter};
use nub_bitvec::{Datum, Evaluator, TermId, Value};
use nub_c_ir::{Program, Type};
use nub_unroll::{InputPlace, Unrolled};

/// The variable arguments that a run requests.
pub(crate) struct RequestedArguments<'u> {
    unrolled: &'u Unrolled,
    n_params: usize,
    is_requested: Vec<bool>,
}

impl<'u> RequestedArguments<'u> {
    pub(crate) fn new(program: &Program, unrolled: &'u Unrolled, values: &[Value]) -> RequestedArguments<'u> {
        let roots: Vec<TermId> = unrolled.variable_arguments.iter().map(|found| found.is_requested).collect();
        let is_requested = if roots.is_empty() {
            Vec::new()
        } else {
            let found = Evaluator::new(&unrolled.pool, &roots).run(&unrolled.assignment(values));
            found.iter().map(Datum::is_true).collect()
        };
        RequestedArguments { unrolled, n_params: program.function(unrolled.function).n_params, is_requested }
    }

    /// Where in a call the argument is that a place belongs to; `None` if the run does not request it.
    pub(crate) fn position(&self, call: u32, index: usize) -> Option<usize> {
        if index < self.n_params {
            return Some(index);
        }
        let mut all = self.unrolled.variable_arguments.iter().zip(&self.is_requested);
        let found = all.find(|(found, _)| found.call == call && found.index == index)?;
        found.1.then_some(self.n_params + found.0.position)
    }

    /// Whether a place belongs to an argument that is passed, or to none.
    pub(crate) fn has(&self, place: &InputPlace) -> bool {
        match place {
            InputPlace::Parameter { call, index, .. } => self.position(*call, *index).is_some(),
            _ => true,
        }
    }

    /// Appends the arguments of a call; declares those that are built before it.
    pub(crate) fn pass(
        &self,
        program: &Program,
        values: &[Value],
        call: u32,
        before: &mut Vec<String>,
        args: &mut Vec<String>,
    ) {
        let all = self.unrolled.variable_arguments.iter().zip(&self.is_requested);
        for (argument, _) in all.filter(|(found, is_requested)| **is_requested && found.call == call) {
            let at = self.n_params + argument.position;
            if args.len() <= at {
                args.resize(at + 1, "0".to_owned());
            }
            let index = argument.index;
            let here = CallArgument { call, index, ty: argument.ty };
            let text = declared_or_literal(program, self.unrolled, values, here, before);
            let is_number = !matches!(program.types.get(argument.ty), Type::Pointer(_));
            let is_whole = self.unrolled.inputs.iter().any(|input| is_whole_parameter(input, call, index));
            args[at] = if is_number && is_whole {
                format!("(__typeof__({})){text}", program.types.spell_in_test(argument.ty))
            } else {
                text
            };
        }
    }
}
