//! What a translation unit declares at file scope, by name.

use crate::ast::{ArraySize, BaseType, DeclId, Derivation, FunctionId, Item, Params, Storage};
use crate::unit::TranslationUnit;
use crate::{parse, raw_tokens};
use nub_text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A translation unit as other units see it.
pub struct UnitExports {
    pub(super) unit: TranslationUnit,
    /// In order of the text.
    pub(super) entries: Vec<Entry>,
    by_key: BTreeMap<NameKey, Vec<usize>>,
    /// `#pragma pack` changes layout, and is not part of any declaration.
    pub(super) has_packing: bool,
}

/// A name in one of the two name spaces of file scope.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum NameKey {
    /// Functions, objects, types, constants.
    Ordinary(String),
    /// Structures, unions, enumerations.
    Tag(String),
}

/// A declaration or definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub span: Span,
    pub kind: EntryKind,
    /// What it declares. A tag is included only where its members are listed, or where nothing else is declared.
    pub declares: Vec<NameKey>,
    /// `struct s;`
    pub is_forward: bool,
}

/// The main thing that an entry declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryKind {
    /// A function with its body.
    Definition {
        linkage: Linkage,
        /// The text before the body, if it is a valid prototype.
        head: Option<Span>,
    },
    /// A function without one.
    Prototype(Linkage),
    /// An object.
    Object(ObjectEntry),
    /// Types and constants.
    Types,
    /// Several of these, or something that is not understood: it can be shared, but not copied.
    Mixed,
}

/// Which files can name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linkage {
    External,
    Static,
    /// `inline` without `static`: whether other files can name it depends on other declarations.
    Inline,
}

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObjectEntry {
    pub linkage: Linkage,
    /// `extern`, without a value.
    pub is_extern: bool,
    /// It is never changed, and its value is here.
    pub is_constant: bool,
}

impl UnitExports {
    /// Reads a preprocessed text; none if it has errors. O(text).
    pub fn new(text: &[u8]) -> Option<UnitExports> {
        let (unit, found) = parse(text);
        let has_errors = found.iter().any(|found| found.severity == nub_text::Severity::Error);
        (!has_errors).then(|| UnitExports::of_unit(unit))
    }

    fn of_unit(unit: TranslationUnit) -> UnitExports {
        let mut entries: Vec<Entry> = unit.items.iter().filter_map(|item| entry(&unit, item)).collect();
        add_nested(&unit, &mut entries);
        let mut by_key: BTreeMap<NameKey, Vec<usize>> = BTreeMap::new();
        for (number, entry) in entries.iter().enumerate() {
            for key in &entry.declares {
                by_key.entry(key.clone()).or_default().push(number);
            }
        }
        let has_packing =
            unit.pragmas.iter().any(|span| unit.text(*span).windows(4).any(|word| word == b"pack"));
        UnitExports { unit, entries, by_key, has_packing }
    }

    /// The functions with bodies here that other units can call.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| match (&entry.kind, entry.declares.first()) {
            (EntryKind::Definition { linkage: Linkage::External, .. }, Some(NameKey::Ordinary(name))) => {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    /// Everything that declares a name.
    pub(super) fn declaring(&self, key: &NameKey) -> &[usize] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// The body of a function, and its number.
    pub(super) fn definition(&self, name: &str) -> Option<usize> {
        let found = self.declaring(&NameKey::Ordinary(name.to_owned())).iter();
        found.copied().find(|number| matches!(self.entries[*number].kind, EntryKind::Definition { .. }))
    }

    pub(super) fn text(&self, span: Span) -> &[u8] {
        self.unit.text(span)
    }

    /// The tokens of an entry, ignoring layout and line markers.
    pub(super) fn tokens(&self, number: usize) -> Vec<&[u8]> {
        let text = self.text(self.entries[number].span);
        raw_tokens(text).into_iter().map(|token| &text[token]).collect()
    }

    /// Where an entry begins in the original files.
    pub(super) fn place(&self, number: usize) -> (&str, u32) {
        let place = self.unit.source_map.place(self.entries[number].span.start);
        (place.file, place.line)
    }

    /// The names of file scope that a text may refer to. Locals of the same name are included, members are not.
    pub(super) fn uses_in(&self, span: Span) -> BTreeSet<NameKey> {
        let text = self.text(span);
        let tokens: Vec<&[u8]> = raw_tokens(text).into_iter().map(|token| &text[token]).collect();
        let keys = (0..tokens.len()).filter_map(|at| name_at(&tokens, at));
        keys.filter(|key| self.by_key.contains_key(key)).collect()
    }
}

/// The name at this token; `None` if the token is not a name, or is the name of a member.
pub(super) fn name_at(tokens: &[&[u8]], at: usize) -> Option<NameKey> {
    let word = tokens[at];
    if !word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return None;
    }
    let before = |n: usize| at.checked_sub(n).map(|at| tokens[at]);
    let name = String::from_utf8_lossy(word).into_owned();
    match (before(2), before(1)) {
        (Some(b"-"), Some(b">")) => None,
        // `...` ends a range of a `case`.
        (second, Some(b".")) if second != Some(b".") => None,
        (_, Some(b"struct" | b"union" | b"enum")) => Some(NameKey::Tag(name)),
        _ => Some(NameKey::Ordinary(name)),
    }
}

fn entry(unit: &TranslationUnit, item: &Item) -> Option<Entry> {
    match item {
        Item::Function(id) => Some(definition(unit, *id)),
        Item::Declaration(id) => Some(declaration(unit, *id)),
        Item::StaticAssert(_) | Item::Asm(_) => None,
    }
}

fn definition(unit: &TranslationUnit, id: FunctionId) -> Entry {
    let function = unit.function(id);
    let specifiers = unit.specifiers(function.specifiers);
    let linkage = match specifiers.storage {
        Some(Storage::Static) => Linkage::Static,
        _ if specifiers.is_inline => Linkage::Inline,
        _ => Linkage::External,
    };
    let is_prototype = function.declarator.derivations.iter().any(|derivation| {
        matches!(derivation, Derivation::Function { params: Params::Prototype { .. }, .. })
    });
    let body = unit.stmt(function.body).span;
    let head = Span::new(function.span.start as usize, body.start as usize);
    let declares = function.declarator.name.map(|name| NameKey::Ordinary(unit.name(name.name).to_owned()));
    let kind = EntryKind::Definition { linkage, head: is_prototype.then_some(head) };
    Entry { span: function.span, kind, declares: declares.into_iter().collect(), is_forward: false }
}

fn declaration(unit: &TranslationUnit, id: DeclId) -> Entry {
    let declaration = unit.decl(id);
    let specifiers = unit.specifiers(declaration.specifiers);
    let names = declaration.declarators.iter().filter_map(|found| found.declarator.name);
    let mut declares: Vec<NameKey> =
        names.map(|name| NameKey::Ordinary(unit.name(name.name).to_owned())).collect();
    let mut is_forward = false;
    if declares.is_empty()
        && let BaseType::Record(record) = specifiers.base
        && let Some(tag) = unit.record(record).tag
    {
        declares.push(NameKey::Tag(unit.name(tag.name).to_owned()));
        is_forward = unit.record(record).members.is_none();
    }
    let is_static = specifiers.storage == Some(Storage::Static);
    let linkage = if is_static { Linkage::Static } else { Linkage::External };
    let kind = match declaration.declarators.as_slice() {
        _ if specifiers.storage == Some(Storage::Typedef) => EntryKind::Types,
        [] => EntryKind::Types,
        [only] => match only.declarator.derivations.as_slice() {
            [Derivation::Function { .. }, ..] => EntryKind::Prototype(linkage),
            derivations => EntryKind::Object(ObjectEntry {
                linkage,
                is_extern: specifiers.storage == Some(Storage::Extern) && only.init.is_none(),
                is_constant: only.init.is_some() && is_constant(specifiers.qualifiers.is_const, derivations),
            }),
        },
        _ => EntryKind::Mixed,
    };
    Entry { span: declaration.span, kind, declares, is_forward }
}

/// Whether the object itself is `const`: the elements of an array, or the pointer.
fn is_constant(is_base_const: bool, derivations: &[Derivation]) -> bool {
    let mut outer = derivations.iter().skip_while(|found| {
        matches!(found, Derivation::Array { size: ArraySize::Unknown | ArraySize::Expr(_), .. })
    });
    match outer.next() {
        None => is_base_const,
        Some(Derivation::Pointer { qualifiers, .. }) => qualifiers.is_const,
        Some(_) => false,
    }
}

/// Adds the tags and constants whose lists are in a declaration at file scope.
fn add_nested(unit: &TranslationUnit, entries: &mut [Entry]) {
    let records = unit.records.iter().filter(|found| found.members.is_some());
    let tagged = |found: &crate::ast::RecordSpecifier| {
        Some((found.span.start, NameKey::Tag(unit.name(found.tag?.name).to_owned())))
    };
    let enums = unit.enums.iter().filter_map(|found| Some((found, found.enumerators.as_ref()?)));
    let mut nested: Vec<(u32, NameKey)> = records.filter_map(tagged).collect();
    for (found, enumerators) in enums {
        let tag = found.tag.map(|tag| NameKey::Tag(unit.name(tag.name).to_owned()));
        let constants =
            enumerators.iter().map(|constant| NameKey::Ordinary(unit.name(constant.name.name).to_owned()));
        nested.extend(constants.chain(tag).map(|key| (found.span.start, key)));
    }
    for (at, key) in nested {
        let number = entries.partition_point(|entry| entry.span.start <= at);
        let Some(entry) = number.checked_sub(1).map(|number| &mut entries[number]) else { continue };
        let is_body = matches!(entry.kind, EntryKind::Definition { head: Some(head), .. } if at >= head.end);
        if at < entry.span.end && !is_body && !entry.declares.contains(&key) {
            if matches!(entry.kind, EntryKind::Object(_) | EntryKind::Prototype(_)) {
                // `struct s { int a; } x;` is a type and an object.
                entry.kind = EntryKind::Mixed;
            }
            entry.declares.push(key);
        }
    }
}
