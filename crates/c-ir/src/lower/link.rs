//! After all functions: calls that were lowered before the type of their callee was known.
//!
//! `f(x)` before `int f(c) char c; {...}` passed a promoted argument. Here it gets the type of the parameter.

use super::Shared;
use crate::ids::*;
use crate::ir::*;
use crate::types::{IntKind, Type, Types};
use nub_text::Diagnostic;

/// Makes arguments and parameters agree; refuses functions where that is not possible.
pub(super) fn link(shared: Shared) -> (Program, Vec<Diagnostic>) {
    let Shared { mut program, mut diagnostics, around_main, flexible, .. } = shared;
    // Until now, an object whose flexible member has initial values had the type that `sizeof` sees.
    for (global, bytes) in flexible {
        let ty = program.globals[global.index()].ty;
        program.globals[global.index()].ty = program.types.with_flexible(ty, bytes);
    }
    complete_arrays(&mut program);
    let signatures: Vec<Option<Vec<TypeId>>> = program.functions.iter().map(parameter_types).collect();
    let results: Vec<TypeId> = program.functions.iter().map(|function| function.result).collect();
    let Program { functions, types, .. } = &mut program;
    for function in functions.iter_mut() {
        let mut refusals = Vec::new();
        link_function(function, types, &signatures, &results, &mut refusals);
        if !refusals.is_empty() {
            diagnostics.extend(refusals.iter().cloned());
            function.body = Body::Refused(refusals);
            function.blocks.clear();
        }
    }
    program.has_constructors = !around_main.is_empty();
    super::around_main::call(&mut program, around_main);
    super::written::drop_known(&mut program);
    super::fall_off::check_calls(&mut program);
    diagnostics.sort_by_key(|found| found.span.start);
    // A refused declaration is reported for itself and again for each function that uses it.
    diagnostics.dedup();
    (program, diagnostics)
}

/// `int a[];` that nothing completes has one element (C17 6.9.2). With `extern` it is completed elsewhere, with an unknown length.
fn complete_arrays(program: &mut Program) {
    let Program { globals, types, .. } = program;
    for global in globals.iter_mut() {
        if let Type::Array(element, None) = *types.get(global.ty) {
            let length = if global.is_extern { OPEN_LENGTH } else { 1 };
            global.has_open_length = global.is_extern;
            global.ty = types.intern(Type::Array(element, Some(length)));
        }
    }
}

fn parameter_types(function: &Function) -> Option<Vec<TypeId>> {
    let is_defined = matches!(function.body, Body::Defined);
    is_defined.then(|| function.locals[..function.n_params].iter().map(|local| local.ty).collect())
}

fn link_function(
    function: &mut Function,
    types: &mut Types,
    signatures: &[Option<Vec<TypeId>>],
    results: &[TypeId],
    refusals: &mut Vec<Diagnostic>,
) {
    let Function { blocks, exprs, .. } = function;
    for instr in blocks.iter_mut().flat_map(|block| &mut block.instrs) {
        let InstrKind::Call { callee: Callee::Direct(callee), args, result } = &mut instr.kind else {
            continue;
        };
        let Some(params) = &signatures[callee.index()] else { continue };
        let span = instr.origin.span;
        if args.len() < params.len() {
            let message =
                format!("wrong number of arguments: expected {}, found {}", params.len(), args.len());
            refusals.push(Diagnostic::error(span, message));
            continue;
        }
        if result.as_ref().is_some_and(|place| !is_assignable(types, place.ty, results[callee.index()])) {
            refusals.push(Diagnostic::error(span, "this function is defined with another result type"));
            continue;
        }
        // The callee does not read further arguments, unless one is the address of variable arguments.
        let is_list = |arg: &ExprId| {
            let target = types.pointee(exprs[arg.index()].ty);
            target.is_some_and(|target| *types.get(target) == Type::VaList)
        };
        let list = args.get(params.len()).copied().filter(is_list);
        args.truncate(params.len());
        for (arg, param) in args.iter_mut().zip(params) {
            match adapt(*arg, *param, exprs, types) {
                Some(id) => *arg = id,
                None => {
                    let message = format!(
                        "passing `{}` to a parameter of type `{}`",
                        types.spell(exprs[arg.index()].ty),
                        types.spell(*param)
                    );
                    refusals.push(Diagnostic::error(span, message));
                }
            }
        }
        args.extend(list);
    }
}

/// All pointers are assignable: models of the library return `void *` where a header has a type of its own, such as `FILE *`.
fn is_assignable(types: &Types, place: TypeId, result: TypeId) -> bool {
    let is_pointer = |ty| matches!(types.get(ty), Type::Pointer(_));
    place == result || is_pointer(place) && is_pointer(result)
}

/// The expression in the type of a parameter, as a callee without prototype would see it.
fn adapt(arg: ExprId, param: TypeId, exprs: &mut Vec<Expr>, types: &Types) -> Option<ExprId> {
    let (ty, span) = (exprs[arg.index()].ty, exprs[arg.index()].span);
    if ty == param {
        return Some(arg);
    }
    let kind = match (types.get(ty), types.get(param)) {
        (Type::Int(_), Type::Int(IntKind::Bool)) => ExprKind::Convert(Conversion::ToBool, arg),
        (Type::Int(_), Type::Int(_)) => {
            let (from, to) = (types.int_format(ty)?, types.int_format(param)?);
            let conversion = match from.width.cmp(&to.width) {
                std::cmp::Ordering::Greater => Conversion::Truncate,
                std::cmp::Ordering::Equal => Conversion::Same,
                std::cmp::Ordering::Less if from.is_signed => Conversion::SignExtend,
                std::cmp::Ordering::Less => Conversion::ZeroExtend,
            };
            ExprKind::Convert(conversion, arg)
        }
        (Type::Int(_) | Type::Float(_), Type::Float(_)) if types.float_format(param).is_some() => {
            ExprKind::Float(FloatOperator::FromNumber, vec![arg])
        }
        (Type::Pointer(_), Type::Pointer(_)) => ExprKind::PointerCast(arg),
        (Type::Int(_), Type::Pointer(_)) if exprs[arg.index()].kind == ExprKind::Int(0) => ExprKind::Null,
        _ => return None,
    };
    exprs.push(Expr { kind, ty: param, span });
    Some(ExprId::next(exprs.len() - 1))
}
