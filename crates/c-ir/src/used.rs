//! Which global objects a run can use.

use crate::ids::*;
use crate::ir::*;

impl Program {
    /// The objects of static lifetime that a run from `start` can name, or find the address of in another one, in the order of the program.
    /// Linear in the program.
    pub fn globals_used(&self, start: FunctionId) -> Vec<GlobalId> {
        let functions = self.reachable(start).into_iter().map(|id| self.function(id));
        let mut todo: Vec<GlobalId> = functions.flat_map(places).filter_map(global).collect();
        let mut is_used = vec![false; self.globals.len()];
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut is_used[id.index()], true) {
                continue;
            }
            for piece in &self.globals[id.index()].initial {
                if let Constant::Address(ObjectBase::Global(other), _) = piece.value {
                    todo.push(other);
                }
            }
        }
        (0..is_used.len()).filter(|at| is_used[*at]).map(GlobalId::next).collect()
    }
}

fn global(place: &Place) -> Option<GlobalId> {
    match place.base {
        PlaceBase::Global(id) => Some(id),
        _ => None,
    }
}

/// The places that a function names.
fn places(function: &Function) -> Vec<&Place> {
    let mut found: Vec<&Place> = Vec::new();
    for expr in &function.exprs {
        if let ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) = &expr.kind
        {
            found.push(place);
        }
    }
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    found.extend(instrs.filter_map(|instr| instr.kind.written()));
    found
}

#[cfg(test)]
mod tests {
    use crate::{DataModel, lower};

    #[test]
    fn globals_are_found_through_calls_and_addresses() {
        let text = "int a, b, c, unused; int *p = &c; static void g(void) { b = 1; }\n\
                    int f(void) { g(); return a + *p; } int other(void) { return unused; }";
        let (program, _) = lower(&nub_c_syntax::parse(text.as_bytes()).0, &DataModel::lp64());
        let used = program.globals_used(program.function_by_name("f").unwrap());
        let names: Vec<&str> = used.iter().map(|id| program.globals[id.index()].name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "p"]);
    }
}
