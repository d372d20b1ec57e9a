//! From the tree of a script to terms: one walk with an explicit stack.
//!
//! The body of a definition is walked again for every combination of arguments; the result is cached by its
//! arguments. Definitions are not recursive, so a body is never entered while it is being walked, and a parameter or a
//! `let` variable has one value at a time.

use super::floats::Floats;
use super::operators::Operators;
use super::source::{MAX_CALL_STEPS, Source};
use nub_bitvec::{Op, Pool, Sort, TermId, Value};
use nub_smtlib::ops::Theory;
use nub_smtlib::{DeclId, DeclKind, Head, NodeId, NodeKind, SortId};
use nub_text::Diagnostic;
use rustc_hash::FxHashMap;

/// What remains to be done; results are on the stack of values.
enum Task {
    Visit(NodeId),
    /// Applies a head to this many values.
    Apply(NodeId, usize),
    /// Binds the variables of a `let` to the last values, and continues with its body.
    Bind(NodeId),
    /// Binds the names of an annotation to the last value.
    Name(NodeId),
    /// Caches the last value as that of a definition with these arguments.
    Keep(DeclId, Box<[TermId]>),
}

/// Terms of a script.
pub(super) struct Terms<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) pool: Pool,
    pub(super) operators: Operators,
    pub(super) floats: Floats,
    /// By declaration: variables, values of `let` variables, parameters and names.
    meanings: Vec<Option<TermId>>,
    calls: FxHashMap<(DeclId, Box<[TermId]>), TermId>,
    tasks: Vec<Task>,
    values: Vec<TermId>,
    /// Steps within definitions with parameters.
    n_call_steps: usize,
    /// Bodies of definitions with parameters that are being walked.
    n_open_calls: usize,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'a> Terms<'a> {
    /// Creates terms in a pool, which must be new.
    pub(super) fn with_pool(source: &'a Source<'a>, pool: Pool) -> Terms<'a> {
        Terms {
            source,
            pool,
            operators: Operators::default(),
            floats: Floats::default(),
            meanings: vec![None; source.analysis.decls().len()],
            calls: FxHashMap::default(),
            tasks: Vec::new(),
            values: Vec::new(),
            n_call_steps: 0,
            n_open_calls: 0,
        }
    }

    /// The term that a declaration denotes, if it has been declared.
    pub(super) fn meaning(&self, decl: DeclId) -> Option<TermId> {
        self.meanings[decl.0 as usize]
    }

    fn mean(&mut self, decl: DeclId, term: TermId) {
        self.meanings[decl.0 as usize] = Some(term);
    }

    /// Creates a variable for a declared constant, or an array for a declared function.
    pub(super) fn declare(&mut self, symbol: NodeId) -> Result<()> {
        let id = self.source.decl(symbol)?;
        let decl = self.source.analysis.decl(id);
        let result = self.source.sort(decl.result, symbol)?;
        let mut index = 0_u32;
        for &param in &decl.params {
            match self.source.sort(param, symbol)? {
                Sort::Bits(width) => index = index.saturating_add(width),
                Sort::Array { .. } => {
                    return Err(self.source.refuse(symbol, "functions of arrays are not supported"));
                }
            }
        }
        let sort = match result {
            _ if decl.params.is_empty() => result,
            Sort::Bits(element) => Sort::Array { index, element },
            Sort::Array { .. } => {
                return Err(self.source.refuse(symbol, "functions to arrays are not supported"));
            }
        };
        if !sort.is_valid() {
            return Err(self.source.refuse(symbol, "the arguments of this function are too wide"));
        }
        let var = self.pool.var(sort);
        if decl.params.is_empty() {
            self.restrict(var, decl.result);
        }
        self.mean(id, var);
        Ok(())
    }

    /// A definition without parameters. One with parameters is translated when it is used.
    pub(super) fn define(&mut self, symbol: NodeId, body: NodeId) -> Result<()> {
        let id = self.source.decl(symbol)?;
        if self.source.analysis.decl(id).params.is_empty() {
            let term = self.translate(body)?;
            self.mean(id, term);
        }
        Ok(())
    }

    /// The term at a node. After an error nothing more can be translated.
    pub(super) fn translate(&mut self, root: NodeId) -> Result<TermId> {
        self.tasks.push(Task::Visit(root));
        while let Some(task) = self.tasks.pop() {
            if self.n_open_calls > 0 {
                self.n_call_steps += 1;
                if self.n_call_steps > MAX_CALL_STEPS {
                    return Err(self.source.refuse(root, "definitions make this term too large"));
                }
            }
            match task {
                Task::Visit(node) => self.visit(node)?,
                Task::Apply(node, n_args) => self.apply(node, n_args)?,
                Task::Bind(node) => self.bind(node)?,
                Task::Name(node) => self.name(node)?,
                Task::Keep(decl, args) => {
                    self.n_open_calls -= 1;
                    self.calls.insert((decl, args), self.last());
                }
            }
        }
        Ok(self.pop())
    }

    fn last(&self) -> TermId {
        *self.values.last().expect("every task leaves one value")
    }

    fn pop(&mut self) -> TermId {
        self.values.pop().expect("every task leaves one value")
    }

    /// Pushes the value of a node, whose sort must be the one that the analysis found.
    fn give(&mut self, node: NodeId, term: TermId) -> Result<()> {
        if self.source.sort_of(node)? != self.pool.sort(term) {
            return Err(self.source.refuse(node, "the sort of this term is not certain"));
        }
        self.values.push(term);
        Ok(())
    }

    fn visit(&mut self, node: NodeId) -> Result<()> {
        match self.source.tree().kind(node) {
            NodeKind::List => self.visit_list(node),
            NodeKind::Symbol | NodeKind::Quoted => self.apply(node, 0),
            NodeKind::Hex | NodeKind::Binary => {
                let value = self.literal(node)?;
                let term = self.pool.constant(value);
                self.give(node, term)
            }
            _ => {
                self.source.sort_of(node)?;
                Err(self.source.refuse(node, "this literal is not supported"))
            }
        }
    }

    fn visit_list(&mut self, node: NodeId) -> Result<()> {
        let tree = self.source.tree();
        let Some(first) = tree.first_child(node) else {
            return Err(self.source.refuse(node, "a term is expected here"));
        };
        if let Some(head) = self.source.analysis.head(node) {
            // `(_ f 1)` or `(as f S)` alone is not an application, but a constant such as `(_ +oo 8 24)`.
            if !tree.is_list(first) && head.symbol != first {
                let is_constant =
                    head.op.is_some_and(|op| op.is_constant() && op.theory == Theory::FloatingPoint);
                return if is_constant {
                    self.apply(node, 0)
                } else {
                    Err(self.source.refuse(node, "this constant is not supported"))
                };
            }
            let arguments = self.translated_arguments(node);
            self.tasks.push(Task::Apply(node, arguments.len()));
            self.visit_all(arguments);
            return Ok(());
        }
        match self.source.script.slice(first) {
            b"let" => self.visit_let(node),
            b"!" => {
                let body =
                    tree.child(node, 1).ok_or_else(|| self.source.refuse(node, "a term is missing"))?;
                self.tasks.extend([Task::Name(node), Task::Visit(body)]);
                Ok(())
            }
            b"_" => {
                let value = self.decimal_literal(node)?;
                let term = self.pool.constant(value);
                self.give(node, term)
            }
            name => {
                let name = String::from_utf8_lossy(name).into_owned();
                let what =
                    if tree.is_list(first) { "applying a term".to_owned() } else { format!("`{name}`") };
                Err(self.source.refuse(node, format!("{what} is not supported")))
            }
        }
    }

    fn visit_all(&mut self, nodes: Vec<NodeId>) {
        self.tasks.extend(nodes.into_iter().rev().map(Task::Visit));
    }

    /// `(let ((x t)…) body)`; the analysis has seen its shape.
    fn visit_let(&mut self, node: NodeId) -> Result<()> {
        let [bindings, _] = self.source.arguments(node)?;
        self.tasks.push(Task::Bind(node));
        // The nodes of a pair are the list, the name, and the value.
        self.visit_all(self.source.tree().children(bindings).map(|pair| NodeId(pair.0 + 2)).collect());
        Ok(())
    }

    fn bind(&mut self, node: NodeId) -> Result<()> {
        let [bindings, body] = self.source.arguments(node)?;
        let pairs: Vec<NodeId> = self.source.tree().children(bindings).collect();
        for pair in pairs.into_iter().rev() {
            let value = self.pop();
            let decl = self.source.decl(NodeId(pair.0 + 1))?;
            self.mean(decl, value);
        }
        self.tasks.push(Task::Visit(body));
        Ok(())
    }

    /// `(! t :named x)`; other attributes have no effect.
    fn name(&mut self, node: NodeId) -> Result<()> {
        let children: Vec<NodeId> = self.source.tree().children(node).skip(2).collect();
        for pair in children.windows(2).filter(|pair| self.source.script.slice(pair[0]) == b":named") {
            if self.n_open_calls > 0 {
                return Err(self.source.refuse(pair[1], "a name within a definition with parameters"));
            }
            let decl = self.source.decl(pair[1])?;
            self.mean(decl, self.last());
        }
        Ok(())
    }

    /// `#x1f`, `#b01`
    fn literal(&self, node: NodeId) -> Result<Value> {
        let Sort::Bits(width) = self.source.sort_of(node)? else {
            return Err(self.source.refuse(node, "this literal is not supported"));
        };
        let text = self.source.script.slice(node);
        let digits = text.get(2..).unwrap_or_default();
        let value = match self.source.tree().kind(node) {
            NodeKind::Binary => Value::parse_binary(digits),
            _ => Value::parse_hex(width, digits),
        };
        value.ok_or_else(|| self.source.refuse(node, "this literal has no digits"))
    }

    /// `(_ bv5 8)`
    fn decimal_literal(&self, node: NodeId) -> Result<Value> {
        let [symbol, _] = self.source.arguments(node)?;
        let Sort::Bits(width) = self.source.sort_of(node)? else {
            return Err(self.source.refuse(node, "this constant is not supported"));
        };
        let digits = self.source.script.slice(symbol).strip_prefix(b"bv");
        let value = digits.and_then(|digits| Value::parse_decimal(width, digits));
        value.ok_or_else(|| self.source.refuse(node, format!("this number does not fit {width} bits")))
    }

    fn apply(&mut self, node: NodeId, n_args: usize) -> Result<()> {
        let args = self.values.split_off(self.values.len() - n_args);
        let Some(head) = self.source.analysis.head(node) else {
            self.source.sort_of(node)?;
            return Err(self.source.refuse(node, "this literal is not supported"));
        };
        match (head.decl, head.op) {
            (Some(decl), None) => self.apply_declared(node, decl, args),
            (None, Some(op)) => {
                self.source.sort_of(node)?;
                let indices = self.indices(head)?;
                let term = self.apply_built_in(node, op, &args, &indices)?;
                self.give(node, term)
            }
            _ => Err(self.source.refuse(node, "this term is not supported")),
        }
    }

    fn indices(&self, head: Head) -> Result<Vec<u32>> {
        let Some(first) = head.first_index else { return Ok(Vec::new()) };
        let Some(list) = self.source.tree().parent(first) else { return Ok(Vec::new()) };
        let indices = self.source.tree().children(list).skip_while(|node| *node < first);
        indices.map(|index| self.source.numeral(index)).collect()
    }

    fn apply_declared(&mut self, node: NodeId, id: DeclId, args: Vec<TermId>) -> Result<()> {
        let decl = self.source.analysis.decl(id);
        let is_function = matches!(decl.kind, DeclKind::Fun | DeclKind::Macro);
        if args.len() != decl.params.len() || (!args.is_empty() && !is_function) {
            return Err(self.source.refuse(node, "only functions with all their arguments are supported"));
        }
        if decl.kind == DeclKind::Macro && !args.is_empty() {
            return self.call(node, id, args);
        }
        let Some(meaning) = self.meaning(id) else {
            let name = String::from_utf8_lossy(self.source.name(id)).into_owned();
            return Err(self.source.refuse(node, format!("`{name}` is not supported here")));
        };
        let term = match args.split_first() {
            None => meaning,
            Some((&first, others)) => {
                let index =
                    others.iter().try_fold(first, |all, arg| self.pool.apply(Op::Concat, &[all, *arg], &[]));
                let read = index.and_then(|index| self.pool.apply(Op::Read, &[meaning, index], &[]));
                let read = read.map_err(|error| self.source.refuse(node, error.to_string()))?;
                self.restrict(read, decl.result);
                read
            }
        };
        self.give(node, term)
    }

    /// Continues with the body of a definition with parameters.
    fn call(&mut self, node: NodeId, id: DeclId, args: Vec<TermId>) -> Result<()> {
        let args = args.into_boxed_slice();
        if let Some(&known) = self.calls.get(&(id, args.clone())) {
            return self.give(node, known);
        }
        let [_, params, _, body] = self.source.arguments(self.source.analysis.decl(id).owner)?;
        for (param, &arg) in self.source.tree().children(params).zip(args.iter()) {
            // The nodes of a parameter are the list, the name, and the sort.
            let symbol = NodeId(param.0 + 1);
            let decl = self.source.decl(symbol)?;
            let sort = self.source.sort(self.source.analysis.decl(decl).result, symbol)?;
            if sort != self.pool.sort(arg) {
                return Err(self.source.refuse(node, "an argument has another sort than its parameter"));
            }
            self.mean(decl, arg);
        }
        self.n_open_calls += 1;
        self.tasks.extend([Task::Keep(id, args), Task::Visit(body)]);
        Ok(())
    }

    /// The SMT-LIB sort of a term.
    pub(super) fn smt_sort(&self, node: NodeId) -> SortId {
        self.source.analysis.sort_of(node).unwrap_or(SortId::UNKNOWN)
    }
}
