//! Error messages about ill-sorted parts, with their spans and hints.

use super::engine::Engine;
use crate::{NodeId, SortId};
use nub_text::Diagnostic;

/// Why an application is ill-sorted.
pub(super) enum Fault {
    /// Number of arguments
    Arity { least: usize, most: Option<usize> },
    /// An argument does not fit. `wanted` is the expected sort; if there are several, `kind` describes them
    Argument { at: usize, wanted: Option<SortId>, kind: &'static str },
    /// Indices out of range
    Index { wanted: &'static str },
}

impl Fault {
    pub(super) fn argument(at: usize, wanted: SortId) -> Fault {
        Fault::Argument { at, wanted: Some(wanted), kind: "another sort" }
    }
}

impl Engine<'_> {
    pub(super) fn error_application(&mut self, node: NodeId, symbol: NodeId, args: &[SortId], fault: Fault) {
        let name = self.shown(symbol);
        let (span, message, hint) = match fault {
            Fault::Arity { least, most } => {
                let wanted = match most {
                    Some(most) if most == least => format!("{least}"),
                    Some(most) => format!("{least} to {most}"),
                    None => format!("at least {least}"),
                };
                let message = format!("`{name}` has {} arguments", args.len());
                (self.tree.span(node), message, format!("give it {wanted}"))
            }
            Fault::Argument { at, wanted, kind } => {
                let place = self.tree.child(node, at + 1).unwrap_or(node);
                let got = args.get(at).map_or_else(String::new, |&sort| self.show_sort(sort));
                let message = format!("argument {} of `{name}` is of sort {got}", at + 1);
                let wanted = wanted.map_or_else(|| kind.to_string(), |sort| self.show_sort(sort));
                (self.tree.span(place), message, format!("{wanted} is expected here"))
            }
            Fault::Index { wanted } => {
                (self.tree.span(node), format!("`{name}` has indices out of range"), format!("keep {wanted}"))
            }
        };
        self.out.errors.push(Diagnostic::error(span, message).with_hint(hint));
    }

    pub(super) fn error_shape(&mut self, node: NodeId, what: &str, shape: &str) {
        let message = format!("`{what}` is malformed");
        let error = Diagnostic::error(self.tree.span(node), message).with_hint(format!("write {shape}"));
        self.out.errors.push(error);
    }

    pub(super) fn error_sort_arity(&mut self, node: NodeId, wanted: u32, got: usize) {
        let message = format!("sort `{}` has {got} arguments", self.shown(node));
        let error = Diagnostic::error(self.tree.span(node), message).with_hint(format!("give it {wanted}"));
        self.out.errors.push(error);
    }

    /// Reports a term that should be Boolean but certainly is not.
    pub(super) fn expect_bool(&mut self, node: NodeId, what: &str) {
        self.expect_sort(node, SortId::BOOL, what);
    }

    pub(super) fn expect_sort(&mut self, node: NodeId, wanted: SortId, what: &str) {
        let got = self.sort_at(node);
        if self.out.sorts.compatible(wanted, got) {
            return;
        }
        let message = format!("{what} is of sort {}", self.show_sort(got));
        let hint = format!("{} is expected here", self.show_sort(wanted));
        self.out.errors.push(Diagnostic::error(self.tree.span(node), message).with_hint(hint));
    }

    /// A sort for a message: shortened, because sorts can be arbitrarily large.
    fn show_sort(&self, sort: SortId) -> String {
        const MAX_SHOWN: usize = 80;
        match self.out.sort_text(self.script, sort, MAX_SHOWN) {
            Some(bytes) => format!("`{}`", String::from_utf8_lossy(&bytes)),
            None => "a large sort".to_string(),
        }
    }

    /// The text of a node, shortened.
    fn shown(&self, node: NodeId) -> String {
        const MAX_SHOWN: usize = 40;
        let bytes = self.script.slice(node);
        let cut = &bytes[..bytes.len().min(MAX_SHOWN)];
        let more = if cut.len() < bytes.len() { "…" } else { "" };
        format!("{}{more}", String::from_utf8_lossy(cut))
    }
}
