//! Copying a graph node by node while changing it.

use crate::rules::Misfit;
use crate::{BtorModel, BtorNodeId, BtorProperty, Ref, Sort, Tag};
use nub_bitvec::Value;

/// A new graph, and for each node of the old graph the node that replaces it.
pub(crate) struct Rebuild<'a> {
    pub old: &'a BtorModel,
    pub new: BtorModel,
    map: Vec<Ref>,
}

impl<'a> Rebuild<'a> {
    pub fn new(old: &'a BtorModel) -> Rebuild<'a> {
        Rebuild { old, new: BtorModel::new(), map: Vec::with_capacity(old.nodes().len()) }
    }

    /// Forgets the replacements of old nodes, to copy them once more.
    pub fn restart(&mut self) {
        self.map.clear();
    }

    /// The replacement of `of`.
    pub fn get(&self, of: Ref) -> Ref {
        self.map[of.node().index()] ^ of.negated()
    }

    /// Sets the replacement of the next old node.
    pub fn set(&mut self, new: impl Into<Ref>) {
        self.map.push(new.into());
    }

    /// The operands of an old node in the new graph.
    pub fn args(&self, node: BtorNodeId) -> Vec<Ref> {
        self.old.node(node).args().iter().map(|&arg| self.get(arg)).collect()
    }

    /// Copies a node to the new graph, with its symbol.
    pub fn copy(&mut self, id: BtorNodeId) -> Result<BtorNodeId, Misfit> {
        let node = self.old.node(id);
        let new = match node.tag {
            Tag::Input => self.new.push_input(node.sort),
            Tag::State => self.new.push_state(node.sort),
            Tag::Zero | Tag::One | Tag::Ones => self.new.push_special(node.tag, node.sort.width()),
            _ => match self.old.value(id) {
                Some(value) => self.new.push_digits(node.tag, value.clone()),
                None => self.new.push_op(node.tag, &self.args(id), node.params())?,
            },
        };
        if let Some(symbol) = self.old.symbol(id) {
            self.new.set_symbol(new, symbol);
        }
        Ok(new)
    }

    /// Copies the initial and next values of all states, which must have been copied as states.
    pub fn copy_assignments(&mut self) -> Result<(), Misfit> {
        self.copy_assignments_if(|_| true)
    }

    /// The same for some of the states.
    pub fn copy_assignments_if(&mut self, is_kept: impl Fn(BtorNodeId) -> bool) -> Result<(), Misfit> {
        for state in self.old.states().iter().filter(|state| is_kept(state.node)) {
            let node = self.get(state.node.into()).node();
            if let Some(init) = state.init {
                self.new.set_init(node, self.get(init))?;
            }
            if let Some(next) = state.next {
                self.new.set_next(node, self.get(next))?;
            }
        }
        Ok(())
    }

    /// Copies a property, possibly as another kind.
    pub fn copy_property(&mut self, property: &BtorProperty, tag: Tag) -> Result<(), Misfit> {
        let refs: Vec<Ref> = property.refs.iter().map(|&of| self.get(of)).collect();
        self.new.add_property(tag, &refs)?;
        if let Some(symbol) = self.old.property_symbol(property) {
            self.new.set_property_symbol(symbol);
        }
        Ok(())
    }

    /// A small number of any width, without allocating memory for the width.
    pub fn number(&mut self, width: u32, number: u64) -> Result<Ref, Misfit> {
        let narrow = width.min(u64::BITS);
        let node = self.new.push_const(Value::from_u64(narrow, number));
        if narrow == width {
            return Ok(node.into());
        }
        self.op(Tag::Uext, &[node.into()], &[width - narrow])
    }

    /// Adds an operator to the new graph.
    pub fn op(&mut self, tag: Tag, args: &[Ref], params: &[u32]) -> Result<Ref, Misfit> {
        self.new.push_op(tag, args, params).map(Ref::from)
    }

    /// One bit: whether any bit of it is set.
    pub fn any_bit(&mut self, of: Ref) -> Result<Ref, Misfit> {
        if self.new.sort(of) == Sort::BIT { Ok(of) } else { self.op(Tag::Redor, &[of], &[]) }
    }

    /// All of `bits` combined by `tag`; `None` if there are none.
    pub fn join(&mut self, tag: Tag, bits: &[Ref]) -> Result<Option<Ref>, Misfit> {
        let Some((&first, rest)) = bits.split_first() else { return Ok(None) };
        let mut all = first;
        for &bit in rest {
            all = self.op(tag, &[all, bit], &[])?;
        }
        Ok(Some(all))
    }
}
