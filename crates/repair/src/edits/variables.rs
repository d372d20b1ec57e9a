//! Variables and functions that may be meant in place of others: those of the same type that are in scope.

use nub_c_ir::analysis::reached;
use nub_c_ir::{Body, FunctionId, InstrKind, IntKind, LocalKind, NumberFormat, PlaceBase, Program, TypeId};

/// Variables that are tried in place of one.
const MAX_OTHERS: usize = 16;

/// Names in scope within one function.
pub(super) struct Variables<'a> {
    program: &'a Program,
    function: FunctionId,
    /// For each global: whether program code uses it.
    is_used: &'a [bool],
    /// For each local: the end of the first statement that writes it.
    written: Vec<Option<u32>>,
}

impl<'a> Variables<'a> {
    pub fn new(program: &'a Program, function: FunctionId, is_used: &'a [bool]) -> Variables<'a> {
        let body = program.function(function);
        let mut written: Vec<Option<u32>> = vec![None; body.locals.len()];
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            let place = match &instr.kind {
                InstrKind::Store { place, .. }
                | InstrKind::Input { place, .. }
                | InstrKind::Zero { place } => Some(place),
                InstrKind::Call { result, .. } => result.as_ref(),
                _ => None,
            };
            if let Some(PlaceBase::Local(local)) = place.map(|place| place.base) {
                let statement = program.statements.get(instr.origin.statement.index());
                let end = statement.map_or(instr.origin.span, |statement| statement.span).end;
                let first = &mut written[local.index()];
                *first = Some(first.map_or(end, |first| first.min(end)));
            }
        }
        Variables { program, function, is_used, written }
    }

    /// The type of a variable; `None` if the name denotes several, or none.
    fn type_of(&self, name: &str) -> Option<TypeId> {
        let locals = &self.program.function(self.function).locals;
        let mut own = locals.iter().filter(|local| local.name == name);
        match (own.next(), own.next()) {
            (Some(local), None) => Some(local.ty),
            (None, _) => {
                self.program.globals.iter().find(|global| global.name == name).map(|global| global.ty)
            }
            _ => None,
        }
    }

    /// Whether it is the name of a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        let locals = &self.program.function(self.function).locals;
        locals.iter().any(|local| local.name == name)
            || self.program.globals.iter().any(|global| global.name == name)
    }

    /// Whether it is one variable, whose values may be negative.
    pub fn is_signed(&self, name: &str) -> bool {
        let format = self.type_of(name).and_then(|ty| self.program.types.number_format(ty));
        format.is_some_and(|format| match format {
            NumberFormat::Int(format) => format.is_signed && format.width > 1,
            NumberFormat::Float(_) => true,
        })
    }

    /// Other variables of the same number type that are declared before this place, and written in the text before it: nobody means a value that may
    /// not exist yet.
    pub fn others(&self, name: &str, before: u32) -> Vec<&'a str> {
        let Some(ty) = self.type_of(name) else { return Vec::new() };
        if self.program.types.number_format(ty).is_none() {
            return Vec::new();
        }
        self.of_type(name, before, |other| other == ty)
    }

    /// Variables of type `int`, the type of a plain number.
    pub fn integers(&self, before: u32) -> Vec<&'a str> {
        let types = &self.program.types;
        self.of_type("", before, |other| types.int_kind(other) == Some(IntKind::Int))
    }

    fn of_type(&self, name: &str, before: u32, is_meant: impl Fn(TypeId) -> bool) -> Vec<&'a str> {
        let locals = &self.program.function(self.function).locals;
        let is_named = |name: &str| !name.is_empty() && !name.contains('.');
        let own = locals.iter().zip(&self.written).filter(|(local, written)| {
            let is_known = match written {
                Some(end) => *end <= before || local.kind == LocalKind::Parameter,
                None => local.is_initialised,
            };
            let is_variable = local.kind != LocalKind::Temporary && is_named(&local.name);
            is_variable && is_known && is_meant(local.ty) && local.span.start < before
        });
        let globals = self.program.globals.iter().zip(self.is_used).filter(|(global, is_used)| {
            let is_seen = global.owner.is_none_or(|owner| owner == self.function);
            let is_own =
                **is_used || global.position.file == self.program.function(self.function).position.file;
            is_own && is_seen && is_meant(global.ty) && global.span.start < before && is_named(&global.name)
        });
        let names =
            own.map(|(local, _)| local.name.as_str()).chain(globals.map(|(global, _)| global.name.as_str()));
        let mut found: Vec<&str> = Vec::new();
        for other in names {
            if other != name && !found.contains(&other) && found.len() < MAX_OTHERS {
                found.push(other);
            }
        }
        found
    }

    /// Other functions of the same type that the program defines and that do not call this one: such a call would not end.
    pub fn other_functions(&self, name: &str) -> Vec<&'a str> {
        let Some(id) = self.program.function_by_name(name) else { return Vec::new() };
        let called = self.program.function(id);
        let is_other = |(at, function): &(usize, &nub_c_ir::Function)| {
            function.ty == called.ty
                && function.name != name
                && !function.is_model
                && matches!(function.body, Body::Defined)
                && !reached(self.program, FunctionId(*at as u32))[self.function.index()]
        };
        let found = self.program.functions.iter().enumerate().filter(is_other);
        found.take(MAX_OTHERS).map(|(_, function)| function.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_c_ir::DataModel;

    #[test]
    fn a_variable_without_a_value_is_not_meant() {
        let text = "int f(int a) { int early = a, late, never; late = a + 1; return late; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = nub_c_ir::lower(&unit, &DataModel::lp64());
        let f = program.function_by_name("f").expect("there is one function");
        let variables = Variables::new(&program, f, &[]);
        let others = |place: &str| variables.others("a", text.find(place).expect("it is there") as u32);
        assert_eq!(others("a + 1"), ["early"]);
        assert_eq!(others("late;"), ["early", "late"]);
        assert!(others("a, late").is_empty(), "its own initial value");
    }
}
