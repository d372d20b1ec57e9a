//! Functions and their locals.

use super::expr::{Expr, ExprKind};
use super::instr::BasicBlock;
use super::program::Position;
use super::terminator::Loop;
use crate::ids::{ExprId, LocalId, TypeId};

use nub_text::{Diagnostic, Span};

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the source.
    pub name: String,
    /// Its type, a [`crate::Type::Function`].
    pub ty: TypeId,
    /// What a call returns; `void` if nothing.
    pub result: TypeId,
    /// A pointer to what the program takes the result for, if that is `void *` and the body is made for tests.
    pub returned_as: Option<TypeId>,
    /// The first `n_params` locals are the parameters.
    pub n_params: usize,
    /// Parameters, variables, temporaries.
    pub locals: Vec<Local>,
    /// Expressions; children come before their parents.
    pub exprs: Vec<Expr>,
    /// Basic blocks. The first is the entry. All can be reached from it along edges.
    pub blocks: Vec<BasicBlock>,
    /// Loops of the source.
    pub loops: Vec<Loop>,
    /// Where it is declared.
    pub span: Span,
    /// The same, in the user's source file.
    pub position: Position,
    /// Whether there is a body to run.
    pub body: Body,
    /// Statements of the body that are not modelled, and why: each is a [`crate::TerminatorKind::Cut`].
    pub cuts: Vec<Diagnostic>,
    /// It is used as a value.
    pub address_taken: bool,
    /// It comes from our own models of library functions, not from the user; or it is a stub.
    pub is_model: bool,
    /// It is declared never to return: returning from it is undefined (C17 6.7.4 paragraph 8).
    pub is_noreturn: bool,
    /// It is declared `pure` or `const`: compilers drop calls whose value is not used.
    pub is_droppable: bool,
    /// It is declared `const`: the result depends on the arguments alone, and compilers combine calls with the same arguments.
    pub is_const: bool,
    /// It is declared `weak`: it may be missing when the program is linked, or replaced by the definition of another file.
    pub is_weak: bool,
    /// It is defined `inline`, without `static` or `extern`: a call may use a definition of another file instead (C17 6.7.4
    /// paragraph 7).
    pub is_inline: bool,
    /// What its declarations say about which definition a call uses.
    pub inlining: Inlining,
    /// For a body that reads its variable arguments: the temporary with the address of a record of them. A call passes this address after the other
    /// arguments; it is null where there are none.
    pub variable_arguments: Option<LocalId>,
    /// What the last prototype says about the parameters; empty where there is none.
    pub declared: Vec<DeclaredParam>,
}

/// What the declarations of a function in this file say about the definition that its calls use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inlining {
    /// One of them is without `inline`, or with `extern`, so that the definition here is the external one (C17 6.7.4 paragraph 7).
    pub is_external: bool,
    /// It is defined `extern inline` with the attribute `gnu_inline`: the definition here is used for inlining alone.
    pub is_gnu: bool,
    /// It has the attribute `always_inline`.
    pub is_always: bool,
}

impl Function {
    /// The type of the result, of `void *` as the program uses it.
    pub fn returned(&self) -> TypeId {
        self.returned_as.unwrap_or(self.result)
    }

    /// Whether an expression is a null pointer constant, perhaps converted.
    pub fn is_null(&self, mut id: ExprId) -> bool {
        loop {
            match self.expr(id).kind {
                ExprKind::Null => return true,
                ExprKind::PointerCast(inner) => id = inner,
                _ => return false,
            }
        }
    }

    /// A function that is only declared, without parameters so far.
    pub(crate) fn without_body(
        name: String,
        ty: TypeId,
        result: TypeId,
        span: Span,
        position: Position,
    ) -> Function {
        Function {
            name,
            ty,
            result,
            returned_as: None,
            n_params: 0,
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: Vec::new(),
            loops: Vec::new(),
            span,
            position,
            body: Body::Missing,
            cuts: Vec::new(),
            address_taken: false,
            is_model: false,
            is_noreturn: false,
            is_droppable: false,
            is_const: false,
            is_weak: false,
            is_inline: false,
            inlining: Inlining::default(),
            variable_arguments: None,
            declared: Vec::new(),
        }
    }
}

/// A parameter as it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredParam {
    /// Its name; may be empty.
    pub name: String,
    /// What it points to is `const`.
    pub is_constant: bool,
}

/// Whether a function can be run.
#[derive(Clone, Debug)]
pub enum Body {
    /// It has blocks.
    Defined,
    /// Declared, never defined, and there is no model of it.
    Missing,
    /// It has a body which cannot be represented: why, each at its place.
    Refused(Vec<Diagnostic>),
}

/// A parameter, variable or temporary.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name in the source, empty for temporaries.
    pub name: String,
    /// A complete object type.
    pub ty: TypeId,
    /// What it is.
    pub kind: LocalKind,
    /// Where it is declared.
    pub span: Span,
    /// The same, in the user's source file.
    pub position: Position,
    /// Its address, or that of a part, is used other than for a direct access: a pointer may point here.
    pub address_taken: bool,
    /// A parameter, a temporary, or a variable whose declaration has an initialiser that no jump skips. Others are written by later
    /// statements, if at all.
    pub is_initialised: bool,
    /// The length in the source, for a parameter that is declared as an array and is a pointer.
    pub declared_length: Option<u64>,
    /// A parameter that is declared `restrict`: what is written through it, or behind it, is accessed through it alone (C17 6.7.3.1).
    pub is_restrict: bool,
}

/// What a local is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// A parameter.
    Parameter,
    /// A variable or a compound literal.
    Variable,
    /// Made by lowering. Not address-taken, always written before it is read.
    Temporary,
}
