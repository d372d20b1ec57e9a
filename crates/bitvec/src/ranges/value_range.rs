//! The numbers that a bit-vector may be, read with and without sign.

/// Numbers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberInterval {
    /// The smallest number.
    pub low: i128,
    /// The largest number; not below `low`.
    pub high: i128,
}

impl NumberInterval {
    pub(super) fn new(low: i128, high: i128) -> NumberInterval {
        assert!(low <= high, "an interval is not empty");
        NumberInterval { low, high }
    }

    fn meet(self, other: NumberInterval) -> Option<NumberInterval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(NumberInterval { low, high })
    }

    fn join(self, other: NumberInterval) -> NumberInterval {
        NumberInterval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn contains(self, other: NumberInterval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The smallest interval that has what the operation makes of the ends; `None` if a result is out of reach.
    pub(super) fn of_ends(
        self,
        other: NumberInterval,
        operation: impl Fn(i128, i128) -> Option<i128>,
    ) -> Option<NumberInterval> {
        let ends =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let mut found: Option<NumberInterval> = None;
        for (a, b) in ends {
            let value = operation(a, b)?;
            let point = NumberInterval::new(value, value);
            found = Some(found.map_or(point, |all| all.join(point)));
        }
        found
    }

    /// The number of bits that all of its numbers need in two's complement.
    pub fn signed_bits(self) -> u32 {
        let needed = |number: i128| 129 - if number < 0 { !number } else { number }.leading_zeros();
        needed(self.low).max(needed(self.high))
    }
}

/// What is known of a bit-vector of up to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueRange {
    width: u32,
    /// As a signed number.
    pub signed: NumberInterval,
    /// As an unsigned number.
    pub unsigned: NumberInterval,
}

/// The widest bit-vectors with ranges: products of two of them are numbers of Rust.
pub const MAX_RANGE_WIDTH: u32 = 64;

impl ValueRange {
    /// Any value; `None` if it is wider than [`MAX_RANGE_WIDTH`].
    pub(super) fn all(width: u32) -> Option<ValueRange> {
        (width <= MAX_RANGE_WIDTH).then(|| ValueRange {
            width,
            signed: signed_limits(width),
            unsigned: unsigned_limits(width),
        })
    }

    /// The signed numbers of an interval; if they do not fit the width, any value.
    pub(super) fn of_signed(width: u32, signed: NumberInterval) -> Option<ValueRange> {
        let all = ValueRange::all(width)?;
        Some(if all.signed.contains(signed) { ValueRange { signed, ..all }.completed() } else { all })
    }

    /// The unsigned numbers of an interval; if they do not fit the width, any value.
    pub(super) fn of_unsigned(width: u32, unsigned: NumberInterval) -> Option<ValueRange> {
        let all = ValueRange::all(width)?;
        Some(if all.unsigned.contains(unsigned) { ValueRange { unsigned, ..all }.completed() } else { all })
    }

    /// What holds of both; `None` if no value is in both.
    pub(super) fn meet(self, other: ValueRange) -> Option<ValueRange> {
        let (signed, unsigned) = (self.signed.meet(other.signed)?, self.unsigned.meet(other.unsigned)?);
        let met = ValueRange { signed, unsigned, ..self };
        let (signed, unsigned) = (met.signed_of_unsigned(), met.unsigned_of_signed());
        Some(ValueRange { signed: met.signed.meet(signed)?, unsigned: met.unsigned.meet(unsigned)?, ..self })
    }

    /// What holds of each of two.
    pub(super) fn join(self, other: ValueRange) -> ValueRange {
        let (signed, unsigned) = (self.signed.join(other.signed), self.unsigned.join(other.unsigned));
        ValueRange { signed, unsigned, ..self }
    }

    /// With what one reading says about the other. Not empty.
    fn completed(self) -> ValueRange {
        self.meet(self).unwrap_or(self)
    }

    /// All unsigned numbers have the same sign bit, or any number is possible.
    fn signed_of_unsigned(self) -> NumberInterval {
        let (all, modulus) = (signed_limits(self.width), 1_i128 << self.width);
        match self.unsigned {
            found if found.high <= all.high => found,
            found if found.low > all.high => NumberInterval::new(found.low - modulus, found.high - modulus),
            _ => all,
        }
    }

    fn unsigned_of_signed(self) -> NumberInterval {
        let modulus = 1_i128 << self.width;
        match self.signed {
            found if found.low >= 0 => found,
            found if found.high < 0 => NumberInterval::new(found.low + modulus, found.high + modulus),
            _ => unsigned_limits(self.width),
        }
    }
}

fn signed_limits(width: u32) -> NumberInterval {
    let half = 1_i128 << (width - 1);
    NumberInterval::new(-half, half - 1)
}

fn unsigned_limits(width: u32) -> NumberInterval {
    NumberInterval::new(0, (1_i128 << width) - 1)
}
