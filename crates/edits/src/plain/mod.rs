//! Passes on any text, one file each: lines, balanced brackets, strings, words, numbers, bytes.
//!
//! Nothing is known of the format. Bytes need not be text at all. Every list is linear in the size of the file, in
//! time and in memory, and bounded by a named limit; where there are more places than that, several go together.

pub mod blanks;
pub mod brackets;
pub mod bytes;
pub mod check;
pub mod lines;
pub mod names;
pub mod numbers;
mod render;
pub mod strings;
mod view;
pub mod words;

pub use render::render;
pub use view::PlainView;
