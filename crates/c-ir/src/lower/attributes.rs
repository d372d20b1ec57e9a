//! Attributes and pragmas that change types or layout.

use super::around_main::{AroundMain, MainSide};
use super::{Lower, Lowered, Refusal};
use crate::ids::{FunctionId, TypeId};
use crate::types::{IntKind, Type};
use nub_c_syntax::ast::{Alignment, Attribute, Declarator, ExprId, Ident, SpecifiersId, Storage};

/// Larger alignments are refused: none exceeds the page size of a machine.
const MAX_ALIGN: u64 = 1 << 20;

impl Lower<'_> {
    pub(super) fn is_packed(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().any(|attribute| self.spelling(attribute.name) == "packed")
    }

    /// `cleanup`: a function is called wherever the scope of the variable is left.
    pub(super) fn refuse_cleanup(&self, attributes: &[Attribute]) -> Lowered<()> {
        match attributes.iter().find(|attribute| self.spelling(attribute.name) == "cleanup") {
            Some(found) => Err(Refusal::unmodelled(found.span, "the attribute `cleanup` is not supported")),
            None => Ok(()),
        }
    }

    /// `constructor` and `destructor`, by the name of the function.
    pub(super) fn note_constructors(&mut self, attributes: &[Attribute], name: Ident) {
        for attribute in attributes {
            let side = match self.spelling(attribute.name) {
                "constructor" => MainSide::Before,
                "destructor" => MainSide::After,
                _ => continue,
            };
            let function = self.spelling(name.name).to_owned();
            let priority = attribute.args.map(|span| self.source_text(span)).unwrap_or_default();
            let priority = priority.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(u32::MAX);
            let (list, span) = (&mut self.shared.around_main, attribute.span);
            if !list.iter().any(|known| known.function == function && known.side == side) {
                list.push(AroundMain { function, side, priority, span });
            }
        }
    }

    /// `_Noreturn`, and attributes of functions that say what callers may expect.
    pub(super) fn note_promises(
        &mut self,
        function: FunctionId,
        specifiers: SpecifiersId,
        declarator: &Declarator,
    ) {
        let specifiers = self.unit.specifiers(specifiers);
        let has = |names: &[&str]| {
            let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
            attributes.any(|attribute| names.contains(&self.spelling(attribute.name)))
        };
        let is_noreturn = specifiers.is_noreturn || has(&["noreturn", "_Noreturn"]);
        let is_droppable = has(&["pure", "const"]);
        let is_const = has(&["const"]);
        let (is_gnu, is_always) = (has(&["gnu_inline"]), has(&["always_inline"]));
        let name = declarator.name.map(|name| self.spelling(name.name));
        let is_weak = has(&["weak", "weakref"]) || name.is_some_and(|name| self.is_named_weak(name));
        let function = &mut self.shared.program.functions[function.index()];
        function.is_noreturn |= is_noreturn;
        function.is_droppable |= is_droppable;
        function.is_const |= is_const;
        function.is_weak |= is_weak;
        let (is_inline, storage) = (specifiers.is_inline, specifiers.storage);
        let of_gnu = is_inline && is_gnu;
        function.inlining.is_always |= is_always;
        function.inlining.is_gnu |= of_gnu && storage == Some(Storage::Extern);
        function.inlining.is_external |=
            if of_gnu { storage != Some(Storage::Extern) } else { !is_inline || storage.is_some() };
    }

    /// Whether `#pragma weak` names it, before or after its declaration.
    pub(super) fn is_named_weak(&self, name: &str) -> bool {
        self.weak_names.iter().any(|known| known == name)
    }

    /// The alignment that `aligned` asks for.
    pub(super) fn attribute_align(&mut self, attributes: &[Attribute]) -> Lowered<Option<u64>> {
        let mut align = None;
        for attribute in attributes {
            if self.spelling(attribute.name) != "aligned" {
                continue;
            }
            let asked = match attribute.alignment {
                None => 16,
                Some(id) => self.alignment(id)?,
            };
            align = align.max(Some(asked));
        }
        Ok(align)
    }

    /// The alignment that `_Alignas` asks for.
    pub(super) fn specifier_align(&mut self, id: SpecifiersId) -> Lowered<Option<u64>> {
        let specifiers = self.unit.specifiers(id);
        let mut align = self.attribute_align(&specifiers.attributes)?;
        for alignment in &specifiers.alignments {
            let asked = match alignment {
                Alignment::Type(name) => {
                    let ty = self.type_name(*name)?;
                    self.shared.program.types.align_of(ty)
                }
                Alignment::Expr(id) => self.alignment(*id)?,
            };
            align = align.max(Some(asked));
        }
        Ok(align)
    }

    /// A constant that is an alignment. Zero asks for none (C17 6.7.5 paragraph 6).
    fn alignment(&mut self, id: ExprId) -> Lowered<u64> {
        let (number, _) = self.constant(id)?;
        match u64::try_from(number) {
            Ok(0) => Ok(1),
            Ok(number) if number.is_power_of_two() && number <= MAX_ALIGN => Ok(number),
            _ => Err(Refusal::new(self.unit.expr(id).span, "this is not a valid alignment")),
        }
    }

    /// `mode` and `vector_size` change the type itself.
    pub(super) fn with_mode(&mut self, ty: TypeId, attributes: &[Attribute]) -> Lowered<TypeId> {
        let mut ty = ty;
        for attribute in attributes {
            match self.spelling(attribute.name) {
                "vector_size" => {
                    let bytes = attribute.args.map(|span| self.source_text(span)).unwrap_or_default();
                    let bytes = bytes.trim_matches(|c: char| !c.is_ascii_alphanumeric()).parse().unwrap_or(0);
                    ty = self.vector_type(ty, bytes, attribute.span)?;
                }
                "mode" => {
                    let mode = attribute.args.map(|span| self.source_text(span)).unwrap_or_default();
                    let mode = mode.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
                    let Some(kind) = mode_kind(&mode) else {
                        return Err(Refusal::unmodelled(
                            attribute.span,
                            format!("the mode `{mode}` is not supported"),
                        ));
                    };
                    let is_signed = self.format(ty).is_signed;
                    let kind = if is_signed { kind } else { kind.unsigned() };
                    if !matches!(self.shared.program.types.get(ty), Type::Int(_)) {
                        return Err(Refusal::new(attribute.span, "only integers have a mode here"));
                    }
                    ty = self.types().int(kind);
                }
                _ => {}
            }
        }
        Ok(ty)
    }

    /// The limit on alignment that `#pragma pack` sets for a record at `offset`.
    pub(super) fn pragma_pack(&self, offset: u32) -> Option<u64> {
        let next = self.packs.partition_point(|(start, _)| *start <= offset);
        self.packs.get(next.checked_sub(1)?).and_then(|(_, limit)| *limit)
    }
}

/// The offsets where `#pragma pack` changes the limit, and to which. The pragma is not in the tree, so the text is scanned once.
pub(super) fn pack_changes(source: &[u8]) -> Vec<(u32, Option<u64>)> {
    let mut changes = Vec::new();
    let mut stack: Vec<Option<u64>> = Vec::new();
    let mut current = None;
    let mut offset = 0;
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        let start = offset;
        offset += line.len();
        if !line.trim_ascii_start().starts_with(b"#") {
            continue;
        }
        let line = String::from_utf8_lossy(line);
        let Some(rest) = pack_arguments(&line) else { continue };
        let words: Vec<&str> = rest.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        match words.split_first() {
            None => current = None,
            Some((&"push", rest)) => {
                stack.push(current);
                current = rest.last().and_then(|word| word.parse().ok()).or(current);
            }
            Some((&"pop", _)) => current = stack.pop().flatten(),
            Some((word, _)) => current = word.parse().ok().filter(|number: &u64| number.is_power_of_two()),
        }
        changes.push((start as u32, current));
    }
    changes
}

/// What is between the parentheses of `#pragma pack(...)`.
fn pack_arguments(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    rest.split(')').next()
}

/// The names of `#pragma weak name`. The pragma is not in the tree, so the text is scanned once.
pub(super) fn weak_names(source: &[u8]) -> Vec<String> {
    let name = |line: &[u8]| {
        let line = String::from_utf8_lossy(line.trim_ascii_start().strip_prefix(b"#")?).into_owned();
        let mut words = line.trim_start().strip_prefix("pragma")?.split_whitespace();
        (words.next()? == "weak").then(|| words.next().map(str::to_owned))?
    };
    source.split(|byte| *byte == b'\n').filter_map(name).collect()
}

fn mode_kind(mode: &str) -> Option<IntKind> {
    match mode.trim_matches('_') {
        "QI" | "byte" => Some(IntKind::SChar),
        "HI" => Some(IntKind::Short),
        "SI" => Some(IntKind::Int),
        "DI" => Some(IntKind::LongLong),
        "TI" => Some(IntKind::Int128),
        "word" | "pointer" => Some(IntKind::Long),
        _ => None,
    }
}
