//! One script under construction: what exists, and how to choose operands.

use super::arena::{Arena, Place, TermIdx, Text};
use super::catalog::{Catalog, OpRef};
use super::config::ScriptConfig;
use super::datatypes::Datatype;
use super::evaluate::Evaluation;
use super::float_values::FloatMeaning;
use super::functions::Function;
use super::print::{Hidable, print};
use super::universe::{Kind, Universe};
use crate::error::Mistake;
use nub_random::Rng;
use nub_smtlib::SortId;

/// How often, in percent, an operand is an existing term and not a constant or a literal.
const REUSE: u32 = 60;
/// How often, in percent, an operand that is not an existing term is a literal.
const LITERALS: u32 = 35;
/// Limit on the terms inspected to find one without a parent.
const N_LOOKS: u32 = 3;
/// How often, in percent, a symbol is quoted.
const QUOTED: u32 = 10;

/// Constants of the whole script.
#[derive(Default)]
pub(super) struct Globals {
    by_sort: Vec<Vec<TermIdx>>,
    /// Whether a binder may shadow them.
    pub may_hide: bool,
}

impl Globals {
    pub(super) fn all_of(&self, sort: SortId) -> &[TermIdx] {
        self.by_sort.get(sort.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn add(&mut self, sort: SortId, term: TermIdx) {
        let at = sort.0 as usize;
        if self.by_sort.len() <= at {
            self.by_sort.resize_with(at + 1, Vec::new);
        }
        self.by_sort[at].push(term);
    }
}

impl Hidable for Globals {
    fn of(&self, sort: SortId) -> &[TermIdx] {
        if self.may_hide { self.all_of(sort) } else { &[] }
    }
}

/// A script under construction. Each technique adds methods in its own file.
pub(super) struct Builder<'a> {
    pub config: &'a ScriptConfig,
    pub catalog: &'a Catalog,
    pub rng: Rng,
    pub universe: Universe,
    pub arena: Arena,
    pub globals: Globals,
    /// Operators of this script, theory by theory, Core first: each script lacks some operators, so that scripts differ.
    pub palette: Vec<Vec<OpRef>>,
    /// Declared and defined functions.
    pub functions: Vec<Function>,
    /// Constructors and selectors.
    pub members: Vec<Function>,
    pub datatypes: Vec<Datatype>,
    /// True if factors and divisors must be numerals.
    pub is_linear: bool,
    pub has_const_arrays: bool,
    /// True if literals must be values for cvc5, not applications to values.
    pub wants_values: bool,
    /// How often, in percent, truth values are combined by `and`.
    pub conjunctions: u32,
    /// Commands before the first assertion.
    pub declarations: Vec<u8>,
    pub definitions: Vec<u8>,
    /// Values of terms, if the answer must be known.
    pub evaluation: Option<Evaluation>,
    /// The first error; a bug in the generator.
    pub mistake: Option<Mistake>,
    /// The number of binders around the current frame.
    pub n_binders: u32,
    n_symbols: u32,
}

impl<'a> Builder<'a> {
    pub(super) fn new(config: &'a ScriptConfig, catalog: &'a Catalog, rng: Rng) -> Builder<'a> {
        Builder {
            config,
            catalog,
            rng,
            universe: Universe::new(),
            arena: Arena::default(),
            globals: Globals::default(),
            palette: Vec::new(),
            functions: Vec::new(),
            members: Vec::new(),
            datatypes: Vec::new(),
            is_linear: true,
            has_const_arrays: false,
            wants_values: false,
            conjunctions: 0,
            declarations: Vec::new(),
            definitions: Vec::new(),
            evaluation: None,
            mistake: None,
            n_binders: 0,
            n_symbols: 0,
        }
    }

    /// A name without quotes: cvc5 1.0.3 does not find a constructor by a quoted name as in `(_ is |c|)`.
    pub(super) fn plain_symbol(&mut self, prefix: &str) -> String {
        self.n_symbols += 1;
        format!("{prefix}{}", self.n_symbols)
    }

    /// A name for a declaration; some are quoted.
    pub(super) fn symbol(&mut self, prefix: &str) -> String {
        self.n_symbols += 1;
        let number = self.n_symbols;
        if !self.rng.percent(QUOTED) {
            return format!("{prefix}{number}");
        }
        match self.rng.below(3) {
            0 => format!("|{prefix} {number}|"),
            1 => format!("|{prefix}({number})|"),
            _ => format!("|{prefix};\"{number}|"),
        }
    }

    /// An operand of a sort: an existing term, without a parent if possible; or a constant, or a literal.
    pub(super) fn operand(&mut self, sort: SortId) -> TermIdx {
        if self.rng.percent(REUSE)
            && let Some(term) = self.existing(sort)
        {
            return term;
        }
        self.leaf(sort)
    }

    /// An operand that is none of these, if that is easy: terms like `(< x x)` are not interesting.
    pub(super) fn operand_beside(&mut self, sort: SortId, others: &[TermIdx]) -> TermIdx {
        let term = self.operand(sort);
        if others.contains(&term) && self.rng.percent(90) { self.leaf(sort) } else { term }
    }

    fn existing(&mut self, sort: SortId) -> Option<TermIdx> {
        let pool = self.arena.pool(sort);
        if pool.is_empty() {
            return None;
        }
        let mut found = None;
        for _ in 0..N_LOOKS {
            let term = self.rng.pick(pool);
            let seen = self.arena.get(term);
            if seen.depth < self.config.depth {
                found = Some(term);
                if seen.n_uses == 0 {
                    break;
                }
            }
        }
        found
    }

    /// A constant or a literal.
    pub(super) fn leaf(&mut self, sort: SortId) -> TermIdx {
        let wants_literal = self.rng.percent(LITERALS) || self.config.vars == 0;
        if (wants_literal || self.universe.kind(sort) == Kind::RegLan)
            && let Some(literal) = self.literal_term(sort)
        {
            return literal;
        }
        self.constant(sort)
    }

    /// A literal, if the sort has any.
    pub(super) fn literal_term(&mut self, sort: SortId) -> Option<TermIdx> {
        let text = self.literal(sort)?;
        Some(self.literal_from(&text, sort))
    }

    /// A term from the text of a literal.
    pub(super) fn literal_from(&mut self, text: &str, sort: SortId) -> TermIdx {
        let term = self.arena.atom(text.as_bytes(), sort, Place::Here);
        self.evaluate_literal(term, text, sort);
        term
    }

    /// A free constant. Declares one if there are not enough.
    pub(super) fn constant(&mut self, sort: SortId) -> TermIdx {
        let known = self.globals.all_of(sort);
        let is_enough = known.len() >= self.config.vars as usize;
        if !known.is_empty() && (is_enough || self.rng.percent(70)) {
            return self.rng.pick(known);
        }
        self.declare(sort)
    }

    fn declare(&mut self, sort: SortId) -> TermIdx {
        let prefix = match self.universe.kind(sort) {
            Kind::Bool => "p",
            Kind::Int => "i",
            Kind::Real => "r",
            Kind::Text | Kind::RegLan => "s",
            Kind::Mode => "m",
            Kind::Bits => "v",
            Kind::Float => "f",
            Kind::Array => "a",
            Kind::Data => "d",
            Kind::Opaque => "u",
        };
        let name = self.symbol(prefix);
        let text = self.universe.text(sort);
        let command = match self.rng.below(4) {
            0 => format!("(declare-fun {name} () {text})\n"),
            _ => format!("(declare-const {name} {text})\n"),
        };
        self.declarations.extend_from_slice(command.as_bytes());
        let term = self.arena.atom(name.as_bytes(), sort, Place::Global);
        self.globals.add(sort, term);
        self.evaluate_constant(term, sort);
        term
    }

    /// An application of something that is not in the operator table.
    pub(super) fn apply_text(&mut self, head: &str, args: &[TermIdx], tail: &[u8], sort: SortId) -> TermIdx {
        let head = self.arena.keep(head.as_bytes());
        let tail = if tail.is_empty() { Text::default() } else { self.arena.keep(tail) };
        self.arena.apply(head, args, tail, sort)
    }

    /// An application of an operator with numeric indices.
    /// If values must be known and solvers disagree about this application's value, a constant or a literal is returned instead.
    pub(super) fn apply(&mut self, op: OpRef, indices: &[u32], args: &[TermIdx], sort: SortId) -> TermIdx {
        let meaning = self.float_meaning(op, indices, args, sort);
        if matches!(meaning, FloatMeaning::Open) {
            return self.leaf(sort);
        }
        let term = if indices.is_empty() {
            self.apply_text(op.name, args, &[], sort)
        } else {
            let indices: String = indices.iter().map(|index| format!(" {index}")).collect();
            self.apply_text(&format!("(_ {}{indices})", op.name), args, &[], sort)
        };
        match (meaning, &mut self.evaluation) {
            (FloatMeaning::Known(value), Some(evaluation)) => evaluation.set_value(term, value),
            _ => self.evaluate_application(term, op, indices),
        }
        term
    }

    /// Any sort, usually one that some term already has.
    pub(super) fn some_sort(&mut self) -> SortId {
        let sorts = self.universe.first_class();
        let (a, b) = (self.rng.pick(sorts), self.rng.pick(sorts));
        if self.arena.pool(a).is_empty() { b } else { a }
    }

    /// A sort of a kind, if the script has one.
    pub(super) fn sort_of(&mut self, kind: Kind) -> Option<SortId> {
        let sorts = self.universe.of(kind);
        (!sorts.is_empty()).then(|| self.rng.pick(sorts))
    }

    /// The text of a term of the open frame. Closes the frame.
    pub(super) fn close_with(&mut self, root: TermIdx) -> Vec<u8> {
        let mut text = Vec::new();
        self.arena.note_use(root);
        print(&mut self.arena, root, &self.globals, &mut self.rng, &mut text);
        self.arena.close();
        text
    }

    /// Whether `-` and `/` may be used in literals of sort `Real`.
    pub(super) fn has_division(&self) -> bool {
        self.universe.has(SortId::REAL) && !self.wants_values
    }
}
