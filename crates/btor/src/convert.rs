//! From one format to the other, through the graph.
//!
//! The formats differ in the operands of shifts, in the reductions and roots they allow, and in what they can express about states.

mod refusal;
mod shifts;

use crate::rebuild::Rebuild;
use crate::rules::{Misfit, check_dialect};
use crate::{BtorDialect, BtorModel, BtorNodeId, Sort, Tag, WidthRule};
pub use refusal::ConversionRefusal;

/// The same model in `dialect`, ready to be printed. A model that already uses that dialect is returned unchanged.
///
/// BTOR2 can express every model. A BTOR root becomes a `constraint`; but if the model has next values, a root is the bad state
/// that a model checker looks for, so all roots together become one `bad`. BTOR can express models without initial values and
/// liveness; the `bad` lines of a combinational model become one root, their disjunction.
pub fn convert(model: &BtorModel, dialect: BtorDialect) -> Result<BtorModel, ConversionRefusal> {
    let mut rebuild = Rebuild::new(model);
    let done = match dialect {
        BtorDialect::Btor => {
            refusal::check_btor(model)?;
            to_btor(&mut rebuild)
        }
        BtorDialect::Btor2 => to_btor2(&mut rebuild),
    };
    done.map_err(|misfit| ConversionRefusal::internal(&misfit))?;
    Ok(rebuild.new)
}

fn to_btor2(rebuild: &mut Rebuild<'_>) -> Result<(), Misfit> {
    let model = rebuild.old;
    for id in model.node_ids() {
        let node = model.node(id);
        if node.tag.rule() == WidthRule::Shift && !fits(model, id, BtorDialect::Btor2) {
            let args = rebuild.args(id);
            let added = node.sort.width() - rebuild.new.sort(args[1]).width();
            let amount = rebuild.op(Tag::Uext, &[args[1]], &[added])?;
            let shift = rebuild.op(node.tag, &[args[0], amount], &[])?;
            rebuild.set(shift);
        } else {
            let copy = rebuild.copy(id)?;
            // BTOR allows a symbol to begin with `;`, like a comment.
            if let Some(symbol @ [b';', ..]) = model.symbol(id) {
                rebuild.new.set_symbol(copy, &[b"_", symbol].concat());
            }
            rebuild.set(copy);
        }
    }
    rebuild.copy_assignments()?;
    let is_sequential = !model.is_combinational();
    let mut roots = Vec::new();
    for property in model.properties() {
        if property.tag != Tag::Root {
            rebuild.copy_property(property, property.tag)?;
            continue;
        }
        let bit = rebuild.get(property.refs[0]);
        let bit = rebuild.any_bit(bit)?;
        if is_sequential {
            roots.push(bit);
        } else {
            rebuild.new.add_property(Tag::Constraint, &[bit])?;
        }
    }
    match rebuild.join(Tag::And, &roots)? {
        Some(bad) => rebuild.new.add_property(Tag::Bad, &[bad]),
        None => Ok(()),
    }
}

/// Whether the format accepts the operands unchanged.
fn fits(model: &BtorModel, id: BtorNodeId, dialect: BtorDialect) -> bool {
    let node = model.node(id);
    let mut sorts = [Sort::BIT; 3];
    for (sort, &arg) in sorts.iter_mut().zip(node.args()) {
        *sort = model.sort(arg);
    }
    check_dialect(node.tag, &sorts[..node.args().len()], dialect).is_ok()
}

fn to_btor(rebuild: &mut Rebuild<'_>) -> Result<(), Misfit> {
    let model = rebuild.old;
    for id in model.node_ids() {
        let node = model.node(id);
        let new = match node.tag.rule() {
            _ if fits(model, id, BtorDialect::Btor) => rebuild.copy(id)?.into(),
            // Reductions of a single bit.
            WidthRule::Reduce => rebuild.args(id)[0],
            WidthRule::Shift => {
                let args = rebuild.args(id);
                shifts::narrow(rebuild, node.tag, args[0], args[1])?
            }
            _ => rebuild.copy(id)?.into(),
        };
        rebuild.set(new);
    }
    rebuild.copy_assignments()?;
    let mut bads = Vec::new();
    for property in model.properties() {
        match property.tag {
            Tag::Bad => bads.push(rebuild.get(property.refs[0])),
            Tag::Root | Tag::Constraint => rebuild.copy_property(property, Tag::Root)?,
            // Outputs assert nothing. Liveness has already been rejected.
            _ => {}
        }
    }
    match rebuild.join(Tag::Or, &bads)? {
        Some(bad) => rebuild.new.add_property(Tag::Root, &[bad]),
        None => Ok(()),
    }
}
