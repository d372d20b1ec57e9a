//! What the definition of one function needs from its own unit, and how that fits the unit that it is linked to.

use super::Linker;
use super::exports::{Entry, EntryKind, Linkage, NameKey, ObjectEntry, UnitExports, name_at};
use crate::raw_tokens;
use nub_text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// How much of an entry is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Form {
    /// A definition without its body: a prototype.
    Head,
    Whole,
}

/// An entry of another unit that is written.
#[derive(Clone, Copy)]
pub(super) struct Selected<'u> {
    /// The number of its unit.
    number: usize,
    exports: &'u UnitExports,
    entry: usize,
    form: Form,
}

/// How an entry fits what is already declared.
enum Fit {
    /// The same entry exists.
    Shared,
    /// It can be written.
    Absent,
    /// It can be written under another name.
    Renamed,
}

/// A function and everything that it needs.
pub(super) struct Closure<'u> {
    number: usize,
    exports: &'u UnitExports,
    selected: BTreeMap<usize, Form>,
    seen: BTreeSet<(usize, Form)>,
    /// New names of static functions and objects of this unit.
    pub renamed: BTreeMap<(usize, String), String>,
}

impl<'u> Closure<'u> {
    /// `None` if there is a conflict.
    pub fn of(
        linker: &Linker<'u>,
        number: usize,
        exports: &'u UnitExports,
        name: &str,
    ) -> Option<Closure<'u>> {
        let root = exports.definition(name)?;
        let EntryKind::Definition { linkage: Linkage::External, head: Some(_) } = exports.entries[root].kind
        else {
            return None;
        };
        let (selected, seen, renamed) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let mut closure = Closure { number, exports, selected, seen, renamed };
        let mut todo = vec![(root, Form::Whole)];
        while let Some((entry, form)) = todo.pop() {
            if !closure.seen.insert((entry, form)) {
                continue;
            }
            closure.add(linker, entry, form)?;
            for key in exports.uses_in(closure.written(entry, form)) {
                todo.extend(closure.needed(&key)?);
            }
        }
        (!closure.has_renamed_in_types()).then_some(closure)
    }

    /// Whether a type depends on something that is renamed, such as the length of a member. Nothing is renamed inside types: most names in them are
    /// members.
    fn has_renamed_in_types(&self) -> bool {
        let types =
            self.selected.keys().filter(|number| self.exports.entries[**number].kind == EntryKind::Types);
        types.into_iter().any(|number| {
            let tokens = self.exports.tokens(*number);
            let is_operand = |at: usize| {
                let before = at.checked_sub(1).map(|at| tokens[at]).unwrap_or_default();
                matches!(
                    before,
                    b"[" | b"(" | b"sizeof" | b"=" | b"+" | b"-" | b"/" | b"&" | b"|" | b"<" | b">"
                )
            };
            let is_renamed = |at: usize| match name_at(&tokens, at) {
                Some(NameKey::Ordinary(name)) => self.renamed.contains_key(&(self.number, name)),
                _ => false,
            };
            (0..tokens.len()).any(|at| is_operand(at) && is_renamed(at))
        })
    }

    fn written(&self, entry: usize, form: Form) -> Span {
        span_of(&self.exports.entries[entry], form)
    }

    /// The entries that a name needs.
    fn needed(&self, key: &NameKey) -> Option<Vec<(usize, Form)>> {
        let all = self.exports.declaring(key);
        let entry = |number: &usize| &self.exports.entries[*number];
        let whole =
            |numbers: Vec<usize>| Some(numbers.into_iter().map(|number| (number, Form::Whole)).collect());
        let first = entry(all.first()?);
        match first.kind {
            EntryKind::Types | EntryKind::Mixed => whole(all.to_vec()),
            EntryKind::Definition { linkage: Linkage::External, .. }
            | EntryKind::Prototype(Linkage::External)
                if !all.iter().any(|number| is_static(entry(number))) =>
            {
                let prototype =
                    all.iter().find(|number| matches!(entry(number).kind, EntryKind::Prototype(_)));
                match (prototype, all.first()) {
                    (Some(prototype), _) => whole(vec![*prototype]),
                    (None, Some(definition)) => Some(vec![(*definition, Form::Head)]),
                    (None, None) => None,
                }
            }
            EntryKind::Definition { .. } | EntryKind::Prototype(_) => {
                let has_body = |number: &usize| matches!(entry(number).kind, EntryKind::Definition { .. });
                all.iter().any(has_body).then(|| all.to_vec()).and_then(whole)
            }
            EntryKind::Object(_) => whole(self.of_object(all)),
        }
    }

    /// For a constant its value, for any other object with external linkage a declaration.
    fn of_object(&self, all: &[usize]) -> Vec<usize> {
        let is = |number: &usize, wanted: fn(&ObjectEntry) -> bool| matches!(&self.exports.entries[*number].kind, EntryKind::Object(object) if wanted(object));
        if all
            .iter()
            .any(|number| is(number, |object| object.linkage == Linkage::Static || object.is_constant))
        {
            return all.to_vec();
        }
        match all.iter().find(|number| is(number, |object| object.is_extern)) {
            Some(declaration) => vec![*declaration],
            None => all.to_vec(),
        }
    }

    /// Selects an entry unless it exists already; `None` if it cannot be written.
    fn add(&mut self, linker: &Linker<'u>, number: usize, form: Form) -> Option<()> {
        match self.fit(linker, number, form)? {
            Fit::Shared => return Some(()),
            Fit::Absent => {}
            Fit::Renamed => self.rename(linker, &self.exports.entries[number].declares)?,
        }
        let entry = &self.exports.entries[number];
        let makes_records = || self.exports.tokens(number).contains(&&b"{"[..]);
        let is_copied = match entry.kind {
            EntryKind::Mixed => false,
            EntryKind::Types => !(self.exports.has_packing || linker.unit.has_packing) || !makes_records(),
            EntryKind::Definition { linkage: Linkage::Inline, .. } => false,
            EntryKind::Definition { head, .. } => head.is_some(),
            EntryKind::Prototype(_) | EntryKind::Object(_) => true,
        };
        let selected = self.selected.entry(number).or_insert(form);
        *selected = form.max(*selected);
        is_copied.then_some(())
    }

    fn fit(&self, linker: &Linker<'u>, number: usize, form: Form) -> Option<Fit> {
        let entry = &self.exports.entries[number];
        let is_emitted = |found: &&Selected<'u>| found.number == self.number && found.entry == number;
        if linker.emitted.iter().find(is_emitted).is_some_and(|found| found.form >= form) {
            return Some(Fit::Shared);
        }
        let mut same_names = linker.same_names(self.number, entry).peekable();
        if same_names.peek().is_none() {
            return Some(Fit::Absent);
        }
        let tokens = self.exports.tokens(number);
        let (mut others, mut is_same) = (Vec::new(), false);
        for (exports, other) in same_names {
            is_same |= exports.tokens(other) == tokens
                && (!is_static(entry) || exports.place(other) == self.exports.place(number));
            others.push(&exports.entries[other]);
        }
        match entry.kind {
            EntryKind::Object(ObjectEntry { linkage: Linkage::Static, is_constant: false, .. }) => {
                Some(Fit::Renamed)
            }
            _ if is_same => Some(Fit::Shared),
            _ if is_static(entry) => Some(Fit::Renamed),
            EntryKind::Types if entry.is_forward => Some(Fit::Shared),
            // A type that is only declared there is defined here.
            EntryKind::Types => others.iter().all(|other| other.is_forward).then_some(Fit::Absent),
            // Whether the types agree is checked when the text is read.
            EntryKind::Definition { .. } | EntryKind::Prototype(_) => {
                let is_function = |other: &&Entry| {
                    matches!(other.kind, EntryKind::Definition { .. } | EntryKind::Prototype(_))
                        && !is_static(other)
                };
                others.iter().all(is_function).then_some(Fit::Absent)
            }
            EntryKind::Object(_) => {
                let is_declared = |other: &&Entry| {
                    matches!(
                        other.kind,
                        EntryKind::Object(ObjectEntry { is_extern: true, linkage: Linkage::External, .. })
                    )
                };
                others.iter().all(is_declared).then_some(Fit::Absent)
            }
            EntryKind::Mixed => None,
        }
    }

    /// Renames static names that are already used.
    fn rename(&mut self, linker: &Linker<'u>, declared: &[NameKey]) -> Option<()> {
        for key in declared {
            let NameKey::Ordinary(name) = key else { return None };
            let place = (self.number, name.clone());
            if linker.renamed.contains_key(&place) || self.renamed.contains_key(&place) {
                continue;
            }
            let new = format!("nub_{}_{name}", self.number);
            let is_taken =
                |exports: &UnitExports| !exports.declaring(&NameKey::Ordinary(new.clone())).is_empty();
            if is_taken(linker.unit) || is_taken(self.exports) {
                return None;
            }
            self.renamed.insert(place, new);
        }
        Some(())
    }

    /// Functions that it calls and that have other units' bodies, or bodies of this one that are not linked yet.
    pub fn external_functions(&self, exports: &UnitExports) -> Vec<String> {
        let bodies = self.selected.keys().filter(|number| self.is_body(**number));
        let uses: BTreeSet<NameKey> =
            bodies.flat_map(|number| exports.uses_in(exports.entries[*number].span)).collect();
        let mut found = Vec::new();
        for key in uses {
            let is_function = |number: &usize| {
                let kind = exports.entries[*number].kind;
                matches!(
                    kind,
                    EntryKind::Prototype(Linkage::External)
                        | EntryKind::Definition { linkage: Linkage::External, .. }
                )
            };
            if let NameKey::Ordinary(name) = &key
                && exports.declaring(&key).iter().all(is_function)
            {
                found.push(name.clone());
            }
        }
        found
    }

    fn is_body(&self, number: usize) -> bool {
        matches!(self.exports.entries[number].kind, EntryKind::Definition { .. })
            && self.selected.get(&number) == Some(&Form::Whole)
    }

    pub fn n_functions(&self) -> usize {
        self.selected.keys().filter(|number| self.is_body(**number)).count()
    }

    pub fn n_bytes(&self) -> usize {
        let bodies = self.selected.keys().filter(|number| self.is_body(**number));
        bodies.map(|number| self.exports.entries[*number].span.len()).sum()
    }

    /// What is written, in the order of its unit.
    pub fn in_order(&self) -> Vec<Selected<'u>> {
        let (number, exports) = (self.number, self.exports);
        self.selected
            .iter()
            .map(|(entry, form)| Selected { number, exports, entry: *entry, form: *form })
            .collect()
    }
}

impl<'u> Linker<'u> {
    /// Entries of the unit itself, and of what is written, that declare the same name as an entry of the unit with this number.
    fn same_names<'a>(
        &'a self,
        number: usize,
        entry: &'a Entry,
    ) -> impl Iterator<Item = (&'u UnitExports, usize)> + 'a {
        let own =
            entry.declares.iter().flat_map(|key| self.unit.declaring(key)).map(|found| (self.unit, *found));
        let shares = move |found: &&Selected<'u>| {
            let declares = &found.exports.entries[found.entry].declares;
            // Entries of one unit agree.
            found.number != number && declares.iter().any(|key| entry.declares.contains(key))
        };
        own.chain(self.emitted.iter().filter(shares).map(|found| (found.exports, found.entry)))
    }
}

impl Selected<'_> {
    /// Adds its text, with a line marker and with the new names.
    pub fn write(&self, text: &mut String, renamed: &BTreeMap<(usize, String), String>) {
        let (file, line) = self.exports.place(self.entry);
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("#line {line} \"{file}\"\n"));
        let source = self.exports.text(span_of(&self.exports.entries[self.entry], self.form));
        let places = raw_tokens(source);
        let tokens: Vec<&[u8]> = places.iter().map(|place| &source[place.clone()]).collect();
        let mut from = 0;
        let is_renamed = self.exports.entries[self.entry].kind != EntryKind::Types;
        for (at, place) in places.iter().enumerate() {
            if let Some(end) = deallocator_end(&tokens, at) {
                text.push_str(&String::from_utf8_lossy(&source[from..place.end]));
                from = places[end].end;
            } else if is_renamed
                && place.start >= from
                && let Some(NameKey::Ordinary(name)) = name_at(&tokens, at)
                && let Some(new) = renamed.get(&(self.number, name))
            {
                text.push_str(&String::from_utf8_lossy(&source[from..place.start]));
                text.push_str(new);
                from = place.end;
            }
        }
        text.push_str(&String::from_utf8_lossy(&source[from..]));
        text.push_str(if self.form == Form::Head { ";\n" } else { "\n" });
    }
}

/// Where the arguments of the attribute `__malloc__ (free, 1)` end: gcc's headers name the function that frees, and clang accepts none.
fn deallocator_end(tokens: &[&[u8]], at: usize) -> Option<usize> {
    if tokens[at] != b"__malloc__" || tokens.get(at + 1) != Some(&b"(".as_slice()) {
        return None;
    }
    (at + 2..tokens.len()).find(|end| tokens[*end] == b")")
}

fn span_of(entry: &Entry, form: Form) -> Span {
    match (entry.kind, form) {
        (EntryKind::Definition { head: Some(head), .. }, Form::Head) => head,
        _ => entry.span,
    }
}

fn is_static(entry: &Entry) -> bool {
    match entry.kind {
        EntryKind::Definition { linkage, .. } | EntryKind::Prototype(linkage) => linkage == Linkage::Static,
        EntryKind::Object(object) => object.linkage == Linkage::Static,
        EntryKind::Types | EntryKind::Mixed => false,
    }
}
