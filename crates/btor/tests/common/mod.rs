//! Random models and values from a seed.
#![allow(dead_code, clippy::unwrap_used)]

use nub_bitvec::{ArrayValue, Datum, Value};
use nub_btor::ops::OPS;
use nub_btor::{BtorModel, Ref, Sort, Tag, WidthRule};
pub use nub_random::Rng;

/// Values of the sorts of a model.
pub trait ModelValues {
    fn value(&mut self, width: u32) -> Value;
    fn datum(&mut self, sort: Sort) -> Datum;
}

impl ModelValues for Rng {
    fn value(&mut self, width: u32) -> Value {
        // The ends of the range matter more than its middle.
        match self.below(6) {
            0 => Value::zero(width),
            1 => Value::ones(width),
            2 => Value::min_signed(width),
            _ => Value::from_bits((0..width).map(|_| self.bits() & 1 == 1)),
        }
    }

    fn datum(&mut self, sort: Sort) -> Datum {
        match sort {
            Sort::Bits(width) => Datum::Bits(self.value(width)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, self.value(element));
                for _ in 0..3 {
                    array.write(self.value(index), self.value(element));
                }
                Datum::Array(array)
            }
        }
    }
}

pub struct Grow {
    pub model: BtorModel,
    pub rng: Rng,
    nodes: Vec<Ref>,
    arrays: Vec<Ref>,
}

pub const ARRAY: Sort = Sort::Array { index: 3, element: 4 };

impl Grow {
    pub fn new(seed: u64) -> Grow {
        Grow { model: BtorModel::new(), rng: Rng::new(seed), nodes: Vec::new(), arrays: Vec::new() }
    }

    /// Makes a leaf available as an operand.
    pub fn know(&mut self, node: nub_btor::BtorNodeId) {
        let list = if self.model.node(node).sort.is_array() { &mut self.arrays } else { &mut self.nodes };
        list.push(node.into());
    }

    /// A few leaves of each kind.
    pub fn leaves(&mut self) {
        for width in [1, 3, 4, 7, 8, 70] {
            let node = self.model.push_input(Sort::Bits(width));
            self.model.set_symbol(node, format!("x{width}").as_bytes());
            self.know(node);
        }
        let value = self.rng.value(5);
        for tag in [Tag::Const, Tag::Constd, Tag::Consth] {
            let node = self.model.push_digits(tag, value.clone());
            self.know(node);
        }
        for tag in [Tag::Zero, Tag::One, Tag::Ones] {
            let node = self.model.push_special(tag, 4);
            self.know(node);
        }
        for _ in 0..2 {
            let node = self.model.push_input(ARRAY);
            self.know(node);
        }
    }

    pub fn any(&mut self) -> Ref {
        let at = self.rng.below(self.nodes.len());
        self.nodes[at] ^ (self.rng.below(3) == 0)
    }

    pub fn array(&mut self) -> Ref {
        let at = self.rng.below(self.arrays.len());
        self.arrays[at]
    }

    fn push(&mut self, tag: Tag, args: &[Ref], params: &[u32]) -> Ref {
        let node = self.model.push_op(tag, args, params).unwrap();
        if node.index().is_multiple_of(5) {
            self.model.set_symbol(node, format!("s{}", node.index()).as_bytes());
        }
        self.know(node);
        node.into()
    }

    /// Some node, truncated or extended to a width.
    pub fn of_width(&mut self, width: u32) -> Ref {
        let node = self.any();
        let found = self.model.sort(node).width();
        match found.cmp(&width) {
            std::cmp::Ordering::Equal => node,
            std::cmp::Ordering::Less => self.push(Tag::Sext, &[node], &[width - found]),
            std::cmp::Ordering::Greater => {
                let low = self.rng.below((found - width + 1) as usize) as u32;
                self.push(Tag::Slice, &[node], &[low + width - 1, low])
            }
        }
    }

    /// Adds an operator of any kind that a model may have.
    pub fn operator(&mut self) {
        let op = &OPS[self.rng.below(OPS.len())];
        if matches!(op.tag, Tag::Proxy | Tag::Nego | Tag::Acond) {
            return;
        }
        let a = self.any();
        let width = self.model.sort(a).width();
        match op.rule {
            WidthRule::Leaf | WidthRule::Constant | WidthRule::None => return,
            WidthRule::Reduce => self.push(op.tag, &[a], &[]),
            WidthRule::Same | WidthRule::Compare if op.shape == nub_btor::LineShape::Nodes(1) => {
                self.push(op.tag, &[a], &[])
            }
            WidthRule::Same | WidthRule::Compare => {
                let b = self.of_width(width);
                self.push(op.tag, &[a, b], &[])
            }
            WidthRule::Bit => {
                let args = [self.of_width(1), self.of_width(1)];
                self.push(op.tag, &args, &[])
            }
            WidthRule::Equal if self.rng.below(3) == 0 => {
                let args = [self.array(), self.array()];
                self.push(op.tag, &args, &[])
            }
            WidthRule::Equal => {
                let b = self.of_width(width);
                self.push(op.tag, &[a, b], &[])
            }
            WidthRule::Shift => {
                let is_btor = width >= 2 && width.is_power_of_two() && self.rng.below(2) == 0;
                let b = self.of_width(if is_btor { width.ilog2() } else { width });
                self.push(op.tag, &[a, b], &[])
            }
            WidthRule::Concat => {
                let b = self.any();
                if width + self.model.sort(b).width() > 200 {
                    return;
                }
                self.push(op.tag, &[a, b], &[])
            }
            WidthRule::Slice => {
                let upper = self.rng.below(width as usize) as u32;
                let lower = self.rng.below(upper as usize + 1) as u32;
                self.push(op.tag, &[a], &[upper, lower])
            }
            WidthRule::Extend => {
                let added = self.rng.below(4) as u32;
                self.push(op.tag, &[a], &[added])
            }
            WidthRule::Ite if self.rng.below(3) == 0 => {
                let args = [self.of_width(1), self.array(), self.array()];
                self.push(op.tag, &args, &[])
            }
            WidthRule::Ite => {
                let args = [self.of_width(1), a, self.of_width(width)];
                self.push(op.tag, &args, &[])
            }
            WidthRule::Read => {
                let args = [self.array(), self.of_width(3)];
                self.push(op.tag, &args, &[])
            }
            WidthRule::Write => {
                let args = [self.array(), self.of_width(3), self.of_width(4)];
                self.push(op.tag, &args, &[])
            }
        };
    }
}

/// A model without states, with roots over its last nodes.
pub fn combinational(seed: u64, n_nodes: usize) -> BtorModel {
    let mut grow = Grow::new(seed);
    grow.leaves();
    while grow.model.nodes().len() < n_nodes {
        grow.operator();
    }
    for _ in 0..3 {
        let root = grow.any();
        grow.model.add_property(Tag::Root, &[root]).unwrap();
    }
    grow.model
}

/// A model whose states have all combinations of initial and next values.
pub fn sequential(seed: u64, n_nodes: usize, compares_arrays: bool) -> BtorModel {
    let mut grow = Grow::new(seed);
    grow.leaves();
    let zero = grow.model.push_special(Tag::Zero, 4);
    let inits = [Some(zero), None, Some(zero), None];
    let sorts = [Sort::Bits(4), Sort::Bits(4), ARRAY, ARRAY];
    let mut states = Vec::new();
    for (init, sort) in inits.into_iter().zip(sorts) {
        let state = grow.model.push_state(sort);
        if let Some(init) = init {
            grow.model.set_init(state, Ref::from(init) ^ (seed % 2 == 1)).unwrap();
        }
        grow.know(state);
        states.push(state);
    }
    let like = grow.model.push_state(Sort::Bits(4));
    grow.model.set_init(like, states[0].into()).unwrap();
    grow.model.set_symbol(like, b"like");
    grow.know(like);
    while grow.model.nodes().len() < n_nodes {
        let before = grow.model.clone();
        grow.operator();
        let last = grow.model.nodes().last().unwrap();
        let is_array_test = last.tag.rule() == WidthRule::Equal && grow.model.sort(last.args()[0]).is_array();
        if is_array_test && !compares_arrays {
            let mut again = Grow::new(grow.rng.bits());
            again.model = before;
            for node in again.model.node_ids() {
                again.know(node);
            }
            grow = again;
        }
    }
    for (at, &state) in states.iter().enumerate().filter(|(at, _)| *at != 1) {
        let next = if at < 2 { grow.of_width(4) } else { grow.array() };
        grow.model.set_next(state, next).unwrap();
    }
    let bits = [grow.of_width(1), grow.of_width(1), grow.of_width(1)];
    grow.model.add_property(Tag::Bad, &bits[..1]).unwrap();
    grow.model.set_property_symbol(b"wrong");
    grow.model.add_property(Tag::Bad, &bits[1..2]).unwrap();
    grow.model.add_property(Tag::Constraint, &bits[2..]).unwrap();
    grow.model
}
