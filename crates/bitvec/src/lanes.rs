//! Evaluates the same terms for 64 assignments at once.
//!
//! Most terms of a program are truth values: guards, and what a run does. A truth value is one bit, so those of 64 assignments are one word, and an operator on
//! them is one instruction for all. Numbers take 32 or 64 bits each; their operators are loops without branches, of which the compiler makes
//! vector instructions. Rare operators are applied to one assignment after the other.

use crate::words::{MAX_BITS, WordOp, mask};
use crate::{Op, TermId};
use std::cell::RefCell;

/// The number of assignments that are evaluated at once.
pub const LANES: usize = 64;

/// Terms whose values all have at most 64 bits.
#[derive(Clone, Debug)]
pub struct LaneEvaluator {
    /// Variables, in the order in which their values are given.
    variables: Vec<(TermId, LanePlace)>,
    steps: Vec<LaneStep>,
    /// The roots; `None` if it is not a truth value.
    roots: Vec<Option<u32>>,
    /// Kept for the next evaluation: filling it with constants takes as long as evaluating.
    memory: RefCell<LaneMemory>,
}

/// Where the values of a term are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LanePlace {
    /// One bit each.
    Truth(u32),
    /// 2 to 32 bits each.
    Half(u32),
    /// 33 to 64 bits each.
    Whole(u32),
}

/// A term to be evaluated. Missing operands repeat the first one.
#[derive(Clone, Copy, Debug)]
struct LaneStep {
    kernel: Kernel,
    word: WordOp,
    args: [LanePlace; 3],
    to: LanePlace,
}

/// How an operator is applied.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// Truth values to a truth value, with their places.
    Truths {
        args: [u32; 3],
        to: u32,
    },
    /// Numbers to a truth value.
    CompareHalves {
        args: [u32; 2],
        to: u32,
    },
    CompareWholes {
        args: [u32; 2],
        to: u32,
    },
    /// Numbers to a number of about the same size.
    Halves {
        args: [u32; 2],
        to: u32,
    },
    Wholes {
        args: [u32; 2],
        to: u32,
    },
    /// One of two numbers.
    ChooseHalf {
        condition: u32,
        args: [u32; 2],
        to: u32,
    },
    ChooseWhole {
        condition: u32,
        args: [u32; 2],
        to: u32,
    },
    /// One assignment after the other.
    Each,
}

#[derive(Clone, Debug, Default)]
struct LaneMemory {
    truths: Vec<u64>,
    halves: Vec<[u32; LANES]>,
    wholes: Vec<[u64; LANES]>,
}

impl LaneMemory {
    fn add(&mut self, width: u8, value: u64) -> LanePlace {
        match width {
            1 => {
                self.truths.push(0_u64.wrapping_sub(value & 1));
                LanePlace::Truth(self.truths.len() as u32 - 1)
            }
            2..=32 => {
                self.halves.push([value as u32; LANES]);
                LanePlace::Half(self.halves.len() as u32 - 1)
            }
            _ => {
                self.wholes.push([value; LANES]);
                LanePlace::Whole(self.wholes.len() as u32 - 1)
            }
        }
    }

    fn get(&self, place: LanePlace, lane: usize) -> u64 {
        match place {
            LanePlace::Truth(at) => self.truths[at as usize] >> lane & 1,
            LanePlace::Half(at) => u64::from(self.halves[at as usize][lane]),
            LanePlace::Whole(at) => self.wholes[at as usize][lane],
        }
    }

    fn set(&mut self, place: LanePlace, lane: usize, value: u64) {
        match place {
            LanePlace::Truth(at) => {
                let truths = &mut self.truths[at as usize];
                *truths = *truths & !(1 << lane) | (value & 1) << lane;
            }
            LanePlace::Half(at) => self.halves[at as usize][lane] = value as u32,
            LanePlace::Whole(at) => self.wholes[at as usize][lane] = value,
        }
    }

    fn apply(&mut self, step: &LaneStep) {
        let word = step.word;
        match step.kernel {
            Kernel::Truths { args: [a, b, c], to } => {
                let [a, b, c] = [a, b, c].map(|at| self.truths[at as usize]);
                self.truths[to as usize] = truths(word.op, a, b, c);
            }
            Kernel::CompareHalves { args: [a, b], to } => {
                self.truths[to as usize] =
                    halves::compare(word, &self.halves[a as usize], &self.halves[b as usize]);
            }
            Kernel::CompareWholes { args: [a, b], to } => {
                self.truths[to as usize] =
                    wholes::compare(word, &self.wholes[a as usize], &self.wholes[b as usize]);
            }
            Kernel::Halves { args: [a, b], to } => {
                self.halves[to as usize] =
                    halves::combine(word, &self.halves[a as usize], &self.halves[b as usize]);
            }
            Kernel::Wholes { args: [a, b], to } => {
                self.wholes[to as usize] =
                    wholes::combine(word, &self.wholes[a as usize], &self.wholes[b as usize]);
            }
            Kernel::ChooseHalf { condition, args: [a, b], to } => {
                let truths = self.truths[condition as usize];
                self.halves[to as usize] =
                    halves::choose(truths, &self.halves[a as usize], &self.halves[b as usize]);
            }
            Kernel::ChooseWhole { condition, args: [a, b], to } => {
                let truths = self.truths[condition as usize];
                self.wholes[to as usize] =
                    wholes::choose(truths, &self.wholes[a as usize], &self.wholes[b as usize]);
            }
            Kernel::Each => {
                for lane in 0..LANES {
                    let [a, b, c] = step.args.map(|arg| self.get(arg, lane));
                    self.set(step.to, lane, word.apply(a, b, c));
                }
            }
        }
    }
}

impl Kernel {
    fn of(op: Op, args: [LanePlace; 3], to: LanePlace) -> Kernel {
        use LanePlace::{Half, Truth, Whole};
        match (to, args) {
            (Truth(to), [Truth(a), Truth(b), Truth(c)]) if is_on_truths(op) => {
                Kernel::Truths { args: [a, b, c], to }
            }
            (Truth(to), [Half(a), Half(b), _]) if is_compared(op) => {
                Kernel::CompareHalves { args: [a, b], to }
            }
            (Truth(to), [Whole(a), Whole(b), _]) if is_compared(op) => {
                Kernel::CompareWholes { args: [a, b], to }
            }
            (Half(to), [Half(a), Half(b), _]) if is_combined(op) => Kernel::Halves { args: [a, b], to },
            (Whole(to), [Whole(a), Whole(b), _]) if is_combined(op) => Kernel::Wholes { args: [a, b], to },
            (Half(to), [Truth(condition), Half(a), Half(b)]) if op == Op::Ite => {
                Kernel::ChooseHalf { condition, args: [a, b], to }
            }
            (Whole(to), [Truth(condition), Whole(a), Whole(b)]) if op == Op::Ite => {
                Kernel::ChooseWhole { condition, args: [a, b], to }
            }
            _ => Kernel::Each,
        }
    }
}

fn is_on_truths(op: Op) -> bool {
    use Op::*;
    matches!(op, Not | And | Or | Xor | Nand | Nor | Xnor | Iff | Implies | Eq | Ne | Ite)
}

fn truths(op: Op, a: u64, b: u64, c: u64) -> u64 {
    match op {
        Op::Not => !a,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor | Op::Ne => a ^ b,
        Op::Nand => !(a & b),
        Op::Nor => !(a | b),
        Op::Xnor | Op::Iff | Op::Eq => !(a ^ b),
        Op::Implies => !a | b,
        Op::Ite => a & b | !a & c,
        other => unreachable!("{other} has no kernel on truth values"),
    }
}

fn is_compared(op: Op) -> bool {
    use Op::*;
    matches!(op, Eq | Ne | Ult | Ule | Ugt | Uge | Slt | Sle | Sgt | Sge | Saddo | Ssubo)
}

fn is_combined(op: Op) -> bool {
    use Op::*;
    matches!(op, Not | Neg | And | Or | Xor | Add | Sub | Mul | Uext | Sext | Slice)
}

/// The lowest bit of each byte.
fn packed(bytes: &[u8; LANES]) -> u64 {
    // Moves the bit of byte i to bit 56 + i; no two bits of the product overlap.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut bits = 0;
    for (index, eight) in bytes.chunks_exact(8).enumerate() {
        let eight: [u8; 8] = eight.try_into().expect("chunks have this size");
        bits |= (u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56) << (8 * index);
    }
    bits
}

/// Operators on numbers, for words of a certain size.
macro_rules! kernels {
    ($module:ident, $word:ty, $signed:ty) => {
        mod $module {
            use super::{LANES, Op, WordOp, mask, packed};

            type Lanes = [$word; LANES];

            #[inline(always)] // Otherwise the compiler does not use vector instructions.
            fn each(a: &Lanes, b: &Lanes, result: impl Fn($word, $word) -> $word) -> Lanes {
                let mut results = [0; LANES];
                for lane in 0..LANES {
                    results[lane] = result(a[lane], b[lane]);
                }
                results
            }

            #[inline(always)]
            fn all(a: &Lanes, b: &Lanes, holds: impl Fn($word, $word) -> bool) -> u64 {
                let mut bytes = [0; LANES];
                for lane in 0..LANES {
                    bytes[lane] = u8::from(holds(a[lane], b[lane]));
                }
                packed(&bytes)
            }

            pub fn compare(word: WordOp, a: &Lanes, b: &Lanes) -> u64 {
                // Shifted to the highest bits, numbers compare and overflow as those of the width do.
                let unused = <$word>::BITS - u32::from(word.operands[0]);
                let signed = |x: $word| (x << unused) as $signed;
                match word.op {
                    Op::Eq => all(a, b, |x, y| x == y),
                    Op::Ne => all(a, b, |x, y| x != y),
                    Op::Ult => all(a, b, |x, y| x < y),
                    Op::Ule => all(a, b, |x, y| x <= y),
                    Op::Ugt => all(a, b, |x, y| x > y),
                    Op::Uge => all(a, b, |x, y| x >= y),
                    Op::Slt => all(a, b, |x, y| signed(x) < signed(y)),
                    Op::Sle => all(a, b, |x, y| signed(x) <= signed(y)),
                    Op::Sgt => all(a, b, |x, y| signed(x) > signed(y)),
                    Op::Sge => all(a, b, |x, y| signed(x) >= signed(y)),
                    Op::Saddo => all(a, b, |x, y| {
                        let (x, y) = (signed(x), signed(y));
                        let sum = x.wrapping_add(y);
                        (x ^ sum) & (y ^ sum) < 0
                    }),
                    Op::Ssubo => all(a, b, |x, y| {
                        let (x, y) = (signed(x), signed(y));
                        (x ^ y) & (x ^ x.wrapping_sub(y)) < 0
                    }),
                    other => unreachable!("{other} has no kernel for comparisons"),
                }
            }

            pub fn combine(word: WordOp, a: &Lanes, b: &Lanes) -> Lanes {
                let mask = mask(word.width) as $word;
                let unused = <$word>::BITS - u32::from(word.operands[0]);
                let low = word.low;
                match word.op {
                    Op::Not => each(a, b, |x, _| !x & mask),
                    Op::Neg => each(a, b, |x, _| x.wrapping_neg() & mask),
                    Op::And => each(a, b, |x, y| x & y),
                    Op::Or => each(a, b, |x, y| x | y),
                    Op::Xor => each(a, b, |x, y| x ^ y),
                    Op::Add => each(a, b, |x, y| x.wrapping_add(y) & mask),
                    Op::Sub => each(a, b, |x, y| x.wrapping_sub(y) & mask),
                    Op::Mul => each(a, b, |x, y| x.wrapping_mul(y) & mask),
                    Op::Uext => *a,
                    Op::Sext => each(a, b, |x, _| ((x << unused) as $signed >> unused) as $word & mask),
                    Op::Slice => each(a, b, |x, _| x >> low & mask),
                    other => unreachable!("{other} has no kernel for numbers"),
                }
            }

            pub fn choose(truths: u64, a: &Lanes, b: &Lanes) -> Lanes {
                let mut results = *b;
                for lane in 0..LANES {
                    let chosen = ((truths >> lane & 1) as $word).wrapping_neg();
                    results[lane] ^= (a[lane] ^ b[lane]) & chosen;
                }
                results
            }
        }
    };
}

kernels!(halves, u32, i32);
kernels!(wholes, u64, i64);

/// Collects terms, operands first.
#[derive(Default)]
pub(crate) struct LaneBuilder {
    memory: LaneMemory,
    variables: Vec<(TermId, LanePlace)>,
    steps: Vec<LaneStep>,
}

impl LaneBuilder {
    pub fn constant(&mut self, width: u8, value: u64) -> LanePlace {
        debug_assert!((1..=MAX_BITS).contains(&u32::from(width)));
        self.memory.add(width, value)
    }

    pub fn variable(&mut self, id: TermId, width: u8) -> LanePlace {
        let place = self.memory.add(width, 0);
        self.variables.push((id, place));
        place
    }

    pub fn step(&mut self, word: WordOp, args: &[LanePlace]) -> LanePlace {
        let to = self.memory.add(word.width, 0);
        let args = [0, 1, 2].map(|at| *args.get(at).unwrap_or(&args[0]));
        self.steps.push(LaneStep { kernel: Kernel::of(word.op, args, to), word, args, to });
        to
    }

    pub fn finish(self, roots: impl Iterator<Item = LanePlace>) -> LaneEvaluator {
        let truth = |place| if let LanePlace::Truth(at) = place { Some(at) } else { None };
        let LaneBuilder { memory, variables, steps } = self;
        LaneEvaluator { variables, steps, roots: roots.map(truth).collect(), memory: RefCell::new(memory) }
    }
}

impl LaneEvaluator {
    /// The variables whose values are needed.
    pub fn variables(&self) -> impl Iterator<Item = TermId> {
        self.variables.iter().map(|(id, _)| *id)
    }

    /// For each root, a bit for each assignment in which it is true. `value` is called with the position of a variable and of an assignment; bits above
    /// the width of the variable must be zero.
    pub fn run(&self, value: impl Fn(usize, usize) -> u64) -> Vec<u64> {
        let memory = &mut *self.memory.borrow_mut();
        for (number, (_, place)) in self.variables.iter().enumerate() {
            (0..LANES).for_each(|lane| memory.set(*place, lane, value(number, lane)));
        }
        self.steps.iter().for_each(|step| memory.apply(step));
        self.roots.iter().map(|root| root.map_or(0, |at| memory.truths[at as usize])).collect()
    }
}
