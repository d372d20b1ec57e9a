//! A graph as text, in either format, with consecutive ids.

mod out;

use crate::{BtorDialect, BtorModel, BtorNodeId, BtorProperty, Ref, Sort, Tag};
use out::Out;
use rustc_hash::FxHashMap;

/// Prints `model` with consecutive ids from 1. Linear.
///
/// The graph must be valid in that format: read from it, or made by [`crate::convert`]. What the format cannot express is
/// printed as `?`, which every reader rejects.
pub fn print(model: &BtorModel, dialect: BtorDialect) -> Vec<u8> {
    let mut printer = Printer {
        model,
        dialect,
        out: Out::with_capacity(model.nodes().len() * 20 + 64),
        ids: Vec::with_capacity(model.nodes().len()),
        sorts: FxHashMap::default(),
        last: (Sort::BIT, 0),
        id: 0,
    };
    if dialect == BtorDialect::Btor2 {
        printer.sorts();
    }
    for node in model.node_ids() {
        printer.node(node);
    }
    printer.assignments();
    for property in model.properties() {
        printer.property(property);
    }
    printer.out.bytes
}

struct Printer<'a> {
    model: &'a BtorModel,
    dialect: BtorDialect,
    out: Out,
    /// Ids by node.
    ids: Vec<u64>,
    sorts: FxHashMap<Sort, u64>,
    /// The sort that was looked up last: consecutive nodes usually share it.
    last: (Sort, u64),
    id: u64,
}

impl Printer<'_> {
    /// Begins a line with id and operator. Returns the new id.
    fn begin(&mut self, tag: Tag) -> u64 {
        self.id += 1;
        self.out.number(self.id);
        self.out.word(tag.name(self.dialect).unwrap_or("?"));
        self.id
    }

    /// Begins the line of a node with id, operator, and width or sort.
    fn begin_node(&mut self, tag: Tag, sort: Sort) -> u64 {
        let id = self.begin(tag);
        self.sort_field(sort);
        id
    }

    fn sort_field(&mut self, sort: Sort) {
        match self.dialect {
            BtorDialect::Btor2 => {
                if self.last.0 != sort || self.last.1 == 0 {
                    self.last = (sort, self.sorts.get(&sort).copied().unwrap_or(0));
                }
                self.out.field(self.last.1);
            }
            BtorDialect::Btor => {
                self.out.field(u64::from(sort.width()));
                if let Sort::Array { index, .. } = sort {
                    self.out.field(u64::from(index));
                }
            }
        }
    }

    fn reference(&mut self, of: Ref) {
        let id = self.ids[of.node().index()];
        if of.negated() { self.out.negated_field(id) } else { self.out.field(id) }
    }

    fn symbol(&mut self, symbol: Option<&[u8]>) {
        if let Some(name) = symbol.filter(|name| !name.is_empty()) {
            self.out.bytes.push(b' ');
            self.out.bytes.extend_from_slice(name);
        }
    }

    /// Lines for all sorts in use, in the order of first use.
    fn sorts(&mut self) {
        let mut last = None;
        for node in self.model.nodes() {
            if last != Some(node.sort) {
                self.sort(node.sort);
                last = Some(node.sort);
            }
        }
    }

    fn sort(&mut self, sort: Sort) {
        if self.sorts.contains_key(&sort) {
            return;
        }
        let id = match sort {
            Sort::Bits(width) => {
                let id = self.begin(Tag::Sort);
                self.out.word("bitvec");
                self.out.field(u64::from(width));
                id
            }
            Sort::Array { index, element } => {
                self.sort(Sort::Bits(index));
                self.sort(Sort::Bits(element));
                let id = self.begin(Tag::Sort);
                self.out.word("array");
                for part in [index, element] {
                    self.out.field(self.sorts.get(&Sort::Bits(part)).copied().unwrap_or(0));
                }
                id
            }
        };
        self.out.end_line();
        self.sorts.insert(sort, id);
    }

    fn node(&mut self, id: BtorNodeId) {
        let model = self.model;
        let node = model.node(id);
        let tag = match (self.dialect, node.tag, node.sort) {
            (BtorDialect::Btor, Tag::Input | Tag::State, Sort::Bits(_)) => Tag::Var,
            (BtorDialect::Btor, Tag::Input | Tag::State, Sort::Array { .. }) => Tag::Array,
            (BtorDialect::Btor, Tag::Ite, Sort::Array { .. }) => Tag::Acond,
            (_, tag, _) => tag,
        };
        let line = self.begin_node(tag, node.sort);
        for &arg in node.args() {
            self.reference(arg);
        }
        for &param in node.params() {
            self.out.field(u64::from(param));
        }
        if let Some(value) = model.value(id) {
            self.out.word(&match node.tag {
                Tag::Constd => value.to_decimal(),
                Tag::Consth => value.to_hex(),
                _ => value.to_binary(),
            });
        }
        if self.dialect == BtorDialect::Btor2 || matches!(tag, Tag::Var | Tag::Array) {
            self.symbol(model.symbol(id));
        }
        self.out.end_line();
        self.ids.push(line);
    }

    fn assignments(&mut self) {
        let model = self.model;
        for state in model.states() {
            let sort = model.node(state.node).sort;
            if let Some(init) = state.init.filter(|_| self.dialect == BtorDialect::Btor2) {
                self.assignment(Tag::Init, sort, state.node, init);
            }
            if let Some(next) = state.next {
                let is_anext = self.dialect == BtorDialect::Btor && sort.is_array();
                self.assignment(if is_anext { Tag::Anext } else { Tag::Next }, sort, state.node, next);
            }
        }
    }

    fn assignment(&mut self, tag: Tag, sort: Sort, state: BtorNodeId, value: Ref) {
        self.begin_node(tag, sort);
        self.reference(state.into());
        self.reference(value);
        self.out.end_line();
    }

    fn property(&mut self, property: &BtorProperty) {
        self.begin(property.tag);
        match property.tag {
            Tag::Root => self.sort_field(self.model.sort(property.refs[0])),
            Tag::Justice => self.out.field(property.refs.len() as u64),
            _ => {}
        }
        for &of in &property.refs {
            self.reference(of);
        }
        if self.dialect == BtorDialect::Btor2 {
            self.symbol(self.model.property_symbol(property));
        }
        self.out.end_line();
    }
}
