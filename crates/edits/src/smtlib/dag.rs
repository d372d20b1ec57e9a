//! The terms of a script as a graph.
//!
//! Nodes are the nodes of the tree; commands with terms are roots. An edge to a use of a variable bound by `let`
//! leads to its value, so what is shared in the text is shared in the graph.
//!
//! Zeros need not be shared here: a literal is written where it is used and, like `false`, needs no node of its own.
//!
//! ```text
//! (assert (let ((x (f a))) (g x x)))        assert -> let -> g => (f a) -> a
//! ```

use super::SmtView;
use super::ddsmt::declaration_place;
use super::hoist::term_children;
use super::values::{sort_text, values};
use crate::Edit;
use crate::dag::{Dag, DagEdge, DagNode, DagSubstitution, KnownConstant, Operator, Replacement};
use nub_smtlib::{CommandKind, DeclId, DeclKind, NodeId, SmtSort};

/// The prefix of fresh variables.
const FRESH: &str = "_nub_";

impl Dag for SmtView {
    const NEGATED_EDGES: bool = false;

    fn n_nodes(&self) -> usize {
        self.tree().len()
    }

    fn roots(&self) -> Vec<DagNode> {
        let has_terms = |command: NodeId| term_children(self, command).next().is_some();
        let commands = self.commands().iter().filter(|(node, _)| has_terms(*node));
        commands.map(|(node, _)| DagNode(node.0)).collect()
    }

    fn children(&self, node: DagNode) -> Vec<DagEdge> {
        let to = |place: NodeId| DagEdge { to: DagNode(value_of(self, place).0), negated: false };
        operand_places(self, NodeId(node.0)).into_iter().map(to).collect()
    }

    fn sort(&self, node: DagNode) -> Option<u32> {
        SmtView::sort(self, NodeId(node.0)).map(|sort| sort.0)
    }

    fn replace(&self, node: DagNode, with: Replacement) -> Option<DagSubstitution> {
        let node = NodeId(node.0);
        if !self.is_term(node) {
            return (with == Replacement::Zero && is_one_of_several(self, node))
                .then(|| self.cut(node).into());
        }
        ((with as u8) < simplicity(self, node)).then_some(())?;
        match with {
            Replacement::Zero => Some(Edit::replace(self.span(node), constants(self, node)?.0).into()),
            Replacement::Ones => Some(Edit::replace(self.span(node), constants(self, node)?.1).into()),
            Replacement::Variable => fresh(self, node),
        }
    }

    fn redirect(&self, parent: DagNode, index: usize, target: DagEdge) -> Option<Edit> {
        let place = *operand_places(self, NodeId(parent.0)).get(index)?;
        let target = NodeId((!target.negated).then_some(target.to.0)?);
        let is_inside = place < target && target < self.tree().after(place);
        if is_inside && self.needs().can_replace(target, place) {
            return Some(Edit::keep_part(self.span(place), self.span(target)));
        }
        let text = name_at(self, target, place).or_else(|| copy_of(self, target, place))?;
        Some(Edit::replace(self.span(place), text))
    }

    fn operator(&self, node: DagNode) -> Option<Operator> {
        Some(match self.op_name(NodeId(node.0))? {
            "and" | "bvand" => Operator::And,
            "or" | "bvor" => Operator::Or,
            "bvnand" => Operator::Nand,
            "bvnor" => Operator::Nor,
            "bvadd" => Operator::Add,
            "=>" => Operator::Implies,
            "xor" | "bvxor" => Operator::Xor,
            "=" => Operator::Eq,
            "not" | "bvnot" => Operator::Not,
            "ite" => Operator::Cond,
            _ => return None,
        })
    }

    fn constant(&self, node: DagNode) -> Option<KnownConstant> {
        let node = NodeId(node.0);
        let sort = self.sort(node)?;
        if !matches!(self.analysis().sorts().get(sort), SmtSort::Bool | SmtSort::BitVec(_)) {
            return None;
        }
        let (zero, ones) = constants(self, node)?;
        let text = self.slice(node);
        let value = if text == zero { Some(KnownConstant::Zero) } else { None };
        value.or((text == ones).then_some(KnownConstant::Ones))
    }

    fn declaration_place(&self) -> u32 {
        declaration_place(self)
    }
}

/// The tree nodes of the operands of a term. The values of a `let` are reached through their uses.
fn operand_places(view: &SmtView, node: NodeId) -> Vec<NodeId> {
    match view.head_symbol(node) {
        Some(b"let") if view.is_term(node) => {
            view.tree().children(node).last().into_iter().filter(|&body| view.is_term(body)).collect()
        }
        _ => term_children(view, node).collect(),
    }
}

/// The value of a variable bound by `let`, through any number of them; any other term is its own value.
fn value_of(view: &SmtView, place: NodeId) -> NodeId {
    let mut node = place;
    // A value precedes its uses, so this ends. The filter ensures it for ill-formed input.
    while let Some(value) = let_value(view, node).filter(|&value| value < node) {
        node = value;
    }
    node
}

fn let_value(view: &SmtView, place: NodeId) -> Option<NodeId> {
    let decl = view.analysis().decl(view.analysis().decl_of(place)?);
    let is_use = decl.kind == DeclKind::Let && decl.name != place && !view.tree().is_list(place);
    is_use.then(|| view.tree().children(decl.owner).nth(1)).flatten().filter(|&value| view.is_term(value))
}

/// True for an assertion that is not the only one.
fn is_one_of_several(view: &SmtView, command: NodeId) -> bool {
    let mut asserts = view.commands().iter().filter(|(_, kind)| *kind == CommandKind::Assert);
    asserts.clone().any(|(node, _)| *node == command) && asserts.nth(1).is_some()
}

/// The index in [`crate::dag::REPLACEMENTS`] of what a term already is; past the last one for anything else.
fn simplicity(view: &SmtView, node: NodeId) -> u8 {
    let text = view.slice(node);
    match constants(view, node) {
        Some((zero, _)) if text == zero => return Replacement::Zero as u8,
        Some((_, ones)) if text == ones => return Replacement::Ones as u8,
        _ => {}
    }
    let declared = view.analysis().decl_of(node).map(|id| view.analysis().decl(id).kind);
    let is_variable = declared == Some(DeclKind::Fun) && !view.tree().is_list(node);
    Replacement::Variable as u8 + u8::from(!is_variable)
}

/// Zero and all ones of a term's sort, if the sort has literals.
fn constants(view: &SmtView, node: NodeId) -> Option<(Vec<u8>, Vec<u8>)> {
    let sort = view.sort(node)?;
    let literal = matches!(
        view.analysis().sorts().get(sort),
        SmtSort::Bool | SmtSort::Int | SmtSort::Real | SmtSort::BitVec(_) | SmtSort::RegLan
    );
    let mut all = literal.then(|| values(view, sort, node))?.into_iter();
    Some((all.next()?, all.next()?))
}

/// A declared constant that occurs nowhere else, named after the node: two of them never share a name.
fn fresh(view: &SmtView, node: NodeId) -> Option<DagSubstitution> {
    let sort = sort_text(view, view.sort(node)?)?;
    let round = (0..).find(|round| {
        let name = format!("{FRESH}{round}_{}", node.0);
        memchr::memmem::find(view.text(), name.as_bytes()).is_none()
    })?;
    let name = format!("{FRESH}{round}_{}", node.0).into_bytes();
    let declaration = [b"(declare-const ", &name[..], b" ", &sort, b")\n"].concat();
    Some(DagSubstitution { edit: Edit::replace(view.span(node), name), declaration: Some(declaration) })
}

/// The name under which a term is available at a place: its own if it is a symbol, or that of the `let` that binds it.
fn name_at(view: &SmtView, target: NodeId, place: NodeId) -> Option<Vec<u8>> {
    let is_visible = |id: DeclId| {
        let (from, to) = view.analysis().decl(id).scope;
        from <= place && place < to
    };
    if !view.tree().is_list(target) {
        let id = view.analysis().decl_of(target)?;
        return is_visible(id).then(|| view.slice(target).to_vec());
    }
    let binding = view.tree().parent(target)?;
    let id = view.analysis().decl_of(view.tree().first_child(binding)?)?;
    let decl = view.analysis().decl(id);
    let binds = decl.kind == DeclKind::Let && decl.owner == binding && is_visible(id);
    binds.then(|| view.slice(decl.name).to_vec())
}

/// The text of a term without bound variables, if that is shorter than the text that it replaces.
fn copy_of(view: &SmtView, target: NodeId, place: NodeId) -> Option<Vec<u8>> {
    let is_closed = view.needs().can_replace(target, NodeId(0));
    let is_shorter = view.span(target).len() < view.span(place).len();
    (is_closed && is_shorter && target != place).then(|| view.slice(target).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::{Graph, simplify};
    use crate::{Splice, render};

    fn node(view: &SmtView, text: &str) -> DagNode {
        DagNode(view.terms().find(|&term| view.slice(term) == text.as_bytes()).unwrap().0)
    }

    fn after(view: &SmtView, edit: &Edit) -> String {
        String::from_utf8(render(view.text(), &edit.splices)).unwrap()
    }

    const LET: &[u8] = b"(declare-const a Bool)(assert (let ((x (or a a))) (and x (not x))))";

    #[test]
    fn what_a_let_shares_is_shared() {
        let view = SmtView::new(LET);
        let graph = Graph::new(&view);
        let (and, or) = (node(&view, "(and x (not x))"), node(&view, "(or a a)"));
        assert_eq!(graph.children(and)[0].to, or);
        assert_eq!(graph.depth(or), Some(4), "the longest way leads through `not`");
        let replaced = view.replace(or, Replacement::Zero).unwrap();
        assert!(after(&view, &replaced.edit).contains("(let ((x false)) (and x (not x)))"));
    }

    #[test]
    fn edges_lead_to_what_is_visible() {
        let view = SmtView::new(LET);
        let (and, not, a) = (node(&view, "(and x (not x))"), node(&view, "(not x)"), node(&view, "a"));
        let or = node(&view, "(or a a)");
        let edge = |to| DagEdge { to, negated: false };
        assert!(after(&view, &view.redirect(and, 1, edge(or)).unwrap()).contains("(and x x)"));
        assert!(after(&view, &view.redirect(not, 0, edge(a)).unwrap()).contains("(not a)"));
    }

    #[test]
    fn replacing_ends() {
        let view = SmtView::new(b"(declare-const v (_ BitVec 2))(assert (= v (bvnot #b11)))(assert true)");
        let count = |text: &str| {
            let node = node(&view, text);
            crate::dag::REPLACEMENTS.iter().filter(|&&with| view.replace(node, with).is_some()).count()
        };
        assert_eq!([count("(bvnot #b11)"), count("v"), count("#b11"), count("true")], [3, 2, 1, 1]);
    }

    #[test]
    fn rules_are_applied_to_the_end() {
        let view = SmtView::new(b"(declare-const a Bool)(assert (or (and true (or a false)) (not true)))");
        let splices: Vec<Splice> = view.write(&simplify(&view), &[]).0.splices();
        assert_eq!(render(view.text(), &splices), b"(declare-const a Bool)(assert a)");
    }
}
