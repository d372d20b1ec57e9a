//! Declaration specifiers to types.

use super::scope::Entity;
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::types::{FloatKind, IntKind, Type};
use nub_c_syntax::ast::{BaseType, Declarator, Derivation, FloatSize, IntSize, Qualifiers};
use nub_c_syntax::ast::{SignKeyword, SpecifiersId, Storage, TypeNameId};

impl Lower<'_> {
    /// The type that specifiers name. Computed once: a struct body is entered once.
    pub(super) fn specifiers_type(&mut self, id: SpecifiersId) -> Lowered<TypeId> {
        if let Some(ty) = self.specifier_types[id.index()] {
            return Ok(ty);
        }
        let mut ty = self.base_type_of(id)?;
        if self.unit.specifiers(id).qualifiers.is_volatile {
            ty = self.types().volatile(ty);
        }
        if self.unit.specifiers(id).qualifiers.is_atomic {
            ty = self.types().atomic(ty);
        }
        self.specifier_types[id.index()] = Some(ty);
        Ok(ty)
    }

    /// The qualifiers of the type that specifiers name, with those that come by way of a typedef name or `typeof (type)`.
    pub(super) fn qualifiers_of(&self, id: SpecifiersId) -> Qualifiers {
        let specifiers = self.unit.specifiers(id);
        let is_inherited = match specifiers.base {
            BaseType::Typedef(ident) => {
                matches!(self.scopes.find(ident.name), Some(Entity::Typedef { is_const: true, .. }))
            }
            BaseType::TypeofType(name) => {
                let name = self.unit.type_name(name);
                self.declared_qualifiers(name.specifiers, &name.declarator).is_const
            }
            _ => false,
        };
        Qualifiers { is_const: specifiers.qualifiers.is_const || is_inherited, ..specifiers.qualifiers }
    }

    /// The qualifiers of what is declared itself: those of the outermost pointer, or of the specifiers. `const char *p` is not `const`.
    pub(super) fn declared_qualifiers(&self, base: SpecifiersId, declarator: &Declarator) -> Qualifiers {
        let outermost = declarator.derivations.iter().find_map(|derivation| match derivation {
            Derivation::Pointer { qualifiers, .. } => Some(*qualifiers),
            _ => None,
        });
        outermost.unwrap_or_else(|| self.qualifiers_of(base))
    }

    fn base_type_of(&mut self, id: SpecifiersId) -> Lowered<TypeId> {
        let unit = self.unit;
        let specifiers = unit.specifiers(id);
        let span = specifiers.base_span;
        // With one thread there is one object. A constant of another file gets its value through a second name, which thread-local objects cannot have.
        let is_extern = specifiers.storage == Some(Storage::Extern);
        if specifiers.is_thread_local && is_extern && specifiers.qualifiers.is_const {
            return Err(Refusal::unmodelled(specifiers.span, "threads are not supported"));
        }
        let ty = match specifiers.base {
            BaseType::Void => Type::Void,
            BaseType::Bool => Type::Int(IntKind::Bool),
            BaseType::Char(None) => Type::Int(IntKind::Char),
            BaseType::Char(Some(SignKeyword::Signed)) => Type::Int(IntKind::SChar),
            BaseType::Char(Some(SignKeyword::Unsigned)) => Type::Int(IntKind::UChar),
            BaseType::Int(size, sign) => Type::Int(int_kind(size, sign)),
            BaseType::Float(size) => Type::Float(match size {
                FloatSize::Float => FloatKind::Float,
                FloatSize::Double => FloatKind::Double,
                FloatSize::LongDouble => FloatKind::LongDouble,
                FloatSize::Extended => FloatKind::Extended,
            }),
            BaseType::Complex(_) => Type::Float(FloatKind::Complex),
            BaseType::VaList => return Ok(self.va_list_type()),
            BaseType::ImplicitInt => Type::Int(IntKind::Int),
            BaseType::Record(record) => return self.record_type(record),
            BaseType::Enum(enumeration) => return self.enum_type(enumeration),
            BaseType::Typedef(ident) => {
                return match self.scopes.find(ident.name) {
                    Some(Entity::Typedef { ty, .. }) => self.with_mode(ty, &specifiers.attributes),
                    Some(Entity::Poisoned(poison)) => Err(self.poisoned(poison)),
                    _ => Err(Refusal::new(
                        ident.span,
                        format!("`{}` is not a type", self.spelling(ident.name)),
                    )),
                };
            }
            BaseType::TypeofExpr(expr) => return self.type_of_expr(expr),
            BaseType::TypeofType(name) => return self.type_name(name),
            BaseType::Atomic(name) => {
                let ty = self.type_name(name)?;
                return Ok(self.types().atomic(ty));
            }
            BaseType::Auto => return Err(Refusal::new(span, "`__auto_type` needs an initialiser")),
        };
        let ty = self.types().intern(ty);
        self.with_mode(ty, &specifiers.attributes)
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self, id: TypeNameId) -> Lowered<TypeId> {
        let name = self.unit.type_name(id);
        let base = self.specifiers_type(name.specifiers)?;
        self.declarator_type(base, &name.declarator)
    }
}

fn int_kind(size: IntSize, sign: SignKeyword) -> IntKind {
    let signed = match size {
        IntSize::Short => IntKind::Short,
        IntSize::Int => IntKind::Int,
        IntSize::Long => IntKind::Long,
        IntSize::LongLong => IntKind::LongLong,
        IntSize::Int128 => IntKind::Int128,
    };
    if sign == SignKeyword::Signed { signed } else { signed.unsigned() }
}
