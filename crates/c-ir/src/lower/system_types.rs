//! Integer types of system headers whose width the standard fixes, or that are as wide as a pointer. The headers are those of the compiler's
//! machine, which may be another one than that of the data model: with 32 bits for `long`, `unsigned long` is not a `uint64_t` (C17 7.20.1).

use super::Lower;
use crate::ids::TypeId;
use crate::types::IntKind;
use nub_c_syntax::ast::Ident;

/// Which types may have a name.
enum Fitting {
    /// As wide as this.
    Exact(u32),
    /// At least as wide.
    AtLeast(u32),
    /// The type of `sizeof`, or the signed one.
    Size,
}

impl Lower<'_> {
    /// What a name that a system header defines means in the data model: the given type if it fits.
    pub(super) fn system_type(&mut self, name: Ident, declared: TypeId) -> TypeId {
        let Some((fitting, is_signed)) = fitting(self.spelling(name.name)) else { return declared };
        let Some(kind) = self.int_kind(declared) else { return declared };
        let position = self.position(name.span);
        if !self.shared.program.is_of_system(position) {
            return declared;
        }
        let width = |kind: IntKind| self.shared.program.types.format_of(kind).width;
        let (size, pointer_bits) = (self.size_kind(), self.shared.program.model.pointer_bits);
        let fits = |kind: IntKind| match fitting {
            Fitting::Exact(bits) => width(kind) == bits,
            Fitting::AtLeast(bits) => width(kind) >= bits,
            Fitting::Size if is_signed => width(kind) == pointer_bits,
            Fitting::Size => kind == size,
        };
        let kinds = if is_signed {
            [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong]
        } else {
            [IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULong, IntKind::ULongLong]
        };
        let other = if fits(kind) { None } else { kinds.into_iter().find(|kind| fits(*kind)) };
        other.map_or(declared, |kind| self.types().int(kind))
    }
}

/// Which types a name may have, and whether they are signed. Names of the library itself begin with `__`.
fn fitting(name: &str) -> Option<(Fitting, bool)> {
    let name = name.trim_start_matches('_').strip_suffix("_t")?;
    match name {
        "size" | "uintptr" => return Some((Fitting::Size, false)),
        "ssize" | "ptrdiff" | "intptr" => return Some((Fitting::Size, true)),
        _ => {}
    }
    let (rest, is_signed) = match name.strip_prefix('u') {
        Some(rest) => (rest.strip_prefix("int")?, false),
        None => (name.strip_prefix("int")?, true),
    };
    let fitting = match rest.strip_prefix("_least").or(rest.strip_prefix("_fast")) {
        Some(bits) => Fitting::AtLeast(bits.parse().ok()?),
        None if rest == "max" => Fitting::AtLeast(64),
        None => Fitting::Exact(rest.parse().ok()?),
    };
    Some((fitting, is_signed))
}
