//! A program with mutants of one of its functions appended, read again as a whole.

use super::text::{MutatedText, ProgramMutant};
use nub_c_ir::{Body, FunctionId, Program};
use nub_unroll::Unrolled;

/// A program with mutants of one of its functions appended.
pub(super) struct MutatedProgram {
    pub program: Program,
    /// The function itself.
    pub function: FunctionId,
    /// In the order of the text. Those that are not valid C are omitted.
    pub list: Vec<(ProgramMutant, FunctionId)>,
}

impl MutatedProgram {
    /// `None` if the text cannot be read, or the function is not the same as without mutants.
    pub fn read(
        read: &super::ReadText,
        text: MutatedText,
        original: &Program,
        of: FunctionId,
    ) -> Option<MutatedProgram> {
        let names: Vec<String> = text.mutants.iter().map(|mutant| mutant.name.clone()).collect();
        let mut program = read.read(&text.text, &names)?;
        let function = program.function_by_name(&original.function(of).name)?;
        let mut list = Vec::new();
        for mutant in text.mutants {
            let Some(id) = program.function_by_name(&mutant.name) else { continue };
            // No pointer points to it.
            program.functions[id.index()].is_model = true;
            if matches!(program.function(id).body, Body::Defined) && program.refusals(id).is_empty() {
                list.push((mutant, id));
            }
        }
        is_same_function(original, &program, (of, function)).then_some(MutatedProgram {
            program,
            function,
            list,
        })
    }
}

/// Whether the inputs of an unrolled function are the first ones of another.
pub(super) fn has_same_inputs(larger: &Unrolled, own: &Unrolled) -> bool {
    let names = |unrolled: &Unrolled| -> Vec<String> {
        unrolled.inputs.iter().take(own.inputs.len()).map(|input| input.name.clone()).collect()
    };
    names(larger) == names(own)
}

/// Whether decisions and statements of the function have the numbers that goals use.
fn is_same_function(old: &Program, new: &Program, (of_old, of_new): (FunctionId, FunctionId)) -> bool {
    let decisions = |program: &Program, function: FunctionId| -> Vec<_> {
        let list = program.decisions.iter().enumerate();
        list.filter(|(_, found)| found.function == function).map(|(at, found)| (at, found.span)).collect()
    };
    let statements = |program: &Program, function: FunctionId| -> Vec<_> {
        let list = program.statements.iter().enumerate();
        list.filter(|(_, found)| found.function == function).map(|(at, found)| (at, found.span)).collect()
    };
    decisions(old, of_old) == decisions(new, of_new) && statements(old, of_old) == statements(new, of_new)
}
