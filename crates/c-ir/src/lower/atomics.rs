//! Atomic accesses (`__atomic_*`, `__sync_*`, which is what `stdatomic.h` becomes). There is one thread: each is an ordinary access, and memory
//! orders have no effect.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use crate::types::IntKind;
use nub_c_syntax::ast;
use nub_text::Span;

/// What is done to the object, and what the value is.
enum AtomicOp {
    Load,
    Store,
    Exchange,
    /// The generic forms, in which values are behind pointers.
    LoadTo,
    StoreFrom,
    ExchangeTo,
    CompareExchangeFrom,
    /// Sets a flag and returns its old value.
    TestAndSet,
    Clear,
    /// Returns the old value or the new one.
    Update(Update, Yield),
    CompareExchange,
    /// `__sync_bool_compare_and_swap`, `__sync_val_compare_and_swap`
    Swap(Yield),
}

enum Update {
    Binary(BinaryOp),
    Nand,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Yield {
    Old,
    New,
    Truth,
    /// The same for an operation that may fail although the values agree (C17 7.17.7.4).
    WeakTruth,
}

fn update(word: &str) -> Option<Update> {
    Some(match word {
        "add" => Update::Binary(BinaryOp::Add),
        "sub" => Update::Binary(BinaryOp::Sub),
        "and" => Update::Binary(BinaryOp::And),
        "or" => Update::Binary(BinaryOp::Or),
        "xor" => Update::Binary(BinaryOp::Xor),
        "nand" => Update::Nand,
        _ => return None,
    })
}

fn operation(name: &str) -> Option<AtomicOp> {
    if let Some(rest) = name.strip_prefix("__atomic_") {
        return Some(match rest {
            "load_n" => AtomicOp::Load,
            "store_n" => AtomicOp::Store,
            "exchange_n" => AtomicOp::Exchange,
            "compare_exchange_n" => AtomicOp::CompareExchange,
            "load" => AtomicOp::LoadTo,
            "store" => AtomicOp::StoreFrom,
            "exchange" => AtomicOp::ExchangeTo,
            "compare_exchange" => AtomicOp::CompareExchangeFrom,
            "test_and_set" => AtomicOp::TestAndSet,
            "clear" => AtomicOp::Clear,
            _ => match (rest.strip_prefix("fetch_"), rest.strip_suffix("_fetch")) {
                (Some(word), _) => AtomicOp::Update(update(word)?, Yield::Old),
                (_, Some(word)) => AtomicOp::Update(update(word)?, Yield::New),
                _ => return None,
            },
        });
    }
    let rest = name.strip_prefix("__sync_")?;
    Some(match rest {
        "bool_compare_and_swap" => AtomicOp::Swap(Yield::Truth),
        "val_compare_and_swap" => AtomicOp::Swap(Yield::Old),
        "lock_test_and_set" => AtomicOp::Exchange,
        "lock_release" => AtomicOp::Clear,
        _ => match (rest.strip_prefix("fetch_and_"), rest.strip_suffix("_and_fetch")) {
            (Some(word), _) => AtomicOp::Update(update(word)?, Yield::Old),
            (_, Some(word)) => AtomicOp::Update(update(word)?, Yield::New),
            _ => return None,
        },
    })
}

impl Lower<'_> {
    /// The value of a call of one of these functions; `None` if it is another.
    pub(super) fn atomic(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        if matches!(name, "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence") {
            self.argument_values(args)?;
            self.emit(InstrKind::LeftOpen { choice: OpenChoice::Threads, place: None }, span);
            return Ok(Some(self.void_value(span)));
        }
        let Some(op) = operation(name) else { return Ok(None) };
        let n_args = match op {
            AtomicOp::Load | AtomicOp::TestAndSet | AtomicOp::Clear => 1,
            AtomicOp::Store | AtomicOp::Exchange | AtomicOp::Update(..) => 2,
            AtomicOp::LoadTo | AtomicOp::StoreFrom => 2,
            AtomicOp::CompareExchange | AtomicOp::CompareExchangeFrom | AtomicOp::Swap(_) => 3,
            AtomicOp::ExchangeTo => 3,
        };
        self.require_args(args, n_args, span)?;
        let mut values = self.argument_values(args)?;
        if name.starts_with("__atomic_") && matches!(op, AtomicOp::TestAndSet | AtomicOp::Clear) {
            // These are about a byte, whatever the pointer points to: `atomic_flag` is a structure in gcc.
            let byte = self.types().int(IntKind::UChar);
            let pointer = self.types().pointer_to(byte);
            values[0] = self.convert(values[0], pointer, span)?;
        }
        let place = self.pointer_target(values[0], span)?;
        if self.int_kind(place.ty).is_none() && !self.is_pointer(place.ty) {
            return Err(Refusal::new(span, format!("`{name}` needs a pointer to a number or a pointer")));
        }
        // What threads share is often volatile, though no device changes it, and is accessed like any other object. A register has no object: its
        // reads are inputs, and an access that reads and writes at once cannot be one.
        if self.is_volatile(&place) && self.is_register(&place) {
            return Err(Refusal::unmodelled(span, format!("`{name}` of a register is not supported")));
        }
        self.emit(InstrKind::LeftOpen { choice: OpenChoice::Threads, place: None }, span);
        let value = match op {
            AtomicOp::Load => self.load_memory(place, span),
            AtomicOp::Store => self.store_converted(place, values[1], span)?,
            AtomicOp::Exchange => {
                let old = self.old_value(&place, span);
                self.store_converted(place, values[1], span)?;
                old
            }
            AtomicOp::Update(update, wanted) => {
                self.atomic_update(place, (update, wanted), values[1], span)?
            }
            AtomicOp::CompareExchange => {
                let expected = self.pointer_target(values[1], span)?;
                let wanted = self.truth_of_exchange(&values);
                self.compare_exchange(place, Some(expected), values[2], (None, wanted), span)?
            }
            AtomicOp::Swap(wanted) => {
                self.compare_exchange(place, None, values[2], (Some(values[1]), wanted), span)?
            }
            _ => self.generic_atomic(&op, place, &values, span)?,
        };
        Ok(Some(value))
    }

    /// The forms in which values are behind pointers, and flags.
    fn generic_atomic(
        &mut self,
        op: &AtomicOp,
        place: Place,
        values: &[RValue],
        span: Span,
    ) -> Lowered<RValue> {
        Ok(match op {
            AtomicOp::LoadTo => {
                let target = self.pointer_target(values[1], span)?;
                let value = self.load_memory(place, span);
                self.store_converted(target, value, span)?
            }
            AtomicOp::StoreFrom => {
                let source = self.pointer_target(values[1], span)?;
                let value = self.old_value(&source, span);
                self.store_converted(place, value, span)?
            }
            AtomicOp::ExchangeTo => {
                let (source, target) =
                    (self.pointer_target(values[1], span)?, self.pointer_target(values[2], span)?);
                let (old, new) = (self.old_value(&place, span), self.old_value(&source, span));
                self.store_converted(place, new, span)?;
                self.store_converted(target, old, span)?
            }
            AtomicOp::TestAndSet => {
                let old = self.old_value(&place, span);
                let one = self.plain_int(1, span);
                self.store_converted(place, one, span)?;
                let zero = self.plain_int(0, span);
                let zero = self.convert(zero, old.ty, span)?;
                self.compare_op(CompareOp::Ne, old, zero, span)
            }
            AtomicOp::Clear => {
                let zero = self.plain_int(0, span);
                self.store_converted(place, zero, span)?
            }
            AtomicOp::CompareExchangeFrom => {
                let (expected, desired) =
                    (self.pointer_target(values[1], span)?, self.pointer_target(values[2], span)?);
                let desired = self.old_value(&desired, span);
                let wanted = self.truth_of_exchange(values);
                self.compare_exchange(place, Some(expected), desired, (None, wanted), span)?
            }
            _ => return Err(Refusal::silent()),
        })
    }

    /// The value before the access, kept.
    fn old_value(&mut self, place: &Place, span: Span) -> RValue {
        let old = self.load_memory(place.clone(), span);
        self.save_always(old, span)
    }

    /// `place = value`, without a value.
    fn store_converted(&mut self, place: Place, value: RValue, span: Span) -> Lowered<RValue> {
        let new = self.assign_convert(value, place.ty, span)?;
        self.store(place, new, span);
        Ok(self.void_value(span))
    }

    /// Sums wrap, whatever the type is.
    fn atomic_update(
        &mut self,
        place: Place,
        (update, wanted): (Update, Yield),
        operand: RValue,
        span: Span,
    ) -> Lowered<RValue> {
        if self.is_pointer(place.ty) {
            return Err(Refusal::unmodelled(span, "atomic arithmetic on pointers is not supported"));
        }
        let old = self.old_value(&place, span);
        let operand = self.convert(operand, old.ty, span)?;
        let new = match update {
            Update::Binary(op) => self.binary_op(op, old, operand, span),
            Update::Nand => {
                let both = self.binary_op(BinaryOp::And, old, operand, span);
                self.unary_op(UnaryOp::Not, both, span)
            }
        };
        let new = self.save_always(new, span);
        self.store(place, new, span);
        Ok(if wanted == Yield::Old { old } else { new })
    }

    /// The fourth argument of a compare-and-exchange says whether it is weak.
    fn truth_of_exchange(&self, values: &[RValue]) -> Yield {
        match values.get(3).and_then(|weak| self.known(weak.id)) {
            Some(0) => Yield::Truth,
            _ => Yield::WeakTruth,
        }
    }

    /// Writes the new value if the old one is the expected one; otherwise the old value goes to where the expected one is.
    fn compare_exchange(
        &mut self,
        place: Place,
        expected: Option<Place>,
        new: RValue,
        (given, wanted): (Option<RValue>, Yield),
        span: Span,
    ) -> Lowered<RValue> {
        let old = self.old_value(&place, span);
        let hoped = match (&expected, given) {
            (Some(place), _) => self.old_value(place, span),
            (None, Some(value)) => self.assign_convert(value, old.ty, span)?,
            (None, None) => return Err(Refusal::silent()),
        };
        let new = self.assign_convert(new, old.ty, span)?;
        let is_equal = if self.is_pointer(old.ty) {
            self.pointer_compare(CompareOp::Eq, old, hoped, span)
        } else {
            self.compare_op(CompareOp::Eq, old, hoped, span)
        };
        let is_equal = match wanted {
            Yield::WeakTruth => {
                let choice = OpenChoice::Result("atomic_compare_exchange_weak".to_owned());
                let (fails, zero) = (self.left_open(choice, span), self.plain_int(0, span));
                let works = self.compare_op(CompareOp::Eq, fails, zero, span);
                self.binary_op(BinaryOp::And, is_equal, works, span)
            }
            _ => is_equal,
        };
        let is_equal = self.save_always(is_equal, span);
        let kept = self.selected(is_equal, new, old, span);
        self.store(place, kept, span);
        if let Some(place) = expected {
            let seen = self.selected(is_equal, hoped, old, span);
            self.store(place, seen, span);
        }
        Ok(if matches!(wanted, Yield::Truth | Yield::WeakTruth) { is_equal } else { old })
    }

    /// `condition ? a : b` of values that are already evaluated.
    pub(super) fn selected(&mut self, condition: RValue, a: RValue, b: RValue, span: Span) -> RValue {
        let place = self.temporary(b.ty, span);
        self.emit(InstrKind::Store { place: place.clone(), value: b.id }, span);
        let (then_block, after) = (self.fun.add_block(), self.fun.add_block());
        let kind = TerminatorKind::Branch {
            condition: condition.id,
            then_block,
            else_block: after,
            test: None,
            loop_header: None,
        };
        self.end_block(kind, span);
        self.switch_to(then_block);
        self.emit(InstrKind::Store { place: place.clone(), value: a.id }, span);
        self.end_block(TerminatorKind::Goto(after), span);
        self.switch_to(after);
        let id = self.add(ExprKind::Load(place), b.ty, span);
        RValue { id, ..b }
    }
}
