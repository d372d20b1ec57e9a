//! Commands that declare sorts: `declare-sort`, `define-sort`, datatypes in the syntax of 2.6 and of 2.5.

use super::engine::Engine;
use super::tables::NodeRole;
use super::{Decl, DeclId, DeclKind};
use crate::{NodeId, NodeKind, SmtSort, SortId};

impl Engine<'_> {
    fn declare_sort_name(
        &mut self,
        kind: DeclKind,
        name: NodeId,
        owner: NodeId,
        command: NodeId,
        arity: u32,
    ) -> DeclId {
        // A datatype is visible in its own declaration.
        let start = if kind == DeclKind::Datatype { command } else { self.tree.after(command) };
        let scope = (start, self.end());
        let (params, result) = (Box::default(), SortId::UNKNOWN);
        self.declare(Decl { kind, name, owner, binder: command, scope, params, result, arity, parent: None })
    }

    /// `(declare-sort S n)`; solvers read a missing number as 0.
    pub(super) fn declare_sort(&mut self, node: NodeId) {
        let Some([_, name]) = self.at_least(node).filter(|&[_, name]| self.tree.is_symbol(name)) else {
            return;
        };
        let arity = self.next_sibling(name, self.tree.after(node)).and_then(|n| self.numeral(n)).unwrap_or(0);
        let id = self.declare_sort_name(DeclKind::Sort, name, node, node, arity);
        if arity == 0 {
            self.out.decls[id.0 as usize].result = self.intern(SmtSort::User(id, Box::default()));
        }
    }

    pub(super) fn declare_sort_parameter(&mut self, node: NodeId) {
        let Some([_, name]) = self.at_least(node).filter(|&[_, name]| self.tree.is_symbol(name)) else {
            return;
        };
        let id = self.declare_sort_name(DeclKind::SortParam, name, node, node, 0);
        self.out.decls[id.0 as usize].result = self.intern(SmtSort::Param(id));
    }

    /// Declares the sort parameters in a list; they are local to `binder`.
    fn declare_params(&mut self, list: NodeId, binder: NodeId) -> Vec<SortId> {
        let names = self.tree.children(list).filter(|&name| self.tree.is_symbol(name));
        names
            .map(|name| {
                let id = self.declare_sort_name(DeclKind::SortParam, name, name, binder, 0);
                let sort = self.intern(SmtSort::Param(id));
                let decl = &mut self.out.decls[id.0 as usize];
                (decl.result, decl.scope) = (sort, (self.tree.after(list), self.tree.after(binder)));
                sort
            })
            .collect()
    }

    /// `(define-sort S (A…) S)`
    pub(super) fn define_sort(&mut self, node: NodeId) {
        let Some([_, name, list, body]) = self.exactly(node) else { return };
        if !self.tree.is_symbol(name) {
            return;
        }
        let n_locals = self.n_locals();
        let params = self.declare_params(list, node);
        let value = self.sort(body);
        self.forget_locals(n_locals);
        let id = self.declare_sort_name(DeclKind::SortMacro, name, node, node, params.len() as u32);
        let decl = &mut self.out.decls[id.0 as usize];
        (decl.params, decl.result) = (params.into(), value);
    }

    /// `(declare-datatype D d)`
    pub(super) fn declare_datatype(&mut self, node: NodeId) {
        let Some([_, name, body]) = self.at_least(node).filter(|&[_, name, _]| self.tree.is_symbol(name))
        else {
            return;
        };
        let id = self.declare_sort_name(DeclKind::Datatype, name, node, node, 0);
        self.open_datatypes = id.0..id.0 + 1;
        self.datatype_body(id, body, node);
        self.open_datatypes = 0..0;
        // z3: `:subterm name` declares an order on the datatype.
        if let Some([_, _, _, key, order]) = self.exactly(node)
            && self.script.slice(key) == b":subterm"
        {
            self.mark(key, NodeRole::Attribute);
            let sort = self.out.decl(id).result;
            self.declare_global(DeclKind::Fun, order, node, &[sort, sort], SortId::BOOL);
        }
    }

    /// `(declare-datatypes ((D n)…) (d…))`, or `(declare-datatypes (A…) ((D c…)…))` as in 2.5.
    pub(super) fn declare_datatypes(&mut self, node: NodeId) {
        let Some([_, names, bodies]) = self.at_least(node) else { return };
        let old = match self.tree.first_child(names) {
            Some(first) => !self.tree.is_list(first),
            None => self.tree.first_child(bodies).is_some(),
        };
        if old {
            self.old_datatypes(node, names, bodies)
        } else {
            self.new_datatypes(node, names, bodies)
        }
        self.open_datatypes = 0..0;
    }

    fn new_datatypes(&mut self, node: NodeId, names: NodeId, bodies: NodeId) {
        let first = self.out.decls.len() as u32;
        let mut ids = Vec::new();
        for entry in self.tree.children(names) {
            let name = self.tree.first_child(entry).filter(|&name| self.tree.is_symbol(name));
            let arity = self.tree.child(entry, 1).and_then(|n| self.numeral(n)).unwrap_or(0);
            ids.push(name.map(|name| self.declare_sort_name(DeclKind::Datatype, name, entry, node, arity)));
        }
        self.open_datatypes = first..self.out.decls.len() as u32;
        for (id, body) in ids.into_iter().zip(self.tree.children(bodies)) {
            if let Some(id) = id {
                self.datatype_body(id, body, node);
            }
        }
    }

    fn old_datatypes(&mut self, node: NodeId, names: NodeId, bodies: NodeId) {
        let n_locals = self.n_locals();
        let params = self.declare_params(names, node);
        let first = self.out.decls.len() as u32;
        let mut entries = Vec::new();
        for entry in self.tree.children(bodies) {
            let Some(name) = self.tree.first_child(entry).filter(|&name| self.tree.is_symbol(name)) else {
                continue;
            };
            let arity = params.len() as u32;
            let id = self.declare_sort_name(DeclKind::Datatype, name, entry, node, arity);
            self.set_params(id, &params);
            entries.push((id, entry));
        }
        self.open_datatypes = first..self.out.decls.len() as u32;
        for (id, entry) in entries {
            for constructor in self.tree.children(entry).skip(1) {
                self.constructor(id, constructor, node);
            }
        }
        self.forget_locals(n_locals);
    }

    fn set_params(&mut self, id: DeclId, params: &[SortId]) {
        let result = self.intern(SmtSort::User(id, params.into()));
        let decl = &mut self.out.decls[id.0 as usize];
        (decl.params, decl.result, decl.arity) = (params.into(), result, params.len() as u32);
    }

    /// `(c…)` or `(par (A…) (c…))`
    fn datatype_body(&mut self, id: DeclId, body: NodeId, command: NodeId) {
        let n_locals = self.n_locals();
        let (params, constructors) = match self.exactly(body) {
            Some([par, list, constructors])
                if self.script.slice(par) == b"par" && self.tree.is_list(list) =>
            {
                (self.declare_params(list, body), constructors)
            }
            _ => (Vec::new(), body),
        };
        self.set_params(id, &params);
        for constructor in self.tree.children(constructors) {
            self.constructor(id, constructor, command);
        }
        self.forget_locals(n_locals);
    }

    /// `c` or `(c (s S)…)`
    fn constructor(&mut self, datatype: DeclId, node: NodeId, command: NodeId) {
        let is_list = self.tree.is_list(node);
        let Some(name) = (if is_list { self.tree.first_child(node) } else { Some(node) }) else { return };
        if !self.tree.is_symbol(name) {
            return;
        }
        let fields: Vec<(NodeId, SortId)> = if is_list {
            self.tree.children(node).skip(1).map(|field| (field, self.field_sort(field))).collect()
        } else {
            Vec::new()
        };
        let sorts: Vec<SortId> = fields.iter().map(|&(_, sort)| sort).collect();
        let result = self.out.decl(datatype).result;
        let id = self.member(DeclKind::Constructor, name, node, command, &sorts, result, datatype);
        for (field, sort) in fields {
            if let Some(name) = self.tree.first_child(field).filter(|&name| self.tree.is_symbol(name)) {
                self.member(DeclKind::Selector, name, field, command, &[result], sort, id);
            }
        }
    }

    /// The sort in `(s S)`.
    fn field_sort(&mut self, field: NodeId) -> SortId {
        match self.exactly(field) {
            Some([_, sort]) if self.tree.kind(field) == NodeKind::List => self.sort(sort),
            _ => SortId::UNKNOWN,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn member(
        &mut self,
        kind: DeclKind,
        name: NodeId,
        owner: NodeId,
        command: NodeId,
        params: &[SortId],
        result: SortId,
        parent: DeclId,
    ) -> DeclId {
        let scope = (self.tree.after(command), self.end());
        let arity = self.out.decl(parent).arity;
        self.declare(Decl {
            kind,
            name,
            owner,
            binder: command,
            scope,
            params: params.into(),
            result,
            arity,
            parent: Some(parent),
        })
    }
}
