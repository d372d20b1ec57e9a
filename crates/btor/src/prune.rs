//! Removing what no property needs.

use crate::rebuild::Rebuild;
use crate::{BtorModel, BtorNodeId, Ref};

/// Which nodes some property needs, by index: through operands, and through the values of states. Linear.
pub fn needed(model: &BtorModel) -> Vec<bool> {
    let mut is_needed = vec![false; model.nodes().len()];
    let mut stack: Vec<BtorNodeId> = Vec::new();
    let mut need = |stack: &mut Vec<BtorNodeId>, of: Ref| {
        let seen = &mut is_needed[of.node().index()];
        if !*seen {
            *seen = true;
            stack.push(of.node());
        }
    };
    for &of in model.properties().iter().flat_map(|property| &property.refs) {
        need(&mut stack, of);
    }
    while let Some(node) = stack.pop() {
        for &arg in model.node(node).args() {
            need(&mut stack, arg);
        }
        let state = model.state(node);
        for of in state.into_iter().flat_map(|state| state.init.into_iter().chain(state.next)) {
            need(&mut stack, of);
        }
    }
    is_needed
}

/// The model without nodes that no property needs.
pub(crate) fn prune(model: &BtorModel) -> BtorModel {
    let is_needed = needed(model);
    let mut rebuild = Rebuild::new(model);
    // A node that is not needed gets a placeholder, which is never looked up.
    let nothing = Ref::from(BtorNodeId::new(0));
    for id in model.node_ids() {
        match is_needed[id.index()].then(|| rebuild.copy(id)) {
            Some(Ok(new)) => rebuild.set(new),
            _ => rebuild.set(nothing),
        }
    }
    let mut done = rebuild.copy_assignments_if(|node| is_needed[node.index()]);
    for property in model.properties() {
        done = done.and_then(|()| rebuild.copy_property(property, property.tag));
    }
    debug_assert!(done.is_ok(), "a part of a model that fits together does");
    rebuild.new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BtorDialect, BtorFile, print};

    #[test]
    fn only_the_cone_stays() {
        let text = "1 sort bitvec 1\n2 input 1 a\n3 input 1 b\n4 zero 1\n5 state 1 s\n6 state 1 t\n7 init 1 5 4\n\
                    8 not 1 2\n9 next 1 5 8\n10 next 1 6 3\n11 bad 5 wrong\n";
        let model = BtorModel::of(&BtorFile::read(text.as_bytes(), BtorDialect::Btor2)).unwrap();
        let printed = String::from_utf8(print(&prune(&model), BtorDialect::Btor2)).unwrap();
        let expected = "1 sort bitvec 1\n2 input 1 a\n3 zero 1\n4 state 1 s\n5 not 1 2\n6 init 1 4 3\n\
                        7 next 1 4 5\n8 bad 4 wrong\n";
        assert_eq!(printed, expected);
    }
}
