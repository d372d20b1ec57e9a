//! Spans, line index and diagnostics: how every reader in nub reports positions and findings.
//!
//! Input is bytes, never assumed to be UTF-8. A place is a [`Span`] of byte
//! offsets; [`LineIndex`] turns an offset into a line and a column when a person
//! will read it. Readers return their findings as [`Diagnostic`] values; only the
//! command line renders them.
//!
//! ```
//! use nub_text::{LineIndex, Span};
//! let text = b"(assert\n  true)";
//! let place = LineIndex::new(text).place(10);
//! assert_eq!((place.line, place.column), (2, 3));
//! assert_eq!(Span::new(1, 7).slice(text), b"assert");
//! ```

mod diagnostic;
mod line_index;
mod span;

pub use diagnostic::{Diagnostic, Severity};
pub use line_index::{LineColumn, LineIndex};
pub use span::Span;

/// Largest input, in bytes, that 32-bit offsets can address. Readers reject larger inputs.
pub const MAX_INPUT: usize = u32::MAX as usize - 1;
