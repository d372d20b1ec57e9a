//! Functions that nobody has written, and that a test passes as function pointers: they return what the test says.

use crate::case::Suite;
use nub_c_ir::{Function, FunctionType, Program, Type};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Such a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callback {
    /// Its name.
    pub name: String,
    /// It returns something.
    pub returns: bool,
    /// Its definition in C.
    pub definition: String,
}

/// All of a program.
pub fn callbacks(program: &Program) -> Vec<Callback> {
    program.callbacks.iter().map(|id| callback(program, program.function(*id))).collect()
}

/// Those that the tests of a suite pass.
pub fn used(suite: &Suite) -> impl Iterator<Item = &Callback> {
    let is_passed = |callback: &&Callback| {
        let end = format!("){};", callback.name);
        suite.cases.iter().flat_map(|case| &case.before).any(|line| line.ends_with(&end))
    };
    suite.stubs.callbacks.iter().filter(is_passed)
}

fn callback(program: &Program, function: &Function) -> Callback {
    let Type::Function(ty) = program.types.get(function.ty) else {
        unreachable!("the type of a function is a function type");
    };
    let returns = *program.types.get(ty.result) != Type::Void;
    let result = program.types.spell(ty.result);
    let mut text = format!("{result} {}({}) {{ ", function.name, parameters(program, ty));
    for number in 0..ty.params.len() {
        write!(text, "(void)a{number}; ").expect(NEVER_FAILS);
    }
    match program.types.get(ty.result) {
        Type::Void => {}
        Type::Record(_) => text.push_str(&members(program, ty, &result)),
        _ => write!(text, "return ({result})nub_take(); ").expect(NEVER_FAILS),
    }
    text.push_str("}\n");
    Callback { name: function.name.clone(), returns, definition: text }
}

/// A structure is filled member by member, in the order in which they are inputs.
fn members(program: &Program, ty: &FunctionType, result: &str) -> String {
    let mut text = format!("{result} r; ");
    for (path, leaf) in program.scalars(ty.result).unwrap_or_default() {
        let mut target = "r".to_owned();
        for (record, field) in path {
            let name = &program.types.record(record).fields[field as usize].name;
            if !name.is_empty() {
                write!(target, ".{name}").expect(NEVER_FAILS);
            }
        }
        write!(text, "{target} = ({})nub_take(); ", program.types.spell(leaf)).expect(NEVER_FAILS);
    }
    text + "return r; "
}

fn parameters(program: &Program, ty: &FunctionType) -> String {
    let params = ty.params.iter().enumerate();
    let mut texts: Vec<String> = params
        .map(|(number, param)| format!("__typeof__({}) a{number}", program.types.spell(*param)))
        .collect();
    match (ty.has_prototype, texts.is_empty()) {
        (true, true) => texts.push("void".to_owned()),
        (true, false) if ty.is_variadic => texts.push("...".to_owned()),
        _ => {}
    }
    texts.join(", ")
}
