//! Declarations, types and declarators.

use super::{
    Asm, Attribute, DeclId, EnumId, ExprId, Ident, InitId, RecordId, SpecifiersId, StaticAssert, StmtId,
    TypeNameId,
};
use nub_text::Span;

/// `specifiers declarator = init, declarator;`
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// Closing semicolon included.
    pub span: Span,
    /// Common to all declarators.
    pub specifiers: SpecifiersId,
    /// Empty in `struct s { ... };`
    pub declarators: Vec<InitDeclarator>,
}

/// A declarator of a declaration, with its initialiser.
#[derive(Clone, PartialEq, Debug)]
pub struct InitDeclarator {
    /// The name and its type.
    pub declarator: Declarator,
    /// After `=`.
    pub init: Option<InitId>,
}

/// A function with its body.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDefinition {
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// Before the declarator; [`BaseType::ImplicitInt`] if there is no type.
    pub specifiers: SpecifiersId,
    /// Has a name, and its first derivation is [`Derivation::Function`].
    pub declarator: Declarator,
    /// The declarations between declarator and body of a K&R definition. A name of the identifier list that is
    /// declared nowhere here is an `int`.
    pub old_style: Vec<DeclId>,
    /// A compound statement.
    pub body: StmtId,
}

/// The specifiers at the head of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Specifiers {
    /// From the first to the last one. Empty, before the declarator, if there are none.
    pub span: Span,
    /// The type without derivations.
    pub base: BaseType,
    /// Place of the words that make the base type.
    pub base_span: Span,
    /// `typedef`, `extern`, `static`, `auto`, `register`
    pub storage: Option<Storage>,
    /// `_Thread_local`, `__thread`
    pub is_thread_local: bool,
    /// `const` and so on.
    pub qualifiers: Qualifiers,
    /// `inline`
    pub is_inline: bool,
    /// `_Noreturn`
    pub is_noreturn: bool,
    /// `_Alignas`
    pub alignments: Vec<Alignment>,
    /// GNU and C23 attributes among the specifiers.
    pub attributes: Vec<Attribute>,
}

/// Storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// `_Atomic` without parentheses.
    pub is_atomic: bool,
}

/// What `_Alignas` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// `_Alignas(T)`
    Type(TypeNameId),
    /// `_Alignas(8)`
    Expr(ExprId),
}

/// The type that specifiers name, before pointers, arrays and functions are derived from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaseType {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`; plain if there is no sign.
    Char(Option<SignKeyword>),
    /// `short`, `int`, `long`, `long long`, `__int128`
    Int(IntSize, SignKeyword),
    /// `float` and similar types.
    Float(FloatSize),
    /// `_Complex`
    Complex(FloatSize),
    /// `struct` or `union`
    Record(RecordId),
    /// `enum`
    Enum(EnumId),
    /// A typedef name.
    Typedef(Ident),
    /// GNU and C23 `typeof(a)`
    TypeofExpr(ExprId),
    /// GNU and C23 `typeof(T)`
    TypeofType(TypeNameId),
    /// `_Atomic(T)`
    Atomic(TypeNameId),
    /// `__builtin_va_list`
    VaList,
    /// GNU `__auto_type`: the type of the initialiser.
    Auto,
    /// No type is written: `int`, as before C99. The parser warns.
    ImplicitInt,
}

/// `signed` or `unsigned`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SignKeyword {
    Signed,
    Unsigned,
}

/// Integer types by rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum IntSize {
    Short,
    Int,
    Long,
    LongLong,
    /// `__int128`
    Int128,
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FloatSize {
    Float,
    Double,
    LongDouble,
    /// `_Float16`, `_Float128`, `_Float64x`, `__float80`, `_Decimal32`...: told apart by [`Specifiers::base_span`].
    Extended,
}

/// A mention of a struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordSpecifier {
    /// From the keyword to tag or brace.
    pub span: Span,
    /// Which of the two.
    pub kind: RecordKeyword,
    /// The tag; absent only with a body.
    pub tag: Option<Ident>,
    /// The members, if they are listed here.
    pub members: Option<Vec<MemberDeclaration>>,
    /// Before the tag and after the brace.
    pub attributes: Vec<Attribute>,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RecordKeyword {
    Struct,
    Union,
}

/// One entry in the body of a struct or union.
#[derive(Clone, PartialEq, Debug)]
pub enum MemberDeclaration {
    /// `int a, b : 3;`. An anonymous struct or union has no declarator.
    Fields {
        /// Closing semicolon included.
        span: Span,
        /// Common to all.
        specifiers: SpecifiersId,
        /// The members.
        fields: Vec<FieldDeclarator>,
    },
    /// `_Static_assert`
    StaticAssert(StaticAssert),
}

/// One member.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldDeclarator {
    /// Without a name only if it is a bit-field.
    pub declarator: Declarator,
    /// After the colon: bits.
    pub width: Option<ExprId>,
}

/// A mention of an enumeration.
#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// From the keyword to tag or brace.
    pub span: Span,
    /// The tag; absent only with a body.
    pub tag: Option<Ident>,
    /// The type that is written after a colon (C23).
    pub fixed: Option<TypeNameId>,
    /// The constants, if they are listed here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Before the tag and after the brace.
    pub attributes: Vec<Attribute>,
}

/// One enumeration constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enumerator {
    /// The constant.
    pub name: Ident,
    /// After `=`; if absent, one more than the previous constant.
    pub value: Option<ExprId>,
}

/// A type name: specifiers and a declarator without a name.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeName {
    /// Its text.
    pub span: Span,
    /// The base type.
    pub specifiers: SpecifiersId,
    /// What is derived from it.
    pub declarator: Declarator,
}

/// A name and the way its type is derived.
///
/// `derivations` is read from the name outwards, as C is read aloud: for `int *(*f[3])(void)` it is array of 3,
/// pointer, function, pointer; and the base type `int` comes last. A type is built from the back.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// Its text; empty for an abstract declarator without derivations.
    pub span: Span,
    /// Absent in type names and in some parameters and bit-fields.
    pub name: Option<Ident>,
    /// From the name outwards.
    pub derivations: Vec<Derivation>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// `asm("symbol")`
    pub asm_label: Option<Asm>,
}

/// One step from a type to another.
#[derive(Clone, PartialEq, Debug)]
pub enum Derivation {
    /// `*const`
    Pointer {
        /// Star and qualifiers.
        span: Span,
        /// Of the pointer itself.
        qualifiers: Qualifiers,
    },
    /// `[static const 3]`
    Array {
        /// The brackets.
        span: Span,
        /// What is in them.
        size: ArraySize,
        /// Parameters only: qualifiers of the pointer that the array becomes.
        qualifiers: Qualifiers,
        /// Parameters only: at least this many elements.
        is_static: bool,
    },
    /// `(int a, ...)`
    Function {
        /// The parentheses.
        span: Span,
        /// What is in them.
        params: Params,
    },
}

/// Size of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArraySize {
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// `[*]`: variable, in a prototype.
    Star,
    /// `[n]`: constant or not, zero or not; the parser does not check.
    Expr(ExprId),
}

/// Parameters of a function type.
#[derive(Clone, PartialEq, Debug)]
pub enum Params {
    /// `()`: not specified.
    Unspecified,
    /// `(a, b)` of a K&R definition.
    Names(Vec<Ident>),
    /// A prototype. `(void)` has none.
    Prototype {
        /// In order.
        params: Vec<Param>,
        /// `...` at the end.
        is_variadic: bool,
    },
}

/// One parameter of a prototype.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its text.
    pub span: Span,
    /// The base type.
    pub specifiers: SpecifiersId,
    /// With or without a name.
    pub declarator: Declarator,
}
