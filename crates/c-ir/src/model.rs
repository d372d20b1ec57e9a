//! The data model: how wide the integer types are, and the order of their bytes.
//!
//! C leaves both to the machine, and what a function does depends on them. A model is chosen by name (`lp64`, `ilp32`,
//! `int16`, `lp64be`, `ilp32be`) or read from a small file, the type file of Weiler's thesis (2013, section 4.1.1):
//!
//! ```text
//! char_is_signed:      false
//! char_bitlength:      8
//! short_bitlength:     16
//! int_bitlength:       16
//! long_bitlength:      32
//! long_long_bitlength: 64
//! pointer_bitlength:   16
//! long_double_bitlength: 64
//! flt_eval_method:     0
//! byte_order:          little
//! max_alignment:       2
//! ```
//!
//! Widths below the minimum of the standard are odd but work: the thesis has an example with an `int` of 4 bits.

use crate::ir::{BitRange, CheckSet};
use nub_text::{Diagnostic, Severity, Span};

/// Objects start at multiples of this, at least ([`object_alignment`]).
pub const OBJECT_ALIGNMENT: u128 = 16;

/// Wide addresses leave room for the alignments that programs ask for, such as that of a cache line or a page.
pub fn object_alignment(pointer_bits: u32) -> u128 {
    if pointer_bits >= 64 { 1 << 12 } else { OBJECT_ALIGNMENT }
}

/// The minimum number of bytes between two objects, for addresses of this many bits. The interpreter and the terms lay objects out alike. Wide
/// addresses leave room for a pointer some elements outside its object, which then points into no other object, so no test can mistake one for the
/// other.
pub fn gap_between_objects(pointer_bits: u32) -> u128 {
    if pointer_bits >= 64 { 1 << 12 } else { OBJECT_ALIGNMENT }
}

/// Widths of the integer types in bits, and what else layout needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataModel {
    /// Bits of `char`, the unit in which sizes count.
    pub char_bits: u32,
    /// Bits of `short`.
    pub short_bits: u32,
    /// Bits of `int`.
    pub int_bits: u32,
    /// Bits of `long`.
    pub long_bits: u32,
    /// Bits of `long long`.
    pub long_long_bits: u32,
    /// Bits of a pointer, of `size_t` and `ptrdiff_t`.
    pub pointer_bits: u32,
    /// Whether plain `char` is signed.
    pub char_is_signed: bool,
    /// No scalar has a larger alignment, in bytes.
    pub max_align: u64,
    /// Which byte of a scalar comes first.
    pub byte_order: ByteOrder,
    /// What happens if a signed result does not fit its type.
    pub signed_overflow: SignedOverflow,
    /// What `long double` is.
    pub long_double: LongDouble,
    /// In which format arithmetic is done.
    pub float_evaluation: FloatEvaluation,
    /// Checks beyond the rules of C: some of [`crate::CheckKind::EXTRA`].
    pub extra_checks: CheckSet,
}

/// What happens when the signed result of an addition, subtraction, multiplication or negation does not fit its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SignedOverflow {
    /// Undefined behaviour, as in C.
    #[default]
    Undefined,
    /// It wraps around, as with `-fwrapv`; and a shift to the left moves the bits of any number. A division that overflows stays
    /// undefined: it traps on many machines, with that option too.
    Wraps,
}

/// Which byte of a scalar comes first in memory. Bit-fields start at the end where the first byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ByteOrder {
    /// The least significant.
    #[default]
    Little,
    /// The most significant.
    Big,
}

impl ByteOrder {
    /// In `whole` bits of memory, seen as one number: the lowest of the `width` bits that follow the first `start`.
    pub fn lowest_bit(self, whole: u32, start: u32, width: u32) -> u32 {
        match self {
            ByteOrder::Little => start,
            ByteOrder::Big => whole - start - width,
        }
    }

    /// Where bit `number` of a range lies, counted from the least significant: the byte, and the bit of the byte.
    pub fn position(self, range: BitRange, number: u32, char_bits: u32) -> (usize, u32) {
        let at = match self {
            ByteOrder::Little => range.start + number,
            ByteOrder::Big => range.start + range.width - 1 - number,
        };
        ((at / char_bits) as usize, self.lowest_bit(char_bits, at % char_bits, 1))
    }
}

/// What `long double` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LongDouble {
    /// The 80 bits of the x87, as on x86 with gcc and clang.
    Extended,
    /// The same as `double`.
    Double,
    /// Another format, of 16 bytes: it has a layout, but no arithmetic.
    Other,
}

/// The format of arithmetic and constants, which may be wider than their type: `FLT_EVAL_METHOD` (C17 5.2.4.2.2). Casts and assignments round to the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FloatEvaluation {
    /// That of the type: 0.
    #[default]
    AsTyped,
    /// At least `double`: 1.
    Double,
    /// `long double`: 2, as on the x87.
    LongDouble,
}

/// Widths that a model may have. Values are stored in 128 bits.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=128;
/// A byte is stored in 32 bits.
const CHAR_WIDTHS: std::ops::RangeInclusive<u32> = 1..=32;

impl DataModel {
    /// `long` and pointers of 64 bits, as on Linux; `char` is signed.
    pub fn lp64() -> DataModel {
        DataModel {
            char_bits: 8,
            short_bits: 16,
            int_bits: 32,
            long_bits: 64,
            long_long_bits: 64,
            pointer_bits: 64,
            char_is_signed: true,
            max_align: 16,
            byte_order: ByteOrder::Little,
            signed_overflow: SignedOverflow::Undefined,
            long_double: LongDouble::Extended,
            float_evaluation: FloatEvaluation::AsTyped,
            extra_checks: CheckSet::default(),
        }
    }

    /// `int`, `long` and pointers of 32 bits; layout as on i386.
    pub fn ilp32() -> DataModel {
        DataModel { long_bits: 32, pointer_bits: 32, max_align: 4, ..DataModel::lp64() }
    }

    /// `int` and pointers of 16 bits, `char` unsigned, as in the thesis.
    pub fn int16() -> DataModel {
        DataModel {
            int_bits: 16,
            long_bits: 32,
            pointer_bits: 16,
            char_is_signed: false,
            max_align: 2,
            long_double: LongDouble::Double,
            ..DataModel::lp64()
        }
    }

    /// The same with the most significant byte first. No such machine has the format of the x87.
    fn big_endian(self) -> DataModel {
        DataModel { byte_order: ByteOrder::Big, long_double: LongDouble::Double, ..self }
    }

    /// The names of all models.
    pub const NAMES: [&str; 5] = ["lp64", "ilp32", "int16", "lp64be", "ilp32be"];

    /// The model with this name, or with these properties: lines of a type file, separated by semicolons.
    pub fn by_name(name: &str) -> Option<DataModel> {
        match name {
            "lp64" => Some(DataModel::lp64()),
            "ilp32" => Some(DataModel::ilp32()),
            "int16" => Some(DataModel::int16()),
            "lp64be" => Some(DataModel::lp64().big_endian()),
            // 32 bits and big-endian is PowerPC and similar machines, where `double` and `long long` have their natural alignment.
            "ilp32be" => Some(DataModel { max_align: 8, ..DataModel::ilp32().big_endian() }),
            _ if name.contains(": ") => {
                let (model, found) = DataModel::parse(&name.replace(';', "\n"));
                found.iter().all(|found| found.severity != Severity::Error).then_some(model)
            }
            _ => None,
        }
    }

    /// Reads a type file. Lines are `name: value`, `#` starts a comment, `---` and `- !...` are YAML's wrapping. Properties that are missing are
    /// those of the thesis's own file ([`DataModel::int16`]). An error means that the file cannot be used.
    pub fn parse(text: &str) -> (DataModel, Vec<Diagnostic>) {
        let mut model = DataModel::int16();
        let mut diagnostics = Vec::new();
        let mut offset = 0;
        let mut has_pointer = false;
        for line in text.split_inclusive('\n') {
            let span = Span::new(offset, offset + line.trim_end().len());
            offset += line.len();
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() || content == "---" || content.starts_with("- !") {
                continue;
            }
            match model.set(content, span) {
                Ok(name) => has_pointer |= name == "pointer_bitlength",
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        if !has_pointer {
            model.pointer_bits =
                model.address_widths().into_iter().find(|bits| *bits >= 16).unwrap_or(model.long_long_bits);
        } else if !model.address_widths().contains(&model.pointer_bits) {
            let message = format!(
                "`pointer_bitlength` is {}, which is not the width of an integer type",
                model.pointer_bits
            );
            diagnostics.push(Diagnostic::error(Span::default(), message));
            model.pointer_bits = model.long_long_bits;
        }
        diagnostics.extend(model.oddities());
        (model, diagnostics)
    }

    /// Widths that a pointer may have: there must be a `size_t`.
    fn address_widths(&self) -> [u32; 4] {
        [self.int_bits, self.long_bits, self.short_bits, self.long_long_bits]
    }

    /// Takes one `name: value`, which is at `span`; returns the name.
    fn set<'a>(&mut self, line: &'a str, span: Span) -> Result<&'a str, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(span, message);
        let Some((name, value)) = line.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
        else {
            return Err(wrong(format!("`{line}` is not of the form `name: value`")));
        };
        if name == "char_is_signed" {
            self.char_is_signed =
                value.parse().map_err(|_| wrong(format!("`{value}` is neither `true` nor `false`")))?;
            return Ok(name);
        }
        if name == "byte_order" {
            self.byte_order = match value {
                "little" => ByteOrder::Little,
                "big" => ByteOrder::Big,
                _ => return Err(wrong(format!("`{value}` is neither `little` nor `big`"))),
            };
            return Ok(name);
        }
        if name == "long_double_bitlength" {
            self.long_double = match value {
                "64" => LongDouble::Double,
                "80" => LongDouble::Extended,
                "128" => LongDouble::Other,
                _ => return Err(wrong(format!("`{name}` must be 64, 80 or 128, not `{value}`"))),
            };
            return Ok(name);
        }
        if name == "max_alignment" {
            self.max_align = match value.parse::<u64>() {
                Ok(bytes @ (1 | 2 | 4 | 8 | 16)) => bytes,
                _ => return Err(wrong(format!("`{name}` must be 1, 2, 4, 8 or 16, not `{value}`"))),
            };
            return Ok(name);
        }
        if name == "flt_eval_method" {
            self.float_evaluation = match value {
                "0" => FloatEvaluation::AsTyped,
                "1" => FloatEvaluation::Double,
                "2" => FloatEvaluation::LongDouble,
                _ => return Err(wrong(format!("`{name}` must be 0, 1 or 2, not `{value}`"))),
            };
            return Ok(name);
        }
        let field = match name {
            "char_bitlength" => &mut self.char_bits,
            "short_bitlength" => &mut self.short_bits,
            "int_bitlength" => &mut self.int_bits,
            "long_bitlength" => &mut self.long_bits,
            "long_long_bitlength" => &mut self.long_long_bits,
            "pointer_bitlength" => &mut self.pointer_bits,
            _ => return Err(wrong(format!("`{name}` is not a property of a data model"))),
        };
        let allowed = if name == "char_bitlength" { CHAR_WIDTHS } else { WIDTHS };
        match value.parse() {
            Ok(bits) if allowed.contains(&bits) => *field = bits,
            _ => {
                let (low, high) = (allowed.start(), allowed.end());
                return Err(wrong(format!("`{name}` must be a number from {low} to {high}, not `{value}`")));
            }
        }
        Ok(name)
    }

    /// Warnings for widths that no implementation of C could have.
    pub fn oddities(&self) -> Vec<Diagnostic> {
        let rows = [
            ("char", self.char_bits, 8),
            ("short", self.short_bits, 16),
            ("int", self.int_bits, 16),
            ("long", self.long_bits, 32),
            ("long long", self.long_long_bits, 64),
        ];
        let mut found = Vec::new();
        for (name, bits, least) in rows {
            if bits < least {
                let message = format!("`{name}` has {bits} bits; C requires at least {least}");
                found.push(Diagnostic::warning(Span::default(), message));
            }
        }
        for pair in rows.windows(2) {
            if pair[1].1 < pair[0].1 {
                let message = format!("`{}` is narrower than `{}`", pair[1].0, pair[0].0);
                found.push(Diagnostic::warning(Span::default(), message));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THESIS: &str = "# Variable Type Specification\n---\n- !ruby/object:TypeSpec\n  char_is_signed:      false\n  \
                          char_bitlength:     8 # Min. 8\n  short_bitlength:    16\n  int_bitlength: 16\n  long_bitlength: 32\n  \
                          long_long_bitlength: 64 # Min. 64\n";

    #[test]
    fn the_file_of_the_thesis_is_read() {
        let (model, diagnostics) = DataModel::parse(THESIS);
        assert_eq!(diagnostics, []);
        assert_eq!(model, DataModel::int16());
    }

    #[test]
    fn narrow_types_warn_and_work() {
        let (model, diagnostics) = DataModel::parse("int_bitlength: 4\n");
        assert_eq!(model.int_bits, 4);
        let messages: Vec<&str> = diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(messages, ["`int` has 4 bits; C requires at least 16", "`int` is narrower than `short`"]);
    }

    #[test]
    fn what_is_not_understood_is_an_error_at_its_line() {
        let (_, diagnostics) = DataModel::parse("int_bitlength: many\nfloat_bitlength: 3\nnonsense\n");
        assert_eq!(diagnostics.len(), 3);
        assert_eq!(diagnostics[1].span, Span::new(20, 38));
    }
}
