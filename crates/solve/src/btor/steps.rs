//! The nodes of a model as terms, step by step.

use nub_bitvec::{Op, Pool, TermId, Value};
use nub_btor::{BtorModel, BtorNode, BtorNodeId, BtorState, Ref, Sort, Tag};
use nub_text::{Diagnostic, Span};

/// A model in its current step, and the variables of all steps so far. A step costs O(n) for n nodes.
pub(super) struct Steps<'a> {
    model: &'a BtorModel,
    /// The nodes in the current step.
    terms: Vec<TermId>,
    /// By step: inputs, and states that are unconstrained in it.
    free: Vec<Vec<(BtorNodeId, TermId)>>,
}

impl<'a> Steps<'a> {
    /// Before the first step.
    pub(super) fn new(model: &'a BtorModel) -> Steps<'a> {
        Steps { model, terms: Vec::new(), free: Vec::new() }
    }

    pub(super) fn model(&self) -> &'a BtorModel {
        self.model
    }

    /// Number of steps so far.
    pub(super) fn n_steps(&self) -> usize {
        self.free.len()
    }

    /// The variables of a step, in the order of their lines.
    pub(super) fn free(&self, step: usize) -> &[(BtorNodeId, TermId)] {
        &self.free[step]
    }

    /// A reference in the current step.
    pub(super) fn term(&self, pool: &mut Pool, of: Ref) -> TermId {
        referred(pool, &self.terms, of)
    }

    /// Goes to the first step, or to the next one.
    pub(super) fn advance(&mut self, pool: &mut Pool) -> Result<(), Diagnostic> {
        let nexts: Option<Vec<Option<TermId>>> = (self.n_steps() > 0).then(|| {
            let states = self.model.states().iter();
            states.map(|state| state.next.map(|next| referred(pool, &self.terms, next))).collect()
        });
        let mut terms = Vec::with_capacity(self.model.nodes().len());
        let mut free = Vec::new();
        let mut n_states = 0;
        for id in self.model.node_ids() {
            let node = self.model.node(id);
            let known = match node.tag {
                Tag::Input => None,
                Tag::State => {
                    n_states += 1;
                    match &nexts {
                        Some(nexts) => nexts[n_states - 1],
                        None => initial(pool, &terms, node, &self.model.states()[n_states - 1]),
                    }
                }
                tag if tag.is_constant() => Some(self.constant(pool, id)),
                _ => Some(self.operator(pool, &terms, node)?),
            };
            terms.push(known.unwrap_or_else(|| {
                let var = pool.var(sort_of(node.sort));
                free.push((id, var));
                var
            }));
        }
        self.terms = terms;
        self.free.push(free);
        Ok(())
    }

    fn constant(&self, pool: &mut Pool, id: BtorNodeId) -> TermId {
        let node = self.model.node(id);
        let width = node.sort.width();
        let value = match node.tag {
            Tag::One => Value::one(width),
            Tag::Ones => Value::ones(width),
            _ => self.model.value(id).cloned().unwrap_or_else(|| Value::zero(width)),
        };
        pool.constant(value)
    }

    fn operator(&self, pool: &mut Pool, terms: &[TermId], node: &BtorNode) -> Result<TermId, Diagnostic> {
        let name = node.tag.op().btor2;
        let Some(op) = node.tag.meaning() else {
            return Err(Diagnostic::error(Span::default(), format!("`{name}` is not supported")));
        };
        let args: Vec<TermId> = node.args().iter().map(|arg| referred(pool, terms, *arg)).collect();
        pool.apply(op, &args, node.params()).map_err(|error| {
            Diagnostic::error(Span::default(), format!("`{name}` cannot be applied: {error}"))
        })
    }
}

fn referred(pool: &mut Pool, terms: &[TermId], of: Ref) -> TermId {
    let term = terms[of.node().index()];
    if of.negated() { pool.not(term) } else { term }
}

/// The initial value of a state, if it has one. It refers to nodes before the state.
fn initial(pool: &mut Pool, terms: &[TermId], node: &BtorNode, state: &BtorState) -> Option<TermId> {
    let value = referred(pool, terms, state.init?);
    match node.sort {
        Sort::Array { index, .. } if pool.sort(value).bits().is_some() => {
            Some(pool.mk_indexed(Op::ConstArray, &[value], &[index]))
        }
        _ => Some(value),
    }
}

fn sort_of(sort: Sort) -> nub_bitvec::Sort {
    match sort {
        Sort::Bits(width) => nub_bitvec::Sort::Bits(width),
        Sort::Array { index, element } => nub_bitvec::Sort::Array { index, element },
    }
}
