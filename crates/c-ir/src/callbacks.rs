//! Functions that nobody has written: what a function pointer of the start may point to besides the functions of the program.
//!
//! One for each type of function that a pointer points to. Each call returns any value, which is an input, and changes nothing.

use crate::ids::*;
use crate::ir::*;
use crate::types::{FunctionType, Type};
use nub_text::Span;

/// What the names of these functions begin with.
pub const CALLBACK: &str = "nub_callback_";

/// A part of a value: the way to it, and its type.
type Part = (Vec<(RecordId, u32)>, TypeId);

/// Scalars of a structure that is returned.
const MAX_SCALARS: usize = 64;

impl Program {
    /// Adds the functions, named in [`Program::callbacks`]. Types whose result is neither void nor made of integers have none. Linear in
    /// the types.
    pub fn add_callbacks(&mut self) {
        let mut targets: Vec<TypeId> = self.types.pointees();
        targets.sort_unstable();
        targets.dedup();
        for ty in targets {
            let Type::Function(function) = self.types.get(ty).clone() else { continue };
            let Some(scalars) = self.scalars(function.result) else { continue };
            self.add_callback(ty, &function, scalars);
        }
    }

    /// Places of the integers in a value of this type, from a place without steps; none if there is anything else in it.
    pub fn scalars(&self, ty: TypeId) -> Option<Vec<Part>> {
        let mut found = Vec::new();
        let mut todo = vec![(Vec::new(), ty)];
        while let Some((path, ty)) = todo.pop() {
            match self.types.get(ty) {
                Type::Void if path.is_empty() => {}
                Type::Int(_) => found.push((path, ty)),
                Type::Record(id) if !self.types.record(*id).is_union => {
                    let record = self.types.record(*id);
                    record.size?;
                    for (number, field) in record.fields.iter().enumerate().rev() {
                        let steps = path.iter().copied().chain([(*id, number as u32)]).collect();
                        todo.push((steps, field.ty));
                    }
                }
                _ => return None,
            }
            if found.len() + todo.len() > MAX_SCALARS {
                return None;
            }
        }
        Some(found)
    }

    fn add_callback(&mut self, ty: TypeId, function: &FunctionType, scalars: Vec<Part>) {
        let id = FunctionId::next(self.functions.len());
        let name = format!("{CALLBACK}{}", self.callbacks.len() + 1);
        let position = Position { file: FileId(0), line: 0, column: 0 };
        let span = Span::new(0, 0);
        let statement = StatementId::next(self.statements.len());
        self.statements.push(Statement { function: id, kind: StatementKind::Implicit, span, position });
        let origin = Origin { span, position, statement };
        let mut made = Function {
            name: name.clone(),
            ty,
            result: function.result,
            n_params: function.params.len(),
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: Vec::new(),
            loops: Vec::new(),
            span,
            position,
            body: Body::Defined,
            address_taken: true,
            is_model: true,
        };
        for param in &function.params {
            made.temporary(*param, origin);
        }
        made.locals.iter_mut().for_each(|local| local.kind = LocalKind::Parameter);
        let mut instrs = Vec::new();
        let is_void = *self.types.get(function.result) == Type::Void;
        let whole = (!is_void).then(|| made.temporary(function.result, origin));
        for (steps, ty) in scalars {
            let Some(mut place) = whole.clone() else { break };
            place.steps = steps.into_iter().map(|(record, field)| Step::Field(record, field)).collect();
            place.ty = ty;
            let source = InputSource::Callback(name.clone());
            instrs.push(Instr { kind: InstrKind::Input { place, source }, origin });
        }
        let value = whole.map(|whole| made.load(whole, origin));
        let terminator = Terminator { kind: TerminatorKind::Return(value), origin };
        made.blocks.push(Block { instrs, terminator });
        self.functions.push(made);
        self.callbacks.push(id);
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::{Outcome, Value};
    use crate::{Argument, DataModel, Inputs, Limits, run, validate};

    #[test]
    fn each_call_returns_its_own_value() {
        let text = "struct pair { short a; unsigned char b; };\n\
                    int f(int (*g)(int, char *), struct pair (*h)(void)) { struct pair p = h(); return g(1, 0) + g(2, 0) * p.a + p.b; }";
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
            Inputs { arguments: vec![of(0), of(1)], values: vec![3, 5, 100, 20], ..Inputs::default() };
        let run = run(&program, f, &inputs, &Limits::default());
        assert_eq!((run.outcome, run.returned), (Outcome::Returned, Some(Value::Int(100 + 20 * 3 + 5))));
    }

    #[test]
    fn what_returns_pointers_has_none() {
        let text = "int *(*p)(void); union u { int a; } (*q)(void); float (*r)(void); void (*s)(int);";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        program.add_callbacks();
        assert_eq!(program.callbacks.len(), 1);
    }
}
