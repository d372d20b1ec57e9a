//! The variables of sort expressions and of declared symbols.

use super::Var;
use super::build::Builder;
use super::classes::Classes;
use super::sites::Site;
use nub_smtlib::{CommandKind, Decl, DeclId, DeclKind, NodeId, NodeKind, NodeRole};
use rustc_hash::FxHashMap;

/// Variables of the arguments and results of all declarations.
#[derive(Default)]
pub(super) struct Signatures {
    /// By declaration: where its arguments start in `params`, and its result.
    starts: Vec<u32>,
    params: Vec<Var>,
    results: Vec<Var>,
}

impl Signatures {
    pub(super) fn params(&self, id: DeclId) -> &[Var] {
        let at = id.0 as usize;
        let end = self.starts.get(at + 1).map_or(self.params.len(), |&end| end as usize);
        &self.params[self.starts[at] as usize..end]
    }

    pub(super) fn result(&self, id: DeclId) -> Var {
        self.results[id.0 as usize]
    }
}

impl Builder<'_> {
    /// Connects every sort expression to its parts, and a name declared by `define-sort` to its body.
    pub(super) fn sort_expressions(&mut self) {
        let (tree, analysis) = (self.view.tree(), self.view.analysis());
        for node in tree.nodes() {
            if analysis.role(node) != NodeRole::Sort {
                continue;
            }
            let var = self.var(node);
            let symbol = if tree.is_list(node) { tree.first_child(node) } else { Some(node) };
            let decl = symbol.and_then(|symbol| analysis.decl_of(symbol)).map(|id| analysis.decl(id));
            match decl {
                Some(decl) if decl.kind == DeclKind::SortMacro => self.abbreviation(node, decl),
                _ => {
                    self.sites.push((var, Site::Sort(node)));
                    self.sort_parts(node, var);
                }
            }
        }
    }

    /// A use of a `define-sort` name. If it has parameters, it is a different sort at every use, but its text is only in one place:
    /// so it is fixed.
    fn abbreviation(&mut self, node: NodeId, decl: &Decl) {
        let body = self.view.tree().child(decl.owner, 3);
        match body {
            Some(body) if decl.arity == 0 => self.unify_nodes(node, body),
            _ => self.fix_list(node),
        }
    }

    fn sort_parts(&mut self, node: NodeId, var: Var) {
        let tree = self.view.tree();
        if !tree.is_list(node) || self.view.head_symbol(node) == Some(b"_") {
            return;
        }
        let n_parts = tree.children(node).skip(1).count() as u32;
        for (at, child) in (0..).zip(tree.children(node).skip(1)) {
            let child_var = self.var(child);
            match self.classes.part(var, at, n_parts) {
                Some(part) => self.unify(part, child_var),
                // Written differently from its structure: `(Relation A B)` is a set of tuples.
                None => {
                    self.classes.fix(var);
                    self.classes.fix(child_var);
                }
            }
        }
    }

    /// Gives every declaration its variables.
    pub(super) fn declare_all(&mut self) {
        let analysis = self.view.analysis();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            let start = self.signatures.params.len();
            self.signatures.starts.push(start as u32);
            let result =
                self.signature(decl).filter(|_| self.signatures.params.len() - start == decl.params.len());
            let result = match result {
                Some(result) => result,
                None => self.opaque_signature(decl, start),
            };
            self.signatures.results.push(result);
        }
        self.fix_overloads();
    }

    /// Pushes the variables of the parameters and returns that of the result; `None` if it is not written in a known
    /// form.
    fn signature(&mut self, decl: &Decl) -> Option<Var> {
        let tree = self.view.tree();
        if decl.arity > 0 || decl.is_sort() {
            return None;
        }
        match decl.kind {
            DeclKind::Fun => self.declared(decl),
            DeclKind::Macro | DeclKind::Recursive => self.defined(decl),
            DeclKind::Constructor => {
                if tree.is_list(decl.owner) {
                    for field in tree.children(decl.owner).skip(1) {
                        let sort = tree.child(field, 1)?;
                        let var = self.var(sort);
                        self.signatures.params.push(var);
                    }
                }
                let result = self.fresh(decl.result);
                self.classes.operand(result);
                Some(result)
            }
            DeclKind::Selector => {
                let datatype = self.fresh(*decl.params.first()?);
                self.classes.operand(datatype);
                self.signatures.params.push(datatype);
                Some(self.var(tree.child(decl.owner, 1)?))
            }
            DeclKind::Let | DeclKind::Bound | DeclKind::Param | DeclKind::Named => {
                Some(self.var(tree.child(decl.owner, 1)?))
            }
            DeclKind::Pattern => Some(self.fresh(decl.result)),
            DeclKind::Sort | DeclKind::SortMacro | DeclKind::Datatype | DeclKind::SortParam => None,
        }
    }

    fn declared(&mut self, decl: &Decl) -> Option<Var> {
        let tree = self.view.tree();
        let at = |n| tree.child(decl.owner, n);
        match self.view.script().command_kind(decl.owner) {
            CommandKind::DeclareConst | CommandKind::DeclareVar => Some(self.var(at(2)?)),
            kind @ (CommandKind::DeclareFun | CommandKind::DeclareRel) => {
                for sort in tree.children(at(2)?) {
                    let var = self.var(sort);
                    self.signatures.params.push(var);
                }
                if kind == CommandKind::DeclareRel {
                    return Some(Classes::BOOL);
                }
                Some(self.var(at(3)?))
            }
            _ => None,
        }
    }

    fn defined(&mut self, decl: &Decl) -> Option<Var> {
        let tree = self.view.tree();
        // The list that contains the name: the command, or the head `(f ((x S)…) S)` of `define-funs-rec`.
        let list = tree.parent(decl.name)?;
        let name = tree.children(list).position(|node| node == decl.name)?;
        let at = |n| tree.child(list, name + n);
        match self.view.script().command_kind(decl.owner) {
            CommandKind::DefineConst | CommandKind::Define => Some(self.var(at(1)?)),
            CommandKind::DefineFun | CommandKind::DefineFunRec | CommandKind::DefineFunsRec => {
                for pair in tree.children(at(1)?) {
                    let sort = tree.child(pair, 1)?;
                    let var = self.var(sort);
                    self.signatures.params.push(var);
                }
                Some(self.var(at(2)?))
            }
            _ => None,
        }
    }

    fn opaque_signature(&mut self, decl: &Decl, start: usize) -> Var {
        for at in start..self.signatures.params.len() {
            self.classes.fix(self.signatures.params[at]);
        }
        self.signatures.params.truncate(start);
        for &param in &decl.params {
            let var = self.fresh(param);
            self.classes.fix(var);
            self.signatures.params.push(var);
        }
        let result = self.fresh(decl.result);
        self.classes.fix(result);
        // Fixes sorts in a declaration that was not understood, because they do not correspond to the signature.
        match decl.kind {
            DeclKind::SortMacro if decl.arity > 0 => {
                if let Some(body) = self.view.tree().child(decl.owner, 3) {
                    self.fix_node(body);
                }
            }
            _ if decl.is_sort() => {}
            // One of several functions in a command: only its own head.
            DeclKind::Recursive => self.fix_sorts(self.view.tree().parent(decl.name).unwrap_or(decl.owner)),
            _ => self.fix_sorts(decl.owner),
        }
        result
    }

    fn fix_sorts(&mut self, root: NodeId) {
        for node in self.view.tree().subtree(root) {
            if self.view.analysis().role(node) == NodeRole::Sort {
                self.fix_node(node);
            }
        }
    }

    /// Functions with the same name are distinguished by their sorts, so these are fixed.
    fn fix_overloads(&mut self) {
        let analysis = self.view.analysis();
        let mut last: FxHashMap<&[u8], DeclId> = FxHashMap::default();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            if decl.is_sort() || decl.is_local() {
                continue;
            }
            let text = self.view.slice(decl.name);
            let quoted = self.view.tree().kind(decl.name) == NodeKind::Quoted;
            let name = if quoted { &text[1..text.len().saturating_sub(1).max(1)] } else { text };
            if let Some(other) = last.insert(name, id)
                && analysis.decl(other).scope.1 > decl.scope.0
            {
                self.fix_signature(id);
                self.fix_signature(other);
            }
        }
    }

    /// Fixes all sorts of a declaration.
    pub(super) fn fix_signature(&mut self, id: DeclId) {
        for at in 0..self.signatures.params(id).len() {
            self.classes.fix(self.signatures.params(id)[at]);
        }
        self.classes.fix(self.signatures.result(id));
    }
}
