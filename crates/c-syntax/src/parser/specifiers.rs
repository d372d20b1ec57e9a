//! Declaration specifiers: `static const unsigned long`, in any order.

use super::declarator::Naming;
use super::expr::Level;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::{T, Token};
use nub_text::Span;

/// Where specifiers appear.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Of objects, functions and parameters: all specifiers; without a type it is `int`.
    Declaration,
    /// In type names and members: no storage class, and a type or a qualifier must be there.
    Type,
}

/// How often each word of a type was written.
#[derive(Default)]
struct Words {
    n_long: u8,
    is_short: bool,
    is_int: bool,
    is_complex: bool,
    sign: Option<SignKeyword>,
    /// `char`, `float`, `struct s`, a typedef name...: at most one.
    main: Option<BaseType>,
    /// From the first to the last word.
    span: Option<Span>,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.span.is_none()
    }

    fn cover(&mut self, span: Span) {
        self.span = Some(Span { start: self.span.map_or(span.start, |all| all.start), end: span.end });
    }

    /// The type that the words form together (C17 6.7.2); `None` if they form none.
    fn base(&self) -> Option<BaseType> {
        let has_size = self.is_short || self.n_long > 0;
        let is_plain = !has_size && !self.is_int && self.sign.is_none();
        let real = |size| if self.is_complex { BaseType::Complex(size) } else { BaseType::Float(size) };
        let is_double = self.main == Some(BaseType::Float(FloatSize::Double));
        match self.main {
            None if self.is_complex && is_plain => Some(BaseType::Complex(FloatSize::Double)),
            Some(BaseType::Float(size)) if is_plain => Some(real(size)),
            Some(_)
                if is_double && self.n_long == 1 && !self.is_short && !self.is_int && self.sign.is_none() =>
            {
                Some(real(FloatSize::LongDouble))
            }
            _ if self.is_complex => None,
            Some(BaseType::Char(None)) if !has_size && !self.is_int => Some(BaseType::Char(self.sign)),
            Some(BaseType::Int(IntSize::Int128, sign)) if !has_size && !self.is_int => {
                Some(BaseType::Int(IntSize::Int128, self.sign.unwrap_or(sign)))
            }
            Some(main) => is_plain.then_some(main),
            None if self.is_short && self.n_long > 0 => None,
            None => {
                let size = match self.n_long {
                    _ if self.is_short => IntSize::Short,
                    0 => IntSize::Int,
                    1 => IntSize::Long,
                    _ => IntSize::LongLong,
                };
                Some(BaseType::Int(size, self.sign.unwrap_or(SignKeyword::Signed)))
            }
        }
    }
}

impl Parser<'_> {
    /// True if the token `ahead` of the current one can begin a type name.
    pub(super) fn is_type_start(&self, ahead: usize) -> bool {
        let token = self.ahead(ahead);
        match token.kind {
            T::Ident => self.scopes.is_typedef(token.data),
            T::Const | T::Restrict | T::Volatile | T::Atomic => true,
            kind => is_type_word(kind),
        }
    }

    /// The same after the `(` of an expression, where attributes can only belong to a type.
    pub(super) fn is_type_name_start(&self, ahead: usize) -> bool {
        self.ahead(ahead).kind == T::Attribute || self.is_type_start(ahead)
    }

    /// True if the token `ahead` of the current one can begin a declaration, not counting attributes.
    pub(super) fn is_declaration_start(&self, ahead: usize) -> bool {
        let is_other = matches!(
            self.ahead(ahead).kind,
            T::Auto
                | T::Extern
                | T::Register
                | T::Static
                | T::Typedef
                | T::ThreadLocal
                | T::Inline
                | T::Noreturn
                | T::Alignas
        );
        is_other || self.is_type_start(ahead)
    }

    /// The specifiers here, possibly none. Never fails without a report; never warns about a missing type if there
    /// is no specifier at all, because then it depends on what follows.
    pub(super) fn specifiers(&mut self, place: Place) -> Parse<SpecifiersId> {
        self.enter()?;
        let start = self.start();
        let first = self.at;
        let mut words = Words::default();
        let mut found = Specifiers {
            span: Span { start, end: start },
            base: BaseType::ImplicitInt,
            base_span: Span { start, end: start },
            storage: None,
            is_thread_local: false,
            qualifiers: Qualifiers::default(),
            is_inline: false,
            is_noreturn: false,
            alignments: Vec::new(),
            attributes: Vec::new(),
        };
        loop {
            let before = self.at;
            self.attributes(&mut found.attributes)?;
            if self.qualifier(&mut found.qualifiers) {
                continue;
            }
            self.storage(&mut found, place)?;
            // A qualifier comes before a type: `_Atomic` is one or the other.
            if self.at == before {
                self.type_word(&mut words)?;
            }
            if self.at == before {
                break;
            }
        }
        found.span = self.span_from(start);
        self.finish_specifiers(&mut found, &words, place, self.at > first)?;
        self.leave();
        Ok(self.unit.add_specifiers(found))
    }

    fn finish_specifiers(
        &mut self,
        found: &mut Specifiers,
        words: &Words,
        place: Place,
        any: bool,
    ) -> Parse<()> {
        if let Some(span) = words.span {
            found.base_span = span;
            found.base = match words.base() {
                Some(base) => base,
                None if words.is_complex => {
                    let message = "complex integers are not supported";
                    return self.fail(
                        span,
                        message,
                        "`_Complex` goes with `float`, `double` and `long double`",
                    );
                }
                None => {
                    return self.fail(
                        span,
                        "these words do not form a type",
                        "see C17 6.7.2 for those that do",
                    );
                }
            };
            return Ok(());
        }
        let token = self.token();
        if token.kind == T::Ident && matches!(self.ahead(1).kind, T::Ident | T::Star) {
            return self.fail_unknown_type(token);
        }
        if place == Place::Type && found.qualifiers == Qualifiers::default() {
            return self.fail_expected("a type");
        }
        if any {
            self.warn_implicit_int(found.span);
        }
        Ok(())
    }

    pub(super) fn warn_implicit_int(&mut self, span: Span) {
        self.warn(span, "no type is given; `int` is assumed", "this is allowed before C99 only; write `int`");
    }

    /// One qualifier, if there is one.
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.kind() {
            T::Const => qualifiers.is_const = true,
            T::Volatile => qualifiers.is_volatile = true,
            T::Restrict => qualifiers.is_restrict = true,
            T::Atomic if self.ahead(1).kind != T::LParen => qualifiers.is_atomic = true,
            T::Nullability => {}
            _ => return false,
        }
        self.bump();
        true
    }

    /// One storage class, function specifier or alignment, if there is one.
    fn storage(&mut self, found: &mut Specifiers, place: Place) -> Parse<()> {
        let token = self.token();
        let storage = match token.kind {
            T::Typedef => Some(Storage::Typedef),
            T::Extern => Some(Storage::Extern),
            T::Static => Some(Storage::Static),
            T::Auto => Some(Storage::Auto),
            T::Register => Some(Storage::Register),
            T::ThreadLocal | T::Inline | T::Noreturn => None,
            T::Alignas => return self.alignment(found),
            T::Extension => {
                self.bump();
                return Ok(());
            }
            _ => return Ok(()),
        };
        if place == Place::Type {
            let message = format!("{} is not allowed here", self.shown(token));
            return self.fail(token.span, message, "type names and members have no storage class");
        }
        if storage.is_some() && found.storage.is_some() {
            return self.fail(
                token.span,
                "a declaration can have only one storage class",
                "remove one of them",
            );
        }
        self.bump();
        found.storage = storage.or(found.storage);
        found.is_thread_local |= token.kind == T::ThreadLocal;
        found.is_inline |= token.kind == T::Inline;
        found.is_noreturn |= token.kind == T::Noreturn;
        Ok(())
    }

    fn alignment(&mut self, found: &mut Specifiers) -> Parse<()> {
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let alignment = if self.is_type_name_start(0) {
            Alignment::Type(self.type_name()?)
        } else {
            Alignment::Expr(self.expression(Level::Conditional)?)
        };
        found.alignments.push(alignment);
        self.expect(T::RParen, "`)`")?;
        Ok(())
    }

    /// One word of the type, if there is one.
    fn type_word(&mut self, words: &mut Words) -> Parse<()> {
        let token = self.token();
        match token.kind {
            T::Short if !words.is_short => words.is_short = true,
            T::IntKw if !words.is_int => words.is_int = true,
            T::Long if words.n_long < 2 => words.n_long += 1,
            T::Complex if !words.is_complex => words.is_complex = true,
            T::Signed | T::Unsigned if words.sign.is_none() => {
                words.sign =
                    Some(if token.kind == T::Signed { SignKeyword::Signed } else { SignKeyword::Unsigned });
            }
            // After a complete type, an identifier is the name being declared.
            T::Ident if !words.is_empty() || !self.scopes.is_typedef(token.data) => return Ok(()),
            T::ExtFloat if !words.is_empty() && !words.is_complex => return Ok(()),
            kind if kind == T::Ident || is_type_word(kind) => {
                let base = self.main_type_word(token)?;
                let span = self.span_from(token.span.start);
                if words.main.is_some() {
                    return self.fail(
                        span,
                        "a declaration can have only one type",
                        "is a `;` missing before it?",
                    );
                }
                words.main = Some(base);
                words.cover(span);
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.bump();
        words.cover(token.span);
        Ok(())
    }

    /// A word that names a type by itself. Words such as `long` get here only if there are too many of them.
    fn main_type_word(&mut self, token: Token) -> Parse<BaseType> {
        match token.kind {
            T::Struct | T::Union => return Ok(BaseType::Record(self.record()?)),
            T::Enum => return Ok(BaseType::Enum(self.enumeration()?)),
            T::Typeof => return self.type_of(),
            T::Imaginary => {
                return self.fail(token.span, "`_Imaginary` is not supported", "no compiler supports it");
            }
            _ => {}
        }
        self.bump();
        Ok(match token.kind {
            T::Void => BaseType::Void,
            T::Bool => BaseType::Bool,
            T::CharKw => BaseType::Char(None),
            T::FloatKw => BaseType::Float(FloatSize::Float),
            T::Double => BaseType::Float(FloatSize::Double),
            T::ExtFloat => BaseType::Float(FloatSize::Extended),
            T::Int128 => BaseType::Int(IntSize::Int128, SignKeyword::Signed),
            T::Uint128 => BaseType::Int(IntSize::Int128, SignKeyword::Unsigned),
            T::VaList => BaseType::VaList,
            T::AutoType => BaseType::Auto,
            T::Ident => BaseType::Typedef(Ident { name: Name(token.data), span: token.span }),
            T::Atomic => {
                self.expect(T::LParen, "`(`")?;
                let ty = self.type_name()?;
                self.expect(T::RParen, "`)`")?;
                BaseType::Atomic(ty)
            }
            _ => {
                let message = format!("{} is repeated too often", self.shown(token));
                return self.fail(token.span, message, "remove one of them");
            }
        })
    }

    /// `typeof(a)` or `typeof(T)`
    fn type_of(&mut self) -> Parse<BaseType> {
        self.bump();
        self.expect(T::LParen, "`(`")?;
        let base = if self.is_type_name_start(0) {
            BaseType::TypeofType(self.type_name()?)
        } else {
            BaseType::TypeofExpr(self.expression(Level::Comma)?)
        };
        self.expect(T::RParen, "`)`")?;
        Ok(base)
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeNameId> {
        let start = self.start();
        let specifiers = self.specifiers(Place::Type)?;
        let mut declarator = self.declarator(Naming::Never)?;
        self.attributes(&mut declarator.attributes)?;
        let span = self.span_from(start);
        Ok(self.unit.add_type_name(TypeName { span, specifiers, declarator }))
    }
}

/// Keywords that are part of a type.
fn is_type_word(kind: T) -> bool {
    matches!(
        kind,
        T::Void
            | T::CharKw
            | T::Short
            | T::IntKw
            | T::Long
            | T::FloatKw
            | T::Double
            | T::Signed
            | T::Unsigned
            | T::Bool
            | T::Complex
            | T::Imaginary
            | T::Int128
            | T::Uint128
            | T::ExtFloat
            | T::VaList
            | T::AutoType
            | T::Atomic
            | T::Struct
            | T::Union
            | T::Enum
            | T::Typeof
    )
}
