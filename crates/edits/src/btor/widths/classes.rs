//! Classes of widths that must be equal, and how other widths depend on each other.
//!
//! A bit-vector has one slot, its width; an array has two, the widths of its elements and of its indices. Operators determine
//! which slots are equal; a union-find puts these into one class. The remaining operators change widths:
//! they are links between classes.

use crate::btor::BtorView;
use nub_btor::{BtorDialect, LineId, Operand, OperandKind, Sort, Tag, WidthRule};

/// A class of equal widths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Class(u32);

impl Class {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the widths of a line depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// `result = high + low`.
    Concat { result: Class, high: Class, low: Class },
    /// `result <= operand`; the bounds are adjusted.
    Slice { result: Class, operand: Class },
    /// `result >= operand`; the number of bits is adjusted.
    Extend { result: Class, operand: Class },
    /// BTOR: the width is a power of two of at least 2, and the amount has its logarithm as width.
    Shift { result: Class, amount: Class },
}

impl Link {
    fn classes(self) -> [Class; 3] {
        match self {
            Link::Concat { result, high, low } => [result, high, low],
            Link::Slice { result, operand } | Link::Extend { result, operand } => [result, operand, operand],
            Link::Shift { result, amount } => [result, amount, amount],
        }
    }
}

/// What is known about a class.
#[derive(Clone, Debug)]
pub(super) struct Info {
    pub width: u32,
    /// Minimum width: 2 under a BTOR reduction; the width itself if it must not change.
    pub min: u32,
    /// Lines with a slot in it; a line with two such slots is listed twice.
    pub lines: Vec<LineId>,
    /// Indices in [`Classes::links`].
    pub links: Vec<u32>,
}

pub(super) struct Classes {
    of_slot: Vec<Class>,
    pub classes: Vec<Info>,
    /// Each link with the line that has the operator.
    pub links: Vec<(LineId, Link)>,
    /// BTOR2: the lines that name sorts.
    pub sort_lines: Vec<LineId>,
}

impl Classes {
    /// O(n α(n)).
    pub fn new(view: &BtorView) -> Classes {
        let mut builder = Builder::new(view);
        view.lines().for_each(|line| builder.line(line));
        builder.finish()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Class> + use<> {
        (0..self.classes.len() as u32).map(Class)
    }

    pub fn info(&self, class: Class) -> &Info {
        &self.classes[class.index()]
    }

    /// The class of a bit-vector's width, or of the elements of an array.
    pub fn width(&self, line: LineId) -> Class {
        self.of_slot[Slot::width(line).index()]
    }

    /// The class of the indices of an array.
    pub fn index(&self, line: LineId) -> Class {
        self.of_slot[Slot::index_of(line).index()]
    }
}

/// A width of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot(u32);

impl Slot {
    fn width(line: LineId) -> Slot {
        Slot(2 * line.index() as u32)
    }

    fn index_of(line: LineId) -> Slot {
        Slot(2 * line.index() as u32 + 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

struct Builder<'v> {
    view: &'v BtorView,
    parent: Vec<u32>,
    /// Width of the slot; 0 if the line has no such width.
    width: Vec<u32>,
    /// Minimum width; valid for the root slot of each tree.
    min: Vec<u32>,
    /// Links between slots, in the order in which they are found.
    links: Vec<(LineId, WidthRule, [Slot; 3])>,
}

impl<'v> Builder<'v> {
    fn new(view: &'v BtorView) -> Builder<'v> {
        let sorts = view.lines().map(|line| view.sort(line));
        let widths = |sort: Option<Sort>| match sort {
            Some(Sort::Bits(width)) => [width, 0],
            Some(Sort::Array { index, element }) => [element, index],
            None => [0, 0],
        };
        let width: Vec<u32> = sorts.flat_map(widths).collect();
        let n_slots = width.len() as u32;
        Builder { view, parent: (0..n_slots).collect(), min: vec![1; width.len()], width, links: Vec::new() }
    }

    /// The root of a slot's tree, with path halving.
    fn find(&mut self, slot: Slot) -> usize {
        let mut at = slot.index();
        while self.parent[at] as usize != at {
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at
    }

    /// Slots that must be equal but differ belong to an ill-formed file: they are not changed.
    fn unite(&mut self, a: Slot, b: Slot) {
        if self.width[a.index()] != self.width[b.index()] {
            self.keep(a);
            self.keep(b);
            return;
        }
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b) as u32;
        self.min[a.min(b)] = self.min[a].max(self.min[b]);
    }

    fn at_least(&mut self, slot: Slot, min: u32) {
        let top = self.find(slot);
        self.min[top] = self.min[top].max(min);
    }

    fn keep(&mut self, slot: Slot) {
        self.at_least(slot, self.width[slot.index()]);
    }

    fn keep_line(&mut self, line: LineId) {
        self.keep(Slot::width(line));
        self.keep(Slot::index_of(line));
    }

    fn same_sort(&mut self, a: LineId, b: LineId) {
        self.unite(Slot::width(a), Slot::width(b));
        self.unite(Slot::index_of(a), Slot::index_of(b));
    }

    fn line(&mut self, line: LineId) {
        let view = self.view;
        let below: Vec<LineId> = view.nodes_of(line).filter_map(|operand| operand.line).collect();
        let is_whole = view.operands(line).iter().all(|operand| operand.line.is_some() || !refers(operand));
        let is_known = match view.tag(line) {
            Some(tag) if is_whole => self.rule(line, tag, &below),
            _ => false,
        };
        if !is_known {
            self.keep_line(line);
            view.operands(line).iter().filter_map(|operand| operand.line).for_each(|to| self.keep_line(to));
        }
    }

    /// False if the operands of the line do not fit its operator.
    fn rule(&mut self, line: LineId, tag: Tag, below: &[LineId]) -> bool {
        let (result, dialect) = (Slot::width(line), self.view.file().dialect());
        match (tag.rule(), below) {
            (WidthRule::Leaf | WidthRule::Constant, []) => {}
            (WidthRule::Same | WidthRule::Bit, all) if !all.is_empty() => {
                all.iter().for_each(|&to| self.unite(result, Slot::width(to)));
            }
            (WidthRule::Compare | WidthRule::Equal, [first, rest @ ..]) => {
                rest.iter().for_each(|&to| self.same_sort(*first, to));
            }
            (WidthRule::Reduce, &[a]) => {
                self.at_least(Slot::width(a), if dialect == BtorDialect::Btor { 2 } else { 1 })
            }
            (WidthRule::Shift, &[a, amount]) => {
                self.unite(result, Slot::width(a));
                match dialect {
                    BtorDialect::Btor => self.link(line, tag, [result, Slot::width(amount), result]),
                    BtorDialect::Btor2 => self.unite(result, Slot::width(amount)),
                }
            }
            (WidthRule::Concat, &[a, b]) => self.link(line, tag, [result, Slot::width(a), Slot::width(b)]),
            (WidthRule::Slice | WidthRule::Extend, &[a]) => {
                self.link(line, tag, [result, Slot::width(a), result])
            }
            (WidthRule::Ite, &[condition, a, b]) => {
                self.keep(Slot::width(condition));
                self.same_sort(line, a);
                self.same_sort(line, b);
            }
            (WidthRule::Read, &[array, index]) => {
                self.unite(result, Slot::width(array));
                self.unite(Slot::index_of(array), Slot::width(index));
            }
            (WidthRule::Write, &[array, index, element]) => {
                self.same_sort(line, array);
                self.unite(Slot::index_of(array), Slot::width(index));
                self.unite(Slot::width(array), Slot::width(element));
            }
            (WidthRule::None, _) => return self.no_node(line, tag, below),
            _ => return false,
        }
        true
    }

    /// Properties, assignments and sorts. A `bad` always has one bit.
    fn no_node(&mut self, line: LineId, tag: Tag, below: &[LineId]) -> bool {
        match (tag, below) {
            (Tag::Root, &[a]) => self.same_sort(line, a),
            (Tag::Init | Tag::Next | Tag::Anext, &[value]) => {
                let state =
                    self.view.operands(line).iter().find(|operand| operand.kind == OperandKind::State);
                let Some(state) = state.and_then(|state| state.line) else { return false };
                self.unite(Slot::width(state), Slot::width(value));
                if self.width[Slot::index_of(value).index()] != 0 {
                    self.unite(Slot::index_of(state), Slot::index_of(value));
                }
            }
            _ => return tag != Tag::Root && (tag.is_property() || tag == Tag::Sort),
        }
        true
    }

    fn link(&mut self, line: LineId, tag: Tag, slots: [Slot; 3]) {
        self.links.push((line, tag.rule(), slots));
    }

    /// Numbers the classes in the order of their first line.
    fn finish(mut self) -> Classes {
        let mut classes: Vec<Info> = Vec::new();
        let mut of_slot = vec![Class(u32::MAX); self.parent.len()];
        for index in 0..self.parent.len() {
            let top = self.find(Slot(index as u32));
            if top == index {
                of_slot[index] = Class(classes.len() as u32);
                let (width, min) = (self.width[top], self.min[top]);
                classes.push(Info { width, min, lines: Vec::new(), links: Vec::new() });
            }
            // The root of a tree is its first slot, so it already has its number.
            of_slot[index] = of_slot[top];
            if self.width[index] != 0 {
                classes[of_slot[top].index()].lines.push(LineId::new(index / 2));
            }
        }
        let class = |slot: Slot| of_slot[slot.index()];
        let mut links = Vec::with_capacity(self.links.len());
        for &(line, rule, [a, b, c]) in &self.links {
            let (result, operand) = (class(a), class(b));
            let link = match rule {
                WidthRule::Concat => Link::Concat { result, high: operand, low: class(c) },
                WidthRule::Slice => Link::Slice { result, operand },
                WidthRule::Extend => Link::Extend { result, operand },
                _ => Link::Shift { result, amount: operand },
            };
            for class in link.classes() {
                let known = &mut classes[class.index()].links;
                if known.last() != Some(&(links.len() as u32)) {
                    known.push(links.len() as u32);
                }
            }
            links.push((line, link));
        }
        let sort_lines = self.view.lines().filter(|&line| self.view.line(line).names.is_some()).collect();
        Classes { of_slot, classes, links, sort_lines }
    }
}

fn refers(operand: &Operand) -> bool {
    matches!(operand.kind, OperandKind::Node | OperandKind::State | OperandKind::Sort)
}
