//! The arenas of one translation unit.

use crate::ast::*;
use crate::names::Names;
use crate::source_map::SourceMap;
use nub_text::Span;

/// A parsed translation unit: items at file scope, and the arenas of everything below them.
pub struct TranslationUnit {
    /// In order of the text.
    pub items: Vec<Item>,
    /// From offsets to lines of the original files.
    pub source_map: SourceMap,
    /// `#pragma` lines and `_Pragma` operators. They are skipped; `pack` among them changes layout.
    pub pragmas: Vec<Span>,
    /// The preprocessed text.
    pub(crate) source: Vec<u8>,
    pub(crate) names: Names,
    pub(crate) exprs: Vec<AstExpr>,
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) decls: Vec<Declaration>,
    pub(crate) functions: Vec<FunctionDefinition>,
    pub(crate) specifiers: Vec<Specifiers>,
    pub(crate) type_names: Vec<TypeName>,
    pub(crate) records: Vec<RecordSpecifier>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) inits: Vec<Init>,
    pub(crate) strings: Vec<StringLit>,
}

macro_rules! arenas {
    ($($(#[$doc:meta])* $get:ident, $add:ident, $field:ident: $id:ident => $node:ty;)*) => {
        impl TranslationUnit {
            $(
                $(#[$doc])*
                ///
                /// # Panics
                /// If the id is of another unit.
                pub fn $get(&self, id: $id) -> &$node {
                    &self.$field[id.index()]
                }

                pub(crate) fn $add(&mut self, node: $node) -> $id {
                    let id = $id(self.$field.len() as u32);
                    self.$field.push(node);
                    id
                }
            )*
        }
    };
}

arenas! {
    /// The expression `id`.
    expr, add_expr, exprs: ExprId => AstExpr;
    /// The statement `id`.
    stmt, add_stmt, stmts: StmtId => Stmt;
    /// The declaration `id`.
    decl, add_decl, decls: DeclId => Declaration;
    /// The function `id`.
    function, add_function, functions: FunctionId => FunctionDefinition;
    /// The specifiers `id`.
    specifiers, add_specifiers, specifiers: SpecifiersId => Specifiers;
    /// The type name `id`.
    type_name, add_type_name, type_names: TypeNameId => TypeName;
    /// The struct or union `id`.
    record, add_record, records: RecordId => RecordSpecifier;
    /// The enumeration `id`.
    enumeration, add_enumeration, enums: EnumId => Enum;
    /// The initialiser `id`.
    init, add_init, inits: InitId => Init;
    /// The string literal `id`.
    string, add_string, strings: StringId => StringLit;
}

impl TranslationUnit {
    pub(crate) fn new(source: Vec<u8>) -> TranslationUnit {
        TranslationUnit {
            items: Vec::new(),
            source_map: SourceMap::default(),
            pragmas: Vec::new(),
            source,
            names: Names::default(),
            exprs: Vec::new(),
            stmts: Vec::new(),
            decls: Vec::new(),
            functions: Vec::new(),
            specifiers: Vec::new(),
            type_names: Vec::new(),
            records: Vec::new(),
            enums: Vec::new(),
            inits: Vec::new(),
            strings: Vec::new(),
        }
    }

    /// The preprocessed text at `span`, as it is.
    pub fn text(&self, span: Span) -> &[u8] {
        span.slice(&self.source)
    }

    /// The whole preprocessed text.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The spelling of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.spelling(name)
    }

    /// The name with this spelling, if the text has it.
    pub fn find_name(&self, spelling: &str) -> Option<Name> {
        self.names.find(spelling)
    }

    /// All expressions, children before parents.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &AstExpr)> {
        self.exprs.iter().enumerate().map(|(index, expr)| (ExprId(index as u32), expr))
    }

    /// The expression and those that were made before it, last one first: its own parts come before all others.
    pub fn exprs_up_to(&self, id: ExprId) -> impl Iterator<Item = &AstExpr> {
        self.exprs[..=id.index()].iter().rev()
    }

    /// All statements, children before parents.
    pub fn stmts(&self) -> impl Iterator<Item = (StmtId, &Stmt)> {
        self.stmts.iter().enumerate().map(|(index, stmt)| (StmtId(index as u32), stmt))
    }

    /// The functions with a body, in order of the text.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &FunctionDefinition)> {
        self.functions.iter().enumerate().map(|(index, function)| (FunctionId(index as u32), function))
    }

    /// All mentions of enumerations, in the order of the text.
    pub fn enumerations(&self) -> impl Iterator<Item = &Enum> {
        self.enums.iter()
    }

    /// The number of expressions: the length of a side table.
    pub fn n_exprs(&self) -> usize {
        self.exprs.len()
    }

    /// The number of specifier lists. Several declarators share a list: its type should be computed once, so that a struct body is entered once.
    pub fn n_specifiers(&self) -> usize {
        self.specifiers.len()
    }
}
