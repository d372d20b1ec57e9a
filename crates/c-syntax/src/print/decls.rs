//! Printing of declarations, types and declarators.

use super::{Piece, Printer};
use crate::ast::*;
use crate::lexer::lex;
use crate::token::T;
use nub_text::Span;

impl<'a> Printer<'a> {
    pub(super) fn decl(&mut self, decl: &'a Declaration) {
        self.pieces.push(Piece::Specifiers(decl.specifiers));
        self.list(", ", &decl.declarators, |printer, declarator| {
            printer.pieces.push(Piece::Declarator(&declarator.declarator));
            if let Some(init) = declarator.init {
                printer.push_all([Piece::Text(" = "), Piece::Init(init)]);
            }
        });
        self.text(";");
    }

    pub(super) fn function(&mut self, function: &'a FunctionDefinition) {
        self.push_all([Piece::Specifiers(function.specifiers), Piece::Declarator(&function.declarator)]);
        for &decl in &function.old_style {
            self.push_all([Piece::Text(" "), Piece::Decl(decl)]);
        }
        self.push_all([Piece::Text(" "), Piece::Stmt(function.body)]);
    }

    /// With a blank after each word, the last one included.
    pub(super) fn specifiers(&mut self, specifiers: &'a Specifiers) {
        self.attributes(&specifiers.attributes);
        self.text(match specifiers.storage {
            None => "",
            Some(Storage::Typedef) => "typedef ",
            Some(Storage::Extern) => "extern ",
            Some(Storage::Static) => "static ",
            Some(Storage::Auto) => "auto ",
            Some(Storage::Register) => "register ",
        });
        self.text(if specifiers.is_thread_local { "_Thread_local " } else { "" });
        self.text(if specifiers.is_inline { "inline " } else { "" });
        self.text(if specifiers.is_noreturn { "_Noreturn " } else { "" });
        for &alignment in &specifiers.alignments {
            let of = match alignment {
                Alignment::Type(ty) => Piece::TypeName(ty),
                Alignment::Expr(value) => Piece::Expr(value),
            };
            self.push_all([Piece::Text("_Alignas("), of, Piece::Text(") ")]);
        }
        self.qualifiers(specifiers.qualifiers);
        self.base(specifiers);
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        self.pieces.extend(words(qualifiers).map(Piece::Text));
    }

    fn attributes(&mut self, attributes: &'a [Attribute]) {
        for attribute in attributes {
            self.push_all([Piece::Text("__attribute__(("), Piece::Name(attribute.name)]);
            if let Some(args) = attribute.args {
                self.push_all([Piece::Text("("), Piece::Source(args), Piece::Text(")")]);
            }
            self.text(")) ");
        }
    }

    fn base(&mut self, specifiers: &Specifiers) {
        let float = |size| match size {
            FloatSize::Float => Some("float "),
            FloatSize::Double => Some("double "),
            FloatSize::LongDouble => Some("long double "),
            FloatSize::Extended => None,
        };
        match specifiers.base {
            BaseType::Void => self.text("void "),
            BaseType::Bool => self.text("_Bool "),
            BaseType::Char(None) => self.text("char "),
            BaseType::Char(Some(sign)) => self.push_all([Piece::Text(sign_word(sign)), Piece::Text("char ")]),
            BaseType::Int(size, sign) => {
                let sign = if sign == SignKeyword::Signed { "" } else { "unsigned " };
                self.push_all([Piece::Text(sign), Piece::Text(int_words(size))]);
            }
            BaseType::Float(size) => match float(size) {
                Some(text) => self.text(text),
                None => self.extended_float(specifiers.base_span),
            },
            BaseType::Complex(size) => match float(size) {
                Some(text) => self.push_all([Piece::Text("_Complex "), Piece::Text(text)]),
                None => {
                    self.text("_Complex ");
                    self.extended_float(specifiers.base_span);
                }
            },
            BaseType::Record(id) => self.pieces.push(Piece::Record(id)),
            BaseType::Enum(id) => self.pieces.push(Piece::Enum(id)),
            BaseType::Typedef(name) => self.push_all([Piece::Name(name.name), Piece::Text(" ")]),
            BaseType::TypeofExpr(of) => {
                self.push_all([Piece::Text("__typeof__("), Piece::Expr(of), Piece::Text(") ")])
            }
            BaseType::TypeofType(ty) => {
                self.push_all([Piece::Text("__typeof__("), Piece::TypeName(ty), Piece::Text(") ")]);
            }
            BaseType::Atomic(ty) => {
                self.push_all([Piece::Text("_Atomic("), Piece::TypeName(ty), Piece::Text(") ")])
            }
            BaseType::VaList => self.text("__builtin_va_list "),
            BaseType::Auto => self.text("__auto_type "),
            BaseType::ImplicitInt => {}
        }
    }

    /// The one word of the type; other specifiers may appear between the words.
    fn extended_float(&mut self, words: Span) {
        let lexed = lex(self.unit.text(words));
        let word = lexed.tokens.iter().find(|token| token.kind == T::ExtFloat);
        let word = word.map_or("_Float128", |token| lexed.names.spelling(Name(token.data)));
        self.push_all([Piece::Owned(word.to_owned()), Piece::Text(" ")]);
    }

    pub(super) fn record(&mut self, record: &'a RecordSpecifier) {
        self.text(if record.kind == RecordKeyword::Struct { "struct " } else { "union " });
        self.attributes(&record.attributes);
        self.tag(record.tag);
        if let Some(members) = &record.members {
            self.text("{ ");
            self.pieces.extend(members.iter().map(Piece::Member));
            self.text("} ");
        }
    }

    fn tag(&mut self, tag: Option<Ident>) {
        if let Some(tag) = tag {
            self.push_all([Piece::Name(tag.name), Piece::Text(" ")]);
        }
    }

    pub(super) fn member(&mut self, member: &'a MemberDeclaration) {
        match member {
            MemberDeclaration::StaticAssert(assertion) => {
                self.static_assert(*assertion);
                self.text(" ");
            }
            MemberDeclaration::Fields { specifiers, fields, .. } => {
                self.pieces.push(Piece::Specifiers(*specifiers));
                self.list(", ", fields, |printer, field| {
                    printer.bare_declarator(&field.declarator);
                    if let Some(width) = field.width {
                        printer.push_all([Piece::Text(" : "), Piece::Expr(width)]);
                    }
                    printer.declarator_tail(&field.declarator);
                });
                self.text("; ");
            }
        }
    }

    pub(super) fn enumeration(&mut self, enumeration: &'a Enum) {
        self.text("enum ");
        self.attributes(&enumeration.attributes);
        self.tag(enumeration.tag);
        if let Some(ty) = enumeration.fixed {
            self.push_all([Piece::Text(" : "), Piece::TypeName(ty), Piece::Text(" ")]);
        }
        if let Some(enumerators) = &enumeration.enumerators {
            self.text("{ ");
            self.list(", ", enumerators, |printer, enumerator| {
                printer.pieces.push(Piece::Name(enumerator.name.name));
                if let Some(value) = enumerator.value {
                    printer.push_all([Piece::Text(" = "), Piece::Expr(value)]);
                }
            });
            self.text(" } ");
        }
    }

    pub(super) fn declarator(&mut self, declarator: &'a Declarator) {
        self.bare_declarator(declarator);
        self.declarator_tail(declarator);
    }

    fn declarator_tail(&mut self, declarator: &'a Declarator) {
        if let Some(asm) = declarator.asm_label {
            self.push_all([Piece::Text(" "), Piece::Source(asm.span), Piece::Text(" ")]);
        }
        if !declarator.attributes.is_empty() {
            self.text(" ");
            self.attributes(&declarator.attributes);
        }
    }

    /// Pointers go to the left of the name, arrays and functions to the right; parentheses are added where the right side would bind more tightly
    /// than a pointer that comes first.
    fn bare_declarator(&mut self, declarator: &'a Declarator) {
        let mut left = Vec::new();
        let first_right = self.pieces.len();
        let mut is_after_pointer = false;
        for derivation in &declarator.derivations {
            if let Derivation::Pointer { qualifiers, .. } = derivation {
                left.extend(words(*qualifiers).map(Piece::Text).rev());
                left.push(Piece::Text("*"));
                is_after_pointer = true;
                continue;
            }
            if std::mem::take(&mut is_after_pointer) {
                left.push(Piece::Text("("));
                self.text(")");
            }
            self.suffix(derivation);
        }
        let right = self.pieces.split_off(first_right);
        self.pieces.extend(left.into_iter().rev());
        self.pieces.extend(declarator.name.map(|name| Piece::Name(name.name)));
        self.pieces.extend(right);
    }

    fn suffix(&mut self, derivation: &'a Derivation) {
        match derivation {
            Derivation::Pointer { .. } => {}
            Derivation::Array { size, qualifiers, is_static, .. } => {
                self.text("[");
                self.text(if *is_static { "static " } else { "" });
                self.qualifiers(*qualifiers);
                match *size {
                    ArraySize::Unknown => {}
                    ArraySize::Star => self.text("*"),
                    ArraySize::Expr(size) => self.pieces.push(Piece::Expr(size)),
                }
                self.text("]");
            }
            Derivation::Function { params, .. } => {
                self.text("(");
                self.params(params);
                self.text(")");
            }
        }
    }

    fn params(&mut self, params: &'a Params) {
        match params {
            Params::Unspecified => {}
            Params::Names(names) => {
                self.list(", ", names, |printer, name| printer.pieces.push(Piece::Name(name.name)));
            }
            Params::Prototype { params, .. } if params.is_empty() => self.text("void"),
            Params::Prototype { params, is_variadic } => {
                self.list(", ", params, |printer, param| {
                    printer.push_all([
                        Piece::Specifiers(param.specifiers),
                        Piece::Declarator(&param.declarator),
                    ]);
                });
                self.text(if *is_variadic { ", ..." } else { "" });
            }
        }
    }
}

fn words(qualifiers: Qualifiers) -> impl DoubleEndedIterator<Item = &'static str> {
    let all = [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ];
    all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, word)| word)
}

fn sign_word(sign: SignKeyword) -> &'static str {
    match sign {
        SignKeyword::Signed => "signed ",
        SignKeyword::Unsigned => "unsigned ",
    }
}

fn int_words(size: IntSize) -> &'static str {
    match size {
        IntSize::Short => "short ",
        IntSize::Int => "int ",
        IntSize::Long => "long ",
        IntSize::LongLong => "long long ",
        IntSize::Int128 => "__int128 ",
    }
}
