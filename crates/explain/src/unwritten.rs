//! Variables that are read before they are written, as inputs.
//!
//! ```c
//! int x; assume(x > 3);             before: C leaves undefined what this does
//! int x = nondet_int(); assume(x > 3);   after
//! ```
//!
//! Harnesses for model checkers are often written like this and mean "any value". The text is changed and read again, one variable after the other,
//! until no run reads an uninitialised variable, or it cannot be given a value. So a variable that every run writes first does not become an input.
//! Line numbers stay the same.

use crate::bounded_program::BoundedProgram;
use crate::failing_run::Search;
use crate::insert_conditions::{Instrumented, read_again};
use crate::options::{Counterexample, ExplainOptions};
use crate::property::{Instance, PropertyKind};
use crate::session::{ExplainRefusal, refuse};
use crate::system::System;
use nub_c_ir::ProgramSource;
use nub_c_ir::{
    CheckKind, ExprKind, Function, FunctionId, InstrKind, Local, LocalKind, PlaceBase, Program, Type, TypeId,
    Types, nondet_function,
};

/// Larger arrays and structures stay uninitialised.
const MAX_SCALARS: usize = 256;

/// The text and the program in which variables that some run of `function` reads before they are written get an input as their value; `None` if there
/// are none. One unrolling for each variable.
pub fn unwritten_as_inputs(
    source: ProgramSource<'_>,
    function: FunctionId,
    options: &ExplainOptions,
) -> Result<Option<(Vec<u8>, Program)>, ExplainRefusal> {
    refuse(source, function)?;
    let mut changed: Option<Instrumented> = None;
    loop {
        let (now, function) = match &changed {
            Some(changed) => (changed.source(source), changed.function(source, function)?),
            None => (source, function),
        };
        let Some(text) = next_variable(now, function, options)? else {
            return Ok(changed.map(|changed| (changed.text, changed.program)));
        };
        changed = Some(read_again(source, text).0);
    }
}

/// The text with one more initialised variable.
fn next_variable(
    source: ProgramSource<'_>,
    function: FunctionId,
    options: &ExplainOptions,
) -> Result<Option<Vec<u8>>, ExplainRefusal> {
    let mut bounded = BoundedProgram::new(source, function, &options.unroll)?;
    let all = bounded.instances.clone();
    let reads: Vec<&Instance> =
        all.iter().filter(|found| found.kind == PropertyKind::Uninitialised).collect();
    let options = ExplainOptions { counterexample: Counterexample::First, ..options.clone() };
    let mut system = System::new(&options.limits);
    let mut search = Search::new(bounded.source.program, &bounded.unrolled, &mut system, &[])?;
    let Some(found) = search.find(&mut bounded.unrolled, &mut system, &reads, &options)? else {
        return Ok(None);
    };
    let reader = source.program.function(bounded.unrolled.function_of(found.property.context));
    let own = local_read(reader, &found.property).and_then(|local| with_value(source, local));
    // Through a pointer it may be any variable whose address is taken.
    let others = || {
        source
            .program
            .functions
            .iter()
            .filter(|function| !function.is_model)
            .flat_map(|function| &function.locals)
    };
    Ok(own
        .or_else(|| others().filter(|local| local.address_taken).find_map(|local| with_value(source, local))))
}

/// The variable that is read, if it is read by its name.
fn local_read<'f>(function: &'f Function, read: &Instance) -> Option<&'f Local> {
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    instrs.filter(|instr| instr.origin.span == read.origin.span).find_map(|instr| match instr.kind {
        InstrKind::Check { kind: CheckKind::Uninitialised, condition } => {
            match &function.expr(condition).kind {
                ExprKind::Initialised(place) => match place.base {
                    PlaceBase::Local(local) => function.locals.get(local.index()),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    })
}

/// The text in which the declaration of a variable has an initialiser. `None` if it has one, or none can be written there.
fn with_value(source: ProgramSource<'_>, local: &Local) -> Option<Vec<u8>> {
    if local.kind != LocalKind::Variable || local.is_initialised {
        return None;
    }
    let value = initialiser(&source.program.types, local.ty)?;
    let end = declarator_end(source.text, local.span.end as usize)?;
    let mut text = source.text[..end].to_vec();
    text.extend_from_slice(b" = ");
    text.extend_from_slice(value.as_bytes());
    text.extend_from_slice(&source.text[end..]);
    Some(text)
}

/// The position after the name and the lengths in brackets, if an initialiser may follow.
fn declarator_end(text: &[u8], from: usize) -> Option<usize> {
    let (mut depth, mut end) = (0_u32, from);
    for (at, byte) in text.iter().enumerate().skip(from) {
        match byte {
            b'[' => depth += 1,
            b']' => {
                depth = depth.checked_sub(1)?;
                end = at + 1;
            }
            b',' | b';' if depth == 0 => return Some(end),
            byte if depth > 0 || byte.is_ascii_whitespace() => {}
            _ => return None,
        }
    }
    None
}

/// A list of calls, one for each scalar; inner braces are omitted.
fn initialiser(types: &Types, ty: TypeId) -> Option<String> {
    let mut calls = Vec::new();
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        match types.get(ty) {
            Type::Int(kind) => calls.push(format!("{}()", nondet_function(*kind)?)),
            Type::Array(element, Some(length)) if *length <= MAX_SCALARS as u64 => {
                todo.extend(std::iter::repeat_n(*element, usize::try_from(*length).ok()?));
            }
            Type::Record(record) => {
                let record = types.record(*record);
                let n_fields = if record.is_union { 1 } else { record.fields.len() };
                todo.extend(record.fields.iter().take(n_fields).rev().map(|field| field.ty));
            }
            _ => return None,
        }
        if calls.len() + todo.len() > MAX_SCALARS {
            return None;
        }
    }
    match types.get(ty) {
        Type::Int(_) => calls.pop(),
        _ => (!calls.is_empty()).then(|| format!("{{ {} }}", calls.join(", "))),
    }
}
