//! Where C leaves the order of evaluation open.

use nub_c_ir::analysis::{is_pure, reached};
use nub_c_ir::{Callee, FunctionId, Instr, InstrKind, Program};

/// Whether some expression that a run from `start` may evaluate calls two functions, one of which has an effect. C does not say which call comes
/// first, so a compiled program may behave differently from the interpreter and still be right. Sequence points between them other than `&&`, `||`
/// and `?:` are not considered. O(size).
pub fn leaves_order_open(program: &Program, start: FunctionId) -> bool {
    let has_effect = |instr: &Instr| match &instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(!is_pure(program, *callee)),
        InstrKind::Call { .. } => Some(true),
        _ => None,
    };
    let is_reached = reached(program, start);
    let functions = program.functions.iter().zip(is_reached).filter(|(_, is_reached)| *is_reached);
    functions.flat_map(|(function, _)| &function.blocks).any(|block| {
        let calls: Vec<_> = block
            .instrs
            .iter()
            .filter_map(|instr| Some((instr.origin.statement, has_effect(instr)?)))
            .collect();
        calls.chunk_by(|a, b| a.0 == b.0).any(|same| same.len() > 1 && same.iter().any(|call| call.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_c_ir::DataModel;

    fn is_open(expression: &str) -> bool {
        let text = format!(
            "int n; int next(void) {{ return ++n; }} int same(int a) {{ return a; }} int main(void) {{ return {expression}; }}"
        );
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = nub_c_ir::lower(&unit, &DataModel::lp64());
        leaves_order_open(&program, program.function_by_name("main").expect("it is there"))
    }

    #[test]
    fn two_calls_in_one_expression() {
        assert!(is_open("next() - next()") && is_open("next() - same(n)"));
        assert!(!is_open("next()") && !is_open("same(1) - same(2)") && !is_open("next() && next()"));
    }
}
