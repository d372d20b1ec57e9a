//! Turns a function that represents an array, `(_ as-array f)` or a `lambda`, into an array by cases.
//!
//! ```text
//! before: (_ as-array f), with (define-fun f ((x (_ BitVec 32))) Bool (= x #x00000007))
//! after:  (store ((as const (Array (_ BitVec 32) Bool)) (f #b0…0)) #b0…0111 (f #b0…0111))
//! ```
//!
//! If a body only compares its parameter with constants, its value is the same for all other indices: the
//! constants and one other index are enough. Any other body is evaluated at all indices, if there are few.

use super::Refusal;
use super::definitions::{Definition, Definitions};
use crate::arrays::unnamed;
use nub_bitvec::Value;
use nub_smtlib::{NodeId, NodeKind};
use rustc_hash::FxHashSet;

/// The largest index width at which all indices are evaluated.
const MAX_LISTED_WIDTH: u32 = 10;

/// Operators whose result depends only on which constants a parameter equals.
const COMPARING: &[&[u8]] =
    &[b"ite", b"and", b"or", b"not", b"=", b"=>", b"xor", b"distinct", b"let", b"as", b"_"];

/// The indices at which to evaluate a function, and one that represents all others if there are others.
pub(super) struct Indices {
    pub(super) named: Vec<Value>,
    pub(super) other: Value,
}

/// A body with its one parameter.
pub(super) struct Function {
    pub(super) param: NodeId,
    pub(super) sort: NodeId,
    pub(super) body: NodeId,
}

/// The indices of a function of one parameter. O(total size of all bodies that it can reach).
pub(super) fn indices(model: &Definitions<'_>, function: &Function) -> Result<Indices, Refusal> {
    let width = width_of(model, function.sort)?;
    let mut named = if width <= MAX_LISTED_WIDTH {
        (0..1_u64 << width).map(|number| Value::from_u64(width, number)).collect()
    } else {
        let mut seen =
            Mentioned { model, width, values: Vec::new(), called: FxHashSet::default(), todo: Vec::new() };
        seen.body(function.param, function.body)?;
        while let Some(definition) = seen.todo.pop() {
            for (param, _) in model.params(definition) {
                seen.body(param, definition.body)?;
            }
        }
        seen.values
    };
    named.sort_unstable();
    named.dedup();
    let other = unnamed(width, named.iter()).unwrap_or_else(|| Value::zero(width));
    Ok(Indices { named, other })
}

/// The width of `(_ BitVec 8)`; `Bool` has one bit.
fn width_of(model: &Definitions<'_>, sort: NodeId) -> Result<u32, Refusal> {
    let tree = model.model.tree();
    let parts: Vec<&[u8]> = tree.children(sort).map(|part| model.model.slice(part)).collect();
    let width = match parts[..] {
        [b"_", b"BitVec", width] => std::str::from_utf8(width).ok().and_then(|digits| digits.parse().ok()),
        _ => None,
    };
    let width = width.filter(|width| (1..=crate::MAX_READ_WIDTH).contains(width));
    width.ok_or(Refusal::Model("the index of an array is not a bit-vector"))
}

/// The constants of the index's width in all bodies that a function reaches.
struct Mentioned<'d, 'm> {
    model: &'d Definitions<'m>,
    width: u32,
    values: Vec<Value>,
    called: FxHashSet<&'m [u8]>,
    todo: Vec<Definition>,
}

impl Mentioned<'_, '_> {
    fn body(&mut self, param: NodeId, body: NodeId) -> Result<(), Refusal> {
        let script = self.model.model;
        let tree = script.tree();
        let param = script.slice(param);
        for node in tree.subtree(body) {
            match tree.kind(node) {
                NodeKind::Hex | NodeKind::Binary => {
                    self.values.extend(literal(self.width, script.slice(node)))
                }
                NodeKind::List => self.values.extend(decimal(self.width, self.model, node)),
                NodeKind::Symbol | NodeKind::Quoted if script.slice(node) == param => {
                    self.check_use(node, body)?;
                }
                NodeKind::Symbol | NodeKind::Quoted if node != body && is_head(self.model, node) => {
                    self.check_head(script.slice(node))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A parameter may be compared or passed on. If it is returned or computed with, every index matters.
    fn check_use(&self, node: NodeId, body: NodeId) -> Result<(), Refusal> {
        let tree = self.model.model.tree();
        let head = tree.parent(node).filter(|_| node != body).and_then(|list| tree.first_child(list));
        let head = head.map_or(&b""[..], |head| self.model.model.slice(head));
        if matches!(head, b"=" | b"distinct") || self.model.get(head).is_some() {
            return Ok(());
        }
        Err(Refusal::Model("an array is given by a function that is not a table"))
    }

    fn check_head(&mut self, name: &[u8]) -> Result<(), Refusal> {
        if COMPARING.contains(&name) {
            return Ok(());
        }
        match (self.model.key(name), self.model.get(name)) {
            (Some(key), Some(definition)) => {
                if self.called.insert(key) {
                    self.todo.push(definition);
                }
                Ok(())
            }
            _ => Err(Refusal::Model("an array is given by a function that computes with its index")),
        }
    }
}

/// True if a symbol is applied: it is the first of its list, but not the variable of a `let`.
fn is_head(model: &Definitions<'_>, node: NodeId) -> bool {
    let tree = model.model.tree();
    let Some(list) = tree.parent(node).filter(|list| tree.first_child(*list) == Some(node)) else {
        return false;
    };
    let outer = tree.parent(list).and_then(|bindings| Some((bindings, tree.parent(bindings)?)));
    let is_binding = outer.is_some_and(|(bindings, outer)| {
        let head = tree.first_child(outer).map_or(&b""[..], |head| model.model.slice(head));
        head == b"let" && tree.child(outer, 1) == Some(bindings)
    });
    !is_binding
}

fn literal(width: u32, text: &[u8]) -> Option<Value> {
    let (mark, digits) = text.split_at_checked(2)?;
    let value = match mark {
        b"#b" if digits.len() == width as usize => Value::parse_binary(digits),
        b"#x" if digits.len() * 4 == width as usize => Value::parse_hex(width, digits),
        _ => None,
    };
    value.filter(|value| value.width() == width)
}

/// `(_ bv5 8)`
fn decimal(width: u32, model: &Definitions<'_>, node: NodeId) -> Option<Value> {
    let parts: Vec<&[u8]> =
        model.model.tree().children(node).take(4).map(|part| model.model.slice(part)).collect();
    let [b"_", number, size] = parts[..] else { return None };
    let size: u32 = std::str::from_utf8(size).ok()?.parse().ok()?;
    let digits = number.strip_prefix(b"bv").filter(|_| size == width)?;
    Value::parse_decimal(width, digits)
}
