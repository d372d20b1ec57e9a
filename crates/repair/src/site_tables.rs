//! The program with a table at every site: `operands == t ? v : e` instead of `e`.
//!
//! A table has entries. Each entry says for which site it is (`site`, 0 for none), for which values of the operands (`keys`), optionally for which
//! value of one more variable (`extra`, `extra_key`), and which value the site then has (`value`). All these are new global objects that are inputs,
//! shared by all sites. So one unrolling, and one set of clauses, is enough for all questions about all sites: a question fixes the entries. Several
//! instances of a site (inlined calls, iterations of a loop) share the entry, as they share the source.
//!
//! The result is a program like any other. The interpreter runs it too, and its trace says what each site read and computed.

use super::initials;
use super::joins;
use super::operands::OperandSource;
use super::patch::{Kinds, Patch};
use super::pure::Copies;
use super::sites::{At, Site};
use super::visible::Visible;
use nub_c_ir::{
    BinaryOp, CompareOp, ExprId, ExprKind, FunctionId, Global, GlobalId, InstrKind, IntKind, LocalId, Place,
    PlaceBase, Program, TerminatorKind, TypeId,
};
use rustc_hash::FxHashMap;

/// The inputs of one entry of the table.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The number of the site, from 1; 0 if the entry is not used.
    pub site: GlobalId,
    /// The number of the extra variable, from 1; 0 if there is none.
    pub extra: GlobalId,
    /// The value of the extra variable.
    pub extra_key: GlobalId,
    /// The new value.
    pub value: GlobalId,
    /// Values of the operands.
    pub keys: Vec<GlobalId>,
}

/// What a store of the instrumented program records about its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// The value of an operand.
    Operand(usize),
    /// The value of a visible variable.
    Visible(usize),
    /// The value of the expression. The last of an instance.
    Now,
}

/// What is recorded for the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Nothing more.
    Plain,
    /// Operands, visible variables, and the value of the expression.
    Telling,
}

/// The program with its tables.
pub(super) struct Instrumented {
    pub program: Program,
    pub entries: Vec<Entry>,
    /// Locals that say whether an entry was used at an instance of a site: site and entry.
    pub matches: FxHashMap<(FunctionId, LocalId), (usize, usize)>,
    /// Locals that record facts about a site, by its position.
    pub told: FxHashMap<(FunctionId, LocalId), (usize, Told)>,
}

/// Adds tables with `n_entries` entries at the sites. `visible` are the extra variables of each site. Cost: O(program + sites × entries).
pub(super) fn instrument(
    original: &Program,
    start: FunctionId,
    sites: &[Site],
    visible: &[Vec<Visible>],
    n_entries: usize,
    style: Style,
) -> Instrumented {
    let mut program = original.clone();
    let kinds = Kinds {
        int: program.types.int(IntKind::Int),
        number: program.types.int(IntKind::UShort),
        truth: program.types.int(IntKind::Bool),
        word: program.types.int(IntKind::ULongLong),
        half: half(&mut program),
    };
    let n_keys = sites.iter().map(|site| site.operands.len()).max().unwrap_or(0);
    let entries: Vec<Entry> = (0..n_entries).map(|_| new_entry(&mut program, kinds, n_keys)).collect();
    let mut copies = Copies::default();
    let mut out =
        Instrumented { program, entries, matches: FxHashMap::default(), told: FxHashMap::default() };
    let mut by_function: Vec<Vec<usize>> = vec![Vec::new(); original.functions.len()];
    for (index, site) in sites.iter().enumerate() {
        by_function[site.function.index()].push(index);
    }
    for (index, list) in by_function.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        let id = FunctionId(index as u32);
        let function = out.program.function(id).clone();
        let mut writer = Writer {
            original,
            patch: Patch::new(function, kinds),
            id,
            style,
            copies: &mut copies,
            out: &mut out,
        };
        for site in list {
            writer.site(*site, &sites[*site], &visible[*site], start);
        }
        let function = writer.patch.finish();
        out.program.functions[index] = function;
    }
    out
}

/// The unsigned type with 32 bits.
fn half(program: &mut Program) -> TypeId {
    let kinds = [IntKind::UInt, IntKind::ULong, IntKind::UShort];
    let is_half = |kind: &IntKind| program.types.format_of(*kind).width == 32;
    let kind = kinds.into_iter().find(is_half).unwrap_or(IntKind::UInt);
    program.types.int(kind)
}

fn new_entry(program: &mut Program, kinds: Kinds, n_keys: usize) -> Entry {
    let mut global = |name: &str, ty: TypeId| {
        let function = &program.functions[0];
        let (span, position) = (function.span, function.position);
        program.globals.push(Global {
            name: name.to_owned(),
            ty,
            owner: None,
            span,
            position,
            initial: Vec::new(),
            is_extern: true,
            is_internal: false,
            is_const: false,
            is_weak: false,
            is_thread_local: false,
            has_open_length: false,
            is_of_partial_file: false,
            address_taken: false,
        });
        GlobalId(program.globals.len() as u32 - 1)
    };
    Entry {
        site: global(".site", kinds.number),
        extra: global(".extra", kinds.number),
        extra_key: global(".extra_key", kinds.word),
        value: global(".value", kinds.word),
        keys: (0..n_keys).map(|_| global(".key", kinds.word)).collect(),
    }
}

/// Writes the sites of one function.
struct Writer<'a> {
    original: &'a Program,
    patch: Patch,
    id: FunctionId,
    style: Style,
    copies: &'a mut Copies,
    out: &'a mut Instrumented,
}

impl Writer<'_> {
    fn site(&mut self, number: usize, site: &Site, visible: &[Visible], start: FunctionId) {
        let Some(old) = self.open(site, start) else { return };
        let keys = self.keys(site);
        self.tell(number, site, &keys, visible, old);
        let mut value = old;
        for entry in 0..self.out.entries.len() {
            value = self.entry(number, entry, site, &keys, visible, value);
        }
        self.close(site, value);
    }

    /// Goes to the site, and finds the expression of its value.
    fn open(&mut self, site: &Site, start: FunctionId) -> Option<ExprId> {
        match &site.at {
            At::Store(block, at) | At::Argument(block, at, _) => self.patch.go(*block, *at),
            At::Branch(block) | At::Switch(block) | At::Return(block) => self.patch.go_to_end(*block),
            At::Decision(decision) => {
                let decision = &self.original.decisions[decision.index()];
                return joins::join(&mut self.patch, self.original, decision);
            }
            At::Initial(global, piece) => {
                debug_assert_eq!(self.id, start);
                return initials::open(&mut self.patch, &mut self.out.program, *global, *piece);
            }
        }
        match (&site.at, self.patch.instr(), self.patch.terminator()) {
            (At::Store(..), Some(InstrKind::Store { value, .. }), _) => Some(*value),
            (At::Argument(.., number), Some(InstrKind::Call { args, .. }), _) => args.get(*number).copied(),
            (At::Branch(_), _, TerminatorKind::Branch { condition, .. }) => Some(*condition),
            (At::Switch(_), _, TerminatorKind::Switch { value, .. }) => Some(*value),
            (At::Return(_), _, TerminatorKind::Return(Some(value))) => Some(*value),
            _ => None,
        }
    }

    /// Replaces the old value by the new one.
    fn close(&mut self, site: &Site, new: ExprId) {
        match &site.at {
            At::Store(..) | At::Argument(..) => match self.patch.instr_mut() {
                Some(InstrKind::Store { value, .. }) => *value = new,
                Some(InstrKind::Call { args, .. }) => {
                    if let At::Argument(.., number) = &site.at
                        && let Some(arg) = args.get_mut(*number)
                    {
                        *arg = new;
                    }
                }
                _ => {}
            },
            At::Branch(_) | At::Decision(_) | At::Switch(_) | At::Return(_) => {
                match self.patch.terminator_mut() {
                    TerminatorKind::Branch { condition, .. } => *condition = new,
                    TerminatorKind::Switch { value, .. } | TerminatorKind::Return(Some(value)) => {
                        *value = new
                    }
                    _ => {}
                }
            }
            At::Initial(global, piece) => {
                initials::close(&mut self.patch, &self.out.program, *global, *piece, new);
            }
        }
    }

    /// Expressions that read the operands at the site.
    fn keys(&mut self, site: &Site) -> Vec<ExprId> {
        let mut keys = Vec::with_capacity(site.operands.len());
        for operand in &site.operands {
            let place = match &operand.source {
                OperandSource::Again(place) => place.clone(),
                OperandSource::Kept { expr, at, statement } => {
                    let place = self.patch.temporary(operand.ty);
                    for (block, index) in at {
                        let store = InstrKind::Store { place: place.clone(), value: *expr };
                        self.patch.insert_at(*block, *index, store);
                    }
                    let zero = self.patch.int(0, operand.ty);
                    self.patch
                        .insert_at_begin(*statement, InstrKind::Store { place: place.clone(), value: zero });
                    place
                }
                OperandSource::Called { function, args } => {
                    let place = self.patch.temporary(operand.ty);
                    let callee = self.copies.of(self.original, &mut self.out.program, *function);
                    self.patch.insert(InstrKind::Call {
                        callee: nub_c_ir::Callee::Direct(callee),
                        args: args.clone(),
                        result: Some(place.clone()),
                    });
                    place
                }
            };
            keys.push(self.patch.load(place));
        }
        keys
    }

    /// Stores that the trace of the interpreter shows.
    fn tell(&mut self, number: usize, site: &Site, keys: &[ExprId], visible: &[Visible], old: ExprId) {
        if self.style == Style::Plain {
            return;
        }
        let operands =
            keys.iter().enumerate().map(|(at, key)| (Told::Operand(at), *key, site.operands[at].ty));
        let mut list: Vec<(Told, ExprId, TypeId)> = operands.collect();
        for (at, variable) in visible.iter().enumerate() {
            let key = self.patch.load(variable.place.clone());
            list.push((Told::Visible(at), key, variable.place.ty));
        }
        list.push((Told::Now, old, site.ty));
        for (what, value, ty) in list {
            let place = self.patch.temporary(ty);
            if let PlaceBase::Local(local) = place.base {
                self.out.told.insert((self.id, local), (number, what));
            }
            self.patch.insert(InstrKind::Store { place, value });
        }
    }

    /// `old`, unless the entry is for this site and fits.
    fn entry(
        &mut self,
        number: usize,
        entry: usize,
        site: &Site,
        keys: &[ExprId],
        visible: &[Visible],
        old: ExprId,
    ) -> ExprId {
        let slots = self.out.entries[entry].clone();
        let mut fits = self.is_number(slots.site, number + 1);
        for (at, key) in keys.iter().enumerate() {
            let equal = self.equals(*key, site.operands[at].ty, slots.keys[at]);
            fits = self.patch.binary(BinaryOp::And, fits, equal);
        }
        if !visible.is_empty() {
            let extra = self.extra(&slots, visible);
            fits = self.patch.binary(BinaryOp::And, fits, extra);
        }
        let place = self.patch.temporary(self.patch.kinds.int);
        if let PlaceBase::Local(local) = place.base {
            self.out.matches.insert((self.id, local), (number, entry));
        }
        self.patch.insert(InstrKind::Store { place: place.clone(), value: fits });
        let fits = self.patch.load(place);
        self.choose(fits, slots.value, site, old)
    }

    /// Either no extra variable is required, or the required one has its value.
    fn extra(&mut self, slots: &Entry, visible: &[Visible]) -> ExprId {
        let mut any = self.is_number(slots.extra, 0);
        for (at, variable) in visible.iter().enumerate() {
            let is_it = self.is_number(slots.extra, at + 1);
            let key = self.patch.load(variable.place.clone());
            let equal = self.equals(key, variable.place.ty, slots.extra_key);
            let both = self.patch.binary(BinaryOp::And, is_it, equal);
            any = self.patch.binary(BinaryOp::Or, any, both);
        }
        any
    }

    fn is_number(&mut self, global: GlobalId, number: usize) -> ExprId {
        let Kinds { int, number: ty, .. } = self.patch.kinds;
        let (value, number) = (self.slot(global, ty), self.patch.int(number as u128, ty));
        self.patch.push(ExprKind::Compare(CompareOp::Eq, value, number), int)
    }

    fn slot(&mut self, global: GlobalId, ty: TypeId) -> ExprId {
        self.patch.load(Place { base: PlaceBase::Global(global), steps: Vec::new(), ty })
    }

    /// Compared in the width of the operand: the other bits of the slot do not matter.
    fn equals(&mut self, key: ExprId, ty: TypeId, slot: GlobalId) -> ExprId {
        let word = self.patch.kinds.word;
        let slot = self.slot(slot, word);
        let types = &self.out.program.types;
        let (key, ty) = (self.patch.bits(types, key, ty), self.patch.bits_type(types, ty));
        let slot = self.patch.narrow(types, slot, ty);
        self.patch.push(ExprKind::Compare(CompareOp::Eq, key, slot), self.patch.kinds.int)
    }

    /// `fits ? value : old`, with masks, since expressions have no conditional.
    fn choose(&mut self, fits: ExprId, value: GlobalId, site: &Site, old: ExprId) -> ExprId {
        let word = self.patch.kinds.word;
        let mut new = self.slot(value, word);
        if site.is_truth {
            let one = self.patch.int(1, word);
            new = self.patch.binary(BinaryOp::And, new, one);
        }
        let types = &self.out.program.types;
        let ty = self.patch.bits_type(types, site.ty);
        let (old, new) = (self.patch.bits(types, old, site.ty), self.patch.narrow(types, new, ty));
        let mask = self.patch.mask(types, fits, ty);
        let inverse = self.patch.push(ExprKind::Unary(nub_c_ir::UnaryOp::Not, mask), ty);
        let new = self.patch.binary(BinaryOp::And, new, mask);
        let old = self.patch.binary(BinaryOp::And, old, inverse);
        let bits = self.patch.binary(BinaryOp::Or, new, old);
        self.patch.of_bits(types, bits, site.ty)
    }
}
