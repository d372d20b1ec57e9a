//! A model as a table of definitions.

use nub_smtlib::{NodeId, Script};
use rustc_hash::FxHashMap;

/// A constant or function of a model: parts of its `define-fun`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// The list of `(name sort)`.
    pub(super) params: NodeId,
    pub(super) result: NodeId,
    pub(super) body: NodeId,
}

/// See the module documentation.
pub(super) struct Definitions<'m> {
    pub(super) model: &'m Script,
    by_name: FxHashMap<&'m [u8], Definition>,
    /// Elements of declared sorts that the model declares, with their sorts.
    elements: FxHashMap<&'m [u8], &'m [u8]>,
    /// True if a definition or declaration lacks a part: z3 prints the sort `|U 1|` without its bars.
    pub(super) is_malformed: bool,
}

/// A symbol without its bars: `|x|` is `x`.
pub(super) fn plain(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"|").and_then(|name| name.strip_suffix(b"|")).unwrap_or(name)
}

impl<'m> Definitions<'m> {
    /// The last model in the output of a solver. A definition outside all brackets is part of it, too.
    pub(super) fn of(model: &'m Script) -> Definitions<'m> {
        let tree = model.tree();
        let mut found = Definitions {
            model,
            by_name: FxHashMap::default(),
            elements: FxHashMap::default(),
            is_malformed: false,
        };
        for root in tree.roots().filter(|node| tree.is_list(*node)) {
            let mut items: Vec<NodeId> = tree.children(root).collect();
            let head = items.first().map_or(&b""[..], |first| model.slice(*first));
            match head {
                b"define-fun" => items = vec![root],
                b"model" => found.forget(),
                // `(error "…")` and values: `(((x #b1)))`.
                _ if items.iter().any(|item| !found.is_item(*item)) => continue,
                _ => found.forget(),
            }
            items.into_iter().for_each(|item| found.add(item));
        }
        found
    }

    fn forget(&mut self) {
        self.by_name.clear();
        self.elements.clear();
        self.is_malformed = false;
    }

    fn head(&self, item: NodeId) -> &'m [u8] {
        self.model.tree().first_child(item).map_or(&b""[..], |head| self.model.slice(head))
    }

    fn is_item(&self, node: NodeId) -> bool {
        let heads: &[&[u8]] =
            &[b"define-fun", b"define-fun-rec", b"declare-fun", b"declare-datatypes", b"forall"];
        heads.contains(&self.head(node))
    }

    fn add(&mut self, item: NodeId) {
        let parts: Vec<NodeId> = self.model.tree().children(item).collect();
        match (self.head(item), &parts[..]) {
            (b"define-fun" | b"define-fun-rec", &[_, name, params, result, body]) => {
                let name = plain(self.model.slice(name));
                self.by_name.insert(name, Definition { params, result, body });
            }
            (b"declare-fun", &[_, name, _, sort]) => {
                self.elements.insert(plain(self.model.slice(name)), self.model.slice(sort));
            }
            (b"define-fun" | b"define-fun-rec" | b"declare-fun", _) => self.is_malformed = true,
            _ => {}
        }
    }

    /// The definition of a name, with or without bars.
    pub(super) fn get(&self, name: &[u8]) -> Option<Definition> {
        self.by_name.get(plain(name)).copied()
    }

    /// The name as written in the model.
    pub(super) fn key(&self, name: &[u8]) -> Option<&'m [u8]> {
        self.by_name.get_key_value(plain(name)).map(|(key, _)| *key)
    }

    /// The sort of a symbol that denotes an element of a declared sort: declared by the model, or with a name as used by z3
    /// (`S!val!0`) or CVC4 (`@uc_S_0`).
    pub(super) fn element_sort(&self, name: &'m [u8]) -> Option<&'m [u8]> {
        let name = plain(name);
        if let Some(sort) = self.elements.get(name) {
            return Some(sort);
        }
        if let Some(at) = name.windows(5).position(|part| part == b"!val!") {
            return Some(&name[..at]);
        }
        let numbered = name.strip_prefix(b"@uc_")?;
        let end = numbered.iter().rposition(|byte| *byte == b'_')?;
        Some(&numbered[..end])
    }

    /// The parameters of a definition: names and sorts.
    pub(super) fn params(&self, of: Definition) -> Vec<(NodeId, NodeId)> {
        let tree = self.model.tree();
        let pairs = tree.children(of.params);
        pairs.filter_map(|pair| Some((tree.child(pair, 0)?, tree.child(pair, 1)?))).collect()
    }
}
