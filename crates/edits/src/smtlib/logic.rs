//! Shortest forms of the logic, of declarations and of quoted symbols.
//!
//! ```text
//! (set-logic QF_AUFBVLIA)       =>   (set-logic ALL)
//! (declare-fun x () Int)        =>   (declare-const x Int)
//! (define-fun x () Int 1)       =>   (define-const x Int 1) is longer: left alone
//! (declare-datatypes ((D 0)) (((c))))   =>   (declare-datatype D ((c)))     also with `par`
//! |x|                           =>   x
//! ```

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{CommandKind, NodeId, NodeKind};
use nub_text::Span;

/// See the module.
pub struct Logic;

impl Pass<SmtView> for Logic {
    fn name(&self) -> &'static str {
        "logic"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits = Vec::new();
        for &(command, kind) in view.commands() {
            match kind {
                CommandKind::SetLogic => edits.extend(all_logics(view, command)),
                CommandKind::DeclareFun => edits.extend(declare_const(view, command)),
                CommandKind::DeclareDatatypes | CommandKind::DeclareCodatatypes => {
                    edits.extend(declare_datatype(view, command));
                }
                _ => {}
            }
        }
        edits.extend(unquote(view));
        edits
    }
}

/// Only the logic: removes parts of its name, and turns nonlinear into linear.
pub struct LogicName;

impl Pass<SmtView> for LogicName {
    fn name(&self) -> &'static str {
        "logic-name"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let logics = view.commands().iter().filter(|(_, kind)| *kind == CommandKind::SetLogic);
        logics.flat_map(|&(command, _)| smaller_logics(view, command)).collect()
    }
}

/// Parts of a logic's name, with their replacements.
const LOGIC_PARTS: [(&str, &str); 11] = [
    ("BV", ""),
    ("FP", ""),
    ("UF", ""),
    ("S", ""),
    ("T", ""),
    ("NRA", "LRA"),
    ("LRA", ""),
    ("NIA", "LIA"),
    ("LIA", ""),
    ("NIRA", "LIRA"),
    ("LIRA", "LRA"),
];

fn smaller_logics(view: &SmtView, command: NodeId) -> Vec<Edit> {
    let Some(name) = view.tree().child(command, 1) else { return Vec::new() };
    let text = String::from_utf8_lossy(view.slice(name)).into_owned();
    let parts = LOGIC_PARTS.iter().filter(|(part, _)| text.contains(part));
    let shorter = parts.map(|(part, with)| text.replace(part, with)).filter(|text| !text.is_empty());
    shorter.map(|text| Edit::replace(view.span(name), text.into_bytes())).collect()
}

/// Only removes bars that a quoted symbol does not need.
pub struct Unquote;

impl Pass<SmtView> for Unquote {
    fn name(&self) -> &'static str {
        "unquote"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        unquote(view).into_iter().collect()
    }
}

fn all_logics(view: &SmtView, command: NodeId) -> Option<Edit> {
    let name = view.tree().child(command, 1)?;
    (view.span(name).len() > 3).then(|| Edit::replace(view.span(name), b"ALL".as_slice()))
}

fn declare_const(view: &SmtView, command: NodeId) -> Option<Edit> {
    let tree = view.tree();
    let (head, params, sort) = (tree.child(command, 0)?, tree.child(command, 2)?, tree.child(command, 3)?);
    let is_constant = tree.is_list(params) && tree.first_child(params).is_none();
    let params = Span { start: view.span(params).start, end: view.span(sort).start };
    is_constant.then(|| Edit::of([(view.span(head), b"declare-const".to_vec()), (params, Vec::new())]))
}

/// A single type needs no lists; its parameters are in its body.
fn declare_datatype(view: &SmtView, command: NodeId) -> Option<Edit> {
    let tree = view.tree();
    let children: Vec<NodeId> = tree.children(command).collect();
    let [head, names, bodies] = children[..] else { return None };
    let [entry] = tree.children(names).collect::<Vec<_>>()[..] else { return None };
    let [body] = tree.children(bodies).collect::<Vec<_>>()[..] else { return None };
    let name = tree.first_child(entry)?;
    let is_plain = tree.child(entry, 1).is_some_and(|arity| view.slice(arity) == b"0");
    let is_parametric = view.head_symbol(body) == Some(b"par");
    let singular = view.slice(head).strip_suffix(b"s")?;
    (is_plain || is_parametric).then(|| {
        Edit::of([
            (view.span(head), singular.to_vec()),
            (view.span(names), view.slice(name).to_vec()),
            (view.span(bodies), view.slice(body).to_vec()),
        ])
    })
}

/// All quoted symbols whose bars are not needed, at once: a name must be changed everywhere.
fn unquote(view: &SmtView) -> Option<Edit> {
    let tree = view.tree();
    let quoted: Vec<NodeId> = tree
        .nodes()
        .filter(|&node| tree.kind(node) == NodeKind::Quoted && is_simple(&view.slice(node)[1..]))
        .collect();
    let bare = |node: NodeId| view.slice(node)[1..view.slice(node).len() - 1].to_vec();
    (!quoted.is_empty()).then(|| Edit::of(quoted.into_iter().map(|node| (view.span(node), bare(node)))))
}

/// Words that are only symbols if they are quoted.
const RESERVED: &[&[u8]] = &[
    b"_",
    b"!",
    b"as",
    b"let",
    b"exists",
    b"forall",
    b"match",
    b"par",
    b"lambda",
    b"BINARY",
    b"DECIMAL",
    b"HEXADECIMAL",
    b"NUMERAL",
    b"STRING",
];

/// Letters and digits followed by the closing bar.
fn is_simple(rest: &[u8]) -> bool {
    let Some((b'|', name)) = rest.split_last() else { return false };
    !name.is_empty()
        && !RESERVED.contains(&name)
        && !name[0].is_ascii_digit()
        && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || b"_-+*/<>=!?.$%&^~@".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let view = SmtView::new(text.as_bytes());
        let edits = Logic.edits(&view);
        let texts = edits.iter().map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap());
        assert_eq!(texts.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_single_datatype_needs_no_lists() {
        check("(declare-datatypes ((D 0)) (((c))))", &["(declare-datatype D ((c)))"]);
        check("(declare-codatatypes ((D 0)) (((c (d D)))))", &["(declare-codatatype D ((c (d D))))"]);
        check(
            "(declare-datatypes ((D 1)) ((par (T) ((c (d T))))))",
            &["(declare-datatype D (par (T) ((c (d T)))))"],
        );
        check("(declare-datatypes ((D 1)) (((c))))", &[]);
        check("(declare-datatypes ((D 0) (E 0)) (((c)) ((e))))", &[]);
    }
}
