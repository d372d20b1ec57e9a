//! Names that are declared twice in one scope: the standard forbids them, and solvers disagree about what they mean.
//!
//! A scope is a level of the assertion stack, or the variables of one binder. A name of an outer level may be declared again in an
//! inner one, which ends with its `pop`. Linear in the script.

use super::source::Source;
use nub_smtlib::{CommandKind, Decl, DeclKind, NodeId};
use nub_text::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Refuses the first name before a node that is declared twice.
pub(super) fn check(source: &Source<'_>, before: Option<NodeId>) -> Result<(), Diagnostic> {
    let decls = source.analysis.decls().iter();
    let mut decls: Vec<&Decl> = decls.filter(|decl| before.is_none_or(|end| decl.name < end)).collect();
    // A `define-fun` is declared after its parameters, but its name is written first.
    decls.sort_unstable_by_key(|decl| decl.name);
    let mut decls = decls.into_iter().peekable();
    let mut seen = Seen::default();
    for (node, kind) in source.script.commands() {
        let after = source.tree().after(node);
        while let Some(decl) = decls.next_if(|decl| decl.name < after) {
            if !seen.adds(source, decl) {
                let name = String::from_utf8_lossy(source.symbol(decl.name)).into_owned();
                return Err(source
                    .refuse(decl.name, format!("`{name}` is already declared in this scope"))
                    .with_hint("give one of the two declarations another name"));
            }
        }
        seen.leave(source, node, kind);
    }
    Ok(())
}

/// The namespace of a name: sorts and terms may share names.
type Name<'a> = (&'a [u8], bool);

/// The names that have been declared.
#[derive(Default)]
struct Seen<'a> {
    /// The visible global declarations of each name, newest last: the level of each, and where it is no longer visible.
    globals: FxHashMap<Name<'a>, Vec<(usize, NodeId)>>,
    /// Variables by their binder.
    locals: FxHashSet<(NodeId, Name<'a>)>,
    level: usize,
    /// Declarations survive every `pop`: all of them are in one scope.
    are_global: bool,
}

impl<'a> Seen<'a> {
    /// Whether a declaration is the first of its name in its scope.
    fn adds(&mut self, source: &Source<'a>, decl: &Decl) -> bool {
        let name = (source.symbol(decl.name), decl.is_sort());
        match decl.kind {
            // The analysis declares the name of a datatype twice, before and after its constructors.
            DeclKind::Datatype => return true,
            kind if kind == DeclKind::SortParam || decl.is_local() => {
                return self.locals.insert((decl.binder, name));
            }
            _ => {}
        }
        let level = if self.are_global { 0 } else { self.level };
        let visible = self.globals.entry(name).or_default();
        while visible.pop_if(|(_, end)| *end <= decl.name).is_some() {}
        let is_first = visible.last().is_none_or(|(before, _)| *before < level);
        visible.push((level, decl.scope.1));
        is_first
    }

    /// What a command does to the levels.
    fn leave(&mut self, source: &Source<'_>, node: NodeId, kind: CommandKind) {
        let argument = |at: usize| source.tree().child(node, at + 1);
        let n_levels = || argument(0).map_or(1, |count| source.numeral(count).unwrap_or(0) as usize);
        let text = |at: usize| argument(at).map(|word| source.script.slice(word));
        match kind {
            CommandKind::Push => self.level = self.level.saturating_add(n_levels()),
            CommandKind::Pop => self.level = self.level.saturating_sub(n_levels()),
            // The analysis keeps the declarations of the first level, as some solvers do; the standard and the others remove them.
            CommandKind::ResetAssertions if !self.are_global => {
                (self.level, self.globals) = Default::default()
            }
            CommandKind::ResetAssertions => self.level = 0,
            CommandKind::Reset => *self = Seen::default(),
            CommandKind::SetOption if text(0) == Some(b":global-declarations") => {
                self.are_global = text(1) == Some(b"true");
            }
            _ => {}
        }
    }
}
