//! From the syntax tree to the intermediate representation.
//!
//! One pass over the text, in its order, as C is defined. Expressions are lowered by recursion with a named limit on depth
//! ([`MAX_NESTING`]); chains that programs do make long (`a + b + c ...`, `a && b && ...`, `else if`, `case` labels) are loops.
//!
//! An error refuses one function, not the program: an unsupported construct in one function does not matter for the tests of another. A refused
//! declaration refuses the functions that use it (`poison.rs`).

mod address;
mod aliases;
mod allocations;
mod arithmetic;
mod around_main;
mod assertions;
mod assign;
mod atomics;
mod attributes;
mod builder;
mod builtins;
mod calls;
mod checks;
mod computed_goto;
mod conditional;
mod conditions;
mod constants;
mod convert;
mod cprover;
mod cuts;
mod declarator;
mod decls;
mod enums;
mod environment;
mod exprs;
mod fall_off;
mod finish;
mod float_checks;
mod floats;
mod functions;
mod generic;
mod inits;
mod inputs;
mod jumps;
mod lifetimes;
mod link;
mod literals;
mod local_inits;
mod loops;
mod math;
mod memory;
mod models;
mod nonnull;
mod ops;
mod overflow;
mod places;
mod pointers;
mod poison;
mod printed;
mod quantifiers;
mod records;
mod rounding;
mod scan;
mod scope;
mod sizes;
mod source;
mod specifiers;
mod statics;
mod stmts;
mod switch;
mod system_types;
mod variable_arrays;
mod variadic;
mod vectors;
mod volatile;
mod written;
mod zero_rest;

use crate::ids::*;
use crate::ir::*;
use crate::model::DataModel;
use crate::types::Types;
use builder::Builder;
pub use builder::{children, place_children};
pub use inputs::nondet_function;
pub use models::environment_text;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{self, Item};
use nub_text::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use std::collections::BTreeSet;
pub use variadic::VARIABLE_ARGUMENT_BYTES;

/// Deeper nesting is refused. Clang's own limit on brackets is 256; chains of `? :` have none.
pub const MAX_NESTING: u32 = 2_000;

/// Bytes of stack for that depth. Unused pages are never allocated.
const STACK: usize = 256 << 20;

/// Types and control flow of a translation unit.
///
/// All findings are returned, including those about functions that are never called; [`Program::refusals`] says what matters for one function. Linear
/// in the text, except for constant tables that name ranges of elements.
pub fn lower(unit: &TranslationUnit, model: &DataModel) -> (Program, Vec<Diagnostic>) {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        match builder.spawn_scoped(scope, || lower_here(unit, model)).map(|thread| thread.join()) {
            Ok(Ok(found)) => found,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No memory for that stack; few texts need it.
            Err(_) => lower_here(unit, model),
        }
    })
}

fn lower_here(unit: &TranslationUnit, model: &DataModel) -> (Program, Vec<Diagnostic>) {
    let models = models::parse();
    let mut shared = Shared::new(unit, model);
    shared = models::declare(&models, shared);
    let mut lower = Lower::new(unit, shared);
    lower.items();
    let shared = models::define(&models, lower.shared);
    link::link(shared)
}

/// Why something cannot be lowered; empty if it was already reported.
#[derive(Clone)]
struct Refusal(Option<Box<Diagnostic>>, Fault);

/// What is at fault for a refusal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The text is not C, or contradicts itself.
    Text,
    /// It is valid C that is not modelled: a run that reaches it ends there, and others continue.
    Model,
}

impl Refusal {
    fn new(span: Span, message: impl Into<String>) -> Refusal {
        Refusal(Some(Box::new(Diagnostic::error(span, message))), Fault::Text)
    }

    /// For valid C that is not modelled.
    fn unmodelled(span: Span, message: impl Into<String>) -> Refusal {
        Refusal(Some(Box::new(Diagnostic::error(span, message))), Fault::Model)
    }

    /// The cause was reported at its place.
    fn silent() -> Refusal {
        Refusal(None, Fault::Text)
    }
}

type Lowered<T> = Result<T, Refusal>;

/// A value of an expression, after conversion from an lvalue.
#[derive(Clone, Copy, Debug)]
struct RValue {
    id: ExprId,
    ty: TypeId,
    /// Read from a bit-field of this many bits: decides its promotion.
    bits: Option<u32>,
}

/// What outlives one unit: the program, and what its names mean across units.
struct Shared {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    functions_by_name: FxHashMap<String, FunctionId>,
    globals_by_name: FxHashMap<String, GlobalId>,
    files_by_name: FxHashMap<String, FileId>,
    /// Library functions that have a C model, with their types.
    models: FxHashMap<String, (ast::FunctionId, TypeId)>,
    /// The text being lowered is a model of ours.
    is_model: bool,
    /// Some text may set the rounding mode.
    sets_rounding: bool,
    /// Where the lengths of arrays of variable length are, by the number of their type: a local of the function that declares them.
    lengths: Vec<LocalId>,
    /// Which arguments must not be null pointers, by the name of the function; empty lists mean all.
    nonnull: FxHashMap<String, Vec<Vec<usize>>>,
    /// Functions that run before and after `main`.
    around_main: Vec<around_main::AroundMain>,
    /// Objects whose flexible member has initial values, and how many bytes they have with it.
    flexible: Vec<(GlobalId, u64)>,
}

impl Shared {
    fn new(unit: &TranslationUnit, model: &DataModel) -> Shared {
        let files: Vec<String> = unit.source_map.files().map(str::to_owned).collect();
        let files_by_name = files.iter().cloned().zip((0..).map(FileId)).collect();
        let program = Program {
            model: model.clone(),
            types: Types::new(model.clone()),
            files,
            globals: Vec::new(),
            functions: Vec::new(),
            strings: Vec::new(),
            statements: Vec::new(),
            decisions: Vec::new(),
            allocations: Vec::new(),
            accesses: Vec::new(),
            unsupported: Vec::new(),
            before_main: Vec::new(),
            has_constructors: false,
            around_main: (Vec::new(), Vec::new()),
            supplied: Vec::new(),
            unsupplied: Vec::new(),
            stream_writers: BTreeSet::new(),
            callbacks: Vec::new(),
            prototypes: FxHashMap::default(),
            linked: None,
            rooms: crate::RoomsBefore::default(),
            written: None,
            rounding: None,
        };
        Shared {
            program,
            diagnostics: Vec::new(),
            functions_by_name: FxHashMap::default(),
            globals_by_name: FxHashMap::default(),
            files_by_name,
            models: FxHashMap::default(),
            is_model: false,
            sets_rounding: false,
            lengths: Vec::new(),
            nonnull: FxHashMap::default(),
            around_main: Vec::new(),
            flexible: Vec::new(),
        }
    }
}

/// One unit being lowered.
struct Lower<'u> {
    unit: &'u TranslationUnit,
    shared: Shared,
    scopes: Scopes,
    /// Types of lists of specifiers, each computed once so that a struct body is entered once.
    specifier_types: Vec<Option<TypeId>>,
    /// The function being built. At file scope, a scratch one for constant expressions.
    fun: Builder,
    depth: u32,
    /// How many prototypes are being read, one inside the other.
    n_prototypes: u32,
    /// The limit of `#pragma pack` from each offset on.
    packs: Vec<(u32, Option<u64>)>,
    /// Names that `#pragma weak` declares weak.
    weak_names: Vec<String>,
    /// Why declarations were refused; none if what they use was refused without a reason.
    poisons: Vec<Refusal>,
    /// Functions that this unit defines, whether before or after a call: they take precedence over our models.
    defined_here: FxHashSet<ast::Name>,
    /// Other names of what this unit defines, each with what it is another name of.
    aliases: FxHashMap<ast::Name, String>,
}

impl<'u> Lower<'u> {
    fn new(unit: &'u TranslationUnit, mut shared: Shared) -> Lower<'u> {
        let void = shared.program.types.intern(crate::types::Type::Void);
        let aliases = aliases::targets_of_aliases(unit);
        Lower {
            unit,
            specifier_types: vec![None; unit.n_specifiers()],
            fun: Builder::scratch(void),
            shared,
            scopes: Scopes::new(),
            depth: 0,
            n_prototypes: 0,
            poisons: Vec::new(),
            packs: attributes::pack_changes(unit.source()),
            weak_names: attributes::weak_names(unit.source()),
            defined_here: unit
                .functions()
                .filter_map(|(_, function)| function.declarator.name)
                .map(|name| name.name)
                .chain(aliases.keys().copied())
                .collect(),
            aliases,
        }
    }

    fn types(&mut self) -> &mut Types {
        &mut self.shared.program.types
    }

    /// Type names of CBMC, as if they were declared before the text.
    fn known_types(&mut self) {
        for spelling in nub_c_syntax::KNOWN_TYPES {
            let Some(name) = self.unit.find_name(spelling) else { continue };
            let ty = match spelling {
                "__CPROVER_bool" => self.types().int(crate::types::IntKind::Bool),
                "__CPROVER_size_t" => self.size_type(),
                _ => self.difference_type(),
            };
            self.scopes.declare(name, scope::Entity::Typedef { ty, is_const: false });
        }
    }

    fn items(&mut self) {
        self.known_types();
        self.note_rounding();
        for item in &self.unit.items {
            let result = match item {
                Item::Function(id) => self.function(*id),
                Item::Declaration(id) => self.file_declaration(*id),
                Item::StaticAssert(assertion) => self.static_assert(assertion),
                Item::Asm(asm) => {
                    self.unsupported(asm.span, "inline assembly is not supported");
                    Ok(())
                }
            };
            if let Err(Refusal(Some(diagnostic), _)) = result {
                self.shared.diagnostics.push(*diagnostic);
            }
        }
        self.expose_aliased();
    }

    /// Records what makes every function of the program unsupported.
    fn unsupported(&mut self, span: Span, message: &str) {
        let diagnostic = Diagnostic::error(span, message);
        self.shared.program.unsupported.push(diagnostic.clone());
        self.shared.diagnostics.push(diagnostic);
    }

    /// Runs `inner` one level deeper, or refuses.
    fn nested<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if self.depth >= MAX_NESTING {
            let message = format!("nesting deeper than {MAX_NESTING} levels is not supported");
            return Err(Refusal::new(span, message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
