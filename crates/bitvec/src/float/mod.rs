//! IEEE 754 values of any format, exact to the bit: the reference for circuits and machines.
//!
//! A [`Float`] is a value of a [`FloatFormat`]; every operation computes the exact result and rounds it once.
//!
//! ```
//! use nub_bitvec::Value;
//! use nub_bitvec::float::{Float, FloatFormat, RoundingMode};
//!
//! let double = |value: f64| Float::from_bits(FloatFormat::DOUBLE, Value::from_u64(64, value.to_bits()));
//! let sum = double(0.1).add(&double(0.2), RoundingMode::NearestEven);
//! assert_eq!(sum, double(0.1 + 0.2));
//! assert!(double(f64::NAN).add(&sum, RoundingMode::TowardZero).is_nan());
//! ```
//!
//! The files: `natural` (numbers without a bound), `format`, `value` (encoding, classes, order), `round` (the one place that
//! rounds), `arith`, `convert`, `literal` and `decimal` (from and to text), `op` (the operators on encodings), `lower/` (operators as terms over bit-vectors).

mod arith;
mod convert;
mod decimal;
mod format;
mod literal;
mod lower;
mod natural;
mod op;
mod round;
mod value;

pub use convert::{Rational, Signedness};
pub use format::{FloatFormat, RoundingMode};
pub use lower::{FloatTerms, IntegerTerms, is_canonical, is_mode, truncated};
pub use op::{FloatOp, FloatOperation, FloatResult, OpenResult};
pub use round::Sign;
pub use value::Float;
