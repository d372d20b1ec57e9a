//! `struct`, `union` and `enum`, with or without a body.

use super::declarator::Naming;
use super::expr::Level;
use super::scopes::NameKind;
use super::specifiers::Place;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;
use nub_text::Span;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parse<RecordId> {
        let start = self.start();
        let kind = if self.bump().kind == T::Struct { RecordKeyword::Struct } else { RecordKeyword::Union };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut members = None;
        if self.eat(T::LBrace) {
            members = Some(self.members()?);
            self.attributes(&mut attributes)?;
        }
        let span = self.span_from(start);
        Ok(self.unit.add_record(RecordSpecifier { span, kind, tag, members, attributes }))
    }

    /// The tag, which may be absent before a body.
    fn tag(&mut self) -> Parse<Option<Ident>> {
        match self.kind() {
            T::Ident => self.ident("a tag").map(Some),
            T::LBrace => Ok(None),
            _ => self.fail_expected("a tag or `{`"),
        }
    }

    /// From after `{` to after `}`.
    fn members(&mut self) -> Parse<Vec<MemberDeclaration>> {
        let mut members = Vec::new();
        loop {
            match self.kind() {
                T::RBrace => {
                    self.bump();
                    return Ok(members);
                }
                T::StaticAssert => members.push(MemberDeclaration::StaticAssert(self.static_assert()?)),
                // A stray semicolon, which gcc and clang accept.
                T::Semi => {
                    self.bump();
                }
                _ => members.push(self.fields()?),
            }
        }
    }

    /// `int a, b : 3;`
    fn fields(&mut self) -> Parse<MemberDeclaration> {
        let start = self.start();
        let specifiers = self.specifiers(Place::Type)?;
        let mut fields = Vec::new();
        if self.kind() != T::Semi {
            fields.push(self.field()?);
            while self.eat(T::Comma) {
                fields.push(self.field()?);
            }
        }
        // The last member before `}` may lack it, as in gcc.
        if self.kind() != T::RBrace {
            self.expect(T::Semi, "`;` after a member")?;
        }
        Ok(MemberDeclaration::Fields { span: self.span_from(start), specifiers, fields })
    }

    fn field(&mut self) -> Parse<FieldDeclarator> {
        let start = self.start();
        let mut declarator = match self.kind() {
            T::Colon => Declarator {
                span: Span { start, end: start },
                name: None,
                derivations: Vec::new(),
                attributes: Vec::new(),
                asm_label: None,
            },
            _ => self.declarator(Naming::Always)?,
        };
        let width = if self.eat(T::Colon) { Some(self.expression(Level::Conditional)?) } else { None };
        self.attributes(&mut declarator.attributes)?;
        Ok(FieldDeclarator { declarator, width })
    }

    pub(super) fn enumeration(&mut self) -> Parse<EnumId> {
        let start = self.start();
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let early = self.fixed_type()?;
        let tag = if early.is_some() { None } else { self.tag()? };
        let fixed = if early.is_some() { early } else { self.fixed_type()? };
        let mut enumerators = None;
        if self.eat(T::LBrace) {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attributes)?;
        }
        let span = self.span_from(start);
        Ok(self.unit.add_enumeration(Enum { span, tag, fixed, enumerators, attributes }))
    }

    /// `enum e : long { ... }` of C23. In a struct, `enum e : 3;` is an unnamed bit-field.
    fn fixed_type(&mut self) -> Parse<Option<TypeNameId>> {
        if self.kind() != T::Colon || !self.is_type_start(1) {
            return Ok(None);
        }
        self.bump();
        self.type_name().map(Some)
    }

    /// From after `{` to after `}`.
    fn enumerators(&mut self) -> Parse<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        loop {
            let name = self.ident("an enumeration constant")?;
            // Attributes of a constant are ignored.
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(T::Assign) { Some(self.expression(Level::Conditional)?) } else { None };
            self.scopes.declare(name.name, NameKind::Ordinary);
            enumerators.push(Enumerator { name, value });
            if !self.eat(T::Comma) || self.kind() == T::RBrace {
                break;
            }
        }
        self.expect(T::RBrace, "`,` or `}` after an enumeration constant")?;
        Ok(enumerators)
    }
}
