//! The program and its tables.

use super::decision::Decision;
use super::expr::{Expr, ExprKind};
use super::float::{FloatOperator, FloatYield};
use super::function::{DeclaredParam, Function};
use crate::ids::{ExprId, FileId, FunctionId, GlobalId, LocalId, StatementId, StringId, TypeId};
use crate::model::DataModel;
use crate::types::Types;
use nub_c_syntax::WrittenSource;
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A translation unit with types.
#[derive(Clone, Debug)]
pub struct Program {
    /// Widths of the integer types.
    pub model: DataModel,
    /// All types, with their layout.
    pub types: Types,
    /// Files named by line markers; the first is the main file.
    pub files: Vec<String>,
    /// Objects that live from the start: globals, static locals, compound literals at file scope.
    pub globals: Vec<Global>,
    /// Functions, also those that are only declared but used.
    pub functions: Vec<Function>,
    /// String literals that are objects; one that initialises an array is not here.
    pub strings: Vec<StringLiteral>,
    /// Statements of the source, of all functions.
    pub statements: Vec<Statement>,
    /// Decisions of the source, of all functions, each function's in the order of its text.
    pub decisions: Vec<Decision>,
    /// Calls of `malloc` and similar functions.
    pub allocations: Vec<Allocation>,
    /// Reads of volatile objects, and writes of registers.
    pub accesses: Vec<Access>,
    /// What cannot be represented, whichever function is analysed, such as code that runs before `main`.
    pub unsupported: Vec<Diagnostic>,
    /// What runs before or after `main`, or cannot be represented there: a reason to refuse `main`, and no other function.
    pub before_main: Vec<Diagnostic>,
    /// The text has functions that run before or after `main`. Other functions are analysed in the state before these ran.
    pub has_constructors: bool,
    /// The functions that run before `main` and after it, in their order. Their calls are part of the body of `main`.
    pub around_main: (Vec<FunctionId>, Vec<FunctionId>),
    /// Functions without a body whose calls are inputs, by [`Program::supply_missing`].
    pub supplied: Vec<FunctionId>,
    /// Functions without a body whose calls cannot be inputs: runs end there.
    pub unsupplied: Vec<FunctionId>,
    /// Functions of the library that are called with streams other than its own. What a test passes there need not be a stream.
    pub stream_writers: BTreeSet<String>,
    /// Generated functions, by [`Program::add_callbacks`].
    pub callbacks: Vec<FunctionId>,
    /// What prototypes say about parameters beyond their types. All functions of one type share an entry: a parameter that points to `const` in one
    /// of them counts as such in all.
    pub prototypes: FxHashMap<TypeId, Vec<DeclaredParam>>,
    /// What the user wrote, where it is known, to quote from.
    pub written: Option<Arc<WrittenSource>>,
    /// The hidden object that holds the rounding mode, where the program may set it; its values are numbers of [`crate::floats::MODES`].
    pub rounding: Option<GlobalId>,
    /// Definitions from other files, at the end of the text: a test program that includes the file needs them too.
    pub linked: Option<Arc<str>>,
    /// Which input pointers point into the middle of an object, and whose objects are freed, by [`Program::give_room`].
    pub rooms: crate::RoomsBefore,
}

impl Program {
    /// Whether some function of the text computes floats from others. Comparing and copying them does not count: it is cheap.
    pub fn computes_floats(&self) -> bool {
        use FloatOperator::{Abs, Bits, CopySign, Either, Negate, OfBits};
        let is_arithmetic = |kind: &ExprKind| match kind {
            ExprKind::Float(op, _) => {
                op.yields() == FloatYield::Float
                    && !matches!(op, Abs | Bits | CopySign | Either | Negate | OfBits)
            }
            _ => false,
        };
        let own = self.functions.iter().filter(|function| !function.is_model);
        own.flat_map(|function| &function.exprs).any(|expr| is_arithmetic(&expr.kind))
    }

    /// The text at a span in one line, with macros as the user wrote them; `text` is the preprocessed one.
    pub fn quote(&self, text: &[u8], span: Span) -> String {
        let written = self.written.as_ref().and_then(|written| written.quote(text, span));
        written.unwrap_or_else(|| crate::quote(text, span))
    }

    /// Records a prototype of a function type.
    pub(crate) fn note_prototype(&mut self, ty: TypeId, declared: Vec<DeclaredParam>) {
        let known = self.prototypes.entry(ty).or_insert_with(|| declared.clone());
        for (known, new) in known.iter_mut().zip(declared) {
            known.is_constant |= new.is_constant;
        }
    }

    /// Whether linking may need the math library: the program includes `math.h`, or declares and calls a function of it.
    pub fn needs_math_library(&self) -> bool {
        let is_header = |file: &String| Path::new(file).file_name().is_some_and(|name| name == "math.h");
        // In glibc, the functions of `fenv.h` are there too.
        let sets_rounding = self.rounding.is_some();
        sets_rounding
            || self.files.iter().any(is_header)
            || self.functions.iter().any(|function| self.calls_math(function))
    }

    /// Whether it calls such a function, or is our model of one.
    fn calls_math(&self, function: &Function) -> bool {
        let is_call = |expr: &Expr| match &expr.kind {
            ExprKind::Float(op, _) => op.is_library_call(),
            _ => false,
        };
        let is_text = function.is_model && self.types.float_format(function.result).is_some();
        is_text || function.exprs.iter().any(is_call)
    }
}

/// A place in a source file. Lines and columns are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The file after line markers.
    pub file: FileId,
    /// The line in that file.
    pub line: u32,
    /// The column in bytes.
    pub column: u32,
}

/// Where an instruction comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceOrigin {
    /// Bytes of the preprocessed text.
    pub span: Span,
    /// The same place in the user's source file.
    pub position: Position,
    /// The statement it belongs to.
    pub statement: StatementId,
}

/// Elements that an `extern` array of unknown length is given.
pub const OPEN_LENGTH: u64 = 64;

/// An object with static lifetime.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name in the source; compound literals have a made-up one with a dot.
    pub name: String,
    /// The type, complete.
    pub ty: TypeId,
    /// The function it is static in.
    pub owner: Option<FunctionId>,
    /// Where it is declared.
    pub span: Span,
    /// The same, in the user's source file.
    pub position: Position,
    /// What is not zero at the start, by offset. Later pieces win.
    pub initial: Vec<InitialPiece>,
    /// Declared `extern` and not defined here: its initial value is unknown.
    pub is_extern: bool,
    /// Only this file can name it: `static`, at file scope or in a function.
    pub is_internal: bool,
    /// The object itself is declared `const`, not only what it points to: to write it is undefined.
    pub is_const: bool,
    /// It is declared `weak`: it may be missing when the program is linked, or replaced by the definition of another file.
    pub is_weak: bool,
    /// Each thread has one. There is one thread.
    pub is_thread_local: bool,
    /// An `extern` array whose length is not given here; the type has [`OPEN_LENGTH`] elements, and there may be more.
    pub has_open_length: bool,
    /// Its address, or that of a part, is used other than for a direct access.
    pub address_taken: bool,
    /// The `static` object of another file, of which only a part is here: the rest may write the object or pass on its address.
    pub is_of_partial_file: bool,
}

/// One scalar of an initial value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialPiece {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// For a bit-field: which bits of the unit at `offset`.
    pub bits: Option<BitRange>,
    /// A scalar type.
    pub ty: TypeId,
    /// The value.
    pub value: Constant,
    /// The initialiser that it comes from.
    pub span: Span,
    /// The same, in the user's source file.
    pub position: Position,
}

/// A part of a storage unit. Bits are counted from the end where the first byte is ([`crate::ByteOrder`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitRange {
    /// The first bit.
    pub start: u32,
    /// The number of bits.
    pub width: u32,
}

/// A scalar that is known before the program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    /// The bits of an integer or a float, zero above its width.
    Int(u128),
    /// The null pointer.
    Null,
    /// An address: bytes from the start of an object.
    Address(ObjectBase, i128),
    /// The address of a function.
    Function(FunctionId),
}

/// An object that is known by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectBase {
    /// A global or static local object.
    Global(GlobalId),
    /// A string literal.
    String(StringId),
}

/// A string literal as an array.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The elements, with the final zero.
    pub units: Vec<u32>,
    /// The array type.
    pub ty: TypeId,
    /// Where it is.
    pub span: Span,
}

/// A statement of the source: what statement coverage counts and what a report names.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The function it is in.
    pub function: FunctionId,
    /// What it is.
    pub kind: StatementKind,
    /// For a simple statement all of it, for a compound one its controlling expression or its keyword.
    pub span: Span,
    /// Where it starts.
    pub position: Position,
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// An expression statement.
    Expression,
    /// A declaration with an initialiser, one per declared object.
    Declaration,
    /// The controlling expression of `if`, a loop or `switch`.
    Control,
    /// The first part of `for`.
    ForInit,
    /// The last part of `for`.
    ForStep,
    /// `return`.
    Return,
    /// `break`, `continue` or `goto`.
    Jump,
    /// Not in the source: entry of a function, falling off its end.
    Implicit,
}

/// A call that makes an object.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// The function it is in.
    pub function: FunctionId,
    /// The function of the library that is called.
    pub name: String,
    /// Size of the object in bytes, if it is constant.
    pub size: Option<u64>,
    /// The call.
    pub span: Span,
    /// What creates it.
    pub maker: AllocationMaker,
}

/// What creates an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocationMaker {
    /// A function of the library that allocates.
    Library,
    /// `alloca`, or the declaration of an array of variable length: it never fails and cannot be freed. Its end is not noticed.
    Automatic,
    /// A stub: the object that it returns a pointer to could be anything.
    Stub,
}

/// A place of the source where a volatile object is read, or a register written.
#[derive(Clone, Debug)]
pub struct Access {
    /// The expression that designates the object.
    pub span: Span,
    /// What is done to it.
    pub kind: AccessKind,
    /// Its type, without `volatile`.
    pub ty: TypeId,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// Bytes of the object, or of the structure that the bit-field is a member of.
    pub size: u64,
    /// Where it may be.
    pub target: AccessTarget,
    /// Evaluating the expression has no side effect.
    pub is_pure: bool,
    /// For a local variable that no other code can reach: the variable and its value. It is read like any other.
    pub ordinary: Option<(LocalId, ExprId)>,
}

impl Access {
    /// Whether a run may need a device: the access may be one to a register, or the value comes from outside.
    pub fn needs_device(&self) -> bool {
        self.ordinary.is_none() && (self.kind != AccessKind::Write || self.target == AccessTarget::Register)
    }
}

/// Where a volatile object may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessTarget {
    /// It is an object of the program.
    Object,
    /// It is a register: it has a constant address.
    Register,
    /// A pointer leads to it. The pointer may be an address that was made from a number, and then it is a register.
    Either,
}

impl AccessTarget {
    /// Whether it is a register in some run.
    pub fn may_be_register(self) -> bool {
        self != AccessTarget::Object
    }
}

/// What is done to a volatile object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Its value is used.
    Read,
    /// It is written, without being read.
    Write,
    /// It is read and written: `|=`, `++`.
    Update,
}
