//! A script with its analysis: sorts as the solver represents them, and errors with their positions.

use crate::reading::{MAX_READ_WIDTH, too_wide};
use nub_bitvec::Sort;
use nub_bitvec::float::{FloatFormat, RoundingMode};
use nub_smtlib::{self as smt, Analysis, DeclId, DeclKind, NodeId, Script, SortId, Tree};
use nub_text::Diagnostic;

/// Bits of the smallest floating-point format that may index an array. Half precision has 63,490 values: a script that names all of them
/// has megabytes of stores.
const MIN_INDEX_FORMAT: u32 = 16;

/// Longest text of a sort in messages and models.
const MAX_SORT_TEXT: usize = 4096;

/// Limit on the steps of all uses of definitions with parameters: nested definitions can require exponentially many.
pub(super) const MAX_CALL_STEPS: usize = 1 << 23;

/// An array represented by a bit-vector; the element of the first index is in the lowest bits.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    pub(super) n_slots: u32,
    pub(super) index: SortId,
    pub(super) element: SortId,
}

/// The script being read.
pub(super) struct Source<'a> {
    pub(super) script: &'a Script,
    pub(super) analysis: &'a Analysis,
    /// The width that represents a declared sort.
    declared_width: u32,
}

impl<'a> Source<'a> {
    pub(super) fn new(script: &'a Script, analysis: &'a Analysis) -> Source<'a> {
        Source { script, analysis, declared_width: declared_width(script, analysis) }
    }

    pub(super) fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    /// An error at a node.
    pub(super) fn refuse(&self, node: NodeId, message: impl Into<String>) -> Diagnostic {
        let mut span = self.tree().span(node);
        if self.tree().is_list(node) {
            // Only its bracket: a term may be as long as the script.
            span.end = span.start + 1;
        }
        Diagnostic::error(span, message)
    }

    /// Reports the first ill-sorted term or unknown symbol before a node.
    pub(super) fn check_sorts(&self, before: Option<NodeId>) -> Result<(), Diagnostic> {
        let end = before.map_or(u32::MAX, |node| self.tree().span(node).start);
        let error = self.analysis.errors().iter().find(|error| error.span.start < end).cloned();
        let unknown = self.analysis.unknown().iter().find(|node| self.tree().span(**node).start < end);
        let unknown = unknown.map(|&node| {
            let name = String::from_utf8_lossy(self.script.slice(node)).into_owned();
            self.refuse(node, format!("`{name}` is neither declared nor built in"))
        });
        match [error, unknown].into_iter().flatten().min_by_key(|error| error.span.start) {
            Some(first) => Err(first),
            None => Ok(()),
        }
    }

    /// The sort of a term.
    pub(super) fn sort_of(&self, term: NodeId) -> Result<Sort, Diagnostic> {
        self.sort(self.analysis.sort_of(term).unwrap_or(SortId::UNKNOWN), term)
    }

    /// A sort as the solver represents it; the error is reported at `at`.
    pub(super) fn sort(&self, sort: SortId, at: NodeId) -> Result<Sort, Diagnostic> {
        let found = match self.analysis.sorts().get(sort) {
            smt::SmtSort::Array(..) if self.slots(sort).is_some() => self.width(sort).map(Sort::Bits),
            smt::SmtSort::Array(index, _) if self.is_small_format(*index) => None,
            smt::SmtSort::Array(index, element) => self
                .width(*index)
                .zip(self.width(*element))
                .map(|(index, element)| Sort::Array { index, element })
                .filter(|_| !self.is_declared(*index) && !self.is_declared(*element)),
            _ => self.width(sort).map(Sort::Bits),
        };
        match found {
            Some(Sort::Bits(width)) if width > MAX_READ_WIDTH => Err(too_wide(self.tree().span(at))),
            Some(Sort::Array { index, element }) if index.max(element) > MAX_READ_WIDTH => {
                Err(too_wide(self.tree().span(at)))
            }
            Some(sort) => Ok(sort),
            None => Err(self.refuse(at, format!("sort {} is not supported", self.sort_text(sort))).with_hint(
                "supported are bit-vectors, floating point, Bool, arrays of these, declared sorts and functions between them, without quantifiers",
            )),
        }
    }

    /// The width of a sort that is represented by a bit-vector.
    pub(super) fn width(&self, sort: SortId) -> Option<u32> {
        match self.analysis.sorts().get(sort) {
            smt::SmtSort::Bool => Some(1),
            smt::SmtSort::BitVec(width) => Some(*width).filter(|width| *width > 0),
            smt::SmtSort::RoundingMode => Some(RoundingMode::CODE_BITS),
            smt::SmtSort::Float(..) => self.format(sort).map(FloatFormat::width),
            smt::SmtSort::Array(..) => {
                let slots = self.slots(sort)?;
                self.width(slots.element)?.checked_mul(slots.n_slots).filter(|width| *width <= MAX_READ_WIDTH)
            }
            _ => self.is_declared(sort).then_some(self.declared_width),
        }
    }

    /// True for a format so small that the stores of a script could name all its values. Its bit patterns include several NaNs, so an
    /// array over patterns has elements that one over values lacks: two arrays that agree on every value could be distinguished.
    fn is_small_format(&self, sort: SortId) -> bool {
        self.format(sort).is_some_and(|format| format.width() < MIN_INDEX_FORMAT)
    }

    /// The format of a floating-point sort.
    pub(super) fn format(&self, sort: SortId) -> Option<FloatFormat> {
        match self.analysis.sorts().get(sort) {
            smt::SmtSort::Float(eb, sb) => FloatFormat::new(*eb, *sb),
            _ => None,
        }
    }

    /// The representation of an array with few indices as a bit-vector of all its elements. There are five rounding modes, so that no code
    /// except theirs may be an index; `Bool` has two values, which makes arrays of arrays possible.
    pub(super) fn slots(&self, array: SortId) -> Option<Slots> {
        let smt::SmtSort::Array(index, element) = self.analysis.sorts().get(array) else { return None };
        let n_slots = match self.analysis.sorts().get(*index) {
            smt::SmtSort::RoundingMode => RoundingMode::ALL.len() as u32,
            smt::SmtSort::Bool => 2,
            _ => return None,
        };
        let is_plain = !self.is_declared(*element);
        is_plain.then_some(Slots { n_slots, index: *index, element: *element })
    }

    /// True for a sort of `declare-sort`.
    pub(super) fn is_declared(&self, sort: SortId) -> bool {
        is_declared(self.analysis, sort)
    }

    /// A sort in SMT-LIB syntax.
    pub(super) fn sort_text(&self, sort: SortId) -> String {
        let text = self.analysis.sort_text(self.script, sort, MAX_SORT_TEXT);
        text.map_or("that is not known".to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
    }

    /// The declaration that a symbol introduces or refers to.
    pub(super) fn decl(&self, symbol: NodeId) -> Result<DeclId, Diagnostic> {
        self.analysis.decl_of(symbol).ok_or_else(|| self.refuse(symbol, "a symbol is expected here"))
    }

    /// The name of a declaration as written.
    pub(super) fn name(&self, decl: DeclId) -> &'a [u8] {
        self.script.slice(self.analysis.decl(decl).name)
    }

    /// A symbol without bars: `|x|` is `x`.
    pub(super) fn symbol(&self, node: NodeId) -> &'a [u8] {
        let text = self.script.slice(node);
        match self.tree().kind(node) {
            smt::NodeKind::Quoted => text.get(1..text.len() - 1).unwrap_or_default(),
            _ => text,
        }
    }

    /// The children of a command after its name, if their number is right.
    pub(super) fn arguments<const N: usize>(&self, command: NodeId) -> Result<[NodeId; N], Diagnostic> {
        let found: Vec<NodeId> = self.tree().children(command).skip(1).take(N + 1).collect();
        let n_found = self.tree().children(command).skip(1).count();
        found
            .try_into()
            .map_err(|_| self.refuse(command, format!("this command takes {N} arguments and has {n_found}")))
    }

    /// A number.
    pub(super) fn numeral(&self, node: NodeId) -> Result<u32, Diagnostic> {
        let digits = std::str::from_utf8(self.script.slice(node)).unwrap_or_default();
        let is_number = self.tree().kind(node) == smt::NodeKind::Numeral;
        let number = digits.parse().ok().filter(|_| is_number);
        number.ok_or_else(|| self.refuse(node, "a number below 2^32 is expected here"))
    }
}

fn is_declared(analysis: &Analysis, sort: SortId) -> bool {
    match analysis.sorts().get(sort) {
        smt::SmtSort::User(decl, args) => args.is_empty() && analysis.decl(*decl).kind == DeclKind::Sort,
        _ => false,
    }
}

/// The number of bits that gives every term of a declared sort its own value. A definition with parameters creates terms at each
/// use; a limit bounds their number.
fn declared_width(script: &Script, analysis: &Analysis) -> u32 {
    let nodes = (0..script.tree().len() as u32).map(NodeId);
    let sorts = nodes.filter_map(|node| analysis.sort_of(node));
    let n_terms = sorts.filter(|sort| is_declared(analysis, *sort)).count();
    let has_params = |decl: &smt::Decl| decl.kind == DeclKind::Macro && !decl.params.is_empty();
    let n_made = if analysis.decls().iter().any(has_params) { MAX_CALL_STEPS } else { 0 };
    (n_terms + n_made).max(2).next_power_of_two().trailing_zeros()
}
