//! From the compact graph to the typed one, for the formats whose printers are in `nub_btor`, and for evaluation.

use crate::dag::{FormulaDag, FormulaNode};
use nub_btor::{BtorModel, BtorNodeId, Misfit, Ref, Tag};

/// The same formula or system as a model. Every node is checked; an error is a bug in the generator.
///
/// Nodes keep their order, but not their numbers, because a `proxy` is replaced by its operand. The second result gives, for each
/// node of the graph, the reference that represents it.
pub fn to_model(dag: &FormulaDag) -> Result<(BtorModel, Vec<Ref>), Misfit> {
    let mut model = BtorModel::new();
    let mut refs: Vec<Ref> = Vec::with_capacity(dag.len());
    for (idx, node) in dag.nodes.iter().enumerate() {
        let of = add(&mut model, dag, BtorNodeId::new(idx), node, &refs)?;
        refs.push(of);
    }
    let get = |edge: Ref| refs[edge.node().index()] ^ edge.negated();
    for state in &dag.states {
        let node = refs[state.node.index()].node();
        if let Some(init) = state.init {
            model.set_init(node, refs[init.index()])?;
        }
        if let Some(next) = state.next {
            model.set_next(node, get(next))?;
        }
    }
    for &constraint in &dag.constraints {
        model.add_property(Tag::Constraint, &[get(constraint)])?;
    }
    if let Some(root) = dag.root {
        let tag = if dag.states.is_empty() { Tag::Root } else { Tag::Bad };
        model.add_property(tag, &[get(root)])?;
    }
    Ok((model, refs))
}

fn add(
    model: &mut BtorModel,
    dag: &FormulaDag,
    id: BtorNodeId,
    node: &FormulaNode,
    refs: &[Ref],
) -> Result<Ref, Misfit> {
    let mut args = node.children;
    for arg in &mut args[..node.arity()] {
        *arg = refs[arg.node().index()] ^ arg.negated();
    }
    let args = &args[..node.arity()];
    let n_params = match node.tag {
        Tag::Slice => 2,
        Tag::Uext | Tag::Sext => 1,
        _ => 0,
    };
    let added = match node.tag {
        Tag::Proxy => return Ok(args[0]),
        Tag::Var | Tag::Array => model.push_input(node.sort),
        Tag::State => model.push_state(node.sort),
        Tag::Zero | Tag::One | Tag::Ones => model.push_special(node.tag, node.sort.width()),
        tag => match dag.constant(id) {
            Some(value) => model.push_digits(tag, value),
            None => model.push_op(tag, args, &node.params[..n_params])?,
        },
    };
    Ok(added.into())
}
