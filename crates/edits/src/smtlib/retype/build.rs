//! Reads a file into classes, relations and sites.

use super::classes::Classes;
use super::declarations::Signatures;
use super::sites::{Relation, Site};
use super::{MAX_TERMS, Var};
use crate::smtlib::SmtView;
use nub_smtlib::{CommandKind, NodeId, NodeRole, SortId};

/// A file as classes of sorts and the places that depend on them.
pub(in crate::smtlib) struct Model<'v> {
    pub(super) view: &'v SmtView,
    pub(super) classes: Classes,
    /// Each with the class it depends on.
    pub(super) sites: Vec<(Var, Site)>,
    pub(super) relations: Vec<Relation>,
    /// True if the script declares sorts that may be named like `Float16`.
    pub(super) hides_float_names: bool,
}

const NONE: u32 = u32::MAX;

/// A model under construction.
pub(super) struct Builder<'v> {
    pub(super) view: &'v SmtView,
    pub(super) classes: Classes,
    /// By node: the variable of a term or sort.
    vars: Vec<u32>,
    pub(super) signatures: Signatures,
    pub(super) sites: Vec<(Var, Site)>,
    pub(super) relations: Vec<Relation>,
    /// Nodes before this one are inside something that is not understood.
    pub(super) fixed_until: NodeId,
}

impl<'v> Model<'v> {
    /// Reads a file; `None` if it is too large, or in a dialect whose terms and sorts the analysis does not completely resolve.
    pub(in crate::smtlib) fn new(view: &'v SmtView) -> Option<Model<'v>> {
        if view.terms().count() > MAX_TERMS || view.commands().iter().any(|&(_, kind)| is_opaque(kind)) {
            return None;
        }
        let mut builder = Builder {
            view,
            classes: Classes::new(),
            vars: vec![NONE; view.tree().len()],
            signatures: Signatures::default(),
            sites: Vec::new(),
            relations: Vec::new(),
            fixed_until: NodeId(0),
        };
        builder.make_vars();
        builder.sort_expressions();
        builder.declare_all();
        builder.commands();
        for node in view.tree().nodes() {
            match view.analysis().role(node) {
                NodeRole::Term => builder.term(node),
                NodeRole::Index => builder.index(node),
                _ => {}
            }
        }
        builder.classes.mark_array_parts(view.analysis().sorts());
        let Builder { classes, sites, relations, .. } = builder;
        let mut decls = view.analysis().decls().iter();
        let hides_float_names =
            decls.any(|decl| decl.is_sort() && view.slice(decl.name).starts_with(b"Float"));
        Some(Model { view, classes, sites, relations, hides_float_names })
    }
}

/// Commands with terms or sorts that the analysis does not recognise as such, and those of SyGuS, where grammars
/// repeat sorts.
fn is_opaque(kind: CommandKind) -> bool {
    use CommandKind::*;
    matches!(kind, SynthFun | SynthInv | InvConstraint | GetAbduct | GetInterpolant | DeclareHeap)
}

impl Builder<'_> {
    fn make_vars(&mut self) {
        let analysis = self.view.analysis();
        for node in self.view.tree().nodes() {
            let sort = analysis.sort_of(node).or_else(|| analysis.sort_value(node));
            if let Some(sort) = sort {
                self.vars[node.index()] = self.classes.fresh(analysis.sorts(), sort).0;
            }
        }
    }

    /// The variable of a term or sort; a fixed one for anything else.
    pub(super) fn var(&mut self, node: NodeId) -> Var {
        match self.vars[node.index()] {
            NONE => self.fresh(SortId::UNKNOWN),
            var => Var(var),
        }
    }

    pub(super) fn has_var(&self, node: NodeId) -> bool {
        self.vars[node.index()] != NONE
    }

    pub(super) fn fresh(&mut self, sort: SortId) -> Var {
        self.classes.fresh(self.view.analysis().sorts(), sort)
    }

    pub(super) fn unify(&mut self, a: Var, b: Var) {
        self.classes.unify(self.view.analysis().sorts(), a, b);
    }

    pub(super) fn unify_nodes(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.var(a), self.var(b));
        self.unify(a, b);
    }

    pub(super) fn fix_node(&mut self, node: NodeId) {
        if self.has_var(node) {
            let var = self.var(node);
            self.classes.fix(var);
        }
    }

    /// Fixes a list and its direct children.
    pub(super) fn fix_list(&mut self, list: NodeId) {
        self.fix_node(list);
        for child in self.view.tree().children(list) {
            self.fix_node(child);
        }
    }

    /// Fixes everything in a subtree.
    pub(super) fn fix_all(&mut self, root: NodeId) {
        for node in self.view.tree().subtree(root) {
            self.fix_node(node);
        }
    }

    /// The same for terms, which are read in order: each node is visited once, even if subtrees are nested.
    pub(super) fn fix_subtree(&mut self, root: NodeId) {
        let after = self.view.tree().after(root);
        for node in (root.max(self.fixed_until).0..after.0).map(NodeId) {
            self.fix_node(node);
        }
        self.fixed_until = self.fixed_until.max(after);
    }

    /// Constraints from commands other than declarations: bodies have the sorts of their definitions.
    fn commands(&mut self) {
        for &(command, kind) in self.view.commands() {
            let tree = self.view.tree();
            let at = |n| tree.child(command, n);
            match kind {
                CommandKind::DefineFun | CommandKind::DefineFunRec => {
                    if let (Some(sort), Some(body)) = (at(3), at(4)) {
                        self.unify_nodes(sort, body);
                    }
                }
                CommandKind::DefineConst => {
                    if let (Some(sort), Some(body)) = (at(2), at(3)) {
                        self.unify_nodes(sort, body);
                    }
                }
                CommandKind::DefineFunsRec => self.bodies(at(1), at(2)),
                CommandKind::Minimize | CommandKind::Maximize => {
                    if let Some(term) = at(1) {
                        let var = self.var(term);
                        self.classes.operand(var);
                    }
                }
                CommandKind::DeclarePool => self.fix_all(command),
                _ => {}
            }
        }
    }

    fn bodies(&mut self, heads: Option<NodeId>, bodies: Option<NodeId>) {
        let (Some(heads), Some(bodies)) = (heads, bodies) else { return };
        let tree = self.view.tree();
        for (head, body) in tree.children(heads).zip(tree.children(bodies)) {
            match tree.child(head, 2) {
                Some(sort) => self.unify_nodes(sort, body),
                None => self.fix_node(body),
            }
        }
    }
}
