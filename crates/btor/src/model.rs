//! The meaning of a file: nodes with sorts, states, properties. Also its builder.
//!
//! One graph for both formats. A `var`, `array` or `input` is an [`Tag::Input`]; `cond` and `acond` are [`Tag::Ite`];
//! `proxy` and references to a `root` are replaced by their operands; a BTOR `var` with a `next` is a [`Tag::State`]. A shift accepts
//! amounts of either format. Nodes are in the order of definition, so operands come before their uses and no walk needs a stack.
//!
//! ```
//! use nub_btor::{BtorDialect, BtorModel, Sort, Tag, print};
//! let mut model = BtorModel::new();
//! let x = model.push_input(Sort::Bits(8));
//! let sum = model.push_op(Tag::Inc, &[x.into()], &[]).unwrap();
//! let wraps = model.push_op(Tag::Ult, &[sum.into(), x.into()], &[]).unwrap();
//! model.add_property(Tag::Root, &[wraps.into()]).unwrap();
//! assert_eq!(print(&model, BtorDialect::Btor), b"1 var 8\n2 inc 8 1\n3 ult 1 2 1\n4 root 1 3\n");
//! ```

mod from_file;
mod symbols;

use crate::rules::{Misfit, misfit, result_sort};
use crate::{FaultKind, LineId, Sort, Tag};
use nub_bitvec::Value;
use std::ops::BitXor;
use symbols::{Symbol, Symbols};

/// A node of a [`BtorModel`], counted from 0 in the order of definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BtorNodeId(u32);

impl BtorNodeId {
    /// Its index in [`BtorModel::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node at `index` of [`BtorModel::nodes`].
    pub fn new(index: usize) -> BtorNodeId {
        BtorNodeId(index as u32)
    }
}

/// A node or its complement, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ref(u32);

impl Ref {
    /// The node.
    pub fn node(self) -> BtorNodeId {
        BtorNodeId(self.0 >> 1)
    }

    /// Whether it is the complement.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its complement.
    #[must_use]
    pub fn complement(self) -> Ref {
        Ref(self.0 ^ 1)
    }
}

/// `reference ^ true` is the complement, `reference ^ false` the reference itself.
impl BitXor<bool> for Ref {
    type Output = Ref;

    fn bitxor(self, negated: bool) -> Ref {
        Ref(self.0 ^ u32::from(negated))
    }
}

impl From<BtorNodeId> for Ref {
    fn from(node: BtorNodeId) -> Ref {
        Ref(node.0 << 1)
    }
}

/// Maximum number of references of a node.
const MAX_ARGS: usize = 3;

/// An input, a state, a constant or an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BtorNode {
    /// Which operator.
    pub tag: Tag,
    /// Its sort.
    pub sort: Sort,
    args: [Ref; MAX_ARGS],
    params: [u32; 2],
    n_args: u8,
    n_params: u8,
}

impl BtorNode {
    /// The operands.
    pub fn args(&self) -> &[Ref] {
        &self.args[..self.n_args as usize]
    }

    /// The bounds of a slice, upper first, or the number of bits that an extension adds.
    pub fn params(&self) -> &[u32] {
        &self.params[..self.n_params as usize]
    }

    fn leaf(tag: Tag, sort: Sort) -> BtorNode {
        BtorNode { tag, sort, args: [Ref(0); MAX_ARGS], params: [0; 2], n_args: 0, n_params: 0 }
    }
}

/// The initial and the next value of a state.
#[derive(Clone, Debug)]
pub struct BtorState {
    /// The node whose value is that of the state in the current step.
    pub node: BtorNodeId,
    /// Its initial value; if `None`, any value. For an array it may be a constant of the element sort: the value of all elements.
    pub init: Option<Ref>,
    /// Its value in the next step; if `None`, any value.
    pub next: Option<Ref>,
    /// The line that assigned it first.
    pub origin: Option<LineId>,
}

/// A property of a model.
#[derive(Clone, Debug)]
pub struct BtorProperty {
    /// `Root`, `Constraint`, `Bad`, `Fair`, `Justice` or `Output`.
    pub tag: Tag,
    /// One reference; for `Justice` any number.
    pub refs: Vec<Ref>,
    /// The line it was read from.
    pub origin: Option<LineId>,
    symbol: Symbol,
}

/// A typed graph with states and properties.
#[derive(Clone, Debug, Default)]
pub struct BtorModel {
    nodes: Vec<BtorNode>,
    node_symbols: Vec<Symbol>,
    values: Vec<Value>,
    inputs: Vec<BtorNodeId>,
    states: Vec<BtorState>,
    properties: Vec<BtorProperty>,
    symbols: Symbols,
}

impl BtorModel {
    /// An empty model.
    pub fn new() -> BtorModel {
        BtorModel::default()
    }

    /// All nodes, operands first.
    pub fn nodes(&self) -> &[BtorNode] {
        &self.nodes
    }

    /// The ids of all nodes.
    pub fn node_ids(&self) -> impl DoubleEndedIterator<Item = BtorNodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(BtorNodeId)
    }

    /// One node.
    pub fn node(&self, node: BtorNodeId) -> &BtorNode {
        &self.nodes[node.index()]
    }

    /// The sort of a reference.
    pub fn sort(&self, of: Ref) -> Sort {
        self.node(of.node()).sort
    }

    /// Inputs, in order.
    pub fn inputs(&self) -> &[BtorNodeId] {
        &self.inputs
    }

    /// States, in order.
    pub fn states(&self) -> &[BtorState] {
        &self.states
    }

    /// The state of a [`Tag::State`] node.
    pub fn state(&self, node: BtorNodeId) -> Option<&BtorState> {
        let at = self.states.binary_search_by_key(&node, |state| state.node).ok()?;
        Some(&self.states[at])
    }

    /// Properties, in order.
    pub fn properties(&self) -> &[BtorProperty] {
        &self.properties
    }

    /// The value of a `const`, `constd` or `consth`. `None` for `zero`, `one` and `ones`, which may be wider than memory allows.
    pub fn value(&self, node: BtorNodeId) -> Option<&Value> {
        let node = self.node(node);
        matches!(node.tag, Tag::Const | Tag::Constd | Tag::Consth)
            .then(|| &self.values[node.params[0] as usize])
    }

    /// The symbol of a node.
    pub fn symbol(&self, node: BtorNodeId) -> Option<&[u8]> {
        self.symbols.get(self.node_symbols[node.index()])
    }

    /// The symbol of a property.
    pub fn property_symbol(&self, property: &BtorProperty) -> Option<&[u8]> {
        self.symbols.get(property.symbol)
    }

    /// Gives a node a symbol.
    pub fn set_symbol(&mut self, node: BtorNodeId, symbol: &[u8]) {
        self.node_symbols[node.index()] = self.symbols.add(symbol);
    }

    fn push(&mut self, node: BtorNode) -> BtorNodeId {
        let id = BtorNodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.node_symbols.push(Symbol::NONE);
        id
    }

    /// An input of this sort.
    pub fn push_input(&mut self, sort: Sort) -> BtorNodeId {
        let id = self.push(BtorNode::leaf(Tag::Input, sort));
        self.inputs.push(id);
        id
    }

    /// A state of this sort, unconstrained in every step until it gets an initial or a next value.
    pub fn push_state(&mut self, sort: Sort) -> BtorNodeId {
        let id = self.push(BtorNode::leaf(Tag::State, sort));
        self.states.push(BtorState { node: id, init: None, next: None, origin: None });
        id
    }

    /// A constant, to be printed in binary.
    pub fn push_const(&mut self, value: Value) -> BtorNodeId {
        self.push_digits(Tag::Const, value)
    }

    /// A constant that is printed in base 2, 10 or 16 for `Const`, `Constd` or `Consth`. Other tags are treated as `Const`.
    pub fn push_digits(&mut self, tag: Tag, value: Value) -> BtorNodeId {
        let tag = if matches!(tag, Tag::Constd | Tag::Consth) { tag } else { Tag::Const };
        let mut node = BtorNode::leaf(tag, Sort::Bits(value.width()));
        node.params[0] = self.values.len() as u32;
        self.values.push(value);
        self.push(node)
    }

    /// `Zero`, `One` or `Ones` of a width. Other tags are treated as `Zero`.
    pub fn push_special(&mut self, tag: Tag, width: u32) -> BtorNodeId {
        let tag = if matches!(tag, Tag::One | Tag::Ones) { tag } else { Tag::Zero };
        self.push(BtorNode::leaf(tag, Sort::Bits(width)))
    }

    /// An operator, if its operands fit. `params` are the bounds of a slice, upper first, or the number of bits to add.
    pub fn push_op(&mut self, tag: Tag, args: &[Ref], params: &[u32]) -> Result<BtorNodeId, Misfit> {
        let mut node = BtorNode::leaf(tag, Sort::BIT);
        let mut sorts = [Sort::BIT; MAX_ARGS];
        if args.len() > MAX_ARGS || params.len() > node.params.len() {
            return Err(misfit(FaultKind::WrongArity, None, "too many operands".to_owned()));
        }
        for (at, &arg) in args.iter().enumerate() {
            node.args[at] = arg;
            sorts[at] = self.sort(arg);
            if arg.negated() && sorts[at].is_array() {
                return Err(misfit(
                    FaultKind::NegatedArray,
                    Some(at),
                    "an array has no complement".to_owned(),
                ));
            }
        }
        let mut wide = [0; 2];
        for (at, &param) in params.iter().enumerate() {
            node.params[at] = param;
            wide[at] = u64::from(param);
        }
        node.n_args = args.len() as u8;
        node.n_params = params.len() as u8;
        node.sort = result_sort(tag, &sorts[..args.len()], &wide[..params.len()])?;
        // `Acond` and `Ite` mean the same: use one of them.
        if tag == Tag::Acond {
            node.tag = Tag::Ite;
        }
        Ok(self.push(node))
    }

    /// Sets the initial value of a state: of its sort, or for an array a constant of the element sort. BTOR2 requires it to be
    /// defined before the state.
    pub fn set_init(&mut self, state: BtorNodeId, value: Ref) -> Result<(), Misfit> {
        let (wanted, found) = (self.node(state).sort, self.sort(value));
        let is_constant = self.node(value.node()).tag.is_constant();
        let is_filled =
            matches!(wanted, Sort::Array { element, .. } if is_constant && found == Sort::Bits(element));
        if value.node() >= state {
            let message = "a state must be defined after its initial value".to_owned();
            return Err(misfit(FaultKind::InitOrder, None, message));
        }
        if wanted != found && !is_filled {
            return Err(misfit(FaultKind::WrongSort, None, format!("expected {wanted}, found {found}")));
        }
        self.state_mut(state)?.init = Some(value);
        Ok(())
    }

    /// Sets the value of a state in the next step.
    pub fn set_next(&mut self, state: BtorNodeId, value: Ref) -> Result<(), Misfit> {
        let (wanted, found) = (self.node(state).sort, self.sort(value));
        if wanted != found {
            return Err(misfit(FaultKind::WrongSort, None, format!("expected {wanted}, found {found}")));
        }
        self.state_mut(state)?.next = Some(value);
        Ok(())
    }

    pub(crate) fn state_mut(&mut self, node: BtorNodeId) -> Result<&mut BtorState, Misfit> {
        match self.states.binary_search_by_key(&node, |state| state.node) {
            Ok(at) => Ok(&mut self.states[at]),
            Err(_) => Err(misfit(FaultKind::InitOnInput, None, "only a state can be assigned".to_owned())),
        }
    }

    /// Adds a property over one reference, or `Justice` over any number. All except `Root` and `Output` take single bits.
    pub fn add_property(&mut self, tag: Tag, refs: &[Ref]) -> Result<(), Misfit> {
        if !tag.is_property() || tag != Tag::Justice && refs.len() != 1 {
            return Err(misfit(FaultKind::WrongArity, None, format!("{tag:?} over {} nodes", refs.len())));
        }
        for (at, &of) in refs.iter().enumerate() {
            let sort = self.sort(of);
            let fits = sort == Sort::BIT || matches!(tag, Tag::Root | Tag::Output) && !sort.is_array();
            if !fits {
                let message = format!("{tag:?} cannot be over {sort}");
                return Err(misfit(FaultKind::WrongWidth, Some(at), message));
            }
        }
        let property = BtorProperty { tag, refs: refs.to_vec(), origin: None, symbol: Symbol::NONE };
        self.properties.push(property);
        Ok(())
    }

    /// Gives the property that was added last a symbol.
    pub fn set_property_symbol(&mut self, symbol: &[u8]) {
        let symbol = self.symbols.add(symbol);
        if let Some(last) = self.properties.last_mut() {
            last.symbol = symbol;
        }
    }

    /// True if no state has an initial or a next value: then every state is just an input.
    pub fn is_combinational(&self) -> bool {
        self.states.iter().all(|state| state.init.is_none() && state.next.is_none())
    }
}

/// Compares nodes, values, states, properties and symbols. The lines they came from do not matter.
impl PartialEq for BtorModel {
    fn eq(&self, other: &BtorModel) -> bool {
        let same_symbols = || self.node_ids().all(|node| self.symbol(node) == other.symbol(node));
        let same_state =
            |(a, b): (&BtorState, &BtorState)| (a.node, a.init, a.next) == (b.node, b.init, b.next);
        let same_property = |(a, b): (&BtorProperty, &BtorProperty)| {
            (a.tag, &a.refs, self.property_symbol(a)) == (b.tag, &b.refs, other.property_symbol(b))
        };
        self.nodes == other.nodes
            && self.values == other.values
            && self.states.len() == other.states.len()
            && self.states.iter().zip(&other.states).all(same_state)
            && self.properties.len() == other.properties.len()
            && self.properties.iter().zip(&other.properties).all(same_property)
            && same_symbols()
    }
}
