//! Generated functions that a function pointer among the inputs may point to, besides the functions of the program.
//!
//! One stub for each type of function that a pointer points to ([`crate::stub_body`]).

use crate::ids::*;
use crate::ir::*;
use crate::stub_body::nowhere;
use crate::types::Type;

/// The prefix of their names.
pub const CALLBACK: &str = "nub_callback_";

impl Program {
    /// Adds the generated functions and lists them in [`Program::callbacks`]. A type whose result cannot be generated gets none. Linear in the types.
    pub fn add_callbacks(&mut self) {
        let mut targets: Vec<TypeId> = self.types.pointees();
        targets.sort_unstable();
        targets.dedup();
        for ty in targets {
            let Type::Function(function) = self.types.get(ty).clone() else { continue };
            self.add_callback(ty, function.result);
        }
    }

    fn add_callback(&mut self, ty: TypeId, result: TypeId) {
        let (span, position) = nowhere();
        let id = FunctionId::next(self.functions.len());
        let name = format!("{CALLBACK}{}", self.callbacks.len() + 1);
        self.functions.push(Function {
            address_taken: true,
            is_model: true,
            declared: self.prototypes.get(&ty).cloned().unwrap_or_default(),
            ..Function::without_body(name, ty, result, span, position)
        });
        if self.add_stub_body(id) { self.callbacks.push(id) } else { _ = self.functions.pop() }
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::{RunOutcome, RuntimeValue};
    use crate::{Argument, DataModel, InterpreterLimits, RunInputs, run, validate};

    #[test]
    fn each_call_returns_its_own_value() {
        let text = "struct pair { short a; unsigned char b; };\n\
                    int f(int (*g)(int, long), struct pair (*h)(void)) { struct pair p = h(); return g(1, 0) + g(2, 0) * p.a + p.b; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        let f = program.function_by_name("f").unwrap();
        program.add_callbacks();
        validate(&program).unwrap();
        let of = |at: usize| {
            let ty = program.types.pointee(program.function(f).params()[at].ty).unwrap();
            let is_it = |id: &&crate::FunctionId| program.function(**id).ty == ty;
            Argument::Function(*program.callbacks.iter().find(is_it).unwrap())
        };
        let inputs =
            RunInputs { arguments: vec![of(0), of(1)], values: vec![3, 5, 100, 20], ..RunInputs::default() };
        let run = run(&program, f, &inputs, &InterpreterLimits::default());
        assert_eq!(
            (run.outcome, run.returned),
            (RunOutcome::Returned, Some(RuntimeValue::Int(100 + 20 * 3 + 5)))
        );
    }

    #[test]
    fn what_returns_functions_and_long_floating_numbers_has_none() {
        let text = "int (*(*p)(void))(int); long double (*r)(void);";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        program.add_callbacks();
        // Also the type of comparisons, which `qsort` of the library takes.
        let types: Vec<String> =
            program.callbacks.iter().map(|id| program.types.spell(program.function(*id).ty)).collect();
        assert_eq!(types, ["int (int)", "int (void *, void *)"]);
    }
}
