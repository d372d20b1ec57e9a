//! An SMT-LIB file, read and analysed once, with the lists from which mutations draw.

use super::logic::Features;
use super::names::Names;
use crate::error::SeedError;
use nub_smtlib::{
    Analysis, CommandKind, DeclId, DeclKind, NodeId, NodeKind, NodeRole, Script, SmtSort, SortId,
};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest term, in nodes, that is copied to another place.
pub(super) const MAX_COPIED_NODES: usize = 64;
/// Limit on the sorts of one seed for generated terms: all of them are scanned for each argument.
const MAX_SORTS: usize = 128;
/// The longest text of a sort that is written.
pub(super) const MAX_SORT_BYTES: usize = 400;

/// A seed.
pub(in crate::mutate) struct SmtSeed {
    pub(super) script: Script,
    pub(super) analysis: Analysis,
    pub(super) names: Names,
    /// Terms of known sort in assertions and definitions, in order. Each may be replaced, see `freedom`.
    pub(super) places: Vec<NodeId>,
    /// Applications of an operator or function among the places.
    pub(super) applications: Vec<NodeId>,
    /// Literals among the places.
    pub(super) literals: Vec<NodeId>,
    /// Terms that may be copied, by sort, in order.
    pub(super) donors: FxHashMap<SortId, Vec<NodeId>>,
    /// Sorts of the places, in the order of their first occurrence.
    pub(super) sorts: Vec<SortId>,
    /// Functions with arguments that the script declares or defines.
    pub(super) functions: Vec<DeclId>,
    /// Top-level commands.
    pub(super) commands: Vec<(NodeId, CommandKind)>,
    /// Those of `commands` that are assertions, by index.
    pub(super) assertions: Vec<usize>,
    /// Operators that occur in the script.
    pub(super) used_ops: FxHashSet<&'static str>,
    /// The features that the terms need from a logic.
    pub(super) features: Features,
    /// The symbol of `set-logic`, if there is exactly one.
    pub(super) logic: Option<NodeId>,
    /// Spans of `(set-info :status ...)`, including the newline after it.
    pub(super) statuses: Vec<Span>,
    /// Variables of `let`.
    pub(super) lets: Vec<DeclId>,
    /// Built-in sorts of the places by their text, for comparison with those of other files.
    pub(super) sorts_by_text: FxHashMap<Vec<u8>, SortId>,
    /// By node: the number of `:named` before it, and of keywords of annotations.
    named_before: Vec<u32>,
    annotated_before: Vec<u32>,
}

impl SmtSeed {
    /// Reads a file; the error says why it cannot be a seed. Linear.
    pub(in crate::mutate) fn read(text: &[u8]) -> Result<SmtSeed, SeedError> {
        let (script, diagnostics) = Script::parse(text);
        if let Some(first) = diagnostics.first() {
            return Err(SeedError::SmtLib(first.message.clone()));
        }
        let analysis = script.analyse();
        if let Some(first) = analysis.errors().first() {
            return Err(SeedError::IllSorted(first.message.clone()));
        }
        let commands: Vec<_> = script.commands().collect();
        let assertions: Vec<usize> =
            (0..commands.len()).filter(|&at| commands[at].1 == CommandKind::Assert).collect();
        if assertions.is_empty() {
            return Err(SeedError::NothingAsserted);
        }
        let names = Names::new(&script, &analysis);
        let is_name = |node: NodeId| {
            analysis.decl_of(node).is_some_and(|id| {
                let decl = analysis.decl(id);
                decl.kind == DeclKind::Named && decl.name == node
            })
        };
        let named_before = count(&script, is_name);
        let annotated_before = count(&script, |node| analysis.role(node) == NodeRole::Attribute);
        let mut seed = SmtSeed {
            features: Features::of_script(&script, &analysis),
            logic: logic_symbol(&script, &commands),
            functions: functions(&analysis),
            statuses: statuses(&script, &commands),
            lets: analysis.decl_ids().filter(|&id| analysis.decl(id).kind == DeclKind::Let).collect(),
            sorts_by_text: FxHashMap::default(),
            names,
            places: Vec::new(),
            applications: Vec::new(),
            literals: Vec::new(),
            donors: FxHashMap::default(),
            sorts: Vec::new(),
            used_ops: FxHashSet::default(),
            named_before,
            annotated_before,
            commands,
            assertions,
            script,
            analysis,
        };
        seed.collect_places();
        for &sort in &seed.sorts {
            if let Some(text) = seed.sort_text(sort).filter(|_| is_builtin(&seed.analysis, sort)) {
                seed.sorts_by_text.insert(text, sort);
            }
        }
        Ok(seed)
    }

    fn collect_places(&mut self) {
        for at in 0..self.commands.len() {
            let (command, kind) = self.commands[at];
            if !has_terms(kind) {
                continue;
            }
            let tree = self.script.tree();
            let (mut node, after) = (command, tree.after(command));
            let mut found = Vec::new();
            while node < after {
                match self.analysis.role(node) {
                    // Patterns and the values of other attributes have their own rules.
                    NodeRole::Attribute => node = tree.after(node),
                    role => {
                        if role == NodeRole::Term {
                            found.push(node);
                        }
                        node = NodeId(node.0 + 1);
                    }
                }
            }
            found.into_iter().for_each(|node| self.collect_place(node));
        }
    }

    fn collect_place(&mut self, node: NodeId) {
        let head = self.analysis.head(node);
        if let Some(op) = head.and_then(|head| head.op) {
            self.used_ops.insert(op.name);
        }
        let Some(sort) = self.analysis.sort_of(node).filter(|&sort| self.is_usable(sort)) else { return };
        if self.is_annotation(node) {
            return;
        }
        self.places.push(node);
        if is_literal(&self.script, &self.analysis, node) {
            self.literals.push(node);
        } else if head.is_some() && self.script.tree().is_list(node) {
            self.applications.push(node);
        }
        if self.script.tree().size(node) <= MAX_COPIED_NODES && !self.has_annotation(node) {
            self.donors.entry(sort).or_default().push(node);
        }
        if self.sorts.len() < MAX_SORTS && !self.sorts.contains(&sort) {
            self.sorts.push(sort);
        }
    }

    /// True if terms of this sort can be generated and moved. Functions as values are not touched.
    fn is_usable(&self, sort: SortId) -> bool {
        let sorts = self.analysis.sorts();
        sorts.is_ground(sort) && !matches!(sorts.get(sort), SmtSort::Fun(_))
    }

    /// True if it contains an annotation: a name must not be defined twice, and a pattern belongs to its quantifier.
    pub(super) fn has_annotation(&self, node: NodeId) -> bool {
        let after = self.script.tree().after(node);
        self.annotated_before[node.index()] != self.annotated_before[after.index()]
    }

    /// True if it contains a `:named`: such a term can neither be copied nor removed.
    pub(super) fn has_named(&self, node: NodeId) -> bool {
        let after = self.script.tree().after(node);
        self.named_before[node.index()] != self.named_before[after.index()]
    }

    /// The bytes of a node.
    pub(super) fn slice(&self, node: NodeId) -> &[u8] {
        self.script.slice(node)
    }

    /// The span of a node.
    pub(super) fn span(&self, node: NodeId) -> Span {
        self.script.tree().span(node)
    }

    /// The sort of a place.
    pub(super) fn sort(&self, node: NodeId) -> SortId {
        self.analysis.sort_of(node).unwrap_or(SortId::UNKNOWN)
    }

    /// The text of a sort in SMT-LIB syntax.
    pub(super) fn sort_text(&self, sort: SortId) -> Option<Vec<u8>> {
        self.analysis.sort_text(&self.script, sort, MAX_SORT_BYTES)
    }

    /// The arguments of an application.
    pub(super) fn args(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.script.tree().children(node).skip(1)
    }

    /// True if a term may be copied to a place: every name in it that is declared outside of it refers to the same declaration there.
    /// O(size of the term), which is at most [`MAX_COPIED_NODES`].
    pub(super) fn is_visible(&self, term: NodeId, place: NodeId) -> bool {
        let tree = self.script.tree();
        tree.size(term) <= MAX_COPIED_NODES
            && !self.has_annotation(term)
            && tree.subtree(term).all(|node| {
                let Some(id) = self.analysis.decl_of(node) else { return true };
                tree.is_within(self.analysis.decl(id).name, term)
                    || self.names.means(&self.analysis, id, place)
            })
    }

    /// Where to insert declarations: before the first command that is not a header.
    pub(super) fn declarations_at(&self) -> u32 {
        use CommandKind::{Echo, GetInfo, GetOption, SetInfo, SetLogic, SetOption};
        let first = self
            .commands
            .iter()
            .find(|(_, kind)| !matches!(kind, SetLogic | SetInfo | SetOption | Echo | GetInfo | GetOption));
        // There is an assertion, so such a command exists.
        first.map_or(self.script.text().len() as u32, |&(node, _)| self.span(node).start)
    }

    /// True if there is a single level, only satisfiability is asked, and no option forbids further questions.
    pub(super) fn is_flat(&self) -> bool {
        use CommandKind::*;
        let forbids = |node| {
            let mut words = self.script.tree().children(node).skip(1).map(|word| self.slice(word));
            words.next() == Some(b":incremental") && words.next() == Some(b"false")
        };
        self.commands.iter().all(|(node, kind)| match kind {
            SetOption => !forbids(*node),
            _ => !matches!(
                kind,
                Push | Pop
                    | Reset
                    | ResetAssertions
                    | CheckSatAssuming
                    | CheckSatUsing
                    | AssertSoft
                    | Maximize
                    | Minimize
                    | Query
                    | Rule
                    | Other
                    | CheckSynth
                    | Constraint
            ),
        })
    }

    /// True if the script contains a command at which at least some solvers forget all declarations.
    pub(super) fn has_reset(&self) -> bool {
        let resets = |kind| matches!(kind, CommandKind::Reset | CommandKind::ResetAssertions);
        self.commands.iter().any(|&(_, kind)| resets(kind))
    }

    /// What the logic of the script allows; `None` if it sets none, or an unknown one.
    pub(super) fn logic_features(&self) -> Option<Features> {
        let name = std::str::from_utf8(self.slice(self.logic?)).ok()?;
        Features::of_name(name)
    }

    /// True if the script sets a logic, possibly several times.
    pub(super) fn has_logic(&self) -> bool {
        self.commands.iter().any(|(_, kind)| *kind == CommandKind::SetLogic)
    }

    /// True for `(! t ...)`. Nothing may be inserted between a quantifier and its patterns.
    pub(super) fn is_annotation(&self, node: NodeId) -> bool {
        let tree = self.script.tree();
        tree.first_child(node)
            .is_some_and(|head| tree.kind(head) == NodeKind::Symbol && self.slice(head) == b"!")
    }

    /// True if `1` is a real here.
    pub(super) fn numerals_are_real(&self) -> bool {
        self.logic_features().is_some_and(Features::numerals_are_real)
    }

    /// The formula of an assertion.
    pub(super) fn formula(&self, command: NodeId) -> Option<NodeId> {
        self.script.tree().child(command, 1).filter(|&node| self.analysis.sort_of(node) == Some(SortId::BOOL))
    }
}

/// Commands whose terms are mutated.
fn has_terms(kind: CommandKind) -> bool {
    use CommandKind::*;
    matches!(kind, Assert | DefineFun | DefineFunRec | DefineFunsRec | DefineConst)
}

/// By node: the number of nodes before it for which `is_counted` holds.
fn count(script: &Script, is_counted: impl Fn(NodeId) -> bool) -> Vec<u32> {
    let mut counts = Vec::with_capacity(script.tree().len() + 1);
    let mut n_before = 0;
    for node in script.tree().nodes() {
        counts.push(n_before);
        n_before += u32::from(is_counted(node));
    }
    counts.push(n_before);
    counts
}

fn logic_symbol(script: &Script, commands: &[(NodeId, CommandKind)]) -> Option<NodeId> {
    let mut all = commands.iter().filter(|(_, kind)| *kind == CommandKind::SetLogic);
    let (first, second) = (all.next(), all.next());
    first.filter(|_| second.is_none()).and_then(|&(node, _)| script.tree().child(node, 1))
}

fn statuses(script: &Script, commands: &[(NodeId, CommandKind)]) -> Vec<Span> {
    let is_status = |&&(node, kind): &&(NodeId, CommandKind)| {
        let key = script.tree().child(node, 1);
        kind == CommandKind::SetInfo && key.is_some_and(|key| script.slice(key) == b":status")
    };
    let text = script.text();
    let with_newline = |&(node, _): &(NodeId, CommandKind)| {
        let mut span = script.tree().span(node);
        span.end += u32::from(text.get(span.end as usize) == Some(&b'\n'));
        span
    };
    commands.iter().filter(is_status).map(with_newline).collect()
}

/// True if no part of the sort is declared by the script. Linear in the sort.
fn is_builtin(analysis: &Analysis, sort: SortId) -> bool {
    let mut open = vec![sort];
    // Sorts share their parts; walking a sort of this many parts is not worthwhile.
    let mut fuel = 100;
    while let Some(sort) = open.pop() {
        let sort = analysis.sorts().get(sort);
        fuel -= 1;
        if fuel == 0
            || matches!(sort, SmtSort::User(..) | SmtSort::Param(_) | SmtSort::Other(_) | SmtSort::Unknown)
        {
            return false;
        }
        open.extend(sort.parts());
    }
    true
}

fn functions(analysis: &Analysis) -> Vec<DeclId> {
    let is_plain = |id: &DeclId| {
        let decl = analysis.decl(*id);
        matches!(decl.kind, DeclKind::Fun | DeclKind::Macro)
            && decl.arity == 0
            && !decl.params.is_empty()
            && decl.params.iter().chain([&decl.result]).all(|&sort| analysis.sorts().is_ground(sort))
    };
    analysis.decl_ids().filter(is_plain).collect()
}

/// True for numbers, strings, `(_ bv5 8)`, `(_ +oo 8 24)`, `true`, `RNE` and similar.
fn is_literal(script: &Script, analysis: &Analysis, node: NodeId) -> bool {
    let tree = script.tree();
    match tree.kind(node) {
        NodeKind::Numeral | NodeKind::Decimal | NodeKind::Hex | NodeKind::Binary | NodeKind::String => true,
        NodeKind::List => tree.first_child(node).is_some_and(|head| {
            tree.kind(head) == NodeKind::Symbol
                && script.slice(head) == b"_"
                && analysis.head(node).is_none_or(|head| head.decl.is_none())
        }),
        _ => analysis.head(node).is_some_and(|head| head.op.is_some_and(|op| op.is_constant())),
    }
}
