//! Allocations that may fail.

use crate::ids::*;
use crate::ir::*;
use crate::types::IntKind;

impl Program {
    /// Lets allocations fail: each one that a run executes reads an input, which is 0 where the allocation succeeds. Without this call, allocations
    /// always succeed. Linear in the program.
    pub fn let_allocations_fail(&mut self) {
        let ty = self.types.int(IntKind::Bool);
        let name = |allocation: &Allocation| {
            (allocation.maker != AllocationMaker::Automatic).then(|| allocation.name.clone())
        };
        let names: Vec<Option<String>> = self.allocations.iter().map(name).collect();
        for function in &mut self.functions {
            for at in 0..function.blocks.len() {
                let before = std::mem::take(&mut function.blocks[at].instrs);
                let mut instrs = Vec::with_capacity(before.len());
                for mut instr in before {
                    if let InstrKind::Allocate { site, fails: fails @ None, .. } = &mut instr.kind
                        && let Some(name) = names[site.index()].clone()
                    {
                        let place = function.temporary(ty, instr.origin);
                        *fails = Some(function.load(place.clone(), instr.origin));
                        let kind = InstrKind::Input { place, source: InputSource::Fails(name) };
                        instrs.push(Instr { kind, origin: instr.origin });
                    }
                    instrs.push(instr);
                }
                function.blocks[at].instrs = instrs;
            }
        }
    }
}

impl Function {
    /// Adds a temporary.
    pub(crate) fn temporary(&mut self, ty: TypeId, origin: SourceOrigin) -> Place {
        let id = LocalId::next(self.locals.len());
        self.locals.push(Local {
            name: String::new(),
            ty,
            kind: LocalKind::Temporary,
            span: origin.span,
            position: origin.position,
            address_taken: false,
            is_initialised: true,
            declared_length: None,
            is_restrict: false,
        });
        Place { base: PlaceBase::Local(id), steps: Vec::new(), ty }
    }

    /// Adds an expression that reads a place.
    pub(crate) fn load(&mut self, place: Place, origin: SourceOrigin) -> ExprId {
        let id = ExprId::next(self.exprs.len());
        let ty = place.ty;
        self.exprs.push(Expr { kind: ExprKind::Load(place), ty, span: origin.span });
        id
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::{RunOutcome, RuntimeValue};
    use crate::{DataModel, InterpreterLimits, RunInputs, run, validate};

    #[test]
    fn each_allocation_fails_on_its_own() {
        let text = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n\
                    int f(void) { int *p = malloc(4), *q = calloc(1, 4); if (!p) return q ? *q + 1 : 2; return q ? 3 : 4; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        let f = program.function_by_name("f").unwrap();
        program.let_allocations_fail();
        validate(&program).unwrap();
        for (values, result) in [([1, 0], 1), ([1, 1], 2), ([0, 0], 3), ([0, 1], 4)] {
            let inputs = RunInputs { values: values.to_vec(), ..RunInputs::default() };
            let run = run(&program, f, &inputs, &InterpreterLimits::default());
            assert_eq!((run.outcome, run.returned), (RunOutcome::Returned, Some(RuntimeValue::Int(result))));
        }
    }
}
