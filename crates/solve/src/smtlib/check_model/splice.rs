//! Splices a model into a script.

use super::Refusal;
use super::active::Active;
use super::definitions::{Definition, Definitions, plain};
use super::tabulate::{Function, indices};
use nub_smtlib::{CommandKind, NodeId, Script};
use rustc_hash::{FxHashMap, FxHashSet};

/// A script whose constants and functions are those of a model.
pub(super) struct Spliced {
    pub(super) text: Vec<u8>,
    /// Constants that represent the elements of declared sorts, as in the text, and their numbers.
    pub(super) elements: FxHashMap<Vec<u8>, u32>,
}

impl Spliced {
    /// Takes O(script + model), plus the tables of arrays that are given by functions.
    pub(super) fn new(script: &Script, active: &Active, model: &Definitions<'_>) -> Result<Spliced, Refusal> {
        let mut writer = Writer {
            script,
            model,
            declared: FxHashMap::default(),
            written: FxHashSet::default(),
            n_lambdas: 0,
            out: Spliced { text: Vec::new(), elements: FxHashMap::default() },
        };
        writer.commands(active)?;
        Ok(writer.out)
    }
}

/// The sorts in a declaration of the script: they take precedence over those in the model.
#[derive(Clone)]
struct Declared {
    params: Vec<NodeId>,
    result: NodeId,
}

struct Writer<'a, 'm> {
    script: &'a Script,
    model: &'a Definitions<'m>,
    declared: FxHashMap<&'a [u8], Declared>,
    written: FxHashSet<&'m [u8]>,
    n_lambdas: usize,
    out: Spliced,
}

impl<'a, 'm> Writer<'a, 'm> {
    fn commands(&mut self, active: &Active) -> Result<(), Refusal> {
        let is_early = |kind: CommandKind| {
            matches!(kind, CommandKind::SetLogic | CommandKind::DeclareSort | CommandKind::DefineSort)
        };
        // A definition of the model may be needed before the script declares it, so sorts come first.
        for (node, _) in active.commands.iter().filter(|(_, kind)| is_early(*kind)) {
            self.copy(*node);
        }
        for (node, kind) in &active.commands {
            if let Some((name, declared)) = self.declaration(*node, *kind) {
                self.declared.insert(plain(self.script.slice(name)), declared);
            }
        }
        for (node, kind) in active.commands.iter().filter(|(_, kind)| !is_early(*kind)) {
            match self.declaration(*node, *kind) {
                Some((name, _)) if self.model.get(self.script.slice(name)).is_some() => {
                    self.define(self.script.slice(name))?;
                }
                _ => self.copy(*node),
            }
        }
        for &formula in &active.assumptions {
            self.text(&[b"(assert ", self.script.slice(formula), b")\n"]);
        }
        Ok(())
    }

    fn text(&mut self, parts: &[&[u8]]) {
        parts.iter().for_each(|part| self.out.text.extend_from_slice(part));
    }

    fn copy(&mut self, command: NodeId) {
        self.text(&[self.script.slice(command), b"\n"]);
    }

    fn declaration(&self, node: NodeId, kind: CommandKind) -> Option<(NodeId, Declared)> {
        let tree = self.script.tree();
        let parts: Vec<NodeId> = tree.children(node).take(5).collect();
        match (kind, &parts[..]) {
            (CommandKind::DeclareConst, &[_, name, result]) => {
                Some((name, Declared { params: Vec::new(), result }))
            }
            (CommandKind::DeclareFun, &[_, name, params, result]) => {
                Some((name, Declared { params: tree.children(params).collect(), result }))
            }
            _ => None,
        }
    }

    /// Writes a definition of the model, after those that it uses.
    fn define(&mut self, name: &[u8]) -> Result<(), Refusal> {
        let mut open = FxHashSet::default();
        let mut todo: Vec<&'m [u8]> = self.model.key(name).into_iter().collect();
        while let Some(&name) = todo.last() {
            let Some(definition) = self.model.get(name).filter(|_| !self.written.contains(name)) else {
                todo.pop();
                continue;
            };
            if open.insert(name) {
                let used = self.used(definition);
                if used.iter().any(|other| open.contains(other) && !self.written.contains(other)) {
                    return Err(Refusal::Model("a definition of the model is recursive"));
                }
                todo.extend(used);
            } else {
                todo.pop();
                self.write(name, definition)?;
                self.written.insert(name);
            }
        }
        Ok(())
    }

    /// The definitions that a body may use. A variable with the same name as a definition is included, which does no harm.
    fn used(&self, of: Definition) -> Vec<&'m [u8]> {
        let model = self.model.model;
        let params: Vec<&[u8]> =
            self.model.params(of).iter().map(|(name, _)| plain(model.slice(*name))).collect();
        let symbols = model.tree().subtree(of.body).filter(|node| model.tree().is_symbol(*node));
        let names = symbols.filter_map(|node| self.model.key(model.slice(node)));
        names.filter(|name| !params.contains(name)).collect()
    }

    fn write(&mut self, name: &[u8], definition: Definition) -> Result<(), Refusal> {
        let body = self.body(definition.body)?;
        let params = self.model.params(definition);
        let model = self.model.model;
        let declared = self.declared.get(name).cloned();
        if declared.as_ref().is_some_and(|declared| declared.params.len() != params.len()) {
            return Err(Refusal::Model("the model gives a function another number of arguments"));
        }
        self.text(&[b"(define-fun |", name, b"| ("]);
        for (at, (param, sort)) in params.iter().enumerate() {
            let sort = match &declared {
                Some(declared) => self.script.slice(declared.params[at]),
                None => model.slice(*sort),
            };
            self.text(&[b"(", model.slice(*param), b" ", sort, b")"]);
        }
        let result = match &declared {
            Some(declared) => self.script.slice(declared.result),
            None => model.slice(definition.result),
        };
        self.text(&[b") ", result, b" ", &body, b")\n"]);
        Ok(())
    }

    /// Translates a term of the model for our reader. Definitions that it needs are written first.
    fn body(&mut self, body: NodeId) -> Result<Vec<u8>, Refusal> {
        let model = self.model.model;
        let tree = model.tree();
        let mut out = Vec::new();
        let mut from = tree.span(body).start as usize;
        let mut next = body;
        while next < tree.after(body) {
            let (node, span) = (next, tree.span(next));
            let Some(text) = self.replacement(node)? else {
                next = NodeId(node.0 + 1);
                continue;
            };
            out.extend_from_slice(&model.text()[from..span.start as usize]);
            out.extend_from_slice(&text);
            from = span.end as usize;
            next = tree.after(node);
        }
        out.extend_from_slice(&model.text()[from..tree.span(body).end as usize]);
        Ok(out)
    }

    fn replacement(&mut self, node: NodeId) -> Result<Option<Vec<u8>>, Refusal> {
        let model = self.model.model;
        let tree = model.tree();
        if tree.is_symbol(node) {
            let name = model.slice(node);
            let sort = self.model.element_sort(name).filter(|_| self.model.get(name).is_none());
            return Ok(sort.map(|sort| self.element(name, sort)));
        }
        let parts: Vec<NodeId> = tree.children(node).take(4).collect();
        let texts: Vec<&[u8]> = parts.iter().map(|part| model.slice(*part)).collect();
        match texts[..] {
            [b"as", name, sort] if name != b"const" => Ok(Some(self.element(name, sort))),
            [b"_", b"as-array", name] => self.as_array(name).map(Some),
            [b"lambda", _, _] => self.lambda(parts[1], parts[2]).map(Some),
            _ => Ok(None),
        }
    }

    /// A constant for an element of a declared sort.
    fn element(&mut self, name: &[u8], sort: &[u8]) -> Vec<u8> {
        let symbol = [b"|element ", plain(name), b" of ", plain(sort), b"|"].concat();
        if !self.out.elements.contains_key(&symbol) {
            let number = self.out.elements.len() as u32;
            self.out.elements.insert(symbol.clone(), number);
            let bars: &[u8] = if sort.iter().any(|byte| b" \t".contains(byte)) && !sort.starts_with(b"|") {
                b"|"
            } else {
                b""
            };
            self.text(&[b"(declare-const ", &symbol, b" ", bars, sort, bars, b")\n"]);
        }
        symbol
    }

    fn as_array(&mut self, name: &[u8]) -> Result<Vec<u8>, Refusal> {
        let definition =
            self.model.get(name).ok_or(Refusal::Model("the model has an array of an unknown function"))?;
        let &[(param, sort)] = &self.model.params(definition)[..] else {
            return Err(Refusal::Model("the model has an array of a function of several arguments"));
        };
        let name = [b"|", plain(name), b"|"].concat();
        let element = self.model.model.slice(definition.result);
        self.table(&name, element, &Function { param, sort, body: definition.body })
    }

    /// The body becomes a definition. A `lambda` within another would be an array of arrays.
    fn lambda(&mut self, params: NodeId, body: NodeId) -> Result<Vec<u8>, Refusal> {
        let tree = self.model.model.tree();
        let pairs: Vec<NodeId> = tree.children(params).collect();
        let parts: Vec<NodeId> = pairs.iter().flat_map(|pair| tree.children(*pair)).collect();
        let &[param, sort] = &parts[..] else {
            return Err(Refusal::Model("the model has a function of several arguments as an array"));
        };
        if tree.subtree(body).any(|node| self.model.model.slice(node) == b"lambda") {
            return Err(Refusal::Model("the model has an array of arrays"));
        }
        let element = self
            .element_of_lambda(tree.parent(params))
            .ok_or(Refusal::Model("the sort of an array is not known"))?;
        self.n_lambdas += 1;
        let name = format!("|lambda {}|", self.n_lambdas).into_bytes();
        let text = self.body(body)?;
        let model = self.model.model;
        let header = [b"(", model.slice(param), b" ", model.slice(sort), b")"].concat();
        self.text(&[b"(define-fun ", &name, b" (", &header, b") ", element, b" ", &text, b")\n"]);
        self.table(&name, element, &Function { param, sort, body })
    }

    /// The element sort of the array sort `(Array I E)` that the definition around a `lambda` has.
    fn element_of_lambda(&self, lambda: Option<NodeId>) -> Option<&'m [u8]> {
        let (model, tree) = (self.model.model, self.model.model.tree());
        let mut at = lambda?;
        while let Some(parent) = tree.parent(at) {
            let parts: Vec<NodeId> = tree.children(parent).take(6).collect();
            if let &[head, _, _, result, _] = &parts[..]
                && model.slice(head) == b"define-fun"
            {
                let sort: Vec<NodeId> = tree.children(result).collect();
                return match sort[..] {
                    [array, _, element] if model.slice(array) == b"Array" => Some(model.slice(element)),
                    _ => None,
                };
            }
            at = parent;
        }
        None
    }

    fn table(&mut self, name: &[u8], element: &[u8], function: &Function) -> Result<Vec<u8>, Refusal> {
        let indices = indices(self.model, function)?;
        let sort = self.model.model.slice(function.sort);
        let mut text = b"(store ".repeat(indices.named.len());
        let at = |index: &nub_bitvec::Value| [b"(", name, b" ", index.to_string().as_bytes(), b")"].concat();
        text.extend(
            [b"((as const (Array ", sort, b" ", element, b")) ", &at(&indices.other)[..], b")"].concat(),
        );
        for index in &indices.named {
            text.extend([b" ", index.to_string().as_bytes(), b" ", &at(index)[..], b")"].concat());
        }
        Ok(text)
    }
}
